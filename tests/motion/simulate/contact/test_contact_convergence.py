"""Steps with contacts come to the motion of exact integration at first order, also in their forces."""

import numpy as np
import pytest
from contact_scenes import inertia
from scipy.integrate import cumulative_trapezoid, solve_ivp

import hapsis as hs

G = 9.81
LAW, MU = hs.Linear(2e4, 50.0), 0.4
BOX, BALL = hs.Box((0.2, 0.3, 0.1)), hs.Sphere(0.1)
DEPTH = G / 8e4
STEPS = (1.25e-4, 6.25e-5, 3.125e-5)
IMPACTS = {"ball bounces": (10, 4e-3), "two balls": (16, 1e-3), "pendulum": (9, 2e-3)}  # steps of an impact
RESOLVED = (*IMPACTS, "box lands flat")


def on_plane(shape, mu=MU, angle=0.0, law=LAW):
    """A body on a slope, with bristles that both methods have."""
    return hs.Model(
        hs.Body("a", mass=1.0, inertia=inertia(shape, 1.0)),
        hs.Free("j", hs.WORLD, "a"),
        hs.Contact("c", ("a", shape), hs.WORLD.plane("z"), law=law, friction=hs.Coulomb(mu, bristle=1e5)),
        gravity=(G * np.sin(angle), 0.0, -G * np.cos(angle)),
    )


def pendulum():
    """An arm that falls onto the floor with a ball at its end."""
    tip = (("arm", hs.Frame((0.3, 0.0, 0.0))), hs.Sphere(0.05))
    floor = hs.WORLD.plane("z", at=(0.0, 0.0, 0.4))
    return hs.Model(
        hs.Body("arm", mass=1.0, inertia=(0.01, 0.02, 0.02), com=(0.2, 0.0, 0.0)),
        hs.Revolute("r", hs.WORLD.at(0.0, 0.0, 0.5), "arm", axis="y"),
        hs.Contact("c", tip, floor, law=LAW, friction=hs.Coulomb(MU, bristle=1e5)),
        gravity=(0.0, 0.0, -G),
    )


def two_balls():
    """A ball that hits another one beside its centre, without friction."""
    facts = [hs.Contact("c", ("a", BALL), ("b", BALL), law=LAW)]
    for name in "ab":
        facts += [hs.Body(name, mass=1.0, inertia=inertia(BALL, 1.0)), hs.Free(f"j{name}", hs.WORLD, name)]
    return hs.Model(*facts, gravity=(0.0, 0.0, 0.0))


CASES = {
    "box settles": (on_plane(BOX), {"j.z": 0.05}, 0.1),
    "box sticks": (on_plane(BOX, 0.6, 0.3), {"j.z": 0.05 - DEPTH}, 0.1),
    "box slides down": (on_plane(BOX, 0.2, 0.5), {"j.z": 0.05 - DEPTH}, 0.1),
    "box is thrown": (on_plane(BOX), {"j.z": 0.05 - DEPTH, "j.vx": 1.0}, 0.1),
    "box lands flat": (on_plane(BOX), {"j.z": 0.052, "j.vx": 0.3}, 0.1),
    "ball rolls": (on_plane(BALL, 0.4, 0.3), {"j.z": 0.1 - 4 * DEPTH}, 0.1),
    "ball comes to roll": (on_plane(BALL, 0.2), {"j.z": 0.1 - 4 * DEPTH, "j.vx": 1.0}, 0.3),
    "ball bounces": (
        on_plane(BALL, 0.3, law=hs.HuntCrossley(1e5, damping=0.5)),
        {"j.z": 0.101, "j.vz": -0.5, "j.vx": 0.3},
        0.1,
    ),
    "pendulum": (pendulum(), {"r": 0.05}, 0.3),
    "two balls": (two_balls(), {"ja.x": -0.2, "ja.vx": 0.5, "jb.y": 0.05}, 0.1),
}


def errors(model, start, until, exact, step):
    """The largest error of coordinates and of impulses, and the mean one of forces, both relative."""
    result = hs.simulate(model, until, start, method="contact", step=step, every=until / 200)
    at = [np.argmin(abs(exact.t - t)) for t in result.t]
    place = max(np.abs(result[name] - exact[name][at]).max() for name in model.coordinates)
    pushes = exact["c.push"]
    given = np.vstack([np.zeros(3), cumulative_trapezoid(pushes, exact.t, axis=0)])
    impulse = np.abs(result["c.impulse"] - given[at]).max() / np.abs(given).max()
    # a force is the mean of its step: that of its middle
    then = np.column_stack([np.interp(result.t - 0.5 * step, exact.t, push) for push in pushes.T])
    force = np.abs(result["c.push"] - then)[1:].mean() / np.abs(pushes).mean()
    return place, impulse, force


