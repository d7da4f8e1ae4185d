"""Laws of hybrids: what impacts and swaps keep, controllers that change with the phase, forces on feet."""

import math
import warnings
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import hapsis as hs
from hapsis.motion.hybrid.actions import Swap
from hapsis.motion.hybrid.exchange import relabelled

G = 9.81


def leg(name: str, mass: float, inertia: float) -> hs.Body:
    return hs.Body(
        name,
        mass=mass,
        com=(0.05, 0.0, -0.4),
        inertia=(inertia, inertia, inertia),
        frames={"foot": (0.0, 0.0, -1.0), "hip": (0.0, 0.0, 0.0)},
    )


@cache
def walker(root: str, mass: float = 3.0, inertia: float = 0.1) -> hs.Model:
    """Two equal legs, as a tree from the hip or as a chain from one of the feet."""
    legs = [leg(name, mass, inertia) for name in ("left", "right")]
    if root == "hip":
        return hs.Model(
            *legs,
            hs.Body("hip", mass=5.0, inertia=(0.3, 0.2, 0.3)),
            hs.Planar("base", hs.WORLD, "hip", normal="y"),
            hs.Revolute("left joint", "hip", "left.hip", axis="y"),
            hs.Revolute("right joint", "hip", "right.hip", axis="y"),
        )
    return hs.Model(
        *legs,
        hs.Planar("base", hs.WORLD, "left.foot", normal="y"),
        hs.Revolute("joint", "left.hip", "right.hip", axis="y"),
    )


numbers = st.floats(-1.0, 1.0).map(lambda x: round(x, 6))


@cache
def falling_on_a_foot(root: str, restitution: float) -> hs.Hybrid:
    model, held = walker(root), restitution == 0.0
    strike = hs.Event(
        "strike",
        when=hs.height("right.foot"),
        falling=True,
        during="flight",
        to="held" if held else None,
        then=hs.impact("right.foot", restitution=restitution),
    )
    return hs.Hybrid({"flight": model, "held": model.pinned("right.foot")}, [strike])


@settings(max_examples=25)
@given(root=st.sampled_from(["hip", "foot"]), data=st.data())
def test_a_swap_exchanges_poses_and_velocities_and_is_its_own_inverse(root, data):
    model = walker(root)
    n = len(model.coordinates)
    q, v = (np.array(data.draw(st.lists(numbers, min_size=n, max_size=n))) for _ in range(2))
    swap = hs.compile(relabelled(model, Swap("left", "right")))
    q2, v2 = swap(q, v)
    for body in ("left", "right", *(["hip"] if root == "hip" else [])):
        partner = {"left": "right", "right": "left"}.get(body, body)
        p, R = hs.compile(hs.pose(model, body))(q2)
        p0, R0 = hs.compile(hs.pose(model, partner))(q)
        assert np.allclose(p, p0, atol=1e-12) and np.allclose(R, R0, atol=1e-12)
        V, V0 = (hs.compile(hs.velocity(model, b))(x, y) for b, x, y in ((body, q2, v2), (partner, q, v)))
        assert np.allclose(V, V0, atol=1e-12)
    q3, v3 = swap(q2, v2)
    assert np.allclose(q3, q, atol=1e-12) and np.allclose(v3, v, atol=1e-12)
    energy = hs.compile(hs.energy(model))
    assert np.allclose(energy(q, v), energy(q2, v2), rtol=1e-12, atol=1e-12)
    momentum = hs.compile(hs.momentum(model))
    for one, two in zip(momentum(q, v), momentum(q2, v2), strict=True):
        assert np.allclose(one, two, atol=1e-12)


