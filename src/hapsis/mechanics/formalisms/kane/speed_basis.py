"""Generalized speeds u = Y(q, t) v + w(q, t), completed to as many as there are speeds.

Where a model names fewer combinations than it has speeds, speeds of its own complete them: those whose
columns of Y full pivoting leaves at a pose that nobody chose. Y must be invertible at such poses.
"""

import random
from collections.abc import Sequence
from functools import cache, cached_property
from typing import Any, NamedTuple

import numpy as np

from hapsis.compiler.backends.compile import compile
from hapsis.compiler.ir.functions.function import Function
from hapsis.compiler.ir.functions.verbs import verb
from hapsis.compiler.ir.graph.expr import Expr, symbol
from hapsis.errors import ModelError
from hapsis.mechanics.formalisms.constraints.constraint_rows import LinearRows, Rows
from hapsis.mechanics.formalisms.constraints.constraint_scene import Clock
from hapsis.mechanics.formalisms.constraints.ldlt import LDLT
from hapsis.mechanics.formalisms.constraints.row_derivation import combination_derivation
from hapsis.mechanics.formalisms.kept_verbs import kept_verb
from hapsis.mechanics.formalisms.tree.cheapest import cheapest
from hapsis.mechanics.formalisms.tree.tree import Tree, is_zero
from hapsis.mechanics.model.derived import derived
from hapsis.mechanics.model.model import Model
from hapsis.mechanics.model.units import coordinate_units, speed_units

POSES = 6  # at which ranks are looked at
RANK = 1e-5  # of a combination: what is left of it after the others, below which YᵀWY has no digits left


class Basis(NamedTuple):
    """The names of all generalized speeds, combinations first, and the places in v of those that follow."""

    names: tuple[str, ...]
    own: tuple[int, ...]


@verb
def generalized_speeds(model: Model) -> Function:
    """(q, v, t) -> u, Y, w: the generalized speeds u = Y v + w, all that the model has.

    u has the model's `Speed` facts in their order, then the speeds of the model's own that complete them;
    their names are `generalized_speed_names(model)`. t only where a combination depends on it.
    """
    return completed_speeds(model, speed_basis(model).own)


@verb
def generalized_speed_names(model: Model) -> tuple[str, ...]:
    """The names of the generalized speeds, in the order of `hs.generalized_speeds`."""
    return speed_basis(model).names


@kept_verb
def completed_speeds(model: Model, own: tuple[int, ...]) -> Function:
    """(q, v, t) -> u, Y, w: the combinations, and these speeds of the model's own after them."""

    def emit(tree: Tree) -> Function:
        v = tree.symbols("v")
        u = Combinations(tree, own, v)
        inputs = {"q": tree.q, "v": v, **u.timed}
        outputs = {"u": u.values, "Y": u.Y, "w": u.drift}
        return Function("generalized_speeds", inputs, outputs, defaults=dict.fromkeys(u.timed, 0.0) or None)

    return cheapest(model, emit)


def combination(model: Model, name: str) -> Function:
    """(q, v, t) -> value of one generalized speed by its name; t only where it depends on it."""

    def emit(tree: Tree) -> Function:
        v = tree.symbols("v")
        clock = cache(lambda: symbol("t", graph=tree.graph))
        value = combination_value(tree, name, v, clock)
        f = Function("combination", {"q": tree.q, "v": v, "t": clock()}, {"value": value})
        timed = f.inputs[2].refs[0] >> 2 in f.live
        inputs = {"q": tree.q, "v": v, **({"t": clock()} if timed else {})}
        return Function("combination", inputs, {"value": value}, defaults={"t": 0.0} if timed else None)

    return cheapest(model, emit)


def combination_value(tree: Tree, name: str, v: Any, clock: Clock) -> Any:
    """One generalized speed on a posed tree, at the speeds v."""
    rows = combination_derivation(tree)
    return rows.copied([rows.speeds[name]], tree, v, clock() if rows.timed else None)[0]


def speed_basis(model: Model) -> Basis:
    """All generalized speeds of a model; an error where its combinations are not independent."""
    return derived(model, speed_basis, lambda: _basis(model))


def _basis(model: Model) -> Basis:
    n, names = len(model.speeds), tuple(model.generalized_speeds)
    if not names:
        return Basis(model.speeds, tuple(range(n)))
    f = compile(completed_speeds(model, ()), contract=False)
    units, draw = np.array(speed_units(model)), random.Random(5)
    best, chosen = -1, tuple[int, ...]()
    for _ in range(POSES):
        Y = f(_pose(model, draw), np.zeros(n)).Y * units
        if not np.isfinite(Y).all():
            continue
        rank, columns = _ranked(Y)
        if rank > best:
            best, chosen = rank, columns
        if rank == len(names):
            break
    if best < len(names):
        raise ModelError(
            f"the speeds {', '.join(names)[:200]} are no independent combinations: their rank is "
            f"{max(best, 0)} of {len(names)} (a part of less than {RANK:g} counts as nothing)",
            expected="combinations none of which follows from the others",
        )
    own = tuple(k for k in range(n) if k not in chosen)
    return Basis((*names, *(model.speeds[k] for k in own)), own)


