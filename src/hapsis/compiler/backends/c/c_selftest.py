"""The self-test of exported C: a program with a few states and the results of the interpreter."""

import numpy as np

from hapsis.compiler.backends import interpreter as python
from hapsis.compiler.backends.c.c_dialect import Precision, table
from hapsis.compiler.backends.interface import Entry, Interface
from hapsis.compiler.ir.functions.function import Function
from hapsis.compiler.passes.pipeline import prepared

STATES = 3
TOLERANCE = {"f64": "1e-12", "f32": "1e-5f"}

_PROGRAM = """\
/* Generated code: evaluates every function at {states} states and compares with stored results.
   Returns 0 if all agree; with the argument "bitwise" they must agree in every bit (floats: if all is
   compiled with -DHS_SAME_BITS).
   With -DHS_NO_MAIN nothing is printed and there is no main: declare and call
   int {stem}_selftest(int bitwise) from a program of your own. */
#include <math.h>
#include <string.h>
#ifndef HS_NO_MAIN
#include <stdio.h>
#endif
#include "{stem}.h"

int {stem}_selftest(int must_be_bitwise);

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

static int report(const char *name, {real} worst)
{{
    const int failed = !(worst <= (bitwise ? 0 : {tolerance}));
#ifndef HS_NO_MAIN
    printf("%s: %s, largest difference %.1e\\n", name, failed ? "FAILED" : "passed", (double)worst);
#else
    (void)name;
#endif
    return failed;
}}

{tests}
int {stem}_selftest(int must_be_bitwise)
{{
    int failed = 0;
    bitwise = must_be_bitwise;
{calls}    return failed;
}}

#ifndef HS_NO_MAIN
int main(int argc, char **argv)
{{
    return {stem}_selftest(argc > 1 && strcmp(argv[1], "bitwise") == 0);
}}
#endif
"""


def selftest(shared: Interface, precision: str) -> str:
    """The text of the test program."""
    types = Precision(precision)
    return _PROGRAM.format(
        states=STATES,
        stem=shared.stem,
        real=types.real,
        f=types.suffix,
        tolerance=TOLERANCE[precision],
        tests="\n".join(_test(k, entry, shared, types) for k, entry in enumerate(shared.entries)),
        calls="".join(f"    failed |= hs_test{k}();\n" for k in range(len(shared.entries))),
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


def _test(k: int, entry: Entry, shared: Interface, precision: Precision) -> str:
    """The tables of one function and the C function that goes through them."""
    function = entry.function
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
        put(f"hs_test{k}_in{i}", flat[start : start + width])
        arguments.append(f"hs_test{k}_in{i} + s*{width}")
        start += width
    if entry.places:
        count = len(shared.places)
        vectors = np.tile(np.array([*shared.parameters.values()])[:, None], STATES)
        vectors[[*entry.places]] = flat[start:]
        put(f"hs_test{k}_p", vectors)
        arguments.append(f"s ? hs_test{k}_p + s*{count} : NULL")
    else:
        arguments.append("NULL")
    start = 0
    for i, port in enumerate(function.outputs):
        width = len(port.refs)
        put(f"hs_test{k}_out{i}", results[start : start + width])
        checks.append(
            f"        worst = larger(worst, difference(out{i}, hs_test{k}_out{i} + s*{width}, {width}));\n"
        )
        start += width
    widths = [max(1, len(port.refs)) for port in function.outputs]
    outs = "".join(f"    {real} out{i}[{width}];\n" for i, width in enumerate(widths))
    called = ", ".join([*arguments, *(f"out{i}" for i in range(len(function.outputs)))])
    return (
        "".join(tables)
        + f"static int hs_test{k}(void)\n{{\n{outs}    {real} worst = 0;\n    int s;\n"
        + f"    for (s = 0; s < {STATES}; s++) {{\n        {entry.name}({called});\n"
        + "".join(checks)
        + f'    }}\n    return report("{entry.name}", worst);\n}}\n'
    )
