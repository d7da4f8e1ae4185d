"""Mechanisms held by a spring: links that flop, stops, friction that sticks; where the power goes."""

import numpy as np
import pytest
from grasp_laws.hands import device, places, sprung_hand, step
from grasp_laws.mechanisms import ALL, LOOSE, SIX, seven_joints, two_links

import hapsis as hs


class Led:
    """A tick that is led along a motion of the hand: x(t) and its rate for each axis."""

    def __init__(self, tick, dt):
        self.tick, self.call, self.dt, self.state, self.t = tick, hs.compile(tick), dt, {}, 0.0
        self.first = {p.name: float(p.stand_in) for p in tick.inputs if p.name.endswith(".position")}
        self.axes = [name.removesuffix(".position") for name in self.first]
        self.rates = [p.name for p in tick.inputs if p.name.endswith(".velocity")]

    def to(self, **moved):
        """The outputs of a tick with the hand moved so far from its start, by the names of its axes."""
        given = {name: x + moved.get(name.split(".")[-2], 0.0) for name, x in self.first.items()}
        given |= {name: moved.get(f"{name.split('.')[-2]}_v", 0.0) for name in self.rates}
        out = self.tick.outputs_by_name(self.call(**self.state, **given))
        self.state = {name: out[name] for name in ("q", "v", "z", "t") if name in out}
        return out

    def wave(self, t):
        """A smooth motion of all axes, and its rate."""
        moved = {}
        for k, axis in enumerate(self.axes):
            name, size = axis.rpartition(".")[2], (0.02 if ".T" in axis else 0.1) * (1.0 + 0.3 * k)
            moved |= {name: size * np.sin(5 * t) ** 2, f"{name}_v": 5 * size * np.sin(10 * t)}
        return moved


def unbalanced(case, dt, **options):
    """Work of the hand less the energy of mechanism and spring after a motion, and the work."""
    tick = hs.haptics.grasp(
        *case[:2], dt, kind=case.kind, coupling="spring", damping=0.0, stiffness=500.0,
        measured="velocity", **options,
    )  # fmt: skip
    led = Led(tick, dt)
    powers, energies = [], []
    for k in range(round(0.4 / dt) + 1):
        moved = led.wave(k * dt)
        out = led.to(**moved)
        rates = [moved[f"{axis.rpartition('.')[2]}_v"] for axis in led.axes]
        powers.append(-sum(out[f"{axis}.effort"] * rate for axis, rate in zip(led.axes, rates, strict=True)))
        energies.append(out["energy"])
    work = dt * (np.sum(powers) - 0.5 * (powers[0] + powers[-1]))
    return abs(work - (energies[-1] - energies[0])), abs(work)


@pytest.mark.parametrize("most", [1e6, 3.0])
@pytest.mark.parametrize("name", ["flopping", "hung_four_bar"])
def test_the_work_of_the_hand_is_the_energy_of_mechanism_and_spring(name, most):
    """Within the error of the sum, of second order; also where the force is the largest one."""
    off, work = zip(*(unbalanced(LOOSE[name](), dt, max_force=most) for dt in (1e-3, 5e-4)), strict=True)
    assert off[0] < 2e-3 * work[0] and off[1] < 0.35 * off[0]


def test_the_work_of_turning_counts():
    off, work = unbalanced(LOOSE["chain"](), 1e-3, max_force=1e6)
    assert off < 1e-4 * work


def test_it_is_what_simulate_says_of_a_bushing():
    """The same spring between the mechanism and a hand that is a drive in time, by other integrators."""
    held, dt = LOOSE["flopping"](), 1e-4
    tick = hs.haptics.grasp(
        *held[:2], dt, kind="point", stiffness=300.0, damping=1.5, measured="velocity", reactions=["elbow"]
    )
    led = Led(tick, dt)
    for k in range(1, 3001):
        t = dt * k
        out = led.to(Tx=0.02 * np.sin(5 * t), Tx_v=0.1 * np.cos(5 * t), Tz=0.05 * t, Tz_v=0.05)
    hand = hs.Body("hand")
    path = hs.Chain("hand", hs.WORLD.at(0.3, 0, 0), "hand", "Tx Tz")
    drives = [
        hs.Drive("x", "hand.Tx", position="0.02 * sin(5 * t)"),
        hs.Drive("z", "hand.Tz", position="0.05 * t"),
    ]
    k, b = (0, 0, 0, 300.0, 300.0, 300.0), (0, 0, 0, 1.5, 1.5, 1.5)
    model = hs.Model(held.model, hand, path, *drives, hs.Bushing("spring", "hand", "upper.end", k, b))
    result = hs.simulate(model, 0.3, start={"elbow": 0.7}, tolerance=1e-10)
    for name in ("shoulder", "elbow", "elbow.v"):
        assert abs(out[name] - result[name][-1]) < 2e-5
    np.testing.assert_allclose(
        [out[f"wrench.{x}"] for x in SIX[3:]], result["spring.force"][-1], rtol=0, atol=2e-3
    )
    np.testing.assert_allclose(
        [out[f"elbow.reaction.{x}"] for x in SIX], result["elbow.reaction"][-1], rtol=0, atol=2e-3
    )


