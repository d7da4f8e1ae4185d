"""MATLAB and GNU Octave: a Function as the text of a function file.

Vectors are columns, matrices are matrices; elementary functions are those of MATLAB, accurate to a few
units in the last place. Results that are not real numbers are NaN, as in all other targets.
"""

from collections.abc import Sequence

from hapsis.compiler.backends.interface import Entry, Interface
from hapsis.compiler.backends.script.script import Script, by_output, rows
from hapsis.compiler.backends.script.straightline import ARITHMETIC, Dialect, shape_words
from hapsis.compiler.ir.functions.blocks import Map, Repeat
from hapsis.compiler.ir.functions.function import Port
from hapsis.compiler.ir.functions.tables import Table
from hapsis.compiler.ir.graph import ops

# functions defined in the file, where those of MATLAB would return complex numbers or treat
# signed zeros and NaN differently
HELPERS = {
    "sqrt": "(x)\nif x < 0, y = NaN; else, y = sqrt(x); end",
    "asin": "(x)\nif abs(x) > 1, y = NaN; else, y = asin(x); end",
    "acos": "(x)\nif abs(x) > 1, y = NaN; else, y = acos(x); end",
    "log": "(x)\nif x < 0, y = NaN; else, y = log(x); end",
    "pow": """(x, a)
whole = a == floor(a) && ~isinf(a);
if x < 0 && ~whole && (isinf(x) || isinf(a)), y = abs(x)^a;
elseif x < 0 && ~whole, y = NaN;
else, y = x^a; end""",
    "min": "(x, z)\nif x < z, y = x; else, y = z; end",
    "max": "(x, z)\nif x > z, y = x; else, y = z; end",
    "select": "(c, x, z)\nif c ~= 0, y = x; else, y = z; end",
    "sign": "(x)\nif x > 0, y = 1; elseif x < 0, y = -1; else, y = x; end",
}
_BINARY = (ops.ATAN2, ops.POW, ops.MIN, ops.MAX)


def _templates() -> dict[int, str]:
    templates = dict(ARITHMETIC)
    for op in (*ops.UNARY, *_BINARY, ops.SELECT):
        name = ops.NAMES[op]
        operands = {ops.SELECT: "{0}, {1}, {2}"}.get(op, "{0}, {1}" if op in _BINARY else "{0}")
        templates[op] = f"{'hs_' if name in HELPERS else ''}{name}({operands})"
    templates[ops.LOOKUP] = "{1}({0})"
    for op, sign in ((ops.LT, "<"), (ops.LE, "<="), (ops.EQ, "==")):
        templates[op] = f"double({{0}} {sign} {{1}})"
    return templates


class Matlab:
    """The MATLAB syntax of calls, items and loops; see `script.Language`."""

    dialect = Dialect(_templates(), lambda value: repr(float(value)), "{0} = {1};")

    def item(self, array: str, index: Sequence[int], shape: tuple[int, ...]) -> str:
        """`array(i, j)`, counted from one."""
        return f"{array}({', '.join(str(i + 1) for i in index)})" if shape else array

    def table(self, name: str, numbers: Table) -> str:
        """A function from an index to the entry, which makes the table once."""
        texts = [repr(x) for x in numbers.values.ravel().tolist()]
        return f"""
function y = {name}(x)
persistent t
if isempty(t), t = {column(texts)}; end
if x > 0, y = t(1 + min(floor(x), {numbers.size - 1})); else, y = t(1); end
end
"""

    def array(self, texts: Sequence[str]) -> str:
        """A column."""
        return column(texts)

    def body(self, name: str, lines: Sequence[str], results: Sequence[str]) -> str:
        """A function from column x to column y."""
        text = "".join(f"{line}\n" for line in lines)
        return f"\nfunction y = {name}(x)\n{text}y = {column(results)};\nend\n"

    def map(self, name: str, body: str, block: Map) -> str:
        """A loop that gathers, calls and adds."""
        when = skip = ""
        if block.mask is not None:
            when = f"when = {_table(block.mask[:, None])};\n"
            skip = "if x(when(i)) == 0, continue; end\n"
        return f"""
function y = {name}(x)
from = {_table(block.gather)};
to = {_table(block.scatter)};
{when}y = zeros({block.n_out}, 1);
for i = 1:{block.count}
{skip}b = {body}(x(from(:, i)));
for j = 1:numel(b), y(to(j, i)) = y(to(j, i)) + b(j); end
end
end
"""

    def repeat(self, name: str, body: str, block: Repeat) -> str:
        """A loop that replaces the state until it is done."""
        stop = f"if b({block.n_out + 1}) ~= 0, break; end\n" if block.stops_early else ""
        return f"""
function y = {name}(x)
for i = 1:{block.times}
b = {body}(x);
x(1:{block.n_out}) = b(1:{block.n_out});
{stop}end
y = x(1:{block.n_out});
end
"""


