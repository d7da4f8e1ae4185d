"""Callables whose call goes straight from the interpreter into compiled code.

`make_callable` turns the address of an entry written by `fastcall_ir.entry_ir` into an object whose
*vectorcall* pointer is that entry. In the plain case, `f(a, b)` or `f(a, b, out=o)` with exact
contiguous arrays of the declared shapes and dtype, no Python code runs: arguments are checked,
outputs made and the kernel called within some tens of nanoseconds. Everything else (batches,
lists, strided views, other keywords, mistakes) reaches the Python callable `f.slow` with exactly
the same arguments; it accepts them, or raises the error that the user sees.

The objects belong to one heap type made through `PyType_FromSpec`, so no C compiler is needed. The
entry reads fields of CPython's and NumPy's structures at fixed offsets. These are compared once
with known objects; where they differ, and on interpreters other than 64-bit CPython 3.11 to 3.14
with its global lock, `available()` is False and the callable is a plain Python object with the
same attributes that always calls `slow`.

Left out on purpose: releasing the lock around the kernel. Entries serve short kernels, and the
lock is what makes their shared workspace safe; batches and their threads belong to `slow`.
"""

from __future__ import annotations

import ctypes
import sys
import sysconfig
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from hapsis.compiler.backends import fastcall_ir as ir
from hapsis.compiler.backends.fastcall_ir import Slot

__all__ = ["PlainCallable", "available", "make_callable"]

# PyType_Spec constants, part of the stable ABI
_TP_CALL, _TP_CLEAR, _TP_TRAVERSE, _TP_MEMBERS, _TP_GETSET = 50, 51, 71, 72, 73
_FINAL_CALLABLE = 1 << 7 | 1 << 11 | 1 << 14  # no instantiation, vectorcall, garbage collection
_T_OBJECT, _T_SSIZE, _READONLY = 16, 19, 1
_ARRAY_TYPE, _NEW_ARRAY = 2, 93  # PyArray_Type and PyArray_New in NumPy's function table
_REALS = (np.dtype(np.float64), np.dtype(np.float32))

# the instance: head and what the entry reads, then what keeps that alive
_KEEP, _DICT, _WEAKREFS, _BYTES = 48, 56, 64, 72


def _structure(**fields: Any) -> Any:
    return type("Structure", (ctypes.Structure,), {"_fields_": list(fields.items())})


_INT, _SIZE, _TEXT, _POINTER = ctypes.c_int, ctypes.c_ssize_t, ctypes.c_char_p, ctypes.c_void_p
_TypeSlot = _structure(slot=_INT, pointer=_POINTER)
_TypeSpec = _structure(name=_TEXT, size=_INT, item=_INT, flags=ctypes.c_uint, slots=_POINTER)
_Member = _structure(name=_TEXT, type=_INT, offset=_SIZE, flags=_INT, doc=_TEXT)
_GetSet = _structure(name=_TEXT, get=_POINTER, set=_POINTER, doc=_TEXT, closure=_POINTER)


class PlainCallable:
    """The same interface without compiled entry: every call goes to `slow`."""

    def __init__(self, slow: Callable[..., Any], keep: object = None) -> None:
        self.slow, self._keep = slow, keep

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """What `slow` returns."""
        return self.slow(*args, **kwargs)

    def __repr__(self) -> str:
        return _repr(self)


