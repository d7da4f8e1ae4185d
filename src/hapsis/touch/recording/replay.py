"""The verb `replay`: repeats a recorded run from its inputs, and compares the outputs bit for bit."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from hapsis.compiler.ir.functions.function import Function
from hapsis.compiler.ir.functions.verbs import verb
from hapsis.compiler.native import Array, Kernel, at, native, record, sized
from hapsis.errors import ModelError
from hapsis.mechanics.formats.json_text import json_value
from hapsis.mechanics.model.result import Columns, Result
from hapsis.touch.realtime.loop_memory import ModelState
from hapsis.touch.realtime.native_loop import advance
from hapsis.touch.realtime.packed_step import PackedStep, pack_step
from hapsis.touch.recording.record import LOOP, RUN, run_facts
from hapsis.touch.recording.recording import Recording


@verb
@dataclass(frozen=True, eq=False)
class Replayed:
    """The result of a replay.

    same         whether every output has the bits that were recorded
    rows         how many rows were compared
    difference   the first one: (row, t, name, recorded, replayed), or None
    result       the replayed outputs, at the recorded times
    lost         sentences on what is missing in the recording
    """

    rows: int
    difference: tuple[int, float, str, float, float] | None
    result: Result
    lost: tuple[str, ...] = ()

    @property
    def same(self) -> bool:
        """Whether every output has the bits that were recorded."""
        return self.difference is None

    def __str__(self) -> str:
        if self.difference is None:
            summary = f"{self.rows} rows replayed, the same bit for bit"
        else:
            row, t, name, old, new = self.difference
            summary = (
                f'the first difference is "{name}" in row {row} at t = {t:.6g} s: {old!r} was '
                f"recorded, {new!r} came out"
            )
        return "; ".join([summary, *self.lost])


@verb
def replay(recording: Any, step: Function, *, stream: str = LOOP) -> Replayed:
    """The comparison of a recorded run with the same run repeated by its step.

    stream   of the recording: the stream that holds the rows of the loop

    The inputs are those that each tick used: neither the device nor the clock matters. A step with
    another hash or other parameters is refused. Rows after a loss are left out, as the state there
    is not known.
    """
    if not isinstance(recording, Recording):
        with Recording(recording) as opened:
            return replay(opened, step, stream=stream)
    facts = recording.facts.get(RUN)
    if facts is None:
        raise ModelError(
            "it does not say how the run was made, so it cannot be replayed",
            where=str(recording.path),
            expected="a recording by hs.recording.record",
        )
    live = _numbers(recording, facts, "live")
    packed = pack_step(step, tuple(live))
    _check_step(recording, facts, packed)
    rows, lost = _contiguous(recording, stream)
    start = _start(recording, facts, packed)
    inputs = _columns(recording, rows, packed.inputs, packed.rest)
    outputs = _outputs(packed, start, inputs, _columns(recording, rows, tuple(live), np.zeros(1)))
    return _compared(rows, packed.outputs, outputs, lost)


def _check_step(recording: Recording, facts: Any, step: PackedStep) -> None:
    """Raises an error unless the step is the one that was recorded."""
    now = run_facts(step, 0.0)
    if facts.get("function") != now["function"]:
        raise ModelError(
            "the recording was made with another step: their hashes differ",
            where=str(recording.path),
            remedy=f"make the step of the same model, with the same hapsis ({str(facts.get('hapsis'))[:20]})",
        )
    was = _numbers(recording, facts, "parameters")
    for name, value in step.parameters.items():
        if was.get(name) != value:
            raise ModelError(
                f'the recording was made with "{name[:60]}" = {was.get(name)!r}, and the step has {value!r}',
                where=str(recording.path),
            )


def _numbers(recording: Recording, facts: Any, name: str) -> dict[str, float]:
    """Numbers by name from a fact that holds them exactly."""
    try:
        texts = json_value(facts.get(name, "{}"))
        return {str(key): float.fromhex(x) for key, x in texts.items()}
    except (ValueError, TypeError, AttributeError, OverflowError):
        raise ModelError(f'its fact "{name}" is damaged', where=str(recording.path)) from None


def _start(recording: Recording, facts: Any, step: PackedStep) -> Any:
    """The state at the start of the run."""
    text = facts.get("start", "")
    if text.startswith("unknown"):
        raise ModelError(
            f"its state at the start is {text}",
            where=str(recording.path),
            remedy="begin to record before the loop starts",
        )
    try:
        start = np.array([float.fromhex(x) for x in json_value(text)])
    except (ValueError, TypeError, OverflowError):
        start = np.zeros(0)
    if start.shape != step.start.shape:
        raise ModelError('its fact "start" is damaged', where=str(recording.path))
    return start


def _contiguous(recording: Recording, stream: str) -> tuple[Result, tuple[str, ...]]:
    """The rows up to the first loss, and sentences on what is missing."""
    rows = recording.rows(stream)
    losses = [
        event.get("after")
        for event in recording.events
        if event.get("kind") == "lost" and event.get("stream") == stream
    ]
    cuts = [int(k) for k in losses if isinstance(k, int | float) and 0 <= k < len(rows.t)]
    cuts += rows.report["gaps"]
    if not cuts:
        return rows, recording.lost
    cut = min(cuts)
    columns = {name: rows[name][:cut] for name in rows.names}
    contiguous = Result(t=rows.t[:cut], columns=Columns([(tuple(columns), columns)]), units=rows.units)
    sentence = f"rows were lost after row {cut}: {len(rows.t) - cut} later ones are left out"
    return contiguous, (*recording.lost, sentence)


def _columns(recording: Recording, rows: Result, names: tuple[str, ...], rest: Any) -> Any:
    """The columns with these names as a table; `rest` in every row if there are no names."""
    if not names:
        return np.tile(rest, (len(rows.t), 1))
    for name in names:
        if name not in rows:
            raise ModelError(
                f'it has no column "{name[:60]}", which the step takes', where=str(recording.path)
            )
    return np.stack([rows[name] for name in names], axis=1)


def _outputs(step: PackedStep, start: Any, u: Any, live: Any) -> Any:
    """The outputs of all rows, by the same code as in the loop."""
    steps = Steps(
        rows=len(u),
        inputs=u.shape[1],
        lives=live.shape[1],
        outputs=max(1, len(step.outputs)),
        step=step.kernel,
        state=ModelState(size=len(start), y=np.tile(start, 2)),
        u=np.ascontiguousarray(u).ravel(),
        live=np.ascontiguousarray(live).ravel(),
    )
    _run(steps)
    return steps.out.reshape(len(u), -1).copy()


@record
class Steps:
    """The steps of a run: a row of inputs, of live parameters and of outputs for each."""

    rows: int
    inputs: int
    lives: int
    outputs: int
    step: Kernel
    state: ModelState
    u: Array = sized("rows * inputs")
    live: Array = sized("rows * lives")
    out: Array = sized("rows * outputs")


@native
def _run(run: Steps) -> None:
    """All steps, one after the other."""
    for k in range(run.rows):
        u, live = at(run.u, k * run.inputs), at(run.live, k * run.lives)
        advance(run.step, run.state, u, live, at(run.out, k * run.outputs))


def _compared(rows: Result, names: tuple[str, ...], outputs: Any, lost: tuple[str, ...]) -> Replayed:
    """The replayed outputs compared with the recorded ones."""
    columns = {name: outputs[:, k] for k, name in enumerate(names)}
    first: tuple[int, float, str, float, float] | None = None
    for name, new in columns.items():
        if name not in rows:
            raise ModelError(f'the recording has no column "{name[:60]}"')
        old = np.ascontiguousarray(rows[name])
        unlike = np.flatnonzero(old.view(np.int64) != np.ascontiguousarray(new).view(np.int64))
        if len(unlike) and (first is None or unlike[0] < first[0]):
            k = int(unlike[0])
            first = (k, float(rows.t[k]), name, float(old[k]), float(new[k]))
    result = Result(t=rows.t, columns=Columns([(names, columns)]), title="replayed")
    return Replayed(len(rows.t), first, result, lost)
