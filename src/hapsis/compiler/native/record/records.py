"""Records: named numbers, arrays, Kernels and records in memory that NumPy and machine code share.

    @record
    class Motion:
        size: int                         # gives a size: never changes after construction
        t: float                          # 0 unless it is given
        y: Array = sized("size")          # allocated with the record
        samples: Array = later()          # a reference: empty, or given; may be exchanged
        f: Kernel                         # what `bound` returns
        ring: Ring = inside(rows="size")  # a record of its own, allocated with this one or given

    motion = Motion(size=3, f=f)
    motion.t += 0.5                       # NumPy's numbers and arrays
    place(motion, "t")                    # the memory of a number, as an array of one

A native function with a parameter of a record class takes objects of its children, too. The memory
of a record never moves, and the record keeps alive what it refers to.
"""

import copy
from functools import cache, lru_cache
from typing import Any, NamedTuple, TypeVar, dataclass_transform

import numpy as np

from hapsis.compiler.native.kernels import Table
from hapsis.compiler.native.record import record_fields
from hapsis.compiler.native.record.record_fields import Block, member
from hapsis.compiler.native.record.record_layout import (
    SCALARS,
    Constant,
    Field,
    Inside,
    Later,
    Layout,
    Sized,
    layout_of,
    size,
)
from hapsis.errors import CompileError

T = TypeVar("T")
_ALIGNMENT = 64  # bytes: a line of the cache


def sized(count: str) -> Any:
    """An array that is allocated with its record; as long as a formula of int fields says."""
    return Sized(count)


def inside(**values: str | int) -> Any:
    """A record that is allocated with its parent; formulas of the parent's ints give its own."""
    return Inside({name: str(value) for name, value in values.items()})


def later() -> Any:
    """An array, Kernel or Kernels that may be left out, or given after construction."""
    return Later()


def constant(default: float = 0) -> Any:
    """A number that is given at construction and never changes after that."""
    return Constant(default)


@dataclass_transform(kw_only_default=True)
def record(cls: type[T]) -> type[T]:
    """Makes a record of a class with annotations; see the head of this file."""
    layout = Layout(cls)
    for field in layout.fields.values():
        setattr(cls, field.name, member(field, f"{layout.name}.{field.name}"))
    for name, method in _METHODS.items():
        setattr(cls, name, method)
    setattr(cls, "record_layout", layout)  # noqa: B010 (the type has no such name)
    return cls


def block_of(thing: Any) -> Block:
    """The memory of a record."""
    return thing.record_block


# --- construction ---


def _construct(self: Any, **values: Any) -> None:
    layout: Layout = type(self).record_layout
    for name in values:
        if name not in layout.fields:
            raise CompileError(layout.unknown(name))
    numbers = _numbers(layout, values)
    plan = _plan(layout, numbers)
    memory = np.zeros(plan.bytes + _ALIGNMENT, np.uint8)
    start = -memory.ctypes.data % _ALIGNMENT
    _lay(self, plan, memory[start : start + plan.bytes], values, numbers)


def _numbers(layout: Layout, values: dict[str, Any]) -> dict[str, Any]:
    """The numbers given, or their defaults."""
    numbers = dict(_defaults(layout))
    for name in numbers.keys() & values.keys():
        numbers[name] = record_fields.checked_number(layout.name, layout.fields[name], values[name])
    return numbers


@cache
def _defaults(layout: Layout) -> dict[str, Any]:
    """The numbers of a record that are not given."""
    numbers = {}
    for field in layout.fields.values():
        if field.kind in SCALARS:
            default = field.given.default if isinstance(field.given, Constant) else field.given
            absent = False if field.kind == "bool" else 0
            value = absent if default is None else default
            numbers[field.name] = record_fields.checked_number(layout.name, field, value)
    return numbers


@cache
def _head(layout: Layout) -> np.ndarray:
    """The head of a record with these numbers."""
    block = Block(layout, np.zeros(layout.bytes, np.uint8))
    for name, value in _defaults(layout).items():
        block.write_number(layout.fields[name], value)
    return block.memory


class _Plan(NamedTuple):
    """Where arrays and records lie that are allocated with a record: first and last byte by name.

    `inner` has the numbers and the plan of each record inside, `bytes` counts all of them.
    """

    layout: Layout
    bytes: int
    places: dict[str, tuple[int, int]]
    inner: dict[str, tuple[dict[str, Any], "_Plan"]]


def _plan(layout: Layout, numbers: dict[str, Any]) -> _Plan:
    return _plan_of_sizes(layout, *(numbers[name] for name in layout.sizes))


@lru_cache(1024)
def _plan_of_sizes(layout: Layout, *sizes: int) -> _Plan:
    numbers = dict(zip(layout.sizes, sizes, strict=True))
    places, inner, total = {}, {}, _rounded(layout.bytes)
    for field in layout.fields.values():
        count = None
        if isinstance(field.given, Sized):
            count = 8 * _count(layout, field, numbers)
        elif isinstance(field.given, Inside):
            inner[field.name] = _, plan = _inner(field, numbers)
            count = plan.bytes
        if count is not None:
            places[field.name] = (total, total + count)
            total += _rounded(count)
    return _Plan(layout, total, places, inner)


