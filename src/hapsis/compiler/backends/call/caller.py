"""Calls of compiled Functions: one state or a batch, positional or named arguments, checked.

A backend supplies a `Kernel` that works on arrays of the right dtype; this file converts the arguments
of users to such arrays and the results back. It is also the slow path of the compiled entry of `fastcall`.
"""

import weakref
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from hapsis.compiler.ir.functions.function import Function, Port, arguments
from hapsis.compiler.ir.graph.expr import Expr
from hapsis.errors import CompileError, near

if TYPE_CHECKING:
    from hapsis.compiler.backends.call.parameter_preparation import ParameterPreparation

Array = Any
PRECISIONS = {"f64": np.dtype(np.float64), "f32": np.dtype(np.float32)}


class Kernel(Protocol):
    """Compiled code: inputs to outputs, all contiguous, of the kernel's dtype.

    After the inputs comes the vector of parameters, or the values that a preparation computes from it.
    """

    def single(self, inputs: list[Array], outputs: list[Array]) -> None:
        """One state: arrays of the ports' shapes."""
        ...

    def batch(self, inputs: list[Array], outputs: list[Array], count: int) -> None:
        """`count` states: outputs have a leading dimension; inputs too, unless shared by all."""
        ...


class Caller:
    """A compiled Function as a Python callable: `f(q, v)`, `f(Q, V, out=...)`, `f(q, v, p={...})`.

    Arrays with one more dimension than an input's shape are a batch along the first axis; inputs
    without it are shared by all states. Anything that NumPy can read as real numbers is accepted;
    only `out` must be contiguous and of the right dtype.
    """

    def __init__(
        self,
        function: Function,
        kernel: Kernel,
        precision: str,
        preparation: "ParameterPreparation | None" = None,
    ) -> None:
        self.function, self.kernel, self.precision = function, kernel, precision
        self.preparation = preparation
        self.dtype = PRECISIONS[precision]
        self.names = list(function.parameters)
        self.places = {name: k for k, name in enumerate(self.names)}
        self.defaults = np.array(list(function.parameters.values()), dtype=self.dtype)
        # what the kernel reads after its inputs if a call gives no parameters; None for nothing
        self.stored: Array = self.defaults if self.names else None
        if preparation is not None:
            self.stored = preparation.stored
        self._fast: Any = None
        self._tails: dict[int, tuple[Any, ...]] = {}

    def shortcut(self, fast: Any) -> None:
        """Redirects calls that leave out the last inputs to `fast`, with their defaults added.

        Such calls then run hardly any Python code either. The caller holds `fast` weakly.
        """
        ports, tail = self.function.inputs, list[Any]()
        while len(tail) < len(ports) and (port := ports[-1 - len(tail)]).default is not None:
            value = port.stand_in
            tail.insert(0, self._real(port.label, value) if port.shape else value)
            self._tails[len(ports) - len(tail)] = tuple(tail)
        self._fast = weakref.ref(fast)

    def __call__(self, *args: Any, p: Any = None, out: Any = None, **named: Any) -> Any:
        """The output if there is one, else all outputs as a named tuple."""
        if self._tails and p is None and not named:
            tail, fast = self._tails.get(len(args)), self._fast()
            if tail is not None and fast is not None:
                return fast(*args, *tail) if out is None else fast(*args, *tail, out=out)
        function = self.function
        arrays, count = self._inputs(arguments(function, args, named))
        stored = self.stored
        if p is not None and self.names:
            stored, count = self.parameter_vector(p, count)
            if self.preparation is not None:
                stored = self.preparation(stored)
        elif p is not None and len(p):
            raise CompileError(f"{function.name!r:.60} has no parameters: leave out p")
        if stored is not None:
            arrays.append(stored)
        outputs = self._outputs(out, count)
        if out is not None:
            # kernels write results while they still read inputs
            spans = [_span(out) for out in outputs]
            arrays = [x.copy() if _touches(_span(x), spans) else x for x in arrays]
        if count is None:
            self.kernel.single(arrays, outputs)
        elif count:
            self.kernel.batch(arrays, outputs, count)
        if out is not None:
            return out
        if count is None:
            outputs = [o if o.shape else o.item() for o in outputs]
        return outputs[0] if len(outputs) == 1 else function.result(*outputs)

    def _inputs(self, values: list[Any]) -> tuple[list[Array], int | None]:
        arrays: list[Array] = []
        count: int | None = None
        for port, value in zip(self.function.inputs, values, strict=True):
            array = self._real(port.label, value)
            if array.shape != port.shape:
                if array.ndim != len(port.shape) + 1 or array.shape[1:] != port.shape:
                    raise CompileError(
                        f"{port.label} has shape {array.shape}, expected {port.shape} for one "
                        f"state or {_batch(port)} for a batch"
                    )
                if count not in (None, len(array)):
                    raise CompileError(
                        f"{port.label} is a batch of {len(array)}, another input one of {count}"
                    )
                count = len(array)
            arrays.append(array)
        return arrays, count

    def _real(self, label: str, value: Any) -> Array:
        try:
            array = np.asarray(value)
        except ValueError:
            raise CompileError(f"{label} must be real numbers in rows of the same length") from None
        if array.dtype == object or array.dtype.kind not in "fiub":
            kind = "text" if array.dtype.kind in "US" else str(array.dtype)
            if array.dtype == object:
                symbolic = any(isinstance(x, Expr) for x in array.ravel())
                kind = "expressions" if symbolic else type(value).__name__
            raise CompileError(
                f"{label} must be real numbers, not {kind}; for expressions call the Function itself"
            )
        ready = np.ascontiguousarray(array, dtype=self.dtype).reshape(array.shape)
        return ready if ready.flags.aligned else ready.copy()

    def parameter_vector(self, p: Any, count: int | None) -> tuple[Array, int | None]:
        """The parameter vector, overridden by name or as a whole; one per state of a batch if given so."""
        if isinstance(p, Mapping):
            columns: dict[int, Array] = {}
            for name, value in p.items():
                if name not in self.places:
                    raise CompileError(
                        f'no parameter is called "{str(name)[:60]}"{near(str(name), self.names)}'
                    )
                columns[self.places[name]] = self._real(f'parameter "{name[:60]}"', value)
            try:
                batch = np.broadcast_shapes(*(column.shape for column in columns.values()))
            except ValueError:
                raise CompileError("the parameters in p are batches of different sizes") from None
            array = np.empty((*batch, len(self.names)), self.dtype)
            array[...] = self.defaults
            for place, column in columns.items():
                array[..., place] = column
        else:
            array = self._real("p", p)
        width = len(self.names)
        if array.ndim not in (1, 2) or array.shape[-1] != width:
            raise CompileError(f"p has shape {array.shape}, expected ({width},) or (N, {width})")
        if not np.isfinite(array).all():
            raise CompileError("every parameter must be a finite number")
        if array.ndim == 2:
            if count not in (None, len(array)):
                raise CompileError(f"p is a batch of {len(array)}, the inputs one of {count}")
            count = len(array)
        return np.ascontiguousarray(array, dtype=self.dtype), count

    def _outputs(self, out: Any, count: int | None) -> list[Array]:
        ports = self.function.outputs
        shapes = [port.shape if count is None else (count, *port.shape) for port in ports]
        if out is None:
            return [np.empty(shape, self.dtype) for shape in shapes]
        arrays = list(out) if isinstance(out, tuple | list) else [out]
        if len(arrays) != len(ports):
            raise CompileError(f"out needs {len(ports)} arrays, one per output, not {len(arrays)}")
        for port, array, shape in zip(ports, arrays, shapes, strict=True):
            flags = getattr(array, "flags", None)
            good = (
                isinstance(array, np.ndarray)
                and array.dtype == self.dtype
                and array.shape == shape
                and flags is not None
                and flags.c_contiguous
                and flags.aligned
                and flags.writeable
            )
            if not good:
                raise CompileError(
                    f"out for {port.label} must be a writeable contiguous {self.dtype} array of shape {shape}"
                )
        return arrays

    def __repr__(self) -> str:
        return f"<compiled {self.function!r}>"


def _span(array: Array) -> tuple[int, int]:
    """The first address of a contiguous array, and the one after its last byte."""
    start = array.__array_interface__["data"][0]
    return start, start + array.nbytes


def _touches(span: tuple[int, int], others: list[tuple[int, int]]) -> bool:
    return any(span[0] < end and start < span[1] for start, end in others)


def _batch(port: Port) -> str:
    return "(" + ", ".join(["N", *map(str, port.shape)]) + ")"
