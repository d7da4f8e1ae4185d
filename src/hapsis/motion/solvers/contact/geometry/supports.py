"""The furthest point of a solid along a direction, and the gap of two solids along an axis.

Rounded solids are meant without their rounding, as in `features`.
"""

from hapsis.compiler.native import Array, at, native, sqrt
from hapsis.motion.solvers.contact.geometry.features import ellipsoid_support, hull_corner, rounding
from hapsis.motion.solvers.contact.geometry.solids import (
    BOX,
    CAPSULE,
    CYLINDER,
    ELLIPSOID,
    HULL,
    SEGMENT,
    Solids,
)
from hapsis.motion.solvers.contact.geometry.vectors import dot, put, to_local, to_world


@native
def half_length(solids: Solids, k: int) -> float:
    """Half the length along z of a segment, capsule or cylinder; 0 of others."""
    kind = solids.kinds[k]
    if kind == SEGMENT:
        return 0.5 * solids.sizes[3 * k]
    return 0.5 * solids.sizes[3 * k + 1] if kind == CAPSULE or kind == CYLINDER else 0.0


@native
def support(solids: Solids, k: int, shift: Array, along: Array, out: Array) -> None:
    """The point of solid k, about `shift`, that is furthest along a direction of any length.

    `out` has room for six numbers.
    """
    kind, pose, size = solids.kinds[k], at(solids.poses, 12 * k), at(solids.sizes, 3 * k)
    if kind == ELLIPSOID:
        ellipsoid_support(pose, size, shift, along, out)
        return
    local = at(out, 3)
    to_local(pose, along, local)
    if kind == HULL:
        to_world(pose, at(solids.corners, 3 * (solids.corner_first[k] + hull_corner(solids, k, local))), out)
    else:
        if kind == BOX:
            for c in range(3):
                local[c] = 0.5 * size[c] if local[c] >= 0.0 else -0.5 * size[c]
        else:
            side = sqrt(local[0] * local[0] + local[1] * local[1])
            scale = size[0] / side if kind == CYLINDER and side > 0.0 else 0.0
            half = half_length(solids, k)
            put(local, scale * local[0], scale * local[1], half if local[2] >= 0.0 else -half)
        to_world(pose, local, out)
    put(out, out[0] + shift[0], out[1] + shift[1], out[2] + shift[2])


@native
def height(solids: Solids, k: int, along: Array) -> float:
    """How far solid k reaches from its p along a unit vector."""
    out = solids.reach
    support(solids, k, solids.origin, along, out)
    return dot(out, along)


@native
def gap_along(solids: Solids, a: int, b: int, n: Array) -> float:
    """The gap of solids a and b along the unit vector n from b to a, with their rounding."""
    back = at(solids.reach, 6)
    put(back, -n[0], -n[1], -n[2])
    reach = height(solids, a, back) + height(solids, b, n)
    return dot(solids.shift, n) - reach - rounding(solids, a) - rounding(solids, b)
