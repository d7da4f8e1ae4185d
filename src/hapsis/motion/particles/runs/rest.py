"""rest: where a scene of particles comes to rest under its loads."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from hapsis.compiler.ir.functions.verbs import verb
from hapsis.errors import ModelError, SolveError, notice
from hapsis.mechanics.model.values.numbers import described, real
from hapsis.mechanics.model.values.values import numbers_of
from hapsis.motion.particles.objects.connector_slopes import families, stiffness_matrix
from hapsis.motion.particles.objects.particle_object import ParticleObject
from hapsis.motion.particles.runs.curvature import falling_direction
from hapsis.motion.particles.scenes.scene import Scene
from hapsis.motion.particles.scenes.scene_memory import limited, scene_memory
from hapsis.motion.solvers.particles.overshoot import gives_way
from hapsis.motion.solvers.particles.trial_step import forces

Array = np.ndarray[Any, Any]
ROUNDING = 1e-14
SHORTEST = 2.0**-30  # part of a step
ASIDE = 1e-3  # of the size of a scene: how far a search leaves what is not stable


class Rest(NamedTuple):
    """A scene at rest.

    scene       the objects where they rest, without velocities
    points      (n, 3) of all particles, m
    residual    the largest force that is left on a particle, N
    potential   J, of connectors, gravity and floors, without that of the loads
    iterations  steps of Newton's method
    """

    scene: Scene
    points: Array
    residual: float
    potential: float
    iterations: int

    def __repr__(self) -> str:
        return (
            f"Rest({len(self.points)} particles, residual {self.residual:.3g} N, "
            f"{self.potential:.6g} J, {self.iterations} iterations)"
        )


@verb
def rest(
    scene: Scene, loads: Mapping[str, Any] | None = None, *, tolerance: float = 1e-9, iterations: int = 200
) -> Rest:
    """Where a scene of particles is at rest: no force is left on any particle that is not held.

        answer = hs.particles.rest(scene, {"bar.120": (0, 0, -50)})

    scene       with held particles, floors or connectors that leave no free motion
    loads       forces from outside by particle, OBJECT.NUMBER, or by object, shared by mass; N
    tolerance   of the forces that are left, over the largest force in the scene
    iterations  at most, of Newton's method with the second derivatives of the energy

    Friction does not hold anything here, and nothing flows or tears; a Notice says where it would. Where the
    first equilibrium is not stable, as of a bar beyond its buckling load, a Notice says so, and the search
    goes on to one that is.
    """
    if not isinstance(scene, Scene):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise ModelError(f"rest takes a Scene of particles, not {described(scene)}")
    if scene.model is not None:
        raise ModelError("rest takes scenes without a Model", remedy="simulate it with damping")
    beds = [name for name, floor in scene.floors.items() if floor.bedding > 0.0]
    unknown = {"Touch": scene.touches, "BodyContact": scene.body_contacts, "Floor with a bedding": beds}
    for kind, names in unknown.items():
        if names:
            name = next(iter(names))[:60]
            raise ModelError(f'rest knows no {kind}, "{name}"', remedy="use hs.particles.settle(scene)")
    if not 0.0 < real(tolerance, "tolerance") < 1.0:
        raise SolveError(f"tolerance is {tolerance:g}", expected="a number between 0 and 1")
    if type(iterations) is not int or iterations < 1:
        raise SolveError(f"iterations is {described(iterations)}", expected="a whole number, 1 or more")
    search = _Search(scene, loads)
    x, count = search.stable(float(tolerance), iterations)
    residual, potential = search.residual(x), search.potential(x)
    search.memory.x[:] = x.ravel()
    if limited(scene) and gives_way(search.memory):
        notice("a connector or a cell is strained beyond what it bears: rest knows no flow and no fracture")
    return Rest(_at(scene, x), x, residual, potential, count)


class _Search:
    """Newton's method on the forces of native code."""

    def __init__(self, scene: Scene, loads: Mapping[str, Any] | None) -> None:
        self.scene = scene
        self.memory = scene_memory(scene, np.zeros(1))
        self.free = np.ones(scene.count, bool)
        self.free[scene.held] = False
        if not self.free.any():
            raise ModelError("all particles of the scene are held")
        self.rows = families(scene)
        self.push = _pushes(scene, loads or {})
        self.still = np.zeros(3 * scene.count)
        self.force = np.zeros(3 * scene.count)
        self.rounding = 0.0  # N, forces below which positions have no more digits
        self.size = float(np.ptp(scene.points, axis=0).max()) or 1.0

    def forces(self, x: Array) -> Array:
        """On all particles, (n, 3), N."""
        forces(self.memory, np.ascontiguousarray(x).reshape(-1), self.still, self.force)
        return self.force.reshape(-1, 3) + self.push

    def residual(self, x: Array) -> float:
        """The largest force that is left, N."""
        return float(np.linalg.norm(self.forces(x)[self.free], axis=1).max())

    def potential(self, x: Array) -> float:
        """Without the loads, J."""
        self.forces(x)
        return float(self.memory.next_potential)

    def scale(self, x: Array) -> float:
        """The largest of the forces that meet at a particle, N."""
        total = np.zeros(len(x))
        for ends, slopes in self.rows:
            np.add.at(total, ends.ravel(), np.linalg.norm(slopes(x[ends]), axis=2).ravel())
        weights = self.scene.masses * float(np.linalg.norm(self.scene.gravity))
        return float((total + np.linalg.norm(self.push, axis=1) + weights).max())

    def stable(self, tolerance: float, most: int) -> tuple[Array, int]:
        """The positions of a stable rest, and how many steps it took."""
        x, count = self.newton(np.array(self.scene.points, dtype=float), tolerance, most, 0)
        away = falling_direction(self._matrix(x))
        if away is not None:
            notice(
                "where forces are first in balance the scene is not stable: rest goes on from there in a "
                "direction in which the energy falls, to one of the sides"
            )
        while away is not None:
            x, count = self.newton(self._aside(x, away), tolerance, most, count + 1)
            away = falling_direction(self._matrix(x))
        return x, count

    def _aside(self, x: Array, away: Array) -> Array:
        """Positions beside an equilibrium that is not stable, with less energy."""
        whole = np.zeros_like(x)
        whole[self.free] = away.reshape(-1, 3)
        energy, part = self._total(x), ASIDE * self.size
        for _ in range(40):
            y = x + part * whole
            if self._total(y) < energy:
                return y
            part *= 0.5
        raise SolveError(
            "the scene is at an equilibrium that is not stable, and no way leads on",
            remedy="start beside it, or simulate it with damping",
        )

    def newton(self, x: Array, tolerance: float, most: int, first: int) -> tuple[Array, int]:
        """The positions at rest near x, and how many steps it took with the `first` ones."""
        f = self.forces(x)
        shift = 0.0
        for count in range(first, most):
            left = float(np.linalg.norm(f[self.free], axis=1).max())
            if left <= max(tolerance * self.scale(x), self.rounding):
                return x, count
            x, f, shift = self._step(x, f, shift)
        left = float(np.linalg.norm(f[self.free], axis=1).max())
        raise SolveError(
            f"the scene is not at rest after {most} iterations: a force of {left:.3g} N is left",
            remedy="hold particles, give smaller loads, or simulate it with damping",
        )

    def _step(self, x: Array, f: Array, shift: float) -> tuple[Array, Array, float]:
        """One step that lowers the potential or the forces; stiffer by a shift where it does not."""
        K = self._matrix(x)
        energy = self._total(x)
        size = float(np.abs(K.diagonal()).max()) or 1.0
        self.rounding = ROUNDING * size * float(np.abs(x).max())
        while shift < 1e6:
            step = self._solved(K, f, shift * size)
            part = 1.0
            slope = float((f * step).sum()) if step is not None else -1.0
            while slope > 0.0 and part > SHORTEST:
                assert step is not None
                y = x + part * step
                g = self.forces(y)
                lower = self._total(y) <= energy - 1e-4 * part * slope
                smaller = np.linalg.norm(g[self.free]) < (1.0 - 0.1 * part) * np.linalg.norm(f[self.free])
                if np.isfinite(g).all() and (lower or smaller):
                    return y, g.copy(), 0.1 * shift if shift > 1e-12 else 0.0
                part *= 0.5
            shift = max(10.0 * shift, 1e-9)
        raise SolveError(
            f"no step lowers the potential: a force of {float(np.abs(f[self.free]).max()):.3g} N is left",
            remedy="hold particles, or give smaller loads",
        )

    def _total(self, x: Array) -> float:
        return self.potential(x) - float((self.push * (x - self.scene.points)).sum())

    def _matrix(self, x: Array) -> Any:
        """Second derivatives of connectors and floors, of what is free."""
        from scipy.sparse import block_diag

        K = stiffness_matrix(self.rows, x)
        for floor in self.scene.floors.values():
            n = np.array(floor.normal)
            below = (x - np.array(floor.at)) @ n < 0.0
            K = K + block_diag([floor.stiffness * b * np.outer(n, n) for b in below], format="csr")
        keep = np.flatnonzero(np.repeat(self.free, 3))
        return K.tocsr()[keep][:, keep]

    def _solved(self, K: Any, f: Array, shift: float) -> Array | None:
        """K⁻¹ f, or nothing where K is singular."""
        import warnings

        from scipy.sparse import identity
        from scipy.sparse.linalg import MatrixRankWarning, spsolve

        part = f[self.free].ravel()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", MatrixRankWarning)
            step = np.asarray(spsolve((K + shift * identity(len(part))).tocsc(), part))
        longest = float(np.abs(step).max())
        if not np.isfinite(longest):
            return None
        if longest > 0.5 * self.size:
            step = step * (0.5 * self.size / longest)
        whole = np.zeros_like(f)
        whole[self.free] = step.reshape(-1, 3)
        return whole


