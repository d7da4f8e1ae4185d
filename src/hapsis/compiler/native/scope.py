"""The scope of a native function during translation: its variables, names, and conversions of values."""

import ast
from typing import Any, NoReturn, Protocol

from hapsis.compiler.native.definition import Definition, holds_names, number
from hapsis.compiler.native.record.record_layout import Field, Kind, Layout
from hapsis.compiler.native.writer import Value, Writer, constant
from hapsis.errors import near

NUMBERS = ("int", "float")


class Library(Protocol):
    """The interface through which functions of a module refer to each other (see `module`)."""

    checked: bool  # whether indices are compared with lengths

    def arity(self, definition: Definition, node: ast.AST, caller: "Scope") -> dict[str, int]:
        """The numbers of arguments of its Kernels; translates the function if need be."""
        ...

    def symbol(self, definition: Definition) -> str:
        """Its name in the module."""
        ...


class Scope:
    """The variables of a function.

    `slots` and `kinds` have each variable's memory and kind, `assigned` the variables that certainly
    have a value. `arity` has the number of arguments of each Kernel, by parameter or by `Field.key`.
    """

    def __init__(self, definition: Definition, writer: Writer, library: Library) -> None:
        self.definition, self.writer, self.library = definition, writer, library
        self.locals: set[str] = set()
        self.slots: dict[str, str] = {}
        self.kinds: dict[str, Kind] = {}
        self.assigned: set[str] = set()
        self.steady: dict[str, Value] = {}  # records that are parameters and never assigned
        self.arity: dict[str, int] = {}

    def fail(self, node: ast.AST, what: str, remedy: str = "") -> NoReturn:
        """An error at the line of a node."""
        line = getattr(node, "lineno", 1) - 1
        raise self.definition.error(what, line, remedy=remedy)

    def static(self, node: ast.expr) -> Any:
        """The object of a global name, or of a dotted one."""
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            owner = self.static(node.value)
            if not holds_names(owner) or not hasattr(owner, node.attr):
                what = f'there is no "{ast.unparse(node)}"'
                self.fail(node, what, "a dot follows a module or a class")
            return getattr(owner, node.attr)
        if not isinstance(node, ast.Name) or node.id in self.locals:
            self.fail(node, f'"{ast.unparse(node)}" is not known when the function is compiled')
        try:
            return self.definition.meaning(node.id)
        except (KeyError, ValueError):
            self.fail(node, f'there is no "{node.id}"{near(node.id, self.locals)}')

    def name(self, node: ast.Name) -> Value:
        """A variable, or a number known by name."""
        if node.id not in self.locals:
            return self.number(node)
        if node.id not in self.assigned or node.id not in self.kinds:
            what = f'"{node.id}" may have no value here'
            self.fail(node, what, "assign it on every way to this line")
        return self.writer.get(self.slots[node.id], self.kinds[node.id])

    def number(self, node: ast.expr) -> Value:
        """A number known when the function is compiled."""
        value = self.static(node)
        if not number(value):
            self.fail(node, f'"{ast.unparse(node)}" is no number: {type(value).__name__}')
        return self.literal(node, value)

    def literal(self, node: ast.AST, value: Any) -> Value:
        """A constant of the program."""
        if not number(value):
            self.fail(node, f"{value!r:.40} is no number, and only numbers are values here")
        if isinstance(value, int) and not -(2**63) <= value < 2**63:
            self.fail(node, f"{value} does not fit into 64 bits")
        return constant(value)

    def rooted(self, node: ast.expr) -> bool:
        """Whether a dotted name or an element begins with a variable of the function."""
        while isinstance(node, ast.Attribute | ast.Subscript):
            node = node.value
        return isinstance(node, ast.Name) and node.id in self.locals

    def field(self, node: ast.AST, record: Value, name: str) -> Field:
        """A field of a record."""
        if not isinstance(record.kind, Layout):
            self.fail(node, f"only records have fields, not {record.kind}")
        if name not in record.kind.fields:
            self.fail(node, record.kind.unknown(name))
        return record.kind.fields[name]

    def where(self, node: ast.AST) -> str:
        """A place of the program, as a fault names it."""
        line = getattr(node, "lineno", 1)
        return f"{self.definition.name}, line {line}: {ast.unparse(node)[:80]}"

    def assign(self, node: ast.AST, name: str, value: Value) -> None:
        """Gives a variable a value, and its kind if it is the first."""
        if name not in self.kinds:
            self.kinds[name], self.slots[name] = value.kind, self.writer.slot(value.kind)
        what = f'variable "{name}"'
        self.writer.put(self.slots[name], self.converted(node, value, self.kinds[name], what))
        self.assigned = self.assigned | {name}

    def counted(self, node: ast.AST, name: str, count: int) -> None:
        """Records the number of arguments of a Kernel; an error if another call has a different number."""
        before = self.arity.setdefault(name, count)
        if before != count:
            name = name.rpartition(".")[2]
            self.fail(node, f'Kernel "{name}" is called with {before} arguments and with {count}')

    def numeric(self, node: ast.AST, value: Value) -> Value:
        """The value, which must be an int or a float."""
        if value.kind not in NUMBERS:
            what = f"arithmetic needs int or float, not {value.kind}"
            self.fail(node, what, "use int()" if value.kind == "bool" else "")
        return value

    def alike(self, node: ast.AST, values: list[Value]) -> list[Value]:
        """Numbers of one kind: floats if one of them is."""
        kinds = {self.numeric(node, value).kind for value in values}
        return values if len(kinds) == 1 else [self.writer.as_float(value) for value in values]

    def converted(self, node: ast.AST, value: Value, kind: Kind, what: str) -> Value:
        """The value as the kind of its destination; only int becomes float by itself."""
        if value.kind == kind:
            return value
        if isinstance(value.kind, Layout) and value.kind.extends(kind):
            return value._replace(kind=kind)
        if (value.kind, kind) == ("int", "float"):
            return self.writer.as_float(value)
        numbers = ("bool", *NUMBERS)
        hint = f"write {kind}(...)" if kind in NUMBERS and value.kind in numbers else ""
        if (value.kind, kind) == ("float", "int"):
            hint += " here, or a float where it is first assigned"
        self.fail(node, f"{what} is {kind}, but the value is {value.kind}", hint)
