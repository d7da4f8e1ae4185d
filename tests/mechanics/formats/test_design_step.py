"""STEP files: exact masses against closed forms, places in assemblies, holes and shafts, units, broken files.

Needs build123d, which `./run test --peers` installs; each file takes the seconds of its import once.
"""

import math
import re
from pathlib import Path

import numpy as np
import pytest

import hapsis as hs

pytestmark = pytest.mark.peers
cad = pytest.importorskip("build123d")
RHO = 7850.0
UNIT = re.compile(r"#(\d+) = \( LENGTH_UNIT\(\) NAMED_UNIT\(\*\) SI_UNIT\(\.MILLI\.,\.METRE\.\) \);")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A link with two holes; a pin and a filleted block in an assembly that is moved and turned."""
    path = tmp_path_factory.mktemp("step")
    link = (
        cad.Box(200, 20, 10)
        - cad.Pos(-90, 0, 0) * cad.Cylinder(4, 10)
        - cad.Pos(90, 0, 0) * cad.Cylinder(4, 10)
    )
    pin, block = cad.Cylinder(4, 30), cad.Box(30, 20, 10)
    block = cad.fillet(block.edges().filter_by(cad.Axis.Z), 3)
    link.label, pin.label, block.label = "link", "pin", "block"
    pin.location = cad.Location((0, 20, 0), (90, 0, 0))
    inner = cad.Compound(label="inner", children=[pin, block])
    inner.location = cad.Location((100, 0, 50), (0, 0, 90))
    cad.export_step(cad.Compound(label="all", children=[link, inner]), str(path / "all.step"))
    return path


@pytest.fixture(scope="module")
def parts(folder):
    return hs.load_cad(folder / "all.step", density=RHO)


def test_link_weighs_as_its_formula(parts):
    """A box minus two cylinders, by their closed forms."""
    link, r, x = parts["link"], 0.004, 0.09
    box, hole = 0.2 * 0.02 * 0.01 * RHO, math.pi * r**2 * 0.01 * RHO
    xx = box * (0.02**2 + 0.01**2) / 12 - 2 * hole * (r**2 / 4 + 0.01**2 / 12)
    yy = box * (0.2**2 + 0.01**2) / 12 - 2 * hole * (r**2 / 4 + 0.01**2 / 12 + x**2)
    zz = box * (0.2**2 + 0.02**2) / 12 - 2 * hole * (r**2 / 2 + x**2)
    assert link.mass == pytest.approx(box - 2 * hole, rel=1e-9)
    assert link.inertia[:3] == pytest.approx((xx, yy, zz), rel=1e-9)
    assert link.com == pytest.approx((0, 0, 0), abs=1e-12) and link.source == "CAD"
    triangles = link.shapes[0]
    mesh = hs.Component.mesh("mesh", triangles.vertices, triangles.triangles, density=RHO)
    assert mesh.mass == pytest.approx(link.mass, rel=1e-3)  # drawn by triangles, closed and near


def test_a_part_is_placed_by_all_assemblies_around_it(parts):
    """The pin lies along -y of its assembly, 20 mm from it, and that is turned by 90° about z."""
    pin = parts["pin"]
    assert pin.com == pytest.approx((0.08, 0, 0.05), abs=1e-12)
    m, r, length = math.pi * 0.004**2 * 0.03 * RHO, 0.004, 0.03
    along, across = m * r**2 / 2, m * (r**2 / 4 + length**2 / 12)
    assert pin.mass == pytest.approx(m, rel=1e-9)
    assert pin.inertia == pytest.approx((along, across, across, 0, 0, 0), rel=1e-9, abs=1e-16)


def axis_of(frame):
    roll, pitch, yaw = frame.rpy
    c, s = math.cos(yaw), math.sin(yaw)
    tilt = np.array([math.sin(pitch) * math.cos(roll), -math.sin(roll), math.cos(pitch) * math.cos(roll)])
    return np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]]) @ tilt


def test_holes_and_shafts_are_proposed(parts):
    link, pin, block = (parts[name].anchors for name in ("link", "pin", "block"))
    assert list(link) == ["hole1", "hole2"] and list(pin) == ["shaft1"] and not block  # fillets are no shafts
    assert link["hole1"].at == pytest.approx((-0.09, 0, 0)) and link["hole2"].at == pytest.approx(
        (0.09, 0, 0)
    )
    assert axis_of(link["hole1"]) == pytest.approx((0, 0, 1), abs=1e-12)
    assert pin["shaft1"].at == pytest.approx((0.08, 0, 0.05), abs=1e-12)
    assert axis_of(pin["shaft1"]) == pytest.approx((1, 0, 0), abs=1e-12)


def inches(match):
    """The same unit entity in inches."""
    a, b, c = (f"#{int(match[1]) + 100_000 + k}" for k in range(3))
    return (
        f"#{match[1]} = ( CONVERSION_BASED_UNIT('INCH',{a}) LENGTH_UNIT() NAMED_UNIT({b}) );\n"
        f"{a} = LENGTH_MEASURE_WITH_UNIT(LENGTH_MEASURE(25.4),{c});\n"
        f"{b} = DIMENSIONAL_EXPONENTS(1.,0.,0.,0.,0.,0.,0.);\n"
        f"{c} = ( LENGTH_UNIT() NAMED_UNIT(*) SI_UNIT(.MILLI.,.METRE.) );"
    )


def test_a_file_in_inches(folder, parts):
    text, count = UNIT.subn(inches, (folder / "all.step").read_text())
    assert count
    (folder / "inches.step").write_text(text)
    large = hs.load_cad(folder / "inches.step", density=RHO)["link"]
    assert large.mass == pytest.approx(25.4**3 * parts["link"].mass, rel=1e-12)
    assert large.anchors["hole2"].at == pytest.approx((25.4 * 0.09, 0, 0))


def test_components_by_label_with_anchors(folder):
    (folder / "design.yaml").write_text(
        "hapsis: 1\ncomponents:\n"
        "  arm: {geometry: all.step, label: link, density: 2700, anchors: {A: [-0.09, 0, 0]}}\n"
        "  bolt: {geometry: all.step, label: pin, mass: 0.02}\n"
    )
    arm, bolt = hs.load_cad(folder / "design.yaml").values()
    assert arm.mass == pytest.approx((0.2 * 0.02 * 0.01 - 2 * math.pi * 0.004**2 * 0.01) * 2700, rel=1e-9)
    assert list(arm.anchors) == ["hole1", "hole2", "A"]
    assert (bolt.mass, bolt.source) == (0.02, "CAD, mass given")
    model = hs.mate(
        arm, bolt, hs.Revolute("A", hs.WORLD, "arm.A"), hs.Revolute("B", "arm.hole2", "bolt.shaft1")
    )
    assert hs.dh_table(model).rows[0].a == pytest.approx(0.18)
    (folder / "wrong.yaml").write_text(
        "hapsis: 1\ncomponents: {arm: {geometry: all.step, label: lnk, mass: 1}}\n"
    )
    with pytest.raises(hs.ModelError, match=r'has no part "lnk" \(did you mean "link"'):
        hs.load_cad(folder / "wrong.yaml")


def test_broken_files_are_one_line(folder):
    text = (folder / "all.step").read_text()
    for wrong, message in (
        ("solid x", "wrong.step:1:1: is no STEP file"),
        (text[: len(text) // 2], "ends too soon; expected END-ISO-10303-21; at its end"),
        (
            text.replace("CARTESIAN_POINT", "CARTESIAN_PINT"),
            "wrong.step: ",
        ),  # ends the process of OpenCASCADE
        (re.sub(r"DATA;.*ENDSEC;", "DATA;\nENDSEC;", text, flags=re.S), "wrong.step: "),
    ):
        (folder / "wrong.step").write_text(wrong)
        with pytest.raises(hs.ModelError) as caught:
            hs.load_cad(folder / "wrong.step", density=1.0)
        assert message in str(caught.value) and "\n" not in str(caught.value)
    with pytest.raises(hs.ModelError, match="unit: a STEP file says its own"):
        hs.load_cad(folder / "all.step", density=1.0, unit="mm")


def test_what_is_open_has_no_volume(folder):
    """A sheet; and a box without a lid, whose faces would weigh 0.8 of it if they were taken for a solid."""
    sheet, box = (
        cad.Pos(3, 4, 50) * cad.Face.make_rect(10, 10),
        cad.Shell(list(cad.Box(10, 10, 10).faces())[:5]),
    )
    for shape in (sheet, box):
        shape.label = "sheet"
        cad.export_step(shape, str(folder / "sheet.step"))
        with pytest.raises(hs.ModelError, match='part "sheet" has no volume; expected a closed solid'):
            hs.load_cad(folder / "sheet.step", density=1.0)


@pytest.mark.parametrize(
    ("line", "spoiled", "message"),
    [
        (r"#\d+ = PLANE\(.*\n", "", "the file is broken: Unresolved Reference"),  # the line is lost
        (r"#(\d+) = PLANE\('',#\d+\);", r"#\1 PLANE('',;", "the file is broken: Incorrect Syntax"),
        (r"= ADVANCED_FACE", "= ADVANCED_FAC", "has no volume"),  # no such type: left out without a word
    ],
)
def test_a_spoiled_line_is_an_error(folder, line, spoiled, message):
    """OpenCASCADE goes on with what is left, which weighs something else."""
    text, count = re.subn(line, spoiled, (folder / "all.step").read_text(), count=1)
    assert count
    (folder / "spoiled.step").write_text(text)
    with pytest.raises(hs.ModelError) as caught:
        hs.load_cad(folder / "spoiled.step", density=RHO)
    assert message in str(caught.value) and "\n" not in str(caught.value)


def test_a_part_without_a_shape_is_told(folder):
    """The solid of the pin is of no known type, so that nothing of it is left."""
    text = (folder / "all.step").read_text()
    breps = list(re.finditer("MANIFOLD_SOLID_BREP", text))
    text = text[: breps[1].start()] + "MANIFOLD_SOLID_BRE" + text[breps[1].end() :]
    (folder / "lost.step").write_text(text)
    with pytest.warns(hs.Notice, match='"pin" has no shape, and is left out'):
        parts = hs.load_cad(folder / "lost.step", density=RHO)
    assert list(parts) == ["link", "block"]


def test_a_part_without_a_name_has_that_of_its_assembly(folder):
    """As Creo writes its parts: a solid below a node that has the name."""
    plate = cad.Compound(label="plate", children=[cad.Box(10, 10, 2)])
    cad.export_step(cad.Compound(label="all", children=[plate]), str(folder / "named.step"))
    (folder / "named.step").write_text((folder / "named.step").read_text().replace("'COMPOUND'", "'SOLID'"))
    assert list(hs.load_cad(folder / "named.step", density=RHO)) == ["plate"]


def test_the_linkage_of_the_page(capsys):
    """All blocks of the page in order; the last one draws, saves, loads, mates and weighs a linkage."""
    page = Path(__file__).parents[3] / "docs" / "designs.md"
    names = {}
    for block in re.findall(r"^```python\n(.*?)^```", page.read_text(encoding="utf-8"), flags=re.M | re.S):
        exec(block, names)
    assert "crank: 0.337508 kg (CAD)" in capsys.readouterr().out and names["linkage"].independent == ("A",)
