"""The least distance between two surfaces of triangles, in native code; 0 where they cut each other."""

from hapsis.compiler.native import Array, at, constant, native, record, sized, sqrt

TINY = 1e-300


@record
class Triangles:
    """Corners of triangles, nine numbers each, and the boxes around them."""

    count: int = constant()
    corners: Array = sized("9 * count")
    boxes: Array = sized("6 * count")  # low x, y, z, high x, y, z


@record
class MeshPair:
    """Two surfaces, and where they are nearest."""

    first: Triangles
    second: Triangles
    R: Array = sized("9")  # of the second one in the axes of the first, row by row
    p: Array = sized("3")
    moved: Array = sized("9")  # corners of a triangle of the second surface
    box: Array = sized("6")
    point: Array = sized("6")  # on the first and on the second, in the axes of the first
    best: Array = sized("1")  # the square of the distance
    d: Array = sized("9")


@native
def box_of(corners: Array, box: Array) -> None:
    """The box around a triangle."""
    for c in range(3):
        box[c] = min(corners[c], min(corners[3 + c], corners[6 + c]))
        box[3 + c] = max(corners[c], max(corners[3 + c], corners[6 + c]))


@native
def box_gap(a: Array, b: Array) -> float:
    """The square of the distance of two boxes."""
    total = 0.0
    for c in range(3):
        gap = max(0.0, max(a[c] - b[3 + c], b[c] - a[3 + c]))
        total += gap * gap
    return total


@native
def keep(pair: MeshPair, square: float, a: Array, b: Array) -> None:
    """Takes two points, if they are nearer than those so far."""
    if square < pair.best[0]:
        pair.best[0] = square
        for c in range(3):
            pair.point[c], pair.point[3 + c] = a[c], b[c]


@native
def point_triangle(pair: MeshPair, p: Array, t: Array, flip: bool) -> None:
    """The distance of a point to the inside of a triangle; its edges are left to `edges`."""
    d = pair.d
    uu, uv, vv, pu, pv = 0.0, 0.0, 0.0, 0.0, 0.0
    for c in range(3):
        u, v, w = t[3 + c] - t[c], t[6 + c] - t[c], p[c] - t[c]
        uu, uv, vv, pu, pv = uu + u * u, uv + u * v, vv + v * v, pu + w * u, pv + w * v
    det = uu * vv - uv * uv
    if det <= TINY:
        return
    a, b = (vv * pu - uv * pv) / det, (uu * pv - uv * pu) / det
    if a < 0.0 or b < 0.0 or a + b > 1.0:
        return
    square = 0.0
    for c in range(3):
        d[c] = t[c] + a * (t[3 + c] - t[c]) + b * (t[6 + c] - t[c])
        square += (d[c] - p[c]) * (d[c] - p[c])
    if flip:
        keep(pair, square, d, p)
    else:
        keep(pair, square, p, d)


@native
def edge_triangle(pair: MeshPair, p: Array, q: Array, t: Array) -> None:
    """Distance zero where an edge goes through a triangle."""
    d = pair.d
    for c in range(3):
        d[c], d[3 + c] = t[3 + c] - t[c], t[6 + c] - t[c]
    nx, ny, nz = d[1] * d[5] - d[2] * d[4], d[2] * d[3] - d[0] * d[5], d[0] * d[4] - d[1] * d[3]
    a = (p[0] - t[0]) * nx + (p[1] - t[1]) * ny + (p[2] - t[2]) * nz
    b = (q[0] - t[0]) * nx + (q[1] - t[1]) * ny + (q[2] - t[2]) * nz
    if a * b > 0.0 or a == b:
        return
    s = a / (a - b)
    for c in range(3):
        d[6 + c] = p[c] + s * (q[c] - p[c])
    uu, uv, vv, pu, pv = 0.0, 0.0, 0.0, 0.0, 0.0
    for c in range(3):
        w = d[6 + c] - t[c]
        uu, uv, vv = uu + d[c] * d[c], uv + d[c] * d[3 + c], vv + d[3 + c] * d[3 + c]
        pu, pv = pu + w * d[c], pv + w * d[3 + c]
    det = uu * vv - uv * uv
    if det <= TINY:
        return
    e, f = (vv * pu - uv * pv) / det, (uu * pv - uv * pu) / det
    if e >= 0.0 and f >= 0.0 and e + f <= 1.0:
        keep(pair, 0.0, at(d, 6), at(d, 6))


@native
def edges(pair: MeshPair, p: Array, q: Array, r: Array, s: Array) -> None:
    """The distance of two edges, p q of the first surface and r s of the second ([Ericson] 5.1.9)."""
    d = pair.d
    a, e, b, c1, f = 0.0, 0.0, 0.0, 0.0, 0.0
    for c in range(3):
        u, v, w = q[c] - p[c], s[c] - r[c], p[c] - r[c]
        a, e, b, c1, f = a + u * u, e + v * v, b + u * v, c1 + u * w, f + v * w
    if a <= TINY or e <= TINY:
        return
    det = a * e - b * b
    x = 0.0
    if det > 1e-12 * a * e:
        x = min(1.0, max(0.0, (b * f - c1 * e) / det))
    y = (b * x + f) / e
    if y < 0.0:
        y, x = 0.0, min(1.0, max(0.0, -c1 / a))
    elif y > 1.0:
        y, x = 1.0, min(1.0, max(0.0, (b - c1) / a))
    square = 0.0
    for c in range(3):
        d[c] = p[c] + x * (q[c] - p[c])
        d[3 + c] = r[c] + y * (s[c] - r[c])
        square += (d[c] - d[3 + c]) * (d[c] - d[3 + c])
    keep(pair, square, d, at(d, 3))


@native
def triangles(pair: MeshPair, a: Array, b: Array) -> None:
    """The distance of two triangles: corners to insides, edges to edges, edges through insides."""
    for i in range(3):
        p, q = at(a, 3 * i), at(a, 3 * ((i + 1) % 3))
        r, s = at(b, 3 * i), at(b, 3 * ((i + 1) % 3))
        point_triangle(pair, p, b, False)
        point_triangle(pair, r, a, True)
        edge_triangle(pair, p, q, b)
        edge_triangle(pair, r, s, a)
        for j in range(3):
            edges(pair, p, q, at(b, 3 * j), at(b, 3 * ((j + 1) % 3)))


@native
def mesh_distance(whole: Array, out: Array, pair: MeshPair) -> None:
    """The distance of two surfaces to out, at most the one whose square is in `best`.

    whole   the box around the first surface
    """
    A, B, R, moved = pair.first, pair.second, pair.R, pair.moved
    for j in range(B.count):
        t = at(B.corners, 9 * j)
        for i in range(3):
            for c in range(3):
                x = R[3 * c] * t[3 * i] + R[3 * c + 1] * t[3 * i + 1] + R[3 * c + 2] * t[3 * i + 2]
                moved[3 * i + c] = pair.p[c] + x
        box_of(moved, pair.box)
        if box_gap(pair.box, whole) >= pair.best[0]:
            continue
        for i in range(A.count):
            if box_gap(at(A.boxes, 6 * i), pair.box) < pair.best[0]:
                triangles(pair, at(A.corners, 9 * i), moved)
    out[0] = sqrt(pair.best[0])
