"""The memory for solids with poses, and the numbers of their kinds."""

from typing import Any

import numpy as np

from hapsis.compiler.native import Array, Ints, Kernels, constant, later, record, sized

POINT, SPHERE, SEGMENT, CAPSULE, BOX, CYLINDER, PLANE, HEIGHTFIELD, ELLIPSOID, HULL = range(10)
NAMES = (
    "point", "sphere", "segment", "capsule", "box", "cylinder", "plane", "heightfield", "ellipsoid", "hull",
)  # fmt: skip
UNBOUNDED = 1e300  # the bounding radius of planes and heightfields
ROOM = 64  # the most corners of a polygon, and of candidates for contact points
MOST_CORNERS = 24  # of a face of a hull


@record
class Solids:
    """Solids with poses in the world; what a pair of them is computed with lies here too.

    kinds    POINT, SPHERE, ... of this file
    sizes    three of each, as its shape has them; unused ones are 0: sphere (radius), segment (length),
             capsule and cylinder (radius, length), box (full lengths x, y, z), ellipsoid (semi-axes)
    poses    twelve of each: R row by row, with x_world = R x_local + p, then p; z is a plane's normal
    bounds   the radius of a ball about p that holds the solid; UNBOUNDED for planes and heightfields
    surfaces Kernels (x, y, z, zx, zy) of the heightfields; `surface` says which one a solid has

    Hulls: corners in their own frames, three numbers each; faces as loops of corners counted from the hull's
    first, counterclockwise seen from outside: face_loops[face_starts[f]:face_starts[f + 1]] of face f.
    """

    count: int = constant()
    kinds: Ints = sized("count")
    sizes: Array = sized("3 * count")
    poses: Array = sized("12 * count")
    bounds: Array = sized("count")
    # hulls
    corner_first: Ints = sized("count")
    corner_count: Ints = sized("count")
    face_first: Ints = sized("count")
    face_count: Ints = sized("count")
    corners: Array = later()
    face_normals: Array = later()  # three of each face, outward, in the hull's frame
    face_starts: Ints = later()
    face_loops: Ints = later()
    # heightfields
    surface: Ints = sized("count")
    surfaces: Kernels = later()
    ground: Array = sized("5")  # x, y, the height there and its slopes
    # the pair that is being computed, in world axes about the second solid's p
    shift: Array = sized("3")  # from the second's p to the first's
    origin: Array = sized("3")  # zero: the shift of the second
    normal: Array = sized("3")  # from the second to the first
    place: Array = sized("3")  # halfway between the two nearest points
    axis: Array = sized("3")
    local: Array = sized("9")
    polygon_a: Array = sized("192")  # 3 * ROOM
    polygon_b: Array = sized("192")
    clipped: Array = sized("192")
    face_a: Array = sized("3")  # the normals of the polygons
    face_b: Array = sized("3")
    line_a: Array = sized("9")  # edges and axes that lie along each other, see `lines`
    line_b: Array = sized("9")
    end: Array = sized("12")
    candidates: Array = sized("448")  # 7 * ROOM
    found: int = 0  # how many candidates there are
    share: float = 0.0  # that the next candidate has of the stiffness of a face; 0: a point of its own
    firm: float = 4.0  # points of their own that are as stiff as the faces of the pair
    candidate_shares: Array = sized("64")
    picked: Ints = sized("8")  # the candidates that were kept
    shares: Array = sized("8")  # the stiffness of each contact point, in that of a point of its own
    # the search for the nearest points
    simplex: Array = sized("36")  # up to four points a - b, each with its a and its b
    weights: Array = sized("4")
    square: float = 0.0  # |near|²
    near: Array = sized("3")  # from the nearest point of the second solid to that of the first
    near_a: Array = sized("3")
    near_b: Array = sized("3")
    trial: Array = sized("12")
    back: Array = sized("3")
    far: Array = sized("6")
    reach: Array = sized("9")
    pushed: Array = sized("3")
    starts: Array = sized("64")  # axes that a search may begin with, and the gaps along them
    start_count: int = 0
    best: Array = sized("9")  # the normal and the two nearest points of the best search yet


def bounding_radius(kind: int, sizes: Any, corners: Any = None) -> float:
    """The radius of the ball about the frame's origin that holds a solid; UNBOUNDED for grounds.

    corners   of a hull, in its frame
    """
    x, y, z = (float(size) for size in (*sizes, 0.0, 0.0, 0.0)[:3])
    match kind:
        case 9 if corners is None:
            return 0.0  # not known yet: `set_hulls` sets it
        case 0:
            return 0.0
        case 1:
            return x
        case 2:
            return 0.5 * x
        case 3:
            return x + 0.5 * y
        case 4:
            return 0.5 * float(np.linalg.norm([x, y, z]))
        case 5:
            return float(np.hypot(x, 0.5 * y))
        case 8:
            return max(x, y, z)
        case 9:
            return float(np.sqrt((np.reshape(corners, (-1, 3)) ** 2).sum(axis=1).max()))
    return UNBOUNDED


def can_touch(first: int, second: int) -> bool:
    """Whether `manifold` finds the contact points of solids of two kinds: not those of two grounds."""
    grounds = (PLANE, HEIGHTFIELD)
    return not (first in grounds and second in grounds)
