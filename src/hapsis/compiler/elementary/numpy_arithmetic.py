"""The arithmetic on NumPy arrays, the reference interpreter; it has no fused multiply-add."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from .arithmetic import Function, Table, Value

FLOAT = {"f64": np.float64, "f32": np.float32}
_WORD = {np.dtype(np.float64): np.uint64, np.dtype(np.float32): np.uint32}
_OF_WORD = {np.dtype(np.uint64): np.float64, np.dtype(np.uint32): np.float32}


class NumpyArithmetic:
    """Arrays and NumPy scalars bring the operators; words are unsigned, so they wrap silently.

    Run it under `np.errstate(all="ignore")`: lanes that lose a select compute garbage.
    """

    fma = False

    def __init__(self) -> None:
        self._tables: dict[Table, np.ndarray] = {}

    def const(self, value: float, kind: str) -> Value:
        """A NumPy scalar."""
        return FLOAT[kind](value)

    def muladd(self, a: Value, b: Value, c: Value) -> Value:
        """Two roundings."""
        return a * b + c

    sqrt = staticmethod(np.sqrt)
    abs = staticmethod(np.abs)
    floor = staticmethod(np.floor)
    eq = staticmethod(np.equal)

    def select(self, mask: Value, yes: Value, no: Value) -> Value:
        """np.where."""
        if isinstance(mask, np.bool_):
            # scalars (constant folding) stay NumPy scalars: several times faster than 0-d arrays
            chosen, other = (yes, no) if mask else (no, yes)
            return chosen if isinstance(chosen, np.generic) else other.dtype.type(chosen)
        return np.where(mask, yes, no)

    def bits(self, a: Value) -> Value:
        """A view as unsigned words."""
        return a.view(_WORD[a.dtype])

    def from_bits(self, word: Value) -> Value:
        """A view as floats."""
        return word.view(_OF_WORD[word.dtype])

    def lookup(self, table: Table, index: Value) -> Value:
        """Fancy indexing."""
        if table not in self._tables:
            self._tables[table] = np.array(table.entries)
        return self._tables[table][index.astype(np.intp)]

    def widen(self, a: Value) -> Value:
        """astype."""
        return a.astype(np.float64)

    def narrow(self, a: Value) -> Value:
        """astype."""
        return a.astype(np.float32)

    def rare(self, mask: Value, fast: Sequence[Value], slow: Function, *inputs: Value) -> tuple[Value, ...]:
        """The slow function on the masked elements only."""
        if not mask.any():
            return tuple(fast)
        if isinstance(mask, np.bool_):
            return slow.body(self, *inputs)
        results = slow.body(self, *(np.asarray(v)[mask] for v in inputs))
        merged = []
        for quick, careful in zip(fast, results, strict=True):
            out = np.array(np.broadcast_to(quick, mask.shape))
            out[mask] = careful
            merged.append(out)
        return tuple(merged)
