"""Rows with an angle hold over any number of turns: every such row against a mechanism without it."""

import warnings

import numpy as np
import pytest
from samples import sample

import hapsis as hs

SEEDS = range(sample(3, 60))


def drawn(seed):
    """A random screw: axis, pitch, poses of the ends, speed."""
    draw = np.random.default_rng(seed)
    axis = draw.normal(size=3)
    axis = tuple(axis / np.linalg.norm(axis))
    pitch = float(draw.choice([-1, 1]) * 10 ** draw.uniform(-4, -1))
    speed = float(draw.choice([-1, 1]) * draw.uniform(5, 40))
    ends = [tuple(draw.uniform(-0.3, 0.3, 3)) for _ in range(2)]
    rpy = tuple(draw.uniform(-np.pi, np.pi, 3))
    return axis, pitch, speed, ends, rpy


def bodies():
    return [
        hs.Body("screw", mass=1.0, inertia=(0.05, 0.06, 0.07)),
        hs.Body("nut", mass=2.0, inertia=(1, 1, 1), com=(0.1, 0, 0.05)),
    ]


def screw(seed, *facts, cut=True):
    """A screw that turns and a nut that cannot; the thread closes the loop, or the slide."""
    axis, pitch, _, (place, _), rpy = drawn(seed)
    base = hs.WORLD.at(*place, rpy=rpy)
    spin = hs.Revolute("spin", base, "screw", axis=axis)
    thread = hs.Helical("thread", "screw", "nut", axis=axis, pitch=pitch)
    slide = hs.Prismatic("slide", base, "nut", axis=axis)
    joints = [spin, slide, thread] if cut else [spin, thread, slide]
    return hs.Model(*bodies(), *joints, *facts, gravity=(0.3, -0.2, -1.0))


@pytest.mark.parametrize("seed", SEEDS)
def test_a_thread_that_closes_a_loop(seed):
    """As the same mechanism with the thread in the tree, whose angle counts its turns by itself."""
    _, pitch, speed, _, _ = drawn(seed)
    closed, tree = screw(seed), screw(seed, cut=False)
    one = hs.simulate(closed, until=3.0, start={"spin.v": speed}, every=0.1)
    two = hs.simulate(tree, until=3.0, start={"spin.v": speed}, every=0.1)
    assert one.success and two.success and abs(two["thread"][-1]) > 4 * np.pi
    size = 1.0 + np.abs(two["spin"]).max()
    assert np.abs(one["spin"] - two["spin"]).max() <= 1e-7 * size
    assert np.abs(one["slide"] - pitch * two["thread"]).max() <= 1e-7 * size * abs(pitch)


@pytest.mark.parametrize("seed", SEEDS)
def test_after_many_turns(seed):
    """Assembly stays on the turn of the start, and small motions and steps do not depend on the turn."""
    _, pitch, speed, _, _ = drawn(seed)
    model, turns = screw(seed), 7 * (seed + 1)
    angle = 0.3 + 2 * np.pi * turns
    first = hs.assemble(model, {"spin": 0.3, "spin.v": speed})
    start = model.replace(poses={"start": {"slide": float(first["slide"]) - pitch * 2 * np.pi * turns}})
    there = hs.assemble(start, {"spin": angle, "spin.v": speed})
    assert there["slide"] == pytest.approx(first["slide"] - pitch * 2 * np.pi * turns, abs=1e-11)
    a, b = (hs.linearize(m, s, independent=["spin"]).A for m, s in ((model, first), (start, there)))
    assert np.abs(a - b).max() <= 1e-8 * max(1.0, np.abs(a).max())
    step = hs.compile(hs.stepper(start, 1e-3, start=there))
    q, v, t = np.array(there.q), np.array(there.v), 0.0
    for _ in range(400):
        q, v, t = step(q, v, t)
    q = dict(zip(model.coordinates, q, strict=True))
    assert q["slide"] - there["slide"] == pytest.approx(-pitch * (q["spin"] - angle), abs=1e-10)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_prescribed_motion_over_many_turns(seed):
    _, pitch, speed, _, _ = drawn(seed)
    model = screw(seed, hs.Drive("motor", "spin", position=lambda t: speed * t))
    result = hs.simulate(model, until=3.0, every=0.1)
    assert result.success
    assert np.abs(result["slide"] + pitch * result["spin"]).max() <= 1e-9


ROWS = {
    "one angle": lambda s: s["y"] + 0.03 * hs.atan2(hs.sin(s["spin"]), hs.cos(s["spin"])),
    "two angles": lambda s: (
        s["y"]
        + 0.02 * hs.atan2(hs.sin(s["spin"]), hs.cos(s["spin"]))
        + 0.01 * hs.atan2(-hs.sin(s["spin"]), -hs.cos(s["spin"]))
    ),
}


@pytest.mark.parametrize("name", ROWS)
def test_rows_of_a_user(name):
    model = hs.Model(
        *bodies(),
        hs.Revolute("spin", hs.WORLD, "screw", axis="z"),
        hs.Prismatic("y", hs.WORLD, "nut", axis="y"),
        hs.Constraint("law", rows=ROWS[name]),
        gravity=(0, 0, 0),
    )
    result = hs.simulate(model, until=5.0, start={"spin": 0.1, "spin.v": 9.0}, every=0.1)
    assert result.success and abs(result["spin"][-1]) > 10.0
    moved, turned = result["y"] - result["y"][0], result["spin"] - result["spin"][0]
    assert np.abs(moved + 0.03 * turned).max() <= 1e-9


def test_a_point_on_a_helicoid():
    """A bead on a spiral staircase climbs with every turn."""
    model = hs.Model(
        hs.Body("bead", mass=1.0, inertia=(1e-3, 1e-3, 1e-3)),
        hs.Chain("c", hs.WORLD, "bead", "Rz Tx Tz"),
        hs.OnSurface("stairs", "bead", hs.WORLD, lambda x, y, z: z - 0.05 * hs.atan2(y, x)),
        hs.JointSpring("hold", "c.Tx", 100.0, 1.0, 0.5),
        gravity=(0, 0, 0),
    )
    result = hs.simulate(model, until=6.0, start={"c.Tx": 0.5, "c.Rz.v": 5.0}, every=0.1)
    assert result.success and result["c.Rz"][-1] > 15.0
    assert np.abs(result["c.Tz"] - 0.05 * result["c.Rz"]).max() <= 1e-8


def test_rows_that_cannot_be_continued_are_told():
    def model(rows):
        return hs.Model(
            *bodies(),
            hs.Revolute("spin", hs.WORLD, "screw", axis="z"),
            hs.Prismatic("y", hs.WORLD, "nut", axis="y"),
            hs.Constraint("law", rows=rows),
        )

    def angle(s, phase=0.0):
        return hs.atan2(hs.sin(s["spin"] + phase), hs.cos(s["spin"] + phase))

    with pytest.warns(hs.Notice, match="no common measure"):
        hs.constraints(model(lambda s: s["y"] + 0.1 * angle(s) + 0.1 * np.sqrt(2) * angle(s, 1.0)))
    with pytest.warns(hs.Notice, match="not linear"):
        hs.constraints(model(lambda s: s["y"] + 0.1 * angle(s) * angle(s)))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        hs.constraints(model(lambda s: s["y"] + hs.sin(angle(s))))  # the same after each turn
        hs.constraints(model(lambda s: s["y"] + hs.atan(s["spin"])))  # never passes half a turn
