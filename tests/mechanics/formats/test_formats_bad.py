"""Bad files: each is refused in one line that says where, what, and what is allowed.

`bad/` holds the files, `bad/messages.txt` what is said of each. Files that are large, or that a
version control system would not keep as they are, are made here.
"""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from children import PATIENCE

from hapsis.errors import ModelError
from hapsis.mechanics.formats.load_save import load, save
from hapsis.mechanics.formats.mesh_paths import mesh_file

BAD = Path(__file__).parent / "bad"
TABLE = dict(line.split(":", 1) for line in (BAD / "messages.txt").read_text(encoding="utf-8").splitlines())
GOOD_YAML = """\
hapsis: 1
bodies:
  arm: {mass: 1.0, com: [0, 0, -0.5], inertia: [0.083, 0.083, 0.001]}
joints:
  hinge: {type: revolute, first: world, second: arm, axis: y}
"""
GOOD_URDF = '<robot name="r"><link name="a"><visual><geometry>%s</geometry></visual></link></robot>'


def refused(path, **options):
    """The one line that says why a file does not load."""
    start = time.process_time()
    with pytest.raises(ModelError) as caught:
        load(path, **options)
    assert time.process_time() - start < 10  # seconds of a busy machine; 2 on a quiet one
    line = str(caught.value)
    assert "\n" not in line and line.isprintable() and len(line) < 1000 + len(str(path))
    assert line.startswith(str(path))
    return line.removeprefix(str(path))


def test_every_bad_file_is_in_the_table():
    assert set(TABLE) == {path.name for path in BAD.iterdir()} - {"messages.txt"}
    assert len(TABLE) >= 290


@pytest.mark.parametrize("name", TABLE)
def test_bad_file(name):
    line = refused(BAD / name)
    assert line.startswith(":" + TABLE[name])


@pytest.mark.parametrize("name", [n for n in TABLE if n.startswith(("inertia_t", "mass_neg"))])
def test_impossible_numbers_can_be_kept(name):
    model = load(BAD / name, physical=False)
    assert any("impossible" in line or "negative" in line for line in model.warnings)


def written(folder, name, text):
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize("ending", ["yaml", "urdf"])
def test_a_byte_order_mark_is_skipped(tmp_path, ending):
    text = GOOD_YAML if ending == "yaml" else GOOD_URDF % '<sphere radius="1"/>'
    load(written(tmp_path, f"a.{ending}", "\ufeff" + text))


def test_line_ends_of_other_systems(tmp_path):
    path = tmp_path / "a.yaml"
    path.write_bytes(GOOD_YAML.replace("\n", "\r\n").encode())
    assert load(path) == load(written(tmp_path, "b.yaml", GOOD_YAML))


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("deep_list.yaml", "hapsis: 1\nx: " + "[" * 1_000_000, ":2:67: nested more than 64 deep"),
        ("deep_block.yaml", "- " * 1_000_000, ":1:129: nested more than 64 deep"),
        ("deep_map.yaml", "{a: " * 1_000_000, ":1:257: nested more than 64 deep"),
        (
            "bodies.yaml",
            "hapsis: 1\nbodies:\n" + "".join(f"  b{i}: {{}}\n" for i in range(20001)),
            ":3:3: 20001 bodies; expected at most 20000",
        ),
        ("entries.yaml", "hapsis: 1\nx: [" + "1," * 1_000_000, ": the file has too many entries"),
        ("huge.yaml", "#" * 16_000_001, ": the file is too large; expected at most 16 MB"),
        (
            "name.yaml",
            'hapsis: 1\nbodies:\n  ? "' + "a" * 1_000_000 + '"\n  : {}\n',
            ':3:5: the name "aaaaaaaaaaaaaaaaaaaa..." of a body has 1000000 characters',
        ),
        ("formula.yaml", GOOD_YAML.replace("1.0", "1 + " * 100_000 + "1"), ":3:15: body"),
        ("brackets.yaml", GOOD_YAML.replace("1.0", "(" * 9000), ":3:15: body"),
        ("digits.yaml", GOOD_YAML.replace("1.0", "9" * 1_000_000), ":3:15: body"),
        ("deep.urdf", "<robot>" + "<a>" * 1_000_000, ":1:773: nested more than 256 deep"),
        ("elements.urdf", "<robot>" + "<link/>" * 1_000_000, ":1:3500001: the file has too many"),
        ("links.urdf", "<robot>" + "<link/>" * 20_002 + "</robot>", ":1:1: 20002 links"),
        ("huge.urdf", " " * 64_000_001, ": the file is too large; expected at most 64 MB"),
        ("name.urdf", '<robot><link name="' + "a" * 1_000_000 + '"/></robot>', ":1:8: the name"),
        (
            "attributes.urdf",
            "<robot " + " ".join(f'a{i}="1"' for i in range(200_000)) + "/>",
            ":1:1: the robot has no link",
        ),
    ],
    ids=lambda x: x if len(x) < 20 else "",
)
def test_large_files(tmp_path, name, text, said):
    assert refused(written(tmp_path, name, text)).startswith(said)


