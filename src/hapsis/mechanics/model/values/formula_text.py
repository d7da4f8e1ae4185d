"""The text of a traced function of readings: a formula of signals that gives the same expression again."""

from collections.abc import Callable
from typing import Any, final

from hapsis.compiler.ir.graph import ops
from hapsis.compiler.ir.graph.expr import reference
from hapsis.compiler.ir.graph.graph import Graph
from hapsis.errors import Error, ModelError
from hapsis.mechanics.model.values.formula import LONGEST_TEXT, NAME, RESERVED, TIME
from hapsis.mechanics.model.values.signal_formula import SignalCondition, SignalFormula
from hapsis.mechanics.model.values.traced_function import READINGS, TracedFunction, arguments_of

# how tightly parts of a text hold together, as in the grammar of `Formula`
SUM, PRODUCT, FACTOR, POWER, ATOM = range(5)
_INFIX = {ops.ADD: ("+", SUM), ops.SUB: ("-", SUM), ops.MUL: ("*", PRODUCT), ops.DIV: ("/", PRODUCT)}
_CALLS = {
    getattr(ops, name.upper()): name
    for name in ("sqrt", "sin", "cos", "tan", "asin", "acos", "atan2", "exp", "log", "abs", "min", "max")
}
_COMPARISONS = {ops.LT: ("<", ">"), ops.LE: ("<=", ">=")}
_VECTOR = ("x", "y", "z")

Part = tuple[str, int]  # a text, and how tightly it holds together


def formula_text(function: Callable[[Any], Any]) -> str:
    """The formula of a function of readings, such as the `when` of an event."""
    if isinstance(function, SignalFormula):
        return function.text
    writer = _Writer(function)
    return SignalFormula(writer.text(writer.ref, SUM)).text


def condition_texts(function: Callable[[Any], Any]) -> list[str]:
    """The comparisons of a function of readings, such as the `only` of an event; all must hold."""
    if isinstance(function, SignalCondition):
        return [function.text]
    writer = _Writer(function)
    return [SignalCondition(text).text for text in writer.conditions(writer.ref)]


@final
class _Writer:
    """Writes expressions of the graph of a function; `ref` is that of its result."""

    def __init__(self, function: Callable[[Any], Any]) -> None:
        traced = _traced(function)
        self.names: dict[int, str] = {}  # by node
        self._parts: dict[int, Part] = {}
        if traced.graph is None:
            self.graph = Graph()
            self.ref = reference(self.graph, traced.result)
            return
        if len(traced.graph.output_refs) != 1:
            raise ModelError("it gives more than one number")
        self.graph, self.ref = traced.graph.graph, traced.graph.output_refs[0]
        names = [name for read in traced.reads for name in _read_names(*read[1:])]
        refs = traced.graph.inputs[0].refs if traced.graph.inputs else ()
        self.names = {ref >> 2: name for ref, name in zip(refs, names, strict=True)}

    def text(self, ref: int, least: int) -> str:
        """The text of a reference, in parentheses where it would not hold together as tightly as asked."""
        text, holds = self._signed(ref)
        if len(text) > LONGEST_TEXT:
            raise ModelError("it is too long for a formula")
        return text if holds >= least else f"({text})"

    def conditions(self, ref: int) -> list[str]:
        """The comparisons that a reference is the conjunction of."""
        node = None if ref & 3 else self.graph.nodes[ref >> 2]
        if node and node[0] == ops.MUL:
            return [text for part in node[1:] for text in self.conditions(part)]
        if not node or node[0] not in _COMPARISONS:
            raise ModelError("it is not made of <, <=, > and >= that all must hold")
        first, second = (self.text(x, SUM) for x in node[1:])
        less, greater = _COMPARISONS[node[0]]
        return [f"{second} {greater} {first}" if len(first) < len(second) else f"{first} {less} {second}"]

    def _signed(self, ref: int) -> Part:
        if ref & 2:
            value = self.graph.value(ref)
            return repr(value), FACTOR if repr(value).startswith("-") else ATOM
        node = self.graph.nodes[ref >> 2]
        if ref & 1 and node[0] == ops.SUB:  # -(x - y) is y - x
            return f"{self.text(node[2], SUM)} - {self.text(node[1], PRODUCT)}", SUM
        text, holds = self._node(ref >> 2, node)
        return (text, holds) if not ref & 1 else (f"-{text if holds >= FACTOR else f'({text})'}", FACTOR)

    def _node(self, index: int, node: tuple[int, ...]) -> Part:
        if index not in self._parts:
            self._parts[index] = self._written(index, node)
        return self._parts[index]

    def _written(self, index: int, node: tuple[int, ...]) -> Part:
        op, operands = node[0], node[1:]
        if op == ops.SYMBOL:
            return _checked(self.names[index]), ATOM
        if op in _INFIX:
            sign, holds = _INFIX[op]
            return f"{self.text(operands[0], holds)} {sign} {self.text(operands[1], holds + 1)}", holds
        if op == ops.POW:
            return f"{self.text(operands[0], ATOM)}^{self.text(operands[1], FACTOR)}", POWER
        if op in _CALLS:
            return f"{_CALLS[op]}({', '.join(self.text(x, SUM) for x in operands)})", ATOM
        raise ModelError(f"formulas have no {ops.NAMES[op]}")


def _traced(function: Callable[[Any], Any]) -> TracedFunction:
    try:
        return TracedFunction("formula", arguments_of(function, (READINGS,)), function)
    except Error:
        raise
    except Exception as error:  # of the user's own function, called with expressions
        raise ModelError(str(error)) from None


def _read_names(name: str, shape: tuple[int, ...]) -> list[str]:
    """The names of the numbers of what is read; the name "" is the time."""
    if shape and shape != (3,):
        raise ModelError(f'it reads "{name[:60]}", which is no number and no vector')
    return [f"{name}.{part}" for part in _VECTOR] if shape else [name or TIME]


def _checked(name: str) -> str:
    if not NAME.fullmatch(name) or (name in RESERVED and name != TIME):
        raise ModelError(f'it reads "{name[:60]}", a name that formulas cannot have')
    return name
