"""Kernels for several states at a time, side by side in the lanes of a register.

    f = bound_lanes(hs.compile(function), ("t", "y", "dy"), lanes=8)
    f(t, y, dy)                 # arrays of 8 times as many numbers

The number j of the state in lane l is at j * lanes + l, so that a register is filled by one load. Every
lane computes the same operations in the same order as a Kernel of one state: the same bits.
"""

import ctypes
from typing import Any

import numpy as np

from hapsis.compiler.native.kernels import Table, bound_caller, table_words
from hapsis.errors import CompileError

_RUN = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p)
_ALIGNMENT = 64


def aligned(count: int) -> np.ndarray:
    """So many zeros, at an address that every register can be loaded from."""
    memory = np.zeros(count + _ALIGNMENT // 8)
    start = -memory.ctypes.data % _ALIGNMENT // 8
    return memory[start : start + count]


class BoundLanes(Table):
    """A kernel for `lanes` states; call it with one array per varying port.

    `fixed` has the arrays of all other ports, `prepared` what stands for the parameters of each lane.
    """

    def __init__(self, compiled: Any, vary: tuple[str, ...], lanes: int) -> None:
        self._caller = caller = bound_caller(compiled)
        function, self.lanes, self.vary = caller.function, lanes, tuple(vary)
        stored: Any = caller.stored
        kernel: Any = caller.kernel
        self._code = kernel.code(lanes, rows=False)
        self.prepared = aligned(0 if stored is None else stored.size * lanes)
        ports = [*function.inputs, *function.outputs]
        before = len(function.inputs)
        shift = stored is not None
        self._ports = (ctypes.c_void_p * (len(ports) + shift))()
        self.fixed: dict[str, np.ndarray] = {}
        places: dict[str, int] = {}
        for k, port in enumerate(ports):
            places[port.name] = k + (shift and k >= before)
            if port.name not in self.vary:
                self.fixed[port.name] = array = aligned(len(port.refs) * lanes)
                if port.default is not None:
                    array[:] = np.repeat(np.ravel(port.stand_in), lanes)
                self._ports[places[port.name]] = array.ctypes.data
        if shift:
            self._ports[before] = self.prepared.ctypes.data
            self.set_parameters(None)
        sizes = {port.name: len(port.refs) * lanes for port in ports}
        self._varying = [(places[name], sizes[name]) for name in self.vary]
        self._memory = np.zeros(self._code.workspace_bytes + _ALIGNMENT, np.uint8)
        workspace = -(-self._memory.ctypes.data // _ALIGNMENT) * _ALIGNMENT
        start = ctypes.addressof(self._ports)
        self._length = np.zeros(1, np.int64)
        self._table, self._checks = table_words(
            (self._code.address, start, workspace),
            [start + 8 * place for place, _ in self._varying],
            [size for _, size in self._varying],
            [self._length.ctypes.data for _ in self._varying],
        )
        self._code.follow(self._table, 0)
        self.address: int = self._table.ctypes.data
        self._arguments = start, workspace

    def set_parameters(self, rows: Any) -> None:
        """The parameters of each lane: rows of all parameters, one per lane; None: the stored ones."""
        caller = self._caller
        if rows is None:
            values = np.tile(caller.stored, (self.lanes, 1))
        else:
            rows = np.ascontiguousarray(rows, float)
            values = rows if caller.preparation is None else caller.preparation(rows)
        self.prepared[:] = values.T.ravel()

    def __call__(self, *arrays: Any) -> None:
        """Runs the kernel once."""
        for (place, size), array in zip(self._varying, arrays, strict=True):
            if array.size < size or not array.flags.carray or array.ctypes.data % _ALIGNMENT:
                raise CompileError(f"a kernel of {self.lanes} lanes needs aligned arrays of {size} numbers")
            self._ports[place] = array.ctypes.data
        _RUN(self._code.address)(*self._arguments)


def bound_lanes(compiled: Any, vary: tuple[str, ...], lanes: int) -> BoundLanes:
    """A Kernel of what `hs.compile` returned, for so many states side by side."""
    return BoundLanes(compiled, vary, lanes)
