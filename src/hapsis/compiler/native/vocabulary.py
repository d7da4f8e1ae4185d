"""The words that are always there: what each writes."""

import ast
from collections.abc import Callable
from typing import Any

from hapsis.compiler.native import words
from hapsis.compiler.native.scope import NUMBERS, Scope
from hapsis.compiler.native.writer import ELEMENT, Value, constant

POWER = "hs_pow_1f64"  # the compiler's own function, linked if it is needed
MANY = 1000
Word = Callable[[Scope, ast.Call, list[Value]], Value]


def _absolute(scope: Scope, node: ast.Call, values: list[Value]) -> Value:
    (x,), writer = scope.alike(node, values), scope.writer
    if x.kind == "float":
        return writer.intrinsic("float", "double @llvm.fabs.f64", x)
    return writer.select(writer.compare("<", x, constant(0)), writer.negative(x), x)


def _extreme(sign: str) -> Word:
    """min or max: the first of equals, and what stands first if a NaN is compared."""

    def find(scope: Scope, node: ast.Call, values: list[Value]) -> Value:
        best, *rest = scope.alike(node, values)
        for value in rest:
            best = scope.writer.select(scope.writer.compare(sign, value, best), value, best)
        return best

    return find


def _real(head: str) -> Word:
    """A function of floats."""

    def find(scope: Scope, node: ast.Call, values: list[Value]) -> Value:
        floats = [scope.writer.as_float(scope.numeric(node, value)) for value in values]
        return scope.writer.intrinsic("float", head, *floats)

    return find


def _finite(scope: Scope, node: ast.Call, values: list[Value]) -> Value:
    size = _absolute(scope, node, [scope.writer.as_float(scope.numeric(node, values[0]))])
    return scope.writer.compare("<", size, constant(float("inf")))


def _from(scope: Scope, node: ast.Call, values: list[Value]) -> Value:
    array, start = values
    if array.kind not in ELEMENT or start.kind != "int":
        scope.fail(node, f"at takes an array and an int, not {array.kind} and {start.kind}")
    return Value(array.kind, scope.writer.place(array, start))


def _number(scope: Scope, node: ast.Call, values: list[Value]) -> Value:
    """int() or float()."""
    if values[0].kind not in ("bool", *NUMBERS):
        scope.fail(node, f"{ast.unparse(node.func)} takes a number, not {values[0].kind}")
    whole = scope.static(node.func) is int
    return scope.writer.as_int(values[0]) if whole else scope.writer.as_float(values[0])


# word, least and most number of arguments, what it writes
_WORDS: list[tuple[Any, int, int, Word]] = [
    (abs, 1, 1, _absolute),
    (min, 2, MANY, _extreme("<")),
    (max, 2, MANY, _extreme(">")),
    (int, 1, 1, _number),
    (float, 1, 1, _number),
    (words.sqrt, 1, 1, _real("double @llvm.sqrt.f64")),
    (words.floor, 1, 1, _real("double @llvm.floor.f64")),
    (words.power, 2, 2, _real(f"double @{POWER}")),
    (words.isfinite, 1, 1, _finite),
    (words.at, 2, 2, _from),
]
NAMES = ", ".join(sorted(word.__name__ for word, *_ in _WORDS))
_BY_IDENTITY = {id(entry[0]): entry for entry in _WORDS}


def word(scope: Scope, node: ast.Call, target: Any, evaluate: Callable[[ast.expr], Value]) -> Value:
    """The value of a call of one of these words."""
    if id(target) not in _BY_IDENTITY or node.keywords:
        scope.fail(
            node,
            f'"{ast.unparse(node)[:60]}" cannot be called from a native function',
            f"there are native functions, Kernels, and {NAMES} of hapsis.compiler.native",
        )
    _, least, most, write = _BY_IDENTITY[id(target)]
    if not least <= len(node.args) <= most:
        wanted = str(least) if least == most else f"{least} or more"
        scope.fail(node, f"{target.__name__} takes {wanted} arguments, not {len(node.args)}")
    return write(scope, node, [evaluate(argument) for argument in node.args])
