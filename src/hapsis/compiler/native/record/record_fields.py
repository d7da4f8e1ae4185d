"""The memory of one record, and its fields as attributes of a Python object."""

from typing import Any

import numpy as np

from hapsis.compiler.native import modes
from hapsis.compiler.native.arguments import DTYPE, array_expected, described, number, usable
from hapsis.compiler.native.checked_array import CheckedSequence, checked_array
from hapsis.compiler.native.kernels import Table, nothing
from hapsis.compiler.native.record.record_layout import SCALARS, Field, Layout, Sized
from hapsis.errors import CompileError

_exchanges = 0  # references of records that have changed after construction


def exchanges() -> int:
    """How many references of any records have changed after their construction."""
    return _exchanges


class Block:
    """The memory of a record: `kept` has {field: the object that its address refers to}."""

    def __init__(self, layout: Layout, memory: np.ndarray) -> None:
        self.layout, self.memory = layout, memory
        self.address: int = memory.ctypes.data
        head = memory[: layout.bytes]
        self.floats, self.ints = head.view(np.float64), head.view(np.int64)
        self.kept: dict[str, Any] = {}
        self.accepted: dict[int, int] = {}  # functions that may use it, see `records.accept`

    def number(self, field: Field) -> Any:
        """A number of the head."""
        place = field.offset // 8
        if field.kind == "float":
            return self.floats[place]
        return bool(self.ints[place]) if field.kind == "bool" else self.ints[place]

    def put_number(self, field: Field, value: Any) -> None:
        """Changes a number of the head."""
        self.write_number(field, checked_number(self.layout.name, field, value))

    def write_number(self, field: Field, value: int | float) -> None:
        """The same for a value that was checked."""
        memory = self.floats if field.kind == "float" else self.ints
        memory[field.offset // 8] = value

    def place(self, field: Field) -> np.ndarray:
        """The memory of a number of the head, as an array of one."""
        if field.kind not in ("float", "int") or field.fixed:
            raise self.layout.error(field.name, "has no place", expected="a float or int that changes")
        memory, k = self.floats if field.kind == "float" else self.ints, field.offset // 8
        return memory[k : k + 1]

    def refer(self, field: Field, value: Any) -> None:
        """Makes a field refer to an array, a Kernel, several, or a record; None for nothing."""
        place, kind = field.offset // 8, field.kind
        if isinstance(kind, Layout):
            if not isinstance(value, kind.record):
                raise self._wrong(field, value, f"a record {kind.name}")
            self.ints[place] = value.record_block.address
        elif kind == "Kernel":
            self.ints[place] = self._table(field, value).address
        elif kind == "Kernels":
            value = CheckedSequence(() if value is None else value)
            value.label = f"{self.layout.name}.{field.name}"
            tables = np.array([self._table(field, one).address for one in value], np.int64)
            self.ints[place], self.ints[place + 1] = tables.ctypes.data, len(tables)
            self.kept[f"{field.name}.tables"] = tables
        else:
            value = np.zeros(0, DTYPE[kind]) if value is None else value
            if not usable(kind, value):
                raise self._wrong(field, value, array_expected(kind))
            self.ints[place], self.ints[place + 1] = value.ctypes.data, len(value)
        self.kept[field.name] = value

    def refer_own(self, field: Field, start: int, end: int) -> None:
        """Makes a field refer to an array in these bytes of the record's own memory."""
        array, place = self.memory[start:end].view(DTYPE[str(field.kind)]), field.offset // 8
        self.ints[place], self.ints[place + 1] = self.address + start, len(array)
        self.kept[field.name] = array

    def _table(self, field: Field, value: Any) -> Table:
        """The table of a Kernel; of one that does nothing for a Python function or none."""
        if value is None and field.given is None:
            raise self._wrong(field, value, "a Kernel, or a declaration as later()")
        if value is not None and not callable(value):
            raise self._wrong(field, value, "what hapsis.compiler.native.bound returns")
        return value if isinstance(value, Table) else nothing()

    def _wrong(self, field: Field, value: Any, expected: str) -> CompileError:
        return self.layout.error(field.name, f"cannot be {described(value)}", expected=expected)


def checked_number(owner: str, field: Field, value: Any) -> int | float:
    """The value in the form that memory stores; an error with the field's name if it does not fit."""
    assert isinstance(field.kind, str)
    stored = number(field.kind, value)
    if stored is None:
        raise CompileError(
            f'field "{field.name}" of record {owner} cannot be {described(value)}', expected=field.kind
        )
    return stored


class NumberMember:
    """An int, float or bool as an attribute."""

    def __init__(self, field: Field) -> None:
        self.field = field

    def __get__(self, thing: Any, owner: Any = None) -> Any:
        return self if thing is None else thing.record_block.number(self.field)

    def __set__(self, thing: Any, value: Any) -> None:
        block = thing.record_block
        if self.field.fixed:
            raise block.layout.error(self.field.name, "is constant")
        block.put_number(self.field, value)


class ArrayMember:
    """An Array or Ints as an attribute: the memory itself; checked while Python interprets."""

    def __init__(self, field: Field, label: str) -> None:
        self.field, self.label = field, label

    def __get__(self, thing: Any, owner: Any = None) -> Any:
        if thing is None:
            return self
        array = thing.record_block.kept[self.field.name]
        return checked_array(array, self.label) if modes.as_python() else array

    def __set__(self, thing: Any, value: Any) -> None:
        """Sized arrays take the values; others become a reference to the array."""
        block, name = thing.record_block, self.field.name
        if not isinstance(self.field.given, Sized):
            block.refer(self.field, value)
            return
        values, array = np.asarray(value), block.kept[name]
        if values.shape not in (array.shape, ()) or not np.can_cast(values.dtype, array.dtype):
            expected = f"{len(array)} numbers of {array.dtype}"
            raise block.layout.error(name, f"cannot be {described(values)}", expected=expected)
        array[:] = values


class ReferenceMember:
    """A Kernel, Kernels or another record as an attribute."""

    def __init__(self, field: Field) -> None:
        self.field = field

    def __get__(self, thing: Any, owner: Any = None) -> Any:
        return self if thing is None else thing.record_block.kept[self.field.name]

    def __set__(self, thing: Any, value: Any) -> None:
        global _exchanges
        _exchanges += 1
        thing.record_block.refer(self.field, value)


def member(field: Field, label: str) -> Any:
    """The attribute of a record class for a field."""
    if field.kind in SCALARS:
        return NumberMember(field)
    return ArrayMember(field, label) if field.kind in DTYPE else ReferenceMember(field)
