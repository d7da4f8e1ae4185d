"""Hands: what moves particles from outside, as a device, a pointer or a program does."""

from typing import Any

import numpy as np

from hapsis.compiler.ir.functions.verbs import verb
from hapsis.compiler.ir.graph.immutable import frozen
from hapsis.errors import ModelError
from hapsis.mechanics.model.values.numbers import real
from hapsis.mechanics.model.values.values import AsVector, numbers_of
from hapsis.motion.particles.objects.particle_object import ParticleObject
from hapsis.motion.solvers.particles.forces.hand_memory import GRAB, PROBE

AXES = "xyz"


@frozen
class Hand:
    """The base of hands. A step takes NAME.x.position and so on in m, and gives NAME.x.force in N, the mean
    force on the hand in the step; elsewhere a hand stays where it begins."""

    name: str
    stiffness: float
    damping: float = 0.0
    on: bool = True

    def _checked(self, *fields: str) -> str:
        if not isinstance(self.name, str) or not self.name or "." in self.name:  # pyright: ignore
            raise ModelError(f"a hand needs a name without dots, not {self.name!r:.60}")
        where = f'{type(self).__name__.lower()} "{self.name[:60]}"'
        for field in fields:
            value = real(getattr(self, field), f"{where}: {field}")
            if value < 0.0:
                raise ModelError(
                    f"{field} is {value:g}", where=where, expected="a number that is not negative"
                )
            object.__setattr__(self, field, value)
        return where

    @property
    def inputs(self) -> tuple[str, ...]:
        """The places that a step takes."""
        return tuple(f"{self.name}.{c}.position" for c in AXES)

    @property
    def outputs(self) -> tuple[str, ...]:
        """The forces that a step gives."""
        return tuple(f"{self.name}.{c}.force" for c in AXES)


@verb
@frozen
class Probe(Hand):
    """A ball that a device moves against objects.

    name        in the names of inputs and outputs
    radius      m
    stiffness   N/m of its depth in an object
    damping     N s/m
    friction    of what slides, times the normal force
    static      of what sticks, at least that; the same if not given
    at          its centre at the start, m
    on          False: it touches nothing

    It touches the nearest point of the facets of each object, or the nearest particle where it has none.
    """

    radius: float = 0.005
    friction: float = 0.0
    static: float | None = None
    at: AsVector = (0.0, 0.0, 0.0)

    def __post_init__(self) -> None:
        where = self._checked("stiffness", "damping", "radius", "friction")
        if self.radius == 0.0:
            raise ModelError("radius is 0", where=where, expected="a positive number")
        static = self.friction if self.static is None else real(self.static, f"{where}: static")
        if static < self.friction:
            raise ModelError(
                f"static friction {static:g} is below the kinetic one, {self.friction:g}", where=where
            )
        object.__setattr__(self, "static", static)
        object.__setattr__(self, "at", numbers_of(self.at, f"{where}: at"))


@verb
@frozen
class Grab(Hand):
    """A spring/damper that holds a `particle`, OBJECT.NUMBER, at a place; at first that of the particle.

    name        in the names of inputs and outputs
    stiffness   N/m
    damping     N s/m
    on          False: it holds nothing
    """

    particle: str = ""

    def __post_init__(self) -> None:
        where = self._checked("stiffness", "damping")
        if not self.particle:
            raise ModelError("holds no particle", where=where, remedy='give particle="OBJECT.NUMBER"')


def hand_row(hand: Hand) -> tuple[int, tuple[float, ...]]:
    """The kind of a hand, and its law, see `HandMemory`."""
    if isinstance(hand, Probe):
        assert hand.static is not None
        return PROBE, (hand.stiffness, hand.damping, hand.radius, hand.static, hand.friction)
    return GRAB, (hand.stiffness, hand.damping, 0.0, 0.0, 0.0)


def is_closed(body: ParticleObject) -> bool:
    """Whether facets enclose a volume: each edge is that of one facet in each direction."""
    facets = body.facets
    edges = np.concatenate([facets[:, [0, 1]], facets[:, [1, 2]], facets[:, [2, 0]]])
    one_way = {tuple(edge) for edge in edges.tolist()}
    return bool(len(facets)) and len(one_way) == len(edges) and all((b, a) in one_way for a, b in one_way)


def fill_hands(scene: Any, memory: Any) -> None:
    """Writes the hands of a scene, and the objects that they touch, into its memory."""
    hands = memory.hands
    for n, hand in enumerate(scene.hands.values()):
        kind, law = hand_row(hand)
        hands.kind[n], hands.law[5 * n : 5 * n + 5], hands.on[n] = kind, law, float(hand.on)
        if isinstance(hand, Grab):
            number = scene.particle(hand.particle, f'grab "{hand.name[:60]}"')
            hands.particle[n] = number
            hands.place[3 * n : 3 * n + 3] = scene.points[number]
        else:
            hands.place[3 * n : 3 * n + 3] = hand.at
    hands.t0 = memory.t
    facet = 0
    for k, (name, body) in enumerate(scene.objects.items()):
        first, count = scene.first[name], len(body.facets)
        hands.first[k], hands.first[k + 1] = first, first + len(body)
        if not scene.hands:
            continue
        hands.corners[3 * facet : 3 * (facet + count)] = (body.facets + first).ravel()
        hands.first_facet[k], hands.first_facet[k + 1] = facet, facet + count
        hands.closed[k] = int(is_closed(body))
        hands.nearest[k :: len(scene.objects)] = facet
        facet += count
