"""Which overlaps are contacts at the start of a run, where no motion has told it yet.

Two boxes that stand on each other overlap at their sides, too, in a strip along their edges as high as they
are deep in each other, and far deeper. What is much narrower than deep, at sharp edges of both, is no contact
by itself: it is one where facets around are about as deep.
"""

from hapsis.compiler.native import Array, at, native, sqrt
from hapsis.motion.solvers.particles.touch.facet_pairs import overlap
from hapsis.motion.solvers.particles.touch.overlap import COUNT, DEEPEST, START
from hapsis.motion.solvers.particles.touch.touch_memory import TouchMemory

SLENDER = 4.0  # times its width: a corner or an edge of 10° is less deep


@native
def width(work: Array) -> float:
    """The smallest width of the polygon that was integrated last."""
    p, count = at(work, int(work[START])), int(work[COUNT])
    least = 1e300
    for k in range(count):
        a, b = 3 * k, 3 * ((k + 1) % count)
        du, dv = p[b] - p[a], p[b + 1] - p[a + 1]
        length = sqrt(du * du + dv * dv)
        if length == 0.0:
            continue
        most = 0.0
        for m in range(count):
            away = (du * (p[3 * m + 1] - p[a + 1]) - dv * (p[3 * m] - p[a])) / length
            most = away if away > most else most
        least = most if most < least else least
    return least


@native
def at_edge(touch: TouchMemory, f: int) -> bool:
    """Whether a corner of facet f is at a sharp edge."""
    ends = at(touch.ends, 3 * f)
    for k in range(3):
        if touch.sharp[ends[k]] > 0:
            return True
    return False


@native
def start_depths(touch: TouchMemory, x: Array) -> None:
    """How deep contacts at each particle are, without those that may be strips along edges."""
    for i in range(touch.count):
        touch.deep[i] = 0.0
    for a in range(touch.facet_count):
        if touch.size[a] == 0.0:
            continue
        for k in range(touch.first[a], touch.first[a + 1]):
            b = touch.other[k]
            if touch.size[b] == 0.0 or not overlap(touch, x, a, b):
                continue
            depth = touch.work[DEEPEST]
            if at_edge(touch, a) and at_edge(touch, b) and depth > SLENDER * width(touch.work):
                continue
            for m in range(6):
                i = touch.ends[3 * (a if m < 3 else b) + m % 3]
                touch.deep[i] = depth if depth > touch.deep[i] else touch.deep[i]
