"""Callables whose calls go directly from the interpreter to compiled code.

`make_callable` wraps a kernel into an object whose *vectorcall* pointer is the compiled entry of
`fastcall_ir`. In the plain case, `f(a, b)` or `f(a, b, out=o)` with exact contiguous arrays of the
declared shapes and dtype, no Python code runs: arguments are checked, outputs made and the kernel
called within some tens of nanoseconds. Everything else (batches, lists, strided views, mistakes)
reaches the Python callable `f.slow` with the same arguments; it accepts them or raises the error.

The objects belong to one heap type made through `PyType_FromSpec`, so no C compiler is needed. The
entry reads fields of CPython's and NumPy's structures at fixed offsets. These are compared once
with known objects; where they differ, and on interpreters other than 64-bit CPython 3.11 to 3.14
with its global lock, `available()` is False and the callable is a plain Python object with the
same attributes that always calls `slow`.

Left out on purpose: releasing the lock around the kernel. The entry serves short kernels, and the
lock is what makes a callable's workspace safe; batches and their threads belong to `slow`.
"""

from __future__ import annotations

import ctypes
import sys
import sysconfig
from collections.abc import Callable, Sequence
from functools import cache
from math import prod
from typing import Any

import numpy as np

from hapsis.compiler.backends.call import fastcall_ir as ir
from hapsis.compiler.backends.call.fastcall_ir import Slot

__all__ = ["PlainCallable", "available", "make_callable"]

# PyType_Spec constants, part of the stable ABI
_TP_CALL, _TP_CLEAR, _TP_TRAVERSE, _TP_MEMBERS, _TP_GETSET = 50, 51, 71, 72, 73
_FLAGS = 1 << 7 | 1 << 11 | 1 << 14  # no instantiation, vectorcall, garbage collection
_T_OBJECT, _T_SSIZE, _READONLY = 16, 19, 1
_ARRAY_TYPE, _NEW_ARRAY = 2, 93  # PyArray_Type and PyArray_New in NumPy's function table
_REALS = {"f64": np.dtype(np.float64), "f32": np.dtype(np.float32)}

# the instance: head and what the entry reads, then what keeps that alive
_KEEP, _DICT, _WEAKREFS, _BYTES = 40, 48, 56, 64


def _read(kind: Any, item: object, offset: int) -> Any:
    return kind.from_address(id(item) + offset).value


def _structure(**fields: Any) -> Any:
    return type("Structure", (ctypes.Structure,), {"_fields_": list(fields.items())})


_INT, _SIZE, _TEXT, _POINTER = ctypes.c_int, ctypes.c_ssize_t, ctypes.c_char_p, ctypes.c_void_p
_TypeSlot = _structure(slot=_INT, pointer=_POINTER)
_TypeSpec = _structure(name=_TEXT, size=_INT, item=_INT, flags=ctypes.c_uint, slots=_POINTER)
_Member = _structure(name=_TEXT, type=_INT, offset=_SIZE, flags=_INT, doc=_TEXT)
_GetSet = _structure(name=_TEXT, get=_POINTER, set=_POINTER, doc=_TEXT, closure=_POINTER)


def _repr(self: Any) -> str:
    name = getattr(self, "__name__", "without name")
    return str(getattr(self, "describe", f"<compiled function {name}>"))


class PlainCallable:
    """The same interface without compiled entry: every call goes to `slow`."""

    def __init__(self, slow: Callable[..., Any], keep: object = None) -> None:
        self.slow, self._keep = slow, keep

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """What `slow` returns."""
        return self.slow(*args, **kwargs)

    __repr__ = _repr


