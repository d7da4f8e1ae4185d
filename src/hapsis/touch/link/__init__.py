"""Recording, replay, and comparison with measurements."""

from hapsis.touch.link.compare import Agreement, Comparison, compare
from hapsis.touch.link.measured import measured
from hapsis.touch.link.record import record
from hapsis.touch.link.recorder import Recorder, Stream
from hapsis.touch.link.recording import Recording, read_recording
from hapsis.touch.link.replay import Replayed, replay

__all__ = [
    "Agreement",
    "Comparison",
    "Recorder",
    "Recording",
    "Replayed",
    "Stream",
    "compare",
    "measured",
    "read_recording",
    "record",
    "replay",
]
