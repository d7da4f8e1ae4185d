"""The forces of feet on a ground at one state, as a linear complementarity problem.

    z = (λ_n; β⁺, β⁻, σ for each direction along the ground)        F_t = β⁺ - β⁻        σ = |ẍ_t|

    ẍ_n ≥ 0 ⊥ λ_n ≥ 0        ±ẍ_t + σ ≥ 0 ⊥ β ≥ 0        μ λ_n - β⁺ - β⁻ ≥ 0 ⊥ σ ≥ 0

Accelerations are measured by the largest one without forces of the feet, forces by the masses that the feet
move, so that the pivots do not depend on the size of the model.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple, Protocol

import numpy as np

from hapsis.compiler.ir.graph.immutable import Immutable
from hapsis.errors import SolveError
from hapsis.motion.analysis.feet.contact_modes import MOST, Answers, ContactModes
from hapsis.motion.solvers.linear.lemke import complementary

Array = np.ndarray[Any, np.dtype[np.float64]]
RANK = 1e-9  # of the largest singular value: a smaller one is rounding
MET = 1e-6  # of the largest number of the equations: a solution that is further off is none
STILL = 1e-9  # of the largest acceleration without forces: a smaller one is rounding
DIFFERENT = 1e-6  # of the largest acceleration without forces: two motions that differ less are one
MASSLESS = 1e-13  # of the masses of each speed: a motion that moves less moves none
DEEP = 1e3  # times the gap of a foot that touches: a foot that is deeper is below the ground


class Feet(Protocol):
    """What is known of the feet in all states."""

    @property
    def feet(self) -> Sequence[str]:
        """Their names."""
        ...

    @property
    def friction(self) -> Mapping[str, float]:
        """{foot: μ}."""
        ...

    @property
    def touching(self) -> float:
        """The largest gap of a foot that touches, m."""
        ...

    @property
    def rest(self) -> float:
        """The largest speed of a foot that rests, m/s."""
        ...


class FootMotion(NamedTuple):
    """One foot: what it does, the force of the ground on it and its acceleration, in the axes of the ground.

    state          "stick", "slide", "lift" (it touches and rises) or "apart"
    force          x, y along the ground, z away from it, N
    gap            m above the ground
    velocity       m/s
    acceleration   m/s²
    slip           μ F_z - max(|F_x|, |F_y|), N: what is left until it slides
    """

    state: str
    force: Array
    gap: float
    velocity: Array
    acceleration: Array
    slip: float


@dataclass(frozen=True, eq=False)
class FeetSolution(Immutable):
    """Accelerations `a` and the `feet` by name."""

    a: Array
    feet: Mapping[str, FootMotion]
    _problem: "FeetForces" = field(repr=False)
    _independent: bool = field(repr=False)

    @cached_property
    def others(self) -> tuple[Array, ...]:
        """The accelerations of all other motions that meet all conditions, by trying all contact modes."""
        return self._problem.others(self.a)

    @cached_property
    def unique(self) -> bool:
        """Whether it is certain that these forces and this motion are the only ones."""
        return self._independent and self._problem.alone(self.a)

    @property
    def states(self) -> dict[str, str]:
        """{foot: what it does}."""
        return {name: foot.state for name, foot in self.feet.items()}


class FeetForces:
    """The problem of feet at one state: which forces, and what each foot does."""

    def __init__(self, problem: Feet, known: Mapping[str, Any], q: Array, v: Array, tau: Array) -> None:
        self.problem, self.v, self.n = problem, v, len(v)
        _, J, gamma = known["rows"](q, v)[:3]
        self.J, self.gamma, self.places = np.asarray(J), np.asarray(gamma), known["places"]
        origin, up = np.asarray(known["origin"](q, v)), np.asarray(known["axes"](q, v))[:, 2]
        self.gaps = [float(up @ (each(q).p - origin)) for each in known["poses"]]
        self.M, self.force = np.asarray(known["M"](q)), tau - np.asarray(known["c"](q, v))
        self.own = known["own"]
        self.touching = [k for k, name in enumerate(problem.feet) if self._touches(k, name)]

    def row(self, k: int, axis: str) -> tuple[Array, float]:
        """J and γ of a foot along an axis of the ground; zero where nothing moves it there."""
        place = self.places.get((self.problem.feet[k], axis))
        return (np.zeros(self.n), 0.0) if place is None else (self.J[place], float(self.gamma[place]))

    def velocity(self, k: int) -> Array:
        """The velocity of a foot in the axes of the ground."""
        return np.array([self.row(k, axis)[0] @ self.v for axis in "xyz"])

    def _touches(self, k: int, name: str) -> bool:
        """Whether a foot can have a force: it touches and does not leave."""
        if self.gaps[k] > self.problem.touching:
            return False
        if self.gaps[k] < -DEEP * self.problem.touching:
            raise SolveError(f'foot "{name[:60]}" is {-self.gaps[k]:.3g} m below the ground')
        speed = self.velocity(k)[2]
        if speed < -self.problem.rest:
            raise SolveError(
                f'foot "{name[:60]}" touches and comes nearer at {-speed:.3g} m/s',
                expected="no impact",
                remedy="compute the speeds after the impact first",
            )
        return bool(speed <= self.problem.rest)

    @cached_property
    def free(self) -> tuple[Array, Array, Array]:
        """Z, the factor of Zᵀ M Z, and the accelerations without forces of the feet."""
        G, g = self.J[self.own], self.gamma[self.own]
        Z, still = np.eye(self.n), np.zeros(self.n)
        if len(G):
            _, sizes, Vt = np.linalg.svd(G)
            rank = int((sizes > RANK * sizes[0]).sum())
            Z, still = Vt[rank:].T, -np.linalg.pinv(G, rcond=RANK) @ g
        reduced = Z.T @ self.M @ Z
        sizes = np.sqrt(np.maximum(np.diag(reduced), 0.0))  # of what moves, each in its own units
        if len(sizes) and not _regular(reduced, sizes):
            raise SolveError(
                "a motion that the constraints leave moves no mass, so that its acceleration is not known",
                remedy="give the bodies masses and inertias",
            )
        a = still + Z @ np.linalg.solve(reduced, Z.T @ (self.force - self.M @ still))
        return Z, reduced, a

    def solution(self) -> FeetSolution:
        """The accelerations, with the forces of Lemke's method."""
        Z, reduced, a_free = self.free
        columns = [self._directions(k) for k in self.touching]
        J = np.array([row for each in columns for row, _ in each]).reshape(-1, self.n)
        gamma = np.array([g for each in columns for _, g in each])
        self.response = Z @ np.linalg.solve(reduced, Z.T @ J.T)  # of the accelerations to forces
        self.A, self.b = J @ self.response, J @ a_free + gamma
        self.still = STILL * np.abs(self.b).max(initial=0.0)
        forces = self._sticking(self.A, self.b)
        if forces is None:
            forces = self._forces(self.A, self.b)
        a = a_free + self.response @ forces.ravel()
        return self._told(a, forces, self._rank(J @ Z, forces))

    def _directions(self, k: int) -> list[tuple[Array, float]]:
        return [self.row(k, axis) for axis in "xyz"]

    def _sliding(self, k: int) -> Array | None:
        """The direction against which friction acts on a foot that slides; None where it rests."""
        u = self.velocity(k)[:2]
        speed = float(np.linalg.norm(u))
        return u / speed if speed > self.problem.rest else None

    def _sticking(self, A: Array, b: Array) -> Array | None:
        """The forces of least norm with which all touching feet stay; None where they cannot give them.

        With much friction several motions may be possible: this one is preferred.
        """
        feet = len(self.touching)
        if any(self._sliding(k) is not None for k in self.touching):
            return None
        forces = -np.linalg.pinv(A, rcond=RANK, hermitian=True) @ b if feet else np.zeros(0)
        if np.abs(A @ forces + b).max(initial=0.0) > self.still:
            return None
        rows = forces.reshape(feet, 3)
        mu = np.array([self.problem.friction[self.problem.feet[k]] for k in self.touching])
        held = (rows[:, 2] >= 0.0) & (np.abs(rows[:, :2]) <= (mu * rows[:, 2])[:, None]).all(axis=1)
        return rows if held.all() else None

    def _forces(self, A: Array, b: Array) -> Array:
        """The forces of touching feet, a row each, from accelerations A F + b.

        z: for each foot λ_n; where it rests for x and y: β⁺, β⁻ and σ, with F = β⁺ - β⁻ and σ = |ẍ|.
        """
        feet = len(self.touching)
        blocks: list[Array] = []  # F = S z
        limits: list[tuple[int, int, int, float]] = []  # places of β⁺, σ, λ_n, and μ
        at = 0
        for i, k in enumerate(self.touching):
            mu, slide = self.problem.friction[self.problem.feet[k]], self._sliding(k)
            normal = np.zeros(3 * feet)
            normal[3 * i + 2] = 1.0
            place = at
            if slide is not None:
                normal[3 * i : 3 * i + 2] = -mu * slide
            blocks.append(normal)
            at += 1
            if slide is None and mu > 0.0:
                for axis in range(2):
                    push = np.zeros(3 * feet)
                    push[3 * i + axis] = 1.0
                    blocks += [push, -push, np.zeros(3 * feet)]
                    limits.append((at, at + 2, place, mu))
                    at += 3
        S = np.array(blocks).T
        E = np.array([_test(block) for block in blocks])  # what must not be negative: ẍ along these
        size, ease = max(np.abs(b).max(), 1e-300), max(np.abs(A).max(), 1e-300)
        M, q = E @ (A / ease) @ S, E @ (b / size)
        for plus, sigma, normal, mu in limits:
            M[[plus, plus + 1], sigma] += 1.0  # ±ẍ + σ ≥ 0
            M[sigma, normal], M[sigma, plus], M[sigma, plus + 1] = mu, -1.0, -1.0  # μ λ_n - β⁺ - β⁻ ≥ 0
        z = _solved(M, q)
        return self._tried() if z is None else (size / ease) * (S @ z).reshape(feet, 3)

    # all modes -----------------------------------------------------------------------------------

    @cached_property
    def modes(self) -> ContactModes:
        """All contact modes of the feet that touch."""
        mu = [self.problem.friction[self.problem.feet[k]] for k in self.touching]
        return ContactModes(self.A, self.b, mu, [self._sliding(k) for k in self.touching])

    @cached_property
    def answers(self) -> Answers:
        """What they give."""
        if self.modes.count > MOST:
            raise SolveError(
                f"{len(self.touching)} feet have {self.modes.count} contact modes", expected=f"up to {MOST}"
            )
        return self.modes.answers()

    def _tried(self) -> Array:
        """The forces of some mode, where Lemke's method finds none."""
        remedy = "a foot that slides is pressed the more it is braked: try less friction"
        if self.modes.count > MOST:
            raise SolveError("Lemke's method finds no forces of the feet in this state", remedy=remedy)
        if not self.answers.forces:
            raise SolveError("no forces of the feet meet all conditions in this state", remedy=remedy)
        return self.answers.forces[0]

    def others(self, a: Array) -> tuple[Array, ...]:
        """Accelerations of modes that are not those."""
        a_free, found = self.free[2], [a]
        for forces in self.answers.forces:
            other = a_free + self.response @ forces.ravel()
            if all(not self._same(other, each) for each in found):
                found.append(other)
        return tuple(found[1:])

    def _same(self, a: Array, other: Array) -> bool:
        """Whether two motions move no foot differently."""
        apart = np.array([row @ (a - other) for k in self.touching for row, _ in self._directions(k)])
        return bool(np.abs(apart).max(initial=0.0) <= DIFFERENT * np.abs(self.b).max(initial=0.0))

    def alone(self, a: Array) -> bool:
        """Whether it is certain that no other motion meets all conditions."""
        if self.modes.count > MOST:
            return False
        return not self.answers.doubtful and not self.others(a)

    def _rank(self, J: Array, forces: Array) -> bool:
        """Whether the forces are the only ones: the rows of feet that are pressed are independent."""
        pressed = [3 * i + j for i, f in enumerate(forces) if f[2] > 0.0 for j in range(3)]
        rows = J[pressed]
        moving = rows[np.abs(rows).max(axis=1, initial=0.0) > 0.0]
        if not len(moving):
            return True
        rank = np.linalg.matrix_rank(moving, tol=RANK * np.abs(moving).max())
        return int(rank) == len(moving)

    def _told(self, a: Array, forces: Array, unique: bool) -> FeetSolution:
        feet: dict[str, FootMotion] = {}
        for k, name in enumerate(self.problem.feet):
            i = self.touching.index(k) if k in self.touching else None
            force = np.zeros(3) if i is None else forces[i]
            rows = self._directions(k)
            acceleration = np.array([row @ a + g for row, g in rows])
            slip = float(self.problem.friction[name] * force[2] - np.abs(force[:2]).max())
            feet[name] = FootMotion(
                self._state(k, force, acceleration), force, self.gaps[k], self.velocity(k), acceleration, slip
            )
        return FeetSolution(a, feet, self, unique)

    def _state(self, k: int, force: Array, acceleration: Array) -> str:
        if self.gaps[k] > self.problem.touching:
            return "apart"
        if k not in self.touching:
            return "lift"
        if acceleration[2] > self.still:
            return "lift"
        moving = self._sliding(k) is not None or np.abs(acceleration[:2]).max() > self.still
        return "slide" if moving else "stick"


def _solved(M: Array, q: Array) -> Array | None:
    """z of Lemke's method; None where it finds none."""
    end = complementary(M, q)
    size = max(1.0, np.abs(M * end.z).max(initial=0.0))
    if end.status != "solved" or np.abs(M @ end.z + q - end.w).max() > MET * size:
        return None
    return end.z


def _regular(M: Array, sizes: Array) -> bool:
    """Whether a mass matrix is positive definite, with rows and columns divided by these sizes."""
    if not sizes.min() > 0.0:
        return False
    return bool(np.linalg.eigvalsh(M / np.outer(sizes, sizes))[0] > MASSLESS)


def _test(block: Array) -> Array:
    """The direction along which the acceleration of a column of forces is tested: its normal, or itself."""
    if block[2::3].any():
        normal = np.zeros_like(block)
        normal[2::3] = block[2::3]
        return normal
    return block
