"""Standard MIDI files, format 0: one track with the tempo and the notes.

    MThd  6  format 0  1 track  ticks of a quarter
    MTrk  length   00 FF 51 03 microseconds of a quarter   (delta, message)...   00 FF 2F 00

Numbers are big-endian; a delta has seven bits in a byte, the highest bit set in all but the last.
Every time is rounded by itself, so that no error adds up.
"""

import math
import operator
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from hapsis.compiler.ir.functions.verbs import verb
from hapsis.errors import ModelError
from hapsis.mechanics.model.values.numbers import described
from hapsis.touch.haptics.conditioning.stage import positive, whole
from hapsis.touch.haptics.midi.strokes import LAST, Note

MOST_TICKS = 0x7FFF  # of a quarter
LONGEST = 0x0FFFFFFF  # ticks from one event to the next
SLOWEST = 0xFFFFFF  # microseconds of a quarter


@verb
def write(path: Any, notes: Iterable[Note], *, ticks: int = 960, tempo: Any = 120.0) -> Path:
    """Writes notes as a standard MIDI file, and returns its path.

    ticks   of a quarter
    tempo   quarters in a minute; with 960 ticks and a tempo of 120 a tick has 0.52 ms
    """
    if not isinstance(path, str | os.PathLike):
        raise ModelError(f"the path of a file must be a text, not {described(path)}")
    path = Path(os.fspath(path))
    data = file_bytes(notes, ticks, tempo)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    except OSError as problem:
        raise ModelError(f"{path} cannot be written: {problem.strerror or problem}") from None
    return path


def file_bytes(notes: Iterable[Note], ticks: int = 960, tempo: Any = 120.0) -> bytes:
    """The bytes of the file."""
    ticks = whole(ticks, "the ticks of a quarter", 1, MOST_TICKS)
    quarter = round(60e6 / positive(tempo, "the tempo"))
    if not 1 <= quarter <= SLOWEST:
        raise ModelError(f"a quarter has {quarter} µs", expected=f"1 to {SLOWEST}")
    track = bytearray(b"\x00\xff\x51\x03" + quarter.to_bytes(3, "big"))
    now = 0
    timed = [(_tick(note, ticks * 1e6 / quarter), note) for note in notes]
    for tick, note in sorted(timed, key=lambda pair: pair[1].time):  # of equal times as they were given
        track += _variable(tick - now) + note.data
        now = tick
    track += b"\x00\xff\x2f\x00"
    head = b"MThd" + (6).to_bytes(4, "big") + b"".join(x.to_bytes(2, "big") for x in (0, 1, ticks))
    return head + b"MTrk" + len(track).to_bytes(4, "big") + bytes(track)


def _tick(note: Any, per_second: float) -> int:
    """The tick of a note; an error if a file cannot hold it."""
    if not isinstance(note, Note):
        raise ModelError(f"a file holds notes of hs.haptics.midi, not {type(note).__name__}")
    least = 1 if note.on else 0  # a note that begins with 0 would be its end
    try:
        number, velocity, channel = map(operator.index, (note.number, note.velocity, note.channel))
        fits = 0 <= number <= LAST and least <= velocity <= LAST and 0 <= channel <= 15
        fits = fits and math.isfinite(note.time) and note.time >= 0.0
    except TypeError:  # no numbers
        fits = False
    if not fits:
        raise ModelError(
            f"a file cannot hold {note!r:.100}",
            expected="a time from 0, a number to 127, a velocity from 1 to 127, a channel to 15",
        )
    return round(note.time * per_second)


def _variable(delta: int) -> bytes:
    """A number in seven bits a byte."""
    if delta > LONGEST:
        raise ModelError(
            f"{float(delta):.3g} ticks lie between two notes", expected=f"{LONGEST} at most; take fewer ticks"
        )
    parts = [delta & 0x7F]
    while delta := delta >> 7:
        parts.append((delta & 0x7F) | 0x80)
    return bytes(reversed(parts))
