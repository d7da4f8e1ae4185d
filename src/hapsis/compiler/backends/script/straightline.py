"""Straight-line source text, shared by all text backends: values get names, short ones are nested.

A `Dialect` is data: the syntax of each operation and of numbers. `Values` applies it to a prepared
Function. A short value that is used once is written inside the expression that uses it; all others get
a line and a neutral name `v0`, `v1`, ... Names given by the user are never used.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from hapsis.compiler.ir.functions.blocks import Block, Call
from hapsis.compiler.ir.functions.function import Function
from hapsis.compiler.ir.functions.function import size as shape_size
from hapsis.compiler.ir.functions.tables import Table
from hapsis.compiler.ir.graph import ops
from hapsis.compiler.ir.graph.ops import FIRST

LONGEST_NESTED = 40  # characters: a longer expression gets a line of its own

# templates that are no call: inside another expression they may need parentheses
ARITHMETIC: dict[int, str] = {
    ops.ADD: "{0} + {1}",
    ops.SUB: "{0} - {1}",
    ops.MUL: "{0}*{1}",
    ops.DIV: "{0}/{1}",
}
_SUMS = frozenset({ops.ADD, ops.SUB, *ops.COMPARISONS})


@dataclass(frozen=True)
class Dialect:
    """The syntax of operations and numbers in a language.

    Operations written as in `ARITHMETIC` are parenthesised where needed; all others must be atoms
    as they stand. Operands that a template names twice are never nested.
    """

    templates: Mapping[int, str]
    literal: Callable[[float], str]
    line: str  # with {0} the name and {1} the expression
    repeating: frozenset[int] = field(init=False)

    def __post_init__(self) -> None:
        twice = (op for op, text in self.templates.items() if text.count("{0}") > 1)
        pair = (op for op, text in self.templates.items() if text.count("{1}") > 1)
        object.__setattr__(self, "repeating", frozenset({*twice, *pair}))


class Values:
    """Texts of a prepared Function's values in one dialect, made in order of evaluation.

    `inputs` are the texts of its flat inputs. Nodes in `named` always get a line of their own.
    `table` gives the name of a table; the template of an entry has the index, that name and the
    last place of the table.
    """

    def __init__(
        self,
        function: Function,
        inputs: Sequence[str],
        dialect: Dialect,
        table: Callable[[Table], str],
        named: Iterable[int] = (),
    ) -> None:
        self.graph, self.dialect, self.table = function.graph, dialect, table
        self.texts = {r >> 2: t for r, t in zip(function.input_refs, inputs, strict=True)}
        self.arrays: dict[int, Callable[[int], str]] = {}  # block -> text of its result j
        self.used: set[str] = set()  # helpers, by the name of the operation
        self._loose: dict[int, int] = {}  # nested sums and products: node -> operation
        self._named = set(named)
        self._count = 0
        self._count_uses(function)

    def _count_uses(self, function: Function) -> None:
        graph, seen = self.graph, set[int]()
        for index in function.live:
            op = graph.nodes[index][0]
            for ref in graph.operands(index):
                if not ref & 2 and (ref >> 2 in seen or op in self.dialect.repeating):
                    self._named.add(ref >> 2)
                elif not ref & 2:
                    seen.add(ref >> 2)
        for ref in function.output_refs:
            if not ref & 2 and ref >> 2 in seen:
                self._named.add(ref >> 2)
            elif not ref & 2:
                seen.add(ref >> 2)

    def new_name(self) -> str:
        """The next free name."""
        self._count += 1
        return f"v{self._count - 1}"

    def text(self, ref: int, user: int | None = None) -> str:
        """The text of a reference, bracketed where the operation `user` needs that."""
        tight = user is not None
        if ref & 2:
            literal = self.dialect.literal(self.graph.value(ref))
            return f"({literal})" if tight and literal.startswith("-") else literal
        text, inner = self.texts[ref >> 2], self._loose.get(ref >> 2)
        if ref & 1:
            text = f"-{text}" if inner is None else f"-({text})"
            return f"({text})" if tight else text
        # a product inside a sum needs no brackets
        bare = inner is None or (user in _SUMS and inner not in _SUMS)
        return text if bare or not tight else f"({text})"

    def out(self, index: int) -> None:
        """Registers an OUT node: it has no line; its text is an entry of the block's results."""
        _, j, block = self.graph.nodes[index]
        self.texts[index] = self.arrays[block >> 2](j)

    def define(self, index: int) -> list[str]:
        """The line that computes a node, or none when its text is nested in another."""
        node = self.graph.nodes[index]
        op = node[0]
        self.used.add(ops.NAMES[op])
        template = self.dialect.templates[op]
        infix = template == ARITHMETIC.get(op)
        user = op if infix or op in self.dialect.repeating or op in ops.COMPARISONS else None
        texts = [self.text(ref, user) for ref in node[FIRST[op] :]]
        if op == ops.LOOKUP:
            table = self.graph.tables[node[1]]
            texts += [self.table(table), str(table.size - 1)]
        text = template.format(*texts)
        if index not in self._named and len(text) <= LONGEST_NESTED:
            self.texts[index] = text
            if infix:
                self._loose[index] = op
            return []
        self.texts[index] = name = self.new_name()
        return [self.dialect.line.format(name, text)]


class Pieces(ABC):
    """A text while it is written: tables and functions of blocks, each written on first use.

    `pieces` are their texts, ordered such that everything is defined before it is used.
    """

    def __init__(self, prefix: str, suffix: str = "") -> None:
        self.prefix, self.suffix = prefix, suffix
        self.pieces: list[str] = []
        self._names: dict[bytes, str] = {}
        self._counts = {"b": 0, "t": 0}  # functions of blocks, tables

    def block(self, block: Block) -> str:
        """The name of a block's function."""
        return self._named(block.digest, lambda: self._written_block(block))

    def body(self, function: Function) -> str:
        """The name of the function of a block's body."""
        return self._named(function.digest, lambda: self.write_body(self._new_name("b"), function))

    def table(self, numbers: Table) -> str:
        """The name of a table."""
        return self._named(numbers.digest, lambda: self.write_table(self._new_name("t"), numbers))

    def _named(self, digest: bytes, write: Callable[[], str]) -> str:
        if digest not in self._names:
            self._names[digest] = write()
        return self._names[digest]

    def _written_block(self, block: Block) -> str:
        body = self.body(block.body)
        return body if isinstance(block, Call) else self.write_loop(self._new_name("b"), body, block)

    def _new_name(self, kind: str) -> str:
        self._counts[kind] += 1
        return f"{self.prefix}{kind}{self._counts[kind] - 1}{self.suffix}"

    @abstractmethod
    def write_body(self, name: str, function: Function) -> str:
        """Writes the function `name` of a block's body, and returns the name."""

    @abstractmethod
    def write_loop(self, name: str, body: str, block: Block) -> str:
        """Writes the function `name` of a map or repeat of `body`, and returns the name."""

    @abstractmethod
    def write_table(self, name: str, numbers: Table) -> str:
        """Writes the table `name`, and returns the name."""


def shape_words(shape: tuple[int, ...]) -> str:
    """A shape in words: `1 number`, `3 numbers`, `3 x 2 numbers, row by row`."""
    if len(shape) > 1:
        return " x ".join(map(str, shape)) + " numbers, row by row"
    count = shape_size(shape)
    return "1 number" if count == 1 else f"{count} numbers"
