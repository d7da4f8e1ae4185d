"""Kernels: compiled Functions that native code calls with pointers.

    f = bound(hs.compile(function), vary=("t", "y", "dy"), u=np.zeros(3))
    f(t, y, dy)                 # from native code, or from Python: writes into dy
    f.fixed["u"][:] = ...       # between calls

A bound kernel is a table of words: the code, its ports, its workspace, the data for checked code, then
for each varying port the address at which its pointer is stored. Native code stores the pointers there
and jumps: no checks, some nanoseconds. Checked code uses two words for each varying port: the least
length of its array, and the address at which its length is stored.

Outputs must not share memory with inputs. A kernel has one workspace, so it serves one thread at a
time; bind it again for another.
"""

import ctypes
from functools import cache
from typing import Any

import numpy as np

from hapsis.compiler.backends.call.caller import Caller
from hapsis.compiler.backends.llvm.llvm import LlvmKernel
from hapsis.compiler.backends.llvm.small_functions import small_function
from hapsis.compiler.ir.functions.float_array import float_array
from hapsis.compiler.ir.functions.function import Function, Port
from hapsis.errors import CompileError, near

_RUN = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p)
MOST_PORTS = 32  # the most arrays in a call of the Kernel that does nothing


class Table:
    """The base of Kernels: `address` of the table; `vary` has the names of the ports of a call."""

    address: int
    vary: tuple[str, ...]
    fixed: dict[str, Any]


def table_words(
    head: tuple[int, int, int], places: list[int], least: list[int], lengths: list[int]
) -> tuple[np.ndarray, np.ndarray]:
    """The table, and the words for checked code that it refers to; both must be kept alive.

    head       addresses of code, ports and workspace
    places     for each varying port, the address where its pointer goes
    least      the least length of its array
    lengths    the address where its length goes
    """
    checks = np.array([word for pair in zip(least, lengths, strict=True) for word in pair], np.int64)
    return np.array([*head, checks.ctypes.data, *places], np.int64), checks


class Nothing(Table):
    """A Kernel that does nothing with any arguments, used instead of a missing one."""

    def __init__(self) -> None:
        text = "define void @hs_nothing(ptr %ports, ptr %workspace) { ret void }"
        self._library, code = small_function("hs_nothing", lambda: text)
        self.vary, self.fixed = (), {}
        self._port = np.zeros(1, np.int64)
        port = self._port.ctypes.data
        self._table = np.array([code, port, 0, 0, *[port] * MOST_PORTS], np.int64)
        self.address: int = self._table.ctypes.data


@cache
def nothing() -> Nothing:
    """The Kernel that does nothing."""
    return Nothing()


