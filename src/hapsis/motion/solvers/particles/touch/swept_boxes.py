"""Whether objects may have passed through each other in a step after which nothing is near."""

from hapsis.compiler.native import Array, at, native
from hapsis.motion.solvers.particles.touch.touch_memory import TouchMemory

FARTHEST = 1e300


@native
def sweeps_meet(touch: TouchMemory, start: Array, x: Array) -> bool:
    """Whether boxes around the ways of two objects from `start` to x overlap, as one of them sees it."""
    owners = 0
    for f in range(touch.facet_count):
        owners = max(owners, int(touch.owner[f]) + 1)
    shift, own, other = at(touch.work, 0), at(touch.work, 3), at(touch.work, 9)
    for a in range(owners):
        mean_way(touch, start, x, a, shift)
        swept_box(touch, start, x, a, shift, own)
        for b in range(a + 1, owners):
            swept_box(touch, start, x, b, shift, other)
            apart = False
            for c in range(3):
                apart = apart or own[c] > other[3 + c] or other[c] > own[3 + c]
            if not apart:
                return True
    return False


@native
def mean_way(touch: TouchMemory, start: Array, x: Array, owner: int, way: Array) -> None:
    """The mean way of the corners of an object's facets."""
    count = 0.0
    way[0], way[1], way[2] = 0.0, 0.0, 0.0
    for k in range(3 * touch.facet_count):
        if touch.owner[k // 3] == owner:
            i = 3 * touch.ends[k]
            count += 1.0
            for c in range(3):
                way[c] += (x[i + c] - start[i + c] - way[c]) / count


@native
def swept_box(touch: TouchMemory, start: Array, x: Array, owner: int, shift: Array, box: Array) -> None:
    """The box around an object before a step and after it, moved back by a way."""
    for c in range(3):
        box[c], box[3 + c] = FARTHEST, -FARTHEST
    for k in range(3 * touch.facet_count):
        if touch.owner[k // 3] == owner:
            i = 3 * touch.ends[k]
            for c in range(3):
                p, q = start[i + c], x[i + c] - shift[c]
                box[c] = min(box[c], min(p, q))
                box[3 + c] = max(box[3 + c], max(p, q))
