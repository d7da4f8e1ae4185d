"""Source text in languages whose functions take and return arrays: Python and MATLAB.

This file traverses a Function and its blocks; a `Language` defines the syntax of calls, items and the
loops of blocks.
"""

from collections.abc import Sequence
from typing import Protocol

from hapsis.compiler.backends.interface import Entry
from hapsis.compiler.backends.script.straightline import Dialect, Pieces, Values
from hapsis.compiler.ir.functions.blocks import Block, Map, Repeat
from hapsis.compiler.ir.functions.function import Function, Port
from hapsis.compiler.ir.functions.tables import Table
from hapsis.compiler.ir.graph import ops
from hapsis.compiler.passes.pipeline import prepared


class Language(Protocol):
    """The syntax in which the languages differ."""

    dialect: Dialect

    def item(self, array: str, index: Sequence[int], shape: tuple[int, ...]) -> str:
        """One number of an array of that shape; of shape () it is the array's name alone."""
        ...

    def table(self, name: str, numbers: Table) -> str:
        """The text that defines a table of numbers, called `name`."""
        ...

    def array(self, texts: Sequence[str]) -> str:
        """A flat array of these."""
        ...

    def body(self, name: str, lines: Sequence[str], results: Sequence[str]) -> str:
        """The function `name` from flat array x to flat array y."""
        ...

    def map(self, name: str, body: str, block: Map) -> str:
        """The function of a map."""
        ...

    def repeat(self, name: str, body: str, block: Repeat) -> str:
        """The function of a repeat."""
        ...


class Script(Pieces):
    """A text in one language: its pieces, and which operations they use."""

    def __init__(self, language: Language, prefix: str, suffix: str = "") -> None:
        super().__init__(prefix, suffix)
        self.language = language
        self.used: set[str] = set()  # operations, by name

    def lines(self, function: Function, inputs: Sequence[str]) -> tuple[list[str], list[str]]:
        """The lines of a prepared Function, and the texts of its results."""
        values = Values(function, inputs, self.language.dialect, self.table)
        nodes, lines = function.graph.nodes, list[str]()
        for index in function.live:
            op = nodes[index][0]
            if op == ops.BLOCK:
                name = self.block(function.graph.blocks[nodes[index][1]])  # type: ignore[arg-type]
                result = values.new_name()
                values.arrays[index] = self._items(result)
                operands = [values.text(ref) for ref in nodes[index][2:]]
                lines.append(values.dialect.line.format(result, f"{name}({self.language.array(operands)})"))
            elif op == ops.OUT:
                values.out(index)
            elif index not in values.texts:
                lines += values.define(index)
        self.used |= values.used
        return lines, [values.text(ref) for ref in function.output_refs]

    def _items(self, result: str):
        return lambda j: self.language.item(result, (j,), (0,))

    def write_table(self, name: str, numbers: Table) -> str:
        """Writes a table."""
        self.pieces.append(self.language.table(name, numbers))
        return name

    def write_loop(self, name: str, body: str, block: Block) -> str:
        """Writes the function of a map or repeat."""
        write = self.language.map if isinstance(block, Map) else self.language.repeat
        self.pieces.append(write(name, body, block))  # type: ignore[arg-type]
        return name

    def write_body(self, name: str, function: Function) -> str:
        """Writes the function of a block's body."""
        ready = prepared(function)
        lines, results = self.lines(ready, [self._items("x")(slot) for slot in range(ready.n_in)])
        self.pieces.append(self.language.body(name, lines, results))
        return name

    def written(self, entry: Entry) -> tuple[list[str], list[str]]:
        """The lines of an exported Function, and the texts of its results."""
        return self.lines(prepared(entry.function), input_texts(entry, self.language))


def input_texts(entry: Entry, language: Language) -> list[str]:
    """The texts of all flat inputs, parameters last."""
    texts = [
        language.item(name, index, port.shape)
        for name, port in zip(entry.inputs, entry.function.inputs, strict=True)
        for index in indices(port.shape)
    ]
    return texts + [language.item("p", (place,), (0,)) for place in entry.places]


def by_output(function: Function, results: Sequence[str]) -> list[tuple[Port, Sequence[str]]]:
    """Each output with the texts of its numbers, row by row."""
    parts: list[tuple[Port, Sequence[str]]] = []
    start = 0
    for port in function.outputs:
        parts.append((port, results[start : start + len(port.refs)]))
        start += len(port.refs)
    return parts


def indices(shape: tuple[int, ...]) -> list[tuple[int, ...]]:
    """All indices of an array of that shape, row by row."""
    places: list[tuple[int, ...]] = [()]
    for length in shape:
        places = [(*index, j) for index in places for j in range(length)]
    return places


def rows(texts: Sequence[str], separator: str, per_row: int = 8) -> list[str]:
    """Texts joined to rows of a few each, so that lines stay short."""
    return [separator.join(texts[k : k + per_row]) for k in range(0, len(texts), per_row)]
