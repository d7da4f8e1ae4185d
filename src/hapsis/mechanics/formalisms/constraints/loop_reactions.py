"""Wrenches of loop joints and constraints on the bodies they connect, from the multipliers of their rows.

The rate of a row is linear in the motion of its second end relative to the first, (ω, u) in the first
end's axes: ḣ = m·ω + f·u. So its multiplier λ is a force λ f at the second end's origin and a moment λ m
on the second body, and the opposite on the first. m and f are derivatives of the rows, written for ends
whose relative pose is a set of symbols, so that they exist for every kind of joint and constraint. Rows
between coordinates (gears, the user's functions) have no ends; they act as efforts, λ times their
Jacobian.
"""

from collections.abc import Mapping
from typing import Any

from hapsis.compiler.ir.functions.function import Function
from hapsis.compiler.ir.graph.expr import symbols
from hapsis.mechanics.algebra.rotations import Matrix, transposed
from hapsis.mechanics.algebra.spatial import Motion, Wrench, halves
from hapsis.mechanics.algebra.vectors import add, cross, neg, scaled, sub
from hapsis.mechanics.formalisms.constraints.constraint_rows import linearized, rows_of
from hapsis.mechanics.formalisms.constraints.constraint_scene import ConstraintScene, Seen, end_place
from hapsis.mechanics.formalisms.constraints.free_ends import FreeEnds
from hapsis.mechanics.formalisms.dynamics.carriers import joining
from hapsis.mechanics.formalisms.forces.applied_forces import AppliedForces
from hapsis.mechanics.formalisms.tree.tree import Tree
from hapsis.mechanics.model.fact import Fact
from hapsis.mechanics.model.forces.force import Spot
from hapsis.mechanics.model.model import Model
from hapsis.mechanics.model.names import speed_name


def spot(applied: AppliedForces, fact: Any, field: str) -> Spot:
    """An end of a fact in the world."""
    return applied.spot(end_place(applied.tree, fact, field))


def read_slots(model: Model, fact: Any) -> set[int] | None:
    """The speeds of the coordinates that a constraint between two ends reads besides; None without ends.

    Its rows act as wrenches on its ends, and as efforts on these.
    """
    if not fact.ends:
        return None
    return {model.speeds.index(speed_name(name)) for name in fact.joints.values()}


class LoopReactions:
    """The wrenches of all rows with ends on one posed tree."""

    def __init__(self, tree: Tree, applied: AppliedForces) -> None:
        self.tree, self.applied = tree, applied
        self.ends = FreeEnds(tree)
        self.scene, self.apart = (
            ConstraintScene(tree, lambda: applied.time, ends) for ends in (None, self.ends)
        )

    def seen(self, fact: Any) -> Seen:
        """The origin and the axes of the second end, seen from the first."""
        self.scene.fact = fact
        return self.scene.seen("second", "first")

    def directions(self, fact: Any) -> dict[str, Wrench]:
        """{row: (m, f)}, about the second end's origin and in the first end's axes."""
        place = self.seen(fact)
        wrenches = self._of_positions(fact, place)
        if fact.family == "joints":
            return wrenches
        self.ends.second = place
        still = self._of_speeds(fact, (self.tree.zero3, self.tree.zero3))
        columns = [self._of_speeds(fact, unit) for unit in self._units()]
        for name, drift in still.items():
            wrenches[name] = halves([column[name] - drift for column in columns])
        return wrenches

    def _units(self) -> list[Motion]:
        """The six unit motions: 1 rad/s about and 1 m/s along each axis."""
        zero3, triad = self.tree.zero3, self.tree.triad
        return [*((axis, zero3) for axis in triad), *((zero3, axis) for axis in triad)]

    def _of_speeds(self, fact: Any, moved: Motion) -> Mapping[str, Any]:
        self.ends.moved = moved
        rows = self.apart.speed_rows(fact, [self.tree.zero] * self.tree.n_v)
        return {name: self.tree.links.constant(row) for name, row in rows.items()}

    def _of_positions(self, fact: Fact, place: Seen) -> dict[str, Wrench]:
        tree = self.tree
        d, R = symbols("d", 3, graph=tree.graph), symbols("R", 3, 3, graph=tree.graph)
        self.ends.second = tuple(d), tuple(map(tuple, R))
        rows = self.apart.rows(fact)
        if not rows:
            return {}
        timed = {} if self.apart.asked is None else {"t": self.apart.asked}
        h = [tree.links.constant(row) for row in rows.values()]
        f = Function("rows", {"d": d, "R": R, "q": tree.q, **timed}, {"h": h})
        rate = f.jvp("d", "R")
        at = {"d": place[0], "R": place[1], "q": tree.q, **timed}
        columns: list[Any] = []
        for w, u in self._units():
            # Ṙ = ω × R, column by column
            turned = transposed([cross(w, column) for column in transposed(place[1])])
            columns.append(rate(**at, d_d=u, d_R=turned))
        return {name: halves([c[k] for c in columns]) for k, name in enumerate(rows)}

    def wrench(self, fact: Any, multipliers: Mapping[str, Any]) -> Wrench:
        """The wrench of the first end on the second, at the first end's origin and in its axes."""
        n, f = self.tree.zero3, self.tree.zero3
        for name, (m, along) in self.directions(fact).items():
            value = multipliers.get(f"{fact.name}.{name}")
            if value is not None:
                n, f = add(n, scaled(value, m)), add(f, scaled(value, along))
        return add(n, cross(self.seen(fact)[0], f)), f

    def push(self, multipliers: Mapping[str, Any]) -> dict[str, Wrench]:
        """Applies all wrenches to their bodies and returns them by name."""
        wrenches: dict[str, Wrench] = {}
        for fact in joining(self.tree.links.model):
            wrenches[fact.name] = n, f = self.wrench(fact, multipliers)
            first, second = (spot(self.applied, fact, field) for field in ("first", "second"))
            n, f = Matrix(first.R).up(n), Matrix(first.R).up(f)
            self.applied.push(first, neg(f), neg(n))
            self.applied.push(second, f, sub(n, cross(sub(second.p, first.p), f)))
        self._drive(multipliers)
        return wrenches

    def _drive(self, multipliers: Mapping[str, Any]) -> None:
        """Applies the rows between coordinates as efforts, and what rows between ends do to coordinates."""
        model = self.tree.links.model
        facts = [fact for fact in model.constraints.values() if fact.joints or not fact.ends]
        v = self.applied.v
        fact_of = {
            f"{fact.name}.{row}": fact
            for fact in facts
            for row in (*self.scene.rows(fact), *self.scene.speed_rows(fact, v))
        }
        names = [name for name in fact_of if name in multipliers]
        if not names:
            return
        rows = rows_of(self.tree, self.scene.clock)
        slopes = linearized(self.tree, rows, names, v).J
        for name, row in zip(names, slopes, strict=True):
            read = read_slots(model, fact_of[name])
            for slot, x in enumerate(row):
                if read is not None and slot not in read:
                    continue
                self.applied.efforts[slot] = self.applied.efforts[slot] + x * multipliers[name]