@pytest.mark.parametrize("case", [case for case in CASES if case not in RESOLVED])
def test_first_order(case):
    """Halved steps halve the errors of the motion, of impulses and of forces: orders are 0.75 to 1.25."""
    model, start, until = CASES[case]
    exact = hs.simulate(model, until, start, method="order8", tolerance=1e-9, every=until / 20000)
    found = np.array([errors(model, start, until, exact, step) for step in STEPS])
    orders = np.log2(found[:-1] / found[1:])
    assert exact["c.force"].max() > 1.0
    assert ((0.75 < orders) & (orders < 1.25)).all()
    assert found[-1, 1] < 0.02 and found[-1, 2] < 0.1


@pytest.mark.parametrize("case", RESOLVED)
def test_impacts_are_better_than_of_first_order(case):
    """At a hundred steps in an impact: places to 2e-4 m or rad, impulses to 0.7 %, forces to 4 %."""
    model, start, until = CASES[case]
    exact = hs.simulate(model, until, start, method="order8", tolerance=1e-9, every=until / 20000)
    assert (np.array(errors(model, start, until, exact, STEPS[0])) < (2e-4, 7e-3, 0.04)).all()


@pytest.mark.parametrize("case", IMPACTS)
def test_impacts_of_ten_steps_are_resolved(case):
    """Places within 1e-3 m or rad, where an implicit force would lose a third of the speed."""
    model, start, until = CASES[case]
    exact = hs.simulate(model, until, start, method="order8", tolerance=1e-9, every=until / 2000)
    place, impulse, _ = errors(model, start, until, exact, IMPACTS[case][1])
    touch, leave = (
        next(e.time for e in exact.events if e.name == f"c.{what}") for what in ("touch", "leave")
    )
    assert int((leave - touch) / IMPACTS[case][1]) == IMPACTS[case][0]
    assert place < 1e-3
    assert impulse < 0.08


@pytest.mark.parametrize("step", [2e-3, 2.5e-4])
def test_an_impact_within_a_step_turns_what_it_hits(step):
    """Speeds and spins after an oblique impact with friction that steps do not resolve: to 3 %."""
    facts = [hs.Contact("c", ("a", BALL), ("b", BALL), law=LAW, friction=hs.Coulomb(MU, bristle=1e5))]
    for name in "ab":
        facts += [hs.Body(name, mass=1.0, inertia=inertia(BALL, 1.0)), hs.Free(f"j{name}", hs.WORLD, name)]
    model = hs.Model(*facts, gravity=(0.0, 0.0, 0.0))
    _, start, until = CASES["two balls"]
    exact = hs.simulate(model, until, start, tolerance=1e-9)
    result = hs.simulate(model, until, start, method="contact", step=step)
    for name in model.speeds:
        assert result[name][-1] == pytest.approx(exact[name][-1], rel=0.03, abs=1e-6)


def skidded(soft, until, stiffness=6e3, mu=0.5, settling=1e-3):
    """x, z and their rates of a ball that does not turn: bristles k (b + τ ḃ), cut to μ N, as equations."""

    def rates(t, y):
        _, z, vx, vz, b = y
        if z >= 0.1:
            return [vx, vz, 0.0, -G, 0.0]
        N = stiffness * (0.1 - z) ** 1.5
        T, bending = soft * (b + settling * vx), vx
        if abs(T) > mu * N:
            T = np.sign(T) * mu * N
            bending = (T / soft - b) / settling
        return [vx, vz, -T, N - G, bending]

    start = [0.0, 0.1, 3.0, -1.0, 0.0]
    run = solve_ivp(rates, (0.0, until), start, method="DOP853", max_step=until / 2000, rtol=1e-9, atol=1e-12)
    return run.y[:4, -1]


@pytest.mark.parametrize("soft", [20.0, 50.0, 100.0, 200.0, 1e3])
def test_bristles_that_bend_during_an_impact_come_to_their_equations(soft):
    """Their limit grows first more slowly than they bend, then faster; also in steps of a fiftieth of τ."""
    model = hs.Model(
        hs.Body("a", mass=1.0, inertia=(1, 1, 1)),
        hs.Chain("j", hs.WORLD, "a", "Tx Tz"),
        hs.Contact(
            "c", ("a", BALL), hs.WORLD.plane("z"), law=hs.HuntCrossley(6e3, 1.5),
            friction=hs.Coulomb(0.5, bristle=soft),
        ),
    )  # fmt: skip
    names, start = ("j.Tx", "j.Tz", "j.Tx.v", "j.Tz.v"), {"j.Tz": 0.1, "j.Tx.v": 3.0, "j.Tz.v": -1.0}
    expected = skidded(soft, 0.1)
    for step in (5e-4, 1e-4, 2e-5):
        result = hs.simulate(model, 0.1, start, method="contact", step=step)
        found = np.array([result[name][-1] for name in names])
        assert np.abs(found - expected).max() < 2.5 * step
    exact = hs.simulate(model, 0.1, start)  # whose bristles slip a little before their limit
    assert [exact[name][-1] for name in names] == pytest.approx(expected, abs=0.02)
