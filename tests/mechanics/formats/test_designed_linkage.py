"""The linkage of example 43: drawn, written as STEP, weighed, joined and held; its masses against integrals.

Needs build123d, which `./run test --peers` installs.
"""

import math
import runpy
from pathlib import Path

import numpy as np
import pytest

import hapsis as hs

pytestmark = pytest.mark.peers
pytest.importorskip("build123d")
EXAMPLE = Path(__file__).parents[3] / "examples" / "43_designed_linkage.py"
RHO = 7850.0
mm = 1e-3


@pytest.fixture(scope="module")
def example():
    return runpy.run_path(str(EXAMPLE), run_name="drawing")


@pytest.fixture(scope="module")
def file(example, tmp_path_factory):
    path = tmp_path_factory.mktemp("linkage") / "six_bar.step"
    example["draw"](path)
    return path


@pytest.fixture(scope="module")
def parts(file):
    return hs.load_cad(file, density=RHO)


def moments_of_link(length, pinned=True):
    """Volume, its first moments and ∫ x², y², z² of a link along x from its hole.

    At its end are boss and pin, or another hole.

    The outline at the height z is a stadium of radius R(z): R below the rounding, in it
    R - r + sqrt(r² - (z - t + r)²), which is smooth in the angle of the rounding.
    """
    R, r, t, step = 13 * mm, 1.5 * mm, 8 * mm, 9 * mm
    x, w = np.polynomial.legendre.leggauss(60)
    flat = 0.5 * (x + 1) * (t - r)
    phi = (x + 1) * math.pi / 4
    z = np.concatenate([flat, t - r + r * np.sin(phi)])
    weight = np.concatenate([0.5 * (t - r) * w, math.pi / 4 * w * r * np.cos(phi)])
    a = np.concatenate([np.full(60, R), R - r + r * np.cos(phi)])
    h = length / 2
    area = math.pi * a**2 + 4 * a * h
    # half discs: their centroid is 4 a / (3 pi) beyond the centre
    xx = math.pi * a**4 / 4 + math.pi * a**2 * h**2 + 8 / 3 * a**3 * h + 4 / 3 * a * h**3
    yy = math.pi * a**4 / 4 + 4 / 3 * a**3 * h
    total = np.array(
        [*((weight * f).sum() for f in (area, area * h, area * z, xx + area * h * h, yy, area * z * z))]
    )

    def disc(at, radius, low, high):
        area, depth = math.pi * radius**2, high - low
        first = area * (high**2 - low**2) / 2
        across = depth * area * radius**2 / 4
        volume = area * depth
        return np.array(
            [volume, volume * at, first, across + volume * at**2, across, area * (high**3 - low**3) / 3]
        )

    if pinned:
        total += disc(length, 10 * mm, t, step) + disc(length, 6 * mm, step, t + step)
    else:
        total -= disc(length, 6 * mm, 0, t)
    return total - disc(0, 6 * mm, 0, t)


@pytest.mark.parametrize(
    ("name", "pivot", "length"),
    [("crank", "A", 50), ("rocker", "D", 100), ("lever", "G", 100), ("arm", "E", 120)],
)
def test_links_weigh_as_their_integrals(parts, example, name, pivot, length):
    V, x, z, xx, yy, zz = moments_of_link(length * mm, pinned=name != "arm")
    part = parts[name]
    assert part.mass == pytest.approx(RHO * V, rel=1e-9)
    pin = {"crank": "B", "rocker": "C", "lever": "F", "arm": "F"}[name]
    start, end = (np.array(example[p]) * mm for p in (pivot, pin))
    e = (end - start) / np.linalg.norm(end - start)
    layer = {"lever": 9 * mm, "arm": 18 * mm}.get(name, 0.0)
    assert part.com == pytest.approx((*(start + x / V * e), z / V + layer), abs=1e-11)
    cx, cz = x / V, z / V
    along = RHO * (yy + zz - V * cz**2)  # about the axis of the link
    across = RHO * (xx + zz - V * (cx**2 + cz**2))
    normal = RHO * (xx + yy - V * cx**2)
    assert part.inertia[2] == pytest.approx(normal, rel=1e-9)
    matrix = np.array([[part.inertia[0], part.inertia[3]], [part.inertia[3], part.inertia[1]]])
    f = np.array([-e[1], e[0]])
    assert e @ matrix @ e == pytest.approx(along, rel=1e-9)
    assert f @ matrix @ f == pytest.approx(across, rel=1e-9)


def test_its_joints_are_proposed(parts):
    drawn = hs.drawn_joints(parts, ground="base")
    pairs = {frozenset((str(j.first).split(".")[0], str(j.second).split(".")[0])) for j in drawn.joints}
    expected = "base crank, crank coupler, coupler rocker, rocker base, coupler arm, arm lever, lever base"
    assert pairs == {frozenset(pair.split()) for pair in expected.split(", ")} and len(drawn.joints) == 7
    assert all(isinstance(joint, hs.Revolute) for joint in drawn.joints)


def test_the_model_moves_as_its_lengths_say(file, example):
    """Two loops, one degree of freedom; points of the coupler by circles in the plane."""
    model = example["joined"](file)
    state = hs.assemble(model)
    assert len(model.cuts) == 2 and state.report.mobility == 1 and max(abs(state.q)) < 1e-12
    saved = hs.load(EXAMPLE.parent / "models" / "six_bar.yaml")  # what the example goes on with elsewhere
    assert saved.coordinates == model.coordinates
    for name, body in model.bodies.items():
        assert saved.bodies[name].mass == pytest.approx(body.mass, rel=1e-12)
        assert saved.bodies[name].inertia == pytest.approx(body.inertia, rel=1e-9, abs=1e-15)
    place = hs.compile(hs.pose(model, "arm.grip"))
    for turn in np.linspace(0, 2 * np.pi, 13):
        state = hs.assemble(
            model, {"base crank": turn}, near=dict(zip(model.coordinates, state.q, strict=True))
        )
        B = 50 * np.array([math.cos(0.8 + turn), math.sin(0.8 + turn)])
        meeting = example["meeting"]
        C = meeting(B, 140, example["D"], 100)
        E = meeting(B, math.hypot(70, 60), C, math.hypot(70, 60))
        F = meeting(example["G"], 100, E, 120)
        assert place(state.q).p[:2] == pytest.approx(np.array(F) * mm, abs=1e-9)
