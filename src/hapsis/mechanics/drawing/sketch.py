"""The sheet on which a model is drawn: parts with their poses, the sizes of bars, and shapes by part."""

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np

from hapsis.mechanics.algebra.quaternions import quaternions
from hapsis.mechanics.algebra.rotations import z_onto
from hapsis.mechanics.drawing.mates import Mate, Parts, parts_of
from hapsis.mechanics.drawing.placement import Array, Pose, frame_pose, placement
from hapsis.mechanics.model.constraints.constraints import Distance
from hapsis.mechanics.model.forces.bushing import Bushing
from hapsis.mechanics.model.forces.link import Link
from hapsis.mechanics.model.forces.spring import Spring
from hapsis.mechanics.model.frames import End
from hapsis.mechanics.model.model import Model
from hapsis.mechanics.model.shapes.outline import Outline
from hapsis.mechanics.model.shapes.shapes import Mesh

HINGED = ("pin", "cross", "ball", "screw", "sleeve")  # joints that hold a bar by its end
ROUND = (
    "pin",
    "ball",
    "cylinder",
    "wheel",
    "thread",
    "gear",
    "pulley",
    "spiral",
    "bush",
    "motor",
)  # how they are turned about z says nothing
LINES = (Spring, Link, Distance)  # facts drawn as lines between two ends
NEAR = 1e-6  # of the span of a model: places closer than this are one


class Point(NamedTuple):
    """A place of a part, in the world at the start, and the joint there."""

    at: Array
    mate: Mate | None

    @property
    def axis(self) -> Array | None:
        """The axis of the pin there; None where there is none."""
        return self.mate.axis if self.mate and self.mate.kind == "pin" else None


class Line(NamedTuple):
    """Something straight between places of two parts, in the world at the start."""

    name: str
    kind: str
    first: tuple[str, Array]
    second: tuple[str, Array]


