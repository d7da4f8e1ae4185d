"""C99: one file of functions, its header, and a program that tests them where they will run.

    arm_inverse_dynamics(q, v, a, p, tau)    all pointers; p may be NULL: the stored parameters

No memory is allocated and nothing global changes. In double precision only sqrt, floor and fabs of the C
library are called, so the results are bitwise the same on every machine (compiled with
-ffp-contract=off). In single precision the functions of math.h (sinf, expf, ...) are called, so that no
double occurs; with -DHS_SAME_BITS ours take their place, which compute in double and give the same bits
everywhere.
"""

from collections.abc import Sequence

from hapsis.compiler import elementary
from hapsis.compiler.backends.c.c_body import Unit
from hapsis.compiler.backends.c.c_dialect import table
from hapsis.compiler.backends.c.c_selftest import selftest
from hapsis.compiler.backends.interface import STEM, Entry, Interface, interface
from hapsis.compiler.backends.script.straightline import shape_words
from hapsis.compiler.ir.functions.function import Function
from hapsis.compiler.passes.pipeline import prepared
from hapsis.errors import CompileError, near

PRECISIONS = ("f64", "f32")

_APART = """\
/* keeps the parts of a long function apart, so that compiling takes linear time */
#ifndef HS_APART
#if defined(__GNUC__)
#define HS_APART __attribute__((noinline))
#else
#define HS_APART
#endif
#endif
"""
_SINGLE = """\
#include <math.h>
#ifndef HS_HAVE_SINGLE
#define HS_HAVE_SINGLE
#define hs_tanf tanf
#define hs_asinf asinf
#define hs_acosf acosf
#define hs_atan2f atan2f
#define hs_expf expf
#define hs_logf logf
#define hs_powf powf
#define hs_sincosf(x, s, c) (*(s) = sinf(x), *(c) = cosf(x))
#endif
"""
_HEADER = """\
/* Generated code. All pointers are to {real}s; outputs may be the same memory as inputs.
   Every argument is given: defaults of inputs are no part of this interface.
   Compile with -std=c99 -O2 -ffp-contract=off, never with -ffast-math. */
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
    stem = name if STEM.match(name) else "model"
    shared = interface(functions, stem)
    header, body = header_and_body(shared, precision)
    return {
        f"{stem}.c": f'#include "{stem}.h"\n' + body,
        f"{stem}.h": header,
        f"{stem}_test.c": selftest(shared, precision),
    }


def header_and_body(shared: Interface, precision: str = "f64") -> tuple[str, str]:
    """The text of the header, and that of the file without the line that includes the header."""
    if precision not in PRECISIONS:
        raise CompileError(f'"{precision[:60]}" is no precision{near(precision, PRECISIONS)}: use f64 or f32')
    unit = Unit(precision, shared.stem)
    declared = [*_places(unit, shared), *(_write(unit, shared, entry) for entry in shared.entries)]
    real = unit.precision.real
    header = _HEADER.format(real=real, guard=f"HS_{shared.stem}_H", functions="\n".join(declared))
    text = "".join(unit.pieces)
    library = elementary.c_library(sorted(unit.elementary), precision)
    if precision == "f32":
        library = f"#ifdef HS_SAME_BITS\n{library}#else\n{_SINGLE}#endif\n"
    return header, library + (_APART if "HS_APART" in text else "") + "\n" + text


def _places(unit: Unit, shared: Interface) -> list[str]:
    """Writes the stored parameters into the unit; returns their declaration with the places in p."""
    if not shared.parameters:
        return []
    real, name = unit.precision.real, shared.table
    stored = map(unit.precision.literal, shared.parameters.values())
    unit.pieces.append(table(f"{real} {name}_stored", stored, "const "))
    places = "".join(f"    {name}_{place},\n" for place in shared.places)
    return [
        "/* places in p, the same for all functions of this file, and how many there are */\n"
        f"enum {{\n{places}    {name}_count\n}};\n\n/* the stored values: copy them to change some */\n"
        f"extern const {real} {name}_stored[{len(shared.places)}];\n"
    ]


def _write(unit: Unit, shared: Interface, entry: Entry) -> str:
    """Writes a function into the unit; returns its declaration, with a comment that describes it."""
    real, function = unit.precision.real, entry.function
    ports = [*zip(entry.inputs, function.inputs, strict=True)]
    results = [*zip(entry.outputs, function.outputs, strict=True)]
    inputs = [f"{name}[{j}]" for name, port in ports for j in range(len(port.refs))]
    inputs += [f"p[{place}]" for place in entry.places]
    outputs = [f"{name}[{j}]" for name, port in results for j in range(len(port.refs))]
    given = [f"const {real} *{name}" for name in (*entry.inputs, "p")]
    taken = [f"{real} *{name}" for name in entry.outputs]
    first = [f"if (!p) p = {shared.table}_stored;"] if entry.places else []
    unit.write(f"void {entry.name}", entry.name, given, taken, prepared(function), inputs, outputs, first)
    words = [f"{name}: {shape_words(port.shape)}" for name, port in ports]
    words += [f"p: {shape_words((len(shared.places),))}; NULL: the stored values"]
    words += [f"{name}: {shape_words(port.shape)}" for name, port in results]
    words += [f"its arrays take {unit.stack(entry.name)} bytes of stack */"]
    return "/* " + "\n   ".join(words) + f"\nvoid {entry.name}({', '.join([*given, *taken])});\n"
