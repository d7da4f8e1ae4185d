"""State: the coordinates and speeds of a mechanism, by name."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from hapsis.compiler.ir.functions.float_array import float_array
from hapsis.compiler.ir.functions.verbs import verb
from hapsis.compiler.ir.graph.immutable import Immutable
from hapsis.errors import ModelError, near

Array = np.ndarray[Any, np.dtype[np.float64]]


@verb
class State(Immutable):
    """The coordinates `q` and speeds `v` of a model; `state["elbow"]`, `state["elbow.v"]`.

    Immutable: `q` and `v` are read-only. `report` is the report of the function that computed it.
    """

    __slots__ = ("_at", "coordinates", "q", "report", "speeds", "v")
    coordinates: tuple[str, ...]
    speeds: tuple[str, ...]
    q: Array
    v: Array
    report: Any

    def __init__(
        self, coordinates: Sequence[str], speeds: Sequence[str], q: Any, v: Any = None, report: Any = None
    ) -> None:
        names, rates = tuple(coordinates), tuple(speeds)
        q, v = _fixed(q, names, "q"), _fixed(np.zeros(len(rates)) if v is None else v, rates, "v")
        at = {name: (q, i) for i, name in enumerate(names)}
        at.update({name: (v, i) for i, name in enumerate(rates)})
        values = {"coordinates": names, "speeds": rates, "q": q, "v": v, "report": report, "_at": at}
        for name, value in values.items():
            object.__setattr__(self, name, value)

    def __setattr__(self, name: str, value: Any) -> None:
        raise ModelError("a State cannot be changed: make a new one")

    def __reduce__(self) -> Any:
        return State, (self.coordinates, self.speeds, self.q, self.v, self.report)

    def __getitem__(self, name: str) -> float:
        entry = self._at.get(name) if isinstance(name, str) else None  # pyright: ignore
        if entry is None:
            raise ModelError(f'there is no coordinate or speed "{str(name)[:60]}"{near(str(name), self._at)}')
        return float(entry[0][entry[1]])

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all coordinates and speeds."""
        return (*self.coordinates, *self.speeds)

    def _ipython_key_completions_(self) -> list[str]:
        return list(self.names)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, State):
            return NotImplemented
        names = (self.coordinates, self.speeds) == (other.coordinates, other.speeds)
        return names and np.array_equal(self.q, other.q) and np.array_equal(self.v, other.v)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        shown = [f"{n}={self[n]:.6g}" for n in self.coordinates[:7]]
        more = "" if len(self.coordinates) <= 7 else f", ... {len(self.coordinates)} coordinates"
        return f"State({', '.join(shown)}{more})"


def _fixed(x: Any, names: tuple[str, ...], what: str) -> Array:
    """A read-only copy as floats, one per name."""
    array = float_array(x)
    if array is None:
        raise ModelError(f"{what} must be {len(names)} numbers")
    if array.shape != (len(names),):
        raise ModelError(f"{what} must be {len(names)} numbers, not of shape {array.shape}")
    array.flags.writeable = False
    return array


# what verbs take as a state: one, values by name, or all coordinates
Start = State | Mapping[str, Any] | Sequence[float] | Array
