"""Expressions and small Functions in LaTeX, for papers and notebooks.

Names appear if they are plain (see `printer`), indices and what follows a dot or an underscore
as subscripts; all others are numbered. Values used more than once get a line of their own.
"""

import re
from typing import TYPE_CHECKING

from numpy import ndindex

from hapsis.compiler.ir.functions.verbs import verb
from hapsis.compiler.ir.graph import ops
from hapsis.compiler.ir.graph.graph import Graph
from hapsis.compiler.ir.text.printer import number, plain
from hapsis.errors import CompileError

if TYPE_CHECKING:
    from hapsis.compiler.ir.functions.function import Function
    from hapsis.compiler.ir.graph.expr import Expr

LIMIT = 400  # nodes
_LONGEST = 20_000  # characters of one formula; shared parts are repeated, so it can grow exponentially
_GREEK = frozenset(
    "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi pi rho sigma tau "
    "upsilon phi chi psi omega Gamma Delta Theta Lambda Xi Pi Sigma Upsilon Phi Psi Omega".split()
)
_CALLS = {
    ops.SIN: r"\sin",
    ops.COS: r"\cos",
    ops.TAN: r"\tan",
    ops.ASIN: r"\arcsin",
    ops.ACOS: r"\arccos",
    ops.ATAN2: r"\operatorname{atan2}",
    ops.EXP: r"\exp",
    ops.LOG: r"\ln",
    ops.MIN: r"\min",
    ops.MAX: r"\max",
    ops.SIGN: r"\operatorname{sgn}",
}
_RELATIONS = {ops.LT: "<", ops.LE: r"\le", ops.EQ: "="}


@verb
def latex(what: "Expr | Function") -> str:
    """The formula of an expression, or the aligned equations of a Function.

    More than 400 nodes are a CompileError: nobody could read that.
    """
    # Function imports Expr, so a Function is recognised by an attribute to avoid a circular import
    if hasattr(what, "outputs"):
        return _equations(what)  # type: ignore[arg-type]
    expression: Expr = what  # type: ignore[assignment]
    live = expression.graph.live([expression.ref])
    _check(len(live))
    return Formula(expression.graph, leaf_names(expression.graph, live)).text(expression.ref)


def _check(size: int) -> None:
    if size > LIMIT:
        raise CompileError(f"{size} nodes are too many for LaTeX, which takes {LIMIT}: print smaller parts")


def leaf_names(graph: Graph, live: list[int]) -> dict[int, str]:
    """Names of the symbols and parameters among these nodes: plain ones their own, all distinct."""
    names: dict[int, str] = {}
    used: set[str] = set()
    for index in live:
        node = graph.nodes[index]
        if node[0] in (ops.SYMBOL, ops.PARAMETER):
            table, letter = (graph.symbols, "x") if node[0] == ops.SYMBOL else (graph.parameters, "p")
            name = plain(table[node[1]].name, f"{letter}{node[1]}")
            while name in used:
                name = f"{name[:30]}_{letter}{index}"
            used.add(name)
            names[index] = name
    return names


def label(name: str) -> str:
    """A plain name as LaTeX: q2 and q[2] are q with subscript 2, arm.mass is arm, mass."""
    words = [word for word in re.split(r"[._,\[\]]+", name) if word] or ["x"]
    match = re.fullmatch(r"([A-Za-z]+)(\d+)", words[0])
    if match:
        words[:1] = [match[1], match[2]]
    styled = [_word(word) for word in words]
    return styled[0] + (f"_{{{','.join(styled[1:])}}}" if len(styled) > 1 else "")


def _word(word: str) -> str:
    if word in _GREEK:
        return "\\" + word
    return word if len(word) == 1 or word.isdigit() else rf"\mathrm{{{word}}}"


