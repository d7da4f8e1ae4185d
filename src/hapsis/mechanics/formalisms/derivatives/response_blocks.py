"""The answers of long limbs in blocks: eight columns side by side through eight axes at a time.

The sweeps of `articulated_response` are the same formulas for every axis and every column. So they are two
kernels, which are mapped over eight columns with up to eight axes that these share: one for columns of axes
further inwards, and one for the columns of the eight axes themselves, which begin one after the other. All
code of a limb but these kernels grows with its length, and columns are computed in the lanes of a register.
What the eight axes get from the columns is x beyond, and before them

    x_c = -A_cᵀ p       of every column c for the change of a later axis
"""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from hapsis.compiler.ir.functions.blocks import map as mapped
from hapsis.compiler.ir.functions.function import Function
from hapsis.compiler.ir.graph.elementary_functions import where
from hapsis.compiler.ir.graph.expr import symbol, symbols
from hapsis.compiler.ir.graph.graph import Graph
from hapsis.mechanics.algebra.vectors import Vector
from hapsis.mechanics.formalisms.derivatives.articulated_changes import Axis, Change
from hapsis.mechanics.formalisms.derivatives.side_by_side import SIDE
from hapsis.mechanics.formalisms.derivatives.six_vectors import Six

SHORT = 24  # speeds of a tree whose limbs beside each other are computed in blocks
LONG = 12  # axes of a limb that is computed in blocks


class State(NamedTuple):
    """A column at a link."""

    A: Six  # the acceleration by a unit effort
    q: Six  # α of the change of the coordinate
    v: Six  # of the speed
    q_w: Vector
    v_w: Vector


class Column(NamedTuple):
    """An axis of a limb, its changes, and its column where it begins: A behind the axis, α before it."""

    axis: Axis
    by_q: Change
    by_v: Change
    state: State


class Group(NamedTuple):
    """Up to eight columns side by side."""

    slots: list[int]
    arrays: list[Any]  # of a State, a row for each column


def swept(columns: Sequence[Column], before: Mapping[int, State], answers: Any) -> dict[int, State]:
    """Adds all entries of a limb with itself and with what is before it; gives the columns at its end."""
    groups = [_group(part) for part in parts(list(before.items()))]
    for part in parts(list(columns)):
        slots = [column.axis.slot for column in part]
        axes = _shared([(column.axis, column.by_q, column.by_v) for column in part])
        groups = [_passed(group, slots, axes, answers) for group in groups]
        own = _group([(column.axis.slot, column.state) for column in part])
        results = mapped(_sweep(len(part), True), *own.arrays, np.arange(SIDE, dtype=float), *axes)
        groups.append(Group(slots, [*results[-3:], *own.arrays[3:]]))
        for lane, k in enumerate(slots):
            for row, j in enumerate(slots[lane:], lane):
                _enter(answers, (j, k), [x[lane, row] for x in results[:5]])
    return _states(groups)


def passed(
    before: Mapping[int, State], axes: Sequence[tuple[Axis, Change, Change]], answers: Any
) -> dict[int, State]:
    """Adds the entries of a short limb with what is before it; gives these columns at its end."""
    slots, shared = [axis.slot for axis, _, _ in axes], _shared(axes)
    groups = [_group(part) for part in parts(list(before.items()))]
    return _states([_passed(group, slots, shared, answers) for group in groups])


def _passed(group: Group, slots: Sequence[int], axes: Sequence[Any], answers: Any) -> Group:
    """The columns of a group beyond some axes, the entries of both added."""
    results = mapped(_sweep(len(slots), False), *group.arrays, *axes)
    for lane, k in enumerate(group.slots):
        for row, j in enumerate(slots):
            _enter(answers, (j, k), [x[lane, row] for x in results[:5]])
    return Group(group.slots, [*results[-3:], *group.arrays[3:]])


def _states(groups: Sequence[Group]) -> dict[int, State]:
    return {
        slot: State(*(tuple(array[lane]) for array in group.arrays))
        for group in groups
        for lane, slot in enumerate(group.slots)
    }


def beyond(
    a: Sequence[Sequence[Six]], r: Sequence[Six], S: Sequence[Six], columns: int
) -> tuple[list[Any], list[Any]]:
    """The rows -rᵀ a of a limb for several accelerations of each column, and, with S, those at its end."""
    shared = [_across(r), _across(S)] if S else [_across(r)]
    results = mapped(_product(len(a), len(r), bool(S)), *map(_rows, a), *shared)
    results = [results] if len(a) == 1 and not S else list(results)
    ends = [[tuple(x[lane]) for lane in range(columns)] for x in results[len(a) :]]
    return results[: len(a)], ends


