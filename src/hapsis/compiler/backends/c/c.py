"""C99: one file of functions, its header, and a program that tests them where they will run.

    hs_f0(in0, in1, ..., p, out0, ...)    all pointers; p may be NULL: the stored parameters

No memory is allocated, nothing global changes, and of the C library only sqrt, floor and fabs are
called, so the results are bitwise the same on every machine (compiled with -ffp-contract=off). Names
are made of positions: no text of the user appears in the code.
"""

import re
from collections.abc import Sequence

from hapsis.compiler import elementary
from hapsis.compiler.backends.c.c_body import Unit
from hapsis.compiler.backends.c.c_dialect import table
from hapsis.compiler.backends.c.c_selftest import selftest
from hapsis.compiler.backends.script.straightline import places, shape_words
from hapsis.compiler.ir.functions.function import Function
from hapsis.compiler.passes.pipeline import prepared
from hapsis.errors import CompileError, near

PRECISIONS = ("f64", "f32")
STEM = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,63}\Z")

_APART = """\
/* keeps the parts of a long function apart, so that compiling takes linear time */
#if defined(__GNUC__)
#define HS_APART __attribute__((noinline))
#else
#define HS_APART
#endif
"""
_HEADER = """\
/* Generated code. All pointers are to {real}s; outputs may be the same memory as inputs.
   Every argument is given: defaults of inputs are no part of this interface.
   Compile with -std=c99 -O2 -ffp-contract=off, never with -ffast-math.
   Linking two such files: rename the functions of one, as in -Dhs_f0=other_f0. */
#ifndef {guard}
#define {guard}

#ifdef __cplusplus
extern "C" {{
#endif

{functions}
#ifdef __cplusplus
}}
#endif

#endif
"""


def source(functions: Sequence[Function], name: str = "model", precision: str = "f64") -> dict[str, str]:
    """Texts by file name: NAME.c, NAME.h and NAME_test.c; NAME is `model` if it is not plain.

    Compile with `-std=c99 -O2 -ffp-contract=off`. The test program evaluates each function at a
    few states, compares with the results of the interpreter (within 1e-12 of the largest number of an
    output; bitwise with the argument `bitwise`), and returns 0 if all agree.
    """
    if precision not in PRECISIONS:
        raise CompileError(f'"{precision[:60]}" is no precision{near(precision, PRECISIONS)}: use f64 or f32')
    stem = name if STEM.match(name) else "model"
    header, body = header_and_body(functions, precision, f"HS_{stem.upper()}_H")
    return {
        f"{stem}.c": f'#include "{stem}.h"\n' + body,
        f"{stem}.h": header,
        f"{stem}_test.c": selftest(functions, f"{stem}.h", precision),
    }


def header_and_body(
    functions: Sequence[Function], precision: str = "f64", guard: str = "HS_MODEL_H"
) -> tuple[str, str]:
    """The text of the header, and that of the file without the line that includes the header."""
    unit = Unit(precision)
    declared = [_write(unit, k, function) for k, function in enumerate(functions)]
    real = unit.precision.real
    header = _HEADER.format(real=real, guard=guard, functions="\n".join(declared))
    text = "".join(unit.pieces)
    library = elementary.c_library(sorted(unit.elementary), precision)
    return header, library + (_APART if "HS_APART" in text else "") + "\n" + text


def _write(unit: Unit, k: int, function: Function) -> str:
    """Writes function k into the unit; returns its declaration, with a comment that describes it."""
    ready = prepared(function)
    real, name = unit.precision.real, f"hs_f{k}"
    inputs = [f"in{port}[{j}]" if port >= 0 else f"p[{j}]" for port, j in places(function)]
    parameters = [f"const {real} *in{i}" for i in range(len(function.inputs))] + [f"const {real} *p"]
    results = [f"{real} *out{i}" for i in range(len(function.outputs))]
    outputs = [f"out{i}[{j}]" for i, o in enumerate(function.outputs) for j in range(len(o.refs))]
    stored = function.parameters.values()
    first = []
    if stored:
        unit.pieces.append(table(f"{real} {name}_p", map(unit.precision.literal, stored)))
        first = [f"if (!p) p = {name}_p;"]
    unit.write(f"void {name}", name, parameters, results, ready, inputs, outputs, first)
    words = [f"/* function {k}"]
    words += [f"   in{i}: {shape_words(port.shape)}" for i, port in enumerate(function.inputs)]
    words += [f"   p: {shape_words((len(stored),))}; NULL: the stored values"]
    words += [f"   out{i}: {shape_words(port.shape)}" for i, port in enumerate(function.outputs)]
    words += [f"   its arrays take {unit.stack(name)} bytes of stack */"]
    return "\n".join(words) + f"\nvoid {name}({', '.join([*parameters, *results])});\n"
