"""Cells: four or more particles with the energy of an elastic material between them."""

from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np

from hapsis.compiler.ir.functions.verbs import verb
from hapsis.compiler.ir.graph.immutable import Immutable
from hapsis.errors import ModelError

Array = np.ndarray[Any, Any]


@verb
@dataclass(frozen=True, eq=False)
class Cells(Immutable):
    """Cells that overlap share their volume; `Cells.of` makes tetrahedra from positions at rest.

    start     (m + 1,) where the ends of each cell begin
    ends      (k,) numbers of particles
    slopes    (k, 3) g of each end, with F = Σ x gᵀ the mean deformation of the cell, 1/m
    volume    (m,) m³
    mu, lam   (m,) Lamé's moduli, Pa
    damping   (m,) time τ of the stress τ dσ/dt of its damper, s
    plastic   (m,) strain beyond which a cell flows, von Mises' stress over Young's modulus; 0: never
    breaking  (m,) strain of the same kind beyond which it is torn; 0: never
    """

    start: Array
    ends: Array
    slopes: Array
    volume: Array
    mu: Array
    lam: Array
    damping: Array
    plastic: Array
    breaking: Array

    @staticmethod
    def of(points: Any, ends: Any, material: Any, share: Any = 1.0) -> "Cells":
        """Tetrahedra, rows of `ends`, between points at rest; `share` of its volume is the cell's."""
        rows = np.asarray(ends, dtype=np.int64).reshape(-1, 4)
        x = np.asarray(points, dtype=float)
        edges = np.swapaxes(x[rows[:, 1:]] - x[rows[:, :1]], 1, 2)
        volume = np.linalg.det(edges) / 6.0
        if len(rows) and not (volume > 0.0).all():
            k = int(np.argmin(volume))
            raise ModelError(
                f"cell {k} of particles {rows[k].tolist()} has the volume {volume[k]:.3g} m³",
                expected="a positive one",
            )
        inverse = np.linalg.inv(edges) if len(rows) else edges
        slopes = np.concatenate([-inverse.sum(axis=1, keepdims=True), inverse], axis=1)
        return Cells.mean(rows, slopes, volume * share, material)

    @staticmethod
    def mean(rows: Array, slopes: Array, volume: Array, material: Any) -> "Cells":
        """Cells with equally many ends each, by what they make of the mean deformation."""
        laws = (material.mu, material.lam, material.damping, material.plastic, material.breaking)
        columns = [np.full(len(rows), float(value)) for value in laws]
        start = np.arange(len(rows) + 1, dtype=np.int64) * rows.shape[1]
        return Cells._fixed(start, rows.ravel(), slopes.reshape(-1, 3), volume, *columns)

    @staticmethod
    def none() -> "Cells":
        """No cells."""
        return Cells._fixed(np.zeros(1, np.int64), np.zeros(0, np.int64), np.zeros((0, 3)), *np.zeros((6, 0)))

    @staticmethod
    def joined(parts: "list[Cells]") -> "Cells":
        """The cells of several tables as one."""
        firsts = np.cumsum([0, *(len(part.ends) for part in parts)])
        starts = [part.start[:-1] + first for part, first in zip(parts, firsts, strict=False)]
        names = [each.name for each in fields(Cells)][1:]
        columns = [np.concatenate([getattr(part, name) for part in parts]) for name in names]
        return Cells._fixed(np.concatenate([*starts, firsts[-1:]]), *columns)

    @staticmethod
    def _fixed(*columns: Array) -> "Cells":
        for column in columns:
            column.flags.writeable = False
        return Cells(*columns)

    def __len__(self) -> int:
        return len(self.volume)

    @property
    def columns(self) -> dict[str, Array]:
        """As the memory of native code names them."""
        names = {"lam": "lambda", "plastic": "yield", "breaking": "break"}
        return {names.get(each.name, each.name): getattr(self, each.name) for each in fields(Cells)}

    def groups(self) -> list[tuple[Array, Array, Array]]:
        """Cells with equally many ends together: their numbers, ends (m, k) and slopes (m, k, 3)."""
        size = np.diff(self.start)
        parts: list[tuple[Array, Array, Array]] = []
        for k in np.unique(size):
            which = np.flatnonzero(size == k)
            places = self.start[which][:, None] + np.arange(k)
            parts.append((which, self.ends[places], self.slopes[places]))
        return parts

    def checked(self, count: int, where: str) -> None:
        """An error if an end is no particle, or a number is impossible."""
        if self.ends.size and not (0 <= self.ends.min() and self.ends.max() < count):
            raise ModelError(f"a cell has a particle that is not there, of {count}", where=where)
        for name, column in self.columns.items():
            if not np.isfinite(column).all():
                raise ModelError(f"{name} of a cell must be finite", where=where)
        if (self.mu <= 0.0).any() or (3.0 * self.lam + 2.0 * self.mu <= 0.0).any():
            raise ModelError("a cell without stiffness", where=where, expected="positive moduli")

    def shifted(self, first: int) -> "Cells":
        """The same cells of particles whose numbers begin with `first`."""
        return replace(self, ends=self.ends + first)
