"""A point of a NURBS surface with its first and second derivatives (Cox and de Boor; [NURBS] 2.5, 4.3)."""

from hapsis.compiler.native import Array, at, native, sqrt
from hapsis.touch.haptics.surfaces.nurbs_memory import FACE, Basis, NurbsMemory, U, V

FLAT = 1e-12  # part of |Su| |Sv| below which |Su x Sv| gives no normal
ASIDE = 1e-6  # part of the domain by which a normal is taken beside a pole


@native
def span_of(knots: Array, degree: int, count: int, t: float) -> int:
    """The span k with knots[k] <= t < knots[k + 1]; the last one that is not empty at the end."""
    low, high = degree, count
    if t >= knots[count]:
        low = count - 1
        while knots[low] == knots[low + 1]:
            low -= 1
        return low
    while high - low > 1:
        middle = (low + high) // 2
        if t < knots[middle]:
            high = middle
        else:
            low = middle
    return low


@native
def raised(knots: Array, span: int, degree: int, t: float, lower: Array, out: Array) -> None:
    """Basis functions of a degree in a span, from those of one degree less.

    N[i, p] = (t - t[i]) / (t[i+p] - t[i]) N[i, p-1] + (t[i+p+1] - t) / (t[i+p+1] - t[i+1]) N[i+1, p-1]
    """
    for j in range(degree + 1):
        i = span - degree + j
        value = 0.0
        if j > 0:
            value += (t - knots[i]) / (knots[i + degree] - knots[i]) * lower[j - 1]
        if j < degree:
            value += (knots[i + degree + 1] - t) / (knots[i + degree + 1] - knots[i + 1]) * lower[j]
        out[j] = value


@native
def differenced(knots: Array, span: int, degree: int, lower: Array, out: Array) -> None:
    """Derivatives of basis functions, from the functions or derivatives of one degree less.

    N'[i, p] = p / (t[i+p] - t[i]) N[i, p-1] - p / (t[i+p+1] - t[i+1]) N[i+1, p-1]
    """
    for j in range(degree + 1):
        i = span - degree + j
        value = 0.0
        if j > 0:
            value += degree / (knots[i + degree] - knots[i]) * lower[j - 1]
        if j < degree:
            value -= degree / (knots[i + degree + 1] - knots[i + 1]) * lower[j]
        out[j] = value


@native
def copy(count: int, x: Array, out: Array) -> None:
    """out = x."""
    for j in range(count):
        out[j] = x[j]


@native
def basis_at(knots: Array, span: int, degree: int, t: float, b: Basis) -> None:
    """The basis functions of a span with two derivatives; degree 1 has no second one."""
    b.value[0] = 1.0
    for p in range(1, degree + 1):
        if p == degree - 1:
            copy(p, b.value, b.lowest)
        copy(p, b.value, b.lower)
        raised(knots, span, p, t, b.lower, b.value)
    differenced(knots, span, degree, b.lower, b.first)
    for j in range(degree + 1):
        b.second[j] = 0.0
    if degree > 1:
        differenced(knots, span, degree - 1, b.lowest, b.lower_first)
        differenced(knots, span, degree, b.lower_first, b.second)


@native
def evaluate(body: NurbsMemory, face: int, u: float, v: float) -> None:
    """S, Su, Sv, Suu, Suv and Svv of a face at (u, v), to `body.s`."""
    p, q = body.degree[2 * face], body.degree[2 * face + 1]
    rows = body.count[2 * face + 1]
    knots_u = at(body.knots, body.first_knot[2 * face])
    knots_v = at(body.knots, body.first_knot[2 * face + 1])
    i0 = span_of(knots_u, p, body.count[2 * face], u)
    j0 = span_of(knots_v, q, rows, v)
    a, b, h = body.basis_u, body.basis_v, body.sums
    basis_at(knots_u, i0, p, u, a)
    basis_at(knots_v, j0, q, v, b)
    for k in range(24):
        h[k] = 0.0
    for i in range(p + 1):
        row = at(body.net, 4 * (body.first_point[face] + (i0 - p + i) * rows + j0 - q))
        for c in range(4):
            x, x1, x2 = 0.0, 0.0, 0.0
            for j in range(q + 1):
                x += b.value[j] * row[4 * j + c]
                x1 += b.first[j] * row[4 * j + c]
                x2 += b.second[j] * row[4 * j + c]
            h[c] += a.value[i] * x
            h[4 + c] += a.first[i] * x
            h[8 + c] += a.value[i] * x1
            h[12 + c] += a.second[i] * x
            h[16 + c] += a.first[i] * x1
            h[20 + c] += a.value[i] * x2
    projected(h, body.s)


@native
def projected(h: Array, s: Array) -> None:
    """The surface and its derivatives from the homogeneous ones: those of A = w S ([NURBS] Eq. 4.20)."""
    w, wu, wv = h[3], h[7], h[11]
    for c in range(3):
        s[c] = h[c] / w
        s[3 + c] = (h[4 + c] - wu * s[c]) / w
        s[6 + c] = (h[8 + c] - wv * s[c]) / w
        s[9 + c] = (h[12 + c] - 2.0 * wu * s[3 + c] - h[15] * s[c]) / w
        s[12 + c] = (h[16 + c] - wu * s[6 + c] - wv * s[3 + c] - h[19] * s[c]) / w
        s[15 + c] = (h[20 + c] - 2.0 * wv * s[6 + c] - h[23] * s[c]) / w


@native
def normal_of(s: Array, n: Array) -> bool:
    """The unit normal Su x Sv / |Su x Sv| to n; False where it has no direction, as at a pole."""
    n[0] = s[4] * s[8] - s[5] * s[7]
    n[1] = s[5] * s[6] - s[3] * s[8]
    n[2] = s[3] * s[7] - s[4] * s[6]
    squares = (s[3] * s[3] + s[4] * s[4] + s[5] * s[5]) * (s[6] * s[6] + s[7] * s[7] + s[8] * s[8])
    length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2])
    if not length > FLAT * sqrt(squares):
        return False
    for c in range(3):
        n[c] = n[c] / length
    return True


@native
def evaluate_normal(body: NurbsMemory, place: Array) -> None:
    """The unit normal at a place to `body.n`, at a pole the one beside it; `body.s` is that of the place."""
    face = int(place[FACE])
    evaluate(body, face, place[U], place[V])
    if normal_of(body.s, body.n):
        return
    low, high = at(body.low, 2 * face), at(body.high, 2 * face)
    u = place[U] + ASIDE * (0.5 * (low[0] + high[0]) - place[U])
    v = place[V] + ASIDE * (0.5 * (low[1] + high[1]) - place[V])
    evaluate(body, face, u, v)
    if not normal_of(body.s, body.n):
        body.n[0], body.n[1], body.n[2] = 0.0, 0.0, 0.0
    evaluate(body, face, place[U], place[V])
