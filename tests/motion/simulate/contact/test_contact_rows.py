"""Loops, drives, stops and dry friction as rows of a step: energy never grows, drives are met."""

import numpy as np
import pytest

import hapsis as hs

G = 9.81


def four_bar(*facts):
    return hs.Model(
        hs.Rod("crank", length=0.2, mass=0.2),
        hs.Rod("coupler", length=0.5, mass=0.5),
        hs.Rod("rocker", length=0.4, mass=0.4),
        hs.Revolute("A", hs.WORLD, "crank", axis="y"),
        hs.Revolute("B", "crank.end", "coupler", axis="y"),
        hs.Revolute("D", hs.WORLD.at(0.45, 0, 0), "rocker", axis="y"),
        hs.Revolute("C", "coupler.end", "rocker.end", axis="y"),
        *facts,
    )


def block(**joint):
    return hs.Model(
        hs.Body.box("b", (0.1, 0.1, 0.1), mass=2.0), hs.Prismatic("x", hs.WORLD, "b", axis="z", **joint)
    )


def stepped(model, until, step=1e-3, **more):
    return hs.simulate(model, until, method="contact", step=step, **more)


@pytest.mark.parametrize("step", [4e-3, 1e-3])
def test_a_loop_stays_closed_and_its_energy_never_grows(step):
    result = stepped(four_bar(), 5.0, step, start={"A": 0.3}, every=0.01)
    energy = result["energy"]
    assert energy.max() - energy[0] <= 1e-9 and result.success
    gap = hs.compile(hs.constraints(four_bar()))
    for k in range(0, len(result.t), 50):
        q = [result[name][k] for name in ("A", "B", "D")]
        v = [result[f"{name}.v"][k] for name in ("A", "B", "D")]
        h, J, _ = gap(q, v)
        assert np.abs(h).max() < 1e-8 and np.abs(J @ v).max() < 1e-6


def test_a_loop_approaches_the_exact_motion_at_first_order():
    exact = hs.simulate(four_bar(), until=0.5, start={"A": 0.3})
    errors = [
        abs(stepped(four_bar(), 0.5, h, start={"A": 0.3})["A"][-1] - exact["A"][-1])
        for h in (4e-3, 2e-3, 1e-3)
    ]
    orders = np.log2(np.array(errors[:-1]) / errors[1:])
    assert np.all(np.abs(orders - 1.0) < 0.2)


def test_a_drive_is_met_and_its_effort_is_that_of_the_exact_motion():
    driven = four_bar(hs.Drive("motor", "A", position=lambda t: 0.3 + 3.0 * t + 0.5 * hs.sin(4 * t)))
    exact = hs.simulate(driven, until=1.0, every=0.1)
    errors = []
    for step in (2e-3, 1e-3):
        result = stepped(driven, 1.0, step, every=0.1)
        assert np.abs(result["A"] - exact["A"]).max() < 1e-10
        assert np.abs(result["D"] - exact["D"]).max() < 1e-8
        # the effort of a step is its mean, that of half a step earlier
        errors.append(np.abs(result["motor.effort"] - exact["motor.effort"])[1:].max())
    assert errors[1] < 0.6 * errors[0] and errors[1] < 0.02 * np.abs(exact["motor.effort"]).max()


def test_limits_act_only_where_they_are_asked_for():
    model = block(limits=(-0.2, 0.2))
    with pytest.warns(hs.Notice, match="leaves its limits"):
        free = stepped(model, 0.5)
    held = stepped(model, 0.5, limits="stops")
    assert free["x"][-1] < -1.0 and not held.warnings
    assert abs(held["x"][-1] + 0.2) < 1e-6 and abs(held["x limit.effort"][-1] - 2.0 * G) < 1e-4
    assert held["x"].min() > -0.2 - 1e-6


