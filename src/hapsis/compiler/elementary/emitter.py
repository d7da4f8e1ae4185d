"""The base of the arithmetics that emit text: named values with operators, and removal of dead code.

Left out: any optimisation beyond dropping unused results; compilers do that better.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from .arithmetic import Function, Table

FLOATS = ("f64", "f32")
WORD_OF = {"f64": "w64", "f32": "w32"}
FLOAT_OF = {"w64": "f64", "w32": "f32"}


class Named:
    """A value of emitted code: its kind and the text that names it, with Python's operators."""

    __slots__ = ("emitter", "kind", "text")

    def __init__(self, emitter: Emitter, kind: str, text: str) -> None:
        self.emitter, self.kind, self.text = emitter, kind, text

    def __add__(self, other: Any) -> Named:
        return self.emitter.binary("add", self, other)

    def __sub__(self, other: Any) -> Named:
        return self.emitter.binary("sub", self, other)

    def __mul__(self, other: Any) -> Named:
        return self.emitter.binary("mul", self, other)

    def __truediv__(self, other: Any) -> Named:
        return self.emitter.binary("div", self, other)

    # addition and multiplication commute, bit for bit
    __radd__, __rmul__ = __add__, __mul__

    def __rsub__(self, other: Any) -> Named:
        return self.emitter.binary("sub", other, self)

    def __rtruediv__(self, other: Any) -> Named:
        return self.emitter.binary("div", other, self)

    def __and__(self, other: Any) -> Named:
        return self.emitter.binary("and", self, other)

    def __or__(self, other: Any) -> Named:
        return self.emitter.binary("or", self, other)

    def __xor__(self, other: Any) -> Named:
        return self.emitter.binary("xor", self, other)

    def __lshift__(self, other: int) -> Named:
        return self.emitter.binary("shl", self, other)

    def __rshift__(self, other: int) -> Named:
        return self.emitter.binary("lshr", self, other)

    def __lt__(self, other: Any) -> Named:
        return self.emitter.compare("lt", self, other)

    def __le__(self, other: Any) -> Named:
        return self.emitter.compare("le", self, other)

    def __gt__(self, other: Any) -> Named:
        return self.emitter.compare("lt", other, self)

    def __ge__(self, other: Any) -> Named:
        return self.emitter.compare("le", other, self)

    def __neg__(self) -> Named:
        return self.emitter.unary("neg", self)

    def __invert__(self) -> Named:
        return self.emitter.unary("not", self)


@dataclass(frozen=True)
class Statement:
    """Emitted lines, the names they give and the names they use."""

    lines: tuple[str, ...]
    gives: tuple[str, ...]
    uses: tuple[str, ...]


@dataclass
class Needs:
    """What emitted code refers to outside itself: intrinsics or helpers, tables, functions."""

    helpers: set[str] = field(default_factory=set)
    tables: set[Table] = field(default_factory=set)
    functions: set[Function] = field(default_factory=set)

    def update(self, other: Needs) -> None:
        """Add the needs of another piece."""
        self.helpers |= other.helpers
        self.tables |= other.tables
        self.functions |= other.functions