@settings(max_examples=12, deadline=None)
@given(data=st.data(), root=st.sampled_from(["hip", "foot"]), restitution=st.sampled_from([0.0, 0.4, 1.0]))
def test_impacts_balance_momentum_and_never_add_energy(data, root, restitution):
    """A free fall of two legs onto the right foot: held, or bouncing."""
    model, held = walker(root), restitution == 0.0
    hybrid = falling_on_a_foot(root, restitution)
    q = np.array([data.draw(numbers) for _ in model.coordinates])
    v = np.array([data.draw(numbers) for _ in model.speeds])
    foot = hs.compile(hs.pose(model, "right.foot"))(q)[0]
    q[model.coordinates.index("base.Tz")] += 0.05 - foot[2]  # just above the ground
    fall = hs.compile(hs.velocity(model, "right.foot"))(q, v)[5]
    v[model.speeds.index("base.Tz.v")] -= 1.0 + abs(fall)
    start = dict(zip((*model.coordinates, *model.speeds), (*q, *v), strict=True))
    result = hs.simulate(hybrid, until=0.06, start=start, every=0.06)
    event = result.events[0]
    rows = np.flatnonzero(result.t == event.time)[:2]
    assert event.loss >= -1e-12 and event.time < 0.06
    states = [
        (np.array([result[n][k] for n in model.coordinates]), np.array([result[n][k] for n in model.speeds]))
        for k in rows
    ]
    (q0, v0), (q1, v1) = states
    assert np.array_equal(q0, q1)
    # M (v⁺ - v⁻) = Jᵀ Λ on the free model
    M = hs.compile(hs.mass_matrix(model))(q0)
    J = np.asarray(hs.compile(hs.jacobian(model, "right.foot"))(q0))[3:]
    name = "right.foot.pin" if held else "right.foot impact"
    impulse = np.array([event.impulses.get(f"{name}.{axis}", 0.0) for axis in "xyz"])
    assert np.abs(M @ (v1 - v0) - J.T @ impulse).max() <= 1e-12 * np.abs(M @ v0).max()
    after, before = J @ v1, J @ v0
    assert abs(after[2] + restitution * before[2]) < 1e-10
    if held:
        assert np.allclose(after, 0.0, atol=1e-11)
    assert math.isclose(0.5 * v0 @ M @ v0 - 0.5 * v1 @ M @ v1, event.loss, abs_tol=1e-10)
    assert result.energy_drift < 1e-7


def test_the_order_of_events_in_the_list_matters_only_at_one_moment():
    ball = hs.Model(hs.Body("ball", mass=1.0), hs.Chain("at", hs.WORLD, "ball", "Tx Tz"))
    floor = hs.Event("floor", when=hs.height("ball"), falling=True, then=hs.impact("ball", restitution=0.7))
    walls = [
        hs.Event(
            f"wall {side}",
            when=lambda s, side=side: s["at.Tx"] - side,
            rising=side > 0,
            falling=side < 0,
            then=hs.reset({"at.Tx.v": lambda s: -s["at.Tx.v"]}),
        )
        for side in (-1.0, 1.0)
    ]
    start = {"at.Tz": 1.0, "at.Tx.v": 3.0}
    orders = [[floor, *walls], [*walls, floor], [walls[1], floor, walls[0]]]
    runs = [hs.simulate(hs.Hybrid({"box": ball}, order), until=2.5, start=start) for order in orders]
    for run in runs[1:]:
        assert run.events == runs[0].events
        assert np.array_equal(run["at.Tx"], runs[0]["at.Tx"])
    assert np.abs(runs[0]["at.Tx"]).max() < 1.0 + 1e-9
    names = {e.name for e in runs[0].events}
    assert names == {"floor", "wall -1.0", "wall 1.0"}


def test_events_of_one_moment_act_in_the_order_of_the_list():
    ball = hs.Model(hs.Body("ball", mass=1.0), hs.Prismatic("z", hs.WORLD, "ball", axis="z"))
    first = hs.Event("first", when=lambda s: s.t - 0.5, rising=True, during="a", to="b")
    second = hs.Event("second", when=lambda s: s.t - 0.5, rising=True, then=hs.reset({"z.v": 1.0}))
    third = hs.Event(
        "third", when=lambda s: s.t - 0.5, rising=True, during="a", to="a", then=hs.reset({"z": 9.0})
    )
    result = hs.simulate(hs.Hybrid({"a": ball, "b": ball}, [first, second, third]), until=1.0)
    assert [(e.name, e.before, e.after) for e in result.events] == [("first", "a", "b"), ("second", "b", "b")]


