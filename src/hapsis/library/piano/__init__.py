"""The action of a grand piano, its regulation, motions of a finger, and the keys of other instruments."""

from hapsis.library.piano import strokes
from hapsis.library.piano.action import grand_action
from hapsis.library.piano.other_keys import harpsichord_key, organ_key
from hapsis.library.piano.regulation import Regulation, regulate
from hapsis.library.piano.samples import Samples, play, sampled

__all__ = [
    "Regulation",
    "Samples",
    "grand_action",
    "harpsichord_key",
    "organ_key",
    "play",
    "regulate",
    "sampled",
    "strokes",
]
