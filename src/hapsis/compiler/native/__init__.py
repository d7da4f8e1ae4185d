"""A small subset of Python that runs as native code: loops around compiled Functions.

    @native
    def steps(f: Kernel, n: int, h: float, count: int, t: Array, y: Array, k: Array) -> int:
        for i in range(count):
            f(t, y, k)
            for j in range(n):
                y[j] += h * k[j]
            t[0] += h
        return count

The same function is ordinary Python too, `steps.python(...)`, and gives the same bits there.
`language.py` says what may be written, `kernels.py` what a Kernel is, `records.py` what a record.
"""

from hapsis.compiler.native.builtins_python import (
    Array,
    Ints,
    Kernel,
    Kernels,
    at,
    bits,
    byte,
    claim,
    clock,
    floor,
    foreign,
    from_bits,
    isfinite,
    observe,
    place,
    power,
    publish,
    put_byte,
    receive,
    sqrt,
    transmit,
    wait_until,
)
from hapsis.compiler.native.faults import Fault, clear_fault, fault
from hapsis.compiler.native.kernels import Bound, bound
from hapsis.compiler.native.language import Native, native
from hapsis.compiler.native.record.records import constant, inside, later, record, sized

__all__ = [
    "Array",
    "Bound",
    "Fault",
    "Ints",
    "Kernel",
    "Kernels",
    "Native",
    "at",
    "bits",
    "bound",
    "byte",
    "claim",
    "clear_fault",
    "clock",
    "constant",
    "fault",
    "floor",
    "foreign",
    "from_bits",
    "inside",
    "isfinite",
    "later",
    "native",
    "observe",
    "place",
    "power",
    "publish",
    "put_byte",
    "receive",
    "record",
    "sized",
    "sqrt",
    "transmit",
    "wait_until",
]