class Sketch:
    """A model at its start: its parts, their points, and what has been drawn so far."""

    def __init__(self, model: Model, q: Any) -> None:
        self.model = model
        self.poses = placement(model, q)
        values = dict(zip(model.coordinates, map(float, q), strict=True))
        self.near = NEAR * self._span()
        self.parts: Parts = parts_of(model, self.poses, values, self.near)
        self.shapes: dict[str, list[dict[str, Any]]] = {part: [] for part in {*self.parts.of.values()}}
        self.meshed: set[str] = set()  # bodies whose meshes lie in files and are drawn
        self.outlined = _outlined(model)  # bodies whose outlines the model says
        facts = (*model.forces.values(), *model.constraints.values())
        self.lines = [fact for fact in facts if isinstance(fact, LINES)]
        self.ties = [fact for fact in facts if isinstance(fact, (*LINES, Bushing))]  # their ends hold parts
        self.points = {part: self._points(part) for part in self.shapes}
        self.size = self._size()
        self.bar = self._bar()
        self.shown: set[str] = set()  # joints that the forms of their parts show
        self.layers: dict[str, float] = {}  # of plates, along the normal of a planar mechanism

    def add(self, part: str, kind: str, pose: Pose, **fields: Any) -> None:
        """Draws a shape whose pose is given in the world."""
        local = self.poses[part].inverse @ pose
        if kind in ROUND:
            local = facing(local.R[:, 2], local.p)
        place = {"at": rounded(local.p), "q": rounded(quaternions(local.R))}
        self.shapes[part].append({"kind": kind, **place, **fields})

    def tube(self, part: str, points: Iterable[Any], radius: float, **fields: Any) -> None:
        """Draws a round rod through points of the world."""
        inverse = self.poses[part].inverse
        inside = [rounded(inverse.p + inverse.R @ np.asarray(p)) for p in points]
        self.shapes[part].append({"kind": "tube", "points": inside, "radius": radius, **IDENTITY, **fields})

    def end(self, end: End) -> tuple[str, Array]:
        """The part that an end is on, and its place in the world."""
        body, frame = self.model.frame(end)
        return self.parts.of[body], (self.poses[body] @ frame_pose(self.model, frame)).p

    def end_of(self, body: str, frame: str) -> Array:
        """The place of a frame of a body in the world."""
        return (self.poses[body] @ frame_pose(self.model, self.model.bodies[body].frames[frame])).p

    def solid(self, part: str) -> bool:
        """Whether the model says what a part looks like."""
        owners = {"world": self.model.world, **self.model.bodies}
        shapes = [shape for body in self.parts.members(part) for shape in owners[body].shapes]
        return self.detailed(part) or any(not isinstance(shape, Mesh) for shape in shapes)

    def detailed(self, part: str) -> bool:
        """Whether a part has meshes or outlines, which show its joints themselves."""
        return self.cut(part) or any(body in self.meshed for body in self.parts.members(part))

    def cut(self, part: str) -> bool:
        """Whether the model gives the outlines of a part."""
        return any(body in self.outlined for body in self.parts.members(part))

    def mates(self, part: str) -> list[Mate]:
        """The joints of a part."""
        return [mate for mate in self.parts.mates if part in (mate.first, mate.second)]

    def _points(self, part: str) -> list[Point]:
        """Its joints, then the ends of springs, rods and bushings, each place once."""
        points = [Point(m.place(part), m) for m in self.mates(part) if m.kind]
        for fact in self.ties:
            points += [Point(at, None) for own, at in map(self.end, (fact.first, fact.second)) if own == part]
        distinct: list[Point] = []
        for point in points:
            if not any(self.same(point.at, other.at) for other in distinct):
                distinct.append(point)
        return distinct

    def _size(self) -> float:
        places = [p.at for points in self.points.values() for p in points]
        places += [pose.p for name, pose in self.poses.items() if name != "world"]
        places += [
            self.poses[n].p + self.poses[n].R @ self.vector(b.com) for n, b in self.model.bodies.items()
        ]
        span = float(np.linalg.norm(np.ptp(np.array(places), axis=0))) if places else 0.0
        return max(span, self._widest()) or self._gyration()

    def same(self, a: Array, b: Array) -> bool:
        """Whether two places are one."""
        return float(np.linalg.norm(a - b)) <= self.near

    def _span(self) -> float:
        """How far the origins of bodies, their ends and centres of mass lie apart."""
        places = [pose.p for pose in self.poses.values()]
        for name, body in self.model.bodies.items():
            places.append(self.poses[name].p + self.poses[name].R @ self.vector(body.com))
        for joint in self.model.joints.values():
            for body, frame in map(self.model.frame, (joint.first, joint.second)):
                places.append((self.poses[body] @ frame_pose(self.model, frame)).p)
        return float(np.linalg.norm(np.ptp(np.array(places), axis=0)))

    def _gyration(self) -> float:
        """The size of the heaviest body from its inertia; 1 m where nothing says a length."""
        value, sizes = self.model.value, [0.0]
        for body in self.model.bodies.values():
            if value(body.mass) > 0.0:
                sizes.append(float(np.sqrt(sum(map(value, body.inertia[:3])) / value(body.mass))))
        return 4.0 * max(sizes) or 1.0

    def _widest(self) -> float:
        widths = [0.0]
        for body in (self.model.world, *self.model.bodies.values()):
            for shape in body.shapes:
                widths += [self.model.value(x) for x in shape.dimensions.values()]
        return 1.5 * max(widths)

    def _thinnest(self) -> float:
        """The smallest width of a shape, its shortest length but one; infinite without shapes."""
        widths = [float("inf")]
        for body in self.model.bodies.values():
            for shape in body.shapes:
                lengths = [
                    self.model.value(x) * (2.0 if n == "radius" else 1.0) for n, x in shape.dimensions.items()
                ]
                if shape.type_name in ("cylinder", "capsule"):
                    lengths.append(lengths[0])
                widths += [sorted(lengths)[min(1, len(lengths) - 1)]] if lengths else []
        return min(widths)

    def _bar(self) -> float:
        """The radius of a bar's end: so that bars look slender and the shortest still has two bores."""
        lengths: list[float] = []
        for part, points in self.points.items():
            if part != "world" and not self.solid(part):
                lengths += [
                    float(np.linalg.norm(a.at - b.at)) for k, a in enumerate(points) for b in points[:k]
                ]
        if not lengths:
            return float(np.clip(0.6 * self._thinnest(), 0.006 * self.size, 0.022 * self.size))
        typical, shortest = float(np.median(lengths)), min(lengths)
        return max(min(0.075 * typical, 0.3 * shortest, 0.03 * self.size), 0.007 * self.size)

    def vector(self, values: Any) -> Array:
        """Three values of the model as numbers."""
        return np.array([self.model.value(x) for x in values])


def _outlined(model: Model) -> set[str]:
    owners = {"world": model.world, **model.bodies}
    return {name for name, body in owners.items() if any(isinstance(s, Outline) for s in body.shapes)}


def rounded(values: Any) -> list[float]:
    """Numbers as short as single precision needs them."""
    return [float(f"{x:.7g}") + 0.0 for x in np.asarray(values, float)]


def facing(axis: Any, at: Any) -> Pose:
    """The pose at a place whose z is along an axis."""
    a = np.asarray(axis, float)
    return Pose(np.asarray(at, float), np.array(z_onto(tuple(a / np.linalg.norm(a)))))


IDENTITY = {"at": [0.0, 0.0, 0.0], "q": [1.0, 0.0, 0.0, 0.0]}
