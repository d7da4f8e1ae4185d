"""Held mechanisms in the loop: the same numbers as calls, and random hands get no energy.

A sample of fixed seeds; `python tools/attack_grasps.py` runs 200.
"""

import numpy as np
from grasp_laws.hands import CASES, device, places, random_hand, step

import hapsis as hs


def test_the_loop_gives_what_calls_give():
    tick = step("slider_crank", 4000, "position", gravity=True, reactions=("pin",))
    start = places(tick)
    loop = hs.realtime.Loop(tick, rate=4000, paced=False, guard={"passive": False, "slew": 1e6})
    report = loop.connect(device(start, np.random.default_rng(2))).run(0.2).report()
    call, state = hs.compile(tick), {}
    names = ("hand.Tx.effort", "hand.Tz.effort", "slider", "pin.reaction.fx", "violation.y")
    for k in range(report.ticks):
        x = {f"hand.{axis}.position": report[f"hand.{axis}.position"][k] for axis in start}
        out = tick.outputs_by_name(call(**state, **x))
        state = {name: out[name] for name in ("q", "z", "t")}
        assert [out[name] for name in names] == [report[name][k] for name in names]
    assert np.array_equal(report["hand.Tz.command"], report["hand.Tz.effort"])
    assert report.cause == "" and np.ptp(report["slider"]) > 1e-3


def test_the_mass_of_the_crank_is_live():
    tick = step("crank", 1000, "position", gravity=True)
    start = places(tick)
    hand = hs.haptics.SimulatedHand(aim=list(start.values()), axes=list(start))
    loop = hs.realtime.Loop(tick, rate=1000, paced=False, live=["crank.mass"], guard={"passive": False})
    loop.connect(hand).run(0.05)
    before = loop.report()["dynamic.fz"][-1]
    loop.set("crank.mass", 0.4, over=0.01)
    after = loop.run(0.05).report()["dynamic.fz"][-1]
    assert abs(after - 2.0 * before) < 1e-9 * abs(before)


def test_random_hands_get_no_energy():
    told = [random_hand(seed) for seed in range(10)]
    assert {one.case for one in told} == set(CASES)
    assert not [one for one in told if one.broken]
    assert all(one.spent > 0.0 and one.moved > 1e-4 for one in told)
