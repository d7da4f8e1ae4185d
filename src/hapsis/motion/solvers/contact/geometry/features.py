"""The face, edge or corner of a solid that is furthest along a direction.

The polygon that is written always holds the furthest point itself, so the least gap of its corners to a
plane is that of the solid. Round solids are meant without their rounding: a sphere is a point, a capsule
a segment.
"""

from hapsis.compiler.native import Array, at, native, sqrt
from hapsis.motion.solvers.contact.geometry.solids import (
    BOX,
    CAPSULE,
    CYLINDER,
    ELLIPSOID,
    HULL,
    MOST_CORNERS,
    SEGMENT,
    SPHERE,
    Solids,
)
from hapsis.motion.solvers.contact.geometry.vectors import column, dot, norm, put, to_local, to_world

MISSED = 1e-7  # of the radius of a rim: how much deeper than its fixed corners its deepest point must be
EIGHTH = 0.7071067811865476  # sin and cos of 45°


@native
def rounding(solids: Solids, k: int) -> float:
    """The radius of the ball that a point or a segment is rounded with."""
    kind = solids.kinds[k]
    return solids.sizes[3 * k] if kind == SPHERE or kind == CAPSULE else 0.0


@native
def feature(solids: Solids, k: int, shift: Array, along: Array, polygon: Array, face: Array) -> int:
    """How many corners the feature of solid k along a direction has; they go to `polygon`, about `shift`.

    From three on they are a flat face with the outward normal `face`.
    """
    kind = solids.kinds[k]
    pose, size = at(solids.poses, 12 * k), at(solids.sizes, 3 * k)
    if kind == BOX:
        return box_face(pose, size, shift, along, polygon, face)
    if kind == CYLINDER:
        return cylinder_feature(pose, size, shift, along, polygon, face)
    if kind == SEGMENT or kind == CAPSULE:
        half = 0.5 * size[0 if kind == SEGMENT else 1]
        for j in range(3):
            polygon[j] = shift[j] + half * pose[3 * j + 2]
            polygon[3 + j] = shift[j] - half * pose[3 * j + 2]
        return 2
    if kind == HULL:
        return hull_face(solids, k, shift, along, polygon, face)
    put(polygon, shift[0], shift[1], shift[2])
    if kind == ELLIPSOID:
        ellipsoid_support(pose, size, shift, along, polygon)
    return 1


@native
def box_face(pose: Array, size: Array, shift: Array, along: Array, polygon: Array, face: Array) -> int:
    """The four corners of the face of a box that looks most along a direction; fewer where it has no area."""
    to_local(pose, along, face)
    i = 0
    if abs(face[1]) > abs(face[i]):
        i = 1
    if abs(face[2]) > abs(face[i]):
        i = 2
    sign = 1.0 if face[i] >= 0.0 else -1.0
    j, k = (i + 1) % 3, (i + 2) % 3
    if size[j] == 0.0:
        j, k = k, j
    for c in range(3):
        row = at(pose, 3 * c)
        middle = shift[c] + 0.5 * sign * size[i] * row[i]
        u, v = 0.5 * size[j] * row[j], 0.5 * size[k] * row[k]
        polygon[c], polygon[3 + c] = middle + u + v, middle - u + v
        polygon[6 + c], polygon[9 + c] = middle - u - v, middle + u - v
    put(face, sign * pose[i], sign * pose[3 + i], sign * pose[6 + i])
    if size[k] == 0.0:
        # without a length along k: a line or a point
        for c in range(3):
            polygon[3 + c] = polygon[6 + c]
        return 2 if size[j] > 0.0 else 1
    return 4


@native
def cylinder_feature(
    pose: Array, size: Array, shift: Array, along: Array, polygon: Array, face: Array
) -> int:
    """Corners on the rim of a cylinder, or the two ends of a line on its side."""
    to_local(pose, along, face)
    side = face[0] * face[0] + face[1] * face[1]
    half = 0.5 * size[1] if face[2] >= 0.0 else -0.5 * size[1]
    if side > face[2] * face[2]:
        # lies on its side
        scale = size[0] / sqrt(side)
        for c in range(3):
            row = at(pose, 3 * c)
            line = shift[c] + scale * (face[0] * row[0] + face[1] * row[1])
            polygon[c], polygon[3 + c] = line + half * row[2], line - half * row[2]
        return 2
    if size[0] == 0.0:
        rim_point(pose, shift, 0.0, 0.0, half, polygon)
        return 1
    count = rim(pose, size[0], half, shift, polygon, face)
    sign = 1.0 if half >= 0.0 else -1.0
    put(face, sign * pose[2], sign * pose[5], sign * pose[8])
    return count


@native
def rim(pose: Array, radius: float, half: float, shift: Array, polygon: Array, local: Array) -> int:
    """Eight fixed corners on the rim of a cylinder, and the one furthest along `local` where they miss it."""
    side = sqrt(local[0] * local[0] + local[1] * local[1])
    u = local[0] / side if side > 0.0 else 1.0
    v = local[1] / side if side > 0.0 else 0.0
    nearest = max(
        max(abs(u), abs(v)), EIGHTH * (abs(u) + abs(v))
    )  # cos of the angle to the next fixed corner
    missed = side * (1.0 - nearest) > MISSED
    x, y, count = 1.0, 0.0, 0
    for _ in range(8):
        rim_point(pose, shift, radius * x, radius * y, half, at(polygon, 3 * count))
        count += 1
        x_next, y_next = EIGHTH * (x - y), EIGHTH * (x + y)
        if missed and x * v - y * u > 0.0 and u * y_next - v * x_next > 0.0:
            rim_point(pose, shift, radius * u, radius * v, half, at(polygon, 3 * count))
            count += 1
        x, y = x_next, y_next
    return count


