"""The columns of contacts in steps with impulses: rest, flight, momentum, and runs that go on."""

import numpy as np
import pytest
from contact_scenes import FREE, inertia

import hapsis as hs

G = 9.81
UNITS = {"force": "N", "push": "N", "gap": "m", "slip": "m/s", "stuck": "1", "points": "1", "impulse": "N s"}


def on_floor(shape, mass=2.0, law=None, friction=0.4, turned=False, slope=0.0):
    """A body above the floor."""
    sides = (("a", shape), hs.WORLD.plane("z"))
    return hs.Model(
        hs.Body("a", mass=mass, inertia=inertia(shape, mass)),
        hs.Free("j", hs.WORLD, "a"),
        hs.Contact(
            "c", *(sides[::-1] if turned else sides), law=law or hs.Linear(1e5, 300.0), friction=friction
        ),
        gravity=(G * np.sin(slope), 0.0, -G * np.cos(slope)),
    )


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize("shape", [hs.Box((0.2, 0.3, 0.4)), hs.Sphere(0.2)])
def test_at_rest_a_contact_carries_the_weight(shape, turned):
    model = on_floor(shape, turned=turned)
    result = hs.simulate(model, 3.0, {"j.z": 0.2}, method="contact", step=1e-3, tolerance=1e-12)
    sign = -1.0 if turned else 1.0
    assert result["c.force"][-1] == pytest.approx(2.0 * G, rel=1e-9)
    assert result["c.push"][-1] == pytest.approx([0.0, 0.0, sign * 2.0 * G], rel=1e-9, abs=1e-9)
    assert result["c.points"][-1] == result["c.stuck"][-1] == (4 if isinstance(shape, hs.Box) else 1)
    assert result["c.gap"][-1] == pytest.approx(-2.0 * G / 1e5 / result["c.points"][-1], rel=1e-6)
    assert abs(result["c.slip"][-1]) < 1e-9
    assert {name: result.units[f"c.{name}"] for name in UNITS} == UNITS


def test_in_the_air_nothing_pushes_and_the_impulse_stays():
    """A bouncing ball: forces only where it is lower than its radius, impulses as the momentum asks for."""
    shape = hs.Sphere(0.1)
    model = on_floor(shape, law=hs.HuntCrossley(1e6, damping=0.2))
    result = hs.simulate(model, 2.0, {"j.z": 0.8, "j.vx": 1.0, "j.vz": -1.0}, method="contact", step=1e-4)
    flies = result["j.z"] > 0.1 + 1e-3
    assert 20 < np.sum(~flies) < np.sum(flies)
    for name in ("force", "points", "stuck", "slip"):
        assert not result[f"c.{name}"][flies].any()
    assert not result["c.push"][flies].any() and np.isinf(result["c.gap"][flies]).all()
    assert (result["c.force"][result["j.z"] < 0.1 - 1e-3] > 0.0).all()
    momentum = 2.0 * (result["a.velocity"] - result["a.velocity"][0])
    assert result["c.impulse"] + np.outer(result.t, [0.0, 0.0, -2.0 * G]) == pytest.approx(momentum, abs=1e-5)


@pytest.mark.parametrize("every", [2.5e-4, 1e-3, 0.01, 0.125, 0.5])
def test_impulses_at_rows_between_and_over_steps(every):
    """Rows finer and coarser than steps: at each one the momentum is what the impulse explains."""
    model = on_floor(hs.Box((0.2, 0.2, 0.2)))
    start = {"j.z": 0.15, "j.vx": 2.0}
    result = hs.simulate(model, 0.5, start, method="contact", step=1e-3, every=every, tolerance=1e-12)
    momentum = 2.0 * (result["a.velocity"] - result["a.velocity"][0])
    assert len(result.t) == round(0.5 / every) + 1 == len(result["c.force"])
    # between steps rows are on straight lines in the axes of the body, which turns a little
    allowed = 1e-9 if every >= 1e-3 else 1e-3
    assert result["c.impulse"] + np.outer(result.t, [0.0, 0.0, -2.0 * G]) == pytest.approx(
        momentum, abs=allowed
    )


@pytest.mark.parametrize("bristle", [None, 1e5])
def test_a_run_that_goes_on_equals_one_run(bristle):
    """Bristles are memory: what sticks on a slope stays where it is when a run goes on."""
    friction = hs.Coulomb(0.5, static=0.6, bristle=bristle)
    model = on_floor(hs.Box((0.2, 0.3, 0.1)), friction=friction, slope=0.4)
    options = dict(method="contact", step=1e-3, every=0.01)
    start = {"j.z": 0.06, "j.vx": 0.7, "j.wz": 1.0}
    whole = hs.simulate(model, 1.0, start, **options)
    part = hs.simulate(model, 0.1, start, **options)
    for end in (0.3, 0.6, 1.0):
        part = hs.simulate(model, end, part, **options)
    for name in FREE:
        assert part[f"j.{name}"][-1] == pytest.approx(whole[f"j.{name}"][-1], abs=1e-9)
    assert part["c.push"][-1] == pytest.approx(whole["c.push"][-1], abs=1e-6)


def test_columns_are_as_long_as_a_run_that_fails():
    """A run that stops early has rows of contacts as it has others."""
    model = on_floor(hs.Sphere(0.1), law=hs.Linear(1e5, 0.0))
    result = hs.simulate(
        model, 1.0, {"j.z": 0.09}, method="contact", step=1e-2, every=0.03, most_steps=7, watchdog=False
    )
    assert not result.success
    assert len(result["c.force"]) == len(result["c.impulse"]) == len(result.t)


def test_a_row_where_a_step_ends_shows_that_step():
    """With a row for each step, impulses grow by the force of the row."""
    model = on_floor(hs.Sphere(0.1), law=hs.HuntCrossley(1e5, damping=0.2), friction=None)
    result = hs.simulate(model, 0.5, {"j.z": 0.3}, method="contact", step=1e-4, every=1e-4)
    force, impulse = result["c.push"][:, 2], result["c.impulse"][:, 2]
    assert 30 < np.count_nonzero(force) < 1000
    assert np.diff(impulse) == pytest.approx(1e-4 * force[1:], abs=1e-12)


def test_the_player_draws_walls_and_ground_that_only_contacts_have():
    """The drawing of a run is that of the whole model, by every method."""
    ball = ("a", hs.Sphere(0.1))
    hills = hs.WORLD.heightfield(lambda x, y: 0.1 * hs.sin(x) - 1.0)
    model = on_floor(ball[1]) + hs.Contact("hills", ball, hills)
    model += hs.Contact("wall", ball, (hs.WORLD.at(1, 0, 0), hs.Box((0.1, 1, 1))))
    scenes = [hs.simulate(model, 0.01, {"j.z": 0.2}, **how).scene() for how in ({"step": 1e-3}, {})]
    drawings = [scene["drawing"] for scene in scenes]
    assert drawings[0] == drawings[1]
    assert {"mesh", "box"} <= {shape["kind"] for shape in drawings[0]["world"]["shapes"]}
