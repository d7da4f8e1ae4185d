"""Cycles of walkers: published fixed points and multipliers, and equations of motion written by hand."""

import math
import pickle
from functools import cache

import numpy as np
import pytest
from samples import sample
from scipy.integrate import solve_ivp

import hapsis as hs

G = 9.81


@cache
def gait(name, *values):
    """A walker of the library."""
    return getattr(hs.library, name)(*values)


@cache
def cycle(name, *values):
    """Its cycle from the pose `start`."""
    return hs.find_cycle(gait(name, *values))


def test_the_simplest_walker_of_the_source():
    """Garcia and others 1998, slope 0.009, long steps; time in √(l/g)."""
    found = cycle("simplest_walker", 0.009)
    assert found.start["stance"] == pytest.approx(-0.2003109005442, abs=1e-8)
    assert found.start["stance.v"] == pytest.approx(0.1998324730050, abs=1e-8)
    assert found.start["swing"] == pytest.approx(0.2003109005442, abs=1e-8)
    assert found.period == pytest.approx(3.8824637529, abs=1e-8)
    pair = found.multipliers[:2]
    assert pair == pytest.approx([-0.19009907 + 0.55760175j, -0.19009907 - 0.55760175j], abs=1e-5)
    assert np.abs(found.multipliers[2:]).max() < 1e-6
    assert found.stable and found.drifting == ("hip.Tx",) and found.event == "heel strike"


def test_the_compass_gait_of_the_source():
    """Goswami and others, slope 3°: angles there are from the true vertical, and the other way round."""
    slope = math.radians(3)
    found = cycle("compass_gait")
    start = found.start
    assert -start["swing"] - slope == pytest.approx(-0.3233885581, abs=1e-8)
    assert -start["stance"] - slope == pytest.approx(0.2186688029, abs=1e-8)
    assert -start["swing.v"] == pytest.approx(-0.3773739489, abs=1e-8)
    assert -start["stance.v"] == pytest.approx(-1.0923835899, abs=1e-8)
    assert found.period == pytest.approx(0.7343463912, abs=1e-8)
    assert found.travel["hip.Tx"] == pytest.approx(0.5354454154, abs=1e-8)
    sizes = np.abs(found.multipliers)
    assert sizes[:3] == pytest.approx([0.57995236, 0.57995236, 0.13157262], abs=1e-5)
    assert sizes[3:].max() < 1e-6


def test_the_rimless_wheel_of_the_source():
    found = cycle("rimless_wheel", 8, 0.08)
    assert found.start["wheel.Ry.v"] == pytest.approx(1.0954628396, abs=1e-8)
    assert found.period == pytest.approx(1.0345498114, abs=1e-8)
    assert found.multipliers[0] == pytest.approx(0.5, abs=1e-7)


@pytest.mark.parametrize(("n", "slope"), [(6, 0.3), (11, 0.03), (30, 0.01)])
def test_rimless_wheels_by_their_closed_form(n, slope):
    """The energy of a step and cos² at the strike: ω⁺² = c² (ω⁺² + 4 g/l sin(slope) sin(pi/n))."""
    c = math.cos(2 * math.pi / n)
    found = hs.find_cycle(gait("rimless_wheel", n, slope))
    gain = 4 * G * math.sin(slope) * math.sin(math.pi / n)
    assert found.start["wheel.Ry.v"] == pytest.approx(math.sqrt(c * c * gain / (1 - c * c)), rel=1e-9)
    assert found.multipliers[0] == pytest.approx(c * c, abs=1e-7)


def walker_map(slope):
    """The map of the simplest walker by its two equations, written by hand: (θ, θ̇) -> the next."""

    def rates(t, y):
        th, ph, w, u = y
        a = math.sin(th - slope)
        return [w, u, a, a + math.sin(ph) * (w * w - math.cos(th - slope))]

    def strike(t, y):
        return y[1] - 2 * y[0] if y[0] < -0.05 else -1.0

    strike.terminal, strike.direction = True, 1

    def after(x):
        th, w = x
        start = [th, 2 * th, w, (1 - math.cos(2 * th)) * w]
        run = solve_ivp(rates, (0, 9), start, "DOP853", events=strike, rtol=1e-12, atol=1e-13)
        th, _, w, _ = run.y_events[0][0]
        return np.array([-th, math.cos(2 * th) * w])

    return after


