"""Expressions: Python operators and NumPy functions on references into a graph.

A scalar is an `Expr`; a vector or matrix is a NumPy array of them, so indexing, slicing, `@` and
broadcasting are NumPy's own. `sin`, `where`, `minimum`, ... take numbers, expressions and arrays
of either, so a force law can be used with both.
"""

import threading
import weakref
from collections.abc import Callable
from typing import Any

import numpy as np

from hapsis.compiler.ir.functions.verbs import verb
from hapsis.compiler.ir.graph import ops
from hapsis.compiler.ir.graph.fold import value, values
from hapsis.compiler.ir.graph.graph import Graph, negated
from hapsis.compiler.ir.graph.immutable import Immutable
from hapsis.compiler.ir.graph.ops import KINDS
from hapsis.errors import CompileError, near

Array = np.ndarray[Any, np.dtype[Any]]  # of Expr objects, or of numbers


_new = object.__new__  # skips __init__: a third of the time of a small operation


class Expr(Immutable):
    """A scalar expression: a `graph` and a reference `ref` into it. Immutable; compare with `same`.

    `==`, `<`, ... build comparisons (1.0 or 0.0); to branch on one use `where`, never `if`.
    """

    __slots__ = ("graph", "ref")
    graph: Graph
    ref: int
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, graph: Graph, ref: int) -> None:
        self.graph = graph
        self.ref = ref

    def __reduce__(self) -> Any:
        return Expr, (self.graph, self.ref)

    def __add__(self, other: Any) -> Any:
        if other.__class__ is Expr and other.graph is self.graph:
            new = _new(Expr)
            new.graph = graph = self.graph
            new.ref = graph.add(self.ref, other.ref)
            return new
        return apply(ops.ADD, self, other)

    def __sub__(self, other: Any) -> Any:
        if other.__class__ is Expr and other.graph is self.graph:
            new = _new(Expr)
            new.graph = graph = self.graph
            new.ref = graph.sub(self.ref, other.ref)
            return new
        return apply(ops.SUB, self, other)

    def __mul__(self, other: Any) -> Any:
        if other.__class__ is Expr and other.graph is self.graph:
            new = _new(Expr)
            new.graph = graph = self.graph
            new.ref = graph.mul(self.ref, other.ref)
            return new
        return apply(ops.MUL, self, other)

    def __truediv__(self, other: Any) -> Any:
        return apply(ops.DIV, self, other)

    def __pow__(self, other: Any) -> Any:
        return apply(ops.POW, self, other)

    def __radd__(self, other: Any) -> Any:
        return apply(ops.ADD, other, self)

    def __rsub__(self, other: Any) -> Any:
        return apply(ops.SUB, other, self)

    def __rmul__(self, other: Any) -> Any:
        return apply(ops.MUL, other, self)

    def __rtruediv__(self, other: Any) -> Any:
        return apply(ops.DIV, other, self)

    def __rpow__(self, other: Any) -> Any:
        return apply(ops.POW, other, self)

    def __neg__(self) -> "Expr":
        return _wrap(self.graph, negated(self.ref))

    def __pos__(self) -> "Expr":
        return self

    def __abs__(self) -> "Expr":
        return _wrap(self.graph, self.graph.node(ops.ABS, self.ref))

    def __lt__(self, other: Any) -> Any:
        return apply(ops.LT, self, other)

    def __le__(self, other: Any) -> Any:
        return apply(ops.LE, self, other)

    def __gt__(self, other: Any) -> Any:
        return apply(ops.LT, other, self)

    def __ge__(self, other: Any) -> Any:
        return apply(ops.LE, other, self)

    def __eq__(self, other: Any) -> Any:
        return apply(ops.EQ, self, other)

    def __ne__(self, other: Any) -> Any:
        return 1.0 - apply(ops.EQ, self, other)

    # on comparisons: and, or, not
    def __and__(self, other: Any) -> Any:
        return _truth(self) * _truth(other)

    def __or__(self, other: Any) -> Any:
        return apply(ops.MAX, _truth(self), _truth(other))

    def __invert__(self) -> Any:
        return 1.0 - _truth(self)

    __rand__, __ror__ = __and__, __or__

    def __bool__(self) -> bool:
        raise CompileError(
            "an expression has no truth value yet: use hs.where(condition, a, b) instead of if, "
            "& | ~ instead of and, or, not, and hs.minimum, hs.maximum, hs.clip on arrays"
        )

    def __float__(self) -> float:
        if not self.ref & 2:
            raise CompileError("an expression is not a number yet: compile a Function of it and call that")
        return self.graph.value(self.ref)

    def __int__(self) -> int:
        return int(float(self))

    def __index__(self) -> int:
        raise CompileError("an expression is no index yet: use hs.table(values)(x) instead of values[x]")

    def __round__(self, digits: int | None = None) -> Any:
        raise CompileError("an expression cannot be rounded by round(): use hs.floor(x + 0.5)")

    def __floordiv__(self, other: Any) -> Any:
        raise CompileError("an expression cannot be divided by //: use hs.floor(x / y)")

    def __mod__(self, other: Any) -> Any:
        raise CompileError("an expression has no %: use x - y * hs.floor(x / y)")

    __rfloordiv__, __rmod__, __divmod__, __rdivmod__ = __floordiv__, __mod__, __mod__, __mod__

    def __format__(self, spec: str) -> str:
        return format(str(self), spec) if not spec or spec[-1] == "s" else format(float(self), spec)

    def __repr__(self) -> str:
        from hapsis.compiler.ir.text.printer import formula

        return formula(self)

    def arctan(self) -> "Expr":
        """What numpy.arctan calls on the elements of an array."""
        return apply(ops.ATAN2, self, 1.0)

    def arctan2(self, other: Any) -> Any:
        """What numpy.arctan2 calls on the elements of an array."""
        return apply(ops.ATAN2, self, other)

    def tanh(self) -> "Expr":
        """What numpy.tanh calls on the elements of an array."""
        from hapsis.compiler.ir.graph.elementary_functions import tanh

        return tanh(self)

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
        from hapsis.compiler.ir.graph.elementary_functions import UFUNCS

        function = UFUNCS.get(ufunc)
        if function is None or method != "__call__" or options:
            raise CompileError(
                f"numpy.{ufunc.__name__} is not available on expressions; available: "
                + ", ".join(sorted(u.__name__ for u in UFUNCS))
            )
        return function(*inputs)


