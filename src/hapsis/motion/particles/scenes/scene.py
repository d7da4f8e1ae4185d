"""Scene: objects of particles, what they touch and what connects them."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from hapsis.compiler.ir.functions.verbs import verb
from hapsis.compiler.ir.graph.immutable import Immutable, frozen
from hapsis.errors import ModelError, check_known, near
from hapsis.mechanics.model.model import Model
from hapsis.mechanics.model.values.numbers import described, real
from hapsis.mechanics.model.values.values import numbers_of
from hapsis.motion.particles.objects.cells import Cells
from hapsis.motion.particles.objects.connectors import Connector, Connectors, Pin
from hapsis.motion.particles.objects.cord import Cord
from hapsis.motion.particles.objects.particle_object import ParticleObject
from hapsis.motion.particles.scenes.anchor import WORLD, Anchor
from hapsis.motion.particles.scenes.body_contact import BodyContact
from hapsis.motion.particles.scenes.floor import Floor
from hapsis.motion.particles.scenes.hands import Grab, Hand
from hapsis.motion.particles.scenes.touch import Medium, Touch

GRAVITY = (0.0, 0.0, -9.81)
PINNED = 1e-2  # of the size of an object: how far particles of a hinge may be apart at the start


@verb
@frozen
class EnergyStep:
    """How long a step may be, by the energy that it creates or loses.

    error        J a step may create; by default `relative` of the energy that can be exchanged
    relative     of that energy; where there are things that have nothing to do with each other, of the least
    alpha, beta  if given, steps by equations (3) and (4) of [Joukhadar]; else velocities by both ends
    longest      s
    """

    error: float | None = None
    relative: float = 1e-7
    alpha: float | None = None
    beta: float | None = None
    longest: float | None = None

    def __post_init__(self) -> None:
        for name in ("error", "relative", "longest"):
            value = getattr(self, name)
            if value is not None or name == "relative":
                value = real(value, f"EnergyStep: {name}")
                if not value > 0.0:
                    raise ModelError(f"EnergyStep: {name} is {value:g}", expected="a positive number")
        for name in ("alpha", "beta"):
            value = getattr(self, name)
            if value is not None and not 0.0 <= real(value, f"EnergyStep: {name}") <= 1.0:
                raise ModelError(f"EnergyStep: {name} is {value:g}", expected="from 0 to 1")


@verb
class Scene(Immutable):
    """Objects of particles, floors, and connectors between objects.

        scene = hs.particles.Scene(cube, hs.particles.Floor(stiffness=2000, friction=0.4))
        result = hs.simulate(scene, until=3.0)

    With a Model among the facts its bodies carry particles (`Anchor`) and touch them (`BodyContact`); forces
    act both ways. Facts are given in any order, also in lists. `scene + facts`, `scene.without(name)` and
    `scene.switched(name, on)` are other scenes. Steps follow the energy (`EnergyStep`) unless
    `simulate` says otherwise.

    gravity  m/s²
    step     how long a step may be
    """

    methods = (
        "energy",
        "symplectic",
        "implicit",
        "order8",
        "order5",
    )  # besides "auto"; what `simulate` takes for scenes

    def __init__(self, *facts: Any, gravity: Any = None, step: EnergyStep | None = None) -> None:
        self.facts = tuple(_flat(facts))
        self.step = EnergyStep() if step is None else step
        if not isinstance(self.step, EnergyStep):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise ModelError(f"step must be an EnergyStep, not {described(step)}")
        self.objects: dict[str, ParticleObject] = {}
        self.floors: dict[str, Floor] = {}
        self.connectors: dict[str, Connector] = {}
        self.hands: dict[str, Hand] = {}
        self.anchors: dict[str, Anchor] = {}
        self.body_contacts: dict[str, BodyContact] = {}
        families = {ParticleObject: self.objects, Floor: self.floors, Connector: self.connectors}
        self.touches: dict[str, Touch] = {}
        self.media: dict[str, Medium] = {}
        families |= {Touch: self.touches, Medium: self.media}
        self.cords: dict[str, Cord] = {}
        families |= {
            Cord: self.cords,
            Hand: self.hands,
            Anchor: self.anchors,
            BodyContact: self.body_contacts,
        }
        self.model = _model_of(self.facts)
        if gravity is None:
            gravity = GRAVITY if self.model is None else self.model.gravity_vector
        self.gravity = numbers_of(gravity, "gravity of a scene")
        for fact in self.facts:
            if fact is self.model:
                continue
            family = next((table for kind, table in families.items() if isinstance(fact, kind)), None)
            if family is None:
                raise ModelError(
                    "a scene takes objects, floors, connectors, a Model, probes and grabs, not "
                    f"{described(fact)}"
                )
            # floors and touches have columns of the same names
            taken = self.floors | self.touches if isinstance(fact, Floor | Touch) else family
            family[_free_name(fact, taken)] = fact
        if not self.objects:
            raise ModelError("a scene without objects", remedy="give one, as hs.particles.solid makes it")
        self.first: dict[str, int] = {}
        count = 0
        for name, each in self.objects.items():
            self.first[name] = count
            count += len(each)
        self.count = count
        self._check_touches()
        for name, connector in {**self.connectors, **self.cords}.items():
            ends = self._ends(name, connector)
            if isinstance(connector, Pin):
                self._check_pin(name, connector, ends)
        for name, hand in self.hands.items():
            if isinstance(hand, Grab):
                self.particle(hand.particle, f'grab "{name[:60]}"')
        self._check_bodies()

    def _check_touches(self) -> None:
        """An error for a touch between objects that are not there or have no facets."""
        for name, touch in self.touches.items():
            where = f'touch "{name[:60]}"'
            for each in touch.between or ():
                check_known(each, self.objects, "a scene has no object {}", where=where)
                if not len(self.objects[each].facets):
                    raise ModelError(f'object "{each[:60]}" has no facets', where=where)
            if touch.between is not None and len({*touch.between}) == 1 and not touch.self_contact:
                raise ModelError(
                    f'it is between "{touch.between[0][:60]}" and itself',
                    where=where,
                    remedy="give self_contact=True",
                )
        pairs = [None if each.between is None else frozenset(each.between) for each in self.touches.values()]
        twice = next((k for k, pair in enumerate(pairs) if pair in pairs[:k]), None)
        if twice is not None:
            first, second = (list(self.touches)[k][:60] for k in (pairs.index(pairs[twice]), twice))
            what = (
                "all objects"
                if pairs[twice] is None
                else " and ".join(f'"{x[:60]}"' for x in pairs[twice] or ())
            )
            raise ModelError(
                f'touches "{first}" and "{second}" are both between {what}', remedy="leave one out"
            )
        surfaces = bool(self.touches) or any(floor.bedding for floor in self.floors.values())
        if surfaces and not any(len(each.facets) for each in self.objects.values()):
            raise ModelError("a scene whose surfaces touch has no facets", remedy="give an object facets")

    # --- numbers of all particles together ---

    @property
    def points(self) -> Any:
        """Positions of all particles, (n, 3)."""
        return np.concatenate([each.points for each in self.objects.values()])

    @property
    def velocities(self) -> Any:
        """Velocities of all particles, (n, 3)."""
        return np.concatenate([np.asarray(each.velocities) for each in self.objects.values()])

    @property
    def masses(self) -> Any:
        """Masses of all particles."""
        return np.concatenate([each.masses for each in self.objects.values()])

    @property
    def held(self) -> list[int]:
        """Numbers of all particles that are held."""
        own = [self.first[name] + k for name, each in self.objects.items() for k in each.held]
        fixed = [k for each in self.anchors.values() if each.to == WORLD for k in self.anchored(each)]
        return sorted({*own, *fixed})

    def anchored(self, anchor: Anchor) -> list[int]:
        """The numbers of the particles of an anchor."""
        return [self.first[anchor.object] + k for k in anchor.particles]

    def particle(self, end: str, where: str = "scene") -> int:
        """The number of the particle OBJECT.NUMBER."""
        name, _, number = str(end).rpartition(".")
        if name not in self.objects or not (number.isdecimal() and number.isascii()):
            known = [f"{each}.0" for each in self.objects]
            raise ModelError(
                f'there is no particle "{str(end)[:60]}"{near(str(end), known)}',
                where=where,
                expected="OBJECT.NUMBER, as " + known[0],
            )
        k = int(number)
        if k >= len(self.objects[name]):
            raise ModelError(
                f'"{name[:60]}" has {len(self.objects[name])} particles, and no number {k}', where=where
            )
        return self.first[name] + k

    def particle_name(self, number: int) -> str:
        """OBJECT.NUMBER of the particle with this number in the scene."""
        name = next(name for name, each in self.objects.items() if number < self.first[name] + len(each))
        return f"{name}.{number - self.first[name]}"

    def table(self, kind: str) -> tuple[Connectors, list[int]]:
        """All connectors of a kind, "springs", "torsions" or "joints", and the group of each.

        Group 0 has those within objects; each connector of the scene has one of its own.
        """
        width = {"springs": 2, "torsions": 3, "joints": 4}[kind]
        parts = [getattr(each, kind).shifted(self.first[name]) for name, each in self.objects.items()]
        groups = [0] * sum(map(len, parts))
        for group, (name, each) in enumerate(self.connectors.items(), 1):
            if len(each.ends) == width:
                ends = self._ends(name, each)
                rest = _rest(self.points[ends]) if each.rest is None else each.rest
                parts.append(Connectors.of([ends], rest, each.stiffness, each.damping, width=width))
                groups.append(group)
        columns = ("rest", "stiffness", "damping", "plastic", "breaking")
        joined = [np.concatenate([getattr(part, name) for part in parts]) for name in columns]
        return Connectors.of(np.concatenate([part.ends for part in parts]), *joined, width=width), groups

    def _check_pin(self, name: str, pin: Pin, ends: list[int]) -> None:
        """An error for a hinge whose particles are apart."""
        a, b = self.points[ends]
        sizes = [float(np.ptp(self.objects[end.rpartition(".")[0]].points)) for end in pin.ends]
        apart = float(np.linalg.norm(a - b))
        if apart > PINNED * max(sizes):
            raise ModelError(
                f'"{pin.first[:60]}" and "{pin.second[:60]}" are {apart:.3g} m apart',
                where=f'joint "{name.rpartition(".")[0][:60]}"',
                expected="two particles in one place",
                remedy="move an object there: object.at(...)",
            )

    def _check_bodies(self) -> None:
        """An error where an anchor or a contact has no Model, or no such particles."""
        for name, anchor in self.anchors.items():
            check_known(anchor.object, self.objects, f"{name}: the scene has no object {{}}")
            count = len(self.objects[anchor.object])
            if max(anchor.particles) >= count:
                raise ModelError(
                    f"there are {count} particles, and no number {max(anchor.particles)}", where=name
                )
            if anchor.to != WORLD and self.model is None:
                raise ModelError("the scene has no Model", where=name, remedy="Scene(model, object, anchor)")
        name = next((name for name, each in self.body_contacts.items() if not each.in_world), None)
        if name is not None and self.model is None:
            raise ModelError("the scene has no Model with bodies to touch", where=f'contact "{name[:60]}"')

    @property
    def cells(self) -> Cells:
        """The cells of all objects."""
        return Cells.joined([each.cells.shifted(self.first[name]) for name, each in self.objects.items()])

    def _ends(self, name: str, connector: Connector | Cord) -> list[int]:
        where = f'connector "{name[:60]}"'
        ends = [self.particle(end, where) for end in connector.ends]
        if len({*ends[:3]}) < len(ends[:3]):
            raise ModelError("connects a particle with itself", where=where)
        return ends

    # --- other scenes ---

    def __add__(self, facts: Any) -> "Scene":
        return Scene(*self.facts, facts, gravity=self.gravity, step=self.step)

    def without(self, *names: str) -> "Scene":
        """The scene without the facts of these names."""
        known = {**self.objects, **self.floors, **self.connectors, **self.hands}
        known |= {**self.cords, **self.anchors, **self.body_contacts, **self.touches, **self.media}
        for name in names:
            check_known(name, known, "a scene has no {}")
        gone = [known[name] for name in names]
        kept = [fact for fact in self.facts if not any(fact is each for each in gone)]
        return Scene(*kept, gravity=self.gravity, step=self.step)

    def switched(self, name: str, on: bool) -> "Scene":
        """The scene with a connector switched on or off; the name of a joint stands for all of its parts."""
        names = [each for each in self.connectors if each == name or each.startswith(f"{name}.")]
        if not names and name in {each.name for each in self.facts if each is not self.model}:
            raise ModelError(
                f'"{name[:60]}" is no spring and no joint, which are what is switched',
                remedy=f'scene.without("{name[:60]}")',
            )
        if not names:
            check_known(name, self.connectors, "a scene has no connector {}")
        chosen = [self.connectors[each] for each in names]
        facts = [
            replace(fact, on=bool(on)) if any(fact is each for each in chosen) else fact
            for fact in self.facts
        ]
        return Scene(*facts, gravity=self.gravity, step=self.step)

    def simulated(self, until: Any, start: Any, **options: Any) -> Any:
        """The motion; `hs.simulate` calls it."""
        from hapsis.motion.particles.runs.simulate_scene import simulate_scene

        return simulate_scene(self, until, start, **options)

    def stepped(self, dt: float, **options: Any) -> Any:
        """Its step; `hs.stepper` calls it."""
        from hapsis.motion.particles.runs.scene_step import scene_step

        return scene_step(self, dt, **options)

    def __repr__(self) -> str:
        return f"Scene({', '.join(self.objects)}; {self.count} particles)"


def _flat(facts: Iterable[Any]) -> list[Any]:
    flat: list[Any] = []
    for fact in facts:
        if isinstance(fact, list | tuple):
            flat += _flat(fact)
        else:
            flat.append(fact)
    return flat


def _free_name(fact: Any, family: Mapping[str, Any]) -> str:
    """The name of a fact, if it is free; floors of the same name get numbers."""
    name = fact.name
    if name not in family:
        return name
    if isinstance(fact, Floor | Anchor | BodyContact | Touch | Medium):
        return next(other for k in range(2, len(family) + 3) if (other := f"{name} {k}") not in family)
    raise ModelError(f'two facts are called "{name[:60]}"', remedy="rename one: object.named(...)")


def _model_of(facts: Iterable[Any]) -> Model | None:
    models = [fact for fact in facts if isinstance(fact, Model)]
    if len(models) > 1:
        raise ModelError(f"a scene has {len(models)} Models", expected="at most one: models add up, a + b")
    return models[0] if models else None


def _rest(points: Any) -> float:
    """The distance of two points, the angle at the second of three, or that about the way to a fourth."""
    if len(points) == 2:
        return float(np.linalg.norm(points[0] - points[1]))
    i, j = points[0] - points[1], points[2] - points[1]
    cross = np.cross(i, j)
    angle = math.atan2(float(np.linalg.norm(cross)), float(i @ j))
    if len(points) == 4 and cross @ (points[3] - points[1]) < 0.0:
        angle = -angle
    return angle