@pytest.mark.parametrize("slope", [0.003, 0.014])
def test_other_slopes_by_equations_written_by_hand(slope):
    found = hs.find_cycle(gait("simplest_walker", 0.009), parameters={"slope": slope})
    assert found.parameters == {"slope": slope}
    after = walker_map(slope)
    x = np.array([-found.start["stance"], -found.start["stance.v"]])
    assert after(x) == pytest.approx(x, abs=1e-8)
    h = 1e-5
    J = np.array([(after(x + h * e) - after(x - h * e)) / (2 * h) for e in np.eye(2)]).T
    own = sorted(np.linalg.eigvals(J), key=lambda z: (z.real, z.imag))
    assert sorted(found.multipliers[:2], key=lambda z: (z.real, z.imag)) == pytest.approx(own, abs=1e-5)


def test_multipliers_are_what_errors_do():
    """A small error, step after step, shrinks as the largest pair says."""
    found = cycle("compass_gait")
    start = {n: found.start[n] for n in found.start.names} | {"swing.v": found.start["swing.v"] + 1e-4}
    run = hs.simulate(gait("compass_gait"), 22 * found.period, start, tolerance=1e-12)
    times = np.array([event.time for event in run.events])
    gaps = np.abs(np.diff(times) - found.period)[:16]
    rate = np.polyfit(np.arange(16), np.log(gaps), 1)[0]
    assert math.exp(rate) == pytest.approx(abs(found.multipliers[0]), abs=0.06)


def test_a_hopper_keeps_its_energy():
    """One multiplier is 1, and the cycle goes on though Newton's equations are singular."""
    found = cycle("hopper")
    assert found.multipliers[0] == pytest.approx(1.0, abs=1e-6) and abs(found.multipliers[1]) < 0.5
    assert found.stable and found.drifting == ("body.Tx",) and found.phase == "stance"
    assert "neutral" in str(found)


def test_the_motion_of_a_cycle_comes_back():
    found = cycle("compass_gait")
    run = found.result
    assert run.t[-1] == pytest.approx(found.period) and len(run.events) <= 1
    again = hs.find_cycle(gait("compass_gait"), found)
    assert again.period == pytest.approx(found.period, abs=1e-10)
    two = hs.find_cycle(gait("compass_gait"), strides=2)
    assert two.period == pytest.approx(2 * found.period, abs=1e-8)
    assert two.multipliers[2] == pytest.approx(found.multipliers[2] ** 2, abs=1e-6)
    text = str(found)
    assert (
        'cycle        1 x "heel strike", 0.73434639' in text and "goes on      hip.Tx by 0.53544541" in text
    )


def test_a_start_from_far_and_an_unstable_cycle():
    """Newton's method, made shorter where it falls, finds cycles that the motion itself does not."""
    slope = math.radians(4.8)
    found = hs.find_cycle(gait("compass_gait"), parameters={"slope": slope})
    assert not found.stable and found.multipliers[0].real < -1.0 and "unstable" in str(found)
    pose = gait("simplest_walker", 0.009).pose("start")
    far = hs.find_cycle(gait("simplest_walker", 0.009), pose | {"swing.v": 1.1 * pose["swing.v"]})
    assert far.period == pytest.approx(3.8824637529, abs=1e-8)


