"""`hapsis cad` on files that are wrong: one line each, the status 2, and nothing is written."""

import re
from dataclasses import replace
from pathlib import Path

import pytest

import hapsis as hs

PARTS = "hapsis: 1\ncomponents:\n  a: {mass: 1, inertia: [1, 1, 1], anchors: {x: [0, 0, 0]}}\n"


@pytest.fixture
def command(command_among_models):
    return command_among_models


def refused(answer):
    status, out, err = answer
    assert (status, out) == (2, "") and err.endswith("\n") and len(err.splitlines()) == 1
    return err.rstrip()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("solid x", "wrong.step:1:1: is no STEP file; expected ISO-10303-21;"),
        ("", "wrong.step:1:1: is no STEP file; expected ISO-10303-21;"),
        ("ISO-10303-21;\nHEADER;\n", "wrong.step:3: ends too soon; expected END-ISO-10303-21; at its end"),
        ("\0\1\2", "wrong.step:1:1: is no STEP file; expected ISO-10303-21;"),
    ],
)
def test_what_is_no_step_file(command, text, message):
    Path("wrong.step").write_text(text)
    assert refused(command("cad", "wrong.step", "--model", "m.yaml")) == message
    assert not Path("m.yaml").exists()


@pytest.mark.parametrize("inertia", ["[1, 1, 9]", "[-1, 1, 1]", "[1, 1, 1, 3, 0, 0]"])
def test_impossible_inertias(command, inertia):
    Path("p.yaml").write_text(PARTS.replace("[1, 1, 1]", inertia))
    error = refused(command("cad", "p.yaml"))
    assert error.startswith("p.yaml:3:3:") and "its inertia is impossible: the principal moments are" in error
    with pytest.raises(hs.ModelError, match="inertia is impossible"):
        hs.Component("a", 1.0, inertia=(1, 1, 9))


@pytest.mark.parametrize("density", ["nan", "-1", "0", "1e300", "inf"])
def test_densities(command, density):
    Path("p.step").write_text("ISO-10303-21;\nEND-ISO-10303-21;\n")
    assert "density" in refused(command("cad", "p.step", "--density", density))


def test_a_model_needs_holes_and_shafts(command):
    Path("parts.yaml").write_text(PARTS)
    error = refused(command("cad", "parts.yaml", "--model", "m.yaml"))
    assert error.startswith("no part has a hole or a shaft: meshes and files of components")
    assert "--model" in refused(command("cad", "parts.yaml", "--ground", "a"))
    assert "there is no component" in refused(
        command("cad", "parts.yaml", "--model", "m.yaml", "--ground", "b")
    )
    Path("m.yaml").write_text("kept")
    assert "is there already" in refused(command("cad", "parts.yaml", "--model", "m.yaml", "--out", "o.yaml"))
    assert "would be one file" in refused(
        command("cad", "parts.yaml", "--model", "m.yaml", "--out", "./m.yaml", "--force")
    )
    assert Path("m.yaml").read_text() == "kept" and not Path("o.yaml").exists()


def test_anchors_that_cannot_meet(command):
    """The lever of the linkage is made too short for its loop."""
    text = Path("six_bar.yaml").read_text()
    wrong, count = re.subn(r"(  lever: .*?lever arm: \[)[^\]]*", r"\g<1>-0.119, 0.06, 0.022", text)
    assert count == 1
    Path("short.yaml").write_text(wrong)
    error = refused(command("simulate", "short.yaml", "--until", "0.1"))
    assert "the loops cannot be closed" in error


def test_a_table_that_contradicts_the_parts():
    model = hs.load(Path(__file__).parents[2] / "examples" / "models" / "six_bar.yaml")
    table = hs.dh_table(model, "arm.grip")
    assert hs.dh_table(model, "arm.grip", expected=table) == table
    first, second = table.rows
    wrong = replace(table, rows=(replace(first, a=first.a + 0.01), second))
    with pytest.raises(hs.ModelError, match=r'row 2 .* contradicts the joint "lever arm": .* 0.01 m'):
        hs.dh_table(model, "arm.grip", expected=wrong)


@pytest.mark.peers
def test_a_model_of_a_step_file(command):
    """A part is a plate without a hole; inches; a name with all kinds of characters."""
    cad = pytest.importorskip("build123d")
    plate = cad.Box(100, 40, 5) - cad.Pos(40, 0, 0) * cad.Cylinder(4, 5)
    arm = cad.Pos(80, 0, 5) * cad.Box(100, 10, 5) - cad.Pos(40, 0, 5) * cad.Cylinder(4, 5)
    lid = cad.Pos(0, 0, -20) * cad.Box(5, 5, 5)
    plate.label, arm.label, lid.label = "plate: {a} 'b'", 'arm.1 "ü"\n#', ""
    shape = cad.Compound(label="all", children=[plate, arm, lid])
    cad.export_step(shape, "odd.step", unit=cad.Unit.IN)
    status, out, err = command("cad", "odd.step", "--density", "7850", "--model", "m.yaml", "--out", "p.yaml")
    assert (status, err) == (0, ""), err
    assert "3 parts" in out and "wrote m.yaml" in out and "it shares no axis with another part" in out
    model = hs.load("m.yaml")
    assert len(model.bodies) == 3 and len(model.coordinates) == 1
    parts = hs.load_cad("p.yaml")
    volume = (0.1 * 0.04 - 3.141592653589793 * 0.004**2) * 0.005
    assert next(iter(parts.values())).mass == pytest.approx(7850 * volume * 25.4**3, rel=1e-9)
    status, out, err = command("cad", "p.yaml", "--model", "again.yaml")  # from the file of parts
    assert (status, err) == (0, "") and hs.load("again.yaml").coordinates == model.coordinates
    assert command("simulate", "m.yaml", "--until", "0.1")[0] == 0
    assert command("show", "m.yaml", "--out", "m.html", "--no-open")[0] == 0
    sheet = cad.Face.make_rect(10, 10)
    sheet.label = "sheet"
    cad.export_step(sheet, "sheet.step")
    assert 'part "sheet" has no volume' in refused(command("cad", "sheet.step", "--model", "s.yaml"))
