"""Grasps in hostile hands: jumps, samples that are no numbers, random mechanisms of all sizes.

A sample of fixed seeds; `python tools/attack_grasps.py hostile` runs 200.
"""

import numpy as np
import pytest
from grasp_laws.hostile import hostile_grasp
from grasp_laws.mechanisms import ALL, LOOSE

import hapsis as hs

HELD = {
    "rigid": ("slider_crank", {}),
    "spring": ("stopped", {}),
    "gripper": ("flopping", {"gripper": hs.haptics.Gripper(0.02, 0.05)}),
    "admittance": ("four_bar", {"causality": "admittance"}),
}


@pytest.mark.parametrize("name", HELD)
@pytest.mark.parametrize("bad", [np.nan, np.inf, 1e300])
def test_a_sample_that_is_no_number_spoils_one_tick_only(name, bad):
    """Its force is no number or within bounds, which the guard sees; the next tick is as good as any."""
    mechanism, options = HELD[name]
    held = (ALL | LOOSE)[mechanism]()
    tick = hs.haptics.grasp(*held[:2], 1e-3, kind=held.kind, max_force=20.0, **options)
    call, state = hs.compile(tick), {}
    first = {p.name: p.stand_in for p in tick.inputs if p.name.endswith((".position", ".force"))}
    for k in range(60):
        given = first | ({next(iter(first)): bad} if k == 20 else {})
        out = tick.outputs_by_name(call(**state, **given))
        state = {port: out[port] for port in ("q", "v", "z", "t") if port in out}
        assert all(np.isfinite(x).all() for x in state.values())
        if k != 20:
            assert all(np.isfinite(x).all() for x in out.values()), k
            assert np.linalg.norm([out[f"wrench.f{x}"] for x in "xyz"]) <= 20.0 * (1 + 1e-9)
    assert out["gap"] < 1e-6


def test_a_loop_goes_on_after_such_a_sample():
    model, frame, kind, _ = ALL["slider_crank"]()
    tick = hs.haptics.grasp(hs.Model(model, gravity=(0, 0, 0)), frame, 1e-3, kind=kind)
    first = [float(p.stand_in) for p in tick.inputs if p.name.endswith(".position")]
    t = np.linspace(0.0, 2.0, 100)
    motion = np.array(first) + np.outer(np.sin(5 * t), [5e-4, 0, 5e-4])
    hand = hs.haptics.SimulatedHand(motion=(t, motion), axes=["Tx", "Ty", "Tz"])
    loop = hs.realtime.Loop(tick, 1000, paced=False, guard={"passive": False}).connect(hand)
    loop.run(0.2)
    hand.fault("nan")
    with pytest.warns(hs.Notice):
        loop.run(0.2)
    assert loop.report().cause
    hand.fault("")
    with pytest.warns(hs.Notice):  # no force yet: the mechanism catches up with the hand
        loop.run(0.1)
    loop.guard.rearm()
    report = loop.run(0.4).report()
    wanted = np.array([report[f"hand.T{x}.effort"][-400:] for x in "xyz"])
    assert np.isfinite(wanted).all() and np.abs(wanted).max() < 2.0  # so little that it may be armed again
    assert abs(report["hand.Tz.command"][-100:]).max() > 0.05
    assert np.isfinite(report["hand.Tz.command"]).all()


@pytest.mark.parametrize("seed", [3, 5, 8, 17, 20, 31])
def test_random_mechanisms_in_hostile_hands(seed):
    report = hostile_grasp(seed)
    assert not report.wrong, report