def test_what_is_refused(monkeypatch):
    walker = gait("simplest_walker", 0.009)
    fallen = walker.pose("start") | {"stance.v": 0.0, "hip.Tx.v": 0.0, "hip.Tz.v": 0.0, "swing.v": 0.0}
    with pytest.raises(hs.SolveError, match=r'does not come to .*event "falls" at t = '):
        hs.find_cycle(walker, fallen, event="heel strike")
    with pytest.raises(hs.SolveError, match=r'from height = .* does not come to the event "bounce"'):
        hs.find_cycle(gait("bouncing_ball", 0.5), {"height": 1.05})
    monkeypatch.setattr("hapsis.motion.cycles.find_cycle.MOST", 1)
    with pytest.raises(hs.SolveError, match=r"no cycle of 1 strides: .* comes back with an error of"):
        hs.find_cycle(walker)
    with pytest.raises(hs.ModelError, match='there is no event "heel"'):
        hs.find_cycle(walker, event="heel")
    with pytest.raises(hs.ModelError, match='drifting: there is no coordinate "x"'):
        hs.find_cycle(walker, drifting=["x"])
    with pytest.raises(hs.ModelError, match=r'the motion depends on "stance", .* expected of hip\.Tx'):
        hs.find_cycle(walker, drifting=["stance"])
    with pytest.raises(hs.ModelError, match="find_cycle takes a Hybrid, not"):
        hs.find_cycle(walker.phases["stance"])
    for strides in (0, True, 1.0):
        with pytest.raises(hs.ModelError, match="strides is"):
            hs.find_cycle(walker, strides=strides)
    for period in (0.0, -1.0, math.nan, "x"):
        with pytest.raises(hs.ModelError, match="period "):
            hs.find_cycle(walker, period=period)
    with pytest.raises(hs.ModelError, match="drifting must be names"):
        hs.find_cycle(walker, drifting="hip.Tx")
    with pytest.raises(hs.ModelError, match="are those of many runs"):
        hs.find_cycle(walker, {"stance": [-0.2, -0.21]})
    with pytest.raises(hs.ModelError, match="tolerance is 1e-20"):
        hs.find_cycle(walker, tolerance=1e-20)
    with pytest.raises(hs.ModelError, match="the hybrid has no events"):
        hs.find_cycle(hs.Hybrid({"stance": walker.phases["stance"]}))


def test_the_same_walker_in_space():
    """The compass gait with a hip that is free in space, its foot on a hinge, and quaternions.

    What the plane kept, the hinge keeps: heading, lean and pitch of the hip have the multiplier 1.
    """
    slope, plane = math.radians(3), cycle("compass_gait")
    walker = hs.Model(
        *(hs.Body(n, 5.0, (0, 0, -0.5), frames={"foot": (0, 0, -1.0)}) for n in ("stance", "swing")),
        hs.Body("hip", 10.0, inertia=(0.1, 0.1, 0.1)),
        hs.Free("base", hs.WORLD, "hip"),
        hs.Revolute("stance", "hip", "stance", axis="y"),
        hs.Revolute("swing", "hip", "swing", axis="y"),
        gravity=(G * math.sin(slope), 0, -G * math.cos(slope)),
    )
    strike = hs.Event(
        "heel strike",
        when=hs.height("swing.foot"),
        falling=True,
        only=lambda s: s.ahead("swing.foot", of="stance.foot") > 0.05,
        then=[hs.impact("swing.foot"), hs.swap("stance", "swing")],
    )
    start = plane.start
    a, w = start["stance"], start["stance.v"]
    at = {n: start[n] for n in ("stance", "swing", "stance.v", "swing.v")}
    at |= {"base.x": math.sin(a), "base.z": math.cos(a), "base.qw": 1.0}
    at |= {"base.vx": w * math.cos(a), "base.vz": -w * math.sin(a)}
    standing = walker.hinged("stance.foot") + hs.NoSpin("upright", "hip", about="y")
    found = hs.find_cycle(hs.Hybrid({"stance": standing}, [strike]), at)
    assert found.period == pytest.approx(plane.period, abs=1e-8)
    assert set(found.drifting) == {"base.x", "base.y"}
    assert found.travel["base.x"] == pytest.approx(plane.travel["hip.Tx"], abs=1e-8)
    left = [x for x in found.multipliers if abs(x - 1.0) > 1e-4 and abs(x) > 1e-4]
    assert left == pytest.approx(plane.multipliers[:3].tolist(), abs=1e-5)
    assert len([x for x in found.multipliers if abs(x - 1.0) <= 1e-4]) == 3


