"""Cubes and balls on slopes: when a cube tips, how it slides, how a ball rolls, against closed forms."""

from typing import Any

import numpy as np
import pytest
from touch_shapes import P, ball, box, quiet

G, SIDE = 9.81, 0.1


def tilted(tangent: float) -> tuple[float, float, float]:
    angle = np.arctan(tangent)
    return (G * np.sin(angle), 0.0, -G * np.cos(angle))


def tipping_slope(bedding: float) -> float:
    """The steepest slope on which a rigid cube stands on a bed that does not pull.

    A wedge of the width b under the lower edge has its resultant at b/3 from that edge; it leans the cube by
    θ = 2 N / (λ L b²). It stands while a width exists with L/2 - b/3 >= L/2 tan(α + θ).
    """
    angles = np.linspace(0.3, np.pi / 4, 2000)[:, None]
    b = np.geomspace(0.005, 1.0, 2000)[None, :] * SIDE
    lean = 2.0 * G * np.cos(angles) / (bedding * SIDE * b**2)
    stands = SIDE / 2 - b / 3 >= SIDE / 2 * np.tan(np.minimum(angles + lean, 1.5))
    return float(np.tan(angles[stands.any(axis=1)].max()))


def on_slopes(floor: Any, slopes: Any, depth: float) -> Any:
    """A cube on a slope that is made steeper; the last run, from the same start."""
    cube = box("c", SIDE, SIDE, SIDE, stiffness=5e4, damping=50.0).at(0, 0, SIDE / 2 - depth)
    result: Any = None
    for k, slope in enumerate(slopes, 1):
        result = quiet(P.Scene(cube, floor, gravity=tilted(slope)), 0.25 * k, every=0.05, start=result)
    return result


def tips(result: Any) -> bool:
    return abs(result["c.z"][-1] - SIDE / 2) > 0.01 or abs(result["c.vz"][-1]) > 0.05


FLOORS = [
    (P.Floor(bedding=1e7, damping=1e5, friction=1.3), tipping_slope(1e7), 1e-4),
    pytest.param(
        P.Floor(bedding=1e9, damping=1e7, friction=1.3), tipping_slope(1e9), 1e-6, marks=pytest.mark.slow
    ),
    (P.Floor(stiffness=2e4, damping=40.0, friction=1.3), 1.0, 1.2e-4),
]


@pytest.mark.parametrize(("floor", "limit", "depth"), FLOORS)
def test_a_cube_tips_where_pressure_under_its_edge_cannot_hold_it(
    floor: Any, limit: float, depth: float
) -> None:
    slopes = [limit * part for part in (0.5, 0.8, 0.9, 0.97)]
    assert not tips(on_slopes(floor, slopes, depth))
    assert tips(on_slopes(floor, [*slopes, limit * 1.03, limit * 1.03], depth))


def test_that_slope_comes_to_one_with_the_bedding() -> None:
    # 1 - tan α is about the third root of 12 N / λ L³
    for bedding in (1e8, 1e9, 1e10):
        about = (12.0 * G * np.sqrt(0.5) / (bedding * SIDE**3)) ** (1 / 3)
        assert 1.0 - tipping_slope(bedding) == pytest.approx(about, rel=0.06)


@pytest.mark.parametrize("kind", [pytest.param("bedding", marks=pytest.mark.slow), "stiffness"])
@pytest.mark.parametrize(("friction", "tipped"), [(0.9, False), (1.1, True)])
def test_a_cube_tips_before_it_slides_if_friction_is_above_one(
    kind: str, friction: float, tipped: bool
) -> None:
    law = {"bedding": 1e9, "damping": 1e7} if kind == "bedding" else {"stiffness": 2e4, "damping": 40.0}
    floor = P.Floor(**law, friction=friction)
    slopes = [0.5, 0.7, 0.8, 0.87, 0.93] + ([1.02, 1.04] if tipped else [])
    result = on_slopes(floor, slopes, 1e-6 if kind == "bedding" else 1.2e-4)
    assert tips(result) == tipped
    if not tipped:  # it slides, by Coulomb's law
        gain = np.diff(result["c.vx"][-3:]).mean() / 0.05
        angle = np.arctan(slopes[-1])
        assert gain == pytest.approx(G * (np.sin(angle) - friction * np.cos(angle)), rel=2e-3)


