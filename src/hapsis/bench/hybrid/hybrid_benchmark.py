"""`hapsis bench hybrid`: walkers by native runs, by events of SciPy in Python, by contacts of MuJoCo.

Each walks from its own cycle. Ours: seconds per step and per event, from runs at several tolerances. SciPy:
`solve_ivp` on our right-hand side, with our impact. MuJoCo: contacts of feet and ground, by the longest of
a few steps with which it does not fall. Errors are those of
the time of a stride against the cycle found to 1e-9. Then very many strides of the simplest walker, in pieces
of one native run each, and a thousand starts in one call.
"""

import math
import time
from collections.abc import Sequence
from typing import Any

import numpy as np

import hapsis as hs
from hapsis.bench.hybrid.hybrid_mujoco import STEPS, MujocoWalker
from hapsis.bench.hybrid.hybrid_scipy import ScipyLoop
from hapsis.bench.hybrid.hybrid_walkers import Walker, ours
from hapsis.bench.rivals import Missing
from hapsis.bench.watch import SILENT, Watch, each

Row = dict[str, Any]
WALKERS = ("rimless_wheel", "simplest_walker", "compass_gait")
STRIDES, SCIPY_STRIDES, MUJOCO_STRIDES = 500, 10, 20
LONG, PIECE = 1_000_000, 20_000
STARTS, BATCH_STRIDES = 1000, 10
TOLERANCE = 1e-8


def names() -> list[str]:
    """All walkers."""
    return list(WALKERS)


def run(names: Sequence[str] = WALKERS, quick: bool = False, watch: Watch = SILENT) -> Row:
    """All figures; `quick` takes few strides."""
    share = 0.02 if quick else 1.0
    walkers = {name: Walker(name) for name in names}
    rows = each(
        watch,
        list(walkers),
        lambda name: name,
        lambda name: _measured(walkers[name], share),
        lambda row: f"{row['walker']}: {1e6 * row['ours']['stride_s']:.0f} us a stride",
    )
    watch.begin("many strides and many starts")
    simplest = walkers.get("simplest_walker") or Walker("simplest_walker")
    count = max(50, int(STARTS * share))
    return {
        "tolerance": TOLERANCE,
        "walkers": rows,
        "long": _long(simplest, int(LONG * share * (0.05 if quick else 1.0))),
        "starts": _many(simplest, count),
    }


def _measured(walker: Walker, share: float) -> Row:
    """The figures of one walker."""
    figures = ours(walker, max(20, int(STRIDES * share)))
    mine = {
        "stride_s": figures.seconds / figures.strides,
        "step_s": figures.step_s,
        "event_s": figures.event_s,
        "steps_per_stride": figures.steps / figures.strides,
        "error": figures.error,
    }
    row: Row = {"walker": walker.name, "ours": mine}
    for name, measure in (("scipy", _scipy), ("mujoco", _mujoco)):
        try:
            row[name] = measure(walker, share)
        except Missing as missing:
            row[name] = {"missing": str(missing)}
    return row


def _scipy(walker: Walker, share: float) -> Row:
    loop, strides = ScipyLoop(walker), max(2, int(SCIPY_STRIDES * share))
    loop.run(1, TOLERANCE)
    began = time.perf_counter()
    period = loop.run(strides, TOLERANCE)
    spent = time.perf_counter() - began
    return {"stride_s": spent / strides, "error": abs(period / walker.cycle.period - 1.0)}


def _mujoco(walker: Walker, share: float) -> Row:
    strides = max(3, int(MUJOCO_STRIDES * share))
    row: Row = {}
    for step in STEPS:
        rival = MujocoWalker(walker, step)
        began = time.perf_counter()
        made, period, steps = rival.run(strides)
        spent = time.perf_counter() - began
        row = {"step_s": spent / max(steps, 1), "steps_per_stride": steps / (made + 1)}
        if made == strides:
            error = abs(period / walker.cycle.period - 1.0)
            return {"stride_s": spent / (made + 1), "strides": made, "error": error, **row}
    # the mean of what came before a fall says nothing
    return {"missing": f"it falls after {made} of {strides} strides", **row}


def _long(walker: Walker, strides: int) -> Row:
    """Very many strides, in pieces that go on from one another."""
    cycle, done, state = walker.cycle, 0, walker.cycle.start
    began = time.perf_counter()
    while done < strides:
        piece = min(PIECE, strides - done)
        until = (piece + 0.5) * cycle.period if done == 0 else piece * cycle.period
        result = hs.simulate(walker.hybrid, until, state, every=until, tolerance=TOLERANCE, progress=False)
        if not result.success or not result.events:
            break
        done, state = done + len(result.events), result.last
    spent = time.perf_counter() - began
    return {"strides": done, "seconds": spent, "strides_per_s": done / spent}


def _many(walker: Walker, count: int) -> Row:
    """So many starts around the cycle in one call, and how many of them walk."""
    side = math.ceil(math.sqrt(count))
    a, w = (x.ravel() for x in np.meshgrid(np.linspace(0.15, 0.25, side), np.linspace(-0.02, 0.01, side)))
    w = w + a
    start = {
        "stance": -a,
        "swing": a,
        "stance.v": w,
        "swing.v": w * np.cos(2 * a),
        "hip.Tx": -np.sin(a),
        "hip.Tz": np.cos(a),
        "hip.Tx.v": np.cos(a) * w,
        "hip.Tz.v": np.sin(a) * w,
    }
    until = BATCH_STRIDES * 4.2
    began = time.perf_counter()
    many = hs.simulate(walker.hybrid, until, start, every=until, tolerance=TOLERANCE, progress=False)
    spent = time.perf_counter() - began
    walk = sum(status == "done" for status in many.status)
    return {"starts": len(a), "seconds": spent, "starts_per_s": len(a) / spent, "walking": walk}


def report(result: Row) -> str:
    """The figures as a table."""
    lines = [
        f"tolerance {result['tolerance']:g}; times in microseconds",
        f"{'walker':18}{'a step':>8}{'an event':>10}{'a stride':>10}{'error':>9}"
        f"{'scipy':>10}{'error':>9}{'mujoco':>10}{'error':>9}{'steps':>7}",
    ]
    notes: list[str] = []
    for row in result["walkers"]:
        mine = row["ours"]
        line = f"{row['walker']:18}{1e6 * mine['step_s']:8.2f}{1e6 * mine['event_s']:10.1f}"
        line += f"{1e6 * mine['stride_s']:10.0f}{mine['error']:9.0e}"
        for name in ("scipy", "mujoco"):
            other = row[name]
            if "missing" in other:
                notes.append(f"{name}, {row['walker']}: {other['missing']}")
                line += f"{'-':>19}"
            else:
                line += f"{1e6 * other['stride_s']:10.0f}{other['error']:9.0e}"
                if name == "mujoco":
                    line += f"{other['steps_per_stride']:7.0f}"
        lines.append(line)
    long, many = result["long"], result["starts"]
    lines += notes
    lines.append(
        f"the simplest walker: {long['strides']} strides in {long['seconds']:.3g} s, "
        f"{long['strides_per_s']:.0f} per second"
    )
    lines.append(
        f"{many['starts']} starts in one call: {many['seconds']:.3g} s, "
        f"{many['starts_per_s']:.0f} per second; "
        f"{many['walking']} walk"
    )
    return "\n".join(lines)
