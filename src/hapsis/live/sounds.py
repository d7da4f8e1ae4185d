"""Sounds of a page: contacts that ring when they are touched, as a hammer on a string does."""

import re
from collections.abc import Mapping
from typing import Annotated, Any

from hapsis.compiler.ir.functions.verbs import verb
from hapsis.compiler.ir.graph.immutable import frozen
from hapsis.errors import ModelError, near_or_all
from hapsis.mechanics.model.model import Model
from hapsis.mechanics.model.values.numbers import described, real

AsNote = Annotated[Any, "a note such as A4 or C#5, or a frequency in Hz"]
A4 = 440.0  # Hz
LOWEST, HIGHEST = 16.0, 8000.0  # Hz
_SEMITONES = {"C": -9, "D": -7, "E": -5, "F": -4, "G": -2, "A": 0, "B": 2}  # from A of the same octave
_NOTE = re.compile(r"([A-G])([#b]?)(-?[0-9])")


@verb
@frozen
class Sound:
    """What a page plays when a contact is touched: a struck string.

    note       "A4", "C#5", "Bb2", or a frequency in Hz
    damped_by  the contact of a damper that ends the sound while it touches
    """

    note: AsNote = "A4"
    damped_by: str | None = None

    def __post_init__(self) -> None:
        frequency = self.frequency
        if not LOWEST <= frequency <= HIGHEST:
            raise ModelError(
                f"the note {str(self.note)[:20]} has {frequency:g} Hz",
                expected=f"{LOWEST:g} to {HIGHEST:g} Hz",
            )
        if self.damped_by is not None and not isinstance(self.damped_by, str):  # pyright: ignore
            raise ModelError(f"damped_by must be the name of a contact, not {described(self.damped_by)}")

    @property
    def frequency(self) -> float:
        """Of its fundamental, in equal temperament, Hz."""
        if not isinstance(self.note, str):
            return real(self.note, "note")
        match = _NOTE.fullmatch(self.note)
        if match is None:
            raise ModelError(f'"{self.note[:20]}" is no note', expected="a letter, # or b, an octave: C#5")
        letter, sign, octave = match.groups()
        steps = _SEMITONES[letter] + {"": 0, "#": 1, "b": -1}[sign] + 12 * (int(octave) - 4)
        return A4 * 2.0 ** (steps / 12)


def touch_names(model: Model, sounds: Any) -> list[str]:
    """The outputs of a step that say when contacts with sounds, and their dampers, are touched; each once."""
    if not isinstance(sounds, Mapping):
        raise ModelError(f"sounds must be {{contact: hs.Sound}}, not {described(sounds)}")
    names: list[str] = []
    for contact, sound in sounds.items():
        if not isinstance(sound, Sound):
            raise ModelError(
                f'the sound of "{str(contact)[:60]}" must be an hs.Sound, not {described(sound)}'
            )
        for name in (contact, sound.damped_by):
            if name is None:
                continue
            if name not in model.contacts:
                hint = near_or_all(str(name), model.contacts, "contacts")
                raise ModelError(f'there is no contact "{str(name)[:60]}" that could sound{hint}')
        names += [f"{contact}.touch.time", f"{contact}.touch.speed"]
        if sound.damped_by is not None:
            names.append(f"{sound.damped_by}.gap")
    return list(dict.fromkeys(names))


def sound_table(sounds: Mapping[str, Sound], signals: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The sounds as a page reads them: see `view/web/src/live/package.ts`."""
    place = {signal["name"]: k for k, signal in enumerate(signals)}
    return [
        {
            "contact": contact,
            "note": str(sound.note) if isinstance(sound.note, str) else f"{sound.frequency:.4g} Hz",
            "frequency": sound.frequency,
            "time": place[f"{contact}.touch.time"],
            "speed": place[f"{contact}.touch.speed"],
            "damper": -1 if sound.damped_by is None else place[f"{sound.damped_by}.gap"],
        }
        for contact, sound in sounds.items()
    ]
