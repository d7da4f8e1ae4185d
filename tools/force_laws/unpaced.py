"""Whole loops as fast as they run: bad samples, live parameters, requests, second runs and writers."""

import random
import warnings
from typing import Any

import hapsis as hs
from force_laws import recorder
from force_laws.laws import broken, kept_after_faults
from force_laws.loops import LIVE, loop_of, step
from force_laws.loops import recorder as recorder_of
from hapsis.touch.realtime.guard_memory import ASKED

ACTIONS = ("samples", "samples", "move", "live", "wrong", "stop", "rearm", "rearm", "second", "")
NAN = float("nan")


def scenario(seed: int) -> list[str]:
    """The laws that the scenario of a seed breaks."""
    draw = random.Random(seed)
    device = recorder_of(draw, draw.choice((1, 1, 2)), hardware=draw.random() < 0.3)
    rate = draw.choice((1000.0, 4000.0))
    loop = loop_of(draw, device, rate, paced=False, soft=True)
    sentences: list[str] = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", hs.Notice)
        for _ in range(draw.randint(1, 5)):
            for _ in range(draw.randint(0, 3)):
                sentences += act(draw, loop, device)
            fault = loop.guard.fault
            sentences += run(draw, loop, device)
            if fault not in (0, ASKED) and loop.guard.fault != fault and not loop.guard.report()["re-armed"]:
                sentences.append(f"fault {fault} ended without re-arming")
    sentences += broken(loop.guard, device.commands)
    report = loop.report()
    rows = report.rows[:, -len(device.axes) :]
    sentences += kept_after_faults(loop.guard, report["fault"], rows)
    if device.memory.together:
        sentences.append("two commands at once")
    return sentences


def run(draw: random.Random, loop: Any, device: Any) -> list[str]:
    """A run by `run`, or by `start` and `stop` with something meanwhile; then there is no force."""
    if draw.random() < 0.6:
        loop.run(draw.choice((20, 60, 200)) / loop.rate)
    else:
        loop.start(draw.choice((200, 2000)))
        sentences = act(draw, loop, device) + second(loop, device)
        loop.stop()
        if sentences:
            return sentences
    left = [x for x in loop.guard.force.values() if x]
    return [f"behind a run there is a force, {left}"] if left or device.commands[-1:].any() else []


def second(loop: Any, device: Any) -> list[str]:
    """Another loop on the same device while the first one runs: it is refused."""
    if not loop.running:
        return []
    again = step(loop.rate, len(device.axes))
    other = hs.realtime.Loop(again, loop.rate, paced=False, soft=True).connect(device)
    try:
        other.start(10)
    except hs.DeviceError:
        return []
    other.stop()
    return ["a second loop on the device was started"]


def act(draw: random.Random, loop: Any, device: Any) -> list[str]:
    """Something that may go wrong."""
    action, memory = draw.choice(ACTIONS), device.memory
    if action == "samples":
        first = int(memory.reads) + draw.randint(0, 100)
        memory.samples[first : first + draw.choice((1, 3, 30))] = draw.choice(
            (recorder.STATUS, recorder.NAN, recorder.STALE, recorder.JUMP)
        )
    elif action == "move":
        memory.place = draw.choice((0.0, 0.3, -0.3, 1.0))
    elif action == "live":
        loop.set(draw.choice(LIVE), draw.choice((0.01, 1.0, 100.0)), over=draw.choice((0.0, 0.05)))
    elif action == "wrong":
        return wrong(draw, loop)
    elif action == "stop":
        loop.guard.stop()
    elif action == "rearm":
        memory.place, memory.speed = draw.choice(((0.0, 0.0), (0.3, 0.0)))
        loop.guard.rearm()
    return []


def wrong(draw: random.Random, loop: Any) -> list[str]:
    """A live parameter that no model takes: it is refused."""
    name, value, over = draw.choice(
        (
            (LIVE[0], -1.0, 0.05),
            (LIVE[1], -0.2, 0.05),
            (LIVE[0], NAN, 0.05),
            (LIVE[0], 1.0, NAN),
            (LIVE[0], 1.0, -1.0),
            (LIVE[0], 1.0, float("inf")),
        )
    )
    try:
        loop.set(name, value, over=over)
    except hs.Error:
        return []
    return [f"{name} = {value} over {over} s was taken"]
