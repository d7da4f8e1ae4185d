"""The decorator `native`: a function of a subset of Python, as machine code and as Python.

    parameters   int, float, bool, Array (float64), Ints (int64), Kernel; all annotated
    result       None, int, float, bool
    statements   x = .., a, b = .., x[i] = .., += and the like, if, while, for .. in
                 range(..), break, continue, return, pass
    expressions  + - * / // %, & | ^ << >> of ints, comparisons, and or not, a if c else b,
                 x[i], numbers by name
    calls        native functions, Kernels, int float abs min max, and from this package
                 sqrt floor isfinite power at, bits from_bits byte put_byte; of the system
                 clock wait_until receive transmit foreign; between threads publish observe

Both give the same bits. They differ where Python raises: native ints wrap at 64 bits, a division
by zero gives what NumPy gives (inf, NaN; 0 for ints), int(x) stops at the ends of its range, and
an index outside of its array is not noticed. So try a new function on small cases with `.python`.

Left out: recursion, local functions, tuples, slices (at(x, k) is x[k:]). Memory that another thread
changes meanwhile is seen through `observe` only: a loop may keep what it has read in a register.
"""

import ctypes
import operator
import threading
from collections.abc import Callable
from typing import Any

import numpy as np

from hapsis.compiler.native.building import Machine, build
from hapsis.compiler.native.definition import Definition
from hapsis.compiler.native.kernels import Table
from hapsis.compiler.native.module import is_kernel
from hapsis.errors import CompileError

_C = {"int": ctypes.c_int64, "float": ctypes.c_double, "bool": ctypes.c_int64, "None": None}
_C |= dict.fromkeys(("Array", "Ints", "Kernel"), ctypes.c_void_p)
_DTYPE = {"Array": np.dtype(np.float64), "Ints": np.dtype(np.int64)}
_RESULT = {"int": int, "float": np.float64, "bool": bool}

_mode = threading.local()  # `python` is True while a function runs as Python


