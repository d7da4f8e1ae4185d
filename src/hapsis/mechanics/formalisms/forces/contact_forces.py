"""Contact forces in the equations of motion: gap, relative velocity and force of each candidate point.

For each candidate point with gap g (negative inside), normal n (from second to first) and relative
velocity u of the two bodies there:

    ġ = n · u        N = law(g, ġ)        F = N n + friction(N, u - ġ n)

on the first body, -F on the second. A few contacts are written out. Many pairs of one kind with the same
law become one kernel that is mapped over the pairs, each with its own numbers; a pair is skipped where
its input `near` is 0, as computed by a separate Function (see `broad_phase`). Skipping does not change
the result: a pair that does not touch contributes zero.
"""

from collections.abc import Mapping
from numbers import Real
from typing import TYPE_CHECKING, Any, NamedTuple

from hapsis.compiler.ir.graph.elementary_functions import minimum, where
from hapsis.compiler.ir.graph.expr import Expr
from hapsis.errors import ModelError
from hapsis.mechanics.algebra.contact_geometry.solid_pairs import BALLS, SWEPT, bounding_radius, touches
from hapsis.mechanics.algebra.contact_geometry.touch import Solid, Touch
from hapsis.mechanics.algebra.vectors import Vector, add, cross, dot, neg, scaled, sub
from hapsis.mechanics.formalisms.forces.force_scene import ForceScene
from hapsis.mechanics.model.contacts import Contact
from hapsis.mechanics.model.forces.force import Spot
from hapsis.mechanics.model.shapes.surfaces import Piece
from hapsis.mechanics.model.values.numbers import described

if TYPE_CHECKING:
    from hapsis.mechanics.formalisms.forces.applied_forces import AppliedForces

NEAR = 0.25  # of the sum of both bounding radii


class Side(NamedTuple):
    """One surface of a pair: its solid in the world, and the motion of its body."""

    solid: Solid
    spot: Spot

    def velocity(self, point: Vector) -> Vector:
        """The velocity of the body at a point."""
        return add(self.spot.u, cross(self.spot.w, sub(point, self.spot.p)))


class Gap(NamedTuple):
    """The gap of a touch, or the smallest one of a mapped pair."""

    contact: str
    value: Any
    near: Any  # up to this the value is a distance; None where it always is


class Pressed(NamedTuple):
    """The forces of one touch on the first body, its energy, dissipated power and state rates."""

    touch: Touch
    normal: Any  # force
    force: Vector
    energy: Any  # None where the law defines none
    loss: Any
    rates: Mapping[str, Any]


def sides(scene: ForceScene, first: Piece, second: Piece) -> tuple[Side, Side]:
    """Both surfaces of a pair."""
    return side(scene, first), side(scene, second)


def side(scene: ForceScene, piece: Piece) -> Side:
    """A surface posed in the world."""
    applied = scene.applied
    spot = applied.spot(applied.tree.placed(piece.end, scene.named(piece.name)))
    lengths: tuple[Any, ...] = ()
    surface = None
    if piece.shape is not None:
        lengths = tuple(
            applied.links.scalar(scene.named(f"{piece.name}.{name}"), value, "length")
            for name, value in piece.shape.dimensions.items()
        )
        surface = getattr(piece.shape, "surface", None)
    return Side(Solid(piece.kind, spot.R, spot.p, lengths, surface), spot)


def reach(a: Side, b: Side) -> Any:
    """The gap up to which the gap of two solids is approximately their distance."""
    radii = [r for r in (bounding_radius(a.solid), bounding_radius(b.solid)) if r is not None]
    return NEAR * sum(radii[1:], radii[0])


def exact(first: Solid, second: Solid) -> bool:
    """Whether the rate of the gap of two solids is exactly the normal component of their velocity."""
    kinds = {first.kind, second.kind}
    return "plane" in kinds or kinds <= {*BALLS, *SWEPT}


