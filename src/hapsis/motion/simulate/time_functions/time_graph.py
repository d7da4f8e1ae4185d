"""The part of a Function that depends on the time alone, and its bounds on cells of time."""

from bisect import bisect_left
from collections.abc import Mapping
from typing import Any, final

import numpy as np

from hapsis.compiler.ir.functions.function import Function, Port
from hapsis.compiler.ir.graph import ops
from hapsis.mechanics.model.store.kept import kept_of
from hapsis.motion.simulate.time_functions.intervals import Array, Interval, always, bounds, negative, never

CLOCK = "t"
FIXED, TIMED, OTHER = range(3)  # what a node depends on: parameters, the time too, anything else
SWITCHES = (ops.LT, ops.LE, ops.MIN, ops.MAX, ops.ABS, ops.SIGN, ops.FLOOR, ops.LOOKUP)
PLAIN = (ops.SYMBOL, ops.ADD, ops.SUB, ops.EQ, ops.SELECT, *SWITCHES)  # no faster than what they are made of


@final
class TimeGraph:
    """The nodes of a Function that depend on t and parameters only.

    curves      nodes that may change faster than their operands
    switches    nodes that have a kink or a jump where something passes zero or a whole number
    """

    def __init__(self, function: Function, parameters: Mapping[str, float]) -> None:
        self.graph = function.graph
        self._values = {**function.parameters, **parameters}
        self._clock = function.input(CLOCK).refs[0] >> 2
        depends = self._sorted_by_dependence(function)
        timed = [i for i in function.live if depends[i] == TIMED]
        roots = self._read_from_outside(function, depends)
        wanted = set(self.graph.live([i << 2 for i in roots])) if timed else set[int]()
        self.nodes = [i for i in function.live if i in wanted]
        self.roots = roots
        op = {i: self.graph.nodes[i][0] for i in self.nodes}
        self._depends = depends
        self.curves = [i for i in self.nodes if depends[i] == TIMED and op[i] not in PLAIN and self._bends(i)]
        self.switches = [i for i in self.nodes if depends[i] == TIMED and op[i] in SWITCHES]

    def _sorted_by_dependence(self, function: Function) -> dict[int, int]:
        nodes, depends = self.graph.nodes, dict[int, int]()
        for i in function.live:
            op = nodes[i][0]
            if op == ops.PARAMETER:
                depends[i] = FIXED
            elif op in (ops.SYMBOL, ops.BLOCK, ops.OUT):
                depends[i] = TIMED if i == self._clock else OTHER
            else:
                kinds = (FIXED if ref & 2 else depends[ref >> 2] for ref in self.graph.operands(i))
                depends[i] = max(kinds, default=FIXED)
        return depends

    def _read_from_outside(self, function: Function, depends: Mapping[int, int]) -> set[int]:
        """The nodes of time that something else, or an output, reads."""
        roots = {ref >> 2 for ref in function.output_refs if not ref & 2 and depends[ref >> 2] == TIMED}
        for i in function.live:
            if depends[i] == OTHER:
                operands = (ref >> 2 for ref in self.graph.operands(i) if not ref & 2)
                roots |= {k for k in operands if depends[k] == TIMED}
        return roots

    def _bends(self, index: int) -> bool:
        """Whether it is more than a multiple of one of its operands."""
        op = self.graph.nodes[index][0]
        if op not in (ops.MUL, ops.DIV):
            return True
        first, second = self.graph.operands(index)
        fixed = [bool(ref & 2) or self._depends[ref >> 2] == FIXED for ref in (first, second)]
        return not (fixed[1] or (op == ops.MUL and fixed[0]))

    # bounds --------------------------------------------------------------------------------------

    def bounds(self, low: Array, high: Array) -> dict[int, Interval]:
        """The bounds of all nodes on cells of time, from `low` to `high`."""
        known: dict[int, Interval] = {}
        one = np.ones_like(low)
        with np.errstate(all="ignore"):
            for i in self.nodes:
                op, *rest = self.graph.nodes[i]
                if op == ops.SYMBOL:
                    known[i] = low, high
                elif op == ops.PARAMETER:
                    value = self._values[self.graph.parameters[rest[0]].name] * one
                    known[i] = value, value
                elif op == ops.LOOKUP:
                    known[i] = self._entries(rest[0], self._operand(rest[1], known, one))
                elif op == ops.MUL and rest[0] == rest[1]:
                    factor = self._operand(rest[0], known, one)
                    known[i] = bounds(op, [factor, factor])
                else:
                    known[i] = bounds(op, [self._operand(ref, known, one) for ref in rest])
        return known

    def _operand(self, ref: int, known: Mapping[int, Interval], one: Array) -> Interval:
        if ref & 2:
            value = self.graph.value(ref) * one
            return value, value
        return negative(known[ref >> 2]) if ref & 1 else known[ref >> 2]

    def _entries(self, table: int, place: Interval) -> Interval:
        """Entries of a table: one where the place stays within it, else all of them."""
        entries = self.graph.tables[table]
        first, last = (np.floor(np.clip(x, 0, entries.size - 1)) for x in place)
        value, alone = entries.entries(first), first == last
        return np.where(alone, value, entries.values.min()), np.where(alone, value, entries.values.max())

    # what matters --------------------------------------------------------------------------------

    def needed(self, known: Mapping[int, Interval]) -> dict[int, Any]:
        """For every node the cells on which something that is read depends on it."""
        some = next(iter(known.values()))[0]
        need: dict[int, Any] = {i: np.ones(len(some), bool) for i in self.roots}
        for i in reversed(self.nodes):
            if i not in need:
                continue
            for ref, used in self._uses(i, known, need[i], np.ones_like(some)):
                if not ref & 2:
                    before = need.get(ref >> 2)
                    need[ref >> 2] = used if before is None else before | used
        return need

    def _uses(
        self, index: int, known: Mapping[int, Interval], need: Any, one: Array
    ) -> list[tuple[int, Any]]:
        """The operands of a node, and where each of them matters."""
        op, refs = self.graph.nodes[index][0], self.graph.operands(index)
        if op == ops.SELECT:
            condition = self._operand(refs[0], known, one)
            return [
                (refs[0], need),
                (refs[1], need & ~never(condition)),
                (refs[2], need & ~always(condition)),
            ]
        if op == ops.MUL and refs[0] != refs[1]:
            first, second = (self._operand(ref, known, one) for ref in refs)
            return [(refs[0], need & ~never(second)), (refs[1], need & ~never(first))]
        return [(ref, need) for ref in refs]

    def undecided(self, index: int, known: Mapping[int, Interval]) -> Any:
        """The cells on which a switch may change its side."""
        op, *rest = self.graph.nodes[index]
        some = known[index][0]
        if op in (ops.FLOOR, ops.LOOKUP):
            low, high = self._operand(rest[-1], known, np.ones_like(some))
            most = self.graph.tables[rest[0]].size - 1 if op == ops.LOOKUP else np.inf
            low, high = (np.clip(x, 0.0, most) if op == ops.LOOKUP else x for x in (low, high))
            return np.floor(low) != np.floor(high)
        parts = [self._operand(ref, known, np.ones_like(some)) for ref in rest]
        low, high = parts[0] if len(parts) == 1 else bounds(ops.SUB, parts)
        return (low <= 0.0) & (high >= 0.0) & (high > low)

    def sides(self, t: Array) -> Any:
        """On which side each switch is at these times: (switches, times)."""
        known = self.bounds(t, t)
        return np.array([self._side(i, known) for i in self.switches]).reshape(len(self.switches), len(t))

    def _side(self, index: int, known: Mapping[int, Interval]) -> Any:
        op, *rest = self.graph.nodes[index]
        one = np.ones_like(known[index][0])
        if op in (ops.FLOOR, ops.LOOKUP):
            return np.floor(self._operand(rest[-1], known, one)[0])
        if op in (ops.LT, ops.LE):
            return known[index][0]
        parts = [self._operand(ref, known, one) for ref in rest]
        return np.sign(parts[0][0] if len(parts) == 1 else parts[0][0] - parts[1][0])


def clock_part(function: Function) -> Function | None:
    """(t) -> what a Function computes from the time alone; None where nothing of that bends or switches."""
    lists = kept_of(function, "clock", lambda: _clock_lists(function))
    if lists is None:
        return None
    from hapsis.compiler.ir.functions.function_text import function_of

    return function_of(lists, function.parameters)


def _clock_lists(function: Function) -> dict[str, Any] | None:
    from hapsis.compiler.ir.functions.function_text import lists_of
    from hapsis.compiler.passes.eliminate import eliminated

    clock = function.input(CLOCK)
    place = bisect_left(function.live, clock.refs[0] >> 2)  # nodes are in order
    if function.live[place : place + 1] != [clock.refs[0] >> 2]:
        return None
    graph = TimeGraph(function, {})
    if not graph.curves and not graph.switches:
        return None
    port = Port("x", (len(graph.roots),), tuple(i << 2 for i in sorted(graph.roots)))
    return lists_of(eliminated(Function.of("clock", function.graph, [clock], [port])))