class Bound(Table):
    """A kernel with its fixed ports; call it with one array per varying port.

    `vary` lists the names of those, `fixed` has the arrays of all the others.
    """

    def __init__(self, compiled: Any, vary: tuple[str, ...], p: Any, fixed: dict[str, Any]) -> None:
        self._caller = bound_caller(compiled)
        function = self._caller.function
        self.name, self.vary = function.name, tuple(vary)
        ports = _named([*function.inputs], [*function.outputs], self.name)
        _check(self.name, ports, [port.name for port in function.inputs], self.vary, fixed)
        self.fixed: dict[str, np.ndarray] = {}
        self._prepared = None if self._caller.stored is None else self._caller.stored.copy()
        shift = self._prepared is not None
        # inputs, what stands for the parameters, outputs
        places = {name: k + (shift and k >= len(function.inputs)) for k, name in enumerate(ports)}
        self._ports = (ctypes.c_void_p * (len(ports) + shift))()
        if self._prepared is not None:
            self._ports[len(function.inputs)] = self._prepared.ctypes.data
        for name, port in ports.items():
            if name not in self.vary:
                array = _array(port, fixed.get(name), name in fixed)
                self.fixed[name] = array
                self._ports[places[name]] = array.ctypes.data
        self._varying = [(name, places[name], _size(ports[name])) for name in self.vary]
        self._reads = [(places[port.name], 8 * _size(port)) for port in function.inputs]
        self._writes = [(places[port.name], 8 * _size(port)) for port in function.outputs]
        self._link()
        self.set_parameters(p)

    @property
    def function(self) -> Function:
        """The Function that it computes."""
        return self._caller.function

    @property
    def prepared(self) -> np.ndarray | None:
        """What stands for its parameters; None without any."""
        return self._prepared

    @property
    def given(self) -> list[int]:
        """Among its ports, those that a call gives, in the order of the call."""
        return [place for _, place, _ in self._varying]

    @property
    def arrays(self) -> list[np.ndarray | None]:
        """The arrays of its ports: inputs, what stands for the parameters, outputs; None for those given."""
        count = len(self.function.inputs)
        arrays = [self.fixed.get(port.name) for port in (*self.function.inputs, *self.function.outputs)]
        return arrays if self._prepared is None else [*arrays[:count], self._prepared, *arrays[count:]]

    def _link(self) -> None:
        """The table for native code, and the code itself for calls from Python."""
        kernel: Any = self._caller.kernel
        self._code = kernel.code(1)
        self._memory = np.zeros(self._code.workspace_bytes + 64, np.uint8)
        workspace = -(-self._memory.ctypes.data // 64) * 64
        ports = ctypes.addressof(self._ports)
        self._length = np.zeros(1, np.int64)  # where checked code puts lengths: nobody reads them
        self._table, self._checks = table_words(
            (self._code.address, ports, workspace),
            [ports + 8 * place for _, place, _ in self._varying],
            [size for *_, size in self._varying],
            [self._length.ctypes.data for _ in self._varying],
        )
        self._code.follow(self._table, 0)
        self.address: int = self._table.ctypes.data
        self._arguments = ports, workspace

    def set_parameters(self, p: Any = None) -> None:
        """Other values of the parameters: a dict by name, all as a vector, or None: the stored."""
        caller = self._caller
        if self._prepared is None:
            if p is not None and len(p):
                raise CompileError(f"{self.name!r:.60} has no parameters: leave out p")
            return
        values = caller.stored
        if p is not None:
            values, count = caller.parameter_vector(p, None)
            if count is not None:
                raise CompileError("a kernel has one set of parameters: give a vector or numbers")
            if caller.preparation is not None:
                values = caller.preparation(values)
        self._prepared[:] = values

    def __call__(self, *arrays: Any) -> None:
        """Runs the kernel once; inputs are read from the arrays, outputs written into them."""
        if len(arrays) != len(self.vary):
            raise CompileError(
                f"{self.name!r:.60} takes {len(self.vary)} arrays ({', '.join(self.vary)}), not {len(arrays)}"
            )
        for (name, place, size), array in zip(self._varying, arrays, strict=True):
            if not (
                isinstance(array, np.ndarray)
                and array.dtype == np.float64
                and array.size >= size
                and array.flags.carray
            ):
                raise CompileError(
                    f'port "{name}" of {self.name!r:.60} needs a contiguous writeable float64 '
                    f"array of at least {size} numbers"
                )
            self._ports[place] = array.__array_interface__["data"][0]
        self._apart()
        _RUN(self._code.address)(*self._arguments)

    def _apart(self) -> None:
        """Raises an error if an output overlaps an input: outputs are written while inputs are read."""
        for written, bytes_written in self._writes:
            start = self._ports[written] or 0
            for read, bytes_read in self._reads:
                other = self._ports[read] or 0
                if start < other + bytes_read and other < start + bytes_written:
                    raise CompileError(
                        f"an output of {self.name!r:.60} shares memory with an input: use another array"
                    )

    def __repr__(self) -> str:
        return f"<kernel {self.name}({', '.join(self.vary)})>"


def bound(compiled: Any, /, vary: tuple[str, ...] = (), p: Any = None, **fixed: Any) -> Bound:
    """A Kernel of what `hs.compile` returned.

    vary     names of the input and output ports that every call gives, in the order of the call;
             a port without shape is an array of one number
    p        values of parameters, as for a call (see `Bound.set_parameters`)
    fixed    values of all other inputs, and if you like arrays for other outputs; an array that
             fits is used itself, so several kernels can share it
    """
    return Bound(compiled, vary, p, fixed)


def bound_caller(compiled: Any) -> Caller:
    """The Caller of what `hs.compile` returned, if native code can call its kernel."""
    caller = compiled if isinstance(compiled, Caller) else getattr(compiled, "slow", None)
    if not isinstance(caller, Caller):
        raise CompileError(f"bound takes what hs.compile returns, not {type(compiled).__name__}")
    name = caller.function.name
    if not isinstance(caller.kernel, LlvmKernel):
        raise CompileError(
            f"{name!r:.60} runs in the interpreter, so native code cannot call it",
            remedy='compile it with backend "llvm" and a larger budget',
        )
    if caller.precision != "f64":
        raise CompileError(f"{name!r:.60} has precision {caller.precision}; native code needs f64")
    return caller


def _named(inputs: list[Port], outputs: list[Port], name: str) -> dict[str, Port]:
    ports = {port.name: port for port in (*inputs, *outputs)}
    if len(ports) != len(inputs) + len(outputs):
        raise CompileError(f"an input and an output of {name!r:.60} have the same name: rename one")
    return ports


def _check(name: str, ports: dict[str, Port], inputs: list[str], vary: tuple[str, ...], fixed: dict) -> None:
    for port in (*vary, *fixed):
        if port not in ports:
            raise CompileError(
                f'{name!r:.60} has no port "{str(port)[:60]}"{near(str(port), ports)}; it has '
                + ", ".join(ports)
            )
    if len({*vary, *fixed}) < len(vary) + len(fixed):
        raise CompileError(f"a port of {name!r:.60} is given twice: each varies or is fixed")
    missing = [n for n in inputs if n not in {*vary, *fixed} and ports[n].default is None]
    if missing:
        raise CompileError(
            f"inputs of {name!r:.60} are without a value: {', '.join(missing)}",
            remedy="let them vary or fix them",
        )


def _size(port: Port) -> int:
    return len(port.refs)


def _array(port: Port, value: Any, given: bool) -> np.ndarray:
    """The memory of a fixed port: the array itself if it fits, else one of its own."""
    if not given:
        blank = np.zeros(port.shape)
        return np.array(blank if port.default is None else port.stand_in, np.float64)
    if isinstance(value, np.ndarray) and value.dtype == np.float64 and value.flags.carray:
        array = value
    else:
        array = float_array(value)
        if array is None:
            raise CompileError(f"{port.label} must be real numbers")
    if array.shape not in (port.shape, (_size(port),)):
        raise CompileError(f"{port.label} has shape {array.shape}, expected {port.shape}")
    return array
