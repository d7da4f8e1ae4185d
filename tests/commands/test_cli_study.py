"""`hapsis study`: a list, a page with facts, or one line that says why not."""

import json

import pytest

from hapsis import cli
from hapsis.studies.catalogue import STUDIES


@pytest.fixture
def study(tmp_path, monkeypatch, capfd):
    """Runs the command in an empty folder: (status, standard output, standard error)."""
    monkeypatch.chdir(tmp_path)

    def call(*arguments):
        status = cli.main(["study", *arguments])
        return status, *capfd.readouterr()

    return call


def test_without_a_name_it_lists_all(study):
    status, out, _ = study()
    assert status == 0 and all(name in out for name in STUDIES)
    status, out, _ = study("--json")
    assert status == 0 and list(json.loads(out)["studies"]) == list(STUDIES)


def test_a_study_prints_its_facts_and_writes_its_page(study, tmp_path):
    status, out, err = study("piano-force", "--out", "force.html", "--no-open")
    assert status == 0 and "position of the bump" in out and out.splitlines()[-1] == "wrote force.html"
    assert "study piano-force: 1 parts" in err
    assert "hapsis study piano-force" in (tmp_path / "force.html").read_text(encoding="utf-8")
    status, out, err = study("piano-force", "--no-open", "--json")
    report = json.loads(out)
    assert (status, err, report["met"], report["page"]) == (0, "", True, None)
    assert {"name", "value", "unit", "low", "high", "met"} == set(report["facts"][0])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["piano-forse"], 'there is no study "piano-forse" (did you mean "piano-force"?)'),
        (["piano-force", "--out", "force.txt"], "expected a name ending with .html"),
        (["piano-force", "--data", "x.csv"], 'the study "piano-force" takes no data'),
        (["piano-replay", "--data", "x.csv"], "x.csv: there is no such file"),
    ],
)
def test_misuse_is_one_line_and_status_2(study, arguments, message):
    status, out, err = study(*arguments, "--no-open")
    assert (status, out) == (2, "") and message in err.splitlines()[-1]
