"""Faces of a STEP file as NURBS, and tracing on them, against distances of OpenCASCADE.

Needs build123d, which `./run test --peers` installs.
"""

import math

import numpy as np
import pytest

import hapsis as hs

pytestmark = pytest.mark.peers
cad = pytest.importorskip("build123d")
MILLI, EXACT = 1e-3, 1e-9  # m


def distance(shape, x):
    """OpenCASCADE's distance of a point to the surface of a shape, m."""
    from OCP.BRepBuilderAPI import BRepBuilderAPI_MakeVertex
    from OCP.BRepExtrema import BRepExtrema_DistShapeShape
    from OCP.gp import gp_Pnt

    vertex = BRepBuilderAPI_MakeVertex(gp_Pnt(*(np.asarray(x) / MILLI).tolist())).Vertex()
    return MILLI * min(BRepExtrema_DistShapeShape(vertex, face.wrapped).Value() for face in shape.faces())


@pytest.fixture(scope="module")
def solids(tmp_path_factory):
    """{name: (OpenCASCADE's shape, the body)} of solids in one file, side by side."""
    rounded, other = (cad.fillet(cad.Box(40, 30, z).edges(), 4) for z in (20, 21))  # no two are one
    link = cad.fillet((cad.Box(60, 20, 8)).edges().group_by(cad.Axis.Z)[-1], 1.5)
    with cad.BuildPart() as bent:  # of degree 11
        with cad.BuildLine() as line:
            cad.Spline((0, 0, 0), (10, 5, 3), (20, -5, 8), (30, 0, 0))
        with cad.BuildSketch(cad.Plane(origin=line.line @ 0, z_dir=line.line % 0)):
            cad.Circle(2)
        cad.sweep()
    parts = {
        "swept": bent.part,
        "rounded": rounded,
        "sphere": cad.Sphere(15),
        "torus": cad.Torus(20, 5),
        "cone": cad.Cone(15, 5, 20),
        "cylinder": cad.Cylinder(20, 30),
        "drilled": cad.Box(40, 30, 20) - cad.Cylinder(6, 20),
        "turned": cad.Location((0, 0, 0), (30, 40, 50)) * other,
        "flat": cad.fillet(cad.Box(60, 40, 10).edges(), 3),  # corners whose poles are astray in OpenCASCADE
        "bored": cad.Sphere(10) - cad.Rot(0, 90, 0) * cad.Cylinder(3, 30),  # through its seam
        "bitten": cad.Sphere(10) - cad.Pos(6, 0, 0) * cad.Sphere(7),
        "cut": cad.Sphere(10) - cad.Rot(0, 20, 30) * cad.Pos(10, 0, 0) * cad.Box(10, 30, 30),
        "link": link + cad.Pos(20, 0, 5) * cad.Cylinder(6, 4) - cad.Pos(-20, 0, 0) * cad.Cylinder(5, 8),
    }
    placed = []
    for k, (name, solid) in enumerate(parts.items()):
        placed.append(cad.Pos(200 * k, 0, 0) * solid)
        placed[-1].label = name
    file = tmp_path_factory.mktemp("solids") / "solids.step"
    cad.export_step(cad.Compound(label="all", children=placed), str(file))
    bodies = hs.haptics.load_surfaces(file, tolerance=1e-6)
    return {part.label: (part, bodies[part.label], 0.2 * k) for k, part in enumerate(placed)}


@pytest.fixture(scope="module")
def sheet():
    """A random 6 x 6 B-spline of degree 3, by OpenCASCADE and here."""
    from OCP.collections import Array1_double, Array1_int, Array2_gp_Pnt
    from OCP.Geom import Geom_BSplineSurface
    from OCP.gp import gp_Pnt

    rng = np.random.default_rng(6)
    grid = np.linspace(0.0, 0.1, 6)
    x, y = np.meshgrid(grid, grid, indexing="ij")
    net = np.stack([x, y, 0.02 * rng.standard_normal((6, 6))], axis=2)
    poles, knots, counts = Array2_gp_Pnt(1, 6, 1, 6), Array1_double(1, 4), Array1_int(1, 4)
    for i in range(6):
        for j in range(6):
            poles.SetValue(i + 1, j + 1, gp_Pnt(*(net[i, j] / MILLI).tolist()))
    for k, (knot, count) in enumerate(zip((0, 1 / 3, 2 / 3, 1), (4, 1, 1, 4), strict=True)):
        knots.SetValue(k + 1, knot)
        counts.SetValue(k + 1, count)
    return Geom_BSplineSurface(poles, knots, knots, counts, counts, 3, 3), net


