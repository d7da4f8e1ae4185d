"""Python: Functions as the text of a module that needs nothing but `math`.

Meant for reading, teaching and small machines; it takes numbers and returns lists. Results that are not
real numbers are nan or inf instead of exceptions, as in all other targets.
"""

from collections.abc import Sequence

from hapsis.compiler.backends.interface import Entry, Interface
from hapsis.compiler.backends.script.script import Script, by_output, rows
from hapsis.compiler.backends.script.straightline import ARITHMETIC, Dialect, shape_words
from hapsis.compiler.ir.functions.blocks import Map, Repeat
from hapsis.compiler.ir.functions.tables import Table
from hapsis.compiler.ir.graph import ops

_UNDEFINED = "(x):\n    return math.{0}(x) if {1} else math.nan"
HELPERS = {
    "div": """(x, y):
    try:
        return x / y
    except ZeroDivisionError:
        if x == 0 or x != x:
            return math.nan
        return math.copysign(math.inf, x) * math.copysign(1.0, y)""",
    "sqrt": "(x):\n    return math.nan if x < 0 else math.sqrt(x)",
    "sin": _UNDEFINED.format("sin", "abs(x) < math.inf"),
    "cos": _UNDEFINED.format("cos", "abs(x) < math.inf"),
    "tan": _UNDEFINED.format("tan", "abs(x) < math.inf"),
    "asin": _UNDEFINED.format("asin", "abs(x) <= 1"),
    "acos": _UNDEFINED.format("acos", "abs(x) <= 1"),
    "exp": """(x):
    try:
        return math.exp(x)
    except OverflowError:
        return math.inf""",
    "log": """(x):
    if x == 0:
        return -math.inf
    return math.nan if x < 0 else math.log(x)""",
    "pow": """(x, y):
    try:
        return math.pow(x, y)
    except OverflowError:
        return -math.inf if x < 0 and y % 2 == 1 else math.inf
    except ValueError:
        if x != 0:
            return math.nan
        return math.copysign(math.inf, x) if y % 2 == 1 else math.inf""",
    "floor": "(x):\n    return float(math.floor(x)) if 0 < abs(x) < math.inf else x",
    "lookup": """(table, x):
    if x > 0:
        return table[int(x)] if x < len(table) else table[-1]
    return table[0]""",
    "sign": "(x):\n    return 1.0 if x > 0 else -1.0 if x < 0 else x",
}


def _templates() -> dict[int, str]:
    templates = ARITHMETIC | {
        ops.ATAN2: "math.atan2({0}, {1})",
        ops.ABS: "abs({0})",
        ops.MIN: "({0} if {0} < {1} else {1})",
        ops.MAX: "({0} if {0} > {1} else {1})",
        ops.LT: "float({0} < {1})",
        ops.LE: "float({0} <= {1})",
        ops.EQ: "float({0} == {1})",
        ops.SELECT: "({1} if {0} != 0 else {2})",
    }
    for op in range(ops.ADD, len(ops.NAMES)):
        if ops.NAMES[op] in HELPERS:
            operands = "{0}, {1}" if op in ops.BINARY else "{0}"
            templates[op] = f"_{ops.NAMES[op]}({operands})"
    return templates | {ops.LOOKUP: "_lookup({1}, {0})"}


