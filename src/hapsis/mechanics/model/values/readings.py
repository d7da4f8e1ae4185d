"""What laws read by name: `s["elbow"]`, `s["hand.tip.x"]`, `s["floor.force"]`, and the time `s.t`."""

from collections.abc import Mapping
from typing import Any, final

from hapsis.errors import CompileError

READINGS_NAME = "s"  # the parameter of a law that is given its readings


SINCE = "since"  # the name of the time since the phase of a hybrid began


class PhaseReadings:
    """What can be read besides names: how far one frame is ahead of another, the time since a phase began."""

    def __getitem__(self, name: str) -> Any:
        raise NotImplementedError

    def ahead(self, frame: str, of: str) -> Any:
        """How far a frame is ahead of another one along x of the world, m."""
        return self[f"{frame}.x"] - self[f"{of}.x"]

    @property
    def since(self) -> Any:
        """The time since the phase began, s; of hybrids only."""
        return self[SINCE]


@final
class Readings(PhaseReadings, Mapping[str, Any]):
    """Signals by name, each computed when it is read, and the time as `t`.

    names   those that iteration gives
    read    a function of a name that returns the signal
    time    a function that returns the time
    """

    def __init__(self, names: Any, read: Any, time: Any) -> None:
        self._names, self._read, self._time = tuple(names), read, time

    @property
    def t(self) -> Any:
        """The time."""
        return self._time()

    def __getitem__(self, name: str) -> Any:
        return self._read(name)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):  # Python and NumPy look for such names
            raise AttributeError(name)
        raise CompileError(f'use s["{name}"], not s.{name}: signals are read by name')

    def __iter__(self) -> Any:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)
