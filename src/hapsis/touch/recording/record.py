"""The verb `record`: everything a loop does into a file, enough to do it again bit for bit."""

import copy
import hashlib
import json
import sys
import time
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from hapsis.errors import DeviceError
from hapsis.touch.realtime.ring import written
from hapsis.touch.realtime.step_packing import Tick
from hapsis.touch.recording.recorder import Recorder, Stream

if TYPE_CHECKING:
    from hapsis.touch.realtime.loop import Loop

LOOP = "loop"  # the stream of a loop's rows
RUN = "run"  # the facts of a run
VERSION = str(sys.modules["hapsis"].__version__)  # imports only go down: it is above


def record(
    loop: "Loop",
    path: Any,
    *,
    seed: int | None = None,
    settings: Mapping[str, Any] | None = None,
    streams: Mapping[str, Stream] | None = None,
) -> Recorder:
    """Records a loop while it lasts: `with hs.recording.record(loop, "run.mcap"): loop.run(seconds=2)`.

    seed       of whatever in the run was drawn at random
    settings   anything else that a reader should know, by name
    streams    other rings besides the loop's own, {name: Stream}

    The file holds every row of telemetry with the inputs as they were consumed, the step's hash,
    its parameters and its state at the start: `hs.recording.replay` makes the same bits of them.
    """
    if getattr(loop, "telemetry", None) is None:
        raise DeviceError(
            "the loop has no device yet, so it has nothing to record", remedy="connect one first"
        )
    ring = copy.copy(loop.telemetry)  # the same rows, read at our own pace
    ring.read, ring.lost = written(ring.head), 0
    units = {"t": "s", "late": "s", "compute": "s"}
    every = {LOOP: Stream(ring, loop.columns, units), **(streams or {})}
    facts = run_facts(loop.tick, loop.rate)
    if loop.running:  # it runs
        facts["start"] = "unknown: the loop ran already"
    else:
        facts["start"] = exact(loop.state)
    if seed is not None:
        facts["seed"] = str(int(seed))
    told = {
        name: value if isinstance(value, str) else json.dumps(value, default=str)
        for name, value in (settings or {}).items()
    }
    return Recorder(path, every, {RUN: facts, **({"settings": told} if told else {})})


def run_facts(tick: Tick, rate: float) -> dict[str, str]:
    """What identifies a run: the step's hash and its parameters, in the bits they have."""
    parameters = {name: float(x).hex() for name, x in tick.function.parameters.items()}
    function = tick.function.digest.hex()
    said = json.dumps(parameters)
    return {
        "hapsis": VERSION,
        "model": hashlib.sha256((function + said).encode()).hexdigest(),
        "function": function,
        "parameters": said,
        "live": json.dumps({n: float(x).hex() for n, x in zip(tick.live, tick.values)}),  # noqa: B905
        "rate": repr(float(rate)),
        "start": exact(tick.start),
        "started": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
    }


def exact(values: Any) -> str:
    """Numbers as text without a rounding."""
    return json.dumps([float(x).hex() for x in values])
