"""The verb `modes`: the free vibrations of a mechanism about an equilibrium.

Small motions x' = A x are sums of modes exp(λ t): a pair of complex λ swings, a real one creeps
back or runs away, and along the null space of A nothing happens at all: a rigid-body mode.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from hapsis.compiler.ir.functions.verbs import verb
from hapsis.errors import ModelError
from hapsis.mechanics.model.model import Model
from hapsis.mechanics.model.model_warnings import tell_warnings
from hapsis.mechanics.model.result import Result
from hapsis.mechanics.model.state import State
from hapsis.mechanics.model.values.numbers import real
from hapsis.motion.analysis.equilibrium.equilibrium import equilibrium
from hapsis.motion.analysis.linear.linearization import Linearization, LinearizationPoint
from hapsis.motion.analysis.linear.mode_motion import motion_of
from hapsis.motion.solvers.linear.eigenpairs import eigenpairs

Array = np.ndarray[Any, np.dtype[np.float64]]
NULL = 1e-10  # 1/s²: a singular value that is smaller is rounding


@verb
@dataclass(frozen=True, eq=False)
class Modes:
    """The modes of a model, slowest first, numbered from 0.

    eigenvalues  λ, 1/s; of a pair the one with the positive imaginary part
    frequencies  Hz, as it swings: |Im λ| / 2π; zero for what creeps, and for rigid-body modes
    damping      -Re λ / |λ|, the damping ratio: 1 is critical; zero for rigid-body modes
    shapes       a column for each mode: how the coordinates move, complex, the largest 1
    coordinates  the names of their rows: all of the model, dependent ones too
    rigid        for each mode whether it is a rigid-body mode: nothing pulls back
    at           the State about which it swings
    """

    eigenvalues: Any
    frequencies: Array
    damping: Array
    shapes: Any
    coordinates: tuple[str, ...]
    rigid: tuple[bool, ...]
    at: State
    _moves: Any  # the same shapes along the speeds
    _point: LinearizationPoint

    def __len__(self) -> int:
        return len(self.frequencies)

    def shape(self, k: int) -> dict[str, complex]:
        """{coordinate: how it moves} in one mode."""
        column = self.shapes[:, self._number(k)]
        return {name: complex(x) for name, x in zip(self.coordinates, column, strict=True)}

    def result(self, k: int, amplitude: float = 0.1, periods: float = 2.0) -> Result:
        """The mode as a motion that is not damped, its largest coordinate moving by `amplitude`.

        Loops stay closed. A mode that does not oscillate is shown with a period of one second.
        """
        k, amplitude = self._number(k), real(amplitude, "amplitude")
        pace = float(self.frequencies[k]) or 1.0
        swing = "rigid" if self.rigid[k] else f"{self.frequencies[k]:.4g} Hz"
        return motion_of(self._point, amplitude * self._moves[:, k], pace, periods, f"mode {k}, {swing}")

    def show(self, k: int, amplitude: float = 0.1) -> Any:
        """Opens the mode in the player."""
        return self.result(k, amplitude).show()

    def _number(self, k: Any) -> int:
        if isinstance(k, bool) or not isinstance(k, int | np.integer) or not 0 <= k < len(self):
            raise ModelError(f"there is no mode {str(k)[:20]}", expected=f"0 to {len(self) - 1}")
        return int(k)

    def __str__(self) -> str:
        lines = ["mode  frequency Hz  damping  eigenvalue 1/s         moves most"]
        for k, x in enumerate(self.eigenvalues):
            real_part = x.real if abs(x.real) > 1e-12 * abs(x) else 0.0
            value = f"{real_part:.4g}" + (f" ± {x.imag:.4g}i" if x.imag else "")
            sizes = np.abs(self.shapes[:, k])
            most = [i for i in np.argsort(-sizes, kind="stable")[:3] if sizes[i] > 0.1]
            names = ", ".join(f"{self.coordinates[i]} {sizes[i]:.2g}" for i in most)
            rigid = "rigid: " if self.rigid[k] else ""
            damping = self.damping[k] if real_part else 0.0
            lines.append(
                f"{k:4d}  {self.frequencies[k]:12.6g}  {damping:7.4f}  {value:22s}  {rigid}{names}".rstrip()
            )
        return "\n".join(lines)


@verb
def modes(
    model: Model,
    at: Any = None,
    *,
    inputs: Mapping[str, float] | None = None,
    parameters: Mapping[str, float] | None = None,
    t: float = 0.0,
    independent: Sequence[str] | None = None,
) -> Modes:
    """The modes of small motions about a state, with frequencies, damping and shapes.

    at           as in `hs.linearize`
    inputs       efforts that act there, as numbers
    parameters   {name: value} other than the model's own
    t            the time of drives, s
    independent  the coordinates that lead; no mode depends on it
    """
    tell_warnings(model)
    if at is None:
        at = equilibrium(model, inputs=inputs, parameters=parameters, t=t, stability=False)
    point = LinearizationPoint(model, at, inputs or {}, parameters, real(t, "t"), independent)
    point.inputs = []  # they act, and stay
    return _modes(point, point.linearization())


def _modes(point: LinearizationPoint, small: Linearization) -> Modes:
    values, vectors, rigid = decomposed(small.A, point.units)
    N = point.here.tangent(point.q)
    moves = small.moves @ vectors
    shapes = N @ moves
    for k in range(len(values)):
        peak = _largest(shapes[:, k])
        moves[:, k] /= peak
        shapes[:, k] /= peak
    sizes = np.abs(values)
    damping = np.where(sizes > 0.0, -values.real / np.where(sizes > 0.0, sizes, 1.0), 0.0)
    frequencies = np.abs(values.imag) / (2.0 * math.pi)
    names = point.model.coordinates
    return Modes(values, frequencies, damping, shapes, names, rigid, small.at, moves, point)


def decomposed(A: Array, units: Array | None = None) -> tuple[Any, Any, tuple[bool, ...]]:
    """Eigenvalues and vectors, one of each pair, slowest first; and which are rigid-body modes.

    units    of the states, so that a small number is one that means little; all 1 if not given

    Where A maps a direction to zero, or to such a direction, its eigenvalues are zero, however
    rounding moves them; of the directions those that A maps to zero are modes.
    """
    units = np.ones(len(A)) if units is None else units
    A = A * units / units[:, None]
    still = _null(A)
    values, vectors = eigenpairs(A)
    order = np.argsort(np.abs(values), kind="stable")[_zeros(A) :]
    indices = [k for k in order if values[k].imag >= 0.0]
    indices.sort(key=lambda k: (abs(values[k].imag), abs(values[k])))
    n = still.shape[1]
    values = np.concatenate([np.zeros(n), values[indices]])
    vectors = np.hstack([still.astype(complex), vectors[:, indices]]) * units[:, None]
    return values, vectors, (True,) * n + (False,) * len(indices)


def _zeros(A: Array) -> int:
    """How many eigenvalues are zero: the directions that powers of A map to zero, in the end."""
    count, power = 0, A
    while (more := _null(power).shape[1]) > count:
        count, power = more, power @ A
    return count


def _null(A: Array) -> Array:
    """The directions that a matrix maps to zero; large rows count no more than those of one."""
    if not len(A):
        return np.zeros((0, 0))
    sizes = np.maximum(np.abs(A).max(axis=1), 1.0)
    _, s, V = np.linalg.svd(A / sizes[:, None])
    return V[s < NULL * max(1.0, float(s[0]))].T


def _largest(x: Any) -> complex:
    """The largest number; one where all are zero, as in modes of states of laws alone."""
    peak = x[int(np.argmax(np.abs(x)))] if len(x) else 0.0
    return complex(peak) if abs(peak) > 1e-12 else 1.0 + 0.0j
