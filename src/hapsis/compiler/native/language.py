"""The decorator `native`: a function of a subset of Python, as machine code and as Python.

    parameters   int, float, bool, Array (float64), Ints (int64), Kernel, records; all annotated
    result       None, int, float, bool
    statements   x = .., a, b = .., x[i] = .., r.t = .., += and the like, if, while, for .. in
                 range(..), break, continue, return, pass
    expressions  + - * / // %, & | ^ << >> of ints, comparisons, and or not, a if c else b,
                 x[i], fields of records r.t, r.y[i], r.inner.t, numbers by name
    calls        native functions, Kernels (also r.f(x, y), r.steps[i](x, y)), int float abs min
                 max, and from this package sqrt floor isfinite power at place, bits from_bits byte
                 put_byte; of the system clock wait_until receive transmit foreign; between threads
                 publish observe claim

Both give the same bits. They differ where Python raises: native ints wrap at 64 bits, a division
by zero gives what NumPy gives (inf, NaN; 0 for ints), int(x) stops at the ends of its range, and
an index outside of its array is not noticed. So try a new function on small cases with `.python`,
which raises IndexError, or on large ones with HAPSIS_NATIVE=checked in the environment: then
machine code checks too, and the IndexError comes when it returns (see `faults`).

Records (see `records`) hold what would be many parameters. Their numbers can be assigned; arrays,
Kernels and records in them can be exchanged from Python only, between calls.

Left out: recursion, local functions, tuples, slices (at(x, k) is x[k:]). Memory that another thread
changes meanwhile is seen through `observe` only: a loop may keep what it has read in a register.
"""

import ctypes
import itertools
import threading
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from hapsis.compiler.native import modes
from hapsis.compiler.native.arguments import DTYPE, array_expected, described, number, usable
from hapsis.compiler.native.build import Machine, build
from hapsis.compiler.native.checked_array import checked_array
from hapsis.compiler.native.definition import Definition
from hapsis.compiler.native.faults import raise_fault
from hapsis.compiler.native.kernels import Table
from hapsis.compiler.native.native_kernel import NativeKernel
from hapsis.compiler.native.record import records
from hapsis.compiler.native.record.record_layout import Kind, Layout
from hapsis.errors import CompileError

_C = {"int": ctypes.c_int64, "float": ctypes.c_double, "bool": ctypes.c_int64, "None": None}
_C |= dict.fromkeys(("Array", "Ints", "Kernel"), ctypes.c_void_p)
_RESULT = {"int": int, "float": np.float64, "bool": bool}
_tokens = itertools.count()
LONG = 1.0  # s of calls of quick code, after which good code is compiled


def _c_type(kind: Kind) -> Any:
    return ctypes.c_void_p if isinstance(kind, Layout) else _C[kind]


