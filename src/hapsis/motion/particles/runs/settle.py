"""The search for equilibrium: a scene moves, and stops whenever its kinetic energy has a peak."""

import warnings
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from hapsis.compiler.ir.functions.verbs import verb
from hapsis.errors import ModelError, Notice, SolveError
from hapsis.mechanics.model.result import Result
from hapsis.mechanics.model.values.numbers import described, real
from hapsis.motion.particles.runs.scene_result import ParticleState
from hapsis.motion.particles.scenes.scene import Scene
from hapsis.motion.particles.scenes.scene_memory import scene_memory
from hapsis.motion.simulate.run.run_options import run_options
from hapsis.motion.solvers.particles.energy_step import begin_forces
from hapsis.motion.solvers.particles.particle_memory import ParticleMemory

OPTIONS = run_options(own=Scene.methods)
LONGEST = 1e6  # s of a piece of motion
ROWS = 40  # of a piece of motion, among which the peak is sought


class Settled(NamedTuple):
    """A scene at rest.

    points      (n, 3)  m; `object(name)` has those of one object
    scene       that settled
    forces      (n, 3)  N: what is left on each particle that is not held
    residual    the largest of them over `weight`, or over the largest force of a connector without gravity
    potential   energy, J
    state       a start for `hs.simulate`
    peaks       how often the motion was stopped
    """

    scene: Scene
    points: Any
    forces: Any
    residual: float
    potential: float
    state: ParticleState
    peaks: int

    def __repr__(self) -> str:
        return f"Settled({len(self.points)} particles, residual {self.residual:.3g}, {self.peaks} peaks)"

    def object(self, name: str) -> Any:
        """The points of an object."""
        first = self.scene.first[name]
        return self.points[first : first + len(self.scene.objects[name])]


@verb
def settle(
    scene: Scene, *, tolerance: float = 1e-6, span: float = 1.0, most: int = 200, start: Any = None
) -> Settled:
    """The equilibrium that a scene without a Model comes to, by stops at the peaks of its kinetic energy.

        rest = hs.particles.settle(scene)

    scene       objects, floors, contacts; friction holds what it can
    tolerance   largest force left, over the largest force that acts
    span        s of a piece of motion at most; pieces become shorter by themselves
    most        pieces
    start       a Result or the state of another search
    """
    if scene.model is not None:
        raise ModelError("settle takes scenes without a Model", remedy="use hs.equilibrium for the Model")
    wanted, span = real(tolerance, "tolerance"), real(span, "span")
    if not (wanted > 0.0 and 0.0 < span <= LONGEST):
        raise ModelError(
            f"tolerance is {wanted:g} and span {span:g} s",
            expected=f"positive numbers, of the span {LONGEST:g} s at most",
        )
    if type(most) is not int or most < 1:
        raise ModelError(f"most is {most!r:.60}", expected="a whole number, 1 or more")
    if not (start is None or isinstance(start, Result | ParticleState)):
        raise ModelError(f"the start of a search is {described(start)}", expected="a Result or a `state`")
    state, peaks = start, 0
    for _ in range(most):
        state, reached, peak = _piece(scene, state, span)
        peaks += peak
        if peak:
            span = max(4.0 * reached, 0.25 * span)
        else:
            span *= 2.0
        x, forces, scale, potential = forces_at(scene, state)
        residual = float(np.abs(forces).max(initial=0.0)) / scale
        if residual <= wanted:
            return Settled(scene, x, forces, residual, potential, state, peaks)
    raise SolveError(
        f"no equilibrium in {most} pieces: a force of {residual:.3g} of the largest one is left",
        remedy="give more pieces (most=...), or hold what can move freely",
    )


def _piece(scene: Scene, start: Any, span: float) -> tuple[ParticleState, float, int]:
    """The state, at rest, where the kinetic energy of a piece has its first peak, else at the end."""
    begins = 0.0 if start is None or isinstance(start, ParticleState) else float(start.t[-1])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", Notice)  # of pieces; what does not come to rest is an error
        result = scene.simulated(begins + span, start, options=OPTIONS, **_run(span / ROWS))
    kinetic = np.asarray(result["kinetic"])
    falls = np.flatnonzero(kinetic[1:] < kinetic[:-1])
    peak = int(falls[0]) if len(falls) else len(kinetic) - 1
    x = np.concatenate([result[f"{name}.points"][peak] for name in scene.objects])
    state: ParticleState = result.memory
    held = np.zeros((scene.count, 3))
    state = state._replace(x=x, v=held if len(falls) else state.v)
    return state, float(result.t[peak]) - begins, int(bool(len(falls)))


def _run(every: float) -> Mapping[str, Any]:
    return {"every": every, "progress": False, "title": ""}


def forces_at(scene: Scene, state: ParticleState | None) -> tuple[Any, Any, float, float]:
    """Points, the forces on particles that are not held, the largest that acts, and the potential energy."""
    memory = scene_memory(scene, [0.0], state)
    memory.v[:] = 0.0
    begin_forces(memory)
    forces = np.array(memory.force).reshape(-1, 3)
    forces[scene.held] = 0.0
    forces = _without_friction(memory, forces)
    weight = float(scene.masses.sum() * np.linalg.norm(scene.gravity))
    scale = max(weight, _strongest(scene, memory), 1e-300)
    return np.array(memory.x).reshape(-1, 3), forces, scale, float(memory.potential)


def _strongest(scene: Scene, memory: ParticleMemory) -> float:
    """The largest force of a linear spring that is not torn or switched off."""
    springs, _ = scene.table("springs")
    if not len(springs):
        return 0.0
    x = np.array(memory.x).reshape(-1, 3)
    lengths = np.linalg.norm(x[springs.ends[:, 0]] - x[springs.ends[:, 1]], axis=1)
    acts = np.array(memory.gain)[np.array(memory.spring_group[: len(springs)], int)]
    return float(np.abs(acts * springs.stiffness * (lengths - np.array(memory.spring_rest))).max())


def _without_friction(memory: Any, forces: Any) -> Any:
    """The forces less what friction holds."""
    n = int(memory.count)
    planes = np.array(memory.planes[: 11 * int(memory.plane_count)]).reshape(-1, 11)
    pushes = np.array(memory.normal[: n * len(planes)]).reshape(len(planes), n)
    pairs = [(np.tile(plane[:3], (n, 1)), push, plane[9]) for plane, push in zip(planes, pushes, strict=True)]
    m = memory.model
    count = int(m.piece_count)
    laws = np.array(m.piece_law[: 6 * count]).reshape(-1, 6)
    pushes = np.array(m.push[: n * count]).reshape(count, n)
    normals = np.array(m.normals[: 3 * n * count]).reshape(count, n, 3)
    pairs += [(normals[k], pushes[k], laws[k, 3]) for k in range(count)]
    left = forces.copy()
    for normal, push, friction in pairs:
        along = left - np.einsum("nc,nc->n", left, normal)[:, None] * normal
        size = np.linalg.norm(along, axis=1)
        held = np.where(push > 0.0, np.minimum(size, friction * np.maximum(push, 0.0)), 0.0)
        left -= along * (held / np.maximum(size, 1e-300))[:, None]
    return left