def column(texts: Sequence[str]) -> str:
    """A column vector of these."""
    if not texts:
        return "zeros(0, 1)"
    return "[" + "; ...\n".join(rows(texts, "; ")) + "]"


def _table(table: "object") -> str:
    # one column per index of the map, counted from one
    values = [str(k + 1) for k in table.ravel().tolist()]  # type: ignore[attr-defined]
    width = table.shape[1]  # type: ignore[attr-defined]
    return f"reshape({column(values)}, {width}, [])" if values else f"zeros({width}, 1)"


def _result(port: Port, texts: Sequence[str]) -> str:
    """An output's value from its numbers, which are given row by row."""
    shape = port.shape
    if not shape:
        return texts[0]
    if len(shape) == 1 or not texts:
        return column(texts) if len(shape) == 1 else f"zeros({', '.join(map(str, shape))})"
    turned = ", ".join(map(str, reversed(shape)))
    order = ", ".join(str(k) for k in range(len(shape), 0, -1))
    return f"permute(reshape({column(texts)}, {turned}), [{order}])"


def source(shared: Interface, entry: Entry) -> str:
    """The text of a function file: `tau = arm_inverse_dynamics(q, v, a, p)`; p may be left out or empty."""
    function = entry.function
    script = Script(Matlab(), "hs_", f"_{entry.name}"[:50])
    lines, results = script.written(entry)
    stored = [repr(float(value)) for value in shared.parameters.values()]
    text = f"function [{', '.join(entry.outputs)}] = {entry.name}({', '.join([*entry.inputs, 'p'])})\n"
    for name, port in zip(entry.inputs, function.inputs, strict=True):
        text += f"% {name}: {_words(port)}\n"
    order = f", in the order of {shared.table}.m" if stored else ""
    text += f"% p: {shape_words((len(stored),))}{order}; left out or empty: the stored values\n"
    for name, port in zip(entry.outputs, function.outputs, strict=True):
        text += f"% {name}: {_words(port)}\n"
    if entry.places:
        text += f"if nargin < {len(entry.inputs) + 1} || isempty(p), p = {column(stored)}; end\n"
    text += "".join(f"{line}\n" for line in lines)
    for name, (port, part) in zip(entry.outputs, by_output(function, results), strict=True):
        text += f"{name} = {_result(port, part)};\n"
    helpers = "".join(
        f"\nfunction y = hs_{what}{rest}\nend\n" for what, rest in HELPERS.items() if what in script.used
    )
    return text + "end\n" + "".join(script.pieces) + helpers


def places_source(shared: Interface) -> str:
    """The text of a function file that returns the places in p by name, and the stored values."""
    text = f"function [place, p] = {shared.table}()\n"
    text += (
        f"% [place, p] = {shared.table}() are the places of the parameters in p, and their stored values.\n"
    )
    text += "place = struct();\n"
    text += "".join(f"place.{name} = {k + 1};\n" for k, name in enumerate(shared.places))
    return text + f"p = {column([repr(float(value)) for value in shared.parameters.values()])};\nend\n"


def _words(port: Port) -> str:
    return shape_words(port.shape).removesuffix(", row by row")