def projected(surface, x):
    """OpenCASCADE's distance to a whole surface, m; its feet in the inside and on the rim."""
    from OCP.BRepBuilderAPI import BRepBuilderAPI_MakeFace

    return distance(cad.Shape.cast(BRepBuilderAPI_MakeFace(surface, 1e-9).Face()), x)


def test_tracing_a_b_spline_of_6_by_6(sheet):
    """Every point of a way over it, traced from the one before, and found anew."""
    surface, net = sheet
    body = hs.haptics.NurbsBody(hs.haptics.NurbsSurface(net))
    t = np.linspace(0.0, 1.0, 400)
    way = np.stack([0.05 + 0.06 * np.cos(7 * t), 0.05 + 0.06 * np.sin(9 * t), 0.05 + 0 * t], axis=1)
    place, agreed = body.nearest(way[0]), 0
    for k, x in enumerate(way):
        place = body.trace(x, place)
        if k % 8 == 0:
            reference = projected(surface, x)
            assert body.nearest(x).distance == pytest.approx(reference, abs=EXACT)
            agreed += abs(place.distance - reference) <= EXACT  # or in another valley, higher
            assert place.distance >= reference - EXACT
    assert agreed >= 30


def test_across_a_seam_and_an_edge(solids):
    """Around a cylinder, over its seam, and from its side over the rim to its top."""
    shape, body, x0 = solids["cylinder"]
    assert body.solid and len(body.faces) == 3
    turn = np.linspace(0.0, 2.2 * math.pi, 240)
    around = np.stack([0.027 * np.cos(turn), 0.027 * np.sin(turn), 0.01 * np.sin(3 * turn)], axis=1)
    up = np.linspace(0.0, 1.0, 80)
    over = np.stack([0.027 - 0.01 * up, 0.003 * up, 0.012 + 0.01 * up], axis=1)
    at = np.array([x0, 0.0, 0.0])
    for way in (around + at, over + at):
        place = body.nearest(way[0])
        for k, x in enumerate(way):
            place = body.trace(x, place)
            if k % 6 == 0:
                assert place.distance == pytest.approx(distance(shape, x), abs=EXACT)
    assert len({body.nearest(x + at).face for x in over}) == 2


@pytest.mark.parametrize(
    "name",
    [
        "swept",
        "rounded",
        "sphere",
        "torus",
        "cone",
        "cylinder",
        "drilled",
        "turned",
        "link",
        "flat",
        "bored",
        "bitten",
        "cut",
    ],
)
def test_random_probes_of_solids(solids, name):
    """Outside and inside; flat faces with holes end at polylines, within the tolerance of the file."""
    shape, body, x0 = solids[name]
    near = 1.1e-6 if name in ("drilled", "link", "swept", "bored", "bitten", "cut") else EXACT
    assert body.solid
    for x in np.random.default_rng(7).uniform(-0.03, 0.03, (25, 3)) + np.array([x0, 0.0, 0.0]):
        assert body.nearest(x).distance == pytest.approx(distance(shape, x), abs=near)
    far = np.array((x0 + 0.05, 0.03, 0.04))
    place = body.nearest(far)
    assert place.normal @ (far - place.point) > 0.0  # outwards


def test_a_part_is_felt(solids):
    """A probe presses on a filleted part with a pin and a hole, and slides within the cone."""
    _, body, x0 = solids["link"]
    step = hs.haptics.SurfaceStep(body, 1e-3, stiffness=1000.0, friction=0.3)
    state, contact = step.start, 0.0
    for k in range(1200):
        x = (x0 + 1e-5 * max(0, k - 400), 0.001, 0.006 - 2e-5 * min(k, 200))
        state, out = step(state, x)
        contact += out["probe.contact"]
        across = math.hypot(out["probe.x.force"], out["probe.y.force"])
        assert across <= 0.3 * out["probe.z.force"] * (1 + 1e-9) + 1e-12
    assert contact > 1000


def test_what_is_wrong_is_said(tmp_path):
    link = cad.Box(1, 2, 3)
    link.label = "link"
    cad.export_step(link, str(tmp_path / "a.step"))
    with pytest.raises(hs.ModelError, match=r'there is no part "lnk" \(did you mean "link"'):
        hs.haptics.load_surfaces(tmp_path / "a.step", part="lnk")
    with pytest.raises(hs.ModelError, match="tolerance is 0 m"):
        hs.haptics.load_surfaces(tmp_path / "a.step", tolerance=0.0)
    with pytest.raises(hs.ModelError, match=r'"a\.stl" is no STEP file'):
        hs.haptics.load_surfaces(tmp_path / "a.stl")
