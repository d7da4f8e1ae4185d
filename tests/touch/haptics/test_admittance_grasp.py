"""The compliance model: force in, position out; the stiffness model asks that force for that motion."""

import numpy as np
import pytest
from grasp_laws.mechanisms import ALL, LOOSE, SIX, two_links

import hapsis as hs

CASES = ["crank", "slider_crank", "four_bar", "flopping", "stopped", "chain"]


def tick_of(name, **options):
    held = (ALL | LOOSE)[name]()
    return held, hs.haptics.grasp(*held[:2], 1e-3, kind=held.kind, causality="admittance", **options)


def ran(tick, forces, count):
    """The outputs of each tick under forces by axis, functions of t."""
    call, state, rows = hs.compile(tick), {}, []
    for k in range(count):
        given = {f"hand.{axis}.force": f(1e-3 * k) for axis, f in forces.items()}
        out = tick.outputs_by_name(call(**state, **given))
        state = {name: out[name] for name in ("q", "v", "z", "t") if name in out}
        rows.append(out)
    return rows


@pytest.mark.parametrize("name", CASES)
def test_the_set_point_is_the_frame(name):
    """Also its axes: gimbals Rx Ry Rz of the hand, which are zero at the start."""
    held, tick = tick_of(name)
    axes = ["Tx", "Ty", "Tz"] + (["Rx", "Ry", "Rz"] if held.kind == "full" else [])
    forces = {axis: lambda t, k=k: 0.3 * np.sin((3 + k) * t) for k, axis in enumerate(axes)}
    out = ran(tick, forces, 150)[-1]
    place = hs.compile(hs.pose(held.model, held.frame))
    p, R = place(out["q"])
    np.testing.assert_allclose([out[f"hand.T{a}.position"] for a in "xyz"], p, rtol=0, atol=1e-12)
    if held.kind == "full":
        start = place(tick.inputs[0].stand_in).R
        device = hs.Model(hs.Body("d"), hs.Chain("d", hs.WORLD, "d", "Rx Ry Rz"))
        turned = hs.compile(hs.pose(device, "d"))([out[f"hand.R{a}.position"] for a in "xyz"]).R
        np.testing.assert_allclose(turned @ start, R, rtol=0, atol=1e-9)
    assert out["gap"] < 1e-9 and out["share"] == 1.0


@pytest.mark.parametrize("axis", ["x", "y", "z", "y then x"])
def test_gimbals_turn_on(axis):
    """A moment turns a body by more than half a turn: no set-point jumps, and its work is the energy."""
    model = hs.Model(
        hs.Body("top", 1.0, inertia=(0.01, 0.02, 0.025)), hs.Free("free", hs.WORLD, "top"), gravity=(0, 0, 0)
    )
    tick = hs.haptics.grasp(model, "top", 1e-3, causality="admittance")
    forces = {f"R{axis[0]}": lambda t: 0.05 * (t < 0.5)}
    if axis == "y then x":
        forces["Rx"] = lambda t: 1e-5 * (t < 0.5)
    rows = ran(tick, forces, 3000)
    x = np.array([[row[f"hand.R{a}.position"] for a in "xyz"] for row in rows])
    given = np.array(
        [[forces[f"R{a}"](1e-3 * k) if f"R{a}" in forces else 0.0 for a in "xyz"] for k in range(3000)]
    )
    assert np.abs(x).max() > 2.7 and np.abs(np.diff(x, axis=0)).max() < 0.05
    assert max(row["lag"] for row in rows) < 0.05 and rows[-1]["lag"] < 1e-6
    work = (given[1:] * np.diff(x, axis=0)).sum()
    assert work == pytest.approx(rows[-1]["energy"] - rows[0]["energy"], rel=1e-4)


def test_a_crank_about_y_is_held_over_a_quarter_turn():
    """There the outer and the inner gimbal are in line."""
    crank = hs.Model(
        hs.Rod("crank", length=0.1, mass=0.2),
        hs.Revolute("turn", hs.WORLD, "crank", axis="y"),
        gravity=(0, 0, 0),
    )
    tick = hs.haptics.grasp(crank, "crank.end", 1e-3, causality="admittance")
    rows = ran(tick, {"Ry": lambda t: 2e-3 * (t < 0.5)}, 1500)
    assert rows[-1]["turn"] > 1.6
    for row in rows:
        assert row["hand.Ry.position"] == pytest.approx(row["turn"], abs=1e-9)
        assert abs(row["hand.Rx.position"]) + abs(row["hand.Rz.position"]) < 1e-9


