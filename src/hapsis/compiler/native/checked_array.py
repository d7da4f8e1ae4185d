"""Arrays with checked indices, for native functions that run as Python."""

from typing import Any

import numpy as np


class CheckedArray(np.ndarray):
    """A view of the same memory; a negative or too large index raises an IndexError with the array's name."""

    label: str = "array"

    def __array_finalize__(self, obj: Any) -> None:
        self.label = getattr(obj, "label", "array")

    def __getitem__(self, index: Any) -> Any:
        self._check(index)
        return np.ndarray.__getitem__(self, index)

    def __setitem__(self, index: Any, value: Any) -> None:
        self._check(index)
        np.ndarray.__setitem__(self, index, value)

    def _check(self, index: Any) -> None:
        if isinstance(index, int | np.integer) and not 0 <= index < len(self):
            raise IndexError(f"{self.label}[{index}] is outside of its {len(self)} elements")


class CheckedSequence(tuple[Any, ...]):
    """Kernels by index; a negative or too large one raises an IndexError."""

    label: str = "sequence"

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, int | np.integer) and not 0 <= index < len(self):
            raise IndexError(f"{self.label}[{index}] is outside of its {len(self)} elements")
        return tuple.__getitem__(self, index)


def checked_array(array: np.ndarray, label: str) -> np.ndarray:
    """The array with its indices checked; `label` names it in messages."""
    if isinstance(array, CheckedArray):
        return array
    view = array.view(CheckedArray)
    view.label = label
    return view