class Native:
    """A native function: a call runs machine code, compiled when first called.

    The interpreter's lock is released meanwhile. Arrays are one-dimensional, contiguous and
    writeable; a Kernel is what `bound` returns. The code cannot be interrupted: keep calls short
    or count steps.
    """

    def __init__(self, function: Callable[..., Any]) -> None:
        self.definition = Definition(function)
        self.__name__, self.__doc__ = self.definition.name, function.__doc__
        self.__module__, self.__wrapped__ = function.__module__, function
        self._kinds = list(self.definition.parameters.items())
        self._lock = threading.Lock()
        self._machine: Machine | None = None
        self._run: Any = None

    def __call__(self, *args: Any, **named: Any) -> Any:
        """Runs machine code; within `python(...)` of another function, Python."""
        if getattr(_mode, "python", False):
            return self._interpreted(args, named)
        run = self._run or self._compiled()
        if named or len(args) != len(self._kinds):
            args = tuple(self.definition.ordered(list(args), named))
        values = [
            self._native(name, kind, value) for (name, kind), value in zip(self._kinds, args, strict=True)
        ]
        result = run(*values)
        return bool(result) if self.definition.result == "bool" else result

    def python(self, *args: Any, **named: Any) -> Any:
        """The same computation by the interpreter, with everything it calls.

        A Kernel may be any callable here.
        """
        values = self.definition.ordered(list(args), named)
        for (name, kind), value in zip(self._kinds, values, strict=True):
            if kind != "Kernel":
                self._native(name, kind, value)
        before = getattr(_mode, "python", False)
        _mode.python = True
        try:
            with np.errstate(all="ignore"):
                return self._interpreted(values, {})
        finally:
            _mode.python = before

    @property
    def address(self) -> int:
        """Where the machine code lies; see `types`."""
        return self._ready().address

    @property
    def types(self) -> tuple[Any, list[Any]]:
        """The result and the arguments as ctypes; a Kernel goes by `Bound.address`."""
        return _C[self.definition.result], [_C[kind] for _, kind in self._kinds]

    def bound(self, vary: tuple[str, ...] = (), **fixed: Any) -> "Fitted":
        """The function as a Kernel: `vary` names the Arrays that every call gives, in its order;
        all others are fixed. It takes arrays and Kernels only and returns nothing."""
        return Fitted(self, tuple(vary), fixed)

    def _ready(self) -> Machine:
        with self._lock:
            if self._machine is None:
                self._machine = build(self.definition)
            return self._machine

    def _compiled(self) -> Any:
        address, (result, arguments) = self.address, self.types
        self._run = ctypes.CFUNCTYPE(result, *arguments)(address)
        return self._run

    def _interpreted(self, args: Any, named: dict[str, Any]) -> Any:
        # floats as NumPy's: they divide by zero without raising, as native ones do
        values = [
            np.float64(value) if kind == "float" else value
            for (_, kind), value in zip(self._kinds, self.definition.ordered(list(args), named), strict=True)
        ]
        result = self.definition.function(*values)
        kind = _RESULT.get(self.definition.result)
        return result if kind is None else kind(result)

    def _native(self, name: str, kind: str, value: Any) -> Any:
        """The argument as the machine takes it, or the error that names it."""
        if kind in _DTYPE:
            if (
                type(value) is np.ndarray
                and value.dtype == _DTYPE[kind]
                and value.ndim == 1
                and value.flags.carray
            ):
                return value.__array_interface__["data"][0]
            raise self._wrong(name, value, f"a one-dimensional contiguous writeable array of {_DTYPE[kind]}")
        if kind == "Kernel":
            return self._kernel(name, value)
        return self._number(name, kind, value)

    def _number(self, name: str, kind: str, value: Any) -> Any:
        is_bool = isinstance(value, bool | np.bool_)
        try:
            if kind == "float" and not is_bool and not isinstance(value, str):
                return float(value)
            if kind == "bool" and is_bool:
                return int(value)
            if kind == "int" and not is_bool:
                found = operator.index(value)  # pyright: ignore[reportArgumentType]
                if -(2**63) <= found < 2**63:
                    return found
        except (TypeError, ValueError):
            pass
        raise self._wrong(name, value, kind)

    def _kernel(self, name: str, value: Any) -> int:
        if not isinstance(value, Table):
            raise self._wrong(name, value, "what hapsis.compiler.native.bound returns")
        wanted = self._ready().arity.get(name, len(value.vary))
        if wanted != len(value.vary):
            listed = ", ".join(value.vary)
            raise CompileError(
                f"{self.__name__} calls {name} with {wanted} arrays, but {len(value.vary)} "
                f"ports of it vary ({listed})"
            )
        return value.address

    def _wrong(self, name: str, value: Any, expected: str) -> CompileError:
        found = type(value).__name__
        if isinstance(value, np.ndarray):
            layout = "" if value.flags.carray else ", not contiguous or not writeable"
            found = f"an array of {value.dtype} and shape {value.shape}{layout}"
        elif isinstance(value, int | float):
            found = f"{value!r:.40}"
        return CompileError(f'argument "{name}" of {self.__name__} is {found}', expected=expected)

    def __repr__(self) -> str:
        listed = ", ".join(f"{name}: {kind}" for name, kind in self._kinds)
        return f"<native {self.__name__}({listed}) -> {self.definition.result}>"


class Fitted(Table):
    """A native function with some of its arrays fixed, to be called as a Kernel."""

    def __init__(self, function: Native, vary: tuple[str, ...], fixed: dict[str, Any]) -> None:
        kinds = function.definition.parameters
        name = function.__name__
        if not is_kernel(function.definition):
            raise CompileError(f"{name} is no Kernel", expected="arrays and Kernels in, nothing out")
        given = (*vary, *fixed)
        if sorted(given) != sorted(kinds) or any(kinds[n] != "Array" for n in vary):
            raise CompileError(
                f"{name} takes {', '.join(kinds)}; given are {', '.join(given)}",
                expected="each once; those that vary are Arrays",
            )
        self.function, self.vary, self.fixed = function, vary, fixed
        places = {name: k for k, name in enumerate(kinds)}
        self._ports = (ctypes.c_void_p * len(kinds))()
        for each, array in fixed.items():
            self._ports[places[each]] = function._native(each, kinds[each], array)
        ports = ctypes.addressof(self._ports)
        code = function._ready().kernel
        self._table = np.array([code, ports, 0, *(ports + 8 * places[n] for n in vary)], np.uint64)
        self.address: int = self._table.ctypes.data

    def __call__(self, *arrays: Any) -> None:
        """Runs it once; as Python within a function that runs as Python."""
        self.function(**self.fixed, **dict(zip(self.vary, arrays, strict=True)))


def native(function: Callable[..., Any]) -> Native:
    """Makes a native function of a Python function with annotations; see the head of this file."""
    return Native(function)