def _ranked(Y: Any) -> tuple[int, tuple[int, ...]]:
    """The rank of combinations, each measured by its largest factor, and the columns that they replace."""
    A = Y / np.maximum(np.abs(Y).max(axis=1, keepdims=True), 1e-300)
    columns: list[int] = []
    size = 1.0
    for _ in range(len(A)):
        i, j = np.unravel_index(int(np.argmax(np.abs(A))), A.shape)
        if not abs(A[i, j]) > RANK * size:
            break
        A = A - np.outer(A[:, j] / A[i, j], A[i])
        A[i] = 0.0
        columns.append(int(j))
    return len(columns), tuple(sorted(columns))


def _pose(model: Model, draw: random.Random) -> Any:
    """Coordinates of the size of the model, quaternions of length one."""
    q = np.array([draw.uniform(-1.0, 1.0) for _ in model.coordinates]) * coordinate_units(model)
    at = 0
    for joint in model.moving:
        parts = [at + k for k, name in enumerate(joint.coordinates) if name not in joint.plain]
        if parts:
            q[parts] /= np.linalg.norm(q[parts])
        at += len(joint.coordinates)
    return q


class Combinations:
    """The generalized speeds on a posed tree at the speeds v: u = Y v + w, and back.

    own     the places in v of the model's own speeds among them, after the combinations
    clock   returns the time, for combinations that need it
    """

    def __init__(self, tree: Tree, own: Sequence[int], v: Any, clock: Clock | None = None) -> None:
        self.tree, self.own, self.v = tree, own, v
        self.time: Expr | None = None
        self.linear: LinearRows | None = None
        if tree.links.model.generalized_speeds:
            rows = combination_derivation(tree)
            if rows.timed:
                self.time = symbol("t", graph=tree.graph) if clock is None else clock()
            self.linear = LinearRows(tree, Rows({}, self.time, {}, rows), tuple(rows.speeds), v)

    @property
    def timed(self) -> dict[str, Expr]:
        """{"t": time} where a combination depends on the time, else empty."""
        return {} if self.time is None else {"t": self.time}

    @property
    def values(self) -> list[Any]:
        """u."""
        return [*(self.linear.rate if self.linear else ()), *(self.v[k] for k in self.own)]

    @property
    def Y(self) -> list[list[Any]]:
        """The factors of the speeds, a row for each generalized speed."""
        tree = self.tree
        rows = [list(row) for row in self.linear.J] if self.linear else []
        return rows + [[tree.one if j == k else tree.zero for j in range(tree.n_v)] for k in self.own]

    @property
    def drift(self) -> list[Any]:
        """w: the generalized speeds where all speeds are zero."""
        return [*(self.linear.drift if self.linear else ()), *[self.tree.zero] * len(self.own)]

    @property
    def gamma(self) -> list[Any]:
        """Ẏ v + ẇ: the rates of the generalized speeds at zero accelerations."""
        return [*(self.linear.gamma if self.linear else ()), *[self.tree.zero] * len(self.own)]

    @cached_property
    def _weighted(self) -> list[list[Any]]:
        """W Y: rows over their squares, so that combinations may have any size; speeds in their units."""
        units = speed_units(self.tree.links.model)
        rows: list[list[Any]] = []
        for row in self.Y:
            parts = [(x * unit) * (x * unit) for x, unit in zip(row, units, strict=True) if not is_zero(x)]
            weight = self.tree.one / sum(parts, self.tree.zero)
            rows.append([x if is_zero(x) else weight * x for x in row])
        return rows

    @cached_property
    def _normal(self) -> LDLT:
        """The factors of YᵀWY, which need no search for pivots at any pose."""
        entries: dict[tuple[int, int], Any] = {}
        for row, weighted in zip(self.Y, self._weighted, strict=True):
            some = [k for k, x in enumerate(row) if not is_zero(x)]
            for place, i in enumerate(some):
                for j in some[place:]:
                    xy = weighted[i] * row[j]
                    entries[i, j] = entries[i, j] + xy if (i, j) in entries else xy
        return LDLT(self.tree, entries, self.tree.n_v)

    def speeds(self, u: Sequence[Any]) -> list[Any]:
        """Y⁻¹ u: the speeds, less those that the drift makes, of generalized speeds."""
        if self.linear is None:
            return list(u)
        zero, columns = self.tree.zero, zip(*self._weighted, strict=True)
        right = [
            sum((y * x for y, x in zip(column, u, strict=True) if not is_zero(y * x)), zero)
            for column in columns
        ]
        return self._normal.solved(right)  # YᵀWY v = YᵀW u

    def dual(self, forces: Sequence[Any]) -> list[Any]:
        """Y⁻ᵀ f: what the components of a force or momentum on the speeds are on the generalized ones."""
        if self.linear is None:
            return list(forces)
        v, zero = self._normal.solved(forces), self.tree.zero  # W Y (YᵀWY)⁻¹ f
        return [
            sum((y * x for y, x in zip(row, v, strict=True) if not is_zero(y)), zero)
            for row in self._weighted
        ]