def make_callable(
    entry_address: int,
    kernel_address: int,
    slow: Callable[..., Any],
    inputs: Sequence[Sequence[int]],
    outputs: Sequence[Sequence[int]],
    parameters: np.ndarray | None = None,
    *,
    precision: str = "f64",
    workspace_bytes: int = 0,
    result: type[tuple[Any, ...]] = tuple,
    keep: object = None,
    follow: Callable[[Any, int], None] | None = None,
) -> Any:
    """A callable that runs the kernel on plain arguments, and `slow` on all others.

    `entry_address` is the address of the compiled `fastcall_ir.ENTRY`. `inputs` and `outputs` are
    shapes; for the shape `()` a float is accepted as input. `parameters` holds the stored values of
    the parameter vector, None if the kernel takes none; the kernel sees changes made in place. A single
    output is returned itself, or as a float if its shape is `()`; several are returned as a `result`,
    a tuple type such as a named tuple, whose `__new__` is not called. `keep` is what must live as long
    as the code, such as execution engines. `follow(words, place)`, if given, may write another address
    of the kernel to words[place] at any time between two calls.

    The object takes any attribute; `slow` may be replaced; `repr` shows `describe` if it is set.
    """
    dtype, stored = _REALS[precision], [] if parameters is None else [parameters]
    if not outputs or not issubclass(result, tuple):
        raise ValueError("a function has at least one output, and returns several in a tuple")
    if any(x.dtype != dtype or x.flags.num & ir.READABLE != ir.READABLE for x in stored):
        raise ValueError(f"the parameters must be a contiguous, aligned array of {dtype}")
    if not available():
        return PlainCallable(slow, keep)
    spec = _specification(dtype, [*inputs, *(x.shape for x in stored)], outputs)
    memory = np.zeros(workspace_bytes + 64, np.uint8)
    spec[Slot.WORKSPACE] = memory.ctypes.data + -memory.ctypes.data % 64  # a whole cache line
    spec[Slot.KERNEL], spec[Slot.RESULT] = kernel_address, id(result)
    if follow is not None:
        follow(spec, Slot.KERNEL)
    spec[Slot.INPUTS] = len(inputs)
    spec[Slot.PARAMETERS] = stored[0].ctypes.data if stored else 0
    allocate = _foreign("PyType_GenericAlloc", ctypes.py_object, ctypes.py_object, _SIZE)
    function = allocate(_callable_type(), 0)
    function.slow, function._keep = slow, (keep, parameters, result, memory, spec)
    _POINTER.from_address(id(function) + ir.CALLABLE_SPEC).value = ctypes.addressof(spec)
    _POINTER.from_address(id(function) + ir.CALLABLE_ENTRY).value = entry_address
    return function


def _specification(
    dtype: np.dtype, read: Sequence[Sequence[int]], written: Sequence[Sequence[int]]
) -> ctypes.Array[ctypes.c_int64]:
    """The specification of a callable as words: fixed slots, then its arrays, then their shapes."""
    shapes = [*read, *written]
    start = Slot.ARRAYS + 3 * len(shapes)  # the position of the sizes of the next array
    spec = (ctypes.c_int64 * (start + sum(map(len, shapes))))()
    for slot, value in _python_objects().items():
        spec[slot] = value
    spec[Slot.DTYPE], spec[Slot.NUMBER] = id(dtype), dtype.num
    spec[Slot.READS], spec[Slot.OUTPUTS] = len(read), len(written)
    for k, shape in enumerate(shapes):
        array, sizes = Slot.ARRAYS + 3 * k, ctypes.addressof(spec) + 8 * start
        spec[array : array + 3] = (dtype.itemsize * prod(shape), len(shape), sizes)
        spec[start : start + len(shape)] = tuple(shape)
        start += len(shape)
    return spec


@cache
def available() -> bool:
    """Whether compiled entries work here: interpreter, lock and structures are as expected."""
    return (
        sys.implementation.name == "cpython"
        and (3, 11) <= sys.version_info[:2] <= (3, 14)
        and (sys.maxsize, sys.byteorder) == (2**63 - 1, "little")
        and not sysconfig.get_config_var("Py_GIL_DISABLED")
        and not hasattr(sys, "getobjects")  # a tracing build puts two links before each object
        and _layouts_hold()
    )


def _layouts_hold() -> bool:
    """Whether every field that an entry reads has the expected value in a known object."""
    pair, items = (object(), object()), tuple.__basicsize__
    return (
        all(_array_layout_holds(np.zeros((2, 3), dtype)) for dtype in _REALS.values())
        and all(
            _read(_POINTER, x, ir.TYPE) == id(type(x)) and _read(ctypes.c_double, x, ir.FLOAT_VALUE) == 2.5
            for x in (float("2.5"), np.float64(2.5))
        )
        and _read(_SIZE, pair, ir.SIZE) == 2
        and [_read(_POINTER, pair, items + 8 * k) for k in (0, 1)] == [id(x) for x in pair]
        and _numpy_entry(_ARRAY_TYPE) == id(np.ndarray)
    )


