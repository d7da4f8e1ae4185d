"""What happens where two solids touch: one pair, its touches, and the pushes that come of them.

Where no normal tells how a gap changes, as between blocks, its rate and its force are those of its
gradient (see `gap_gradients`); elsewhere the normal is the gradient.
"""

from collections.abc import Callable, Mapping
from functools import partial
from numbers import Real
from typing import Any, NamedTuple

from hapsis.compiler.ir.graph.expr import Expr
from hapsis.errors import ModelError
from hapsis.mechanics.algebra.contact_geometry.solid_pairs import BALLS, touches
from hapsis.mechanics.algebra.contact_geometry.touch import Solid, Touch
from hapsis.mechanics.algebra.vectors import Vector, add, cross, dot, scaled, sub
from hapsis.mechanics.formalisms.forces.gap_gradients import GapGradients
from hapsis.mechanics.model.contact_laws.contact_bristles import carried
from hapsis.mechanics.model.contact_laws.contact_law import tells_stored
from hapsis.mechanics.model.forces.force import Spot
from hapsis.mechanics.model.values.numbers import described

# of which the normal follows how a solid turns, as that of a plane does and that of a ball does not
FLATNESS = {"plane": 3, "heightfield": 3, "box": 2, "cylinder": 1, "segment": 1, "capsule": 1}
Velocity = Callable[[Vector], Vector]


class Side(NamedTuple):
    """One surface of a pair: its solid in the world, and how its body moves."""

    solid: Solid
    spot: Spot

    def velocity(self, point: Vector) -> Vector:
        """Of the body's material at a point."""
        return add(self.spot.u, cross(self.spot.w, sub(point, self.spot.p)))


class Pressed(NamedTuple):
    """What happens at one touch, seen from the first body."""

    touch: Touch
    law: Any  # what the law gives: the force for 1 m of gap
    normal: Any  # force
    drag: Vector | None  # of friction
    energy: Any  # None where the law cannot tell
    loss: Any
    rates: Mapping[str, Any]
    held: Callable[[], Any] | None = None  # energy that is not in `energy`; None where there is none

    @property
    def force(self) -> Vector:
        """All of it, along the normal and across."""
        normal = scaled(self.normal, self.touch.normal)
        return normal if self.drag is None else add(normal, self.drag)


class Push(NamedTuple):
    """A force at a point, on the first body, and a moment where there is one."""

    point: Vector
    force: Vector
    moment: Vector | None = None


def exact(first: Solid, second: Solid) -> bool:
    """Whether the gap between two solids changes exactly as their normal says."""
    kinds = {first.kind, second.kind}
    return "plane" in kinds or (not kinds.isdisjoint(BALLS) and "heightfield" not in kinds)


class Meeting(NamedTuple):
    """A touch and how it moves.

    u      velocity of the first against the second there
    rate   of the gap
    steep  how much the gap opens on a way of 1 m along the normal
    holds  whether its force is the gap's gradient, so that it can hold energy
    turns  angular velocity of the plane of the touch
    """

    touch: Touch
    u: Vector
    rate: Any
    steep: Any = 1.0
    holds: bool = True
    turns: Vector | None = None


def plane_turns(a: Side, b: Side) -> Vector:
    """How the plane of the touch turns: with the flatter of two solids, or with both in the mean."""
    first, second = (FLATNESS.get(side.solid.kind, 0) for side in (a, b))
    if first != second:
        return a.spot.w if first > second else b.spot.w
    return scaled(0.5, add(a.spot.w, b.spot.w))


