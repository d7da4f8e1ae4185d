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
`language.py` says what may be written, `kernels.py` what a Kernel is.
"""

from hapsis.compiler.native.kernels import Bound, bound
from hapsis.compiler.native.language import Native, native
from hapsis.compiler.native.words import (
    Array,
    Ints,
    Kernel,
    at,
    bits,
    byte,
    clock,
    floor,
    foreign,
    from_bits,
    isfinite,
    observe,
    power,
    publish,
    put_byte,
    receive,
    sqrt,
    transmit,
    wait_until,
)

__all__ = [
    "Array",
    "Bound",
    "Ints",
    "Kernel",
    "Native",
    "at",
    "bits",
    "bound",
    "byte",
    "clock",
    "floor",
    "foreign",
    "from_bits",
    "isfinite",
    "native",
    "observe",
    "power",
    "publish",
    "put_byte",
    "receive",
    "sqrt",
    "transmit",
    "wait_until",
]