def test_links_flop_and_stops_are_felt():
    """The lower link swings to its limit and stays inside; the hand carries the weight of both links."""
    tick = hs.haptics.grasp(*LOOSE["stopped"]()[:2], 1e-3, kind="point", stiffness=2000.0)
    assert tick.notes[1] == "coupling: spring"
    led, angles = Led(tick, 1e-3), []
    for _ in range(3000):
        out = led.to()
        angles.append(out["elbow"])
    assert np.ptp(angles) > 0.1 and 0.9 < angles[-1] < 0.91  # on the stop, as deep as its weight presses
    # about the shoulder: half of the upper link, and the lower one where it rests
    lower = 0.3 + 0.1 * np.cos(out["elbow"])
    friction = 0.3 * out["wrench.fz"] - 9.81 * (0.5 * 0.15 + 0.3 * lower)
    assert abs(friction) < 0.05 + 0.08


def test_friction_sticks_until_the_hand_pulls_enough():
    """A crank without weight stays where it is below the static friction, for good, and slides above it."""
    crank = hs.Model(
        hs.Rod("crank", length=0.1, mass=0.2),
        hs.Revolute("turn", hs.WORLD, "crank", axis="-y"),
        hs.Friction("grease", "turn", coulomb=0.05, static=0.08),
        gravity=(0, 0, 0),
    )
    tick = hs.haptics.grasp(crank, "crank.end", 1e-3, kind="point", stiffness=100.0)
    led = Led(tick, 1e-3)
    for k in range(4000):
        out = led.to(Tz=0.007 * min(1.0, k / 1000))  # at most 0.7 N on 0.1 m
    assert abs(out["turn"]) < 2e-4 and out["wrench.fz"] == pytest.approx(0.7, rel=0.01)
    for _ in range(2000):
        out = led.to(Tz=0.012)
    assert out["turn"] > 0.02 and abs(out["wrench.fz"]) < 0.8  # it broke loose, and sticks again
    for k in range(2000):  # it is swept through many deflections of its bristles in each tick
        out = led.to(Tz=0.012, Tx=-0.05 * np.sin(0.05 * k))
        assert np.isfinite(out["wrench.fz"])


@pytest.mark.parametrize("device", [two_links, seven_joints])
def test_the_motors_of_an_arm_take_the_wrench_to_its_joints(device):
    """Efforts by virtual work of the arm, from differences of its pose; and what holds its weight."""
    arm, handle = device()
    model, frame, kind, _ = LOOSE["hung_four_bar"]()
    tick = hs.haptics.grasp(model, frame, 1e-3, kind=kind, arm=arm, arm_frame=handle)
    x = np.array([p.stand_in for p in tick.inputs if p.name.endswith(".position")])
    given = dict(zip((f"{name}.position" for name in arm.coordinates), x + 0.01, strict=True))
    out = tick.outputs_by_name(hs.compile(tick)(**given))
    place, weight = hs.compile(hs.pose(arm, handle)), hs.compile(hs.energy(arm))
    for k, name in enumerate(arm.coordinates):
        h = 1e-6 * np.eye(len(x))[k]
        up, down = x + 0.01 + h, x + 0.01 - h
        work = np.dot([out[f"wrench.{axis}"] for axis in SIX[3:]], place(up).p - place(down).p)
        rise = weight(up, 0 * x).potential - weight(down, 0 * x).potential
        assert abs(2e-6 * out[f"{name}.effort"] - (rise - work)) < 1e-11 * (1 + abs(out[f"{name}.effort"]))


