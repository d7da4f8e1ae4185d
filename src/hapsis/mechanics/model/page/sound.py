"""A sound of a page: what is heard when a contact is touched, as a hammer touches a string."""

import re
from typing import Annotated, Any

from hapsis.compiler.ir.functions.verbs import verb
from hapsis.compiler.ir.graph.immutable import frozen
from hapsis.errors import ModelError
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
