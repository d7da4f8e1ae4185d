"""Published walkers over many steps, modelled anew: as trees from the hip and as chains from a foot."""

import math

import numpy as np
import pytest

import hapsis as hs
from hapsis.mechanics.formalisms.constraints.row_names import constraint_names
from hapsis.motion.hybrid.actions import Swap
from hapsis.motion.hybrid.exchange import relabelled

G = 9.81


def strike() -> hs.Event:
    return hs.Event(
        "heel strike",
        when=hs.height("swing.foot"),
        falling=True,
        only=lambda s: s.ahead("swing.foot", of="stance.foot") > 0.05,
        then=[hs.impact("swing.foot"), hs.swap("stance", "swing")],
    )


def durations(result: hs.Result) -> np.ndarray:
    return np.diff([e.time for e in result.events], prepend=0.0)


def test_the_compass_gait_as_a_chain_from_the_stance_foot():
    """Half of the hip's mass is on each leg; the swap computes the pose of the new stance foot."""
    slope = math.radians(3.0)
    frames = {"foot": (0.0, 0.0, 0.0), "hip": (0.0, 0.0, 1.0)}
    legs = [
        hs.Body(n, mass=10.0, com=(0, 0, 0.75), inertia=(0.625, 0.625, 0.0), frames=frames)
        for n in ("stance", "swing")
    ]
    walker = hs.Model(
        *legs,
        hs.Planar("foot", hs.WORLD, "stance.foot", normal="y"),
        hs.Revolute("legs", "stance.hip", "swing.hip", axis="y"),
        gravity=(G * math.sin(slope), 0, -G * math.cos(slope)),
    )
    th_ns, th_s, w_ns, w_s = -0.3233885581, 0.2186688029, -0.3773739489, -1.0923835899
    start = {"foot.Ry": -th_s - slope, "foot.Ry.v": -w_s, "legs": th_s - th_ns, "legs.v": w_s - w_ns}
    gait = hs.Hybrid({"stance": walker.pinned("stance.foot")}, [strike()])
    result = hs.simulate(gait, until=7.0, start=start)
    assert len(result.events) == 9 and np.allclose(durations(result), 0.7343463912, atol=2e-8)
    # after each step the published state again; angles from the vertical
    for event in result.events:
        k = np.flatnonzero(result.t == event.time)[-1]
        a, b = result["foot.Ry"][k], result["foot.Ry"][k] + result["legs"][k]
        assert np.allclose([-a - slope, -b - slope], [th_s, th_ns], atol=3e-8)
        assert abs(-a - slope - b - slope + 2 * slope) < 1e-7  # th_ns + th_s = -2 slope
    assert result["foot.Tx"][-1] == pytest.approx(9 * 0.5354454154, abs=1e-6)
    assert result.energy_drift < 1e-7


def test_the_simplest_walker_with_feet_of_a_ten_billionth_of_the_hip():
    slope, theta, rate = 0.009, 0.2003109005442, -0.1998324730050
    legs = [hs.Body(n, mass=1e-10, com=(0, 0, -1), frames={"foot": (0, 0, -1)}) for n in ("stance", "swing")]
    walker = hs.Model(
        hs.Body("hip", mass=1.0),
        *legs,
        hs.Chain("base", hs.WORLD, "hip", "Tx Tz"),
        hs.Revolute("stance.hip", "hip", "stance", axis="y"),
        hs.Revolute("swing.hip", "hip", "swing", axis="y"),
        gravity=(math.sin(slope), 0, -math.cos(slope)),
    )
    a, w = -theta, -rate
    start = {
        "stance.hip": a,
        "swing.hip": theta,
        "stance.hip.v": w,
        "swing.hip.v": w * math.cos(2 * theta),
        "base.Tx": math.sin(a),
        "base.Tz": math.cos(a),
        "base.Tx.v": math.cos(a) * w,
        "base.Tz.v": -math.sin(a) * w,
    }
    gait = hs.Hybrid({"stance": walker.pinned("stance.foot")}, [strike()])
    result = hs.simulate(gait, until=80.0, start=start)
    assert len(result.events) == 20 and np.allclose(durations(result), 3.8824637529, atol=1e-7)
    for event in result.events:
        k = np.flatnonzero(result.t == event.time)[-1]
        assert result["stance.hip"][k] == pytest.approx(-theta, abs=1e-8)
        assert result["stance.hip.v"][k] == pytest.approx(-rate, abs=1e-8)
    assert result.energy_drift < 1e-7


