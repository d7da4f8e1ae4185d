"""Expressions and Functions as readable text: formulas and straight-line listings.

Names are printed only if they are short plain identifiers, so that no name can corrupt a listing;
others are printed as `x0`, `x1`, ... Generated code contains no names (see the backends).
"""

import re
from typing import TYPE_CHECKING, Any

from hapsis.compiler.ir.functions.verbs import verb
from hapsis.compiler.ir.graph import ops
from hapsis.compiler.ir.graph.cost import independent
from hapsis.compiler.ir.graph.graph import Graph
from hapsis.compiler.ir.graph.ops import KINDS

if TYPE_CHECKING:
    from hapsis.compiler.ir.functions.function import Function, Port
    from hapsis.compiler.ir.graph.expr import Expr

_PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_.\[\],]{0,39}\Z")
# limits of a formula on one line: nodes, levels, coordinates in a short angle
LONGEST, DEEPEST, LONGEST_ANGLE = 400, 80, 16
_INFIX = {ops.ADD: "+", ops.SUB: "-", ops.LT: "<", ops.LE: "<=", ops.EQ: "=="}


def plain(name: str, otherwise: str) -> str:
    """The name if it is short, ASCII and an identifier with dots or indices, else `otherwise`."""
    return name if _PLAIN.match(name) else otherwise


def number(value: float) -> str:
    """A number, as short as possible."""
    return str(int(value)) if value == int(value) and abs(value) < 1e6 else repr(value)


