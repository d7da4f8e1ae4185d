"""Derivatives of forward dynamics by articulated bodies, at a cost that grows with the square of the speeds.

-M⁻¹ ∂tau/∂q and -M⁻¹ ∂tau/∂v are the accelerations of the mechanism without efforts under the changes of
`articulated_changes`: s and w beyond the link λ, and the wrench p that λ feels. With A_j the acceleration of
λ that a unit effort at j causes, which is a column of M⁻¹ swept outwards,

    x_j = -A_jᵀ p               j before λ
    α = s + Σ S_j x_j = s - Ω p     Ω = J_λ M⁻¹ J_λᵀ: the acceleration that a unit wrench on λ causes
    x_j = (τ/D) w - (U/D)ᵀ α    α := α + S x_j       outwards beyond λ

A limb (see `tree_limbs`) which is beyond that of k or beside it feels
the acceleration of the link before it alone. So its rows are products of six terms with rows r, and of three
with ρ and w:

    r_j := r_j - (r_jᵀ S_i) U_i/D_i     ρ_j := ρ_j - (r_jᵀ S_i) τ_i/D_i     inwards, from U/D and τ/D

Everything is in the frame of the first link. Long limbs are computed in blocks (see `response_blocks`).
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

from hapsis.mechanics.algebra.vectors import Vector, dot
from hapsis.mechanics.formalisms.derivatives import response_blocks
from hapsis.mechanics.formalisms.derivatives.articulated_changes import Axis, Change, Joint
from hapsis.mechanics.formalisms.derivatives.effort_derivatives import Entries
from hapsis.mechanics.formalisms.derivatives.response_blocks import State
from hapsis.mechanics.formalisms.derivatives.side_by_side import side_by_side
from hapsis.mechanics.formalisms.derivatives.six_vectors import (
    Six,
    less,
    of_triangle,
    plus,
    product,
    symmetric,
    triangle,
)
from hapsis.mechanics.formalisms.derivatives.tree_limbs import in_blocks, limbs
from hapsis.mechanics.formalisms.tree.links import WORLD
from hapsis.mechanics.formalisms.tree.tree import Tree

DEEP = 18  # axes on the longest way; in deeper trees Ω costs less than sums over the axes before a link
MANY = 5  # columns of a limb that are computed side by side


class Answers(NamedTuple):
    """The derivatives of the accelerations by (row, column); what is not there is zero."""

    by_q: Entries
    by_v: Entries
    by_tau: Entries  # M⁻¹


class Response:
    """The answers of a tree to changes of its coordinates, speeds and efforts."""

    def __init__(self, tree: Tree, joints: Sequence[Joint]) -> None:
        self.tree, self.joints = tree, joints
        self.zero6 = (tree.zero,) * 6
        self.parents = [branch.parent for branch in tree.branches]
        self.children: list[list[int]] = [[] for _ in joints]
        for i, parent in enumerate(self.parents):
            if parent != WORLD:
                self.children[parent].append(i)
        self.limbs = limbs(tree)
        self.axes = {first: [a for i in links for a in joints[i].axes] for first, links in self.limbs.items()}
        self.r = {first: self._rows(first) for first in self.limbs if self.parents[first] != WORLD}
        self.side_by_side = tree.n_v > response_blocks.SHORT
        # blocks take Ω from what is before them
        self.deep = any(
            in_blocks(tree, links) or len(self.before(links[-1])) > DEEP for links in self.limbs.values()
        )
        self.Omega: dict[int, list[Six]] = {WORLD: []}
        self.ends: dict[int, dict[int, State]] = {WORLD: {}}  # by link at the end of a limb, and speed

    def answers(self) -> Answers:
        """All derivatives."""
        answers = Answers({}, {}, {})
        for first, links in self.limbs.items():
            if in_blocks(self.tree, links):
                self._in_blocks(first, answers)
            else:
                self._written_out(first, answers)
        for first, links in self.limbs.items():
            if self.side_by_side and len(self.axes[first]) >= MANY and self.parents[first] != WORLD:
                for part in response_blocks.parts([axis.slot for axis in self.axes[first]]):
                    self._beside_in_blocks(first, part, answers)
                continue
            for at, k in [(i, axis.slot) for i in links for axis in self.joints[i].axes]:
                answers.by_q.update(self._beside(at, k, answers.by_q))
                answers.by_v.update(self._beside(at, k, answers.by_v))
                for (j, _), x in self._beside(at, k, answers.by_tau, half=True).items():
                    answers.by_tau[j, k] = answers.by_tau[k, j] = x
        return answers

    def before(self, i: int) -> list[Axis]:
        """The axes from the root to a link."""
        axes: list[Axis] = []
        while i != WORLD:
            axes += reversed(self.joints[i].axes)
            i = self.parents[i]
        return axes[::-1]

    def _rows(self, first: int) -> list[tuple[Six, Vector]]:
        """r and ρ of the axes of a limb."""
        rows: list[tuple[Six, Vector]] = []
        axes = self.axes[first]
        for at, axis in enumerate(axes):
            r, rho = axis.U_D, axis.turned
            for other in reversed(axes[:at]):
                y = product(r, other.S)
                rho = plus(rho, -y, other.turned)  # ρ_j := ρ_j - (r_jᵀ S_i) τ_i/D_i
                r = plus(r, -y, other.U_D)  # r_j := r_j - (r_jᵀ S_i) U_i/D_i
            rows.append((r, rho))
        return rows

    def _in_blocks(self, first: int, answers: Answers) -> None:
        """The rows and columns of a long limb of single axes, and of those before it, in blocks."""
        axes, columns = self.axes[first], []
        for part in response_blocks.parts(list(zip(self.limbs[first], axes, strict=True))):
            efforts: list[tuple[Any, ...]] = []
            begins: list[tuple[Any, ...]] = []
            for i, axis in part:
                Omega = self.Omega[self.parents[i]] or [self.zero6] * 6
                h, A, self.Omega[i] = self._effort(axis, self.Omega[self.parents[i]])
                answers.by_tau[axis.slot, axis.slot] = h
                efforts.append(A)
                (by_q,), (by_v,) = self.joints[i].by_q, self.joints[i].by_v
                half = triangle(Omega)
                begins.append((by_q.s, by_q.p, by_v.s, by_v.p, half))
            pushed = side_by_side("pushed", _pushed, begins)
            for (i, axis), A, (q, v) in zip(part, efforts, pushed, strict=True):
                (by_q,), (by_v,) = self.joints[i].by_q, self.joints[i].by_v
                columns.append(response_blocks.Column(axis, by_q, by_v, State(A, q, v, by_q.w, by_v.w)))
        ends = response_blocks.swept(columns, self.ends[self.parents[first]], answers)
        self.ends[self.limbs[first][-1]] = ends

    def _written_out(self, first: int, answers: Answers) -> None:
        """The rows and columns of a limb, and of those before it."""
        parent, last = self.parents[first], self.limbs[first][-1]
        outer, ends = self.ends[parent], {}
        single = all(len(self.joints[i].axes) == 1 for i in self.limbs[first])
        if self.side_by_side and single and len(outer) >= MANY:
            joints = [self.joints[i] for i in self.limbs[first]]
            columns = [(joint.axes[0], joint.by_q[0], joint.by_v[0]) for joint in joints]
            outer, ends = {}, response_blocks.passed(outer, columns, answers)
        A = {j: state.A for j, state in outer.items()}
        by_q: dict[int, Any] = {}  # α of the columns of the limb
        by_v: dict[int, Any] = {}
        turns: dict[int, tuple[Vector, Vector]] = {}
        before = self.before(parent)
        for i in self.limbs[first]:
            joint, Omega = self.joints[i], self.Omega.get(self.parents[i], [])
            for alphas, changes, entries in (
                (by_q, joint.by_q, answers.by_q),
                (by_v, joint.by_v, answers.by_v),
            ):
                for change in changes:
                    for j, Aj in A.items():
                        entries[j, change.slot] = -product(Aj, change.p)  # x = -A_jᵀ p
                    alphas[change.slot] = self._pushed(change, before, Omega, entries)
            turns |= {q.slot: (q.w, v.w) for q, v in zip(joint.by_q, joint.by_v, strict=True)}
            taken = self._taken(i)
            if taken:
                by_q |= dict.fromkeys(by_q, self.zero6)
                by_v |= dict.fromkeys(by_v, self.zero6)
            for axis in joint.axes:
                for j in A:
                    x = -product(axis.U_D, A[j])  # M⁻¹_kj = -(U/D)ᵀ A_j
                    answers.by_tau[j, axis.slot] = answers.by_tau[axis.slot, j] = x
                    A[j] = plus(A[j], x, axis.S)  # A_j := A_j + S M⁻¹_kj
                at = before if not self.deep else None
                h, A[axis.slot], Omega = self._effort(axis, Omega, at, answers.by_tau)
                answers.by_tau[axis.slot, axis.slot] = h
                for alphas, entries, turn in ((by_q, answers.by_q, 0), (by_v, answers.by_v, 1)):
                    for k, alpha in alphas.items():
                        # x = (τ/D) w - (U/D)ᵀ α
                        x = dot(axis.turned, turns[k][turn]) - product(axis.U_D, alpha)
                        entries[axis.slot, k], alphas[k] = x, plus(alpha, x, axis.S)  # α := α + S x
                before = [*before, axis]
            for slot, at, coefficient in taken:
                for changes, entries in ((joint.by_q, answers.by_q), (joint.by_v, answers.by_v)):
                    for change in changes:
                        x = entries[slot, change.slot] - change.s[at] / coefficient
                        entries[slot, change.slot] = x
            self.Omega[i] = Omega
        ends |= {k: State(A[k], by_q[k], by_v[k], *turns[k]) for k in by_q}
        for k, state in outer.items():
            q = self._beyond(first, k, state.q, state.q_w, answers.by_q)
            v = self._beyond(first, k, state.v, state.v_w, answers.by_v)
            ends[k] = State(A[k], q, v, state.q_w, state.v_w)
        self.ends[last] = ends

    def _pushed(self, change: Change, before: list[Axis], Omega: list[Six], entries: Entries) -> Six:
        """α where the change begins."""
        if self.deep:
            return less(change.s, Omega, change.p) if Omega else change.s  # α = s - Ω p
        a = self._moved(before, change.slot, entries)
        return change.s if a is None else tuple(x + y for x, y in zip(change.s, a, strict=True))

    def _moved(self, before: list[Axis], k: int, entries: Entries) -> Six | None:
        """Σ S_j x_j over the axes before a link: its acceleration by column k."""
        a: Six | None = None
        for axis in before:
            a = plus(self.zero6 if a is None else a, entries[axis.slot, k], axis.S)
        return a

    def _effort(
        self, axis: Axis, Omega: list[Six], before: list[Axis] | None = None, M: Entries | None = None
    ) -> tuple[Any, Six, list[Six]]:
        """M⁻¹_kk and A_k of an axis, and Ω beyond it; by M⁻¹_jk of those before it if they are given."""
        _, S, U_D, _, h = axis
        if before is not None and M is not None:
            a = self._moved(before, axis.slot, M)
            if a is None:
                return h, tuple(h * s for s in S), []
            h = h - product(U_D, a)  # M⁻¹_kk = 1/D - (U/D)ᵀ Σ S_j M⁻¹_jk
            return h, plus(a, h, S), []  # A_k = S M⁻¹_kk + Σ S_j M⁻¹_jk
        if not Omega:
            A = tuple(h * s for s in S)
            return h, A, symmetric(lambda a, b: A[a] * S[b])  # Ω = S Sᵀ/D
        g = [product(row, U_D) for row in Omega]
        h = h + product(U_D, g)  # M⁻¹_kk = 1/D + (U/D)ᵀ Ω (U/D)
        d = [y - (0.5 * h) * s for s, y in zip(S, g, strict=True)]
        beyond = symmetric(lambda a, b: Omega[a][b] - S[a] * d[b] - S[b] * d[a])
        return h, tuple(h * s - y for s, y in zip(S, g, strict=True)), beyond  # A_k = S h - Ω U/D

    def _taken(self, i: int) -> list[tuple[int, int, Any]]:
        """(speed, place in s, coefficient) of a joint on the world that is free to take up any s."""
        branch = self.tree.branches[i]
        if branch.parent != WORLD or len(branch.S) != 6 or any(len(S) > 1 for S in branch.S):
            return []
        return [(slot, *S[0]) for slot, S in zip(branch.v, branch.S, strict=True)]

    def _beyond(self, first: int, k: int, alpha: Six, w: Vector | None, entries: Entries) -> Six:
        """The rows of a limb from the acceleration of the link before it; gives that of its last link."""
        for axis, (r, rho) in zip(self.axes[first], self.r[first], strict=True):
            x = product(r, alpha)
            entries[axis.slot, k] = -x if w is None else dot(rho, w) - x
        for axis in self.axes[first]:
            alpha = plus(alpha, entries[axis.slot, k], axis.S)
        return alpha

    def _beside(self, i: int, k: int, entries: Entries, half: bool = False) -> Entries:
        """The rows beside the way from the root to a link, or those of one of each two limbs only."""
        way = [i]
        while self.parents[way[-1]] != WORLD:
            way.append(self.parents[way[-1]])
        beside: Entries = {}
        a: Six = self.zero6
        for at, following in zip(way[:0:-1], way[-2::-1], strict=True):
            for axis in self.joints[at].axes:
                a = plus(a, entries[axis.slot, k], axis.S)
            for child in self.children[at]:
                if child != following and (child > following or not half):
                    self._all_beyond(child, k, a, beside)
        return beside

    def _beside_in_blocks(self, first: int, slots: list[int], answers: Answers) -> None:
        """The rows beside the way to a limb, for several of its columns side by side."""
        at = first
        while self.parents[at] != WORLD:
            way = self.before(self.parents[at])
            a = [[self._moved(way, k, entries) for k in slots] for entries in answers]
            for child in self.children[self.parents[at]]:
                if child != at:
                    self._block_beyond(child, slots, a[: 3 if child > at else 2], answers)
            at = next(limb for limb, links in self.limbs.items() if self.parents[at] in links)

    def _block_beyond(self, first: int, slots: list[int], a: list[Any], answers: Answers) -> None:
        """The rows of a limb and all beyond it, from the accelerations of the link before it."""
        axes, beyond = self.axes[first], self.children[self.limbs[first][-1]]
        S = [axis.S for axis in axes] if beyond else []
        rows, ends = response_blocks.beyond(a, [r for r, _ in self.r[first]], S, len(slots))
        for lane, k in enumerate(slots):
            for row, axis in enumerate(axes):
                for x, entries in zip(rows, answers, strict=False):
                    entries[axis.slot, k] = x[lane, row]
                if len(rows) > 2:
                    answers.by_tau[k, axis.slot] = rows[2][lane, row]
        for child in beyond:
            self._block_beyond(child, slots, ends, answers)

    def _all_beyond(self, first: int, k: int, a: Six, entries: Entries) -> None:
        a = self._beyond(first, k, a, None, entries)
        for child in self.children[self.limbs[first][-1]]:
            self._all_beyond(child, k, a, entries)


def _pushed(q: Six, p_q: Six, v: Six, p_v: Six, half: Six) -> tuple[Six, Six]:
    """α = s - Ω p of both changes, from the upper triangle of Ω."""
    Omega = of_triangle(half)
    return less(q, Omega, p_q), less(v, Omega, p_v)
