"""The sums of `weighted_sums` and the norms of `error_norms` for states side by side, lane by lane.

The number j of lane l is at j * lanes + l. Each lane has the operations of one state in the same order, so
the same bits.
"""

from hapsis.compiler.native import Array, Ints, at, isfinite, native, sqrt
from hapsis.motion.solvers.integrators.weighted_sums import WeightedRows


@native
def lanes_total(table: WeightedRows, row: int, n: int, w: int, vectors: Array, out: Array) -> None:
    """out = the sum of a row."""
    first = table.starts[row]
    last = table.starts[row + 1]
    lanes_four(table, first, last - first, n * w, vectors, out)
    for e in range(first + 4, last, 4):
        lanes_four_more(table, e, last - e, n * w, vectors, out)


@native
def lanes_four(table: WeightedRows, e: int, left: int, count: int, vectors: Array, out: Array) -> None:
    """out = the sum of up to four entries."""
    w0 = table.weights[e]
    x0 = at(vectors, table.places[e] * count)
    if left == 1:
        for j in range(count):
            out[j] = w0 * x0[j]
        return
    w1 = table.weights[e + 1]
    x1 = at(vectors, table.places[e + 1] * count)
    if left == 2:
        for j in range(count):
            out[j] = w0 * x0[j] + w1 * x1[j]
        return
    w2 = table.weights[e + 2]
    x2 = at(vectors, table.places[e + 2] * count)
    if left == 3:
        for j in range(count):
            out[j] = w0 * x0[j] + w1 * x1[j] + w2 * x2[j]
        return
    w3 = table.weights[e + 3]
    x3 = at(vectors, table.places[e + 3] * count)
    for j in range(count):
        out[j] = w0 * x0[j] + w1 * x1[j] + w2 * x2[j] + w3 * x3[j]


@native
def lanes_four_more(table: WeightedRows, e: int, left: int, count: int, vectors: Array, out: Array) -> None:
    """out = out + the sum of up to four entries."""
    w0 = table.weights[e]
    x0 = at(vectors, table.places[e] * count)
    if left == 1:
        for j in range(count):
            out[j] += w0 * x0[j]
        return
    w1 = table.weights[e + 1]
    x1 = at(vectors, table.places[e + 1] * count)
    if left == 2:
        for j in range(count):
            out[j] += w0 * x0[j] + w1 * x1[j]
        return
    w2 = table.weights[e + 2]
    x2 = at(vectors, table.places[e + 2] * count)
    if left == 3:
        for j in range(count):
            out[j] += w0 * x0[j] + w1 * x1[j] + w2 * x2[j]
        return
    w3 = table.weights[e + 3]
    x3 = at(vectors, table.places[e + 3] * count)
    for j in range(count):
        out[j] += w0 * x0[j] + w1 * x1[j] + w2 * x2[j] + w3 * x3[j]


@native
def lanes_moved(
    table: WeightedRows, row: int, w: int, h: Array, vectors: Array, y: Array, out: Array, n: int
) -> None:
    """out = y + h times the sum of a row, with a step of its own in each lane."""
    first = table.starts[row]
    last = table.starts[row + 1]
    for j in range(n * w):
        out[j] = y[j]
    for e in range(first, last, 4):
        lanes_four_on(table, e, last - e, w, h, vectors, out, n)


@native
def lanes_four_on(
    table: WeightedRows, e: int, left: int, w: int, h: Array, vectors: Array, out: Array, n: int
) -> None:
    """out = out + h times the sum of up to four entries."""
    w0 = table.weights[e]
    x0 = at(vectors, table.places[e] * n * w)
    if left == 1:
        for j in range(n):
            for k in range(w):
                out[j * w + k] += (h[k] * w0) * x0[j * w + k]
        return
    w1 = table.weights[e + 1]
    x1 = at(vectors, table.places[e + 1] * n * w)
    if left == 2:
        for j in range(n):
            for k in range(w):
                out[j * w + k] += (h[k] * w0) * x0[j * w + k] + (h[k] * w1) * x1[j * w + k]
        return
    w2 = table.weights[e + 2]
    x2 = at(vectors, table.places[e + 2] * n * w)
    if left == 3:
        for j in range(n):
            for k in range(w):
                i = j * w + k
                out[i] += (h[k] * w0) * x0[i] + (h[k] * w1) * x1[i] + (h[k] * w2) * x2[i]
        return
    w3 = table.weights[e + 3]
    x3 = at(vectors, table.places[e + 3] * n * w)
    for j in range(n):
        for k in range(w):
            i = j * w + k
            out[i] += (h[k] * w0) * x0[i] + (h[k] * w1) * x1[i] + (h[k] * w2) * x2[i] + (h[k] * w3) * x3[i]


@native
def lanes_squares(n: int, w: int, x: Array, weights: Array, sums: Array, out: Array) -> None:
    """out = the sum of the squares of weights times x in each lane; `sums` has room for four of them."""
    for i in range(4 * w):
        sums[i] = 0.0
    for j in range(n % 4):
        for k in range(w):
            e = x[j * w + k] * weights[j * w + k]
            sums[k] += e * e
    for j in range(n % 4, n):
        part = (j - n % 4) % 4
        for k in range(w):
            e = x[j * w + k] * weights[j * w + k]
            sums[part * w + k] += e * e
    for k in range(w):
        out[k] = (sums[k] + sums[w + k]) + (sums[2 * w + k] + sums[3 * w + k])


@native
def lane_finite(n: int, w: int, k: int, x: Array) -> bool:
    """Whether all numbers of a lane are finite."""
    for j in range(n):
        if not isfinite(x[j * w + k]):
            return False
    return True


@native
def lanes_normalised(groups: int, quaternions: Ints, w: int, y: Array) -> None:
    """The groups of four numbers that start at the given places get length 1."""
    for i in range(groups):
        a = at(y, quaternions[i] * w)
        b = at(a, w)
        c = at(b, w)
        d = at(c, w)
        for k in range(w):
            s = 1.0 / sqrt(a[k] * a[k] + b[k] * b[k] + c[k] * c[k] + d[k] * d[k])
            a[k] *= s
            b[k] *= s
            c[k] *= s
            d[k] *= s
