"""The arithmetic in which every elementary function is written, and the registry of functions.

Left out: signed integers and integer products (no function here needs them), and exceptions or
rounding modes (round to nearest even is assumed everywhere).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

# a NumPy array, or a name in emitted text; the kinds are f64, f32, w64, w32 and mask.
Value = Any

SIGN = {"f64": 1 << 63, "f32": 1 << 31}


@dataclass(frozen=True)
class Function:
    """One elementary function: how many floats of which precision go in and come out, and how.

    `body(ar, *inputs)` returns a tuple of `outputs` values; `cold` marks a rarely run slow path.
    """

    name: str
    precision: str
    inputs: int
    outputs: int
    body: Callable[..., tuple[Value, ...]]
    cold: bool = False


@dataclass(frozen=True)
class Table:
    """A named constant table of doubles for `Arithmetic.lookup`."""

    name: str
    entries: tuple[float, ...]


class Arithmetic(Protocol):
    """What an elementary function may do with values; every operation rounds once, to nearest.

    Values carry the operators themselves, and Python numbers may stand on either side of one:
      floats  `+ - * /`, unary `-`, and `< <= > >=` giving masks (false for NaN);
      words   `+ - & | ^` modulo 2**64 (w64) or 2**32 (w32), `<<` and the logical `>>` by a
              Python int smaller than the width; word constants are never negative;
      masks   `& | ~`.
    Products and sums written with operators are never contracted: error-free transformations
    are safe.  Only `muladd` may fuse.
    """

    fma: bool

    def const(self, value: float, kind: str) -> Value:
        """A float constant of kind f64 or f32, alike in all lanes."""

    def muladd(self, a: Value, b: Value, c: Value) -> Value:
        """a*b + c, rounded once if `self.fma`, else after the product and after the sum."""

    def sqrt(self, a: Value) -> Value:
        """The correctly rounded square root."""

    def abs(self, a: Value) -> Value:
        """The value with its sign bit cleared."""

    def floor(self, a: Value) -> Value:
        """The greatest integer not above, as a float."""

    def eq(self, a: Value, b: Value) -> Value:
        """The mask of equal lanes; NaN equals nothing, so eq(x, x) tells numbers."""

    def select(self, mask: Value, yes: Value, no: Value) -> Value:
        """Lane by lane `yes` where the mask holds, else `no`; one of them must be a value."""

    def bits(self, a: Value) -> Value:
        """The IEEE representation as a word of the same width."""

    def from_bits(self, word: Value) -> Value:
        """The float with that IEEE representation."""

    def lookup(self, table: Table, index: Value) -> Value:
        """table[index] as f64 for a w64 index, which must lie inside the table in every lane."""

    def widen(self, a: Value) -> Value:
        """f32 to f64, exact."""

    def narrow(self, a: Value) -> Value:
        """f64 to f32, rounded to nearest."""

    def rare(self, mask: Value, fast: Sequence[Value], slow: Function, *inputs: Value) -> tuple[Value, ...]:
        """`slow(*inputs)` in the lanes of the mask, `fast` elsewhere.

        If no lane is in the mask this costs one branch.  The slow function may be run on lanes
        outside the mask too: it must be harmless there.
        """
        ...


REGISTRY: dict[tuple[str, str], Function] = {}


def define(
    name: str, precision: str, inputs: int, outputs: int, cold: bool = False
) -> Callable[[Callable[..., tuple[Value, ...]]], Function]:
    """Decorator: put a generic body into the registry, under its name and precision."""

    def register(body: Callable[..., tuple[Value, ...]]) -> Function:
        function = Function(name, precision, inputs, outputs, body, cold)
        REGISTRY[name, precision] = function
        return function

    return register


def define_by_widening(wide: Function) -> Function:
    """Register the f32 version of an f64 function: widen, compute in f64, narrow once.

    The f64 error is about 2**-29 of an f32 ulp, so the narrowing alone (half an ulp) counts.
    """

    def body(ar: Arithmetic, *inputs: Value) -> tuple[Value, ...]:
        return tuple(ar.narrow(v) for v in wide.body(ar, *(ar.widen(v) for v in inputs)))

    return define(wide.name, "f32", wide.inputs, wide.outputs)(body)
