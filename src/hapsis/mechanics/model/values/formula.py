"""Formulas: a number written as arithmetic of named parameters, `rho * L^2 / 12`.

    sum     = product { ("+" | "-") product }
    product = factor { ("*" | "/") factor }
    factor  = ("-" | "+") factor | power
    power   = atom [ "^" factor ]
    atom    = number | name | function "(" sum { "," sum } ")" | "(" sum ")"

So `-x^2` is -(x^2) and `x^y^z` is x^(y^z). A formula is kept as its text and as postfix code,
which runs over floats and over expressions alike.
"""

import math
import operator
import re
from collections.abc import Callable, Mapping
from dataclasses import field
from typing import Any, cast

from hapsis.compiler.ir.functions.verbs import verb
from hapsis.compiler.ir.graph import elementary_functions as functions
from hapsis.compiler.ir.graph import ops
from hapsis.compiler.ir.graph.expr import apply
from hapsis.compiler.ir.graph.immutable import Immutable, frozen
from hapsis.errors import ModelError, near
from hapsis.mechanics.model.values.numbers import number

MOST_NODES = 1000
DEEPEST = 50
LONGEST_TEXT = 20_000  # characters

NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z0-9_]+)*")
_TOKEN = re.compile(
    r"\s*(?:(?P<number>(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?)"
    rf"|(?P<name>{NAME.pattern})|(?P<sign>[-+*/^(),])|(?P<end>\Z)|(?P<other>.))",
    re.ASCII | re.DOTALL,
)

Code = tuple[Callable[..., Any], int]  # a function and how many operands it takes
_UNARY = ("sin", "cos", "tan", "asin", "acos", "atan", "sqrt", "exp", "log", "abs")
_FUNCTIONS: dict[str, Code] = {name: (getattr(functions, name), 1) for name in _UNARY}
_FUNCTIONS |= {"atan2": (functions.atan2, 2), "min": (functions.minimum, 2), "max": (functions.maximum, 2)}
_OPERATORS: dict[str, Code] = {  # not Python's own: 1 / 0 is infinite here, refused at the end
    "+": (lambda x, y: apply(ops.ADD, x, y), 2),
    "-": (lambda x, y: apply(ops.SUB, x, y), 2),
    "*": (lambda x, y: apply(ops.MUL, x, y), 2),
    "/": (lambda x, y: apply(ops.DIV, x, y), 2),
    "^": (functions.power, 2),
}
_NEGATIVE: Code = (operator.neg, 1)
TIME = "t"  # what drives may depend on
RESERVED = {"pi", TIME, *_FUNCTIONS}  # no parameter may have these names


@verb
@frozen
class Formula(Immutable):
    """Arithmetic of named parameters, such as the `text` "2 * r + 0.1"; equal where the texts are equal."""

    text: str
    names: frozenset[str] = field(init=False, compare=False, repr=False)
    code: tuple[float | str | Code, ...] = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        code = _Parser(self.text).code
        object.__setattr__(self, "code", tuple(code))
        object.__setattr__(self, "names", frozenset(x for x in code if isinstance(x, str)))

    def __reduce__(self) -> Any:
        return Formula, (self.text,)

    def __str__(self) -> str:
        return self.text

    def value(self, parameters: Mapping[str, Any]) -> Any:
        """The value for the parameters' values, which may be floats or expressions."""
        stack: list[Any] = []
        for item in self.code:
            if isinstance(item, float):
                stack.append(item)
            elif isinstance(item, str):
                if item not in parameters:
                    raise ModelError(self.missing(item, parameters))
                stack.append(parameters[item])
            else:
                function, arity = cast(Code, item)
                operands = stack[-arity:]
                del stack[-arity:]
                stack.append(function(*operands))
        result = stack.pop()
        if isinstance(result, int | float) and not math.isfinite(result):
            raise ModelError(f'formula "{self.text[:60]}" gives {result}, which is no finite value')
        return result

    def missing(self, name: str, parameters: Mapping[str, Any]) -> str:
        """The error message for a parameter that does not exist."""
        return f'formula "{self.text[:60]}" uses "{name[:60]}", which is no parameter{near(name, parameters)}'

    def adds(self, name: str) -> bool:
        """Whether a parameter is a term of a sum, so that the formula has its unit: m of `2 * k + m`."""
        stack: list[bool] = []
        for item in self.code:
            if not isinstance(item, tuple):
                stack.append(item == name)
                continue
            operands = stack[-item[1] :]
            del stack[-item[1] :]
            stack.append(any(operands) and item in (_OPERATORS["+"], _OPERATORS["-"], _NEGATIVE))
        return stack.pop()

    def prefixed(self, prefix: str) -> "Formula":
        """The formula with `prefix.` in front of every parameter; time stays time."""
        if not self.names - {TIME}:
            return self

        def renamed(token: re.Match[str]) -> str:
            name = token["name"]
            if name is None or name in RESERVED:
                return token[0]
            return token[0][: -len(name)] + f"{prefix}.{name}"

        return Formula(_TOKEN.sub(renamed, self.text))


