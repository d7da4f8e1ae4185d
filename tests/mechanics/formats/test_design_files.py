"""Files of designs: meshes as components, and anchors kept beside them in YAML."""

import importlib.util

import numpy as np
import pytest

import hapsis as hs

CORNERS = np.array([(x, y, z) for x in (0, 1) for y in (0, 1) for z in (0, 1)], float)
SIDES = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
TRIANGLES = [t for a, b, c, d in SIDES for t in ((a, b, c), (a, c, d))]


def write_stl(path, size, triangles=TRIANGLES):
    """A box from the origin, as text."""
    lines = ["solid box"]
    for corners in triangles:
        lines += ["facet normal 0 0 0", "outer loop"]
        lines += ["vertex " + " ".join(map(repr, map(float, CORNERS[k] * size))) for k in corners]
        lines += ["endloop", "endfacet"]
    path.write_text("\n".join([*lines, "endsolid box"]))


@pytest.mark.parametrize(
    "unit, scale", [("m", 1.0), ("cm", 0.01), ("mm", 0.001), ("in", 0.0254), ("ft", 0.3048)]
)
def test_a_mesh_in_every_unit(tmp_path, unit, scale):
    write_stl(tmp_path / "block.stl", (3.0, 2.0, 1.0))
    (part,) = hs.load_cad(tmp_path / "block.stl", density=800.0, unit=unit).values()
    box = hs.Body.box(
        "block",
        tuple(scale * x for x in (3, 2, 1)),
        density=800.0,
        at=tuple(scale * x for x in (1.5, 1, 0.5)),
    )
    assert (part.name, part.source) == ("block", "mesh")
    assert part.mass == pytest.approx(box.mass, rel=1e-12)
    assert part.com == pytest.approx(box.com, rel=1e-12)
    assert part.inertia == pytest.approx(box.inertia, rel=1e-12, abs=1e-15 * box.inertia[0])
    assert len(part.shapes[0].triangles) == 12


TEXT = """
hapsis: 1
components:
  crank: {geometry: parts/crank.stl, unit: mm, density: 7850, anchors: {A: [0, 0, 0], B: {at: [0.2, 0, 0],
    rpy: [0.5, 0, 0]}}}
  heavy: {geometry: parts/crank.stl, unit: mm, density: 7850, mass: 2.5, com: [0.1, 0, 0]}
  known: {geometry: parts/crank.stl, unit: mm, mass: 2.5}
  base: {mass: 2, inertia: [0.1, 0.2, 0.25], anchors: {A: [0, 0, 0]}}
"""


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "parts").mkdir()
    write_stl(tmp_path / "parts" / "crank.stl", (200.0, 20.0, 10.0))
    (tmp_path / "design.yaml").write_text(TEXT)
    return tmp_path


def test_anchors_beside_geometry(folder):
    parts = hs.load_cad(folder / "design.yaml")
    assert list(parts) == ["crank", "heavy", "known", "base"]
    crank, heavy, known, base = parts.values()
    assert crank.anchors == {"A": hs.Frame(), "B": hs.Frame((0.2, 0, 0), (0.5, 0, 0))}
    assert crank.mass == pytest.approx(0.2 * 0.02 * 0.01 * 7850, rel=1e-12)
    assert [p.source for p in parts.values()] == [
        "mesh",
        "mesh, mass and com given",
        "mesh, mass given",
        "given",
    ]
    assert heavy.mass == known.mass == 2.5 and heavy.com == (0.1, 0.0, 0.0) and known.com == crank.com
    assert heavy.inertia == pytest.approx([2.5 / crank.mass * x for x in crank.inertia])
    assert known.inertia == pytest.approx(heavy.inertia, rel=1e-12)
    assert base.inertia[:3] == (0.1, 0.2, 0.25) and base.shapes == ()


def test_what_is_saved_reads_back(folder):
    parts = hs.load_cad(folder / "design.yaml")
    hs.save_cad({"base": parts["base"]}, folder / "base.yaml")
    assert hs.load_cad(folder / "base.yaml") == {"base": parts["base"]}
    crank = hs.load_cad(folder / "parts" / "crank.stl", density=7850.0, unit="mm")["crank"].anchored(
        {"A": (0, 0, 0.1)}
    )
    hs.save_cad({"crank": crank}, folder / "crank.yaml", geometry="parts/crank.stl", unit="mm")
    again = hs.load_cad(folder / "crank.yaml")["crank"]
    assert again == crank and again.source == "mesh"