def _array_layout_holds(array: np.ndarray) -> bool:
    before = _read(_SIZE, array, 0)
    three_more = [array] * 3
    if _read(_SIZE, array, 0) - before != len(three_more):
        return False  # not a plain count of references
    fields = [_read(_POINTER, array, at) for at in (ir.TYPE, ir.ARRAY_DTYPE, ir.ARRAY_DATA)]
    fields += [_read(_INT, array, at) for at in (ir.ARRAY_NDIM, ir.ARRAY_FLAGS)]
    known = [id(np.ndarray), id(array.dtype), array.ctypes.data, array.ndim, array.flags.num]
    at = _read(_POINTER, array, ir.ARRAY_SHAPE)  # followed only if all the rest is right
    return fields == known and tuple((_SIZE * array.ndim).from_address(at)) == array.shape


def _numpy_entry(index: int) -> int:
    """Entry `index` of NumPy's table of C types and functions."""
    capsule = sys.modules["numpy._core._multiarray_umath"].__dict__["_ARRAY_API"]
    get = _foreign("PyCapsule_GetPointer", _POINTER, ctypes.py_object, _TEXT)
    return _POINTER.from_address(get(capsule, None) + 8 * index).value or 0


@cache
def _foreign(name: str, result: Any, *arguments: Any) -> Any:
    """A function of CPython's C interface, not shared with other users of ctypes."""
    function = ctypes.pythonapi[name]
    function.restype, function.argtypes = result, arguments
    return function


def _function(name: str) -> int:
    return ctypes.cast(ctypes.pythonapi[name], _POINTER).value or 0


@cache
def _python_objects() -> dict[Slot, int]:
    """The slots that all specifications of this process share; their objects are never freed."""
    return {
        Slot.NDARRAY: id(np.ndarray),
        Slot.FLOAT: id(float),
        Slot.SCALAR: id(np.float64),
        Slot.TUPLE: id(tuple),
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


@cache
def _callable_type() -> type:
    """The heap type of the callables, freed and collected like any Python class."""
    # the functions for that handle object members, dictionary and weak references already
    members = (_Member * 6)(
        _Member(b"slow", _T_OBJECT, ir.CALLABLE_SLOW, 0, b"takes every call that is not plain"),
        _Member(b"_keep", _T_OBJECT, _KEEP, 0, None),  # a read-only member would never be released
        _Member(b"__vectorcalloffset__", _T_SSIZE, ir.CALLABLE_ENTRY, _READONLY, None),
        _Member(b"__dictoffset__", _T_SSIZE, _DICT, _READONLY, None),
        _Member(b"__weaklistoffset__", _T_SSIZE, _WEAKREFS, _READONLY, None),
    )
    get, put = _function("PyObject_GenericGetDict"), _function("PyObject_GenericSetDict")
    getset = (_GetSet * 2)(_GetSet(b"__dict__", get, put))
    inherited = _foreign("PyType_GetSlot", _POINTER, ctypes.py_object, _INT)
    slots = (_TypeSlot * 6)(
        _TypeSlot(_TP_CALL, _function("PyVectorcall_Call")),
        _TypeSlot(_TP_MEMBERS, ctypes.addressof(members)),
        _TypeSlot(_TP_GETSET, ctypes.addressof(getset)),
        _TypeSlot(_TP_TRAVERSE, inherited(PlainCallable, _TP_TRAVERSE)),
        _TypeSlot(_TP_CLEAR, inherited(PlainCallable, _TP_CLEAR)),
    )
    name = f"{__name__}.FastCallable".encode()  # copied
    spec = _TypeSpec(name, _BYTES, 0, _FLAGS, ctypes.addressof(slots))
    type_ = _foreign("PyType_FromSpec", ctypes.py_object, _POINTER)(ctypes.addressof(spec))
    type_.__repr__, type_.__doc__ = _repr, "A compiled function."
    type_._definitions = (members, getset)  # the type refers to these
    return type_
