"""Notes from the motion of a hammer: it touches the string, and the faster, the louder.

A note begins in the row in which the touch begins; its loudness is the speed of the row before, for the
touch itself slows the hammer down. `CONTACT.touch.speed` of a step is the speed of a touch, in the row of the
touch alone: it is read there, or in the row before. The note ends in the first row after that in which the
key is not held.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from hapsis.compiler.ir.functions.verbs import verb
from hapsis.errors import ModelError
from hapsis.mechanics.model.values.numbers import real
from hapsis.touch.haptics.conditioning.stage import Array, array, positive, whole

ON, OFF, RELEASE = 0x90, 0x80, 64  # first bytes; the velocity of a release that is not measured
LAST = 127
OF_TOUCH = ".touch.speed"  # the end of names of signals that have a speed where something is touched
TURNING = "rad/s"


class Note(NamedTuple):
    """The beginning or the end of a note.

    time       s
    number     0 to 127, 60 is the middle C
    velocity   1 to 127
    on         whether it begins
    channel    0 to 15
    """

    time: float
    number: int
    velocity: int
    on: bool = True
    channel: int = 0

    @property
    def data(self) -> bytes:
        """The three bytes of its message."""
        return bytes(((ON if self.on else OFF) | self.channel, self.number, self.velocity))


@verb
@dataclass(frozen=True)
class Loudness:
    """The velocity of MIDI by the speed of a hammer, 1 at the softest and 127 at the loudest.

    softest, loudest   m/s

    Equal ratios of speed are equal steps, as loudness is heard: with 0.25 and 8 m/s, from a whisper to
    the hardest blow, a doubling is 25 steps. It never falls when the speed grows; beyond the ends it
    stays at 1 and 127.
    """

    softest: Any = 0.25
    loudest: Any = 8.0

    def __post_init__(self) -> None:
        for name in ("softest", "loudest"):
            object.__setattr__(self, name, positive(getattr(self, name), f"Loudness: {name}"))
        if self.loudest <= self.softest:
            raise ModelError(
                f"Loudness: from {self.softest:g} to {self.loudest:g} m/s", expected="the softest first"
            )

    def velocity(self, speed: Any) -> Any:
        """1 to 127 for a speed, or for each of several; a direction does not count."""
        size = np.abs(array(speed, "the speed"))
        if np.isnan(size).any():
            raise ModelError("a speed is missing, so that it has no velocity")
        v = np.clip(size, self.softest, self.loudest)
        steps = 1.0 + (LAST - 1) * np.log(v / self.softest) / np.log(self.loudest / self.softest)
        whole_steps = np.clip(np.rint(steps), 1, LAST).astype(int)
        return int(whole_steps) if whole_steps.ndim == 0 else whole_steps

    def speed(self, velocity: Any) -> Any:
        """m/s of a velocity from 1 to 127."""
        steps = array(velocity, "the velocity")
        if not ((steps >= 1) & (steps <= LAST)).all():
            raise ModelError("a velocity is not within its range", expected="1 to 127")
        found = self.softest * (self.loudest / self.softest) ** ((steps - 1.0) / (LAST - 1))
        return float(found) if found.ndim == 0 else found


@verb
@dataclass(frozen=True)
class Key:
    """A key with its hammer: the names of the signals that tell its notes.

    note       its number, 60 is the middle C
    touch      the signal that is above `touching` while the hammer is at the string: the force between them
    speed      the signal of the hammer's speed, m/s: `CONTACT.touch.speed`, or one that times `arm` is in m/s
    held       the signal that is above `lifted` while the damper is lifted: the damper, or the key
    arm        m from the hammer's pivot to the string where its speed is in rad/s; 1 if not given
    again      s after a stroke in which another touch is its bounce
    loudness   the velocity of a speed
    channel    0 to 15
    """

    note: Any
    touch: str
    speed: str
    held: str
    touching: Any = 0.0
    lifted: Any = 0.0
    arm: Any = None
    again: Any = 0.02
    loudness: Loudness = field(default_factory=Loudness)
    channel: Any = 0

    def __post_init__(self) -> None:
        object.__setattr__(self, "note", whole(self.note, "Key: the note", 0, LAST))
        object.__setattr__(self, "channel", whole(self.channel, "Key: the channel", 0, 15))
        for name in ("touching", "lifted", "arm"):
            if name != "arm" or self.arm is not None:
                object.__setattr__(self, name, real(getattr(self, name), f"Key: {name}"))
        if self.arm == 0.0:
            raise ModelError("Key: arm is zero")
        object.__setattr__(self, "again", positive(self.again, "Key: again", zero=True))
        if not isinstance(self.loudness, Loudness):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise ModelError("Key: the loudness", expected="a Loudness")

    @property
    def signals(self) -> tuple[str, str, str]:
        """The names of touch, speed and held."""
        return self.touch, self.speed, self.held


def check_unit(key: Key, unit: str) -> None:
    """Refuses a speed that is known to be one of turning, where the key has no arm."""
    if unit == TURNING and key.arm is None:
        raise ModelError(
            f'the speed "{key.speed[:60]}" is in rad/s, and loudness goes by m/s',
            remedy="give Key(arm=), the metres from the hammer's pivot to the string",
        )


class Strokes:
    """Finds the notes of one key in rows that come piece by piece; pieces of any size give the same."""

    def __init__(self, key: Key) -> None:
        self.key = key
        self.sounds = False
        self._struck = -np.inf  # when the last note began
        self._touched = True  # before the first row nothing is known: that is no stroke
        self._speed = np.nan

    def take(self, t: Array, touch: Array, speed: Array, held: Array) -> list[Note]:
        """The notes that begin and end in these rows."""
        if not len(t):
            return []
        key, found = self.key, []
        touched, released = touch > key.touching, ~(held > key.lifted)
        before = np.r_[self._touched, touched[:-1]]
        speeds = np.abs(np.r_[self._speed, speed[:-1]])
        if key.speed.endswith(OF_TOUCH):
            speeds = np.fmax(speeds, np.abs(speed))
        speeds = speeds * abs(1.0 if key.arm is None else key.arm)
        self._touched, self._speed = bool(touched[-1]), float(speed[-1])
        ends: Any = np.flatnonzero(released)
        first = 0  # row from which on the sounding note may end
        for row in map(int, np.flatnonzero(touched & ~before)):
            found += self._end(t, ends, first, row)
            if not np.isfinite(speeds[row]) or t[row] - self._struck < key.again:
                continue
            if self.sounds:
                found.append(self._off(t[row]))
            velocity = key.loudness.velocity(speeds[row])
            found.append(Note(float(t[row]), key.note, velocity, True, key.channel))
            self.sounds, self._struck, first = True, float(t[row]), row + 1
        return found + self._end(t, ends, first, len(t) - 1)

    def silence(self, t: float) -> list[Note]:
        """The end of the note that sounds, at that time."""
        return [self._off(t)] if self.sounds else []

    def _end(self, t: Any, ends: Any, first: int, last: int) -> list[Note]:
        """The end of the sounding note, if it lies in the rows from first to last."""
        place = int(np.searchsorted(ends, first))
        if self.sounds and place < len(ends) and ends[place] <= last:
            return [self._off(t[ends[place]])]
        return []

    def _off(self, t: float) -> Note:
        self.sounds = False
        return Note(float(t), self.key.note, RELEASE, False, self.key.channel)


def listed(keys: Any) -> list[Key]:
    """One key or several, as a list."""
    many: list[Any] = [keys] if isinstance(keys, Key) else []
    if not many and isinstance(keys, Iterable):
        many = list(keys)
    if not many or not all(isinstance(key, Key) for key in many):
        raise ModelError("notes are those of a Key, or of several")
    return many


def in_order(found: Sequence[Note]) -> list[Note]:
    """Notes by time; those of equal times as they were found."""
    return sorted(found, key=lambda note: note.time)


@verb
def notes(source: Any, keys: Any) -> list[Note]:
    """The notes in a record, in order of time.

    source   a result, or the report of a loop: anything with `source["t"]` and the signals of the keys
    keys     a `Key` or several

    A note that still sounds at the end of the record ends there.
    """
    t = _column(source, "t")
    if not np.isfinite(t).all() or (np.diff(t) < 0.0).any():
        raise ModelError("the times of a record of strokes must grow")
    found: list[Note] = []
    units = getattr(source, "units", {})
    for key in listed(keys):
        check_unit(key, units.get(key.speed, "") if isinstance(units, Mapping) else "")
        strokes = Strokes(key)
        found += strokes.take(t, *(_column(source, name, len(t)) for name in key.signals))
        found += strokes.silence(t[-1] if len(t) else 0.0)
    return in_order(found)


def _column(source: Any, name: str, rows: int | None = None) -> Array:
    """A signal of a record, as long as its times."""
    try:
        values = array(source[name], f'"{name[:60]}"')
    except (KeyError, IndexError, TypeError):
        raise ModelError(f'the record has no signal "{name[:60]}"') from None
    if values.ndim != 1 or rows not in (None, len(values)):
        expected = "a vector" if rows is None else f"{rows} numbers, as many as there are times"
        raise ModelError(f'"{name[:60]}" has the shape {values.shape}', expected=expected)
    return values