class Printer:
    """Writes references as formulas; `names` holds the nodes that are printed by name.

    `short` writes sines and cosines of coordinates as is usual in multibody dynamics: S2 for
    sin(q2), C24 for cos(q2 + q4).
    """

    def __init__(self, graph: Graph, names: dict[int, str] | None = None, short: bool = False):
        self.graph, self.names, self.short = graph, names or {}, short
        self._open = -1  # the named node whose definition is being written

    def text(self, ref: int) -> str:
        """The formula of a reference."""
        return self._sum(self._terms(ref))

    def definition(self, index: int) -> str:
        """The formula of a named node."""
        self._open = index
        text = self.text(index << 2)
        self._open = -1
        return text

    def _name(self, ref: int) -> str | None:
        """The name to print instead of a formula, if there is one."""
        return None if ref >> 2 == self._open else self.names.get(ref >> 2)

    def _sum(self, terms: list[int]) -> str:
        terms = sorted(terms, key=self._order)
        text = "".join((" - " if t & 1 else " + ") + self._product(t & -2) for t in terms)
        return text[3:] if text.startswith(" +") else "-" + text[3:]

    def _terms(self, ref: int) -> list[int]:
        node = self._inline(ref)
        if node and node[0] in (ops.ADD, ops.SUB):
            x, y = node[1] ^ (ref & 1), node[2] ^ (ref & 1) ^ (node[0] == ops.SUB)
            return self._terms(x) + self._terms(y)
        return [ref]

    def _factors(self, ref: int) -> list[int]:
        node = self._inline(ref)
        if node and node[0] == ops.MUL:
            return self._factors(node[1]) + self._factors(node[2])
        return [ref]

    def _product(self, ref: int) -> str:
        factors = sorted(self._factors(ref), key=self._order)
        return "*".join(self._atom(f) for f in factors)

    def _inline(self, ref: int) -> tuple[int, ...] | None:
        """The node to write out, unless it is a constant or printed by name."""
        return None if ref & 2 or self._name(ref) else self.graph.nodes[ref >> 2]

    def _order(self, ref: int) -> tuple[Any, ...]:
        """[Robotran] equation 14: constants and masses before lengths, forces, coordinates, then
        sines and cosines by their coordinate, products factor by factor, then the rest."""
        if ref & 2:
            return (-1, (), ref)
        node = self._inline(ref)
        if node is None:
            return (len(KINDS) + 1, (), ref)
        if node[0] in (ops.SYMBOL, ops.PARAMETER):
            table = self.graph.symbols if node[0] == ops.SYMBOL else self.graph.parameters
            return (KINDS.index(table[node[1]].kind), (table[node[1]].name,), ref)
        if node[0] in (ops.SIN, ops.COS):
            return (len(KINDS), (self._coordinates(node[1]), node[1], node[0] == ops.SIN), ref)
        if node[0] == ops.MUL:
            factors = sorted(self._order(f) for f in self._factors(ref))
            return (len(KINDS) + 1, tuple(factors), ref)
        return (len(KINDS) + 2, (), ref)

    def _atom(self, ref: int) -> str:
        """A factor: parenthesised when it is a sum or carries a sign."""
        if ref & 2:
            text = number(self.graph.value(ref & -2))
            return f"(-{text})" if ref & 1 else text
        text = self._name(ref) or self._node(self.graph.nodes[ref >> 2], ref & -2)
        return f"(-{text})" if ref & 1 else text

    def _node(self, node: tuple[int, ...], ref: int) -> str:
        op = node[0]
        if op in (ops.SYMBOL, ops.PARAMETER):
            table, letter = (self.graph.symbols, "x") if op == ops.SYMBOL else (self.graph.parameters, "p")
            return plain(table[node[1]].name, f"{letter}{node[1]}")
        if op in (ops.ADD, ops.SUB):
            return f"({self.text(ref)})"
        if op == ops.MUL:
            return self._product(ref)
        if op == ops.DIV:
            return f"{self._atom(node[1])}/{self._bracketed(node[2])}"
        if op in _INFIX:
            return f"({self.text(node[1])} {_INFIX[op]} {self.text(node[2])})"
        if op in (ops.SIN, ops.COS) and self.short and (angle := self._angle(node[1])):
            return ("S" if op == ops.SIN else "C") + angle
        if op == ops.BLOCK:
            block = self.graph.blocks[node[1]]
            kind = {"Call": ""}.get(type(block).__name__, type(block).__name__.lower() + " ")
            what = kind + plain(block.body.name, "function")
            what = "masked " * (getattr(block, "mask", None) is not None) + what
            return f"{what}({', '.join(self.text(r) for r in node[2:])})"
        if op == ops.OUT:
            only = self.graph.blocks[self.graph.nodes[node[2] >> 2][1]].n_out == 1
            return self._atom(node[2]) + ("" if only else f"[{node[1]}]")
        if op == ops.LOOKUP:
            return f"table{node[1]}({self.text(node[2])})"
        return f"{ops.NAMES[op]}({', '.join(self.text(r) for r in node[1:])})"

    def _bracketed(self, ref: int) -> str:
        text = self._atom(ref)
        node = self._inline(ref)
        return f"({text})" if node and node[0] in (ops.MUL, ops.DIV) else text

    def _angle(self, ref: int) -> str:
        """24 for q2 + q4, 2p14 for q2 + q14; empty when the angle is anything else."""
        numbers = self._coordinates(ref)
        return ("" if all(n < 10 for n in numbers) else "p").join(map(str, numbers))

    def _coordinates(self, ref: int) -> tuple[int, ...]:
        """(2, 14) for q2 + q14; empty when the angle is no plain sum of numbered symbols."""
        numbers: list[int] = []
        left = [ref]
        while left:
            term = left.pop()
            node = (-1, -1) if term & 3 else self.graph.nodes[term >> 2]
            if node[0] == ops.ADD and len(left) < LONGEST_ANGLE:
                left += node[1:]
                continue
            name = self.graph.symbols[node[1]].name if node[0] == ops.SYMBOL else ""
            match = re.fullmatch(r"[a-z](\d+)", name)
            if not match or len(numbers) >= LONGEST_ANGLE:
                return ()
            numbers.append(int(match[1]))
        return tuple(sorted(numbers))


