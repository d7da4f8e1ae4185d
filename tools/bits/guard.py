"""Programs on the guard: what it lets through, tick by tick, whatever comes in; passivity."""

from typing import Any

import numpy as np

import hapsis as hs
from bits import program

NAN, INF = float("nan"), float("inf")


def story(guard: Any, ticks: Any) -> dict[str, Any]:
    """All safe forces, faults and energies of some ticks: (wanted, position, more)."""
    safe, faults, energy = [], [], []
    for wanted, position, more in ticks:
        word = more.pop("word", "")
        if word:
            getattr(guard, word)()
        safe.append(guard(wanted, position, **more))
        faults.append(guard.fault)
        energy.append(list(guard.energy.values()))
    return {
        "safe": np.array(safe),
        "faults": np.array(faults),
        "energy": np.array(energy),
        "given": dict(guard.given),
        "force": dict(guard.force),
        "counts": list(guard.report().values()),
    }


@program("guard.walls")
def walls():
    """A device of mass and damping thrown against walls of several stiffnesses."""
    outputs = {}
    for stiffness in (500.0, 3000.0, 10000.0):
        for passive in (True, False):
            guard = hs.realtime.Guard([40.0], 1e-3, passive=passive)
            x, v, force, ticks = -0.005, 0.2, 0.0, []
            safe = []
            for _ in range(600):  # by Euler's steps: plain sums, the same everywhere
                v += 1e-3 * (force + 1.0 - 0.5 * v) / 0.1
                x += 1e-3 * v
                force = float(guard([-stiffness * max(0.0, x)], [x], [v])[0])
                safe.append(force)
            outputs[f"{stiffness:g} {passive}"] = {"safe": np.array(safe), "told": story(guard, ticks)}
    return outputs


@program("guard.saturation")
def saturation():
    """Vectors that are too long, per axis and together; slews; jumps."""
    draw = np.random.default_rng(3)
    wanted, places = (30 * draw.normal(size=(400, 3)), np.cumsum(1e-3 * draw.normal(size=(400, 3)), axis=0))
    places[200:] += 0.3
    outputs = {}
    for name, settings in {
        "each": {"max_force": {"x": 10.0, "y": 5.0, "z": 20.0}},
        "together": {"max_force": 12.0},
        "slow": {"max_force": [10.0, 10.0, 10.0], "slew": 600.0, "store": 0.01},
        "damped": {"max_force": [10.0] * 3, "damping": 3.0, "reserve": 0.02},
        "watching": {"max_force": [10.0] * 3, "passive": False, "units": ("m", "rad", "m")},
    }.items():
        axes = {} if name == "each" else {"axes": ("x", "y", "z")}
        guard = hs.realtime.Guard(period=1e-3, **settings, **axes)
        outputs[name] = story(guard, [(w, p, {}) for w, p in zip(wanted, places, strict=True)])
    return outputs


@program("guard.faults")
def faults():
    """Every fault, the ramp after it, re-arming too early and in time."""
    causes: dict[str, dict[str, Any]] = {
        "nan": {"wanted": NAN},
        "infinite": {"wanted": INF},
        "large": {"wanted": 1e11},
        "stale": {"fresh": False},
        "status": {"status": 3.0},
        "place": {"position": NAN},
        "missed": {"missed": 5},
        "stop": {"word": "stop"},
    }
    outputs = {}
    for name, cause in causes.items():
        guard = hs.realtime.Guard([10.0], 1e-3, patience=2)
        ticks = [([3.0], [0.001 * k], {}) for k in range(30)]
        wrong = dict(cause)
        w, p = wrong.pop("wanted", 3.0), wrong.pop("position", 0.03)
        ticks += [([w], [p], dict(wrong)) for _ in range(6)]
        ticks += [([3.0], [0.03], {"word": "rearm"})]
        ticks += [([3.0], [0.03], {}) for _ in range(40)]
        ticks += [([3.0], [0.03], {"word": "rearm"}), ([0.0], [0.03], {"word": "rearm"})]
        ticks += [([3.0], [0.03 + 1e-4 * k], {}) for k in range(40)]
        outputs[name] = story(guard, ticks)
    return outputs


@program("guard.overruns")
def overruns():
    """Missed periods: fading, the bucket, and a device slower than the loop."""
    draw = np.random.default_rng(5)
    outputs = {}
    for name, settings in {
        "plain": {},
        "slow device": {"sample_every": 4},
        "patient": {"misses": 8, "bucket": 40},
    }.items():
        guard = hs.realtime.Guard([10.0, 10.0], 1e-3, **settings)
        missed = draw.integers(0, 3, size=500) * (draw.uniform(size=500) < 0.3)
        outputs[name] = story(
            guard,
            [
                ([3.0, -2.0], [1e-4 * k, 0.0], {"missed": int(m), "fresh": name == "plain" or k % 4 == 0})
                for k, m in enumerate(missed)
            ],
        )
    return outputs


@program("guard.passivity")
def passivity():
    """Bounds on stiffness and damping of walls, the worst hand, Z-width."""
    p = hs.haptics.passivity
    b, T = 0.5, 0.001
    width = p.z_width(b, T, points=15)
    worst = p.worst_hand(600, T, damping=0.2)
    return {
        "passive": [p.stiffest_passive_wall(b, T), p.stiffest_passive_wall(b, T, damping=0.2)],
        "stable": [p.stiffest_stable_wall(b, T), p.stiffest_stable_wall(b, T, damping=0.2)],
        "delayed": p.needed_damping_of(lambda z: 600 / z, T),
        "needed": p.needed_damping(600, T, 0.2),
        "for the worst hand": p.stiffest_wall_for(worst, b, T, damping=0.2),
        "leak": p.spring_leak(1000, 0.1, T, 0.02),
        "holds": bool(width.holds(700.0, 0.1)),
    }
