"""`hapsis share`: a page, or one line that says why not."""

import json
import re

import pytest

from hapsis import cli

MODEL = """
hapsis: 1
bodies: {"%s": {mass: 1.0, com: [0, 0, -0.5], inertia: [0.083, 0.083, 0.001]}}
joints: {hinge: {type: revolute, first: world, second: "%s", axis: y}}
"""
PAGE = ("--out", "page.html")
HOSTILE = "</script><b>x"


@pytest.fixture
def share(tmp_path, monkeypatch, capfd):
    """Runs the command in a folder with models: (status, standard output, standard error)."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "arm.yaml").write_text(MODEL % ("arm", "arm"))
    (tmp_path / "hostile.yaml").write_text(MODEL % (HOSTILE, HOSTILE))
    (tmp_path / "wrong.yaml").write_text(MODEL % ("arm", "amr"))
    (tmp_path / "bytes.yaml").write_bytes(b"\x00\xff\xfe")
    (tmp_path / "folder").mkdir()

    def call(*arguments):
        status = cli.main(["share", *arguments])
        return status, *capfd.readouterr()

    return call


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["missing.yaml", *PAGE], "missing.yaml: there is no such file"),
        (
            ["wrong.yaml", *PAGE],
            'joint "hinge" carries body "amr", which does not exist (did you mean "arm"?)',
        ),
        (["bytes.yaml", *PAGE], "is not UTF-8"),
        (["folder", *PAGE], "is a folder; expected a model file"),
        (["a\nb.yaml", *PAGE], "a b.yaml: there is no such file"),
        (["arm.yaml"], "--no-open without --out leaves nothing to do"),
        (["arm.yaml", "--out", "/proc/page.html"], "page.html cannot be written"),
        (["arm.yaml", "--out", "folder"], "expected a name ending with .html"),
        (["arm.yaml", *PAGE, "--rate", "0"], "rate must be a number from 1 to 20000, not 0"),
        (["arm.yaml", *PAGE, "--rate", "fast"], "--rate"),
        (["arm.yaml", *PAGE, "--substeps", "0"], "substeps is 0"),
        (["arm.yaml", *PAGE, "--method", "contact", "--substeps", "2"], '"contact" has no substeps'),
        (["arm.yaml", *PAGE, "--parameter", "arm.mas"], 'did you mean "arm.mass"?'),
        (["arm.yaml", *PAGE, "--press", "amr"], 'there is no body "amr"'),
        (["arm.yaml", *PAGE, "--press", "arm, force=much"], '--press: force: "much" is no number'),
        (
            ["arm.yaml", *PAGE, "--press", "arm, forces=2"],
            '--press: "forces=2" is not known; expected along=',
        ),
        (["arm.yaml", *PAGE, "--sound", "string"], '--sound "string" names no note; expected CONTACT=NOTE'),
        (["arm.yaml", *PAGE, "--sound", "string=A4"], 'there is no contact "string" that could sound'),
        (["no_such_thing", *PAGE], "no_such_thing"),
        ([], "FILE"),
    ],
)
def test_misuse_is_one_line_and_status_2(share, tmp_path, arguments, message):
    status, out, err = share(*arguments, "--no-open")
    assert (status, out, len(err.splitlines())) == (2, "", 1) and message in err
    assert not (tmp_path / "page.html").exists()


def test_a_page_is_written_and_names_stay_text(share, tmp_path):
    status, out, err = share("hostile.yaml", *PAGE, "--no-open")
    assert (status, err) == (0, "") and out.startswith("wrote page.html, 0.")
    text = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert HOSTILE not in text and "\\u003c/script>\\u003cb>x" in text


def test_what_moves_the_model_and_what_is_seen(share, tmp_path):
    """Inputs, outputs, start and title reach the page."""
    wanted = ["--input", "hinge", "--output", "hinge.v", "--start", "hinge=1.2", "--title", "A <b>pendulum"]
    status, _, _ = share("arm.yaml", *wanted, *PAGE, "--no-open")
    block = re.search(r'id="content">(.*?)</script>', (tmp_path / "page.html").read_text(), flags=re.S)
    content = json.loads(block[1])
    assert status == 0 and content["name"] == "A <b>pendulum" and content["start"][0] == [1.2]
    assert [given["name"] for given in content["inputs"]] == ["hinge"]
    assert content["signals"][content["shown"][0]]["name"] == "hinge.v"


def test_names_of_the_library_fingers_and_sounds(share, tmp_path):
    """A mechanism by its name has its own page, which options change."""
    status, out, err = share("grand_action", *PAGE, "--no-open", "--press", "none", "--sound", "string=C#5")
    assert (status, err) == (0, "") and out.startswith("wrote page.html")
    text = (tmp_path / "page.html").read_text()
    assert '"note": "C#5"' in text and '"press": null' in text and "<title>Grand piano action" in text
    status, out, err = share("arm.yaml", *PAGE, "--no-open", "--press", "arm, along=x, force=2, most=9")
    text = (tmp_path / "page.html").read_text()
    assert (status, err) == (0, "") and '"along": [1.0, 0.0, 0.0]' in text and '"limit": 9.0' in text


def test_contacts_are_solved_where_the_method_or_the_page_says_so(share, tmp_path):
    for arguments in (["arm.yaml", "--method", "contact"], ["arm.yaml"]):
        status, _, err = share(*arguments, *PAGE, "--no-open")
        text = (tmp_path / "page.html").read_text()
        assert (status, err) == (0, "") and ('"native": {"address"' in text) == ("--method" in arguments)
