"""Drives and moving constraints whose speed changes at once: the impact equations.

Where the speed that a drive imposes jumps, forces act for a moment and have an impulse Λ. The pose
stays, and all speeds change so that what is imposed after the jump holds,

    M (v⁺ - v⁻) = Aᵀ Λ,        A v⁺ = A w

A has the rows of loops and one of the identity for each driven speed; w are any speeds that close
the loops and drives after the jump. With the free ways to move N, A N = 0, that is

    v⁺ = w + N z,        Nᵀ M N z = Nᵀ M (v⁻ - w)

The impulse does the work ½ v⁺ᵀ M v⁺ - ½ v⁻ᵀ M v⁻, which is counted as that of drives is.
Reference: [Featherstone] chapter 11.7, impulsive dynamics.
"""

from functools import cached_property
from typing import Any, final

import numpy as np

from hapsis.compiler.backends.compile import compile
from hapsis.errors import SolveError
from hapsis.mechanics.formalisms.deferred_verbs import mass_matrix
from hapsis.motion.analysis.assembly.loop_numbers import Loops
from hapsis.motion.simulate.equations.kernels import Kernels
from hapsis.motion.simulate.run.run_parts import Jumped, closed_states
from hapsis.motion.simulate.time_functions.step_limits import mesh_of

Array = np.ndarray[Any, np.dtype[np.float64]]
RANK = 1e-9  # of the largest singular value: smaller ones are zero
SMALL = 1e-10  # of the largest speed: less is no jump
STILL = 1e-12  # m/s or rad/s: nor is this
PLACE = 1e-9  # of a coordinate: more is a jump of the position


@final
class DriveJumps:
    """The jumps of the speeds of a run with drives or constraints that move with time."""

    def __init__(self, kernels: Kernels, loops: Loops) -> None:
        self.kernels, self.loops = kernels, loops
        self._fault: str | None = None

    @cached_property
    def _mass_matrix(self) -> Any:
        """The native code of (q) -> M."""
        return compile(mass_matrix(self.kernels.system.model))

    def jump(self, before: float, after: float, y: Array) -> Jumped:
        """The state after a jump, NAME.jump of each drive or constraint that made it, and their works."""
        layout = self.kernels.system.layout
        w = layout.split(closed_states(self.kernels, after, y))
        q, v, _, _ = layout.split(y)
        self._check_positions(after, q, w[0])
        least = SMALL * max(np.abs(v).max(initial=0.0), np.abs(w[1]).max(initial=0.0)) + STILL
        if self._fault is not None or not np.abs(w[1] - v).max(initial=0.0) > least:
            return Jumped(y)
        A = np.vstack([self.loops.jacobian(q, after), np.eye(len(v))[self.loops.held]])
        new = np.array(y)
        M = self._mass_matrix(q, **self.kernels.given(self._mass_matrix.function))
        speeds = layout.split(new)[1]
        speeds[:] = w[1] + _free_part(A, M, v - w[1])
        new[-1] += 0.5 * (speeds @ M @ speeds - v @ M @ v)
        return Jumped(new, self._names(A @ (speeds - v), least), self._works(A, M, v, speeds))

    def _works(self, A: Array, M: Array, before: Array, after: Array) -> dict[str, float]:
        """The work Λ (A v⁻ + A v⁺) / 2 of each drive and constraint, from M (v⁺ - v⁻) = Aᵀ Λ."""
        impulses = np.linalg.lstsq(A.T, M @ (after - before), rcond=None)[0]
        works: dict[str, float] = {}
        for label, work in zip(self._labels, impulses * (A @ (0.5 * (before + after))), strict=True):
            works[label] = works.get(label, 0.0) + float(work)
        return works

    @property
    def _labels(self) -> list[str]:
        """The drive or constraint of each row of A."""
        rows = [name.rpartition(".")[0] for name in self.loops.names]
        joints = {self.loops.slots[name]: driven.drive.name for name, driven in self.loops.driven.items()}
        return [*rows, *(joints[slot] for slot in self.loops.held)]

    def _names(self, changes: Array, least: float) -> list[str]:
        """The drives and constraints whose speeds have changed."""
        moved = [label for label, change in zip(self._labels, changes, strict=True) if abs(change) > least]
        return [f"{label}.jump" for label in dict.fromkeys(moved)]

    def _check_positions(self, t: float, before: Array, after: Array) -> None:
        """No force moves a coordinate from one place to another at once."""
        for name, driven in self.loops.driven.items():
            k = self.loops.model.coordinates.index(name)
            if not abs(after[k] - before[k]) <= PLACE * max(abs(before[k]), abs(after[k])) + STILL:
                self._fault = (
                    f"t = {t:.9g}: {driven.drive.label} jumps from {before[k]:.6g} to {after[k]:.6g}, "
                    "which no force can do: give it a position without jumps, or tracking=..."
                )

    def fault(self) -> str | None:
        """The message where a position jumps; None while none does."""
        return self._fault


def refuse_jumps(
    kernels: Kernels,
    loops: Loops,
    span: tuple[float, float],
    y: Array,
    why: str = "over which derivatives are not carried",
) -> None:
    """An error where the speed of a drive jumps within a span: an impulse has no derivative here."""
    closing = kernels.system.closing()
    mesh = None if closing is None or not loops.held else mesh_of(kernels, closing, span)
    for before, after in () if mesh is None else mesh.knots.tolist():
        speeds = [kernels.system.layout.split(closed_states(kernels, t, y))[1] for t in (before, after)]
        change = np.abs(speeds[1] - speeds[0])[loops.held]
        if change.max() > SMALL * np.abs(speeds).max() + STILL:
            slot = loops.held[int(np.argmax(change))]
            drive = next(d.drive for name, d in loops.driven.items() if loops.slots[name] == slot)
            raise SolveError(
                f"t = {after:.6g}: the speed of {drive.label} jumps, {why}",
                remedy="give it a position with a continuous speed, or end before",
            )


def _free_part(A: Array, M: Array, change: Array) -> Array:
    """The change of speeds that rows and drives leave free, as far as inertia keeps it."""
    _, sizes, V = np.linalg.svd(A)
    rank = int((sizes > RANK * max(sizes.max(initial=0.0), 1e-300)).sum())
    N = V[rank:].T
    if not N.shape[1]:
        return np.zeros(len(change))
    return np.asarray(N @ np.linalg.lstsq(N.T @ M @ N, N.T @ (M @ change), rcond=None)[0], float)