def test_sampled_controllers_change_with_the_phase_and_read_the_time_since():
    def law(sign):
        return lambda s: {"z": 10.0 * sign * (1.0 + s.since)}

    body = [hs.Body("cart", mass=2.0), hs.Prismatic("z", hs.WORLD, "cart", axis="x")]
    phases = {
        name: hs.Model(*body, hs.Controller("push", law(sign), rate=100.0, efforts="z"))
        for name, sign in (("there", 1.0), ("back", -1.0))
    }
    turn = hs.Event("turn", when=lambda s: s.since - 0.305, rising=True, during="there", to="back")
    result = hs.simulate(hs.Hybrid(phases, [turn]), until=0.6, every=0.001)
    assert [round(e.time, 9) for e in result.events] == [0.305]
    effort = np.array(
        [result["push.z"][np.searchsorted(result.t, t)] for t in (0.0051, 0.2951, 0.3081, 0.4551)]
    )
    # at 0.31 the computer sees the new phase, 5 ms after it began
    assert np.allclose(effort, [10.0, 12.9, 13.0, -10.0 * (1.0 + 0.145)], atol=1e-9)
    expected = np.interp(result.t, result.t, result["push.z"]) / 2.0
    assert np.allclose(result["z.a"], expected, atol=1e-9)


def test_a_hopper_lifts_off_where_the_ground_would_have_to_pull():
    """A mass on a spring: the foot leaves when the force of the pin falls through zero."""
    model = hs.Model(
        hs.Body("body", mass=2.0),
        hs.Body("foot", mass=0.5),
        hs.Prismatic("foot z", hs.WORLD, "foot", axis="z"),
        hs.Prismatic("leg", "foot", "body", axis="z"),
        hs.JointSpring("spring", "leg", stiffness=800.0, rest=0.5),
    )
    lift = hs.Event(
        "lift",
        when=lambda s: s["foot.push"] + 0 * s["foot.pin.z"],
        falling=True,
        during="stance",
        to="flight",
    )
    land = hs.Event(
        "land", when=hs.height("foot"), falling=True, during="flight", to="stance", then=hs.impact("foot")
    )
    hybrid = hs.Hybrid(
        {"stance": model.pinned("foot"), "flight": model}, [lift, land], watch=[hs.foot("foot", friction=0.5)]
    )
    result = hs.simulate(hybrid, until=0.25, start={"leg": 0.25}, tolerance=1e-10)
    assert [e.name for e in result.events] == ["lift"] and result.success
    t = result.events[0].time
    # k (rest - leg) = -0.5 g at lift-off, of the oscillation about rest - 2 g / k
    w, middle = math.sqrt(800.0 / 2.0), 0.5 - 2.0 * G / 800.0
    assert math.isclose(t, math.acos((0.5 + 0.5 * G / 800.0 - middle) / (0.25 - middle)) / w, abs_tol=1e-9)
    push = result["foot.push"]
    assert np.nanmin(push) > -1e-6 and np.isnan(push[result["phase"] == 1.0]).all()
    assert result.report["margins"]["foot.push"][0] == np.nanmin(push)
    assert np.allclose(result["foot.grip"], 0.5 * push, equal_nan=True)


def test_a_foot_that_would_be_pulled_is_said():
    model = hs.Model(
        hs.Body("ball", mass=1.0), hs.Prismatic("z", hs.WORLD, "ball", axis="z"), gravity=(0, 0, 1)
    )
    hybrid = hs.Hybrid({"held": model.pinned("ball")}, watch=hs.foot("ball"))
    with pytest.warns(hs.Notice, match="the ground would have to pull the foot"):
        result = hs.simulate(hybrid, until=0.1)
    assert result.report["margins"]["ball.push"][0] == pytest.approx(-1.0)
    with pytest.raises(hs.ModelError, match='no phase holds the foot "ball"'):
        hs.Hybrid({"free": model}, watch=[hs.foot("ball")])


