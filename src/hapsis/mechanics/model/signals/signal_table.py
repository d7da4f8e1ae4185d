"""The base of everything that has signals by name over time: results, reports, streams of recordings."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from hapsis.errors import ModelError, near

Array = np.ndarray[Any, np.dtype[np.float64]]


class SignalTable(ABC):
    """Signals by name: `table[name]` has one row per time `table["t"]`, in the unit `units[name]`."""

    units: Mapping[str, str]

    @property
    @abstractmethod
    def names(self) -> tuple[str, ...]:
        """The names of all signals."""

    @abstractmethod
    def __getitem__(self, name: str) -> Array:
        """The signal of that name."""

    def unit(self, name: str) -> str:
        """The unit of a signal by its name; empty where it has none."""
        from hapsis.mechanics.model.signals.column_units import unit_of

        return unit_of(self, name)

    def to_dataframe(self, library: str | None = None) -> Any:
        """A data frame with the column t and all signals, vectors as NAME.x, NAME.y, NAME.z.

        library   "pandas" or "polars"; the first of them that is installed if not given

        Of pandas, `frame.attrs["units"]` has the units by name.
        """
        from hapsis.mechanics.model.signals.data_frames import data_frame

        return data_frame(self, library)

    def to_xarray(self) -> Any:
        """An `xarray.Dataset` over t; vectors have the axis "xyz", wrenches "part". Needs xarray."""
        from hapsis.mechanics.model.signals.data_frames import dataset

        return dataset(self)

    def _ipython_key_completions_(self) -> list[str]:
        return ["t", *(name for name in self.names if name != "t")]


def unknown_signal(what: str, name: object, names: Sequence[str]) -> ModelError:
    """The error about a name that is no signal; `what` begins it, as in "the result has"."""
    return ModelError(
        f'{what} no "{str(name)[:60]}"{near(str(name), names)}',
        expected=f"one of {len(names)} names, as in {', '.join(names[:4])}",
    )