def pair_forces(
    a: Side, b: Side, velocity: Velocity, laws: tuple[Any, Any], fields: tuple[Any, Any], states: Any, s: Any
) -> tuple[list[Pressed], list[Push]]:
    """What happens at each touch of two solids, and what it does to the first.

    velocity  of the first against the second at a point
    states    of the touch of each number
    s         what laws read by name, and the time
    """
    holds = exact(a.solid, b.solid)
    gaps = None
    if holds or "heightfield" in (a.solid.kind, b.solid.kind):
        found = touches(a.solid, b.solid)
        moving = [(touch, velocity(touch.point)) for touch in found]
        meetings = [Meeting(x, u, dot(x.normal, u), holds=holds) for x, u in moving]
    else:
        gaps = GapGradients(a.solid, b.solid)
        rates = gaps.rates(sub(a.spot.w, b.spot.w), velocity(a.spot.p))
        meetings = [
            Meeting(touch, velocity(touch.point), rate, steep)
            for touch, rate, steep in zip(gaps.touches, rates, gaps.steepness, strict=True)
        ]
    if getattr(laws[1], "carried", ()):
        turns = plane_turns(a, b)
        meetings = [meeting._replace(turns=turns) for meeting in meetings]
    done = [pressed(meeting, laws, fields, states(k), s) for k, meeting in enumerate(meetings)]
    if gaps is None:
        return done, [Push(d.touch.point, d.force) for d in done]
    push = Push(a.spot.p, *gaps.wrench([d.law for d in done]))
    return done, [push, *(Push(d.touch.point, d.drag) for d in done if d.drag is not None)]


def pressed(meeting: Meeting, laws: tuple[Any, Any], fields: tuple[Any, Any], states: Any, s: Any) -> Pressed:
    """The force of one touch."""
    touch, u, rate, steep, holds, turns = meeting
    law, sliding = laws
    own = {name: states[name] for name in law.states}
    N, rates = law.evaluate(fields[0], (touch.gap, rate), own, s)
    if not _is_number(N):
        raise ModelError(f"{law.label} must give one number, not {described(N)}")
    N = touch.share * N
    energy, loss = None, -(N * rate)
    stored = getattr(law, "stored", None)
    potential = stored(fields[0], touch.gap) if stored is not None else None
    held: Callable[[], Any] | None = None
    if holds and potential is not None:
        elastic, _ = law.evaluate(fields[0], (touch.gap, 0.0 * rate), own, s)
        energy, loss = touch.share * potential, (touch.share * elastic - N) * rate
    elif tells_stored(law):
        held = partial(_held, law, fields[0], touch, own)
    normal = N if steep.__class__ is float else steep * N
    if sliding is None:
        return Pressed(touch, N, normal, None, energy, loss, rates, held)
    slip = sub(u, scaled(dot(touch.normal, u), touch.normal))
    own = {name: states[name] for name in sliding.states}
    bend: Any = tuple(own[name] for name in sliding.carried) if turns is not None else ()
    if bend:  # what of it is in the plane counts
        flat = sub(bend, scaled(dot(touch.normal, bend), touch.normal))
        own |= zip(sliding.carried, flat, strict=True)
    drag, more = sliding.evaluate(fields[1], (normal, slip), own, s)
    if not hasattr(drag, "__len__") or len(drag) != 3 or not all(map(_is_number, drag)):
        raise ModelError(f"{sliding.label} must give a force (x, y, z), not {described(drag)}")
    if bend and turns is not None:
        turned = carried(bend, tuple(more[name] for name in sliding.carried), touch.normal, turns)
        more |= zip(sliding.carried, turned, strict=True)
        bent, power = sliding.bent(fields[1], bend, turned)
        energy, loss = bent if energy is None else energy + bent, loss - power
    # of u, not of the slip: nobody keeps a law from pushing across the surface as well
    return Pressed(touch, N, normal, tuple(drag), energy, loss - dot(drag, u), {**rates, **more}, held)


def _held(law: Any, fields: Any, touch: Touch, states: Any) -> Any:
    """The energy that a law holds at a touch."""
    return touch.share * law.held(fields, touch.gap, states)


def _is_number(x: Any) -> bool:
    return isinstance(x, Expr | Real)