ALL = [(size, time) for size in (1e-6, 1.0, 1e4) for time in (1e-4, 1.0, 1e3)]


def kicked(size, time):
    """A ball that loses half of its speed at each bounce, and gets a kick: it leaves with two of them."""
    ball = hs.Model(
        hs.Body("ball", mass=1.0),
        hs.Prismatic("z", hs.WORLD, "ball", axis="z"),
        gravity=(0, 0, -size / time**2),
    )
    kick = hs.reset({"z.v": lambda s: size / time - 0.5 * s["z.v"]})
    return hs.Hybrid({"flight": ball}, [hs.Event("hit", when=hs.height("ball"), falling=True, then=kick)])


@pytest.mark.parametrize(("size", "time"), sample([(1e-6, 1e-4), (1e4, 1e3), (1e-6, 1e3)], ALL))
def test_a_cycle_of_any_size(size, time):
    """Nothing in the model says how large it is: the motion does."""
    found = hs.find_cycle(kicked(size, time), {"z": 0.1 * size})
    assert found.start["z.v"] * time / size == pytest.approx(2.0, abs=1e-8)
    assert found.period / time == pytest.approx(4.0, abs=1e-8)
    assert found.multipliers[0] == pytest.approx(0.5, abs=1e-7)


def test_a_start_just_before_the_event():
    """However short the way to the event is, the next stride may be as long as it is."""
    found = cycle("compass_gait")
    start = {n: found.start[n] for n in found.start.names}
    for share in (0.3, 0.9999, 1.0 - 1e-8):
        run = hs.simulate(gait("compass_gait"), share * found.period, start, tolerance=1e-11)
        again = hs.find_cycle(gait("compass_gait"), run.last)
        assert again.period == pytest.approx(found.period, abs=1e-8)


def test_a_cycle_is_no_more_than_a_start():
    """One of another hybrid, event or tolerance is where the search begins, and the rest is as asked for."""
    stance = cycle("hopper")
    flight = hs.find_cycle(gait("hopper"), stance, event="lift-off")
    assert flight.event == "lift-off" and flight.phase == "flight"
    assert flight.period == pytest.approx(stance.period, rel=1e-3)
    rough = hs.find_cycle(gait("compass_gait"), cycle("compass_gait"), tolerance=1e-6)
    assert rough.map.tolerance == pytest.approx(1e-8)
    other = hs.find_cycle(hs.library.simplest_walker(0.008), cycle("simplest_walker", 0.009))
    assert other.map.hybrid.model.parameters["slope"] == 0.008 and other.parameters == {}
    assert other.period != pytest.approx(cycle("simplest_walker", 0.009).period, abs=1e-4)


def oscillator(law, start):
    """A mass whose stride is a swing: the section is the top, and an event leads back to its phase."""
    model = hs.Model(
        hs.Body("b", mass=1.0),
        hs.Prismatic("x", hs.WORLD, "b", axis="x"),
        hs.Controller("law", law),
        poses={"start": {"x": start}},
    )
    top = hs.Event("top", lambda s: s["x.v"], falling=True, only=lambda s: s["x"] > 0, to="swing")
    return hs.Hybrid({"swing": model}, [top])