def _inner(field: Field, numbers: dict[str, Any]) -> tuple[dict[str, Any], _Plan]:
    """The numbers and the plan of a record inside."""
    assert isinstance(field.kind, Layout)
    values = {name: size(text, numbers) for name, text in field.given.values.items()}
    for name in values:
        if name not in field.kind.fields:
            raise CompileError(field.kind.unknown(name))
    inner = _numbers(field.kind, values)
    return inner, _plan(field.kind, inner)


def _rounded(count: int) -> int:
    return -(-count // _ALIGNMENT) * _ALIGNMENT


def _count(layout: Layout, field: Field, numbers: dict[str, Any]) -> int:
    count = size(field.given.count, numbers)
    if count < 0:
        raise layout.error(field.name, f"would have {count} elements ({field.given.count})")
    return count


def _lay(self: Any, plan: _Plan, memory: np.ndarray, values: dict[str, Any], numbers: dict[str, Any]) -> None:
    """Fills the memory of a record."""
    layout = plan.layout
    block = Block(layout, memory)
    object.__setattr__(self, "record_block", block)
    memory[: layout.bytes] = _head(layout)
    defaults = _defaults(layout)
    for name, field in layout.fields.items():
        if name in numbers:
            if numbers[name] is not defaults[name]:
                block.write_number(field, numbers[name])
        elif name not in plan.places or (name in plan.inner and name in values):
            block.refer(field, values.get(name))
        else:
            start, end = plan.places[name]
            if name in plan.inner:
                inner, inner_plan = plan.inner[name]
                nested = object.__new__(inner_plan.layout.record)
                _lay(nested, inner_plan, memory[start:end], {}, inner)
                block.refer(field, nested)
            else:
                block.refer_own(field, start, end)
                if name in values:
                    setattr(self, name, values[name])


# --- methods of every record class ---


def _set(self: Any, name: str, value: Any) -> None:
    layout: Layout = type(self).record_layout
    if name not in layout.fields and not hasattr(type(self), name):
        raise AttributeError(layout.unknown(name))
    object.__setattr__(self, name, value)


def _get(self: Any, name: str) -> Any:
    raise AttributeError(type(self).record_layout.unknown(name))


def _show(self: Any) -> str:
    fields = type(self).record_layout.fields.values()
    listed = [f"{f.name}={getattr(self, f.name)}" for f in fields if f.kind in SCALARS]
    return f"{type(self).__name__}({', '.join(listed)})"


def _values(self: Any) -> dict[str, Any]:
    """What a record with the same contents is constructed of."""
    block = block_of(self)
    fields = type(self).record_layout.fields.values()
    values = {f.name: block.number(f) if f.kind in SCALARS else block.kept[f.name] for f in fields}
    return {name: value for name, value in values.items() if value is not None}


def _deep_copy(self: Any, memo: dict[int, Any]) -> Any:
    """Memory of its own; Kernels are shared."""
    fields, values = type(self).record_layout.fields, _values(self)
    for name, value in values.items():
        if fields[name].kind not in ("Kernel", "Kernels"):
            values[name] = copy.deepcopy(value, memo)
    memo[id(self)] = other = type(self)(**values)
    return other


def _reduce(self: Any) -> Any:
    """Memory of its own: addresses mean nothing elsewhere."""
    return _reconstructed, (type(self), _values(self))


def _reconstructed(cls: type, values: dict[str, Any]) -> Any:
    return cls(**values)


_METHODS = {
    "__init__": _construct,
    "__setattr__": _set,
    "__getattr__": _get,
    "__repr__": _show,
    "__deepcopy__": _deep_copy,
    "__reduce__": _reduce,
}


# --- Kernels of a record, as machine code needs them ---


def accept(thing: Any, caller: str, arity: dict[str, int], token: int) -> None:
    """Checks that a function can call the Kernels of a record: their number of ports that vary.

    `arity` has the number by `Field.key`, `token` stands for the function; the second time nothing
    is checked unless a reference of some record has changed meanwhile.
    """
    block = block_of(thing)
    if block.accepted.get(token) == record_fields.exchanges():
        return
    for field in block.layout.fields.values():
        kept = block.kept.get(field.name)
        if isinstance(field.kind, Layout):
            accept(kept, caller, arity, token)
        elif field.key in arity and kept is not None:
            for kernel in kept if field.kind == "Kernels" else (kept,):
                _callable(caller, block.layout, field, kernel, arity[field.key])
    block.accepted[token] = record_fields.exchanges()


def _callable(caller: str, layout: Layout, field: Field, kernel: Any, count: int) -> None:
    name = f"{layout.name}.{field.name}"
    if not isinstance(kernel, Table):
        raise CompileError(
            f"{caller} calls {name}, which is {type(kernel).__name__}",
            expected="what hapsis.compiler.native.bound returns",
        )
    if len(kernel.vary) != count:
        raise CompileError(
            f"{caller} calls {name} with {count} arrays, but {len(kernel.vary)} ports of it vary "
            f"({', '.join(kernel.vary)})"
        )


__all__ = ["accept", "block_of", "constant", "inside", "later", "layout_of", "record", "sized"]