def _method(op: int) -> Callable[[Expr], Expr]:
    def method(self: Expr) -> Expr:
        """The expression; NumPy calls this on the elements of an array."""
        return _wrap(self.graph, self.graph.node(op, self.ref))

    return method


# numpy calls these on the elements of an array of objects
for _name, _op in {
    "sqrt": ops.SQRT,
    "sin": ops.SIN,
    "cos": ops.COS,
    "tan": ops.TAN,
    "arcsin": ops.ASIN,
    "arccos": ops.ACOS,
    "exp": ops.EXP,
    "log": ops.LOG,
    "__floor__": ops.FLOOR,
}.items():
    setattr(Expr, _name, _method(_op))


def _wrap(graph: Graph, ref: int) -> Expr:
    new = _new(Expr)
    new.graph = graph
    new.ref = ref
    return new


def reference(graph: Graph, x: Any) -> int:
    """The reference of a number or an expression of this graph."""
    if isinstance(x, Expr):
        if x.graph is not graph:
            raise CompileError(
                "expressions of two graphs cannot be mixed: make all symbols in one thread, or "
                "call a Function with the other's expressions"
            )
        return x.ref
    return graph.constant(_number(x))


def apply(op: int, *operands: Any) -> Any:
    """The operation on numbers, expressions, or arrays of either (broadcast as NumPy does)."""
    graph = None
    for x in operands:
        if isinstance(x, Expr):
            graph = x.graph
        elif isinstance(x, np.ndarray | list | tuple):
            return _elementwise(op, operands)
    if graph is None:
        return value(op, tuple(_number(x) for x in operands))
    return _wrap(graph, graph.node(op, *(reference(graph, x) for x in operands)))


def _number(x: Any) -> float:
    try:
        if not isinstance(x, str):  # float("3") would be a number
            return float(x)
    except (TypeError, ValueError, OverflowError):
        pass
    raise CompileError(f"a {type(x).__name__} cannot be part of an expression: use numbers and expressions")


def _elementwise(op: int, operands: tuple[Any, ...]) -> Any:
    if all(map(_is_numbers, operands)):
        return values(
            op, [np.asarray(x if isinstance(x, np.ndarray) else _number(x), float) for x in operands]
        )
    arrays = [boxed(x) for x in operands]
    result = np.frompyfunc(lambda *xs: apply(op, *xs), len(arrays), 1)(*arrays)
    numbers = not any(isinstance(x, Expr) for x in np.asarray(result, dtype=object).ravel())
    return np.asarray(result, dtype=float) if numbers else result


