"""Twins: nodes that are the same operation on twin operands, computed by one vector instruction.

The legs of a robot, the corners of a car and the arms of a linkage are the same formulas of other inputs and
other numbers. They are found in the straight-line program, where everything that was written of them shows:
in every formalism, in loops, in derivatives. Each instance becomes a lane of the registers.
"""

from weakref import WeakKeyDictionary

from hapsis.compiler.ir.functions.function import Function
from hapsis.compiler.passes.packs import NONE, Packs
from hapsis.compiler.passes.twin_choice import TwinChoice
from hapsis.compiler.passes.twin_search import TwinSearch

_known: WeakKeyDictionary[Function, dict[int, Packs]] = WeakKeyDictionary()


def twins(function: Function, width: int) -> Packs:
    """The packs of a prepared Function for registers of so many numbers; none where they do not pay."""
    known = _known.setdefault(function, {})
    if width not in known:
        known[width] = _found(function, width) if width > 1 else NONE
    return known[width]


def _found(function: Function, width: int) -> Packs:
    search = TwinSearch(function, width)
    if not search.rows:
        return NONE
    columns = [search.columns(row) for row in search.rows]
    return TwinChoice(function, search.rows, search.of, columns, search.shaped).packs()