def test_ten_thousand_bounces_end_in_rest():
    ball = hs.Model(hs.Body("ball", mass=1.0), hs.Prismatic("z", hs.WORLD, "ball", axis="z"))
    bounce = hs.Event(
        "bounce",
        when=hs.height("ball"),
        falling=True,
        during="flight",
        then=hs.impact("ball", restitution=0.9988, rest="rest"),
    )
    hybrid = hs.Hybrid({"flight": ball, "rest": ball.pinned("ball")}, [bounce])
    height = 0.01
    fall = math.sqrt(2 * height / G)
    zeno = fall * (1 + 0.9988) / (1 - 0.9988)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        result = hs.simulate(hybrid, until=1.1 * zeno, start={"z": height}, every=1.0)
    assert len(result.events) >= 10_000 and result.events[-1].after == "rest"
    assert abs(result.events[-1].time - zeno) < 1e-3 * zeno
    assert abs(result["z"][-1]) < 1e-9 and result["z"].min() > -1e-9


def test_a_run_goes_on_from_a_result():
    ball = hs.Model(hs.Body("ball", mass=1.0), hs.Prismatic("z", hs.WORLD, "ball", axis="z"))
    bounce = hs.Event(
        "bounce", when=hs.height("ball"), falling=True, then=hs.impact("ball", restitution=0.8), during="up"
    )
    hybrid = hs.Hybrid({"idle": ball.pinned("ball"), "up": ball}, [bounce])
    start = {"phase": "up", "z": 1.0}
    whole = hs.simulate(hybrid, until=2.0, start=start)
    half = hs.simulate(hybrid, until=1.0, start=start)
    rest = hs.simulate(hybrid, until=2.0, start=half)
    assert rest["phase"][0] == 1.0
    assert np.isclose(whole["z"][-1], rest["z"][-1], atol=1e-9)
    assert np.isclose(whole["impact_loss"][-1], rest["impact_loss"][-1])
    with pytest.raises(hs.ModelError, match='there is no phase "down"'):
        hs.simulate(hybrid, until=1.0, start={"phase": "down"})


def test_a_run_that_goes_on_between_samples_holds_what_controllers_gave():
    body = [hs.Body("cart", mass=2.0), hs.Prismatic("x", hs.WORLD, "cart", axis="x")]
    law = hs.Controller("push", lambda s: {"x": 5.0 * (1.0 + s.since) - 3.0 * s["x"]}, rate=10.0, efforts="x")
    cart = hs.Model(*body, law)
    turn = hs.Event("turn", when=lambda s: s.since - 0.33, rising=True, during="a", to="b")
    hybrid = hs.Hybrid({"a": cart, "b": cart}, [turn])
    whole, first = hs.simulate(hybrid, 1.0), hs.simulate(hybrid, 0.25)
    for until in (0.37, 1.0):
        first = hs.simulate(hybrid, until, first)
    assert np.isclose(first["x"][-1], whole["x"][-1], rtol=1e-9)


def test_rows_of_the_phase_stay_zero_and_the_foot_stays_where_it_stands():
    gait = hs.library.compass_gait()
    result = hs.simulate(gait, until=4.0)
    for axis in "xz":
        assert np.abs(result[f"stance.foot.v{axis}"]).max() < 1e-12
    for one, two in zip(
        [0.0, *(e.time for e in result.events)], [*(e.time for e in result.events), 4.0], strict=True
    ):
        inside = (result.t > one) & (result.t < two)
        assert np.ptp(result["stance.foot.x"][inside]) < 1e-8
    assert [e.loss > 0 for e in result.events] == [True] * len(result.events)


