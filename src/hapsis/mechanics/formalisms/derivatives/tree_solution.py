"""The solutions of M X = B for many right sides, with the factors of M along the tree, in little code.

    M = Lᵀ D L        M⁻¹ = T D⁻¹ Tᵀ        T = L⁻¹

T has no fill-in outside the branches, as L. The derivatives of a tree's efforts have the same pattern
for all coordinates of a limb (speeds one after the other without a branching): only its own speeds, those
before and those beyond it, and those that a force connects with it. So the columns of a limb are solved by
one kernel, which is written once and mapped over them, several at a time in the lanes of a register. A sum
for a row of another limb reads the speeds that both have before them only, which is less than a sweep
along the tree does.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from hapsis.compiler.ir.functions.blocks import map as mapped
from hapsis.compiler.ir.functions.function import Function
from hapsis.compiler.ir.graph.expr import symbols
from hapsis.compiler.ir.graph.graph import Graph
from hapsis.mechanics.formalisms.dynamics.forward_dynamics import ancestors, order, path
from hapsis.mechanics.formalisms.tree.tree import Tree, is_zero

Entries = Mapping[tuple[int, int], Any]

LEAST = 4  # speeds of a limb; a shorter one joins the limb before it


class TreeSolution:
    """M⁻¹ by L and D⁻¹: `L` by (row, column), `inverse` by row."""

    def __init__(self, tree: Tree, L: Entries, inverse: Mapping[int, Any]) -> None:
        self.tree, self.inverse = tree, inverse
        self.paths = paths(tree)
        self.limbs = limbs(tree)
        self.T = _inverted(self.paths, L)

    def of(self, *matrices: Entries) -> list[Any]:
        """-M⁻¹ B for each of several matrices B, by (row, column)."""
        full = [{at: x for at, x in entries.items() if not is_zero(x)} for entries in matrices]
        results = [self.tree.matrix({}) for _ in matrices]
        for limb in self.limbs:
            own = set(limb)
            reach = self._closed(i for entries in full for i, j in entries if j in own)
            if not reach:
                continue
            columns = [(k, j) for k, x in enumerate(full) for j in limb if any((i, j) in x for i in reach)]
            right = [[full[k].get((i, j), self.tree.zero) for i in reach] for k, j in columns]
            kernel = _Kernel(self.paths, reach, list(self.paths))
            solutions = kernel.solutions(right, self.T, [-self.inverse[k] for k in reach])
            for (k, j), x in zip(columns, solutions, strict=True):
                results[k][kernel.rows, j] = x
        return results

    def identity(self) -> Any:
        """M⁻¹, symmetric to the last bit: only its upper triangle is computed."""
        result = self.tree.matrix({})
        place = {slot: k for k, slot in enumerate(self.paths)}
        for limb in self.limbs:
            before, last = self._closed(limb), max(place[j] for j in limb)
            kernel = _Kernel(self.paths, before, list(self.paths)[: last + 1], inwards=False)
            right = [[self._scaled(j, k) for k in before] for j in limb]
            for j, x in zip(limb, kernel.solutions(right, self.T), strict=True):
                for i, value in zip(kernel.rows, x, strict=True):
                    if place[i] <= place[j]:
                        result[i, j] = result[j, i] = value
        return result

    def _closed(self, slots: Iterable[int]) -> list[int]:
        """These speeds and all before them, in tree order."""
        known = set(slots)
        known.update(*(self.paths[slot] for slot in tuple(known)))
        return [slot for slot in self.paths if slot in known]

    def _scaled(self, j: int, k: int) -> Any:
        """The entry k of D⁻¹ Tᵀ e_j."""
        if k == j:
            return self.inverse[k]
        return self.inverse[k] * self.T[j, k] if k in self.paths[j] else self.tree.zero


def paths(tree: Tree) -> dict[int, list[int]]:
    """For each speed, in tree order, those before it on the path from the root, the nearest first."""
    above = ancestors(tree)
    return {slot: list(path(above, above[slot])) for slot in order(tree)}


def limbs(tree: Tree) -> list[list[int]]:
    """The speeds of each limb; each speed belongs to one."""
    above = {slot: before[0] if before else -1 for slot, before in paths(tree).items()}
    count = Counter(above.values())
    groups: list[list[int]] = []
    group_of: dict[int, list[int]] = {}
    for slot, last in above.items():
        if last == -1 or count[last] > 1:
            group_of[slot] = []
            groups.append(group_of[slot])
        else:
            group_of[slot] = group_of[last]
        group_of[slot].append(slot)
    for group in reversed(groups):
        last = above[group[0]]
        if last != -1 and len(group) < LEAST:
            group_of[last] += group
            group_of |= dict.fromkeys(group, group_of[last])
            group.clear()
    return [group for group in groups if group]


def _inverted(paths: Mapping[int, Sequence[int]], L: Entries) -> dict[tuple[int, int], Any]:
    """T = L⁻¹ by (row, column), without its diagonal of ones."""
    T: dict[tuple[int, int], Any] = {}
    for i, before in paths.items():
        for at, k in enumerate(before):
            total = L[i, k]
            for j in before[:at]:
                total = total + L[i, j] * T[j, k]
            T[i, k] = -total  # T_ik = -(L_ik + Σ L_ij T_jk)
    return T


class _Kernel:
    """x = T y in those of some rows that y reaches: y = D⁻¹ Tᵀ b, or given if not to be swept inwards."""

    def __init__(
        self, paths: Mapping[int, list[int]], reach: list[int], rows: list[int], inwards: bool = True
    ) -> None:
        places = {slot: k for k, slot in enumerate(reach)}
        self.rows = [i for i in rows if i in places or not places.keys().isdisjoint(paths[i])]
        self.entries = [(i, k) for i in self.rows for k in paths[i] if k in places]
        graph = Graph()
        b = symbols("b", len(reach), graph=graph)
        entries = symbols("T", len(self.entries), graph=graph)
        scale = symbols("D", len(reach) if inwards else 0, graph=graph)
        T, y = dict(zip(self.entries, entries, strict=True)), dict(zip(reach, b, strict=True))
        if inwards:
            for i in reach:
                for k in paths[i]:
                    y[k] = y[k] + T[i, k] * b[places[i]]  # y := Tᵀ b
            y = {k: d * y[k] for k, d in zip(reach, scale, strict=True)}  # y := D⁻¹ y
        x = [
            _sum(([y[i]] if i in y else []) + [T[i, k] * y[k] for k in paths[i] if k in y])  # x = T y
            for i in self.rows
        ]
        self.function = Function("solution", {"b": b, "T": entries, "D": scale}, {"x": np.array(x)})

    def solutions(self, right: list[list[Any]], T: Entries, D: Sequence[Any] = ()) -> Any:
        """For each right side the values in the rows: mapped if there are many, else written out."""
        shared = [_array([T[at] for at in self.entries]), _array(D)]
        if len(right) < 2 * LEAST:
            return [self.function(_array(b), *shared) for b in right]
        return mapped(self.function, np.array(right), *shared)


def _sum(terms: list[Any]) -> Any:
    return sum(terms[1:], terms[0])


def _array(values: Sequence[Any]) -> Any:
    array = np.empty(len(values), dtype=object)
    array[:] = values
    return array