def make_callable(
    entry_address: int,
    table_address: int,
    slow: Callable[..., Any],
    parameters: np.ndarray | None = None,
    *,
    keep: object = None,
    result: type[tuple[Any, ...]] = tuple,
) -> Any:
    """A callable that runs the entry at `entry_address`, and `slow` for what the entry leaves.

    `table_address` is where the `table_symbol` of the entry lies; the table is filled in here.
    `parameters` holds the stored values of the parameter vector; the kernel sees changes made in
    place. `keep` is whatever must outlive the code, such as the execution engine. One output comes
    back itself, a scalar one as a float; several come in `result`, a tuple type such as a named
    tuple, whose `__new__` is not called.

    The object takes any attribute; `slow` may be replaced, and `repr` shows the attribute
    `describe`, a text or a function without arguments. ValueError if the table was written by
    another version or the parameter vector is not what the kernel reads.
    """
    table = (ctypes.c_int64 * len(Slot)).from_address(table_address)
    _check(table, parameters)
    if not issubclass(result, tuple):
        raise ValueError(f"result is {result!r}: expected a subclass of tuple")
    if not available():
        return PlainCallable(slow, keep)
    for slot, value in _python_objects().items():
        table[slot] = value
    allocate = _foreign("PyType_GenericAlloc", ctypes.py_object, ctypes.py_object, _SIZE)
    made = allocate(_callable_type(), 0)
    made.slow = slow
    made._keep = (keep, parameters, result)
    fields = (ctypes.c_uint64 * (_BYTES // 8)).from_address(id(made))
    fields[ir.CALLABLE_PARAMETERS // 8] = 0 if parameters is None else parameters.ctypes.data
    fields[ir.CALLABLE_RESULT // 8] = id(result)
    fields[ir.CALLABLE_ENTRY // 8] = entry_address
    return made


def _check(table: ctypes.Array[ctypes.c_int64], parameters: np.ndarray | None) -> None:
    """ValueError unless the table and the parameter vector belong to this entry."""
    if table[Slot.TAG] != ir.TAG:
        raise ValueError("the entry was compiled by another version: compile the function again")
    expected = table[Slot.PARAMETER_BYTES]
    if parameters is None:
        if expected != ir.NO_PARAMETERS:
            raise ValueError(f"no parameter vector: the kernel reads one of {expected} bytes")
    elif parameters.flags.num & ir.READABLE != ir.READABLE or parameters.dtype not in _REALS:
        raise ValueError("the parameter vector must be a contiguous, aligned array of reals")
    elif parameters.nbytes != expected:
        raise ValueError(f"parameter vector of {parameters.nbytes} bytes: expected {expected}")


@cache
def available() -> bool:
    """Whether compiled entries work here: interpreter, lock and structures are as expected."""
    return (
        sys.implementation.name == "cpython"
        and (3, 11) <= sys.version_info[:2] <= (3, 14)
        and sys.maxsize == 2**63 - 1
        and sys.byteorder == "little"
        and not sysconfig.get_config_var("Py_GIL_DISABLED")
        and not hasattr(sys, "getobjects")  # a tracing build puts two links before each object
        and _layouts_hold()
    )


def _read(kind: Any, item: object, offset: int) -> Any:
    return kind.from_address(id(item) + offset).value


def _layouts_hold() -> bool:
    """Compare every field that an entry reads with a known object."""
    pair, items = (object(), object()), tuple.__basicsize__
    return (
        all(_array_layout_holds(np.zeros((2, 3), dtype)) for dtype in _REALS)
        and all(
            _read(_POINTER, x, ir.TYPE) == id(type(x))
            and _read(ctypes.c_double, x, ir.FLOAT_VALUE) == 2.5
            for x in (float("2.5"), np.float64(2.5))
        )
        and _read(_SIZE, pair, ir.SIZE) == 2
        and [_read(_POINTER, pair, items + 8 * k) for k in (0, 1)] == [id(x) for x in pair]
        and ctypes.sizeof(_INT) == 4
        and _numpy_entry(_ARRAY_TYPE) == id(np.ndarray)
    )


def _array_layout_holds(array: np.ndarray) -> bool:
    before = _read(_SIZE, array, 0)
    three_more = [array] * 3
    if _read(_SIZE, array, 0) - before != len(three_more):
        return False  # not a plain count of references
    found = [_read(_POINTER, array, at) for at in (ir.TYPE, ir.ARRAY_DTYPE, ir.ARRAY_DATA)]
    found += [_read(_INT, array, at) for at in (ir.ARRAY_NDIM, ir.ARRAY_FLAGS)]
    if found != [id(np.ndarray), id(array.dtype), array.ctypes.data, array.ndim, array.flags.num]:
        return False
    shape = (_SIZE * array.ndim).from_address(_read(_POINTER, array, ir.ARRAY_SHAPE))
    return tuple(shape) == array.shape


def _numpy_entry(index: int) -> int | None:
    """Entry `index` of NumPy's table of C types and functions."""
    capsule = sys.modules["numpy._core._multiarray_umath"].__dict__["_ARRAY_API"]
    get = _foreign("PyCapsule_GetPointer", _POINTER, ctypes.py_object, _TEXT)
    return _POINTER.from_address(get(capsule, None) + 8 * index).value


@cache
def _foreign(name: str, result: Any, *arguments: Any) -> Any:
    """A function of CPython's C interface, not shared with other users of ctypes."""
    function = ctypes.pythonapi[name]
    function.restype, function.argtypes = result, arguments
    return function


def _function(name: str) -> int | None:
    return ctypes.cast(ctypes.pythonapi[name], _POINTER).value


@cache
def _python_objects() -> dict[Slot, int | None]:
    """What the tables hold in this process; all of it lives as long as the interpreter."""
    return {
        Slot.NDARRAY: id(np.ndarray),
        Slot.FLOAT: id(float),
        Slot.SCALAR: id(np.float64),
        Slot.TUPLE: id(tuple),
        Slot.F64: id(np.dtype(np.float64)),
        Slot.F32: id(np.dtype(np.float32)),
        Slot.OUT: id(sys.intern("out")),
        Slot.NONE: id(None),
        Slot.ITEMS: tuple.__basicsize__,
        Slot.VECTORCALL: _function("PyObject_Vectorcall"),
        Slot.NEW_ARRAY: _numpy_entry(_NEW_ARRAY),
        Slot.NEW_FLOAT: _function("PyFloat_FromDouble"),
        Slot.NEW_OBJECT: _function("PyType_GenericAlloc"),
        Slot.INCREF: _function("Py_IncRef"),
        Slot.DECREF: _function("Py_DecRef"),
    }


def _repr(self: Any) -> str:
    describe = getattr(self, "describe", None)
    if describe is None:
        return f"<compiled function {getattr(self, '__name__', 'without name')}>"
    return str(describe() if callable(describe) else describe)


@cache
def _callable_type() -> type:
    """The heap type of the callables.

    Its traverse and clear are those of every Python class (`PyType_GetSlot`), its dealloc is the
    one `PyType_FromSpec` sets: they already handle object members, dictionary and weak references.
    """
    members = (_Member * 6)(
        _Member(b"slow", _T_OBJECT, ir.CALLABLE_SLOW, 0, b"takes every call that is not plain"),
        _Member(b"_keep", _T_OBJECT, _KEEP, 0, None),  # a read-only member would never be released
        _Member(b"__vectorcalloffset__", _T_SSIZE, ir.CALLABLE_ENTRY, _READONLY, None),
        _Member(b"__dictoffset__", _T_SSIZE, _DICT, _READONLY, None),
        _Member(b"__weaklistoffset__", _T_SSIZE, _WEAKREFS, _READONLY, None),
    )
    get, put = _function("PyObject_GenericGetDict"), _function("PyObject_GenericSetDict")
    getset = (_GetSet * 2)(_GetSet(b"__dict__", get, put, None, None))
    python_class = _foreign("PyType_GetSlot", _POINTER, ctypes.py_object, _INT)
    slots = (_TypeSlot * 6)(
        _TypeSlot(_TP_CALL, _function("PyVectorcall_Call")),
        _TypeSlot(_TP_MEMBERS, ctypes.addressof(members)),
        _TypeSlot(_TP_GETSET, ctypes.addressof(getset)),
        _TypeSlot(_TP_TRAVERSE, python_class(PlainCallable, _TP_TRAVERSE)),
        _TypeSlot(_TP_CLEAR, python_class(PlainCallable, _TP_CLEAR)),
    )
    name = f"{__name__}.FastCallable".encode()
    spec = _TypeSpec(name, _BYTES, 0, _FINAL_CALLABLE, ctypes.addressof(slots))
    made = _foreign("PyType_FromSpec", ctypes.py_object, _POINTER)(ctypes.addressof(spec))
    made.__repr__ = _repr
    made.__doc__ = "A compiled function; see `hapsis.compiler.backends.fastcall`."
    made._definitions = (members, getset, name)  # the type refers to these
    return made