@pytest.mark.parametrize(("bedding", "damping"), [(1e7, 1e5), (1e8, 3e5)])
def test_a_cube_slides_by_the_law_of_coulomb(bedding: float, damping: float) -> None:
    slope = np.tan(np.pi / 6)
    floor = P.Floor(bedding=bedding, damping=damping, friction=0.4)
    cube = box("c", SIDE, SIDE, SIDE, stiffness=5e4, damping=40.0)
    low = G * np.cos(np.pi / 6) / (bedding * SIDE**2)
    result = quiet(P.Scene(cube.at(0, 0, SIDE / 2 - low), floor, gravity=tilted(slope)), 0.6, every=0.05)
    rate = np.polyfit(result.t[4:], result["c.vx"][4:], 1)[0]
    assert rate == pytest.approx(1.5067163, rel=2e-6)
    assert result["floor.force"][-1] == pytest.approx(G * np.cos(np.pi / 6), rel=1e-5)


def rolling_rate(level: int, bedding: float, damping: float) -> float:
    """The acceleration of a ball on a slope of 10°, by 5/7 g sin α."""
    slope, radius = np.radians(10), 0.1
    thing = ball("b", radius, level=level, stiffness=1e4, damping=0.1)
    low = np.sqrt(G * np.cos(slope) / (np.pi * radius * bedding))  # λ π R d² = N
    floor = P.Floor(bedding=bedding, damping=damping * bedding, friction=0.5)
    result = quiet(
        P.Scene(thing.at(0, 0, radius - low), floor, gravity=tilted(np.tan(slope))), 0.5, every=0.01
    )
    return float(np.polyfit(result.t[10:], result["b.vx"][10:], 1)[0]) / (5 / 7 * G * np.sin(slope))


@pytest.mark.slow
def test_a_ball_that_rolls_comes_to_five_sevenths_under_refinement() -> None:
    rates = [rolling_rate(1, 1e7, 3e-4), rolling_rate(2, 1e7, 3e-4), rolling_rate(3, 3e7, 1e-4)]
    assert rates == sorted(rates)
    assert 0.94 < rates[0] and 0.982 < rates[2] < 1.0


@pytest.mark.parametrize("case", ["tips", "slides", "both", "rolls"])
def test_friction_decides_what_a_thing_does_on_a_slope(case: str) -> None:
    slope, friction, spin = {
        "tips": (1.3, 1.4, True),
        "slides": (0.6, 0.3, False),
        "both": (4.0, 1.1, True),
        "rolls": (0.3, 0.5, True),
    }[case]
    floor = P.Floor(bedding=1e7, damping=3e4, friction=friction)
    cube = box("c", SIDE, SIDE, SIDE, stiffness=5e4, damping=40.0).at(0, 0, SIDE / 2 - 1e-4)
    thing = ball("c", SIDE / 2, level=2, stiffness=1e4, damping=0.1).at(0, 0, SIDE / 2 - 1.5e-3)
    result = quiet(
        P.Scene(thing if case == "rolls" else cube, floor, gravity=tilted(slope)), 0.12, every=0.01
    )
    points = result["c.points"]
    arms = [points[k] - points[k].mean(axis=0) for k in (0, -1)]
    turn = np.cross(*arms).sum(axis=0)[1] / (arms[0] ** 2).sum()
    foot = np.argmin(points[0][:, 2] - (0.01 * points[0][:, 0] if case != "rolls" else 0))
    gone = points[-1][foot, 0] - points[0][foot, 0]
    assert (turn > 0.02) == spin
    assert (gone > 0.004) == (case in ("slides", "both"))
