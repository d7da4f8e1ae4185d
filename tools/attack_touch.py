"""Random guards, filters and unpaced loops with faults in any order; a hash of each, to compare trees.

    python tools/attack_touch.py 0 300 > after.txt      seeds 0 to 299
    PYTHONPATH=OTHER/src python tools/attack_touch.py 0 300 | diff - after.txt

Only public names are used. A refactoring leaves every line as it is: a hash, or the class of an error.
"""

import contextlib
import hashlib
import random
import sys
import warnings
from typing import Any

import numpy as np
from bits import Filters, digest, parts
from bits.loops import knob_step, rows

import hapsis as hs

NAN, INF = float("nan"), float("inf")
SETTINGS: dict[str, tuple[Any, ...]] = {
    "slew": (5e3, 1e5),
    "ramp": (0.005, 0.02, 0.05),
    "passive": (False,),
    "damping": (3.0, 0.1),
    "store": (0.01, 1e-4),
    "reserve": (0.02, 1.0),
    "small_force": (0.5, 5.0),
    "jump": (0.001, 0.3),
    "patience": (1, 2, 10),
    "sample_every": (1, 2, 5),
    "misses": (1, 5),
    "bucket": (2.0, 40.0),
}


def settings(draw: random.Random) -> dict[str, Any]:
    """Some settings of a guard."""
    return {name: draw.choice(values) for name, values in SETTINGS.items() if draw.random() < 0.3}


def guard(draw: random.Random) -> dict[str, Any]:
    """What a guard lets through while samples, forces and requests are as bad as can be."""
    n, normal = draw.randint(1, 6), np.random.default_rng(draw.randrange(2**32)).normal
    largest = draw.choice([[draw.uniform(1, 20) for _ in range(n)], draw.uniform(1, 20)])
    tested = hs.realtime.Guard(
        largest, draw.choice([1e-3, 2.5e-4]), axes=tuple("abcdef"[:n]), **settings(draw)
    )
    x, outputs = np.zeros(n), []
    for _ in range(300):
        x = x + 1e-3 * draw.choice([0.1, 1, 5]) * normal(size=n)
        wanted, place = draw.choice([0, 0, 1, 10, 100]) * normal(size=n), x.copy()
        more: dict[str, Any] = {}
        match draw.randrange(50):
            case 0:
                wanted[draw.randrange(n)] = draw.choice([NAN, INF, -INF, 1e12, 1e300])
            case 1:
                place[draw.randrange(n)] = draw.choice([NAN, INF])
            case 2:
                x = x + draw.choice([0.06, 0.4, 0.6])
            case 3 | 4:
                more["fresh"] = False
            case 5:
                more["status"] = draw.choice([1.0, 3.0, NAN])
            case 6 | 7 | 8:
                more["missed"] = draw.choice([1, 2, 7])
            case 9:
                tested.stop()
        if draw.random() < 0.1:
            tested.rearm()
        safe = tested(wanted, place, normal(size=n) if draw.random() < 0.7 else None, **more)
        outputs.append([*safe, tested.fault, *tested.energy.values(), *tested.given.values(), tested.gone])
    return {"told": np.array(outputs), "counts": list(tested.report().values()), "cause": tested.cause}


def some_filter(draw: random.Random, dt: float) -> Any:
    """A filter of any kind."""
    h = hs.haptics
    kinds = (
        lambda: h.LowPass(dt, draw.uniform(5, 100), order=draw.choice([1, 2])),
        lambda: h.SavitzkyGolay(dt, draw.randint(5, 30), draw.choice([1, 2, 3]), draw.choice([0, 1])),
        lambda: h.FiniteDifference(dt, draw.randint(1, 15)),
        lambda: h.Window(dt, [draw.uniform(-1, 1) for _ in range(draw.randint(1, 9))]),
        lambda: h.AdaptiveWindow(dt, draw.uniform(1e-4, 1e-2), draw.randint(2, 20)),
        lambda: h.Lead(dt, 0.02, 0.005),
        lambda: h.motion_filter(dt, position=1e-4, jerk=50.0, steady=draw.random() < 0.4),
        lambda: Filters(h.FiniteDifference(dt, 2), h.LowPass(dt, 30.0)),
    )
    return draw.choice(kinds)()


def filtered(draw: random.Random) -> dict[str, Any]:
    """A filter over a record with gaps, lost samples and times that jitter, stand or turn back."""
    dt, numbers = draw.choice([1e-3, 2.5e-4]), np.random.default_rng(draw.randrange(2**32))
    k = np.flatnonzero(numbers.uniform(size=400) > draw.choice([0, 0.05, 0.5]))
    k = k[(k < 150) | (k > draw.choice([150, 200, 300]))]
    t = dt * (k + draw.choice([0, 1e-4, 0.3]) * numbers.normal(size=len(k)))
    x = 0.1 * np.sin(5 * t) + 0.01 * numbers.normal(size=len(t))
    x[numbers.uniform(size=len(t)) < draw.choice([0, 0.1])] = draw.choice([NAN, INF])
    times = draw.choice([t, t, t, t[::-1].copy(), np.maximum(t, t[9])])
    stage = some_filter(draw, dt)
    return {"y": stage.apply(times, x), "delay": stage.delay, "gain": np.array(stage.noise_gain)}


def looped(draw: random.Random) -> dict[str, Any]:
    """Runs of a loop, between them faults of the device, stops, re-arming and other parameters."""
    rate, pushed = draw.choice([1000, 4000]), {"mass": 0.4, "stiffness": 100.0, "damping": 9.0}
    more: dict[str, Any] = draw.choice([{}, pushed, {"rise": 0.02}])
    hand = hs.haptics.SimulatedHand(speed=draw.uniform(0.1, 1), travel=0.1, unit="rad", **more)
    device, states = hand, {}
    if draw.random() < 0.5:
        with contextlib.suppress(hs.DeviceError):  # not every filter takes a position
            device = hs.haptics.Conditioned(hand, some_filter(draw, 1 / rate))
    with device:
        loop = hs.realtime.Loop(
            knob_step(rate), rate, paced=False, live=["return.stiffness"], guard=settings(draw)
        ).connect(device)
        words = [*("unplugged", "stale", "nan", "jump"), "", "", "rearm", "rearm", "stop"]
        for k in range(draw.randint(1, 6)):
            word = draw.choice(words)
            if word in ("rearm", "stop"):
                getattr(loop.guard, word)()
            else:
                hand.fault(*[word] * bool(word))
            loop.set("return.stiffness", draw.uniform(0.1, 3.0), over=draw.choice([0.05, 0.0]))
            loop.run(seconds=draw.choice([0.01, 0.05]))
            states[k] = [loop.guard.fault, *loop.guard.force.values(), *loop.guard.energy.values()]
        return rows(loop) | {"between runs": states}


def main() -> None:
    """A line for each seed."""
    warnings.simplefilter("ignore", hs.Notice)
    for seed in range(int(sys.argv[1]), int(sys.argv[2])):
        draw = random.Random(seed)
        kind = draw.choice([guard, filtered, looped])
        try:
            text = "\n".join(f"{name} {digest(value)}" for name, value in parts(kind(draw), ""))
            line = hashlib.sha256(text.encode()).hexdigest()[:16]
        except Exception as error:
            line = type(error).__name__  # texts may become clearer
        print(seed, kind.__name__, line, flush=True)


if __name__ == "__main__":
    main()
