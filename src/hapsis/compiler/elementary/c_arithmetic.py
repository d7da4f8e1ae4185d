"""The arithmetic that writes C99 text, one scalar at a time; no vector extensions.

Compile it without contraction of a*b + c (-ffp-contract=off, the default of gcc -std=c99) and
without -ffast-math: the pragma in the text is not honoured by every compiler.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Iterable, Sequence

from .arithmetic import REGISTRY, Function, Table
from .emitter import FLOATS, Emitter, Named, Needs, Statement

TYPE = {"f64": "double", "f32": "float", "w64": "uint64_t", "w32": "uint32_t", "mask": "int"}
_BINARY = {"add": "+", "sub": "-", "mul": "*", "div": "/", "and": "&", "or": "|", "xor": "^"}
_BINARY |= {"shl": "<<", "lshr": ">>"}
_COMPARE = {"lt": "<", "le": "<=", "eq": "=="}

_PROLOGUE = """\
#include <math.h>
#include <stdint.h>
#include <string.h>
"""
_NO_CONTRACTION = """\
#if defined(__clang__) || !defined(__GNUC__)
#pragma STDC FP_CONTRACT OFF
#endif
"""
_CAST = """\
static {target} {name}({source} x) {{ {target} y; memcpy(&y, &x, sizeof y); return y; }}
"""
_FMA = """\
#ifndef {name}
#define {name}(a, b, c) fma{suffix}((a), (b), (c))
#endif
"""


def symbol(function: Function) -> str:
    """The C name of a function: hs_exp in double, hs_expf in float."""
    return f"hs_{function.name}" + ("f" if function.precision == "f32" else "")


class CArithmetic(Emitter):
    """One constant local variable an operation; `rare` is an `if` around a call."""

    def literal(self, value: float | int, kind: str) -> str:
        """A hexadecimal C99 literal: every bit as meant."""
        if kind not in FLOATS:
            return f"UINT{kind[1:]}_C({value})"
        suffix = ""
        if kind == "f32":
            value, suffix = struct.unpack("<f", struct.pack("<f", value))[0], "f"
        if math.isnan(value):
            return f"({TYPE[kind]})NAN"
        if math.isinf(value):
            return f"({TYPE[kind]}){'-' if value < 0 else ''}INFINITY"
        text = float(value).hex() + suffix
        return f"({text})" if text.startswith("-") else text

    def put_value(self, result: Named, text: str, *uses: Named) -> Named:
        """Append the definition of `result` by an expression."""
        return self.put(result, f"const {TYPE[result.kind]} {result.text} = {text};", *uses)

    def binary_text(self, operation: str, result: Named, a: Named, b: Named) -> str:
        """An infix expression; words are unsigned, so they wrap as they should."""
        # a shift count is a constant: a plain literal serves
        text = f"{a.text} {_BINARY[operation]} {b.text}"
        return f"const {TYPE[result.kind]} {result.text} = {text};"

    def compare_text(self, relation: str, result: Named, a: Named, b: Named) -> str:
        """A relation, an int of 0 or 1."""
        return f"const int {result.text} = {a.text} {_COMPARE[relation]} {b.text};"

    def unary_text(self, operation: str, result: Named, a: Named) -> str:
        """Minus for floats, logical not for masks."""
        sign = "-" if operation == "neg" else "!"
        return f"const {TYPE[a.kind]} {result.text} = {sign}{a.text};"

    def intrinsic(self, name: str, *inputs: Named) -> Named:
        """A call of math.h: sqrt, floor, fabs or fma, which are machine instructions."""
        suffix = "f" if inputs[0].kind == "f32" else ""
        called = name + suffix
        if name == "fma":
            called = f"HS_FMA{suffix.upper()}"
            self.needs.helpers.add(called)
        result = self.fresh(inputs[0].kind)
        arguments = ", ".join(v.text for v in inputs)
        return self.put_value(result, f"{called}({arguments})", *inputs)

    def cast(self, name: str, a: Named, kind: str) -> Named:
        """A conversion, or a copy of the representation by memcpy."""
        result = self.fresh(kind)
        if name != "bitcast":
            return self.put_value(result, f"({TYPE[kind]}){a.text}", a)
        helper = f"hs_{a.kind}_as_{kind}"
        self.needs.helpers.add(helper)
        return self.put_value(result, f"{helper}({a.text})", a)

    def select(self, mask: Named, yes: Named, no: Named) -> Named:
        """The conditional operator."""
        yes, no = self.pair(yes, no)
        result = self.fresh(yes.kind)
        return self.put_value(result, f"{mask.text} ? {yes.text} : {no.text}", mask, yes, no)

    def lookup(self, table: Table, index: Named) -> Named:
        """An array element."""
        self.needs.tables.add(table)
        return self.put_value(self.fresh("f64"), f"hs_{table.name}[{index.text}]", index)

    def rare(self, mask: Named, fast: Sequence[Named], slow: Function, *inputs: Named) -> tuple[Named, ...]:
        """The fast values, overwritten by the slow function behind an `if`."""
        self.needs.functions.add(slow)
        results = [self.fresh(v.kind) for v in fast]
        lines = [f"{TYPE[r.kind]} {r.text} = {v.text};" for r, v in zip(results, fast, strict=True)]
        taken = [v.text for v in inputs]
        if len(results) == 1:
            lines.append(f"if ({mask.text}) {results[0].text} = {symbol(slow)}({', '.join(taken)});")
        else:
            arguments = ", ".join(taken + [f"&{r.text}" for r in results])
            lines.append(f"if ({mask.text}) {symbol(slow)}({arguments});")
        uses = tuple(v.text for v in (mask, *fast, *inputs))
        self.statements.append(Statement(tuple(lines), tuple(r.text for r in results), uses))
        return tuple(results)


def _guarded(name: str, text: str) -> str:
    """The text behind an include guard, so that two libraries may follow each other."""
    guard = f"HS_HAVE_{name.removeprefix('hs_').upper()}"
    return f"#ifndef {guard}\n#define {guard}\n{text}#endif\n"


def emit_function(function: Function, fma: bool) -> tuple[str, Needs]:
    """The definition of one function and what it refers to."""
    ar = CArithmetic(fma)
    kind = function.precision
    letters = ["x", "y"] if function.inputs == 1 or function.name.startswith("pow") else ["y", "x"]
    inputs = [Named(ar, kind, letter) for letter in letters[: function.inputs]]
    results = function.body(ar, *inputs)
    lane = TYPE[kind]
    parameters = [f"{lane} {v.text}" for v in inputs]
    body = ar.live_lines(results)
    if function.outputs == 1:
        head = lane
        body.append(f"return {results[0].text};")
    else:
        head = "void"
        names = ["s", "c"] if function.name == "sincos" else ["r", "e", "t"]
        parameters += [f"{lane} *{name}_out" for name in names]
        body += [f"*{n}_out = {r.text};" for n, r in zip(names, results, strict=True)]
    lines = "".join(f"    {line}\n" for line in body)
    return f"static {head} {symbol(function)}({', '.join(parameters)})\n{{\n{lines}}}\n", ar.needs


def _emit_helper(name: str) -> str:
    if name.startswith("HS_FMA"):
        return _FMA.format(name=name, suffix="f" if name.endswith("F") else "")
    source, target = name.removeprefix("hs_").split("_as_")
    return _CAST.format(name=name, source=TYPE[source], target=TYPE[target])


def _emit_table(table: Table) -> str:
    entries = ", ".join(v.hex() for v in table.entries)
    return f"static const double hs_{table.name}[{len(table.entries)}] = {{{entries}}};\n"


def emit_library(names: Iterable[str], precision: str, fma: bool) -> str:
    """The functions asked for and all they need, callees first."""
    todo = [REGISTRY[name, precision] for name in sorted(set(names))]
    done: dict[Function, str] = {}
    needs = Needs()
    while todo:
        function = todo.pop(0)
        if function not in done:
            done[function], own = emit_function(function, fma)
            needs.update(own)
            todo += sorted(own.functions, key=lambda f: f.name)
    pieces = [(h, _emit_helper(h)) for h in sorted(needs.helpers)]
    pieces += [(t.name, _emit_table(t)) for t in sorted(needs.tables, key=lambda t: t.name)]
    # slow paths call nothing but helpers, so before all others is early enough
    ordered = sorted(done, key=lambda f: (not f.cold, f.name))
    pieces += [(symbol(f), done[f]) for f in ordered]
    return _PROLOGUE + _NO_CONTRACTION + "".join(_guarded(n, text) for n, text in pieces)
