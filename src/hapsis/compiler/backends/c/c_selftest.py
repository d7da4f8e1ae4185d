"""The self-test of exported C: a program with a few states and the results of the interpreter."""

from collections.abc import Sequence

import numpy as np

from hapsis.compiler.backends import interpreter as python
from hapsis.compiler.backends.c.c_dialect import Precision, table
from hapsis.compiler.ir.functions.function import Function
from hapsis.compiler.passes.pipeline import prepared

STATES = 3
TOLERANCE = {"f64": "1e-12", "f32": "1e-5f"}

_PROGRAM = """\
/* Generated code: evaluates every function at {states} states and compares with stored results.
   Returns 0 if all agree; with the argument "bitwise" they must agree in every bit. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "{header}"

static int bitwise = 0;

/* the largest difference, in units of the largest stored number or of 1 */
static {real} difference(const {real} *got, const {real} *stored, int n)
{{
    {real} scale = 1, worst = 0;
    int i;
    for (i = 0; i < n; i++) {{
        const {real} size = fabs{f}(stored[i]);
        if (size > scale && size < ({real})INFINITY) scale = size;
    }}
    for (i = 0; i < n; i++) {{
        {real} d;
        if (got[i] != got[i] && stored[i] != stored[i]) continue;
        if (memcmp(&got[i], &stored[i], sizeof got[i]) == 0) continue;
        d = got[i] == stored[i] ? 0 : fabs{f}(got[i] - stored[i])/scale;
        if (bitwise || d != d) d = ({real})INFINITY;
        if (d > worst) worst = d;
    }}
    return worst;
}}

static {real} larger({real} a, {real} b)
{{
    return a > b ? a : b;
}}

static int report(int k, {real} worst)
{{
    const int failed = !(worst <= (bitwise ? 0 : {tolerance}));
    printf("f%d: %s, largest difference %.1e\\n", k, failed ? "FAILED" : "passed", (double)worst);
    return failed;
}}

{tests}
int main(int argc, char **argv)
{{
    int failed = 0;
    bitwise = argc > 1 && strcmp(argv[1], "bitwise") == 0;
{calls}    return failed;
}}
"""


def selftest(functions: Sequence[Function], header: str, precision: str) -> str:
    """The text of the test program."""
    types = Precision(precision)
    return _PROGRAM.format(
        states=STATES,
        header=header,
        real=types.real,
        f=types.suffix,
        tolerance=TOLERANCE[precision],
        tests="\n".join(_test(k, function, types) for k, function in enumerate(functions)),
        calls="".join(f"    failed |= test{k}();\n" for k in range(len(functions))),
    )


def states(function: Function, dtype: np.dtype) -> np.ndarray:
    """STATES columns of flat inputs: spread over [-1, 1], (0, 1] and a small range.

    The first column has the stored parameters, the others have them changed by up to a tenth.
    Golden ratio steps instead of a random generator: the text never depends on a version.
    """
    count = function.n_in
    spread = (0.5 + np.arange(1, STATES * count + 1) * 0.6180339887498949) % 1.0
    spread = spread.reshape(STATES, count).T
    flat = np.empty_like(spread)
    flat[:, 0], flat[:, 1], flat[:, 2] = 2 * spread[:, 0] - 1, spread[:, 1], spread[:, 2] / 8
    stored = np.array(list(function.parameters.values()), float)
    at = count - len(stored)
    flat[at:] = stored[:, None] * (1 + 0.1 * spread[at:] * (np.arange(STATES) > 0))
    return flat.astype(dtype)


def _test(k: int, function: Function, precision: Precision) -> str:
    """The tables of one function and the C function that goes through them."""
    flat = states(function, precision.dtype)
    results = python.evaluate(prepared(function), flat)
    real = precision.real
    tables, arguments, checks = [], [], []

    def put(name: str, rows: np.ndarray) -> None:
        entries = (precision.literal(x) for x in rows.T.ravel().tolist())
        tables.append(table(f"{real} {name}", entries))

    start = 0
    for i, port in enumerate(function.inputs):
        width = len(port.refs)
        put(f"test{k}_in{i}", flat[start : start + width])
        arguments.append(f"test{k}_in{i} + s*{width}")
        start += width
    count = len(function.parameters)
    if count:
        put(f"test{k}_p", flat[start:])
        arguments.append(f"s ? test{k}_p + s*{count} : NULL")
    else:
        arguments.append("NULL")
    start = 0
    for i, port in enumerate(function.outputs):
        width = len(port.refs)
        put(f"test{k}_out{i}", results[start : start + width])
        checks.append(
            f"        worst = larger(worst, difference(out{i}, test{k}_out{i} + s*{width}, {width}));\n"
        )
        start += width
    widths = [max(1, len(port.refs)) for port in function.outputs]
    outs = "".join(f"    {real} out{i}[{width}];\n" for i, width in enumerate(widths))
    called = ", ".join([*arguments, *(f"out{i}" for i in range(len(function.outputs)))])
    return (
        "".join(tables)
        + f"static int test{k}(void)\n{{\n{outs}    {real} worst = 0;\n    int s;\n"
        + f"    for (s = 0; s < {STATES}; s++) {{\n        hs_f{k}({called});\n"
        + "".join(checks)
        + f"    }}\n    return report({k}, worst);\n}}\n"
    )