def test_a_stop_presses_as_its_spring_says():
    model = block() + hs.Stop("s", "x", stiffness=1e4, damping=200.0, low=-0.1)
    result = stepped(model, 2.0, 2e-3)
    assert abs(result["x"][-1] + 0.1 + 2.0 * G / 1e4) < 1e-9 and abs(result["s.effort"][-1] - 2.0 * G) < 1e-6


@pytest.mark.parametrize(("friction", "moves"), [(25.0, False), (15.0, True)])
def test_dry_friction_holds_or_slides(friction, moves):
    result = stepped(block(friction=friction), 1.0)
    if moves:
        wanted, half = -(G - friction / 2.0), len(result.t) // 2
        change = result["x.v"][-1] - result["x.v"][half]
        assert abs(change / (result.t[-1] - result.t[half]) - wanted) < 1e-6
    else:
        assert abs(result["x.v"][-1]) < 1e-9 and -1e-4 < result["x"][-1] < -1e-4 * 2.0 * G / friction + 1e-9
    assert abs(result["x.friction"][-1] - min(friction, 2.0 * G)) < 1e-6


def test_friction_that_sticks_breaks_loose_at_its_static_value():
    def pushed(force):
        model = hs.Model(
            hs.Body.box("b", (0.1, 0.1, 0.1), mass=2.0),
            hs.Prismatic("x", hs.WORLD, "b", axis="x"),
            hs.Friction("f", "x", coulomb=2.0, static=3.0),
        )
        return stepped(model, 3.0, inputs={"x": lambda t: force * hs.minimum(t, 1.0)}, every=0.01)

    held, gone = pushed(2.9), pushed(3.2)
    assert abs(held["x"][-1]) < 1e-3 and gone["x"][-1] > 0.1


@pytest.mark.parametrize(
    ("fact", "words"),
    [
        (hs.Drive("d", "x", position="input", tracking=10.0), "a drive that tracks"),
        (hs.Drive("d", "x", position="input", velocity="input"), "a drive by inputs"),
        (hs.Drive("d", "x", acceleration=lambda t: 0.0 * t), "by its acceleration"),
        (hs.Stop("s", "x", low=-0.1, law=hs.HuntCrossley(1e4)), "a stop with a law"),
    ],
)
def test_what_is_no_row_of_a_step_is_refused(fact, words):
    with pytest.raises(hs.Error, match=words):
        stepped(block() + fact, 0.1)


def test_words_of_limits_are_checked():
    with pytest.raises(hs.SolveError, match="limits is 'yes'"):
        stepped(block(), 0.1, limits="yes")
    with pytest.raises(hs.SolveError, match="limits act in the method"):
        hs.simulate(block(), until=0.1, limits="stops")


def rocking(limits=None, closing=None):
    """A four-bar whose rocker has limits, and turns back at 1.20877 and 2.4294 rad by itself."""
    return hs.Model(
        [hs.Rod(n, length=x, mass=x) for n, x in {"crank": 0.2, "coupler": 0.5, "rocker": 0.4}.items()],
        hs.Revolute("A", hs.WORLD, "crank", axis="y"),
        hs.Revolute("B", "crank.end", "coupler", axis="y"),
        hs.Revolute("D", hs.WORLD.at(0.45, 0, 0), "rocker", axis="y", limits=limits),
        hs.Revolute("C", "coupler.end", "rocker.end", axis="y", limits=closing),
        poses={"start": {"A": 0.3, "B": 0.4, "D": 1.25}},
    )


def pushed(model, step, until=1.5, limits="stops"):
    push = {"A": lambda t: 2.0 * hs.sin(2.0 * t)}
    return stepped(model, until, step, start={"A": 0.3}, limits=limits, inputs=push, every=step)


@pytest.mark.parametrize("high", np.arange(1.28, 2.4, 0.08).tolist())
@pytest.mark.parametrize("step", [5e-3, 2e-3, 1e-3])
def test_a_loop_stops_at_the_limit_of_one_of_its_joints(high, step):
    """It has a degree of freedom: the stop takes its speed, and the loop stays closed."""
    result = pushed(rocking((0.9, high)), step)
    kinetic = result["kinetic"]
    assert result.success and result["D"].max() < high + 1e-7
    hit = int(np.argmax(result["D limit.effort"] < 0.0))
    assert abs(result["D"][hit] - high) < 1e-7 and kinetic[hit + 1] < 1e-3 * kinetic[hit - 1]
    assert result["D limit.effort"][hit] < -10.0 and (result["D limit.effort"] <= 0.0).all()


