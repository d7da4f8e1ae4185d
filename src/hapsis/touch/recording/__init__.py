"""Recording, replay, and comparison with measurements."""

from hapsis.touch.recording.compare import Agreement, Comparison, compare
from hapsis.touch.recording.measured import measured
from hapsis.touch.recording.record import record
from hapsis.touch.recording.recorder import Recorder, Stream
from hapsis.touch.recording.recording import Recording, read_recording
from hapsis.touch.recording.replay import Replayed, replay

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


def __dir__() -> list[str]:
    return __all__