STL = "geometry: parts/crank.stl, unit: mm"
CRANK, KNOWN = f"{STL}, density: 7850, anchors", f"{STL}, mass"
WRONG = [
    (CRANK, CRANK.replace("crank.stl", "crnk.stl"), '4:3: component "crank": mesh crnk.stl is not there'),
    (CRANK, CRANK.replace("unit: mm, ", ""), '4:3: component "crank": a mesh does not say its unit'),
    (CRANK, CRANK.replace("mm", "km"), 'there is no unit "km"'),
    (CRANK, CRANK.replace("density: 7850, ", ""), "there is neither mass nor density; expected one of them"),
    (KNOWN, KNOWN.replace("parts/", "../"), "leads out of the folder"),
    (KNOWN, KNOWN.replace("parts/", "/etc/"), "leads out of the model's folder"),
    ("base: {mass", "base: {density: 3, mass", '8:3: component "base": "density" needs geometry'),
    ("base: {mass: 2", "base: {mas: 2", '8:10: component "base": unknown key "mas" (did you mean "mass"?)'),
    ("base: {mass: 2", "base: {mass: two", "two"),
    ("anchors: {A: [0, 0, 0]}", "anchors: {cog: [0, 0, 0]}", 'anchor "cog" follows from mass and inertia'),
    ("components:", "bodies:", 'the file needs "components"; hs.load reads models'),
    ("hapsis: 1", "hapsis: 2", '2:9: the file has format "2"'),
    ("hapsis: 1\n", "", 'the file needs "hapsis"'),
]


@pytest.mark.parametrize("old, new, message", WRONG, ids=[m[-30:] for *_, m in WRONG])
def test_errors_have_their_place(folder, old, new, message):
    assert old in TEXT
    (folder / "wrong.yaml").write_text(TEXT.replace(old, new))
    with pytest.raises(hs.ModelError) as caught:
        hs.load_cad(folder / "wrong.yaml")
    assert "wrong.yaml:" in str(caught.value) and message in str(caught.value)


def test_a_part_without_volume(tmp_path):
    write_stl(tmp_path / "flat.stl", (1.0, 1.0, 0.0), TRIANGLES)
    with pytest.raises(hs.ModelError, match="the mesh has no volume"):
        hs.load_cad(tmp_path / "flat.stl", density=1.0, unit="m")
    write_stl(tmp_path / "open.stl", (1.0, 1.0, 1.0), TRIANGLES[:-1])
    with pytest.raises(hs.ModelError, match='component "open": the mesh is not closed'):
        hs.load_cad(tmp_path / "open.stl", density=1.0, unit="m")


def test_wrong_arguments(folder):
    for name, options, message in (
        ("parts/crank.stl", {}, "density is needed"),
        ("parts/crank.stl", {"density": 1.0}, "does not say its unit"),
        ("design.yaml", {"density": 1.0}, "density: the file says it for each component"),
        ("design.urdf", {}, '"design.urdf" is no design'),
        ("nothing.yaml", {}, "there is no such file"),
    ):
        with pytest.raises(hs.ModelError, match=message):
            hs.load_cad(folder / name, **options)
    with pytest.raises(hs.ModelError, match="is no YAML file"):
        hs.save_cad({}, folder / "x.json")
    with pytest.raises(hs.ModelError, match="there are no components to write"):
        hs.save_cad({}, folder / "x.yaml")


def test_command(folder, command_among_models):
    stl, out = folder / "parts" / "crank.stl", folder / "crank.yaml"
    status, text, err = command_among_models("cad", stl, "--unit", "mm", "--density", 7850, "--out", out)
    assert (status, err) == (0, "") and "1 part, 0.314 kg" in text and "crank: 0.314 kg (mesh)" in text
    assert list(hs.load_cad(out)) == ["crank"]
    status, text, err = command_among_models("cad", folder / "design.yaml")
    assert status == 0 and "4 parts" in text and "B: at 0.2 0 0 m, rpy 0.5 0 0 rad" in text
    status, text, err = command_among_models("cad", stl, "--unit", "mm", "--json")
    assert status == 0 and '"density": 1000.0' in text
    for arguments, message in (
        (("cad", stl), "a mesh does not say its unit"),
        (("cad", stl, "--unit", "mm", "--out", out), "is there already; add --force"),
        (("cad", stl, "--unit", "mm", "--out", folder / "x" / "y.yaml"), "must lie in the folder"),
        (("cad", folder / "nothing.stl", "--unit", "mm"), "nothing.stl is not there"),
        (("cad", folder / "design.yaml", "--density", 3), "the file says it for each component"),
    ):
        status, _, err = command_among_models(*arguments)
        assert status == 2 and message in err and len(err.splitlines()) == 1


@pytest.mark.skipif(importlib.util.find_spec("build123d") is not None, reason="build123d is there")
def test_step_without_build123d(tmp_path):
    (tmp_path / "a.step").write_text("ISO-10303-21;\nEND-ISO-10303-21;\n")
    with pytest.raises(hs.ModelError, match=r"a\.step: a STEP file needs build123d; .* build123d"):
        hs.load_cad(tmp_path / "a.step", density=1.0)


def test_what_is_no_step_file(tmp_path):
    for text, message in (
        ("solid", "a.step:1:1: is no STEP file"),
        ("ISO-10303-21;\nDATA;", "ends too soon"),
    ):
        (tmp_path / "a.step").write_text(text)
        with pytest.raises(hs.ModelError, match=message):
            hs.load_cad(tmp_path / "a.step", density=1.0)