class Formula:
    """Writes references as LaTeX; `names` holds the nodes that are written by name."""

    def __init__(self, graph: Graph, names: dict[int, str]) -> None:
        self.graph = graph
        self._texts: dict[int, str] = {}
        self._taken: set[str] = set()
        self._blocks: dict[int, int] = {}  # numbered as they come
        self._sums: set[int] = set()  # nodes whose text needs parentheses as a factor
        for index, name in names.items():
            self.name(index, name)

    def text(self, ref: int) -> str:
        """The formula of a reference."""
        if ref & 2:
            return _number(self.graph.value(ref))
        text = self._node(ref >> 2)
        if not ref & 1:
            return text
        return "-" + (_brackets(text) if ref >> 2 in self._sums else text)

    def name(self, index: int, name: str) -> None:
        """Write this node by name from now on; q2 and q[2] would look alike: one gets a prime."""
        text = label(name)
        while text in self._taken:
            text += "'"
        self._taken.add(text)
        self._texts[index] = text
        self._sums.discard(index)

    def named(self, index: int) -> str:
        """The name a node is written by."""
        return self._texts[index]

    def _node(self, index: int) -> str:
        text = self._texts.get(index)
        if text is None:
            text = self._texts[index] = self._written(index)
            if len(text) > _LONGEST:
                raise CompileError(
                    "the formula is too long for LaTeX: make a Function of it, which prints "
                    "values that are used twice on lines of their own"
                )
        return text

    def _written(self, index: int) -> str:
        op, *refs = self.graph.nodes[index]
        if op in (ops.ADD, ops.SUB):
            self._sums.add(index)
            second = refs[1] ^ (op == ops.SUB)
            tail = self._factor(second & -2) if second & 1 else self.text(second)
            return f"{self.text(refs[0])} {'-' if second & 1 else '+'} {tail}"
        if op == ops.MUL and refs[0] == refs[1]:
            return f"{self._base(refs[0])}^{{2}}"
        if op == ops.MUL:
            joint = r" \cdot " if refs[1] & 2 else r"\,"
            return joint.join(self._factor(ref) for ref in refs)
        if op == ops.DIV:
            return rf"\frac{{{self.text(refs[0])}}}{{{self.text(refs[1])}}}"
        if op == ops.BLOCK:
            texts = r",\, ".join(self.text(ref) for ref in refs[1:])
            number_of = self._blocks.setdefault(refs[0], len(self._blocks))
            return rf"\operatorname{{block}}_{{{number_of}}}" + _brackets(texts)
        if op == ops.OUT:
            return f"{_brackets(self.text(refs[1]))}_{{{refs[0]}}}"
        if op == ops.LOOKUP:
            return rf"\operatorname{{table}}_{{{refs[0]}}}" + _brackets(self.text(refs[1]))
        return self._function(op, refs)

    def _function(self, op: int, refs: list[int]) -> str:
        texts = [self.text(ref) for ref in refs]
        if op == ops.SQRT:
            return rf"\sqrt{{{texts[0]}}}"
        if op == ops.ABS:
            return rf"\left|{texts[0]}\right|"
        if op == ops.FLOOR:
            return rf"\left\lfloor {texts[0]} \right\rfloor"
        if op == ops.POW:
            return f"{self._base(refs[0])}^{{{texts[1]}}}"
        if op in _RELATIONS:
            return rf"\left[{texts[0]} {_RELATIONS[op]} {texts[1]}\right]"
        if op == ops.SELECT:
            condition = texts[0] + ("" if texts[0].startswith(r"\left[") else r" \ne 0")
            return (
                rf"\begin{{cases}} {texts[1]} & \text{{if }} {condition} \\ "
                rf"{texts[2]} & \text{{otherwise}} \end{{cases}}"
            )
        return _CALLS[op] + _brackets(",".join(texts))

    def _base(self, ref: int) -> str:
        # of a power: only a name stands without brackets
        text = self.text(ref)
        return text if text in self._taken else _brackets(text)

    def _factor(self, ref: int) -> str:
        text = self.text(ref)
        inner = not ref & 2 and ref >> 2 in self._sums
        return _brackets(text) if inner or text.startswith("-") else text


def _brackets(text: str) -> str:
    return rf"\left({text}\right)"


def _number(value: float) -> str:
    text = number(value)
    mantissa, _, exponent = text.partition("e")
    return rf"{mantissa} \cdot 10^{{{int(exponent)}}}" if exponent else text


def _equations(function: "Function") -> str:
    """One line for each value used twice and each block, then one for each output."""
    graph, live = function.graph, function.live
    _check(len(live))
    formula = Formula(graph, leaf_names(graph, live))
    uses: dict[int, int] = {}
    for refs in (*(graph.operands(index) for index in live), function.output_refs):
        for ref in refs:
            if not ref & 2:
                uses[ref >> 2] = uses.get(ref >> 2, 0) + 1
    lines: list[str] = []
    for index in live:
        op = graph.nodes[index][0]
        if op == ops.BLOCK or (op > ops.OUT and uses[index] > 1):
            text = formula.text(index << 2)
            formula.name(index, f"t{len(lines)}")
            lines.append(f"{formula.named(index)} &= {text}")
    for k, port in enumerate(function.outputs):
        name = label(plain(port.name, f"y{k}"))
        for index, ref in zip(ndindex(*port.shape), port.refs, strict=True):
            place = name + (rf"\left[{','.join(map(str, index))}\right]" if port.shape else "")
            lines.append(f"{place} &= {formula.text(ref)}")
    return "\\begin{aligned}\n" + " \\\\\n".join(lines) + "\n\\end{aligned}\n"