@pytest.mark.parametrize("factor", [1.0, 0.9, 1.4])
def test_the_rimless_wheel_and_its_step_map(factor):
    """From any speed that is enough it comes to the same one: ω⁺² is mapped with the slope cos² 2α."""
    spokes, slope, speed = 8, 0.08, 1.0954628396
    half = math.pi / spokes
    wheel = hs.Model(
        hs.Body("hub", mass=1.0, frames={"foot": (0, 0, -1)}),
        hs.Planar("hub", hs.WORLD, "hub", normal="y"),
        gravity=(G * math.sin(slope), 0, -G * math.cos(slope)),
    )
    spoke = hs.Event(
        "spoke",
        when=lambda s: s["hub.Ry"] - half,
        rising=True,
        then=[hs.reset({"hub.Ry": lambda s: s["hub.Ry"] - 2 * half}), hs.impact("hub.foot")],
    )
    w = factor * speed
    start = {
        "hub.Ry": -half,
        "hub.Ry.v": w,
        "hub.Tx": -math.sin(half),
        "hub.Tz": math.cos(half),
        "hub.Tx.v": math.cos(half) * w,
        "hub.Tz.v": math.sin(half) * w,
    }
    result = hs.simulate(hs.Hybrid({"stance": wheel.pinned("hub.foot")}, [spoke]), until=24.0, start=start)
    rows = [np.flatnonzero(result.t == e.time)[-1] for e in result.events]
    squares = np.array([w, *result["hub.Ry.v"][rows]]) ** 2
    # ω⁺² = cos² 2α (ω² + 4 g sin α sin γ)
    kept = math.cos(2 * half) ** 2
    expected = kept * (squares[:-1] + 4 * G * math.sin(half) * math.sin(slope))
    assert len(rows) > 15 and np.allclose(squares[1:], expected, rtol=1e-8)
    assert math.sqrt(squares[-1]) == pytest.approx(speed, abs=1e-4)
    if factor == 1.0:
        assert np.allclose(durations(result), 1.0345498114, atol=1e-7)


@pytest.mark.parametrize(
    ("make", "until"),
    [
        (hs.library.compass_gait, 60.0),
        (hs.library.simplest_walker, 120.0),
        (lambda: hs.library.rimless_wheel(8, 0.08), 60.0),
        (hs.library.hopper, 15.0),
    ],
)
def test_momentum_balances_at_every_strike_of_a_run(make, until):
    """M (v⁺ - v⁻) = Jᵀ Λ with the rows of the phase after; energy is lost, and what is caught rests."""
    hybrid = make()
    run = hs.simulate(hybrid, until, every=until)
    model, struck = hybrid.model, 0
    M = hs.compile(hs.mass_matrix(model))
    actions = {event.name: event.then for event in hybrid.events}
    for event in run.events:
        if not event.impulses:
            continue
        rows = np.flatnonzero(run.t == event.time)
        (q0, v0), (q, v) = (
            [np.array([run[n][k] for n in names]) for names in (model.coordinates, model.speeds)]
            for k in (rows[0], rows[-1])
        )
        for action in actions[event.name]:
            if isinstance(action, Swap):
                q0, v0 = hs.compile(relabelled(model, action))(q0, v0)
        after = hybrid.phases[event.after]
        J = hs.compile(hs.constraints(after))(q, v).J
        impulse = np.array([event.impulses[name] for name in constraint_names(after)])
        before = M(q) @ v0
        assert np.abs(M(q) @ v - before - J.T @ impulse).max() <= 1e-12 * np.abs(before).max()
        assert event.loss >= -1e-12 * 0.5 * v0 @ before and np.abs(J @ v).max() <= 1e-12 * np.abs(v0).max()
        struck += 1
    assert struck > 25 and run.energy_drift < 1e-7