class Emitter(ABC):
    """Base of the emitters: numbering, constants beside values, and the common operations.

    A subclass writes `literal`, `binary_text`, `compare_text`, `unary_text`, `intrinsic`,
    `cast` and the operations that have no common form (select, lookup, rare).
    """

    prefix = "t"

    def __init__(self, fma: bool) -> None:
        self.fma = fma
        self.needs = Needs()
        self.statements: list[Statement] = []
        self._count = 0

    def fresh(self, kind: str) -> Named:
        """A new name."""
        self._count += 1
        return Named(self, kind, f"{self.prefix}{self._count}")

    def lift(self, value: Any, kind: str) -> Named:
        """The value itself, or a constant of that kind."""
        return value if isinstance(value, Named) else self.const(value, kind)

    def pair(self, a: Any, b: Any) -> tuple[Named, Named]:
        """Both operands as values of one kind, which one of them must tell."""
        kind = a.kind if isinstance(a, Named) else b.kind
        a, b = self.lift(a, kind), self.lift(b, kind)
        if a.kind != b.kind:
            raise TypeError(f"operands of kinds {a.kind} and {b.kind}")
        return a, b

    def put(self, result: Named, text: str, *uses: Named) -> Named:
        """Append `text`, which computes `result` from `uses`."""
        self.statements.append(Statement((text,), (result.text,), tuple(u.text for u in uses)))
        return result

    def live_lines(self, results: Sequence[Named]) -> list[str]:
        """The lines that the results depend on, in order."""
        needed = {r.text for r in results}
        live: list[Statement] = []
        for statement in reversed(self.statements):
            if needed.intersection(statement.gives):
                needed.update(statement.uses)
                live.append(statement)
        return [line for statement in reversed(live) for line in statement.lines]

    # ------------------------------------------------------------------ common operations

    def const(self, value: float | int, kind: str) -> Named:
        """A constant; it has a literal in place of a name."""
        return Named(self, kind, self.literal(value, kind))

    def binary(self, operation: str, a: Any, b: Any) -> Named:
        """a (operation) b by its LLVM name without the f of floats."""
        a, b = self.pair(a, b)
        result = self.fresh(a.kind)
        return self.put(result, self.binary_text(operation, result, a, b), a, b)

    def compare(self, relation: str, a: Any, b: Any) -> Named:
        """The mask of a (lt, le or eq) b."""
        a, b = self.pair(a, b)
        result = self.fresh("mask")
        return self.put(result, self.compare_text(relation, result, a, b), a, b)

    def unary(self, operation: str, a: Named) -> Named:
        """neg of a float or not of a mask."""
        result = self.fresh(a.kind)
        return self.put(result, self.unary_text(operation, result, a), a)

    def eq(self, a: Any, b: Any) -> Named:
        """The mask of equal lanes."""
        return self.compare("eq", a, b)

    def muladd(self, a: Any, b: Any, c: Any) -> Named:
        """a*b + c, fused or not."""
        if not self.fma:
            return a * b + c
        kind = next(v.kind for v in (a, b, c) if isinstance(v, Named))
        return self.intrinsic("fma", *(self.lift(v, kind) for v in (a, b, c)))

    def sqrt(self, a: Named) -> Named:
        """The square root."""
        return self.intrinsic("sqrt", a)

    def abs(self, a: Named) -> Named:
        """The size."""
        return self.intrinsic("fabs", a)

    def floor(self, a: Named) -> Named:
        """The integer below."""
        return self.intrinsic("floor", a)

    def bits(self, a: Named) -> Named:
        """The representation as a word."""
        return self.cast("bitcast", a, WORD_OF[a.kind])

    def from_bits(self, word: Named) -> Named:
        """The float of a representation."""
        return self.cast("bitcast", word, FLOAT_OF[word.kind])

    def widen(self, a: Named) -> Named:
        """f32 to f64."""
        return self.cast("fpext", a, "f64")

    def narrow(self, a: Named) -> Named:
        """f64 to f32."""
        return self.cast("fptrunc", a, "f32")

    # --------------------------------------------------------------- left to the subclasses

    @abstractmethod
    def literal(self, value: float | int, kind: str) -> str:
        """The text of a constant."""

    @abstractmethod
    def binary_text(self, operation: str, result: Named, a: Named, b: Named) -> str:
        """The line that computes `result` from a and b."""

    @abstractmethod
    def compare_text(self, relation: str, result: Named, a: Named, b: Named) -> str:
        """The line that compares a and b."""

    @abstractmethod
    def unary_text(self, operation: str, result: Named, a: Named) -> str:
        """The line that negates a."""

    @abstractmethod
    def intrinsic(self, name: str, *inputs: Named) -> Named:
        """A call of sqrt, fabs, floor or fma."""

    @abstractmethod
    def cast(self, name: str, a: Named, kind: str) -> Named:
        """A bitcast, fpext or fptrunc to the kind."""
