"""A model as links: one for each elementary motion, with its axis along z; welded bodies are lumped.

This is all that a formalism needs. A joint with several axes becomes several links, the inner ones
massless; the axes of a joint that the tree reverses are reversed. Every number of the model becomes a
run-time parameter with a name, except those that decide the structure: exact zeros, and the directions
of axes and frames unless they are formulas.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from hapsis.compiler.ir.graph.elementary_functions import cos, sin
from hapsis.compiler.ir.graph.expr import Expr, parameter
from hapsis.compiler.ir.graph.graph import Graph
from hapsis.compiler.ir.graph.ops import ONE, ZERO
from hapsis.errors import ModelError
from hapsis.mechanics.algebra.inertia import Inertia, of_body
from hapsis.mechanics.algebra.rotations import (
    Matrix,
    Rotation,
    Rows,
    of_rpy,
    product,
    snapped,
    transposed,
    z_onto,
)
from hapsis.mechanics.algebra.vectors import Vector, add, neg
from hapsis.mechanics.model.bodies import Body
from hapsis.mechanics.model.frames import Frame
from hapsis.mechanics.model.frames import label as label
from hapsis.mechanics.model.joints.joint import Joint, Step
from hapsis.mechanics.model.model import Model
from hapsis.mechanics.model.structure.topology import TreeJoint
from hapsis.mechanics.model.values.formula import TIME, Formula

WORLD = -1  # the index of the world among the links
IDENTITY: Rows = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
NOWHERE = 1e-15  # m; a shorter offset is rounding


@dataclass(slots=True)
class Link:
    """The rigid body behind one elementary joint, in a frame whose z is the joint's axis."""

    parent: int
    kind: str  # "R" "P" "H" "ball" "free", or "W" for a weld whose reaction is computed
    R: Rows  # our axes in the parent's when the coordinate is zero
    p: Vector  # our origin in the parent's frame
    I: Inertia
    joint: Joint
    q: list[int]  # places in q and v
    v: list[int]
    pitch: Any
    offset: float = 0.0  # added to the angle of "R" and "H"
    flipped: bool = False  # a ball or free joint that the tree reverses


class Place(NamedTuple):
    """A frame on a link: the link, and its orientation and position in the link's frame."""

    link: int
    R: Rows
    p: Vector