def test_a_bad_sample_leaves_the_gimbals_where_they_are():
    model = hs.Model(hs.Body("top", 1.0, inertia=(0.01, 0.02, 0.025)), hs.Free("free", hs.WORLD, "top"))
    tick = hs.haptics.grasp(model, "top", 1e-3, causality="admittance")
    rows = ran(tick, {"Rx": lambda t: float("nan") if abs(t - 2.9) < 1e-4 else 0.05 * (t < 0.5)}, 2950)
    x = np.array([row["hand.Rx.position"] for row in rows])
    assert not np.isfinite(x[2900]) and x[2901] == pytest.approx(x[2899], abs=1e-9) and x[2899] > 3.5


def test_the_work_of_the_force_is_the_energy_of_the_mechanism():
    """Forces that are held in a tick work along the way of the frame: exact but for the integration."""
    for name in ("flopping", "four_bar", "chain"):
        held, tick = tick_of(name)
        axes = ["Tx", "Ty", "Tz"] + (["Rx", "Ry", "Rz"] if held.kind == "full" else [])
        sizes = {axis: 5e-3 if axis[0] == "R" and name == "chain" else 0.5 for axis in axes}
        wave = {a: lambda t, k=k, size=sizes[a]: size * np.sin((5 + k) * t) for k, a in enumerate(axes)}
        call, state, work, first = hs.compile(tick), {}, 0.0, None
        x0 = np.zeros(len(axes))
        for k in range(200):
            given = {f"hand.{axis}.force": f(1e-3 * k) for axis, f in wave.items()}
            out = tick.outputs_by_name(call(**state, **given))
            x = np.array([out[f"hand.{axis}.position"] for axis in axes])
            if first is None:
                first = out["energy"]
            else:
                work += np.dot(list(given.values()), x - x0)
            x0, state = x, {n: out[n] for n in ("q", "v", "z", "t") if n in out}
        assert abs(work) > 1e-5 and abs(work - (out["energy"] - first)) < 2e-2 * abs(work)


def test_the_stiffness_model_asks_that_force_for_the_motion():
    """A rigid grasp that is led along the set-points feels the force that made them."""
    model = ALL["slider_crank"]().model
    options = {"kind": "point", "max_force": 1e6}
    tick = hs.haptics.grasp(model, "crank.end", 1e-4, causality="admittance", **options)
    rigid = hs.haptics.grasp(
        model, "crank.end", 1e-4, measured="acceleration", stiffness=0.0, damping=0.0, **options
    )
    call, felt, state = hs.compile(tick), hs.compile(rigid), {}
    frame, rate = hs.compile(hs.acceleration(model, "crank.end")), hs.compile(hs.velocity(model, "crank.end"))
    for k in range(2000):
        t = 1e-4 * k
        given = {"hand.Tx.force": 0.4 * np.sin(9 * t), "hand.Tz.force": 2.0 + 0.5 * np.cos(7 * t)}
        out = tick.outputs_by_name(call(**state, **given))
        state = {name: out[name] for name in ("q", "v", "t")}
    q, v = out["q"], out["v"]
    a = np.array([out[f"{name}.a"] for name in model.coordinates])
    u, acc = rate(q, v), frame(q, v, a)
    hand = {f"hand.T{x}.position": out[f"hand.T{x}.position"] for x in "xyz"}
    hand |= {f"hand.T{x}.velocity": np.ravel(u)[3 + k] for k, x in enumerate("xyz")}
    hand |= {f"hand.T{x}.acceleration": np.ravel(acc)[3 + k] for k, x in enumerate("xyz")}
    asked = rigid.outputs_by_name(felt(q=q, **hand))
    along = np.ravel(u)[3:] / np.linalg.norm(np.ravel(u)[3:])
    given = np.array([out[f"wrench.{x}"] for x in SIX[3:]])
    dynamic = np.array([asked[f"dynamic.{x}"] for x in SIX[3:]])
    assert along @ dynamic == pytest.approx(along @ given, rel=1e-6)
    assert abs(along @ given) > 0.01


def gimbal_axes(angles):
    device = hs.Model(hs.Body("d"), hs.Chain("d", hs.WORLD, "d", "Rx Ry Rz"))
    return hs.compile(hs.pose(device, "d"))(angles).R


