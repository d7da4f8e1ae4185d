"""The memory layout of a record, from the annotations of its class.

    int, float, bool     8 bytes in the head (a bool as 0 or 1)
    Array, Ints          16 bytes: address and length; the elements are after the head or elsewhere
    Kernels              16 bytes: address of the addresses of tables, and their number
    Kernel, a record     8 bytes: address

The head of a parent class is the beginning of that of its children.
"""

import ast
import inspect
import operator
import typing
from functools import cache
from typing import Any, ClassVar, NamedTuple, get_origin

from hapsis.compiler.native.builtins_python import Array, Ints, Kernel, Kernels
from hapsis.errors import CompileError, near

Kind = typing.Union[str, "Layout"]
KINDS = {"int": int, "float": float, "bool": bool, "Array": Array, "Ints": Ints}
KINDS |= {"Kernel": Kernel, "Kernels": Kernels}
SCALARS = ("int", "float", "bool")
_BYTES = {"Array": 16, "Ints": 16, "Kernels": 16}


class Sized(NamedTuple):
    """An array that is allocated with its record; `count` is a formula of int fields."""

    count: str


class Inside(NamedTuple):
    """A record that is allocated with its parent; the formulas give its int fields."""

    values: dict[str, str]


class Later(NamedTuple):
    """A reference that may be given after construction."""


class Constant(NamedTuple):
    """A number that never changes after construction."""

    default: float


class Field(NamedTuple):
    """One field: its kind, its place in the head, what was written behind its annotation.

    `key` names it and the class that declares it. `fixed`: it never changes after construction.
    """

    name: str
    kind: Kind
    offset: int
    key: str
    given: Any
    fixed: bool


class Layout:
    """The fields of a record class, in order; `bytes` is the size of its head.

    `sizes` has the names of the int fields that occur in formulas of sizes.
    """

    def __init__(self, record: type) -> None:
        self.record, self.name = record, record.__name__
        parent = next((layout for base in record.__bases__ if (layout := layout_of(base))), None)
        self.fields: dict[str, Field] = dict(parent.fields) if parent else {}
        self.bytes = parent.bytes if parent else 0
        hints = inspect.get_annotations(record)
        if any(isinstance(hint, str) for hint in hints.values()):
            hints = typing.get_type_hints(record)  # takes its time
        own = [
            name
            for name in inspect.get_annotations(record)
            if get_origin(hints[name]) is not ClassVar and hints[name] is not ClassVar
        ]
        sizes = {name for n in own for text in _formulas(vars(record).get(n)) for name in _names(text)}
        for name in own:
            if name in self.fields:
                raise self.error(name, "stands in the parent class already")
            kind, given = self._kind(name, hints[name]), vars(record).get(name)
            self._fits(name, kind, given)
            key = f"{record.__module__}.{record.__qualname__}.{name}"
            fixed = isinstance(given, Constant) or name in sizes
            self.fields[name] = Field(name, kind, self.bytes, key, given, fixed)
            self.bytes += _BYTES.get(str(kind), 8)
        for name in sorted(sizes):
            field = self.fields.get(name)
            if field is None or field.kind != "int":
                raise self.error(name, "gives a size, but is no int field" + near(name, self.fields))
            if not field.fixed:
                raise self.error(name, f"gives a size, so {field.key} must be declared as constant()")
        self.sizes = tuple(sorted(sizes.union(parent.sizes if parent else ())))
        self._text = ""

    def _kind(self, name: str, hint: Any) -> Kind:
        for kind, annotation in KINDS.items():
            if hint == annotation:
                return kind
        layout = layout_of(hint)
        if layout is None:
            expected = f"one of {', '.join(KINDS)}, or a record"
            raise self.error(name, f"cannot be {hint}", expected=expected)
        return layout

    def _fits(self, name: str, kind: Kind, given: Any) -> None:
        """Raises an error if the default of a field does not fit its annotation."""
        right = given is None
        if kind in SCALARS:
            right = right or isinstance(given, int | float | Constant)
        elif kind in ("Array", "Ints"):
            right = right or isinstance(given, Sized | Later)
        else:
            right = right or isinstance(given, Later if isinstance(kind, str) else Inside)
        if not right:
            raise self.error(name, f"is {kind} and cannot be {given!r:.60}")

    def error(self, name: str, what: str, **more: str) -> CompileError:
        """An error about a field."""
        return CompileError(f'field "{name}" of record {self.name} {what}', **more)

    def unknown(self, name: str) -> str:
        """The message about a field that is not there."""
        return f'record {self.name} has no field "{name[:60]}"{near(name, self.fields)}'

    def extends(self, other: Kind) -> bool:
        """Whether this is another record's layout, or one that begins with it."""
        return isinstance(other, Layout) and issubclass(self.record, other.record)

    def __str__(self) -> str:
        return self.name

    def __repr__(self) -> str:
        """Everything that machine code depends on."""
        if not self._text:
            facts = [(f.key, f.name, f.kind, f.offset, f.fixed) for f in self.fields.values()]
            self._text = f"record {self.record.__module__}.{self.record.__qualname__} {self.bytes} {facts!r}"
        return self._text


def layout_of(thing: Any) -> Layout | None:
    """The layout of a record class; None for anything else."""
    return vars(thing).get("record_layout") if isinstance(thing, type) else None


def _formulas(given: Any) -> list[str]:
    if isinstance(given, Sized):
        return [given.count]
    return list(given.values.values()) if isinstance(given, Inside) else []


def _names(text: str) -> set[str]:
    """The names in a formula of ints."""
    return {node.id for node in ast.walk(_formula(text)) if isinstance(node, ast.Name)}


@cache
def _formula(text: str) -> ast.expr:
    return ast.parse(text, mode="eval").body


_SIGNS = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.FloorDiv: operator.floordiv,
}


def size(text: str, values: dict[str, int]) -> int:
    """The value of a formula such as "rows * size + 1", of int fields with + - * //."""

    def value(node: ast.expr) -> int:
        match node:
            case ast.Constant(value=int() as number):
                return number
            case ast.Name():
                return int(values[node.id])
            case ast.BinOp() if type(node.op) in _SIGNS:
                return _SIGNS[type(node.op)](value(node.left), value(node.right))
        raise CompileError(f'"{text[:60]}" is no size', expected="ints and int fields with + - * //")

    return value(_formula(text))