class Links:
    """The links of a model, parents first, and the place of every body, in one graph.

    kept    welds that become links instead of lumping the bodies they connect
    """

    def __init__(self, model: Model, graph: Graph, kept: frozenset[str] = frozenset()) -> None:
        self.model, self.graph = model, graph
        self.kept = kept
        self.zero, self.one = Expr(graph, ZERO), Expr(graph, ONE)
        self.zero3: Vector = (self.zero, self.zero, self.zero)
        self.named = {n: parameter(n, x, graph=graph) for n, x in model.parameters.items()}
        self.known = dict(model.parameters)  # values of parameters by name
        self.kinds: dict[str, str] = {}  # and what they are, so that one name is one parameter
        self.gravity = self.vector("gravity", model.gravity, "length")
        self._links: list[Link] = []
        self.grounded = self.massless()  # moments lumped to the world
        self.places = {"world": Place(WORLD, IDENTITY, self.zero3)}
        slots = _slots(model)
        for branch in model.tree:
            self._attach(branch, *slots[branch.joint.name])

    def __len__(self) -> int:
        return len(self._links)

    def __getitem__(self, index: int) -> Link:
        return self._links[index]

    def __iter__(self) -> Iterator[Link]:
        return iter(self._links)

    def scalar(self, name: str, value: Any, kind: str = "other") -> Expr:
        """A number of the model as a parameter of that name; an exact zero stays a zero."""
        if isinstance(value, Formula) and value.names:
            return self.constant(value.value(self.named))
        number = self.model.value(value)
        if number == 0.0 or (kind == "length" and abs(number) < NOWHERE):
            return self.zero
        if self.known.setdefault(name, number) != number:
            raise ModelError(
                f'two numbers of the model are called "{name[:60]}"',
                remedy="rename a body, a frame or a parameter",
            )
        return parameter(name, number, self.kinds.setdefault(name, kind), self.graph)

    def timed(self, name: str, value: Any, clock: Callable[[], Expr]) -> Expr:
        """A number of the model that may be a formula of the time, which `clock` returns."""
        if isinstance(value, Formula) and TIME in value.names:
            return self.constant(value.value({**self.named, TIME: clock()}))
        return self.scalar(name, value)

    def constant(self, value: Any) -> Expr:
        """A number or an expression as an expression."""
        return value if isinstance(value, Expr) else Expr(self.graph, self.graph.constant(value))

    def vector(self, name: str, values: Any, kind: str = "length") -> Vector:
        """Three parameters, `name.x`, `name.y`, `name.z`."""
        x, y, z = (
            self.scalar(f"{name}.{axis}", value, kind) for axis, value in zip("xyz", values, strict=True)
        )
        return x, y, z

    def turned(self, frame: Frame) -> Rows:
        """The axes of a frame: numbers, unless the model gives them by formulas."""
        if any(isinstance(angle, Formula) and angle.names for angle in frame.rpy):
            angles = [self.constant(self._angle(angle)) for angle in frame.rpy]
            return of_rpy(*angles, cos=cos, sin=sin)
        return snapped(of_rpy(*(self.model.value(angle) for angle in frame.rpy)))

    def _angle(self, angle: Any) -> Any:
        return angle.value(self.named) if isinstance(angle, Formula) else angle

    def inertia(self, body: Body) -> Inertia:
        """The inertia of a body about its origin."""
        names = ("xx", "yy", "zz", "xy", "xz", "yz")
        moments = [
            self.scalar(f"{body.name}.inertia.{name}", value, "mass")
            for name, value in zip(names, body.inertia, strict=True)
        ]
        mass = self.scalar(f"{body.name}.mass", body.mass, "mass")
        xx, yy, zz, xy, xz, yz = moments
        return of_body(mass, self.vector(f"{body.name}.com", body.com), (xx, yy, zz, xy, xz, yz))

    def placed(self, end: Any, name: str = "") -> Place:
        """The place of `body`, `body.frame`, `world` or an End; `name` is for its parameters."""
        body, frame = self.model.frame(end)
        at = self.places[body]
        p = self.vector(end if isinstance(end, str) else label(end, name), frame.at)
        return Place(at.link, rotated(at.R, self.turned(frame)), add(at.p, Matrix(at.R).up(p)))

    def massless(self) -> Inertia:
        """The inertia of a massless body."""
        z = self.zero
        return Inertia((z, z, z, z, z, z), self.zero3, z)

    def _attach(self, branch: TreeJoint, q: int, v: int) -> None:
        joint, backwards = branch.joint, branch.reversed
        near, far = (joint.second, joint.first) if backwards else (joint.first, joint.second)
        names = ("second", "first") if backwards else ("first", "second")
        at = self.places[branch.parent]
        p = self.vector(label(near, f"{joint.name}.{names[0]}"), branch.parent_frame.at)
        R = rotated(at.R, self.turned(branch.parent_frame))
        at = Place(at.link, R, add(at.p, Matrix(at.R).up(p)))
        motions = (Step("W"),) if joint.name in self.kept else joint.steps
        steps = list(zip(motions, *_places_of(motions, q, v), strict=True))
        for step, slots, speeds in reversed(steps) if backwards else steps:
            at = self._step(joint, step, backwards, at, slots, speeds)
        # the frame of the body relative to the last link, from the body's end of the joint
        R = rotated(at.R, transposed(self.turned(branch.child_frame)))
        offset = self.vector(label(far, f"{joint.name}.{names[1]}"), branch.child_frame.at)
        self.places[branch.child] = place = Place(at.link, R, add(at.p, neg(Matrix(R).up(offset))))
        if place.link != WORLD:
            moments = self.inertia(self.model.bodies[branch.child]).up(fixed(R), place.p)
            self[place.link].I = self[place.link].I.plus(moments)

    def _step(
        self, joint: Joint, step: Step, backwards: bool, at: Place, q: list[int], v: list[int]
    ) -> Place:
        """Adds a link at a place of another; returns the place of the next link or the body on it."""
        R, after, pitch = at.R, IDENTITY, self.zero
        if step.axis is not None:
            towards = z_onto(neg(step.axis) if backwards else step.axis)
            R, after = rotated(R, towards), transposed(towards)
            if step.kind == "H":
                pitch = self.scalar(f"{joint.name}.pitch", step.pitch, "length")
        link = Link(at.link, step.kind, R, at.p, self.massless(), joint, q, v, pitch)
        link.flipped = backwards and step.kind in ("ball", "free")
        self._links.append(link)
        return Place(len(self) - 1, after, self.zero3)


def rotated(a: Rows, b: Rows) -> Rows:
    """The product of two rotations; numbers that differ from 0 or ±1 by rounding become exact."""
    if a is IDENTITY:
        return b
    if b is IDENTITY:
        return a
    c = product(a, b)
    return snapped(c) if numeric(c) else c


def numeric(R: Rows) -> bool:
    """Whether all entries are numbers."""
    return not any(isinstance(x, Expr) for row in R for x in row)


def fixed(R: Rows) -> Rotation:
    """A rotation as factors; none for the identity."""
    return () if numeric(R) and R == IDENTITY else (Matrix(R),)


def _slots(model: Model) -> dict[str, tuple[int, int]]:
    """{joint of the tree: the first index of its coordinates in q and of its speeds in v}."""
    slots: dict[str, tuple[int, int]] = {}
    q = v = 0
    cut = {joint.name for joint in model.cuts}
    for joint in model.joints.values():
        if joint.name not in cut:
            slots[joint.name] = q, v
            q, v = q + len(joint.coordinates), v + len(joint.speeds)
    return slots


def _places_of(steps: Any, q: int, v: int) -> tuple[list[list[int]], list[list[int]]]:
    sizes = {"ball": (4, 3), "free": (7, 6), "W": (0, 0)}
    slots: list[list[int]] = []
    speeds: list[list[int]] = []
    for step in steps:
        nq, nv = sizes.get(step.kind, (1, 1))
        slots.append(list(range(q, q + nq)))
        speeds.append(list(range(v, v + nv)))
        q, v = q + nq, v + nv
    return slots, speeds
