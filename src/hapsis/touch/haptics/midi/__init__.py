"""Notes of a keyboard whose hammers are simulated: from a record or a running loop, into a file or a port."""

from hapsis.touch.haptics.midi.midi_file import write
from hapsis.touch.haptics.midi.player import Player
from hapsis.touch.haptics.midi.ports import open_port
from hapsis.touch.haptics.midi.strokes import Key, Loudness, Note, notes

__all__ = ["Key", "Loudness", "Note", "Player", "notes", "open_port", "write"]


def __dir__() -> list[str]:
    return __all__