@pytest.mark.parametrize(("size", "time"), [(1e-6, 1e-3), (1.0, 1.0), (1e7, 1.0)])
def test_an_oscillator_that_keeps_itself_going(size, time):
    """Van der Pol's: the multiplier is exp of the divergence along the cycle. Nothing of it drifts."""
    mu = 0.3
    hybrid = oscillator(
        lambda s: {"x": mu * (1 - (s["x"] / size) ** 2) * s["x.v"] / time - s["x"] / time**2}, 1.8 * size
    )
    found = hs.find_cycle(hybrid)
    run = solve_ivp(
        lambda t, y: [y[1], mu * (1 - y[0] ** 2) * y[1] - y[0], mu * (1 - y[0] ** 2)],
        (0.0, found.period / time), [found.start["x"] / size, 0.0, 0.0], "DOP853", rtol=1e-11, atol=1e-12,
    )  # fmt: skip
    assert run.y[:2, -1] == pytest.approx([found.start["x"] / size, 0.0], abs=1e-8)
    assert found.multipliers[0] == pytest.approx(math.exp(run.y[2, -1]), abs=1e-6)
    assert found.drifting == () and found.start["x"] / size == pytest.approx(2.0, abs=0.01)


def test_a_swing_that_nothing_drives_or_brakes_has_a_multiplier_of_one():
    """Each amplitude is a cycle: the coordinate does not drift, though its shift leaves the section alone."""
    found = hs.find_cycle(oscillator(lambda s: {"x": -s["x"]}, 1.0))
    assert found.drifting == () and found.multipliers[0] == pytest.approx(1.0, abs=1e-7)
    assert found.period == pytest.approx(2 * math.pi, abs=1e-9)


@pytest.mark.parametrize(("damping", "push"), [(0.05, 0.1), (0.5, 1.0), (1e-3, 1e-3)])
@pytest.mark.parametrize("more", [{}, {"q": 0.0}])
def test_the_clock_whose_state_goes_on_through_the_section(damping, push, more):
    """A push at the lowest point: v² is larger by it after; what is just before meets the event at once."""
    clock = hs.Model(
        hs.Body("bob", mass=1.0, com=(0, 0, -1.0)),
        hs.Revolute("q", hs.WORLD, "bob", axis="y", damping=damping),
        poses={"start": {"q": 0.0, "q.v": 1.0}},
    )
    pushed = hs.reset({"q.v": lambda s: hs.sqrt(s["q.v"] ** 2 + push), **more})
    found = hs.find_cycle(
        hs.Hybrid({"a": clock}, [hs.Event("tick", lambda s: s["q"], rising=True, then=pushed)])
    )

    def swing(v):
        back = lambda t, y: y[0]  # noqa: E731
        back.direction, back.terminal = 1, 2
        run = solve_ivp(
            lambda t, y: [y[1], -damping * y[1] - G * math.sin(y[0])],
            (0.0, 9.0), [1e-12, v], "DOP853", rtol=1e-12, atol=1e-13, events=back,
        )  # fmt: skip
        k = int(np.flatnonzero(run.t_events[0] > 0.5)[0])
        return math.sqrt(run.y_events[0][k][1] ** 2 + push)

    v, h = found.start["q.v"], 1e-5
    assert swing(v) == pytest.approx(v, abs=1e-8)
    assert found.multipliers[0] == pytest.approx((swing(v + h) - swing(v - h)) / (2 * h), abs=1e-6)


@pytest.mark.parametrize("law", [
    lambda s: {"x": -s["x"] - 0.01 * s["x.v"]},
    lambda s: {"x": 0.003 * (1 - s["x"] ** 2) * s["x.v"] - s["x"]},  # Newton's method goes to its rest
])  # fmt: skip
def test_strides_that_shrink_to_nothing_are_no_cycle(law):
    with pytest.raises(hs.SolveError, match="no cycle of 1 strides: they shrink to nothing"):
        hs.find_cycle(oscillator(law, 1.0))


def test_a_run_that_has_gone_on_for_long_is_a_start():
    """However late it is: the search begins where the run ended, in its phase and at its time."""
    hybrid = kicked(1.0, 10.0)
    run = hs.simulate(hybrid, 130.0, {"z": 0.1})
    assert hs.find_cycle(hybrid, run).period == pytest.approx(40.0, abs=1e-7)


