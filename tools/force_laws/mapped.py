"""Arms behind a frame: whatever the guard lets through there, each joint keeps its own limit and slew."""

import random
import warnings
from typing import Any

import hapsis as hs
from force_laws.laws import broken
from force_laws.loops import loop_of
from force_laws.recorder import Recorder
from force_laws.unpaced import act, run

RAMP = 0.02  # s, in which a joint's largest effort may come or go


def arm(draw: random.Random) -> tuple[hs.Model, int]:
    """An arm in a plane, of two or three links with any masses."""
    count, facts, place = draw.choice((2, 2, 3)), [], hs.WORLD
    for k in range(count):
        length, mass = draw.uniform(0.05, 0.4), 10.0 ** draw.uniform(-2.0, 1.0)
        facts += [
            hs.Rod(f"link{k}", length=length, mass=mass),
            hs.Revolute(f"J{k}", place, f"link{k}", axis="y"),
        ]
        place = f"link{k}.end"
    return hs.Model(*facts), count


def scenario(seed: int) -> list[str]:
    """The laws that the scenario of a seed breaks, as the joints see it."""
    draw = random.Random(seed)
    model, count = arm(draw)
    most = tuple(draw.choice((0.5, 2.0, 20.0)) for _ in range(count))
    inner = Recorder(most, place=draw.uniform(-1.5, 1.5), speed=draw.choice((0.0, 0.3, -2.0)))
    device: Any = hs.haptics.Mapped(
        inner,
        model,
        f"link{count - 1}.end",
        axes=("x", "z"),
        gravity=draw.random() < 0.8,
        max_force=draw.choice((5.0, 50.0)),
    )
    rate = draw.choice((500.0, 1000.0, 4000.0))
    loop = loop_of(draw, device, rate, paced=False, soft=True)
    sentences: list[str] = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", hs.Notice)
        for _ in range(draw.randint(1, 4)):
            for _ in range(draw.randint(0, 3)):
                sentences += act(draw, loop, inner)
            sentences += run(draw, loop, inner)
    limits = hs.realtime.Guard(most, 1.0 / rate, slew=[x / RAMP for x in most], ramp=RAMP)
    return sentences + broken(limits, inner.commands)
