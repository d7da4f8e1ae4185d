"""Facets on floors, on ground of a Heightfield, and in media, against closed forms; runs that go on."""

from dataclasses import replace
from typing import Any

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


def turn_of_rigid_plate(plate: Any, viscosity: float, until: float, h: float = 1e-4) -> float:
    """The angle about y of a rigid body with these facets that falls, by Newton's and Euler's equations."""
    centers = plate.points[plate.facets].mean(axis=1) - plate.center
    corners = plate.points[plate.facets]
    normals = 0.5 * np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    arms = plate.points - plate.center
    inertia = float(plate.masses @ (arms[:, [0, 2]] ** 2).sum(axis=1))
    v, angle, spin = np.array([0.0, 0.0, 0.0]), 0.0, 0.0
    for _ in range(round(until / h)):
        c, s = np.cos(angle), np.sin(angle)
        R = np.array([[c, 0, s], [0, 1, 0], [-s, 0, c]])
        r, n = centers @ R.T, normals @ R.T
        u = v + np.cross([0.0, spin, 0.0], r)
        force = -viscosity * np.maximum(0.0, (u * n).sum(axis=1))[:, None] * u
        v = v + h * (force.sum(axis=0) / plate.mass + [0.0, 0.0, -G])
        spin += h * np.cross(r, force).sum(axis=0)[1] / inertia
        angle += h * spin
    return angle


def test_a_plate_that_is_heavier_on_one_side_turns_in_air_like_a_rigid_one() -> None:
    even = P.solid("p", hs.shapes.box(0.5, 0.5, 0.02), mass=1, stiffness=2e5, damping=50, cells=(4, 4, 1))
    plate = replace(even, masses=even.masses * (1 + 2 * even.points[:, 0]))
    for thing, turned in ((plate, 0.1), (even, 0.0)):
        result = quiet(P.Scene(thing, P.Medium(viscosity=10.0, power=2)), 0.4, every=0.1)
        ends = result["p.points"][-1][[np.argmin(even.points[:, 0]), np.argmax(even.points[:, 0])]]
        rest = even.points[[np.argmin(even.points[:, 0]), np.argmax(even.points[:, 0])]]
        (_, _, z), (x, _, y) = rest[1] - rest[0], ends[1] - ends[0]
        angle = np.arctan2(-y, x) - np.arctan2(-z, rest[1, 0] - rest[0, 0])
        assert angle == pytest.approx(turn_of_rigid_plate(thing, 10.0, 0.4), rel=0.02, abs=1e-3)
        assert angle >= turned - 1e-3
        assert result.energy_drift < 1e-5


def restitution(radius: float, bedding: float, damping: float) -> float:
    """The speed at which a rigid ball of 1 kg leaves a bed after 1 m/s, by the force λ V + μ dV/dt >= 0."""
    d, u, h = 0.0, 1.0, 1e-6
    while d >= 0.0:
        volume, area = np.pi * d * d * (radius - d / 3), np.pi * d * (2 * radius - d)
        u -= h * max(0.0, bedding * volume + damping * area * u)
        d += h * u
    return -u


@pytest.mark.slow
def test_a_ball_bounces_like_a_rigid_one_under_refinement() -> None:
    exact = restitution(0.1, 1e7, 3e3)
    errors = []
    for level in (1, 2, 3):
        thing = ball("b", 0.1, level=level, stiffness=3e5, damping=30.0).at(0, 0, 0.101).moving((0, 0, -1))
        floor = P.Floor(bedding=1e7, damping=3e3)
        result = quiet(P.Scene(thing, floor, gravity=(0, 0, 0)), 0.06, every=0.002)
        errors.append(abs(result["b.vz"][-1] - exact))
    assert errors[2] < 0.6 * errors[1] < 0.36 * errors[0]
    assert errors[2] < 0.005


@pytest.mark.parametrize("rpy", [(0, 0, 0), (0.1, 0, 0), (0.3, 0.2, 0.1)])
def test_a_sheet_without_thickness_lies_on_a_floor(rpy):
    """The limit of a contact does not come from the rounding of a flat object."""
    square = [(-0.3, -0.3), (0.3, -0.3), (0.3, 0.3), (-0.3, 0.3)]
    sheet = P.polygon("sheet", square, mass=0.5, stiffness=500, torsion=5.0, damping=1, cells=4)
    scene = P.Scene(sheet.at(0, 0, 0.1, rpy=rpy), P.Floor(bedding=1e5, damping=1e3, friction=0.5))
    result = hs.simulate(scene, until=1.0, every=0.1)
    assert result.success and abs(result["sheet.z"][-1]) < 2e-3
    assert result["floor.force"][-1] == pytest.approx(0.5 * 9.81, rel=0.1)
