"""The Jacobian of y' = f(t, y), as one Function."""

import numpy as np

from hapsis.compiler.ir.functions import blocks
from hapsis.compiler.ir.functions.function import Function

LONG = 3_000  # price of f; above it its Jacobian is mapped instead of written out


def jacobian(f: Function) -> Function:
    """(t, y, u) -> J, ft: df/dy and df/dt of f.

    A long f is differentiated along one direction, and that is mapped over all of y: a fraction of
    the code, to be compiled in a fraction of the time.
    """
    inputs = f.input_symbols()
    slope = f.jvp("t")(**inputs, d_t=1.0)
    if f.cost().price < LONG:
        J = f.jacobian("dy", "y")(**inputs)
    else:
        along, unit = f.jvp("y"), np.eye(len(inputs["y"]))
        J = blocks.map(along, *(inputs.get(port.name, unit) for port in along.inputs)).T
    return Function("jacobian", inputs, {"J": J, "ft": slope})