@verb
def formula(expression: "Expr", short: bool = False) -> str:
    """The formula of an expression; for one too long or too deep only the number of operations.

    short   write S2 for the sine of the second coordinate and the like"""
    graph, ref = expression.graph, expression.ref
    live = graph.live([ref])
    length: dict[int, int] = {}
    depth: dict[int, int] = {}
    for index in live:
        inner = [r >> 2 for r in graph.operands(index) if not r & 2]
        # shared parts are written out each time
        length[index] = 1 + sum(length[i] for i in inner)
        depth[index] = 1 + max((depth[i] for i in inner), default=0)
    if live and (length[live[-1]] > LONGEST or depth[live[-1]] > DEEPEST):
        return f"<expression of {len(live)} nodes>"
    return Printer(graph, short=short).text(ref)


def _temporaries(function: "Function", alone: bytearray) -> dict[int, str]:
    """{node: name} of the nodes that get their own line: used twice, a block, a long formula, or the
    last that depends on parameters alone."""
    graph = function.graph
    uses: dict[int, int] = {}
    bridges: set[int] = set()
    readers = [(alone[index], graph.operands(index)) for index in function.live]
    for once, refs in (*readers, (0, function.output_refs)):
        for ref in refs:
            if not ref & 2:
                uses[ref >> 2] = uses.get(ref >> 2, 0) + 1
                if not once:
                    bridges.add(ref >> 2)
    names: dict[int, str] = {}
    length: dict[int, int] = {}
    for index in function.live:
        op = graph.nodes[index][0]
        length[index] = 1 + sum(length[r >> 2] for r in graph.operands(index) if not r & 2)
        prepared = alone[index] and index in bridges
        if op == ops.BLOCK or (op > ops.OUT and (uses[index] > 1 or length[index] > 24 or prepared)):
            letter = "w" if prepared else "t"
            names[index] = f"{letter}{len(names)}"
            length[index] = 1
    return names


def _index(shape: tuple[int, ...], position: int) -> str:
    """`[2]` or `[0,2]`: the index of the scalar number `position` of a port."""
    places: list[str] = []
    for length in reversed(shape):
        position, place = divmod(position, length)
        places.append(str(place))
    return f"[{','.join(reversed(places))}]" if shape else ""


def signature(function: "Function") -> str:
    """`name(x[3], t=0, p[2]) -> y[3]` on one line."""

    def ports(side: tuple["Port", ...], letter: str) -> str:
        return ", ".join(
            plain(port.name, f"{letter}{k}") + (str(list(port.shape)) if port.shape else "") + _default(port)
            for k, port in enumerate(side)
        )

    parameters = f"; p[{len(function.parameters)}]" if function.parameters else ""
    name = plain(function.name, "function")
    return f"{name}({ports(function.inputs, 'x')}{parameters}) -> {ports(function.outputs, 'y')}"


def _default(port: "Port") -> str:
    """`=0`, if all default numbers of an input are equal; `=...` for different ones; else empty."""
    if not port.default:
        return ""
    return f"={number(port.default[0])}" if len({*port.default}) == 1 else "=..."


def listing(function: "Function") -> str:
    """The Function as readable straight-line code: one line per shared value, then the outputs.

    What depends on parameters alone comes first: it is computed once for all calls.
    """
    alone = independent(function.graph, function.live)
    names = _temporaries(function, alone)
    printer = Printer(function.graph, names)
    lines = [signature(function) + ":"]
    once = [index for index in names if alone[index]]
    if once:
        lines.append("    # once for each set of parameters")
        lines += [f"    {names[index]} = {printer.definition(index)}" for index in once]
        lines.append("    # at each call")
    for index, name in names.items():
        if not alone[index]:
            lines.append(f"    {name} = {printer.definition(index)}")
    for k, port in enumerate(function.outputs):
        for j, ref in enumerate(port.refs):
            place = plain(port.name, f"y{k}") + _index(port.shape, j)
            lines.append(f"    {place} = {printer.text(ref)}")
    lines.append(f"    # {function.cost()}")
    return "\n".join(lines)