def _across(values: Sequence[Six]) -> Any:
    """A column for each of several vectors."""
    array = np.empty((len(values[0]), len(values)), dtype=object)
    for k, value in enumerate(values):
        array[:, k] = value
    return array


@cache
def _product(count: int, rows: int, through: bool) -> Function:
    """One column of -r a for each of `count` accelerations, and a + Σ S x if it goes `through` the limb."""
    graph = Graph()
    a = [symbols(f"a{k}", 6, graph=graph) for k in range(count)]
    shared = {name: symbols(name, 6, rows, graph=graph) for name in ("r", "S")[: 1 + through]}
    x = [np.array([-(r @ each) for r in shared["r"].T]) for each in a]
    outputs: dict[str, Any] = {f"x{k}": each for k, each in enumerate(x)}
    if through:
        outputs |= {f"end{k}": each + shared["S"] @ x[k] for k, each in enumerate(a)}
    return Function("beyond", {**{f"a{k}": each for k, each in enumerate(a)}, **shared}, outputs)


def _enter(answers: Any, at: tuple[int, int], values: Sequence[Any]) -> None:
    """The entries of a column and an axis at or beyond it."""
    (j, k), (M, by_q, by_v, q_before, v_before) = at, values
    answers.by_q[j, k], answers.by_v[j, k] = by_q, by_v
    if j != k:
        answers.by_tau[j, k] = answers.by_tau[k, j] = M
        answers.by_q[k, j], answers.by_v[k, j] = q_before, v_before


def parts(items: Sequence[Any]) -> list[Any]:
    """The items in even parts of at most eight."""
    count = -(-len(items) // SIDE)
    return [items[len(items) * k // count : len(items) * (k + 1) // count] for k in range(count)]


def _group(items: Sequence[tuple[int, State]]) -> Group:
    slots = [slot for slot, _ in items]
    return Group(slots, [_rows(field) for field in zip(*(state for _, state in items), strict=True)])


def _shared(axes: Sequence[tuple[Axis, Change, Change]]) -> list[Any]:
    """S, U / D, τ / D, and p of both changes, of some axes."""
    fields = [(axis.S, axis.U_D, axis.turned, by_q.p, by_v.p) for axis, by_q, by_v in axes]
    return [_across(field) for field in zip(*fields, strict=True)]


def _rows(values: Sequence[Sequence[Any]]) -> Any:
    """Eight rows, those that are missing zero."""
    rows = np.zeros((SIDE, len(values[0])), dtype=object)
    for k, row in enumerate(values):
        rows[k] = row
    return rows


@cache
def _sweep(count: int, beginning: bool) -> Function:
    """One column through some axes; if `beginning` it begins at the axis `place`, and is zero before it."""
    graph = Graph()
    A, q, v = begin = [symbols(name, 6, graph=graph) for name in "Aqv"]
    q_w, v_w = symbols("q_w", 3, graph=graph), symbols("v_w", 3, graph=graph)
    inputs: dict[str, Any] = {"A": A, "q": q, "v": v, "q_w": q_w, "v_w": v_w}
    sizes = {"S": 6, "U": 6, "t": 3, "p_q": 6, "p_v": 6}
    shared = {name: symbols(name, size, count, graph=graph) for name, size in sizes.items()}
    S, U, t, p_q, p_v = (array.T for array in shared.values())
    place: Any = None
    if beginning:
        inputs["place"] = place = symbol("place", graph=graph)
        A = q = v = np.zeros(6)
    rows: list[list[Any]] = []
    for k in range(count):
        before = -(A @ p_q[k]), -(A @ p_v[k])  # x_c = -A_cᵀ p
        if beginning:
            q, v = (where(place == k, x, y) for x, y in zip(begin[1:], (q, v), strict=True))
        x_q, x_v = t[k] @ q_w - U[k] @ q, t[k] @ v_w - U[k] @ v  # x = (τ/D) w - (U/D)ᵀ α
        q, v = q + S[k] * x_q, v + S[k] * x_v  # α := α + S x
        M = -(U[k] @ A)  # M⁻¹_kc = -(U/D)ᵀ A_c
        A = A + S[k] * M  # A_c := A_c + S M⁻¹_kc
        if beginning:
            A = where(place == k, begin[0], A)
        rows.append([M, x_q, x_v, *before])
    columns = [np.array(column) for column in zip(*rows, strict=True)]
    names = ("M", "x_q", "x_v", "before_q", "before_v")
    outputs = dict(zip(names, columns, strict=True)) | {"A_end": A, "q_end": q, "v_end": v}
    return Function("sweep", {**inputs, **shared}, outputs)