def pressed(
    touch: Touch, u: Vector, laws: tuple[Any, Any], fields: tuple[Any, Any], states: Any, t: Any, holds: bool
) -> Pressed:
    """The force of one touch between bodies with the relative velocity u.

    holds    whether it can store energy: only if the rate of its gap is exactly the normal velocity
    """
    rate = dot(touch.normal, u)
    law, sliding = laws
    own = {name: states[name] for name in law.states}
    N, rates = law.evaluate(fields[0], (touch.gap, rate), own, t)
    if not _is_number(N):
        raise ModelError(f"{law.label} must give one number, not {described(N)}")
    N = touch.share * N
    force = scaled(N, touch.normal)
    energy, loss = None, -(N * rate)
    stored = getattr(law, "stored", None)
    stored_energy = stored(fields[0], touch.gap) if stored is not None else None
    # a share that depends on the pose would change the energy, so only constant shares have one
    if holds and stored_energy is not None and touch.share.__class__ is float:
        elastic, _ = law.evaluate(fields[0], (touch.gap, 0.0 * rate), own, t)
        energy, loss = touch.share * stored_energy, (touch.share * elastic - N) * rate
    if sliding is not None:
        slip = sub(u, scaled(rate, touch.normal))
        own = {name: states[name] for name in sliding.states}
        drag, more = sliding.evaluate(fields[1], (N, slip), own, t)
        if not hasattr(drag, "__len__") or len(drag) != 3 or not all(map(_is_number, drag)):
            raise ModelError(f"{sliding.label} must give a force (x, y, z), not {described(drag)}")
        # the power with u, not with the slip: a law may also give a force along the normal
        force, loss, rates = add(force, drag), loss - dot(drag, u), {**rates, **more}
    return Pressed(touch, N, force, energy, loss, rates)


def _is_number(x: Any) -> bool:
    return isinstance(x, Expr | Real)


def act(applied: "AppliedForces", contact: Contact) -> None:
    """Adds one contact, written out."""
    scene = ForceScene(applied, contact)
    laws = contact.normal_law, contact.friction_law
    for name in laws[0].states:
        if laws[1] is not None and name in laws[1].states:
            raise contact.wrong(f'law and friction both have a state "{name[:60]}": rename one')
    fields = scene.fields_of(laws[0]), scene.fields_of(laws[1])
    done: list[Pressed] = []
    stored, loss = applied.tree.zero, applied.tree.zero
    for first, second in contact.pairs(applied.model):
        a, b = sides(scene, first, second)
        for touch in touches(a.solid, b.solid):
            u = sub(a.velocity(touch.point), b.velocity(touch.point))
            k = f"{len(done)}." if done else ""
            states = scene.states_of(laws[0], k) | scene.states_of(laws[1], k)
            holds = exact(a.solid, b.solid)
            try:
                contact_force = pressed(touch, u, laws, fields, states, lambda: scene.time, holds)
            except ModelError as error:
                raise contact.wrong(error.what) from None
            for name, rate in contact_force.rates.items():
                scene.rate(f"{k}{name}", rate)
            for surface, force in ((a, contact_force.force), (b, neg(contact_force.force))):
                there = surface.spot._replace(p=touch.point, u=surface.velocity(touch.point))
                scene.push(there, force)
            applied.gaps.append(Gap(contact.name, touch.gap, None if holds else reach(a, b)))
            stored = stored + (0.0 if contact_force.energy is None else contact_force.energy)
            loss = loss + contact_force.loss
            done.append(contact_force)
    scene.store(stored, loss)
    scene.close()
    tell(scene, [(d.touch.gap, d.normal, d.force, d.touch.point) for d in done])


def tell(scene: ForceScene, touched: list[Any], weighted: bool = False) -> None:
    """Declares the signals of a contact: its gap, its normal force, the total force on its first side.

    touched     gap, normal force, force and point of each touch
    weighted    points are already multiplied by their normal forces
    """
    gap, normal, force, center = touched[0]
    center = center if weighted else scaled(normal, center)
    for g, N, F, point in touched[1:]:
        gap, normal, force = minimum(gap, g), normal + N, add(force, F)
        center = add(center, point if weighted else scaled(N, point))
    scene.signal("force", normal)
    scene.signal("gap", gap)
    scene.signal("push", force)
    at = touched[0][3]
    if weighted or len(touched) > 1:
        pushes = normal > 0.0
        at = scaled(where(pushes, 1.0 / where(pushes, normal, 1.0), 0.0), center)
    scene.applied.arrows[scene.fact.name] = [*at, *force]
