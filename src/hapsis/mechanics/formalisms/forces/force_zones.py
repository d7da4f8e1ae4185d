"""Zones of forces that are no contacts: where what they decide depends on the pose.

A stop pushes beyond a limit, a cord pulls where it is taut, a law or a controller of one's own says
where(q < 0, ...). Whatever a force compares while it writes itself, and that depends on
coordinates but on no speed and no state, is a zone; of both signs, since nobody knows on which
side the force is zero. Its rate is exact: that of the comparison along the motion.
"""

from typing import TYPE_CHECKING

from hapsis.compiler.ir.functions.function import Function
from hapsis.compiler.ir.graph import ops
from hapsis.compiler.ir.graph.elementary_functions import abs
from hapsis.compiler.ir.graph.expr import Expr
from hapsis.compiler.ir.graph.guards import guard_of
from hapsis.mechanics.formalisms.forces.zone import Zone
from hapsis.mechanics.formalisms.tree.coordinate_rates import rates

if TYPE_CHECKING:
    from hapsis.mechanics.formalisms.forces.applied_forces import AppliedForces

DECISIONS = (ops.LT, ops.LE, ops.MIN, ops.MAX)
FLOOR = 1e-12  # what is compared with less is kept from being zero, and decides nothing
POSE, OTHER = 1, 2  # what a node depends on


def force_zones(applied: "AppliedForces") -> list[Zone]:
    """Both sides of everything that forces decide by the pose."""
    tree = applied.tree
    graph = tree.graph
    guards: dict[int, str] = {}  # reference without its sign: whose it is
    for name, first, last in applied.written:
        for index in range(first, last):
            if graph.nodes[index][0] in DECISIONS and not _is_floor(applied, index):
                guard = guard_of(graph, index)
                if not guard & 2:
                    guards.setdefault(guard & -2, name)
    depends = _dependences(applied, max(guards, default=0) >> 2)
    guards = {ref: name for ref, name in guards.items() if depends[ref >> 2] == POSE}
    if not guards:
        return []
    values = [Expr(graph, ref) for ref in guards]
    inputs = {"q": list(tree.q)} | ({"t": applied.time} if "t" in applied.inputs() else {})
    along = Function("guards", inputs, {"g": values}).jvp(*inputs)
    slopes = {"d_q": rates(tree, applied.v)} | ({"d_t": tree.one} if "t" in inputs else {})
    speeds = [abs(rate) for rate in along(**inputs, **slopes)]
    return [
        Zone(name, sign * value, speed)
        for name, value, speed in zip(guards.values(), values, speeds, strict=True)
        for sign in (1.0, -1.0)
    ]


def _is_floor(applied: "AppliedForces", index: int) -> bool:
    """Whether a node compares with a number that only keeps it from zero."""
    graph = applied.tree.graph
    numbers = [graph.value(ref) for ref in graph.operands(index) if ref & 2]
    return any(0.0 < number < FLOOR for number in numbers)


def _dependences(applied: "AppliedForces", last: int) -> bytearray:
    """For each node up to the last: whether it depends on the pose, on other things, or on both."""
    graph = applied.tree.graph
    depends = bytearray(last + 1)
    pose = {x.ref >> 2 for x in applied.tree.q}
    clock = {applied.time.ref >> 2} if "t" in applied.inputs() else set[int]()
    for index in range(last + 1):
        if graph.nodes[index][0] == ops.SYMBOL:
            depends[index] = POSE if index in pose else 0 if index in clock else OTHER
            continue
        for ref in graph.operands(index):
            if not ref & 2:
                depends[index] |= depends[ref >> 2]
    return depends
