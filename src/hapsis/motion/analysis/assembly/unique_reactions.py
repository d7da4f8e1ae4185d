"""The verb `unique_reactions`: which reactions a motion determines, and which it leaves open.

With six coordinates for each body every joint has constraint rows J, those of the tree too, and the
reactions are the multipliers in M a + c = τ + Jᵀ λ. Where Jᵀ has a null space N, bodies can stay
under tension without any load, and λ + N x satisfies the same equation as λ. So a reaction is unique
if N is zero in its rows, whatever the masses and the loads are.
Reference: [Wojtyra].
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from hapsis.compiler.backends.interpreter import evaluate
from hapsis.compiler.ir.functions.verbs import verb
from hapsis.errors import ModelError, SolveError
from hapsis.mechanics.formalisms.constraints.absolute_rows import AbsoluteRows, absolute_rows
from hapsis.mechanics.model.driven_points import driven_coordinates
from hapsis.mechanics.model.model import Model
from hapsis.mechanics.model.state import State
from hapsis.motion.analysis.assembly.assemble import assemble

Array = np.ndarray[Any, np.dtype[np.float64]]
RANK = 1e-9  # of the largest singular value
OPEN = 1e-6  # a larger part in a tension without load makes a row not unique
TEAR = 1e-6  # m or rad; a pose that is open by more is refused
UNITS = ("rx", "ry", "rz", "x", "y", "z")  # the six components of a wrench


class UniqueReactions(NamedTuple):
    """Which reactions are unique in one pose.

    joints     {name: whether it is}, of joints and constraints
    rows       {name: {row: whether it is}}; x y z are forces and rx ry rz moments in the first
               end's axes; a joint along a vector has its own names, and so has a constraint
    tensions   how many ways there are to be under tension without a load
    """

    joints: Mapping[str, bool]
    rows: Mapping[str, Mapping[str, bool]]
    tensions: int

    def __str__(self) -> str:
        if not self.tensions:
            return "all reactions are unique"
        ways = "1 way" if self.tensions == 1 else f"{self.tensions} ways"
        lines = [f"{ways} to be under tension without a load"]
        for joint, unique in self.joints.items():
            names = [row for row, each in self.rows[joint].items() if not each]
            verdict = "unique" if unique else "not unique"
            if names and len(names) < len(self.rows[joint]):
                verdict = f"not unique in {', '.join(names)}"
            lines.append(f'  "{joint}": {verdict}')
        return "\n".join(lines)


@verb
def unique_reactions(model: Model, state: State | None = None) -> UniqueReactions:
    """Which reactions of joints and constraints are unique, row by row, in a closed pose.

    state    the pose; `hs.assemble(model)` if not given

    Coordinates with a drive are held: what the drive does is a part of the joint's reaction.
    """
    if not model.joints:
        raise ModelError("the model has no joints, so there are no reactions")
    at = assemble(model) if state is None else state
    bodies = _Bodies(model, absolute_rows(model), at.q)
    if bodies.gap > TEAR:
        raise SolveError(f"the pose is open by {bodies.gap:.3g}", remedy="use hs.assemble first")
    names, J = bodies.rows()
    N = _null_space(J.T)
    loose = np.abs(N).max(axis=1, initial=0.0) > OPEN
    rows: dict[str, dict[str, bool]] = {name: {} for name in (*model.joints, *model.constraints)}
    for (fact, row), free in zip(names, loose, strict=True):
        rows[fact][row] = not bool(free)
    joints = {name: all(mine.values()) for name, mine in rows.items()}
    return UniqueReactions(joints, rows, N.shape[1])


class _Bodies:
    """The rows of all joints on free bodies, in numbers, lengths in the size of the mechanism."""

    def __init__(self, model: Model, rows: AbsoluteRows, q: Array) -> None:
        self.model, self.absolute = model, rows
        f = rows.function
        count = sum(len(port.refs) for port in f.inputs[1:])
        flat = np.concatenate([q, np.zeros(count), list(f.parameters.values())])
        values, start = {}, 0
        flow = np.array(evaluate(f, flat), dtype=float)
        for port in f.outputs:
            values[port.name] = flow[start : start + len(port.refs)].reshape(port.shape)
            start += len(port.refs)
        self.gap = float(np.abs(values.get("h", np.zeros(1))).max())
        self.W, self.J = values.get("W", ()), values.get("J", ())
        self.motions = values.get("motions", np.zeros((0, 6)))
        places = dict(zip(rows.joined, values["places"], strict=True))
        origins = np.array([place[9:] for place in places.values()])
        middle = origins.mean(axis=0)
        self.size = float(np.abs(origins - middle).max()) or 1.0
        self.places = {
            name: (place[:9].reshape(3, 3), (place[9:] - middle) / self.size)
            for name, place in places.items()
        }
        self.middle = middle
        self.bodies = {name: 6 * k for k, name in enumerate(model.bodies)}

    def rows(self) -> tuple[list[tuple[str, str]], Array]:
        """(fact, row) and J: a row for each, six columns for each body."""
        mine: dict[str, list[tuple[str, Array]]] = {name: [] for name in self.absolute.joined}
        for (fact, row), six in zip(self.absolute.carried, self.W, strict=True):
            mine[fact].append((row, np.concatenate([six[:3] / self.size, six[3:]])))
        for joint in self.model.moving:
            free = self._free(joint)
            if free is not None:
                mine[joint.name] = _complement(free)
        names: list[tuple[str, str]] = []
        rows: list[Array] = []
        for fact, wrenches in mine.items():
            for row, six in wrenches:
                names.append((fact, row))
                rows.append(self._on_bodies(fact, six))
        for name, slopes in zip(self.absolute.between, self.J, strict=True):
            if name in names:  # a wrench, and efforts besides
                k = names.index(name)
                rows[k] = rows[k] + self._on_coordinates(slopes)
                continue
            names.append(name)
            rows.append(self._on_coordinates(slopes))
        J = np.array(rows).reshape(len(rows), 6 * len(self.bodies))
        return names, J / np.maximum(np.linalg.norm(J, axis=1, keepdims=True), 1e-300)

    def _free(self, joint: Any) -> Array | None:
        """The motions a joint leaves free, at its first end; None if its own rows say it."""
        held = {f"{name}.v" for name in driven_coordinates(self.model).values()}
        known = any(fact == joint.name for fact, _ in self.absolute.carried)
        if known and not held & set(joint.speeds):
            return None
        return self._motions(joint, [speed for speed in joint.speeds if speed not in held])

    def _motions(self, joint: Any, speeds: Sequence[str]) -> Array:
        """What speeds of a joint do to its second end, at its first end's origin, in its axes."""
        R, p = self.places[joint.name]
        at = [self.model.speeds.index(speed) for speed in speeds]
        w, u = self.motions[at, :3], self.motions[at, 3:]
        u = (u + np.cross(w, self.middle)) / self.size
        return np.concatenate([w @ R, (u + np.cross(w, p)) @ R], axis=1)

    def _on_bodies(self, fact: str, six: Array) -> Array:
        """A wrench at a first end as a row: on the second body, and the opposite on the first."""
        R, p = self.places[fact]
        force = R @ six[3:]
        wrench = np.concatenate([R @ six[:3] + np.cross(p, force), force])
        row = np.zeros(6 * len(self.bodies))
        ends = (self.model.joints.get(fact) or self.model.constraints[fact]).ends
        for end, sign in ((ends["second"], 1.0), (ends["first"], -1.0)):
            body = self.model.frame(end)[0]
            if body in self.bodies:
                row[self.bodies[body] : self.bodies[body] + 6] += sign * wrench
        return row

    def _on_coordinates(self, slopes: Array) -> Array:
        """A row between coordinates: an effort on each, which is a wrench along its motion."""
        row = np.zeros(6 * len(self.bodies))
        for joint in self.model.moving:
            at = [self.model.speeds.index(speed) for speed in joint.speeds]
            if np.any(slopes[at]):
                efforts = np.linalg.pinv(self._motions(joint, joint.speeds).T)
                row += self._on_bodies(joint.name, slopes[at] @ efforts)
        return row


def _complement(free: Array) -> list[tuple[str, Array]]:
    """The wrenches that have no power on these motions: along the axes if they can be."""
    units = np.eye(6)
    still = [k for k in range(6) if np.abs(free @ units[k]).max(initial=0.0) < RANK]
    across = _null_space(free).T
    if len(still) == len(across):
        return [(UNITS[k], units[k]) for k in still]
    return [(str(k + 1), six) for k, six in enumerate(across)]


def _null_space(A: Array) -> Array:
    """Columns that A takes to zero."""
    if 0 in A.shape:
        return np.eye(A.shape[1])
    _, sizes, V = np.linalg.svd(A)
    rank = int((sizes > RANK * sizes[0]).sum())
    return V[rank:].T
