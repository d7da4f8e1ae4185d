"""Facets on floors, on ground of a Heightfield, and in media, against closed forms; runs that go on."""

import numpy as np
import pytest
from touch_shapes import P, ball, box, quiet, wheel

import hapsis as hs

G = 9.81


def tilted(angle: float) -> tuple[float, float, float]:
    return (G * np.sin(angle), 0.0, -G * np.cos(angle))


@pytest.mark.parametrize(("friction", "acceleration"), [(0.05, 4.480215), (0.6, 3.27)])
def test_a_wheel_slides_or_rolls_by_friction(friction: float, acceleration: float) -> None:
    # with the inertia m r² / 2 of this wheel: g (sin α - μ cos α), or g sin α / 1.5
    disc = wheel("w", 0.1, 0.05, 32, stiffness=1e4)
    floor = P.Floor(bedding=1e7, damping=1e3, friction=friction)
    result = quiet(P.Scene(disc.at(0, 0, 0.1), floor, gravity=tilted(np.radians(30))), 0.4, every=0.02)
    slope = np.polyfit(result.t[5:], result["w.vx"][5:], 1)[0]
    assert slope == pytest.approx(acceleration, rel=0.02)


@pytest.mark.parametrize(("power", "speed"), [(1, 1.962), (2, 1.4007141)])
def test_a_plate_falls_with_its_terminal_velocity(power: int, speed: float) -> None:
    plate = box("p", 0.5, 0.5, 0.02, stiffness=2e4, damping=5.0)
    result = quiet(P.Scene(plate, P.Medium(viscosity=20.0, power=power)), 3.0, every=0.1)
    law = 1 - np.exp(-5.0 * 3.0) if power == 1 else np.tanh(G * 3.0 / speed)
    assert -result["p.vz"][-1] == pytest.approx(speed * law, rel=2e-3)
    assert result.energy_drift < 1e-5


def test_a_ball_lands_on_ground_of_a_heightfield() -> None:
    field = hs.Heightfield(height=lambda x, y: 0.1 * hs.sin(4 * x) * hs.cos(3 * y))
    ground = P.terrain("hill", field, x=np.linspace(-1, 1, 21), y=np.linspace(-1, 1, 21))
    law = P.Touch(bedding=1e7, damping=2e4, friction=0.6)
    thing = ball("b", 0.08, level=1, stiffness=2e4).at(0.1, 0.1, 0.3)
    result = quiet(P.Scene(ground, thing, law), 0.4, every=0.02)
    assert result["touch.force"].max() > 10.0
    heights = [field.surface(x, y)[0] for x, y in zip(result["b.x"], result["b.y"], strict=True)]
    assert (result["b.z"] - heights > 0.04).all()
    assert np.ptp(result["hill.z"]) == 0.0


def test_a_run_that_goes_on_is_the_same_run() -> None:
    law = {"bedding": 1e7, "damping": 3e4, "friction": 0.5}
    a, b = box("a", 0.1, 0.1, 0.1).at(0, 0, 0.05), box("b", 0.1, 0.1, 0.1).at(0.01, 0.02, 0.15)
    scene = P.Scene(a, b, P.Floor(**law), P.Touch(**law))
    whole = quiet(scene, 0.2, every=0.1)
    half = quiet(scene, 0.1, every=0.1)
    rest = quiet(scene, 0.2, every=0.1, start=half)
    assert rest["b.z"][-1] == pytest.approx(whole["b.z"][-1], abs=1e-6)
    assert rest["touch.contacts"][0] == half["touch.contacts"][-1]


def test_there_is_room_for_as_many_pairs_as_needed() -> None:
    one = ball("b", 0.1, level=1)
    things = [
        one.named(f"b{i}_{j}_{k}").at(0.194 * i, 0.194 * j, 0.194 * k, rpy=(i, j, k))
        for i in range(3)
        for j in range(3)
        for k in range(3)
    ]
    result = quiet(P.Scene(*things, P.Touch(bedding=1e6, friction=0.3), gravity=(0, 0, 0)), 2e-3, every=1e-3)
    assert result.report["touch_pairs"] > 2000
    assert result["touch.contacts"][0] > 100
