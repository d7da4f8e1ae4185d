"""A model with loops as plain tables, for rivals: one row for each elementary joint, and its ties.

A row's frame is that of its joint after the motion; a body hangs from the last row of its joint,
the rows before it carry nothing. Ties are points that must meet, as every loop here closes: hinges
of planar loops hold two directions, balls all three. Springs and constant efforts come along.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from hapsis.bench import robots
from hapsis.bench.rivals import Missing
from hapsis.mechanics.formalisms.constraints.row_names import constraint_names
from hapsis.mechanics.model.forces.joint_spring import JointSpring
from hapsis.mechanics.model.forces.spring import Spring
from hapsis.mechanics.model.forces.wrench import Wrench
from hapsis.mechanics.model.frames import Frame
from hapsis.mechanics.model.model import Model

Place = tuple[int, Any]  # a row, -1 for the world, and a 4 x 4 matrix in its frame


@dataclass
class Row:
    """One turn (R) or move (P) about or along an axis, and what hangs from it."""

    coordinate: str
    parent: int
    place: Any  # 4 x 4, in the parent's frame, where the coordinate is zero
    kind: str
    axis: Any
    mass: float = 0.0
    centre: Any = (0.0, 0.0, 0.0)
    central: Any = None  # 3 x 3, about the centre, in the row's axes


@dataclass(frozen=True)
class Tie:
    """Two points that meet; only these directions of the first place count."""

    first: Place
    second: Place
    directions: tuple[int, ...]


@dataclass(frozen=True)
class Pull:
    """A spring between two points."""

    first: Place
    second: Place
    stiffness: float
    length: float


@dataclass(frozen=True)
class Table:
    """Everything of a model; `order` are the rows of the model's coordinates."""

    rows: list[Row]
    ties: list[Tie]
    pulls: list[Pull]
    stiffness: Any  # of springs along coordinates, by rows
    rest: Any
    efforts: Any
    gravity: Any
    order: Any

    def arranged(self, values: Any) -> Any:
        """Values in the model's order put into that of the rows; the last axis counts."""
        by_rows = np.empty_like(values)
        by_rows[..., self.order] = values
        return by_rows


def table(model: Model) -> Table:
    """The tables of a model; Missing says what they cannot hold."""
    reader = _Reader(model)
    forces = list(model.forces.values())
    pulls = [reader.pull(f) for f in forces if isinstance(f, Spring)]
    stiffness, rest, efforts = np.zeros((3, len(reader.rows)))
    for force in forces:
        if isinstance(force, JointSpring):
            k = reader.names.index(force.joint)
            stiffness[k], rest[k] = model.value(force.stiffness), model.value(force.rest)
            _only(not model.value(force.damping), "damping")
        elif isinstance(force, Wrench):
            efforts += reader.effort(force)
        else:
            _only(isinstance(force, Spring), f"a force of kind {type(force).__name__}")
    _only(not (model.contacts or model.constraints or model.drives), "contacts or drives")
    order = np.array([reader.names.index(name) for name in model.coordinates])
    ties = [reader.tie(cut) for cut in model.cuts]
    gravity = np.array(model.gravity)
    return Table(reader.rows, ties, pulls, stiffness, rest, efforts, gravity, order)


def _only(fine: bool, what: str) -> None:
    if not fine:
        raise Missing(f"{what} cannot be described to rivals")


class _Reader:
    """The rows of a model's tree, and where its bodies are on them."""

    def __init__(self, model: Model) -> None:
        self.model, self.rows = model, []
        self.bodies: dict[str, Place] = {"world": (-1, np.eye(4))}
        for branch in model.tree:
            joint = branch.joint
            _only(not branch.reversed, "a joint met backwards")
            row, place = self.bodies[branch.parent]
            place = place @ self.matrix(branch.parent_frame)
            for name, step in zip(joint.coordinates, joint.steps, strict=True):
                _only(step.kind in ("R", "P"), f"a joint of kind {type(joint).__name__}")
                self.rows.append(Row(name, row, place, step.kind, np.array(step.axis)))
                row, place = len(self.rows) - 1, np.eye(4)
            place = place @ np.linalg.inv(self.matrix(branch.child_frame))
            self.bodies[branch.child] = row, place
            self._hang(self.rows[row], branch.child, place)
        self.names = [row.coordinate for row in self.rows]
        self.closing = constraint_names(model)

    def _hang(self, row: Row, name: str, place: Any) -> None:
        body, value, turn = self.model.bodies[name], self.model.value, place[:3, :3]
        _only(row.mass == 0.0, "a body that is welded to another")
        xx, yy, zz, xy, xz, yz = (value(x) for x in body.inertia)
        own = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
        row.mass, row.central = value(body.mass), turn @ own @ turn.T
        row.centre = turn @ [value(x) for x in body.com] + place[:3, 3]

    def matrix(self, frame: Frame) -> Any:
        """4 x 4; rpy is Rz Ry Rx."""
        value = self.model.value
        return robots.placed([value(x) for x in frame.at], [value(x) for x in frame.rpy])

    def end(self, end: Any) -> Place:
        """The row and the place of an end."""
        body, frame = self.model.frame(end)
        row, place = self.bodies[body]
        return row, place @ self.matrix(frame)

    def tie(self, cut: Any) -> Tie:
        """A joint that closes a loop, as the rows say that a pose can change."""
        held = [name.removeprefix(f"{cut.name}.") for name in self.closing if name.startswith(f"{cut.name}.")]
        _only(set(held) <= set("xyz"), f"a loop closed by {', '.join(held)}")
        directions = tuple("xyz".index(name) for name in held)
        return Tie(self.end(cut.first), self.end(cut.second), directions)

    def pull(self, spring: Spring) -> Pull:
        """A spring without its damper, which must be none."""
        value = self.model.value
        _only(not value(spring.damping), "damping")
        ends = self.end(spring.first), self.end(spring.second)
        return Pull(*ends, value(spring.stiffness), value(spring.length))

    def effort(self, wrench: Wrench) -> Any:
        """A constant moment about the axis of the one hinge that carries the body."""
        row, _ = self.end(wrench.on)
        moment = np.array([self.model.value(x) for x in wrench.moment])
        hinge, efforts = self.rows[row], np.zeros(len(self.rows))
        axis = hinge.place[:3, :3] @ hinge.axis
        force = any(self.model.value(x) for x in wrench.force)
        about = hinge.kind == "R" and np.allclose(np.cross(axis, moment), 0.0)
        _only(hinge.parent < 0 and about and not force, "such a wrench")
        efforts[row] = axis @ moment
        return efforts