@pytest.mark.parametrize("axis", ["x", "y", "z", "all"])
def test_set_points_of_gimbals_never_jump(axis):
    """A free body that is turned more than once around, also through a quarter turn of the middle gimbal."""
    body = hs.Body("tool", mass=0.4, inertia=(1e-3, 1e-3, 1e-3))
    model = hs.Model(body, hs.Free("tool", hs.WORLD, "tool"), gravity=(0, 0, 0))
    tick = hs.haptics.grasp(model, "tool", 1e-3, causality="admittance")
    call, place, before = hs.compile(tick), hs.compile(hs.pose(model, "tool")), np.zeros(3)
    spin = {"x": (6, 0, 0), "y": (0, 6, 0), "z": (0, 0, 6), "all": (4.0, 5.0, 3.0)}[axis]
    state = {"v": turning(model, spin)}
    far = 0.0
    for _ in range(2500):
        out = tick.outputs_by_name(call(**state))
        state = {name: out[name] for name in ("q", "v", "z", "t")}
        angles = np.array([out[f"hand.R{x}.position"] for x in "xyz"])
        assert np.abs(angles - before).max() < 0.5
        np.testing.assert_allclose(gimbal_axes(angles), place(out["q"]).R, rtol=0, atol=2e-6)
        before, far = angles, max(far, np.abs(angles).max())
    assert far > 2 * np.pi


def turning(model, spin):
    """Speeds with which the body turns so."""
    n = len(model.speeds)
    velocity = hs.compile(hs.velocity(model, "tool"))
    q = hs.assemble(model).q
    J = np.array([np.ravel(velocity(q, e))[:3] for e in np.eye(n)]).T
    return np.linalg.lstsq(J, np.array(spin, float), rcond=None)[0]


def test_moments_are_right_behind_a_quarter_turn():
    """A crank about y that is held whole: its moment turns it on, wherever it is."""
    crank = hs.Model(
        hs.Body("crank", 1.0, inertia=(1e-2, 1e-2, 1e-2)),
        hs.Revolute("turn", hs.WORLD, "crank", axis="y"),
        gravity=(0, 0, 0),
    )
    tick = hs.haptics.grasp(crank, "crank", 1e-3, causality="admittance")
    call, state = hs.compile(tick), {}
    for _ in range(1500):
        out = tick.outputs_by_name(call(**state, **{"hand.Ry.force": 0.02}))
        state = {name: out[name] for name in ("q", "v", "z", "t")}
        assert out["hand.Ry.position"] == pytest.approx(out["turn"], abs=1e-9)
        assert out["turn.a"] == pytest.approx(2.0, rel=1e-9)
    assert out["turn"] == pytest.approx(0.5 * 2.0 * 1.5**2, rel=1e-6)


def test_the_largest_force_and_the_stops_hold():
    _, tick = tick_of("stopped", max_force=2.0)
    rows = ran(tick, {"Tz": lambda t: 50.0, "Tx": lambda t: float(t > 0.1)}, 400)
    assert all(abs(row["wrench.fz"]) <= 2.0 + 1e-12 for row in rows) and rows[0]["share"] == pytest.approx(
        0.04
    )
    assert all(-0.25 < row["elbow"] < 0.95 for row in rows)


def test_a_loop_puts_the_device_where_the_frame_is():
    _, tick = tick_of("crank")
    start = hs.compile(tick)()
    x = tick.outputs_by_name(start)
    first = np.array([x[f"hand.T{axis}.position"] for axis in "xyz"])
    t = np.linspace(0.0, 1.0, 100)
    motion = first + np.outer(np.sin(4 * t) ** 2, [-0.01, 0.0, 0.03])
    hand = hs.haptics.SimulatedHand(
        motion=(t, motion), axes=["Tx", "Ty", "Tz"], stiffness=300.0, damping=3.0, causality="admittance"
    )
    report = hs.realtime.Loop(tick, 1000, paced=False).connect(hand).run(0.8).report()
    assert report.cause == "" and np.ptp(report["turn"]) > 0.1
    np.testing.assert_allclose(
        report["hand.Tz.command"][50:], report["hand.Tz.position"][50:][: len(report["t"]) - 50], atol=5e-3
    )


def test_mistakes_are_told():
    model, frame = ALL["crank"]()[:2]
    arm, handle = two_links()
    for message, given in {
        "no causality": {"causality": "force"},
        "no coupling": {"causality": "admittance", "coupling": "spring"},
        "no gripper": {"causality": "admittance", "gripper": hs.haptics.Gripper(0.02, 0.05)},
        "no arm": {"causality": "admittance", "arm": arm, "arm_frame": handle},
    }.items():
        with pytest.raises(hs.Error, match=message):
            hs.haptics.grasp(model, frame, 1e-3, kind="point", **given)