def test_touching_zero_is_no_event():
    ball = hs.Model(hs.Body("ball", mass=1.0), hs.Prismatic("z", hs.WORLD, "ball", axis="z"))
    graze = hs.Event("graze", when=lambda s: s["z"] - 5.0, rising=True, then=hs.reset({"z.v": 0.0}))
    v = math.sqrt(2 * G * 5.0)  # its highest point is just there
    result = hs.simulate(hs.Hybrid({"a": ball}, [graze]), until=1.5, start={"z.v": v * (1 - 1e-9)})
    assert not result.events
    result = hs.simulate(hs.Hybrid({"a": ball}, [graze]), until=1.5, start={"z.v": v * (1 + 1e-6)})
    assert [e.name for e in result.events] == ["graze"]


def test_a_phase_whose_partition_gets_weak_takes_another_one():
    """A rod that whirls about its foot, is let go and caught: any coordinate can lead only for a while."""
    rod = hs.Body("rod", mass=1.0, com=(0, 0, -0.5), inertia=(0.1, 0.1, 0.1), frames={"foot": (0, 0, -1)})
    model = hs.Model(rod, hs.Planar("base", hs.WORLD, "rod", normal="y"))
    leave = hs.Event("leave", when=lambda s: s.since - 2.0, rising=True, during="held", to="free")
    catch = hs.Event(
        "catch",
        when=lambda s: s.since - 0.3,
        rising=True,
        during="free",
        to="held",
        then=hs.impact("rod.foot"),
    )
    a, w = 0.5, 8.0
    start = {
        "base.Ry": a,
        "base.Ry.v": w,
        "base.Tx": math.sin(a),
        "base.Tz": math.cos(a),
        "base.Tx.v": w * math.cos(a),
        "base.Tz.v": -w * math.sin(a),
    }
    result = hs.simulate(
        hs.Hybrid({"held": model.pinned("rod.foot"), "free": model}, [leave, catch]), 5.0, start
    )
    assert result.success and [e.name for e in result.events] == ["leave", "catch", "leave", "catch"]
    assert abs(result["base.Ry"]).max() > 4 * math.pi and result.energy_drift < 1e-8
    held = result["phase"] == 0.0
    assert np.abs(result["rod.foot.vx"][held]).max() < 1e-11
    assert np.abs(result["rod.foot.vz"][held]).max() < 1e-11


def test_a_ball_in_space_bounces_with_spin_and_friction():
    """The tangential impulse is at most μ times the normal one, also with quaternions."""
    point = {"low": (0.0, 0.0, 0.0)}
    body = hs.Body("ball", mass=1.0, inertia=(0.004, 0.004, 0.004), frames=point)
    model = hs.Model(body, hs.Free("at", hs.WORLD, "ball"))
    hit = hs.Event(
        "hit", when=hs.height("ball"), falling=True, then=hs.impact("ball", restitution=0.7, friction=0.3)
    )
    start = {"at.z": 1.0, "at.vx": 4.0, "at.vy": 0.4, "at.wx": 5.0, "at.wy": 1.0, "at.wz": 3.0}
    result = hs.simulate(hs.Hybrid({"air": model}, [hit]), until=2.0, start=start)
    assert len(result.events) >= 3 and result.energy_drift < 1e-9
    for event in result.events:
        x, y, z = (event.impulses[f"ball impact.{axis}"] for axis in "xyz")
        assert math.hypot(x, y) <= 0.3 * z * (1 + 1e-12) and event.loss > 0
    slides = result.events[0].impulses
    assert math.isclose(
        math.hypot(slides["ball impact.x"], slides["ball impact.y"]), 0.3 * slides["ball impact.z"]
    )


def driven_arm(position) -> hs.Model:
    return hs.Model(
        hs.Rod("arm", 1.0, 1.0),
        hs.Rod("leg", 1.0, 1.0),
        hs.Revolute("hip", hs.WORLD, "arm", axis="y"),
        hs.Revolute("knee", "arm.end", "leg", axis="y"),
        hs.Drive("motor", "hip", position=position),
    )


