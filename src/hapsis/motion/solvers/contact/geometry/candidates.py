"""Candidates for contact points: collected, then the few that say most are kept."""

from hapsis.compiler.native import Array, at, native
from hapsis.motion.solvers.contact.geometry.solids import ROOM, Solids
from hapsis.motion.solvers.contact.geometry.vectors import put

MOST = 8  # points of a pair
SAME = 1e-6  # of the size of a solid: points nearer than that are one


@native
def add(solids: Solids, x: float, y: float, z: float, gap: float) -> None:
    """Notes a candidate with the pair's normal, about the second solid's p."""
    place = solids.found
    if place == ROOM:
        # no room: instead of the one with the largest gap
        place = 0
        for k in range(1, ROOM):
            if solids.candidates[7 * k + 6] > solids.candidates[7 * place + 6]:
                place = k
        if solids.candidates[7 * place + 6] <= gap:
            return
    else:
        solids.found += 1
    row = at(solids.candidates, 7 * place)
    put(row, x, y, z)
    put(at(row, 3), solids.normal[0], solids.normal[1], solids.normal[2])
    row[6] = gap
    solids.candidate_shares[place] = solids.share


@native
def least_gap(solids: Solids) -> float:
    """The least gap of the candidates; 1e300 if there are none."""
    least = 1.0e300
    for k in range(solids.found):
        least = min(least, solids.candidates[7 * k + 6])
    return least


@native
def squared_distance(a: Array, b: Array) -> float:
    """|a - b|²."""
    x, y, z = a[0] - b[0], a[1] - b[1], a[2] - b[2]
    return x * x + y * y + z * z


@native
def kept(solids: Solids, size: float, points: Array) -> int:
    """How many candidates are kept, at most eight: the deepest, then always the furthest from those kept.

    size   of the solids, m: candidates that are SAME * size apart are one
    """
    rows, count = solids.candidates, 0
    near = SAME * size * SAME * size
    while count < MOST:
        best, most = -1, -1.0
        for k in range(solids.found):
            row = at(rows, 7 * k)
            far = 1.0e300
            for m in range(count):
                far = min(far, squared_distance(row, at(points, 7 * m)))
            if count == 0:
                far = 1.0e300
                if best < 0 or row[6] < rows[7 * best + 6]:
                    best, most = k, far
            elif far > most:
                best, most = k, far
        if best < 0 or most <= near:
            break
        for j in range(7):
            points[7 * count + j] = rows[7 * best + j]
        solids.picked[count] = best
        count += 1
    gather_shares(solids, count, points)
    return count


@native
def gather_shares(solids: Solids, count: int, points: Array) -> None:
    """Gives kept points the shares of the candidates that are nearest; a point of its own has 1 at least."""
    for m in range(count):
        solids.shares[m] = 0.0
    for k in range(solids.found):
        if solids.candidate_shares[k] > 0.0:
            nearest, least = 0, 1.0e300
            for m in range(count):
                far = squared_distance(at(solids.candidates, 7 * k), at(points, 7 * m))
                if far < least:
                    nearest, least = m, far
            solids.shares[nearest] += solids.candidate_shares[k]
    for m in range(count):
        if solids.candidate_shares[solids.picked[m]] == 0.0:
            solids.shares[m] = max(solids.shares[m], 1.0)