class _Parser:
    """Reads one text by recursive descent; `code` is the formula in postfix order."""

    def __init__(self, text: str) -> None:
        if not isinstance(text, str):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise ModelError(f"a formula is a text, not a {type(text).__name__}")
        self.text, self.code, self.depth, self.at = text, [], 0, 0
        if len(text) > LONGEST_TEXT:
            raise self._error(f"more than {LONGEST_TEXT} characters", 0)
        self.kind, self.token, self.column = "", "", 0
        self._next()
        self._sum()
        if self.kind != "end":
            raise self._unexpected("an operator")

    def _next(self) -> None:
        match = _TOKEN.match(self.text, self.at)
        assert match and match.lastgroup  # `other` matches whatever is left
        self.kind, self.token = match.lastgroup, match[match.lastgroup]
        self.column, self.at = match.start(match.lastgroup), match.end()

    def _emit(self, item: float | str | Code) -> None:
        self.code.append(item)
        if len(self.code) > MOST_NODES:
            raise self._error(f"more than {MOST_NODES} operations and values", self.column)

    def _takes(self, *signs: str) -> str:
        """The sign at the present position if it is one of these, which is then consumed; else ""."""
        if self.kind != "sign" or self.token not in signs:
            return ""
        sign = self.token
        self._next()
        return sign

    def _sum(self) -> None:
        self._product()
        while sign := self._takes("+", "-"):
            self._product()
            self._emit(_OPERATORS[sign])

    def _product(self) -> None:
        self._factor()
        while sign := self._takes("*", "/"):
            self._factor()
            self._emit(_OPERATORS[sign])

    def _factor(self) -> None:
        self.depth += 1
        if self.depth > DEEPEST:
            raise self._error(f"nested more than {DEEPEST} deep", self.column)
        if sign := self._takes("-", "+"):
            self._factor()
            if sign == "-":
                self._emit(_NEGATIVE)
        else:
            self._atom()
            if self._takes("^"):
                self._factor()
                self._emit(_OPERATORS["^"])
        self.depth -= 1

    def _atom(self) -> None:
        kind, token, column = self.kind, self.token, self.column
        if kind == "number":
            self._next()
            self._emit(number(token, f'formula "{self.text[:60]}", column {column + 1}'))
        elif kind == "name":
            self._next()
            self._name(token, column)
        elif self._takes("("):
            self._sum()
            self._close()
        else:
            raise self._unexpected("a value")

    def _name(self, name: str, column: int) -> None:
        if not self._takes("("):
            if name in _FUNCTIONS:
                raise self._error(f'"{name}" is a function: give it arguments', column)
            self._emit(math.pi if name == "pi" else name)
            return
        if name not in _FUNCTIONS:
            raise self._error(f'no function "{name[:60]}"{near(name, _FUNCTIONS)}', column)
        arity, count = _FUNCTIONS[name][1], 1
        self._sum()
        while self._takes(","):
            self._sum()
            count += 1
        self._close()
        if count != arity:
            raise self._error(f"{name} takes {arity} arguments, not {count}", column)
        self._emit(_FUNCTIONS[name])

    def _close(self) -> None:
        if not self._takes(")"):
            raise self._unexpected('")"')

    def _unexpected(self, expected: str) -> ModelError:
        token = f'"{self.token}"' if self.token else "the end"
        return self._error(f"expected {expected}, found {token}", self.column)

    def _error(self, what: str, column: int) -> ModelError:
        return ModelError(f'formula "{self.text[:60]}", column {column + 1}: {what}')
