"""ParticleObject: particles, the connectors that hold them together, and the facets around them."""

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from hapsis.compiler.ir.functions.verbs import verb
from hapsis.compiler.ir.graph.immutable import Immutable
from hapsis.errors import ModelError
from hapsis.mechanics.algebra.rotations import of_rpy
from hapsis.mechanics.model.values.numbers import described
from hapsis.mechanics.model.values.values import numbers_of
from hapsis.motion.particles.objects.cells import Cells
from hapsis.motion.particles.objects.connectors import Connectors

Array = np.ndarray[Any, Any]


@verb
@dataclass(frozen=True, eq=False)
class ParticleObject(Immutable):
    """An object of particles.

    name             by which a scene knows it
    points      (n, 3)  m
    masses      (n,)    kg
    velocities  (n, 3)  m/s
    springs, torsions, joints   its connectors: linear (LS), torsion (TS) and joint (JS) spring/dampers
    cells       tetrahedra with the energy of an elastic material
    facets      (f, 3)  triangles of particles, whose normals (counter-clockwise) point outwards
    held        numbers of particles that keep their velocity, whatever acts on them
    """

    name: str
    points: Array
    masses: Array
    springs: Connectors = field(default_factory=lambda: Connectors.none(2))
    torsions: Connectors = field(default_factory=lambda: Connectors.none(3))
    joints: Connectors = field(default_factory=lambda: Connectors.none(4))
    cells: Cells = field(default_factory=Cells.none)
    facets: Array = field(default_factory=lambda: np.zeros((0, 3), np.int64))
    velocities: Array | None = None
    held: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        if not isinstance(self.name, str) or not self.name or "." in self.name:  # pyright: ignore
            raise ModelError(f"an object needs a name without dots, not {self.name!r:.60}")
        where = f'object "{self.name[:60]}"'
        points = _rows(self.points, 3, f"{where}: points")
        masses = _flat(self.masses, "iuf", f"{where}: masses").astype(float)
        if len(masses) != len(points) or not len(points):
            raise ModelError(f"{len(masses)} masses of {len(points)} points", where=where)
        if not (np.isfinite(masses).all() and (masses > 0.0).all()):
            k = int(np.argmin(np.where(np.isfinite(masses), masses, -np.inf)))
            raise ModelError(
                f"particle {k} has the mass {masses[k]:.6g} kg", where=where, expected="a positive number"
            )
        speeds = np.zeros_like(points) if self.velocities is None else self.velocities
        velocities = _rows(speeds, 3, f"{where}: velocities")
        facets = _flat(self.facets, "iu", f"{where}: facets").astype(np.int64)
        if facets.size % 3:
            raise ModelError(f"{where}: facets have {facets.size} corners", expected="three each")
        facets = facets.reshape(-1, 3)
        if facets.size and not (0 <= facets.min() and facets.max() < len(points)):
            raise ModelError("a facet has a particle that is not there", where=where)
        twice = (facets == np.roll(facets, 1, axis=1)).any(axis=1)
        if twice.any():
            k = int(np.argmax(twice))
            raise ModelError(f"facet {k} has a corner twice: {facets[k].tolist()}", where=where)
        held = _numbers(self.held, f"{where}: held")
        if held and not (0 <= held[0] and held[-1] < len(points)):
            raise ModelError("a held particle is not there", where=where)
        for what, width in (("springs", 2), ("torsions", 3), ("joints", 4)):
            table = getattr(self, what)
            if not isinstance(table, Connectors) or table.ends.shape[1] != width:
                raise ModelError(f"{where}: {what} must be Connectors.of rows of {width} particles")
        for table in (self.springs, self.torsions, self.joints, self.cells):
            table.checked(len(points), where)
        for array in (points, masses, velocities, facets):
            array.flags.writeable = False
        self.__dict__.update(points=points, masses=masses, velocities=velocities, facets=facets, held=held)

    @property
    def mass(self) -> float:
        """The mass of all particles, kg."""
        return float(self.masses.sum())

    @property
    def center(self) -> Array:
        """The centre of mass, m."""
        return self.masses @ self.points / self.masses.sum()

    @property
    def inertia(self) -> Array:
        """The matrix of inertia about the centre of mass, in the axes of the world, kg m²."""
        r = self.points - self.center
        second = np.einsum("n,ni,nj->ij", self.masses, r, r)
        return np.trace(second) * np.eye(3) - second

    def at(self, x: Any, y: Any = None, z: Any = None, *, rpy: Any = (0, 0, 0)) -> "ParticleObject":
        """The object moved by (x, y, z), after it was turned by rpy about the origin."""
        place = x if y is None and z is None else (x, y, z)
        shift = np.array(numbers_of(place, f'object "{self.name[:60]}": at'))
        turn = _rotation(numbers_of(rpy, f'object "{self.name[:60]}": rpy'))
        assert self.velocities is not None
        return replace(self, points=self.points @ turn.T + shift, velocities=self.velocities @ turn.T)

    def moving(self, velocity: Any = (0, 0, 0), spin: Any = (0, 0, 0)) -> "ParticleObject":
        """The object with the velocity of its centre of mass (m/s) and a spin about it (rad/s)."""
        u = np.array(numbers_of(velocity, f'object "{self.name[:60]}": velocity'))
        w = np.array(numbers_of(spin, f'object "{self.name[:60]}": spin'))
        return replace(self, velocities=u + np.cross(w, self.points - self.center))

    def holding(self, *particles: Any) -> "ParticleObject":
        """The object with these particles held: numbers, or lists of numbers."""
        more = _numbers(particles, f'object "{self.name[:60]}": holding')
        return replace(self, held=(*self.held, *more))

    def named(self, name: str) -> "ParticleObject":
        """The same object by another name."""
        return replace(self, name=name)

    def __len__(self) -> int:
        return len(self.masses)

    def __repr__(self) -> str:
        count = len(self.springs) + len(self.torsions) + len(self.joints) + len(self.cells)
        return f"<object {self.name}: {len(self)} particles, {count} connectors, {len(self.facets)} facets>"


def _numbers(values: Any, where: str) -> tuple[int, ...]:
    """Numbers of particles, each once, also from lists and arrays of them."""
    try:
        flat = [
            k
            for each in values
            for k in (each if isinstance(each, list | tuple | range | np.ndarray) else [each])
        ]
    except TypeError:
        flat = [values]
    for k in flat:
        if isinstance(k, bool | np.bool_) or not isinstance(k, int | np.integer):
            raise ModelError(f"{where} is {described(k)}", expected="numbers of particles")
    return tuple(sorted({int(k) for k in flat}))


def _flat(values: Any, kinds: str, where: str) -> Array:
    """Numbers in one row; `kinds` are those of NumPy."""
    try:
        array = np.array(values).ravel()
    except (TypeError, ValueError, OverflowError):
        raise ModelError(f"{where} must be numbers") from None
    if array.size and array.dtype.kind not in kinds:
        raise ModelError(f"{where} must be {'numbers' if 'f' in kinds else 'whole numbers'}")
    return array


def _rows(values: Any, width: int, where: str) -> Array:
    try:
        array = np.array(values, dtype=float)
    except (TypeError, ValueError, OverflowError):
        raise ModelError(f"{where} must be rows of {width} numbers") from None
    if array.ndim != 2 or array.shape[1] != width:
        raise ModelError(f"{where} have the shape {array.shape}", expected=f"rows of {width} numbers")
    if not np.isfinite(array).all():
        raise ModelError(f"{where} must be finite")
    return array


def _rotation(rpy: Any) -> Array:
    return np.array(of_rpy(*rpy), dtype=float)
