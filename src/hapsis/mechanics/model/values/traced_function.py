"""Python functions as graphs, so that facts with laws and drives can be pickled.

A law, a drive or an event may be any Python function, and most of them (lambdas, functions in
functions) cannot be pickled. They are only ever called with expressions, so that the graph of their
formulas is all that they are: a `TracedFunction` is called like the function and gives the same
expressions. Its arguments are of these kinds:

    NUMBER     a number or an expression
    VECTOR     three of them
    READINGS   s["elbow"], s["elbow.v"], s.t

What depends on more than its arguments (a state of its own, a random number) has no graph: a sampled
controller travels as the name of its function, or not at all.
"""

import inspect
import pickle
from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial
from math import prod
from types import BuiltinFunctionType, FunctionType, MethodType
from typing import Any, final

import numpy as np

from hapsis.compiler.ir.functions.function import Function
from hapsis.compiler.ir.graph.expr import Expr, reference, symbol
from hapsis.compiler.ir.graph.graph import Graph
from hapsis.compiler.ir.graph.immutable import Immutable
from hapsis.compiler.ir.graph.transplant import transplant
from hapsis.errors import Error, ModelError
from hapsis.mechanics.model.values.readings import PhaseReadings

NUMBER, VECTOR, READINGS = "number", "vector", "readings"
SHAPES = {  # ends of the names of signals that may have several numbers
    **dict.fromkeys(("force", "moment", "push", "position", "velocity", "angular_velocity", "p"), (3,)),
    "R": (3, 3),
}
PYTHON = (FunctionType, MethodType, BuiltinFunctionType, type(np.sin))
Argument = tuple[str, str, Any]  # name, kind, default
NONE = inspect.Parameter.empty


@final
class TracedFunction(Immutable):
    """A function of numbers, vectors and readings, given by the graph of its formulas.

    arguments  (name, kind, default) of each
    reads      (argument, name, shape) of what it reads; the name "" is the time
    graph      a Function of all numbers to all expressions of the result; None for a constant
    result     the result, with `Slot`s in place of expressions
    """

    def __init__(self, name: str, arguments: Sequence[Argument], function: Callable[..., Any]) -> None:
        self.__name__ = name
        self.arguments = tuple(arguments)
        flat, given, reads = _symbols(self.arguments, function)
        slots: list[Expr] = []
        self.result = _with_slots(given, slots)
        self.reads = tuple(reads)
        self.graph = None
        if slots:
            inputs = {"x": np.array([*flat], dtype=object)} if flat else {}
            self.graph = Function(name, inputs, {"y": np.array(slots, dtype=object)})

    @property
    def __signature__(self) -> inspect.Signature:
        kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
        return inspect.Signature(
            [inspect.Parameter(name, kind, default=value) for name, _, value in self.arguments]
        )

    def __call__(self, *positional: Any, **named: Any) -> Any:
        """The result for these arguments, as the function would return it."""
        values = self.__signature__.bind(*positional, **named)
        values.apply_defaults()
        if self.graph is None:
            return _filled(self.result, ())
        flat: list[Callable[[], Any]] = []  # in the order of the inputs of the graph
        for name, kind, _ in self.arguments:
            if kind == NUMBER:
                flat.append(partial(values.arguments.get, name))
            elif kind == VECTOR:
                flat += [partial(values.arguments[name].__getitem__, k) for k in range(3)]
        for argument, name, shape in self.reads:
            read = cache(partial(_read, values.arguments[argument], name))
            flat += [partial(_part, read, k) for k in range(prod(shape))] if shape else [read]
        return _filled(self.result, _outputs(self.graph, flat))

    @property
    def key(self) -> Any:
        """What it computes, for comparisons."""
        return repr((self.arguments, self.formula))

    @property
    def formula(self) -> Any:
        """The same without the defaults of its arguments."""
        digest = None if self.graph is None else (self.graph.digest, tuple(self.graph.parameters.items()))
        return repr(([argument[:2] for argument in self.arguments], self.reads, self.result, digest))

    def __eq__(self, other: object) -> bool:
        """Whether the other, a traced function or a Python function, has the same graph."""
        if isinstance(other, PYTHON):
            try:
                own = inspect.signature(other).parameters
                arguments = [(n, kind, x if x is NONE else own[n].default) for n, kind, x in self.arguments]
                other = TracedFunction(self.__name__, arguments, other)
            except Exception:  # of the other function, for these arguments
                return False
        return isinstance(other, TracedFunction) and self.key == other.key

    def __hash__(self) -> int:
        return hash(self.key)


class Slot(int):
    """The place of an expression among the outputs of a graph."""


@final
class _Recorder(PhaseReadings, Mapping[str, Any]):
    """Readings that write down what is read."""

    def __init__(self, argument: str, graph: Graph, vectors: bool) -> None:
        self.argument, self.graph, self.vectors = argument, graph, vectors
        self.values: dict[str, Any] = {}

    @property
    def t(self) -> Any:
        """The time."""
        return self._read("")

    def _read(self, name: str) -> Any:
        if name not in self.values:
            shape = SHAPES.get(name.rpartition(".")[2], ()) if self.vectors else ()
            ends = [f".{k}" if k else "" for k in range(prod(shape))]
            parts = [symbol(f"{self.argument}[{name}]{end}", graph=self.graph) for end in ends]
            self.values[name] = np.array(parts, dtype=object).reshape(shape) if shape else parts[0]
        return self.values[name]

    def __getitem__(self, name: str) -> Any:
        return self._read(name)

    def get(self, name: str, default: Any = None) -> Any:
        """Raises an error: the names are those of another model than this one."""
        raise ModelError("it asks which names there are")

    def __contains__(self, name: object) -> bool:
        return self.get(str(name))

    def __iter__(self) -> Any:
        return self.get("")

    def __len__(self) -> int:
        return self.get("")