@pytest.mark.parametrize("limits", [(1.2, 2.5), (1.205, 2.435), (1.2084, 2.4299)])
@pytest.mark.parametrize("step", [5e-3, 2e-3, 5e-4])
def test_limits_that_a_loop_never_reaches_change_nothing(limits, step):
    free, held = (pushed(rocking(x), step) for x in (None, limits))
    assert held.success and np.array_equal(held["D"], free["D"])


def test_limits_of_a_joint_that_closes_a_loop_are_told():
    with pytest.warns(hs.Notice, match='no stop at the limits of "C"'):
        pushed(rocking(closing=(-0.1, 0.1)), 1e-3, 0.1)


MOVES = {
    "ramp": lambda t: 0.3 * hs.maximum(t - 0.3, 0.0),
    "sine": lambda t: 0.3 * hs.sin(t),
    "smooth": lambda t: hs.where(t < 1, t * t * (3 - 2 * t), 1.0),
    "held": lambda t: 0.2 + 0.0 * t,
}


@pytest.mark.parametrize("axis", ["x", "z"])
@pytest.mark.parametrize("step", [1e-2, 1e-3, 1e-4])
@pytest.mark.parametrize("move", MOVES)
def test_drives_that_stand_start_and_hold_are_met(move, step, axis):
    """Where nothing but the drive acts, and where it holds a weight at rest."""
    rail = hs.Prismatic("x", hs.WORLD, "b", axis=axis)
    model = hs.Model(
        hs.Body.box("b", (0.1, 0.1, 0.1), mass=1.0), rail, hs.Drive("s", "x", position=MOVES[move])
    )
    result = stepped(model, 0.8, step, every=0.05)
    wanted = [float(MOVES[move](t)) for t in result.t]
    assert result.success and result["x"] == pytest.approx(wanted, abs=1e-9)
    lift = result["energy"] - result["energy"][0] - result["work"]
    assert np.abs(lift[1:]).max() < 1e-6 + 0.02 * step  # a ramp starts with a blow


@pytest.mark.parametrize("step", [1e-2, 5e-3, 2.5e-3])
def test_the_work_of_a_drive_is_that_of_exact_integration(step):
    """A cart that is shaken under a pendulum: of order 2, 0.4 % in steps of 10 ms."""
    rods = [
        hs.Body.box(f"r{k}", (0.05, 0.05, 0.3), mass=1.0, frames={"e": (0, 0, -0.15), "o": (0, 0, 0.15)})
        for k in "ab"
    ]
    model = hs.Model(
        rods,
        hs.Prismatic("cart", hs.WORLD, "ra.o", axis="x"),
        hs.Revolute("swing", "ra.e", "rb.o", axis="y"),
        hs.Drive("motor", "cart", position=lambda t: 0.2 * hs.sin(9.0 * t)),
    )
    exact = hs.simulate(model, 1.0, {"swing": 0.3})
    result = stepped(model, 1.0, step, start={"swing": 0.3}, every=step)
    assert result["work"][-1] == pytest.approx(exact["work"][-1], abs=40.0 * step**2)
    assert np.ptp(result["energy"] - result["work"]) < 40.0 * step**2


MOVING = {
    "place": hs.Constraint("u", rows=lambda s: s["swing"] - 0.2 * hs.sin(3 * s.t)),
    "speed": hs.Constraint("u", speeds=lambda s: s["swing.v"] - 0.6 * hs.cos(3 * s.t)),
    "belt": hs.Constraint("u", speeds=lambda s: s["swing.v"] - 1.0),
}