def _is_numbers(x: Any) -> bool:
    """Whether x is a number, or an array of a type of real numbers."""
    kind: Any = getattr(x, "dtype", None)
    return isinstance(x, int | float) or (isinstance(x, np.ndarray) and kind.kind in "fiub")


def boxed(x: Any) -> Array:
    """An array of objects, from a list, an array or a single expression."""
    if not isinstance(x, Expr):
        try:
            array = np.asarray(x, dtype=object)
        except ValueError:
            array = None
        if array is None or any(map(_is_row, array.flat)):
            raise CompileError("the rows of an array must have the same length")
        return array
    box = np.empty((), dtype=object)
    box[()] = x
    return box


def _is_row(x: Any) -> bool:
    return isinstance(x, list | tuple | np.ndarray)


def _truth(x: Any) -> Any:
    """`x`, checked to be 1.0 or 0.0 by construction."""
    for item in [x] if isinstance(x, Expr) else np.asarray(x, dtype=object).ravel():
        if not (_is_truth(item.graph, item.ref) if isinstance(item, Expr) else item in (0, 1)):
            raise CompileError("& | ~ take comparisons such as (x < 0) & (y > 1)")
    return x


def _is_truth(graph: Graph, ref: int) -> bool:
    left, seen = [ref], {ops.ZERO, ops.ONE}
    while left:
        ref = left.pop()
        if ref in seen:
            continue
        seen.add(ref)
        op, *operands = (-1,) if ref & 2 else graph.nodes[ref >> 2]
        if op in (ops.MUL, ops.MAX) and not ref & 1:
            left += operands
        elif op == ops.SUB and operands[ref & 1] == ops.ONE:  # 1 - x, in either order on the edge
            left.append(operands[1 - (ref & 1)])
        elif op not in ops.COMPARISONS or ref & 1:
            return False
    return True


_current = threading.local()


def current_graph() -> Graph:
    """The graph to which new symbols of this thread are added.

    It lives as long as any of its expressions; after that the next symbol starts a new one.
    """
    held: weakref.ref[Graph] | None = getattr(_current, "graph", None)
    graph = held() if held else None
    if graph is None:
        graph = Graph()
        _current.graph = weakref.ref(graph)
    return graph


@verb
def symbol(name: str, kind: str = "other", graph: Graph | None = None) -> Expr:
    """A scalar input by name; `kind` (mass, length, force, coordinate, other) orders terms.

    graph   where it is written; the current one if not given
    """
    graph = graph or current_graph()
    return _wrap(graph, graph.symbol(_checked_name(name), _checked_kind(kind)))


@verb
def symbols(name: str, *shape: int, kind: str = "other", graph: Graph | None = None) -> Array:
    """A vector or matrix of scalar inputs, `name[0]`, `name[1]`, ... (row by row).

    shape   one or two numbers
    kind    mass, length, force, coordinate or other: orders terms
    graph   where they are written; the current one if not given
    """
    graph = graph or current_graph()
    if not shape or min(shape) < 0:
        raise CompileError(
            "symbols takes the lengths of its axes, as in hs.symbols('q', 7); for one scalar use hs.symbol"
        )
    name, kind = _checked_name(name), _checked_kind(kind)
    array = np.empty(shape, dtype=object)
    for index in np.ndindex(*shape):
        label = ",".join(map(str, index))
        array[index] = _wrap(graph, graph.symbol(f"{name}[{label}]", kind))
    return array


@verb
def parameter(name: str, value: float, kind: str = "other", graph: Graph | None = None) -> Expr:
    """A scalar with a stored value that a call may override: `f(x, p={name: 2.0})`.

    kind    mass, length, force, coordinate or other: orders terms
    graph   where it is written; the current one if not given
    """
    graph = graph or current_graph()
    number = _number(value)
    if not np.isfinite(number):
        raise CompileError(f'the value of parameter "{name[:80]}" must be finite, not {number}')
    return _wrap(graph, graph.parameter(_checked_name(name), number, _checked_kind(kind)))


def _checked_name(name: str) -> str:
    if not isinstance(name, str):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise CompileError(f"the name of a symbol is a text, not a {type(name).__name__}")
    return name


def _checked_kind(kind: str) -> str:
    if kind not in KINDS:
        raise CompileError(f'"{kind}" is no kind of symbol{near(kind, KINDS)}: use one of {", ".join(KINDS)}')
    return kind


@verb
def same(x: Expr, y: Expr) -> bool:
    """Whether the expressions x and y are the same node with the same sign."""
    return x.graph is y.graph and x.ref == y.ref