def test_a_drive_whose_speed_jumps_strikes_as_in_a_model():
    model = driven_arm(lambda t: 0.3 * hs.abs(t - 1.0))
    change = hs.Event("change", lambda s: s.t - 0.5, rising=True, during="one", to="two")
    run = hs.simulate(hs.Hybrid({"one": model, "two": model}, [change]), 2.0, every=0.1, tolerance=1e-11)
    alone = hs.simulate(model, 2.0, every=0.1, tolerance=1e-11)
    assert [(e.name, e.before, e.after) for e in run.events] == [
        ("change", "one", "two"),
        ("motor.jump", "two", "two"),
    ]
    assert abs(run.events[1].time - 1.0) < 1e-9
    for name in ("knee", "knee.v"):
        assert np.isclose(run[name][-1], alone[name][-1], rtol=1e-7)
    assert run.energy_drift < 1e-6
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        jumps = driven_arm(lambda t: hs.where(t > 1.0, 0.5, 0.0))
        ends = hs.simulate(hs.Hybrid({"one": jumps}, [replace(change, during=(), to=None)]), 2.0)
    assert ends.status == "jump" and 'drive "motor" jumps from 0 to 0.5' in ends.message


def test_a_pulse_of_a_drive_in_a_later_phase_is_not_jumped_over():
    cart = hs.Model(
        hs.Body("cart", mass=1.0),
        hs.Body("load", mass=1.0),
        hs.Prismatic("x", hs.WORLD, "cart", axis="x"),
        hs.Prismatic("y", "cart", "load", axis="y"),
    )
    pulse = lambda t: 0.1 * hs.exp(-(((t - 5.0) / 0.01) ** 2))  # noqa: E731
    driven = cart + hs.Drive("motor", "x", position=pulse)
    grab = hs.Event(
        "grab", when=lambda s: s.t - 1.0, rising=True, during="free", to="driven", then=hs.impact()
    )
    result = hs.simulate(hs.Hybrid({"free": cart, "driven": driven}, [grab]), until=10.0, start={"y.v": 0.1})
    assert result.success and result["x"].max() == pytest.approx(0.1, rel=1e-3)
    assert result["motor.effort"][result["phase"] == 1.0].max() > 100.0


def test_events_read_parameters_as_a_run_gives_them():
    """A ball falls onto a ground at a height of its own, t² = 2 (1 - ground) / g, and leaves at -kick v."""
    ball = hs.Model(
        hs.Body("ball", mass=1.0),
        hs.Prismatic("z", hs.WORLD, "ball", axis="z"),
        parameters={"ground": 0.1, "kick": 0.5},
    )
    turn = hs.reset({"z.v": lambda s: -s["kick"] * s["z.v"]})
    event = hs.Event("ground", when=lambda s: s["z"] - s["ground"], falling=True, then=turn)
    hybrid = hs.Hybrid({"flight": ball}, [event])
    grounds, kicks = np.array([0.1, 0.5, 0.3]), np.array([0.5, 0.9, 1.0])
    times = np.sqrt(2 * (1 - grounds) / 9.81)
    runs = [{}, {"ground": 0.5, "kick": 0.9}, {"ground": 0.3, "kick": 1.0}]
    for values, time, kick in zip(runs, times, kicks, strict=True):
        result = hs.simulate(hybrid, until=0.5, start={"z": 1.0}, parameters=values)
        assert abs(result.events[0].time - time) < 1e-9
        assert abs(result["z.v"][-1] - (9.81 * kick * time - 9.81 * (0.5 - time))) < 1e-8
    many = hs.simulate(hybrid, until=0.5, start={"z": 1.0}, parameters={"ground": grounds, "kick": kicks})
    assert np.allclose([one.events[0].time for one in many], times, atol=1e-9)
    plain = hs.Event("ground", when=event.when)  # and those of a model without phases
    result = hs.simulate(ball, until=0.5, start={"z": 1.0}, events=plain, parameters={"ground": 0.5})
    assert abs(result.events[0].time - times[1]) < 1e-9
