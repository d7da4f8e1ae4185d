"""What the files of one export have in common: names of functions and arguments, and one order of p."""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass

from hapsis.compiler.backends.identifiers import LONGEST, SHORTEST, unique
from hapsis.compiler.ir.functions.function import Function
from hapsis.errors import CompileError

STEM = re.compile(r"(?!hs_|hs\Z)[A-Za-z][A-Za-z0-9_]{0,63}\Z", re.IGNORECASE | re.ASCII)


@dataclass(frozen=True)
class Entry:
    """One Function of an export: its identifiers, and the place in p of each of its parameters."""

    function: Function
    name: str  # arm_inverse_dynamics
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    places: tuple[int, ...]


@dataclass(frozen=True)
class Interface:
    """The Functions of an export under a common stem.

    entries      a Function each, with its identifiers
    parameters   {true name: stored value} of all Functions, in the order of p
    places       the identifier of each place of p, in this order, without the stem
    """

    stem: str
    entries: tuple[Entry, ...]
    parameters: dict[str, float]
    places: tuple[str, ...]

    @property
    def table(self) -> str:
        """The name of the table of parameters: `arm_p`."""
        return f"{self.stem}_p"


def interface(functions: Sequence[Function], stem: str) -> Interface:
    """The common interface of Functions that are exported together.

    One name has one place in p, so that one vector serves all functions; a CompileError if two of
    them have different values for it.
    """
    longest = max(SHORTEST, LONGEST - len(stem) - 1)
    # these follow the stem in names that do not come from a Function
    own = ("test", "selftest", "p_count", "p_stored")
    names = unique([function.name for function in functions], "f", taken=own, longest=longest, fold=True)
    parameters: dict[str, float] = {}
    for function in functions:
        for name, value in function.parameters.items():
            if parameters.setdefault(name, value) != value:
                raise CompileError(
                    f'the parameter "{name[:60]}" is {parameters[name]!r} in one Function and {value!r} in '
                    f'"{function.name[:60]}", and one file has one vector p',
                    remedy="export them under two paths, or rename one of the parameters",
                )
    # arm_p_mass is no name of a function, too
    taken = [name[2:] for name in names if name[:2].lower() == "p_"]
    places = unique([*parameters], "n", taken=["count", "stored", *taken], longest=longest - 2)
    order = {name: k for k, name in enumerate(parameters)}
    entries = []
    for function, name in zip(functions, names, strict=True):
        inputs, outputs = _arguments(function)
        entries.append(
            Entry(function, f"{stem}_{name}", inputs, outputs, tuple(order[n] for n in function.parameters))
        )
    return Interface(stem, tuple(entries), parameters, tuple(places))


def _arguments(function: Function) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Identifiers of inputs and of outputs; an output that is called like an input ends with `_out`."""
    given = [port.name for port in function.inputs]
    inputs = unique(given, "in")
    met = {*given}
    results = [port.name + "_out" * (port.name in met) for port in function.outputs]
    return tuple(inputs), tuple(unique(results, "out", taken=inputs))


def names_table(shared: Interface) -> str:
    """JSON: the true names behind the identifiers, with shapes, places and stored values."""

    def ports(side: Sequence, identifiers: Sequence[str]) -> list[dict[str, object]]:
        return [
            {"name": port.name, "identifier": name, "shape": [*port.shape]}
            for port, name in zip(side, identifiers, strict=True)
        ]

    functions = [
        {
            "name": entry.function.name,
            "identifier": entry.name,
            "inputs": ports(entry.function.inputs, entry.inputs),
            "outputs": ports(entry.function.outputs, entry.outputs),
            "parameters": [*entry.places],
        }
        for entry in shared.entries
    ]
    places = zip(shared.parameters.items(), shared.places, strict=True)
    parameters = [
        {"name": name, "identifier": f"{shared.table}_{place}", "value": value}
        for (name, value), place in places
    ]
    return json.dumps({"functions": functions, "parameters": parameters}, indent=1) + "\n"
