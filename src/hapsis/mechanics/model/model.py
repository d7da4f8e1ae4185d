"""Model: the facts of a mechanism, sorted and checked."""

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, overload

import numpy as np

from hapsis.compiler.ir.functions.limits import NotNegative, Positive
from hapsis.compiler.ir.functions.verbs import verb
from hapsis.compiler.ir.graph.immutable import Immutable
from hapsis.errors import ModelError, check_known
from hapsis.mechanics.model.bodies import Body
from hapsis.mechanics.model.checks import placement, validation
from hapsis.mechanics.model.checks.problems import Problems
from hapsis.mechanics.model.constraints.constraints import Constraint, Distance, Gear
from hapsis.mechanics.model.constraints.motion_constraints import Hinged, KnifeEdge, NoSpin, Pinned
from hapsis.mechanics.model.constraints.on_surface import OnCurve, OnSurface
from hapsis.mechanics.model.constraints.rolling import Rolling
from hapsis.mechanics.model.contacts import Contact
from hapsis.mechanics.model.drives import Drive
from hapsis.mechanics.model.fact import Fact
from hapsis.mechanics.model.forces.force import Force
from hapsis.mechanics.model.frames import WORLD, End, Frame
from hapsis.mechanics.model.generalized_speed import Speed
from hapsis.mechanics.model.joints.joint import Joint
from hapsis.mechanics.model.page.page import Page, checked_page
from hapsis.mechanics.model.sensors import Sensor
from hapsis.mechanics.model.structure.families import FAMILIES, sorted_facts
from hapsis.mechanics.model.structure.flattening import Flattened, Part, names_of, parameters_of, poses_of
from hapsis.mechanics.model.structure.frame_lookup import FrameLookup
from hapsis.mechanics.model.structure.topology import TreeJoint, spanning
from hapsis.mechanics.model.values.formula import Formula
from hapsis.mechanics.model.values.values import Table, Value, Vector, value_of, vector_of

GRAVITY = (0.0, 0.0, -9.81)
COMPARED = ("gravity", "parameters", "poses", "independent", "page", "physical", "world")
SETTINGS = ("gravity", "parameters", "poses", "independent", "page", "physical", "notes")
DERIVED = "_derived"  # the attribute with the values of `derived.py`


