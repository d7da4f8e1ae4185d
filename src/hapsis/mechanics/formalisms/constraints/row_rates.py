"""Time derivatives of constraint rows, along the motion with given speeds at zero accelerations.

Rows are functions of the relative poses of ends, of coordinates and of the time. The rates of relative
poses come from the recursions of `tree.relative_motion`, those of coordinates from the speeds; everything
between them and the rows is differentiated in the graph.
"""

from collections.abc import Sequence
from typing import Any

from hapsis.compiler.ir.derivatives.jacobian import rates_along
from hapsis.compiler.ir.graph.expr import Expr
from hapsis.compiler.ir.graph.graph import negated
from hapsis.compiler.ir.graph.ops import ONE
from hapsis.mechanics.algebra.rotations import transposed
from hapsis.mechanics.algebra.vectors import add, cross
from hapsis.mechanics.formalisms.constraints.constraint_scene import Sight
from hapsis.mechanics.formalisms.tree.coordinate_rates import rates
from hapsis.mechanics.formalisms.tree.relative_motion import RelativeMotions
from hapsis.mechanics.formalisms.tree.tree import Tree


class RowRates:
    """The rates of expressions of what constraints see, at the speeds v.

    sights    the relative poses and motions that the expressions are made of
    time      the time, if an expression depends on it
    apart     every point by itself, not by the motion of its body
    """

    def __init__(
        self, tree: Tree, sights: Sequence[Sight], time: Expr | None, v: Any, apart: bool = False
    ) -> None:
        self.tree, self.graph, self.sights, self.v = tree, tree.graph, sights, v
        self.motions = RelativeMotions(tree, v, [] if apart else [sight.path for sight in sights])
        self._known: dict[int, int] = {}  # rates by node
        self._set(tree.q, rates(tree, v))
        if time is not None:
            self._known[time.ref >> 2] = ONE

    def of(self, expressions: Sequence[Any]) -> list[Expr]:
        """The rate of each of these expressions."""
        refs = [x.ref for x in expressions]
        self._look(refs)
        return [Expr(self.graph, ref) for ref in rates_along(self.graph, refs, self._known)]

    def _look(self, refs: Sequence[int]) -> None:
        """Writes the rates of all relative poses and motions that these references depend on."""
        reached = set(self.graph.live(refs))
        for sight in self.sights:
            if sight.speeds is not None:
                self._look_at_motion(sight, reached)
                continue
            self._look_at_place(sight, reached)
            self._look_at_axes(sight, reached)

    def _look_at_place(self, sight: Sight, reached: set[int]) -> None:
        if self._lacks(sight.linear, reached):
            u, a = self.motions.point(sight.path)
            self._set(sight.linear, u)
            self._set(u, a)

    def _look_at_axes(self, sight: Sight, reached: set[int]) -> None:
        columns = [column for column in transposed(sight.angular) if self._lacks(column, reached)]
        if columns:
            w, dw = self.motions.spin(sight.path)
            for column in columns:
                rate = cross(w, column)
                self._set(column, rate)
                self._set(rate, add(cross(dw, column), cross(w, rate)))

    def _look_at_motion(self, sight: Sight, reached: set[int]) -> None:
        if any(x is not y for x, y in zip(sight.speeds, self.v, strict=True)):
            return
        if self._lacks(sight.linear, reached):
            self._set(sight.linear, self.motions.point(sight.path)[1])
        if self._lacks(sight.angular, reached):
            self._set(sight.angular, self.motions.spin(sight.path)[1])

    def _lacks(self, values: Any, reached: set[int]) -> bool:
        """Whether some of these expressions are reached and have no rate yet."""
        nodes = [x.ref >> 2 for x in values if not x.ref & 2]
        return any(index in reached and index not in self._known for index in nodes)

    def _set(self, values: Any, rates: Any) -> None:
        for x, rate in zip(values, rates, strict=True):
            if not x.ref & 2:
                self._known.setdefault(x.ref >> 2, negated(rate.ref) if x.ref & 1 else rate.ref)
