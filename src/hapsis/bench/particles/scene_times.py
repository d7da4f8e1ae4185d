"""Scenes that must keep up with the world: a hand that holds a ball, and a cube in the ticks of a loop."""

import time

import numpy as np

import hapsis as hs

HOLD = 50.0  # s for which the hand holds its ball
ROUNDS = 3  # of which the fastest counts
ROWS = 8  # particles in a row of the cube
RATE = 1000.0  # ticks a second
LOOP = 3.0  # s


def hand_times(hold: float = HOLD) -> dict[str, float]:
    """How long a hand that is turned over takes to hold its ball for so many seconds."""
    hand = hs.library.particles.three_finger_hand
    closed = hs.simulate(hand(), 0.6, every=0.2)
    turned = hand(upright=False)
    still = hs.simulate(turned, 2.6, closed, every=0.2)
    best, core = float("inf"), float("inf")
    result = still
    for _ in range(ROUNDS):
        begin, begin_core = time.perf_counter(), time.thread_time()
        result = hs.simulate(turned, 2.6 + hold, still, every=1.0)
        core = min(core, time.thread_time() - begin_core)
        best = min(best, time.perf_counter() - begin)
    return {
        "particles": hand().count,
        "held": hold,
        "seconds": best,
        "core_seconds": core,  # without what other processes took of the core
        "steps": int(result.report["steps"]),
        "slipped": abs(float(result["free.z"][-1] - still["free.z"][-1])),
    }


def tick_times(seconds: float = LOOP) -> dict[str, float]:
    """What a loop computes in a tick for a cube under a probe: percentiles of its time, and its steps."""
    P = hs.particles
    jelly = hs.library.jelly_cube(rows=ROWS, stiffness=20.0, damping=0.01)
    probe = P.Probe("tool", radius=0.01, stiffness=50, damping=0.1, friction=0.4, at=(0, 0, 0.12))
    facts = (*jelly.objects.values(), *jelly.floors.values(), probe)
    scene = P.Scene(facts, step=P.EnergyStep(relative=0.1))
    places = [f"tool.{c}.position" for c in "xyz"]
    forces = [f"tool.{c}.force" for c in "xyz"]
    step = hs.stepper(scene, 1.0 / RATE, inputs=places, outputs=[*forces, "steps"])
    t = np.linspace(0.0, seconds, 300)
    way = np.stack([0 * t, 0 * t, 0.12 - 0.03 * np.sin(np.pi * t / seconds) ** 2], axis=1)
    hand = hs.haptics.SimulatedHand(motion=(t, way), axes=["Tx", "Ty", "Tz"])
    report = hs.realtime.Loop(step, rate=RATE).connect(hand).run(seconds).report()
    return {
        "particles": scene.count,
        "springs": len(scene.table("springs")[0]),
        "steps": float(np.median(report["steps"])),
        "p50": report.compute[0],
        "p99": report.compute[1],
        "force": float(report["tool.z.force"].max()),
    }


def times_report(hand: dict[str, float], tick: dict[str, float]) -> str:
    """The figures as text."""
    faster = hand["held"] / hand["core_seconds"]
    return (
        f"a hand with {hand['particles']} particles holds a ball for {hand['held']:g} s in "
        f"{hand['seconds']:.3f} s, {hand['core_seconds']:.3f} s of a core: {faster:.0f} times faster than "
        f"real time ({hand['steps']} steps)\n"
        f"a tick of 1 ms of {tick['particles']} particles with {tick['springs']} springs under a probe, "
        f"{tick['steps']:g} steps: p50 {1e6 * tick['p50']:.0f}, p99 {1e6 * tick['p99']:.0f} microseconds"
    )