@verb
class Model(Immutable):
    """A mechanism: its facts may come in any order, but the order of the joints decides the cuts.

    `facts` may contain lists, other Models and Parts, which bring their parameters, poses and gravity
    where none are given here. Immutable: `replace`, `+` and `prefixed` return new ones.

        gravity      m/s², three numbers or formulas of parameters
        parameters   {name: number} for formulas
        poses        {name: {coordinate or speed: value}}
        independent  the coordinates that lead the others in a closed loop
        page         an hs.Page: what `share` offers on the page of this model
        physical     False keeps impossible numbers and lists them as warnings
        notes        warnings of the reader of the model's file
    """

    facts: tuple[Fact, ...]
    bodies: Mapping[str, Body]
    world: Body  # the frames and shapes of the world
    joints: Mapping[str, Joint]
    constraints: Mapping[
        str, Distance | Rolling | Gear | OnSurface | OnCurve | Pinned | KnifeEdge | NoSpin | Constraint
    ]
    forces: Mapping[str, Force]
    contacts: Mapping[str, Contact]
    drives: Mapping[str, Drive]
    sensors: Mapping[str, Sensor]
    generalized_speeds: Mapping[str, Speed]
    gravity: Vector
    parameters: Mapping[str, float]
    poses: Mapping[str, Mapping[str, Value]]
    independent: tuple[str, ...]
    page: Page | None
    physical: bool
    notes: tuple[str, ...]
    tree: tuple[TreeJoint, ...]  # parents before children, from the world outwards
    cuts: tuple[Joint, ...]  # the joints that close a cycle
    moving: tuple[Joint, ...]  # the other joints, in the order given
    coordinates: tuple[str, ...]
    plain: frozenset[str]  # the coordinates that are lengths or angles, no parts of quaternions
    speeds: tuple[str, ...]
    warnings: tuple[str, ...]

    def __init__(
        self,
        *facts: Any,
        gravity: Any = None,
        parameters: Mapping[str, float] | None = None,
        poses: Mapping[str, Mapping[str, Any]] | None = None,
        independent: Any = None,
        page: Page | None = None,
        physical: bool = True,
        notes: Sequence[str] = (),
    ) -> None:
        problems = Problems(physical)
        flat = Flattened(facts, problems)
        if gravity is None:
            gravity = GRAVITY if flat.gravity is None else flat.gravity
        all_poses = {**flat.poses, **poses_of(poses or {})}
        families = sorted_facts(flat.facts, problems)
        validation.check_size(families["bodies"])
        self.__dict__.update(
            families,
            facts=tuple(flat.facts),
            gravity=vector_of(gravity, "gravity"),
            parameters=Table({**flat.parameters, **parameters_of(parameters or {})}),
            poses=Table({name: Table(pose) for name, pose in all_poses.items()}),
            independent=names_of(flat.independent if independent is None else independent),
            page=flat.page if page is None else checked_page(page),
            physical=bool(physical),
            notes=tuple(notes),
        )
        self._span(problems)
        validation.check(self, self._lookup, problems)
        problems.tell()
        self.__dict__["warnings"] = (*self.notes, *problems.warnings)

    def _span(self, problems: Problems) -> None:
        placed = placement.placed_joints(self.joints.values(), self._lookup, problems)
        tree, cuts = spanning(self.bodies, placed)
        closing = {joint.name for joint in cuts}
        moving = tuple(joint for joint in self.joints.values() if joint.name not in closing)
        self.__dict__.update(
            tree=tree,
            cuts=cuts,
            moving=moving,
            coordinates=tuple(name for joint in moving for name in joint.coordinates),
            speeds=tuple(name for joint in moving for name in joint.speeds),
            plain=frozenset(name for joint in moving for name in joint.plain),
        )

    @cached_property
    def _values(self) -> dict[str, float]:
        """The values of formulas by their texts: each is computed once."""
        return {}

    @cached_property
    def _lookup(self) -> FrameLookup:
        return FrameLookup(self.bodies, self.world)

    def __setattr__(self, name: str, value: Any) -> None:
        raise ModelError(f"a Model cannot be changed: use model.replace({name}=...)")

    def __delattr__(self, name: str) -> None:
        raise ModelError("a Model cannot be changed: use model.replace(...)")

    def __reduce__(self) -> Any:
        """How it is pickled: its facts and settings, without what follows from them."""
        return _restored, (self.facts, {name: getattr(self, name) for name in SETTINGS})

    def value(self, x: Any) -> float:
        """The number of a Value, or of a text with a formula, with the model's parameters."""
        if x.__class__ is float:
            return x
        x = value_of(x, "the value")
        if not isinstance(x, Formula):
            return x
        if x.text not in self._values:
            self._values[x.text] = float(x.value(self.parameters))
        return self._values[x.text]

    @property
    def gravity_vector(self) -> tuple[float, float, float]:
        """Gravity as three numbers, m/s², with the model's parameters."""
        x, y, z = map(self.value, self.gravity)
        return x, y, z

    def frame(self, name: Any) -> tuple[str, Frame]:
        """The body and the frame on it of `body`, `body.frame`, `world`, or an End."""
        end = End.of(name, "a frame's name")
        place = self._lookup.find(end)
        if place is None:
            missing, hint = FrameLookup(self.bodies, self.world).missing(end)
            raise ModelError(f"there is no {missing}{hint}")
        return place

    def has_frame(self, name: str) -> bool:
        """Whether there is a body or a frame of that name, as `body`, `body.frame` or `world`."""
        return self._lookup.find(End(name)) is not None

    @property
    def limits(self) -> np.ndarray[Any, Any]:
        """A row (low, high) for each coordinate, infinite where there is no limit."""
        rows = np.tile([-np.inf, np.inf], (len(self.coordinates), 1))
        index = {name: k for k, name in enumerate(self.coordinates)}
        for joint in self.joints.values():
            for name, pair in joint.bounds.items():
                for side, value in enumerate(pair):
                    if name in index and value is not None:
                        rows[index[name], side] = self.value(value)
        return rows

    @property
    def zero(self) -> np.ndarray[Any, Any]:
        """The coordinates where the two ends of every joint of the tree coincide."""
        return np.array([x for joint in self.moving for x in joint.zero], dtype=float)

    @verb
    def pose(self, name: str) -> dict[str, float]:
        """{coordinate or speed: number} of one of the model's poses."""
        check_known(name, self.poses, "there is no pose {}")
        return {n: self.value(v) for n, v in self.poses[name].items()}

    @verb
    def replace(self, name: str | None = None, /, **changed: Any) -> "Model":
        """The model with other fields of one fact, or with another gravity, parameters, ..."""
        from hapsis.mechanics.model import changes

        return changes.replaced(self, name, changed)

    @verb
    def without(self, *names: str) -> "Model":
        """The model without the facts of these names: bodies, joints, forces, drives, sensors, ...

        An error names the facts that refer to them. Where a body and a joint share a name, both go.
        Poses and `independent` lose coordinates that no longer exist, and a page its finger and its sounds.
        """
        from hapsis.mechanics.model.structure.removal import reduced

        return reduced(self, names)

    @verb
    def with_stops(self, period: Positive = 0.02, ratio: NotNegative = 0.3) -> "Model":
        """The model with a Stop, `NAME stop`, at the limits of each coordinate that no stop or drive holds.

        Stiffness and damping suit the mass m that the coordinate moves where all coordinates are zero:

            k = m (2π / period)²      c = 2 ratio m (2π / period)

        so that a mass that hits the stop at a speed v goes at most v period / 2π deep. A shorter period (s)
        is a harder stop, and needs smaller steps.
        """
        from hapsis.mechanics.model.structure.limit_stops import limit_stops

        settings = {name: getattr(self, name) for name in SETTINGS}
        return Model(*self.facts, *limit_stops(self, period, ratio), **settings)

    @verb
    def pinned(self, end: Any, on: Any = WORLD, name: str | None = None) -> "Model":
        """The model with that point held in velocity, by a `Pinned` called END.pin unless named."""
        return self + Pinned(name or f"{End.of(end)}.pin", end, on)

    @verb
    def hinged(self, end: Any, axis: Any = "y", on: Any = WORLD, name: str | None = None) -> "Model":
        """The model with that foot held in velocity but for turns about an axis of the end.

        It gets a `Hinged` called END.hinge unless named.
        """
        return self + Hinged(name or f"{End.of(end)}.hinge", end, on, axis)

    def __add__(self, other: Any) -> "Model":
        """The model with one more fact, with a list of them, or with all of another model."""
        if not isinstance(other, Fact | Model | Part | list | tuple):
            return NotImplemented
        return Model(self, other, physical=self.physical)

    @overload
    def prefixed(self, prefix: str, on: None = None) -> "Model": ...
    @overload
    def prefixed(self, prefix: str, on: Any) -> "Model | Part": ...
    def prefixed(self, prefix: str, on: Any = None) -> "Model | Part":
        """The model with `prefix.` before every name of a body, joint, parameter, ...

        With `on`, what was fixed to the world is fixed to that end of a larger model, and a Part is
        returned that can be added to it: `torso + arm.prefixed("left", on="torso.shoulder")`. Poses
        keep their names, so that poses of the same name in several parts are merged.
        """
        from hapsis.mechanics.model import changes

        part = changes.prefixed(self, prefix, on)
        if on is not None:
            return part
        gravity = changes.prefixed_gravity(self, prefix)
        return Model(part, gravity=gravity, physical=self.physical)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Model):
            return NotImplemented
        # the order of facts counts within a family only: that of joints decides the cuts
        settings = all(getattr(self, name) == getattr(other, name) for name in COMPARED)
        return settings and all(
            list(getattr(self, family).values()) == list(getattr(other, family).values())
            for family in FAMILIES
        )

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        counts = (len(self.bodies), len(self.joints), len(self.coordinates))
        words = ("body", "bodies"), ("joint", "joints"), ("coordinate", "coordinates")
        shown = (f"{n} {word[n != 1]}" for n, word in zip(counts, words, strict=True))
        return f"Model({', '.join(shown)})"


def _restored(facts: Sequence[Fact], settings: Mapping[str, Any]) -> Model:
    return Model(*facts, **settings)