@pytest.mark.parametrize("name", ["deep_list", "deep_block", "deep_map"])
def test_deep_nesting_does_not_end_the_process(tmp_path, name):
    begin = {"deep_list": "[", "deep_block": "- ", "deep_map": "{a: "}[name]
    path = written(tmp_path, f"{name}.yaml", begin * 1_000_000)
    code = f"from hapsis.mechanics.formats.load_save import load; load({str(path)!r})"
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=PATIENCE)
    assert ended.returncode == 1 and "nested more than 64 deep" in ended.stderr


@pytest.mark.slow
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="memory is told by Linux")
def test_memory_of_the_largest_files(tmp_path):
    """A file at each limit is refused within 512 MB."""
    texts = ["<robot>" + "<x/>" * 400_000 + "</robot>", "<robot>" + "<x>a</x>" * 400_000]
    paths = [written(tmp_path, f"a{k}.urdf", text) for k, text in enumerate(texts)]
    code = (
        "from hapsis.mechanics.formats.load_save import load\n"
        f"for path in {[str(p) for p in paths]!r}:\n"
        "    try:\n        load(path)\n    except Exception as error:\n        print(error)\n"
        "print([x for x in open('/proc/self/status') if x.startswith('VmHWM')][0].split()[1])\n"
    )
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=PATIENCE)
    lines = ended.stdout.splitlines()
    assert len(lines) == 3 and int(lines[-1]) < 512_000


def test_missing_files(tmp_path):
    written(tmp_path, "pendulum.yaml", GOOD_YAML)
    assert 'did you mean "pendulum.yaml"?' in refused(tmp_path / "pendulun.yaml")
    assert "there is no folder" in refused(tmp_path / "no" / "a.yaml")
    (tmp_path / "folder.yaml").mkdir()
    assert "is a folder" in refused(tmp_path / "folder.yaml")


@pytest.mark.parametrize("path", ["", "a\0b.yaml", 3, None, b"a.yaml"])
def test_paths_that_are_none(path):
    with pytest.raises(ModelError, match="is no path of a file"):
        load(path)


@pytest.mark.parametrize("name", ["a", "a.txt", "a.yam", "arm.urdf.xacro", ".yaml"])
def test_unknown_endings(name):
    with pytest.raises(ModelError, match=r"expected \.yaml, \.yml, \.urdf"):
        load(name)
    with pytest.raises(ModelError, match=r"expected \.yaml, \.yml, \.urdf"):
        save(load(Path(BAD / "mass_negative.yaml"), physical=False), name)


def test_unknown_base():
    with pytest.raises(ModelError, match='no base "floating"; expected "fixed" or "free"'):
        load("a.urdf", base="floating")  # type: ignore[arg-type]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes here")
def test_a_pipe_or_a_device_is_no_file(tmp_path):
    os.mkfifo(tmp_path / "pipe.yaml")
    assert "is no regular file" in refused(tmp_path / "pipe.yaml")
    (tmp_path / "zero.yaml").symlink_to("/dev/zero")
    assert "is no regular file" in refused(tmp_path / "zero.yaml")


@pytest.mark.skipif(os.name == "nt", reason="links need rights there")
def test_links_do_not_lead_out_of_the_folder(tmp_path):
    (tmp_path / "secret.stl").write_text("secret")
    folder = tmp_path / "robot"
    folder.mkdir()
    (folder / "mesh.stl").symlink_to(tmp_path / "secret.stl")
    (folder / "loop.stl").symlink_to(folder / "loop.stl")
    (folder / "out").symlink_to(tmp_path)
    for name in ("mesh.stl", "out/secret.stl"):
        mesh = f'<mesh filename="{name}"/>'
        line = refused(written(folder, "a.urdf", GOOD_URDF % mesh))
        assert "leads out of the folder" in line
    (folder / "package").symlink_to("/etc")
    assert mesh_file("package://package/secret.stl", folder) is None


def test_meshes(tmp_path):
    folder = tmp_path / "robot" / "urdf"
    folder.mkdir(parents=True)
    (tmp_path / "robot" / "meshes").mkdir()
    (tmp_path / "robot" / "meshes" / "a.STL").write_text("")
    (folder / "b.stl").write_text("")
    for name in ("package://robot/meshes/a.STL", "b.stl", "./b.stl", "package:///robot/urdf/b.stl"):
        path = written(folder, "a.urdf", GOOD_URDF % f'<mesh filename="{name}"/>')
        model = load(path)
        assert model.warnings == () and model.bodies["a"].shapes[0].path == name
    for name in ("c.stl", "package://other/c.stl"):
        path = written(folder, "a.urdf", GOOD_URDF % f'<mesh filename="{name}"/>')
        assert load(path).warnings == (f'{path}:1:50: mesh "{name}" is not there',)


@pytest.mark.parametrize(
    "name",
    [
        'a"b',
        "*/",
        "a'b",
        "; drop",
        "${HOME}",
        "%s",
        "{0}",
        "<b>",
        "&amp;",
        "\\n",
        "аrm",
        "if",
        "0",
        "true",
        "a.b.c",
        "名前",
        "é",
    ],
)
def test_strange_names_stay_as_they_are(tmp_path, name):
    """Names never reach code, so they may be anything that can be seen."""
    text = GOOD_YAML.replace("arm", "'" + name.replace("'", "''") + "'")
    model = load(written(tmp_path, "a.yaml", text))
    assert list(model.bodies) == [name]
    for ending in ("yaml", "urdf"):
        save(model, tmp_path / f"b.{ending}")
        assert load(tmp_path / f"b.{ending}") == model