def test_the_closest_pose_of_a_rigid_coupling_stays_inside_the_limits():
    """No pose inside is nearer; the spring pulls back; the speeds do not lead out."""
    model = hs.Model(
        hs.Rod("upper", length=0.5, mass=1.0),
        hs.Rod("lower", length=0.3, mass=1.0),
        hs.Revolute("shoulder", hs.WORLD, "upper", axis="-y", limits=(-0.5, 0.8)),
        hs.Revolute("elbow", "upper.end", "lower", axis="-y", limits=(0.2, 0.9)),
        poses={"start": {"elbow": 0.7}},
    )
    options = {"kind": "point", "max_force": 1e5, "iterations": 6}
    assert hs.haptics.grasp(model, "lower.end", 1e-3, kind="point").notes[1] == "coupling: spring"
    tick = hs.haptics.grasp(model, "lower.end", 1e-3, coupling="rigid", **options)
    led, ends, at_limits = Led(tick, 1e-3), {"shoulder": (-0.5, 0.8), "elbow": (0.2, 0.9)}, set()
    end = hs.compile(hs.pose(model, "lower.end"))
    for k in range(3000):
        out = led.to(Tx=0.3 * np.sin(0.003 * k) - 0.1, Tz=0.5 * np.sin(0.0041 * k))
        for name, (low, high) in ends.items():
            assert low - 1e-9 <= out[name] <= high + 1e-9
            at_limits |= {(name, x) for x in (low, high) if abs(out[name] - x) < 1e-9}
        if k % 50 == 0:
            q = np.array([out["shoulder"], out["elbow"]])
            hand = np.array(end(q).p) + [out[f"violation.{x}"] for x in "xyz"]
            for step in ((1e-4, 0), (-1e-4, 0), (0, 1e-4), (0, -1e-4)):
                other = np.clip(q + step, (-0.5, 0.2), (0.8, 0.9))
                here = np.linalg.norm(hand - end(q).p)
                assert np.linalg.norm(hand - end(other).p) > here - 1e-7
    assert len(at_limits) == 4


def test_corners_of_limits_are_left_where_a_nearer_pose_is_inside():
    """Random goals of the hand, most of them out of reach: the slope of the distance leads nowhere inside."""
    ends = {"shoulder": (-0.5, 0.8), "elbow": (0.3, 1.5)}
    low, high = np.array(list(ends.values())).T
    model = hs.Model(
        hs.Rod("upper", length=0.5, mass=1.0),
        hs.Rod("lower", length=0.3, mass=1.0),
        hs.Revolute("shoulder", hs.WORLD, "upper", axis="-y", limits=ends["shoulder"]),
        hs.Revolute("elbow", "upper.end", "lower", axis="-y", limits=ends["elbow"]),
        poses={"start": {"shoulder": 0.2, "elbow": 0.9}},
    )
    tick = hs.haptics.grasp(model, "lower.end", 1e-3, kind="point", coupling="rigid", max_force=1e5)
    random, at_limits = np.random.default_rng(8), 0
    for goal in (np.array([0.465, -0.432]), *random.uniform(-0.8, 0.8, (15, 2))):
        led = Led(tick, 1e-3)
        way = goal - np.array([led.first["hand.Tx.position"], led.first["hand.Tz.position"]])
        for k in range(900):
            out = led.to(Tx=way[0] * min(1.0, k / 400), Tz=way[1] * min(1.0, k / 400))
        s, e = out["shoulder"], out["shoulder"] + out["elbow"]
        lower = 0.3 * np.array([-np.sin(e), np.cos(e)])
        J = np.stack([0.5 * np.array([-np.sin(s), np.cos(s)]) + lower, lower], axis=1)
        down = J.T @ np.array([out["violation.x"], out["violation.z"]])  # where the distance becomes less
        q = np.array([out["shoulder"], out["elbow"]])
        down[(q > high - 1e-9) & (down > 0)] = down[(q < low + 1e-9) & (down < 0)] = 0.0
        at_limits += ((q > high - 1e-9) | (q < low + 1e-9)).all()
        assert np.abs(down).max() < 1e-6, (goal, q)
    assert at_limits >= 3


def test_random_hands_get_no_energy_from_what_flops():
    told = [sprung_hand(seed) for seed in range(5)]
    assert not [one for one in told if one.broken]
    assert all(one.moved > 1e-4 for one in told) and {one.case for one in told} >= set(LOOSE)


def test_the_loop_gives_what_calls_give():
    tick = step("hung_four_bar", 2000, "position", gravity=True, reactions=("C",))
    start = places(tick)
    loop = hs.realtime.Loop(tick, rate=2000, paced=False, guard={"passive": False, "slew": 1e6})
    report = loop.connect(device(start, np.random.default_rng(2))).run(0.1).report()
    led = Led(tick, 5e-4)
    for k in range(report.ticks):
        x = {axis: report[f"hand.{axis}.position"][k] - start[axis] for axis in start}
        out = led.to(**x)
        for name in ("hand.Tx.effort", "hook", "C.reaction.fx"):
            assert out[name] == pytest.approx(report[name][k], rel=1e-9, abs=1e-12)
    assert report.cause == "" and np.ptp(report["hook"]) > 1e-3


def test_every_mechanism_can_be_held_by_a_spring():
    """At rest, with a small violation, the force is that of the spring."""
    for name in ("slider_crank", "redundant", "loose"):
        held = ALL[name]()
        tick = hs.haptics.grasp(*held[:2], 1e-3, kind=held.kind, coupling="spring", stiffness=200.0)
        out = Led(tick, 1e-3).to(Ty=1e-3)
        assert out["wrench.fy"] == pytest.approx(200.0 * out["violation.y"], abs=2.1) and out["gap"] < 1e-9
