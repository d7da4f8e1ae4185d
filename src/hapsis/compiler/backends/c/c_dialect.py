"""The C syntax of numbers, operations and the loops of blocks."""

import math
import re
from collections.abc import Iterable, Sequence

import numpy as np

from hapsis.compiler.backends.script.straightline import ARITHMETIC, Dialect
from hapsis.compiler.ir.functions.blocks import Map, Repeat
from hapsis.compiler.ir.graph import ops

_WORDS = re.compile(r"(?<![\w.])[A-Za-z_]\w*", re.ASCII)
NATIVE = {ops.SQRT: "sqrt", ops.ABS: "fabs", ops.FLOOR: "floor"}
OURS = (ops.TAN, ops.ASIN, ops.ACOS, ops.ATAN2, ops.EXP, ops.LOG, ops.POW)


class Precision:
    """The C type of a number, and how literals and functions of that type are written."""

    def __init__(self, precision: str) -> None:
        self.real, self.suffix = ("float", "f") if precision == "f32" else ("double", "")
        self.dtype = np.dtype(np.float32 if precision == "f32" else np.float64)

    def literal(self, value: float) -> str:
        """The number, exactly: the shortest decimal that reads back as the same bits."""
        rounded = self.dtype.type(value)
        if math.isnan(rounded):
            return f"({self.real})NAN"
        if math.isinf(rounded):
            return ("-" if rounded < 0 else "") + f"({self.real})INFINITY"
        return str(rounded) + self.suffix

    def dialect(self) -> Dialect:
        """How operations are written."""
        f, real, one, zero = self.suffix, self.real, self.literal(1), self.literal(0)
        templates = dict(ARITHMETIC)
        for op, name in NATIVE.items():
            templates[op] = f"{name}{f}({{0}})"
        for op in OURS:
            operands = "{0}, {1}" if op in (ops.ATAN2, ops.POW) else "{0}"
            templates[op] = f"hs_{ops.NAMES[op]}{f}({operands})"
        for op, sign in ((ops.LT, "<"), (ops.LE, "<="), (ops.EQ, "==")):
            templates[op] = f"({real})({{0}} {sign} {{1}})"
        templates[ops.MIN] = "({0} < {1} ? {0} : {1})"
        templates[ops.MAX] = "({0} > {1} ? {0} : {1})"
        templates[ops.SELECT] = f"({{0}} != {zero} ? {{1}} : {{2}})"
        templates[ops.LOOKUP] = f"{{1}}[hs_place{f}({{0}}, {{2}})]"
        templates[ops.SIGN] = f"({{0}} > {zero} ? {one} : ({{0}} < {zero} ? -{one} : {{0}}))"
        return Dialect(templates, self.literal, f"const {real} {{0}} = {{1}};")


def braces(lines: Sequence[str], pointers: Sequence[str]) -> str:
    """The body of a C function; a pointer it does not use is marked so."""
    text = "".join(f"    {line}\n" for line in lines)
    used = set(_WORDS.findall(text))
    unused = [f"    (void){name};\n" for name in pointers if name not in used]
    return "{\n" + text + "".join(unused) + "}\n"


def table(head: str, entries: Iterable[str], storage: str = "static const ") -> str:
    """A constant array, a few entries per line; an empty one holds a zero, because C needs an entry."""
    texts = list(entries) or ["0"]
    lines = [", ".join(texts[k : k + 8]) for k in range(0, len(texts), 8)]
    return f"{storage}{head}[{len(texts)}] = {{\n    " + ",\n    ".join(lines) + "\n};\n"


def place_text(real: str, suffix: str) -> str:
    """The C function that computes the position of an index in a table."""
    return f"""#ifndef HS_HAVE_PLACE{suffix.upper()}
#define HS_HAVE_PLACE{suffix.upper()}
static int hs_place{suffix}({real} x, int last)
{{
    return x > 0 ? (x < ({real})last ? (int)x : last) : 0;
}}
#endif
"""


def map_text(block: Map, name: str, body: str, real: str) -> str:
    """The C function of a map: gather, call, add, in the order of the indices."""
    n_in, n_out = block.gather.shape[1], block.scatter.shape[1]
    when, head = "", f"for (i = 0; i < {block.count}; i++) {{"
    if block.mask is not None:
        when = table(f"int {name}_when", map(str, block.mask.tolist()))
        head += f"""
        if (x[{name}_when[i]] == 0) {{
            from += {n_in};
            to += {n_out};
            continue;
        }}"""
    return (
        table(f"int {name}_from", map(str, block.gather.ravel().tolist()))
        + table(f"int {name}_to", map(str, block.scatter.ravel().tolist()))
        + when
        + f"""static void {name}(const {real} *x, {real} *y)
{{
    {real} a[{max(1, n_in)}], b[{max(1, n_out)}];
    const int *from = {name}_from, *to = {name}_to;
    long i, j;
    a[0] = 0;
    for (j = 0; j < {block.n_out}; j++) y[j] = 0;
    {head}
        for (j = 0; j < {n_in}; j++) a[j] = x[*from++];
        {body}(a, b);
        for (j = 0; j < {n_out}; j++) y[*to++] += b[j];
    }}
}}
"""
    )


def repeat_text(block: Repeat, name: str, body: str, real: str) -> str:
    """The C function of a repeat: the state is replaced until the body's condition stops it."""
    stop = f"        if (b[{block.n_out}] != 0) break;\n" if block.stops_early else ""
    return f"""static void {name}(const {real} *x, {real} *y)
{{
    {real} a[{max(1, block.n_in)}], b[{max(1, block.body.n_out)}];
    long i, j;
    a[0] = 0;
    for (j = 0; j < {block.n_in}; j++) a[j] = x[j];
    for (i = 0; i < {block.times}; i++) {{
        {body}(a, b);
        for (j = 0; j < {block.n_out}; j++) a[j] = b[j];
{stop}    }}
    for (j = 0; j < {block.n_out}; j++) y[j] = a[j];
}}
"""
