"""The choice of frames and the lumping of masses: fewer operations for the same dynamics.

A link's frame may be rotated about its joint's axis and moved along it without any change of the
dynamics; the places of the bodies are updated.
    upright    rotates frames so that the rotation to the heaviest child is X(b) Z(q): the other two
               angles become offsets of the two coordinates
    slid       moves frames so that the heaviest child's origin has no component along z
    regrouped  moves moments that the joint's motion does not change to the parent
Regrouping changes the wrench that a joint transmits but not its effort: reactions need the original
moments.
Reference: [Khalil] for the frames and the grouping, [Robotran] for lumped parameters.
"""

from typing import Any

from hapsis.mechanics.algebra.inertia import Inertia
from hapsis.mechanics.algebra.rotations import Turn, cosine_sine, snapped, wrapped, zxz
from hapsis.mechanics.algebra.vectors import Vector, add, scaled, sub
from hapsis.mechanics.formalisms.tree.links import WORLD, Links, Place, fixed, numeric, rotated

TURNING = ("R", "H")


def children(links: Links) -> list[list[int]]:
    """For each link its child links."""
    below: list[list[int]] = [[] for _ in links]
    for i, link in enumerate(links):
        if link.parent != WORLD:
            below[link.parent].append(i)
    return below


def heaviest(links: Links) -> list[int | None]:
    """For each link the child with the most descendants, or None."""
    size = [1] * len(links)
    for i in range(len(links) - 1, -1, -1):
        if links[i].parent != WORLD:
            size[links[i].parent] += size[i]
    return [max(below, key=lambda i: size[i], default=None) for below in children(links)]


def upright(links: Links) -> None:
    """Rotates the frames about their axes; afterwards most rotations are X(b) Z(q)."""
    below, heavy = children(links), heaviest(links)
    on = _bodies_on(links)
    for i in range(len(links) - 1, -1, -1):
        link = links[i]
        if link.kind not in ("R", "P", "H") or not numeric(link.R):
            continue
        a, _, c = zxz(link.R)
        if link.kind in TURNING:
            link.offset += c
            link.R = rotated(link.R, _about_z(-c))
        elif heavy[i] is None:
            _turn(links, i, -c, below[i], on[i])
        parent = link.parent
        if parent != WORLD and heavy[parent] == i and links[parent].kind in ("R", "P", "H"):
            _turn(links, parent, a, below[parent], on[parent])
    for link in links:
        link.offset = wrapped(link.offset)


def slid(links: Links) -> None:
    """Moves the frames along their axes to the height of the heaviest child."""
    below, heavy = children(links), heaviest(links)
    on = _bodies_on(links)
    zero = links.zero
    for i in range(len(links) - 1, -1, -1):
        child = heavy[i]
        if child is None or links[i].kind not in ("R", "P", "H"):
            continue
        p = links[child].p
        # a prismatic joint has a direction but no line of axis: its frame may be anywhere
        shift = p if links[i].kind == "P" else (zero, zero, p[2])
        _slide(links, i, shift, below[i], on[i])


def regrouped(links: Links) -> None:
    """Moves moments that do not change with the joint to the parent: for a revolute joint Σzz, hz and m."""
    z = links.zero
    for link in reversed(links):
        (xx, yy, zz, xy, xz, yz), (hx, hy, hz), m, _ = link.I
        about = yy, xx, link.I.axial[2]  # the moments of inertia without Σzz
        if link.kind == "R":
            remaining = Inertia((xx, yy, z, xy, xz, yz), (hx, hy, z), z, about)
            moved = Inertia((z, z, zz, z, z, z), (z, z, hz), m)
        elif link.kind == "P":
            remaining = Inertia((z, z, z, z, z, z), (hx, hy, hz), m)
            moved = Inertia(link.I.Sigma, links.zero3, z, link.I.axial)
        elif link.kind == "H":
            remaining = Inertia((xx, yy, z, xy, xz, yz), (hx, hy, hz), m, about)
            moved = Inertia((z, z, zz, z, z, z), links.zero3, z)
        elif link.kind == "ball":
            remaining = Inertia(link.I.Sigma, link.I.h, z, link.I.axial)
            moved = Inertia((z, z, z, z, z, z), links.zero3, m)
        else:
            continue
        link.I = remaining
        moved = moved.up(fixed(link.R), link.p)
        if link.parent == WORLD:
            links.grounded = links.grounded.plus(moved)
        else:
            parent = links[link.parent]
            parent.I = parent.I.plus(moved)


def _turn(links: Links, i: int, angle: float, below: list[int], on: list[str]) -> None:
    """Rotates the frame of link i by Z(angle)."""
    link, c, s = links[i], *cosine_sine(angle)
    if s == 0.0 and c == 1.0:
        return
    back, inverse = _about_z(-angle), (Turn(2, links.constant(c), links.constant(-s)),)
    if link.kind in TURNING:
        link.offset += angle
    else:
        link.R = rotated(link.R, _about_z(angle))
    link.I = link.I.up(inverse, links.zero3)
    for child in below:
        other = links[child]
        other.R, other.p = rotated(back, other.R), inverse[0].up(other.p)
    for name in on:
        _, R, p = links.places[name]
        links.places[name] = Place(i, rotated(back, R), inverse[0].up(p))


def _slide(links: Links, i: int, shift: Vector, below: list[int], on: list[str]) -> None:
    """Moves the origin of link i by a vector given in its frame."""
    link = links[i]
    back = scaled(links.constant(-1.0), shift)
    for factor in fixed(link.R) or (None,):
        link.p = add(link.p, factor.up(shift) if factor else shift)
    link.I = link.I.up((), back)
    for child in below:
        links[child].p = sub(links[child].p, shift)
    for name in on:
        place = links.places[name]
        links.places[name] = place._replace(p=sub(place.p, shift))


def _about_z(angle: float) -> Any:
    c, s = cosine_sine(angle)
    return snapped(((c, -s, 0.0), (s, c, 0.0), (0.0, 0.0, 1.0)))


def _bodies_on(links: Links) -> list[list[str]]:
    on: list[list[str]] = [[] for _ in links]
    for name, place in links.places.items():
        if place.link != WORLD:
            on[place.link].append(name)
    return on