def _read(readings: Any, name: str) -> Any:
    return readings[name] if name else readings.t


def _part(read: Callable[[], Any], k: int) -> Any:
    return np.ravel(np.array(read(), dtype=object))[k]


def _outputs(function: Function, inputs: Sequence[Callable[[], Any]]) -> Sequence[Any]:
    """The outputs: expressions if one of the inputs is, else numbers.

    An input is read where the graph needs it: so the nodes are those, in the order, of the function.
    """
    graph = next((x.graph for read in inputs if isinstance(x := read(), Expr)), None)
    if graph is None:
        numbers = [[read() for read in inputs]] if inputs else []
        from hapsis.compiler.backends.compile import compile

        return compile(function, "python")(*numbers).tolist()
    places = {ref >> 2: read for ref, read in zip(function.inputs[0].refs, inputs, strict=True)}

    def leaf(index: int) -> int:
        return reference(graph, places[index]())

    refs = transplant(function.graph, function.output_refs, graph, {}, leaf)
    for read in inputs:  # also what no output needs: a model whose law reads the time has that input
        read()
    return [Expr(graph, ref) for ref in refs]


def _symbols(arguments: Sequence[Argument], function: Callable[..., Any]) -> tuple[list[Any], Any, list[Any]]:
    """All symbols in a flat list, the function's result for them, and what it reads."""
    readings = any(kind == READINGS for _, kind, _ in arguments)
    try:
        return _called(arguments, function, False)
    except Exception:
        if not readings:
            raise
        return _called(arguments, function, True)


def _called(arguments: Sequence[Argument], function: Callable[..., Any], vectors: bool) -> Any:
    graph = Graph()
    flat: list[Any] = []
    given: dict[str, Any] = {}
    for name, kind, _ in arguments:
        if kind == READINGS:
            given[name] = _Recorder(name, graph, vectors)
        else:
            ends = ("",) if kind == NUMBER else (".x", ".y", ".z")
            parts = [symbol(f"{name}{end}", graph=graph) for end in ends]
            flat += parts
            given[name] = parts[0] if kind == NUMBER else tuple(parts)
    positional = [given.pop(name) for name, _, default in arguments if default is NONE]
    recorders = [x for x in positional if isinstance(x, _Recorder)]
    result = function(*positional, **given)
    reads: list[Any] = []
    for recorder in recorders:
        for name, value in recorder.values.items():
            reads.append((recorder.argument, name, np.shape(value)))
            flat += list(np.ravel(value)) if isinstance(value, np.ndarray) else [value]
    return flat, result, reads


def _with_slots(x: Any, slots: list[Expr]) -> Any:
    """The result with a Slot for each expression, which is appended to the list."""
    if isinstance(x, Expr):
        slots.append(x)
        return Slot(len(slots) - 1)
    if isinstance(x, Mapping):
        return {str(name): _with_slots(value, slots) for name, value in x.items()}
    if isinstance(x, list | tuple | np.ndarray):
        return tuple(_with_slots(value, slots) for value in x)
    if x is None or isinstance(x, bool | int | float | np.number):
        return x if x is None else float(x)
    raise ModelError(f"it gives a {type(x).__name__}")


def _filled(x: Any, values: Sequence[Any]) -> Any:
    if isinstance(x, Slot):
        return values[x]
    if isinstance(x, dict):
        return {name: _filled(value, values) for name, value in x.items()}
    return tuple(_filled(value, values) for value in x) if isinstance(x, tuple) else x


def portable(function: Any, arguments: Sequence[Argument] | None, what: str) -> Any:
    """What is pickled for a function: its graph, or itself if it can be found by its name.

    arguments    with which it is traced; None for a function that is not
    """
    if not isinstance(function, PYTHON):
        return function
    why = "it has no graph"
    if arguments is not None and not _ours(function):
        try:
            return TracedFunction(_name(function), arguments, function)
        except Exception as error:  # of the user's own function, called with expressions
            why = str(error.what if isinstance(error, Error) else error)
    try:
        pickle.dumps(function)
    except Exception:
        raise ModelError(
            f"{what} is a function that cannot be sent to another process or kept: {why}",
            remedy="define it with def in a module",
        ) from None
    return function


def arguments_of(function: Any, kinds: Sequence[str]) -> list[Argument]:
    """The first arguments of a function by name; its others keep their defaults."""
    try:
        names = [p.name for p in inspect.signature(function).parameters.values() if p.kind <= 1]
    except (TypeError, ValueError):
        names = []
    names += [f"x{k}" for k in range(len(names), len(kinds))]
    return [(name, kind, NONE) for name, kind in zip(names, kinds, strict=False)]


def _name(function: Any) -> str:
    return str(getattr(function, "__name__", type(function).__name__))


def _ours(function: Any) -> bool:
    return str(getattr(function, "__module__", "")).startswith("hapsis.")