def test_what_reads_the_time_has_no_cycle():
    """Strides of the map begin at the time 0, those of a motion do not."""

    def ball(law, **more):
        model = hs.Model(
            hs.Body("ball", mass=1.0),
            hs.Prismatic("z", hs.WORLD, "ball", axis="z"),
            hs.Controller("push", law, **more),
        )
        kick = hs.reset({"z.v": lambda s: 2.0 - 0.5 * s["z.v"]})
        return hs.Hybrid({"flight": model}, [hs.Event("hit", hs.height("ball"), falling=True, then=kick)])

    with pytest.raises(hs.SolveError, match="depends on the time, and its second cycle"):
        hs.find_cycle(ball(lambda s: {"z": 0.3 * hs.sin(7.0 * s.t)}), {"z": 0.1})
    with pytest.raises(hs.ModelError, match="its samples follow a clock"):
        hs.find_cycle(ball(lambda s: {"z": -0.3 * s["z.v"]}, rate=50.0, efforts="z"), {"z": 0.1})
    found = hs.find_cycle(ball(lambda s: {"z": -0.3 * s["z.v"]}), {"z": 0.1})
    assert found.stable and abs(found.multipliers[0]) < 0.5


def alternating():
    """A ball that is kicked at each bounce and lifted by "lift" at the top of every second flight."""
    ball = hs.Model(
        hs.Body("ball", mass=1.0),
        hs.Prismatic("z", hs.WORLD, "ball", axis="z"),
        gravity=(0, 0, -10.0),
        parameters={"lift": 0.3},
    )
    top: dict = {"when": lambda s: s["z.v"], "falling": True}
    kick = hs.reset({"z.v": lambda s: 2.0 - 0.5 * s["z.v"]})
    lift = hs.reset({"z": lambda s: s["z"] + s["lift"]})
    events = [
        hs.Event("hit", hs.height("ball"), falling=True, then=kick),
        hs.Event("top", during="low", to="high", **top),
        hs.Event("lifted", during="high", to="low", then=lift, **top),
    ]
    return hs.Hybrid({"low": ball, "high": ball}, events)


def test_an_event_that_leads_to_two_phases_in_turn():
    """One bounce is no cycle, two are: v = 2 + w/2, w = 2 + sqrt(v^2 + 20 lift)/2."""
    hybrid = alternating()
    with pytest.raises(hs.SolveError, match=r'from phase "\w+" the event "hit" leads to phase "\w+"'):
        hs.find_cycle(hybrid, {"z": 0.5}, event="hit")
    branch = hs.continue_cycle(hybrid, {"lift": [0.0, 0.1, 0.3]}, {"z": 0.5}, event="hit", strides=2)
    assert branch.values[-1] == 0.3 and not branch.end and not branch.doublings
    for lift, cycle in zip(branch.values, branch.cycles, strict=True):
        v = w = 4.0
        for _ in range(60):
            v = 2.0 + 0.5 * w
            w = 2.0 + 0.5 * math.sqrt(v * v + 20.0 * lift)
        lifted, plain = cycle.phase == "low", cycle.start["z.v"]
        assert plain == pytest.approx(w if lifted else v, abs=1e-8)
        assert cycle.multipliers[0] == pytest.approx(0.25 * v / math.sqrt(v * v + 20.0 * lift), abs=1e-6)


def test_a_cycle_is_kept_with_its_map():
    found = cycle("simplest_walker", 0.009)
    again = pickle.loads(pickle.dumps(found))
    assert np.array_equal(again.map.after(again.point).point.q, found.map.after(found.point).point.q)
    assert again.travel == found.travel
    with pytest.raises(hs.ModelError, match="after takes a point of the map, not None; expected"):
        found.map.after(None)
    with pytest.raises(hs.ModelError, match="of one parameter, not of 2"):
        hs.continue_cycle(gait("simplest_walker", 0.009), {"slope": [0.01, 0.02], "g": [1.0, 2.0]})
