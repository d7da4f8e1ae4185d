"""Measured motion and force: columns by name from a table, a Result, a .csv, .npz or .mcap file."""

import os
from collections.abc import Iterable
from typing import Any

from hapsis.compiler.ir.functions.verbs import verb
from hapsis.errors import ModelError
from hapsis.mechanics.formats.file_text import path_of
from hapsis.motion.simulate.identification.observations import Observations
from hapsis.touch.recording.recording import Recording


@verb
def measured(data: Any, stream: str | None = None, columns: Iterable[str] | None = None) -> Observations:
    """The measured columns, with increasing times `t`.

    stream    of a recording: the stream to read; not needed if there is only one
    columns   those that are needed; all if not given
    """
    if isinstance(data, str | os.PathLike) and path_of(data).suffix.lower() == ".mcap":
        with Recording(data) as recording:
            return _rows(recording, stream, columns)
    if isinstance(data, Recording):
        return _rows(data, stream, columns)
    if stream is not None:
        raise ModelError("only a recording has streams", remedy="leave stream out")
    return Observations(data)


def _rows(recording: Recording, stream: str | None, columns: Iterable[str] | None) -> Observations:
    names = recording.names
    if stream is None and len(names) != 1:
        raise ModelError(
            f"the recording has {len(names)} streams",
            where=str(recording.path),
            expected=f"stream= one of {', '.join(names)[:200]}",
        )
    rows = recording.rows(stream or names[0])
    if len(rows.t) < 2:
        raise ModelError(f'the stream "{rows.title[:60]}" has {len(rows.t)} rows', where=str(recording.path))
    return Observations({"t": rows.t, **{n: rows[n] for n in columns or rows.names}})
