"""The verb `record`: writes all that a loop does to a file, from which `replay` repeats it."""

import hashlib
import json
import sys
import time
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from hapsis.compiler.ir.functions.verbs import verb
from hapsis.errors import DeviceError
from hapsis.touch.realtime.packed_step import PackedStep
from hapsis.touch.recording.recorder import Recorder, Stream

if TYPE_CHECKING:
    from hapsis.touch.realtime.loop import Loop

LOOP = "loop"  # the stream of a loop's rows
RUN = "run"  # the facts of a run
VERSION = str(sys.modules["hapsis"].__version__)  # imports only go down: it is above


@verb
def record(
    loop: "Loop",
    path: Any,
    *,
    seed: int | None = None,
    settings: Mapping[str, Any] | None = None,
    streams: Mapping[str, Stream] | None = None,
) -> Recorder:
    """A recorder of a loop, for `with`: `with hs.recording.record(loop, "run.mcap"): loop.run(2.0)`.

    path       of the file to write, .mcap
    seed       of the random numbers of the run, if there are any
    settings   anything else that a reader should know, by name
    streams    other rings besides the loop's own, {name: Stream}

    The file holds every row of telemetry with the inputs that each tick used, the step's hash, its
    parameters and its state at the start: from these `hs.recording.replay` gives the same bits.
    """
    if getattr(loop, "telemetry", None) is None:
        raise DeviceError(
            "the loop has no device yet, so there is nothing to record", remedy="connect one first"
        )
    ring = loop.telemetry.reader(loop.telemetry.written)
    every = {LOOP: Stream(ring, loop.columns, loop.units), **(streams or {})}
    facts = run_facts(loop.step, loop.rate)
    facts["start"] = "unknown: the loop ran already" if loop.running else exact(loop.state)
    if seed is not None:
        facts["seed"] = str(int(seed))
    return Recorder(path, every, {RUN: facts, **({"settings": settings} if settings else {})})


def run_facts(step: PackedStep, rate: float) -> dict[str, str]:
    """What identifies a run: the step's hash and its parameters, all bits of them."""
    parameters = {name: float(x).hex() for name, x in step.parameters.items()}
    function = step.digest
    text = json.dumps(parameters)
    return {
        "hapsis": VERSION,
        "model": hashlib.sha256((function + text).encode()).hexdigest(),
        "function": function,
        "parameters": text,
        "live": json.dumps({n: float(x).hex() for n, x in zip(step.live, step.live_values)}),  # noqa: B905
        "rate": repr(float(rate)),
        "start": exact(step.start),
        "started": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
    }


def exact(values: Any) -> str:
    """Numbers as text, without rounding."""
    return json.dumps([float(x).hex() for x in values])