@pytest.mark.parametrize("kind", MOVING)
@pytest.mark.parametrize("step", [4e-3, 1e-3])
def test_the_work_of_constraints_that_move_is_counted(kind, step):
    """What they give is in `work`, so that energy less work stays, to the square of the step."""
    rods = [hs.Rod("a", 0.5, 1.0), hs.Rod("b", 0.4, 0.7)]
    joints = [hs.Revolute("hip", hs.WORLD, "a", axis="y"), hs.Revolute("swing", "a.end", "b", axis="y")]
    model = hs.Model(rods, joints, MOVING[kind])
    exact = hs.simulate(model, 2.0, {"hip": 0.3}, every=0.1)
    result = stepped(model, 2.0, step, start={"hip": 0.3}, every=0.1)
    given = np.ptp(exact["work"])
    assert given > 0.05 and np.ptp(result["energy"] - result["work"]) < 30.0 * step**2
    assert np.abs(result["work"] - exact["work"]).max() < 20.0 * step * given


@pytest.mark.parametrize("seed", range(8))
def test_chains_keep_their_limits(seed):
    """With a shoulder that swings or is driven: what drifts beyond a limit after the kick is put back."""
    draw = np.random.default_rng(seed)
    rods = [
        hs.Body.box(f"r{k}", (0.05, 0.05, 0.3), mass=1.0, frames={"e": (0, 0, -0.15), "o": (0, 0, 0.15)})
        for k in "abc"
    ]
    speed = draw.uniform(2.0, 12.0)
    drive = [hs.Drive("motor", "a", position=lambda t: 0.8 * hs.sin(speed * t))] if seed % 2 else []
    model = hs.Model(
        rods,
        hs.Revolute("a", hs.WORLD, "ra.o", axis="y"),
        hs.Revolute("b", "ra.e", "rb.o", axis="y", limits=(-1.0, 1.0)),
        hs.Revolute("c", "rb.e", "rc.o", axis="y", limits=(-1.0, 1.0)),
        *drive,
    )
    start = {"b": draw.uniform(-0.9, 0.9), "b.v": 3.0 * draw.normal()}
    result = stepped(model, 3.0, float(draw.choice([1e-2, 2e-3])), start=start, limits="stops")
    largest = max(1.0, np.abs(result["a"]).max())
    assert result.success and np.abs([result["b"], result["c"]]).max() < 1.0 + 1.1e-6 * largest


@pytest.mark.parametrize("stiffness", [1e3, 1e4, 1e5])
@pytest.mark.parametrize("length", [0.4, 0.499, 0.5, 0.501, 0.6])
@pytest.mark.parametrize("step", [1e-2, 2e-3])
def test_springs_under_pressure_and_tension_are_stepped(stiffness, length, step):
    """A compressed spring pushes to the side, by which the matrix of the step would be indefinite."""
    model = hs.Model(
        hs.Body.sphere("b", 0.05, mass=1.0),
        hs.Free("b", hs.WORLD, "b"),
        hs.Spring("s", hs.WORLD, "b", stiffness=stiffness, damping=5.0, length=0.5),
    )
    result = stepped(model, 0.3, step, start={"b.z": length, "b.x": 0.01}, watchdog=False)
    assert result.success and np.abs(result["b.position"]).max() < 0.7
    if stiffness * step**2 < 0.005:
        exact = hs.simulate(model, 0.3, {"b.z": length, "b.x": 0.01})
        assert result["b.position"][-1] == pytest.approx(exact["b.position"][-1], abs=0.03)


def test_a_magnet_pulls_away_as_in_exact_integration():
    """A negative stiffness is stepped where steps resolve it."""
    model = block() + hs.JointForce("m", "x", law=lambda position, speed: 2e4 * position)
    exact = hs.simulate(model, 0.02, {"x": 1e-3})
    result = stepped(model, 0.02, 1e-5, start={"x": 1e-3})
    assert result["x"][-1] == pytest.approx(exact["x"][-1], rel=5e-3)