def _pushes(scene: Scene, loads: Mapping[str, Any]) -> Array:
    """Forces on all particles, (n, 3)."""
    push = np.zeros((scene.count, 3))
    if not isinstance(loads, Mapping):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise ModelError(f"loads must be forces by particle, not {described(loads)}")
    for end, force in loads.items():
        value = np.array(numbers_of(force, f'the load on "{str(end)[:60]}"'))
        if end in scene.objects:
            each, first = scene.objects[end], scene.first[end]
            push[first : first + len(each)] += np.outer(each.masses / each.mass, value)
        else:
            push[scene.particle(end, "loads")] += value
    return push


def _at(scene: Scene, x: Array) -> Scene:
    """The scene with its particles there; connectors between objects keep their rest values."""
    facts: list[Any] = []
    rests = {kind: scene.table(kind) for kind in ("springs", "torsions", "joints")}
    for fact in scene.facts:
        if isinstance(fact, ParticleObject):
            first = scene.first[fact.name]
            fact = replace(fact, points=x[first : first + len(fact)], velocities=None)
        elif fact in scene.connectors.values() and fact.rest is None:
            group = 1 + list(scene.connectors).index(fact.name)
            kind = {2: "springs", 3: "torsions", 4: "joints"}[len(fact.ends)]
            table, groups = rests[kind]
            fact = replace(fact, rest=float(table.rest[groups.index(group)]))
        facts.append(fact)
    return Scene(*facts, gravity=scene.gravity, step=scene.step)