@native
def rim_point(pose: Array, shift: Array, x: float, y: float, z: float, out: Array) -> None:
    """The point x, y, z of a pose, about `shift`."""
    for c in range(3):
        row = at(pose, 3 * c)
        out[c] = shift[c] + row[0] * x + row[1] * y + row[2] * z


@native
def ellipsoid_support(pose: Array, size: Array, shift: Array, along: Array, out: Array) -> None:
    """The point of an ellipsoid that is furthest along a direction: x = D² n / |D n|."""
    l = at(out, 3)
    to_local(pose, along, l)
    x, y, z = size[0] * l[0], size[1] * l[1], size[2] * l[2]
    length = sqrt(x * x + y * y + z * z)
    length = length if length > 0.0 else 1.0
    put(l, size[0] * x / length, size[1] * y / length, size[2] * z / length)
    to_world(pose, l, out)
    put(out, out[0] + shift[0], out[1] + shift[1], out[2] + shift[2])


@native
def hull_corner(solids: Solids, k: int, local: Array) -> int:
    """Which corner of a hull is furthest along a direction in its own frame; the first of equal ones."""
    best, most = 0, -1.0e300
    for m in range(solids.corner_count[k]):
        height = dot(at(solids.corners, 3 * (solids.corner_first[k] + m)), local)
        if height > most:
            best, most = m, height
    return best


@native
def hull_face(solids: Solids, k: int, shift: Array, along: Array, polygon: Array, face: Array) -> int:
    """The face of a hull that looks most along a direction, of those at its furthest corner."""
    pose, local = at(solids.poses, 12 * k), at(polygon, 3)
    to_local(pose, along, local)
    corner = hull_corner(solids, k, local)
    best, most = solids.face_first[k], -2.0
    for f in range(solids.face_first[k], solids.face_first[k] + solids.face_count[k]):
        height = dot(at(solids.face_normals, 3 * f), local)
        if height > most:
            for m in range(solids.face_starts[f], solids.face_starts[f + 1]):
                if solids.face_loops[m] == corner:
                    best, most = f, height
    start = solids.face_starts[best]
    count = min(solids.face_starts[best + 1] - start, MOST_CORNERS)
    to_world(pose, at(solids.face_normals, 3 * best), face)
    for m in range(count):
        x = at(solids.corners, 3 * (solids.corner_first[k] + solids.face_loops[start + m]))
        out = at(polygon, 3 * m)
        to_world(pose, x, out)
        put(out, out[0] + shift[0], out[1] + shift[1], out[2] + shift[2])
    return count


@native
def box_edge(solids: Solids, k: int, shift: Array, along: Array, edge: Array, out: Array) -> float:
    """Half the length of the edge of box k furthest along a perpendicular of it; its middle goes to `out`."""
    pose, size = at(solids.poses, 12 * k), at(solids.sizes, 3 * k)
    parallel, least = 0, 2.0
    for j in range(3):
        cosine = abs(pose[j] * along[0] + pose[3 + j] * along[1] + pose[6 + j] * along[2])
        if cosine < least:
            parallel, least = j, cosine
    put(out, shift[0], shift[1], shift[2])
    put(edge, pose[parallel], pose[3 + parallel], pose[6 + parallel])
    for j in range(3):
        if j != parallel:
            cosine = pose[j] * along[0] + pose[3 + j] * along[1] + pose[6 + j] * along[2]
            half = 0.5 * size[j] if cosine >= 0.0 else -0.5 * size[j]
            for c in range(3):
                out[c] += half * pose[3 * c + j]
    return 0.5 * size[parallel]


@native
def hull_edge(solids: Solids, k: int, shift: Array, along: Array, edge: Array, out: Array) -> float:
    """The same of hull k: the edge at its furthest corner that is most nearly perpendicular."""
    pose, local = at(solids.poses, 12 * k), at(solids.end, 6)
    to_local(pose, along, local)
    corner, least, length = hull_corner(solids, k, local), 2.0, 0.0
    x, way = at(solids.corners, 3 * (solids.corner_first[k] + corner)), at(solids.end, 9)
    put(out, 0.0, 0.0, 0.0)
    put(edge, 0.0, 0.0, 0.0)
    for f in range(solids.face_first[k], solids.face_first[k] + solids.face_count[k]):
        start, end = solids.face_starts[f], solids.face_starts[f + 1]
        for m in range(start, end):
            # loops go round each edge once in either sense
            if solids.face_loops[m] == corner:
                after = solids.face_loops[m + 1 if m + 1 < end else start]
                y = at(solids.corners, 3 * (solids.corner_first[k] + after))
                put(way, y[0] - x[0], y[1] - x[1], y[2] - x[2])
                size = norm(way)
                cosine = abs(dot(way, local)) / size if size > 0.0 else 2.0
                if cosine < least:
                    least, length = cosine, size
                    put(edge, way[0] / size, way[1] / size, way[2] / size)
    put(way, x[0] + 0.5 * length * edge[0], x[1] + 0.5 * length * edge[1], x[2] + 0.5 * length * edge[2])
    to_world(pose, way, out)
    put(out, out[0] + shift[0], out[1] + shift[1], out[2] + shift[2])
    put(way, edge[0], edge[1], edge[2])
    to_world(pose, way, edge)
    return 0.5 * length


@native
def axis_of(solids: Solids, k: int, j: int, out: Array) -> None:
    """Axis j of solid k in world axes."""
    column(at(solids.poses, 12 * k), j, out)
