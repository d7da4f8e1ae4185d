"""The contact points of two solids."""

from hapsis.compiler.native import Array, at, native
from hapsis.motion.solvers.contact.geometry.balls import ball_on
from hapsis.motion.solvers.contact.geometry.boxes import box_box
from hapsis.motion.solvers.contact.geometry.candidates import kept
from hapsis.motion.solvers.contact.geometry.convex import convex
from hapsis.motion.solvers.contact.geometry.grounds import on_plane
from hapsis.motion.solvers.contact.geometry.heightfields import on_heightfield
from hapsis.motion.solvers.contact.geometry.lines import lines
from hapsis.motion.solvers.contact.geometry.solids import (
    BOX,
    CAPSULE,
    CYLINDER,
    HEIGHTFIELD,
    PLANE,
    SPHERE,
    UNBOUNDED,
    Solids,
)
from hapsis.motion.solvers.contact.geometry.vectors import norm


@native
def rank(kind: int) -> int:
    """The order of two solids within a pair: what is a formula first, grounds last."""
    return kind + 10 if kind == PLANE or kind == HEIGHTFIELD else kind


@native
def manifold(solids: Solids, first: int, second: int, margin: float, points: Array) -> int:
    """How many points (at most 8) solids first and second touch at, or may within `margin`.

    Each has seven numbers in `points`, in world coordinates: the place halfway between the two surfaces
    (3), the unit normal from the second to the first (3), the gap, negative where they overlap. Points with a
    larger gap than the margin are left out. `solids.shares` says how stiff each of them is. With first and
    second exchanged they are the same, with the normals reversed.
    """
    a, b = first, second
    order = rank(solids.kinds[first]) - rank(solids.kinds[second])
    turned = order > 0 or (order == 0 and first > second)
    if turned:
        a, b = second, first
    solids.found, solids.share = 0, 0.0
    p = at(solids.poses, 12 * b + 9)
    for c in range(3):
        solids.shift[c] = solids.poses[12 * a + 9 + c] - p[c]
    size = solids.bounds[a]
    if solids.bounds[b] < UNBOUNDED:
        if norm(solids.shift) > solids.bounds[a] + solids.bounds[b] + margin:
            return 0
        size = min(size, solids.bounds[b]) if size > 0.0 else solids.bounds[b]
    pair(solids, a, b, margin)
    count = kept(solids, size, points)
    sign = -1.0 if turned else 1.0
    for k in range(count):
        for c in range(3):
            points[7 * k + c] += p[c]
            points[7 * k + 3 + c] *= sign
    return count


@native
def pair(solids: Solids, a: int, b: int, margin: float) -> None:
    """Adds the candidates of a pair whose first solid is not of a higher rank."""
    kind_a, kind_b = solids.kinds[a], solids.kinds[b]
    if kind_b == PLANE:
        on_plane(solids, a, b, margin)
    elif kind_b == HEIGHTFIELD:
        on_heightfield(solids, a, b, margin)
    elif kind_a <= SPHERE and kind_b <= CYLINDER:
        ball_on(solids, a, b, margin)
    elif kind_b <= CAPSULE:
        lines(solids, a, b, margin)
    elif kind_a == BOX and kind_b == BOX:
        box_box(solids, a, b, margin)
    else:
        convex(solids, a, b, margin)