class Native:
    """A native function: a call runs machine code, compiled when first called.

    Where that code is not in the cache, it is compiled quickly, and compiled well only when its calls
    have taken longer than that takes. The bits are the same. `machine`, `ready` and `bound` give good
    code at once.

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
        self._token = next(_tokens)  # for records that were checked
        self._records: dict[str, int] = {}  # arity of the Kernels in records
        self._quick: Machine | None = None
        self._run: Any = None
        self._measured = False  # whether `_run` takes lengths, set with it

    def __call__(self, *args: Any, **named: Any) -> Any:
        """Runs machine code; within `python(...)` of another function, Python."""
        if modes.as_python():
            return self._interpreted(args, named)
        run = self._run or self._compiled()
        if named or len(args) != len(self._kinds):
            args = tuple(self.definition.ordered(list(args), named))
        result = run(*self._values(args))
        if self._measured:
            raise_fault()
        return bool(result) if self.definition.result == "bool" else result

    def python(self, *args: Any, **named: Any) -> Any:
        """The same computation by the interpreter, with everything it calls.

        A Kernel may be any callable here.
        """
        values = self.definition.ordered(list(args), named)
        for (name, kind), value in zip(self._kinds, values, strict=True):
            if isinstance(kind, Layout):
                self._record(name, kind, value)
            elif kind != "Kernel":
                self.machine_value(name, kind, value)
        with modes.interpreted(), np.errstate(all="ignore"):
            return self._interpreted(values, {})

    def ready(self, *args: Any, **named: Any) -> Callable[[], Any]:
        """A callable of the machine code with these arguments, checked now, so that a call runs no Python."""
        run = self._caller(self.machine())
        values = self._values(self.definition.ordered(list(args), named))
        return lambda: (run(*values), args, named)[0]

    @property
    def address(self) -> int:
        """Where the machine code lies; see `types`."""
        return self.machine().address

    @property
    def types(self) -> tuple[Any, list[Any]]:
        """The result and the arguments as ctypes; a Kernel goes by `Bound.address`."""
        return _C[self.definition.result], [_c_type(kind) for _, kind in self._kinds]

    def bound(self, vary: tuple[str, ...] = (), **fixed: Any) -> NativeKernel:
        """The function as a Kernel: `vary` names the Arrays that every call gives, in its order;
        all others are fixed. It takes arrays and Kernels only and returns nothing."""
        return NativeKernel(self, tuple(vary), fixed)

    def machine(self) -> Machine:
        """The machine code, compiled or loaded now if it was not yet."""
        with self._lock:
            if self._machine is None:
                self._take(build(self.definition))
            assert self._machine is not None
            return self._machine

    def _take(self, machine: Machine) -> None:
        """Keeps code that was built."""
        self._records = {key: count for key, count in machine.arity.items() if "." in key}
        if machine.good:
            self._machine, self._run = machine, None
        else:
            self._quick = machine

    def _compiled(self) -> Any:
        """What a call from Python runs: good code, or quick code that is watched."""
        with self._lock:
            if self._machine is None and self._quick is None:
                self._take(build(self.definition, quick=not modes.checked))
            machine = self._machine or self._quick
            assert machine is not None
            run = self._caller(machine)
            self._run = run = run if machine.good else self._watched(run)
            return run

    def _caller(self, machine: Machine) -> Any:
        """The entry of machine code as a function of Python."""
        result, arguments = self.types
        self._measured = modes.checked
        if self._measured:
            arguments = self._with_lengths(arguments, [ctypes.c_int64] * len(arguments))
        return ctypes.CFUNCTYPE(result, *arguments)(machine.measured)

    def _watched(self, run: Any) -> Callable[..., Any]:
        """Calls quick code; when that has taken long enough, the next call finds good code."""
        spent = 0.0

        def watched(*values: Any) -> Any:
            nonlocal spent
            start = time.perf_counter()
            result = run(*values)
            spent += time.perf_counter() - start
            if spent > LONG:
                self.machine()
            return result

        return watched

    def _values(self, args: Any) -> list[Any]:
        """The arguments as the machine code takes them from Python."""
        values = [
            self.machine_value(name, kind, value)
            for (name, kind), value in zip(self._kinds, args, strict=True)
        ]
        return self._with_lengths(values, args) if self._measured else values

    def _with_lengths(self, values: list[Any], arrays: Any) -> list[Any]:
        """The values with the length of each array after its address, as checked code takes them."""
        listed: list[Any] = []
        for (_, kind), value, array in zip(self._kinds, values, arrays, strict=True):
            listed.append(value)
            if kind in DTYPE:
                listed.append(len(array) if isinstance(array, np.ndarray) else array)
        return listed

    def _interpreted(self, args: Any, named: dict[str, Any]) -> Any:
        ordered = self.definition.ordered(list(args), named)
        values = [_seen(*pair) for pair in zip(self._kinds, ordered, strict=True)]
        result = self.definition.function(*values)
        kind = _RESULT.get(self.definition.result)
        return result if kind is None else kind(result)

    def machine_value(self, name: str, kind: Kind, value: Any) -> Any:
        """An argument as machine code takes it, or the error that names it."""
        if isinstance(kind, Layout):
            block = self._record(name, kind, value)
            if self._records:
                records.accept(value, self.__name__, self._records, self._token)
            return block.address
        if kind in DTYPE:
            if usable(kind, value):
                return value.__array_interface__["data"][0]
            raise self._wrong(name, value, array_expected(kind))
        if kind == "Kernel":
            return self._kernel(name, value)
        plain = number(kind, value)
        if plain is None:
            raise self._wrong(name, value, kind)
        return plain

    def _record(self, name: str, kind: Layout, value: Any) -> records.Block:
        if not isinstance(value, kind.record):
            raise self._wrong(name, value, f"a record {kind.name}")
        return records.block_of(value)

    def _kernel(self, name: str, value: Any) -> int:
        if not isinstance(value, Table):
            raise self._wrong(name, value, "what hapsis.compiler.native.bound returns")
        count = self.machine().arity.get(name, len(value.vary))
        if count != len(value.vary):
            listed = ", ".join(value.vary)
            raise CompileError(
                f"{self.__name__} calls {name} with {count} arrays, but {len(value.vary)} "
                f"ports of it vary ({listed})"
            )
        return value.address

    def _wrong(self, name: str, value: Any, expected: str) -> CompileError:
        what = f'argument "{name}" of {self.__name__} is {described(value)}'
        return CompileError(what, expected=expected)

    def __repr__(self) -> str:
        listed = ", ".join(f"{name}: {kind}" for name, kind in self._kinds)
        return f"<native {self.__name__}({listed}) -> {self.definition.result}>"


def _seen(parameter: tuple[str, Kind], value: Any) -> Any:
    """An argument for interpreted code: arrays with checked indices, and floats as NumPy floats, which
    divide by zero without an exception, as in native code."""
    name, kind = parameter
    if kind == "float":
        return np.float64(value)
    return checked_array(value, name) if kind in DTYPE else value


def native(function: Callable[..., Any]) -> Native:
    """Makes a native function of a Python function with annotations; see the head of this file."""
    return Native(function)