class Python:
    """The Python syntax of calls, items and loops; see `script.Language`."""

    dialect = Dialect(_templates(), lambda value: repr(float(value)), "{0} = {1}")

    def item(self, array: str, index: Sequence[int], shape: tuple[int, ...]) -> str:
        """`array[i][j]`."""
        return array + "".join(f"[{i}]" for i in index) if shape else array

    def table(self, name: str, numbers: Table) -> str:
        """A list."""
        texts = [repr(x) for x in numbers.values.ravel().tolist()]
        return f"{name} = [\n    " + ",\n    ".join(rows(texts, ", ")) + ",\n]\n"

    def array(self, texts: Sequence[str]) -> str:
        """A list."""
        return f"[{', '.join(texts)}]"

    def body(self, name: str, lines: Sequence[str], results: Sequence[str]) -> str:
        """A function from list x to list."""
        text = "".join(f"    {line}\n" for line in lines)
        return f"def {name}(x):\n{text}    return {self.array(results)}\n"

    def map(self, name: str, body: str, block: Map) -> str:
        """A loop that gathers, calls and adds."""
        when = loop = tables = skip = ""
        if block.mask is not None:
            when = f"{name}_when = [\n{_rows(block.mask.tolist())}]\n"
            loop, tables = ", when", f", {name}_when"
            skip = "        if x[when] == 0:\n            continue\n"
        return f"""{name}_from = [
{_rows(block.gather.tolist())}]
{name}_to = [
{_rows(block.scatter.tolist())}]
{when}

def {name}(x):
    y = [0.0] * {block.n_out}
    for places, targets{loop} in zip({name}_from, {name}_to{tables}):
{skip}        for target, value in zip(targets, {body}([x[place] for place in places])):
            y[target] += value
    return y
"""

    def repeat(self, name: str, body: str, block: Repeat) -> str:
        """A loop that replaces the state until it is done."""
        stop = f"        if y[{block.n_out}] != 0:\n            break\n" if block.stops_early else ""
        return f"""def {name}(x):
    for _ in range({block.times}):
        y = {body}(x)
        x = y[:{block.n_out}] + x[{block.n_out}:]
{stop}    return x[:{block.n_out}]
"""


def _rows(table: Sequence[object]) -> str:
    return "".join(f"    {row},\n" for row in table)


def _nested(shape: tuple[int, ...], texts: Sequence[str]) -> str:
    """Lists in lists from numbers given row by row."""
    if not shape:
        return texts[0]
    if len(shape) == 1:
        return "[" + ",\n     ".join(rows(texts, ", ")) + "]"
    step = len(texts) // shape[0] if shape[0] else 0
    parts = [_nested(shape[1:], texts[k * step : (k + 1) * step]) for k in range(shape[0])]
    return "[" + ",\n     ".join(parts) + "]"


def source(shared: Interface) -> str:
    """The text of a module: `tau = arm_inverse_dynamics(q, v, a, p)`, and the places of p by name.

    A vector is any sequence, a matrix a sequence of rows; several outputs come as a tuple.
    """
    script = Script(Python(), "_")
    texts = [_function(script, shared, entry) for entry in shared.entries]
    helpers = [f"def _{name}{rest}\n" for name, rest in HELPERS.items() if name in script.used]
    return "\n\n".join(["import math\n", *_places(shared), *helpers, *script.pieces, *texts])


def _places(shared: Interface) -> list[str]:
    """The places of the parameters in p, and their stored values."""
    if not shared.parameters:
        return []
    lines = ["# places of the parameters in p, how many they are, and their stored values\n"]
    lines += [f"{shared.table}_{name} = {k}\n" for k, name in enumerate(shared.places)]
    lines.append(f"{shared.table}_count = {len(shared.places)}\n")
    stored = rows([repr(float(value)) for value in shared.parameters.values()], ", ")
    lines.append(f"{shared.table}_stored = (\n    " + ",\n    ".join(stored) + ",\n)\n")
    return ["".join(lines)]


def _function(script: Script, shared: Interface, entry: Entry) -> str:
    function = entry.function
    lines, results = script.written(entry)
    default = f"p={shared.table}_stored" if shared.parameters else "p=()"
    text = f"def {entry.name}({', '.join([*entry.inputs, default])}):\n"
    for name, port in zip(entry.inputs, function.inputs, strict=True):
        text += f"    # {name}: {shape_words(port.shape)}\n"
    text += "".join(f"    {line}\n" for line in lines)
    for name, (port, part) in zip(entry.outputs, by_output(function, results), strict=True):
        text += f"    {name} = {_nested(port.shape, part)}\n"
    return text + f"    return {', '.join(entry.outputs)}\n"
