"""Contact forces in the equations of motion: gap, relative velocity and force of each candidate point.

For each candidate point with gap g (negative inside), normal n (from second to first) and relative
velocity u of the two bodies there:

    ġ = n · u        N = law(g, ġ)        F = N n + friction(N, u - ġ n)

on the first body, -F on the second. Where the rate of a gap is not the normal component of u, as between
boxes, ġ and the force of N follow from the gradient of the gap (see `gap_gradients`). A few contacts are
written out. So many pairs of one kind with the same law that their code would be long become one kernel that
is mapped over the pairs (see `contact_groups`), each with its own numbers; a pair is skipped where its input
`near` is 0, as computed by a separate Function (see `broad_phase`). Skipping does not change the result: a
pair that does not touch contributes zero.
"""

from typing import TYPE_CHECKING, Any, NamedTuple

from hapsis.compiler.ir.graph.elementary_functions import minimum, where
from hapsis.errors import ModelError
from hapsis.mechanics.algebra.contact_geometry.solid_pairs import bounding_radius, distance
from hapsis.mechanics.algebra.contact_geometry.touch import Solid
from hapsis.mechanics.algebra.vectors import Vector, add, neg, scaled, sub
from hapsis.mechanics.formalisms.forces.force_scene import ForceScene
from hapsis.mechanics.formalisms.forces.reading_error import ReadingError
from hapsis.mechanics.formalisms.forces.touch_forces import Pressed, Push, Side, exact, pair_forces
from hapsis.mechanics.model.contact_laws.contact_law import tells_stored
from hapsis.mechanics.model.contacts import Contact
from hapsis.mechanics.model.shapes.surfaces import Piece

if TYPE_CHECKING:
    from hapsis.mechanics.formalisms.forces.applied_forces import AppliedForces

NEAR = 0.25  # of the sum of both bounding radii


class Gap(NamedTuple):
    """The gap of a touch, or the smallest one of a mapped pair."""

    contact: str
    value: Any
    near: Any  # up to this the value is a distance; None where it always is


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


def before_state(k: int) -> str:
    """What is before the names of states of a contact's touch of this number."""
    return f"{k}." if k else ""


def state_names(laws: tuple[Any, Any]) -> list[str]:
    """The states of one touch."""
    return [name for law in laws if law is not None for name in law.states]


def check_states(contact: Contact) -> None:
    """Raises an error where both laws of a contact have a state of the same name."""
    names = state_names((contact.normal_law, contact.friction_law))
    for name in names:
        if names.count(name) > 1:
            raise contact.wrong(f'law and friction both have a state "{name[:60]}": rename one')


def act(applied: "AppliedForces", contact: Contact) -> None:
    """Adds one contact, written out."""
    scene = ForceScene(applied, contact)
    laws = contact.normal_law, contact.friction_law
    check_states(contact)
    fields = scene.fields_of(laws[0]), scene.fields_of(laws[1])
    told: list[Any] = []
    stored, loss = applied.tree.zero, applied.tree.zero
    for first, second in contact.pairs(applied.model):
        a, b = sides(scene, first, second)
        start = len(told)

        def states(k: int, start: int = start) -> Any:
            before = before_state(start + k)
            return scene.states_of(laws[0], before) | scene.states_of(laws[1], before)

        def velocity(point: Vector, a: Side = a, b: Side = b) -> Vector:
            return sub(a.velocity(point), b.velocity(point))

        try:
            done, pushes = pair_forces(a, b, velocity, laws, fields, states, scene.readings)
        except ReadingError:
            raise
        except ModelError as error:
            raise contact.wrong(error.what) from None
        for point, force, moment in pushes:
            for one, sign in ((a, _same), (b, neg)):
                there = one.spot._replace(p=point, u=one.velocity(point))
                scene.push(there, sign(force), None if moment is None else sign(moment))
        applied.gaps += gaps_of(contact, a, b, done)
        for k, d in enumerate(done):
            before = before_state(start + k)
            for name, rate in d.rates.items():
                scene.rate(f"{before}{name}", rate)
            stored = stored + (0.0 if d.energy is None else d.energy)
            loss = loss + d.loss
            if d.held is not None:
                applied.account.hold(contact.name, d.held)
        told += told_of(done, pushes)
    scene.keep(stored, loss)
    note_loss(scene, loss)
    scene.close()
    tell(scene, told)


def note_loss(scene: ForceScene, power: Any) -> None:
    """Notes what a contact dissipates, or takes where its law does not say how much of it is stored."""
    account, contact = scene.applied.account, scene.fact
    assert isinstance(contact, Contact)
    note = account.lose if tells_stored(contact.normal_law) else account.take
    note(contact.name, power)


def gaps_of(contact: Contact, a: Side, b: Side, done: list[Pressed]) -> list[Gap]:
    """The gap of each touch; one for all where they share it."""
    if exact(a.solid, b.solid):
        return [Gap(contact.name, d.touch.gap, None) for d in done]
    if "heightfield" in (a.solid.kind, b.solid.kind):
        return [Gap(contact.name, d.touch.gap, reach(a, b)) for d in done]
    return [Gap(contact.name, distance(a.solid, b.solid, [d.touch for d in done]), reach(a, b))]


def _same(v: Vector) -> Vector:
    return v


def told_of(done: list[Pressed], pushes: list[Push]) -> list[Any]:
    """Gap, normal force, force and point of each touch; all forces together are those pushes."""
    if len(pushes) == len(done):
        return [
            (d.touch.distance, d.normal, p.force, d.touch.point) for d, p in zip(done, pushes, strict=True)
        ]
    total = pushes[0].force
    for push in pushes[1:]:
        total = add(total, push.force)
    zero = scaled(0.0, total)
    forces = [total, *(zero for _ in done[1:])]
    return [(d.touch.distance, d.normal, f, d.touch.point) for d, f in zip(done, forces, strict=True)]


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
