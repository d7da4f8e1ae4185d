"""A tree of the boxes of facets, and the list of pairs that are near.

The tree splits the facets in halves across the longest side of their centres' box, down to a few in each
leaf; node k has the children 2k + 1 and 2k + 2. The list is good until something moved by the margin.
"""

from hapsis.compiler.native import Array, Ints, at, native, sqrt
from hapsis.motion.solvers.particles.touch.touch_memory import APART, LAW, NEW, TouchMemory

FEWEST = 0.05  # of the size of facets: the smallest margin
MANY = 6  # pairs of a facet, beyond which the margin is halved


@native
def find_boxes(touch: TouchMemory, x: Array) -> None:
    """The box of each facet."""
    for f in range(touch.facet_count):
        box = at(touch.boxes, 6 * f)
        for c in range(3):
            low = x[3 * touch.ends[3 * f] + c]
            high = low
            for k in range(1, 3):
                y = x[3 * touch.ends[3 * f + k] + c]
                low = y if y < low else low
                high = y if y > high else high
            box[c], box[3 + c] = low, high


@native
def select(boxes: Array, order: Ints, low: int, high: int, middle: int, axis: int) -> None:
    """Orders so that nothing from low to middle has its centre behind anything from there to high."""
    left, right = low, high - 1
    while left < right:
        e = 6 * order[(left + right) // 2] + axis
        pivot = boxes[e] + boxes[e + 3]
        i, j = left, right
        while i <= j:
            while boxes[6 * order[i] + axis] + boxes[6 * order[i] + axis + 3] < pivot:
                i += 1
            while boxes[6 * order[j] + axis] + boxes[6 * order[j] + axis + 3] > pivot:
                j -= 1
            if i <= j:
                k = order[i]
                order[i] = order[j]
                order[j] = k
                i += 1
                j -= 1
        if middle <= j:
            right = j
        elif middle >= i:
            left = i
        else:
            return


@native
def longest_side(touch: TouchMemory, low: int, high: int) -> int:
    """The axis along which centres of facets are spread most."""
    axis, most = 0, -1.0
    for c in range(3):
        e = 6 * touch.order[low] + c
        least = touch.boxes[e] + touch.boxes[e + 3]
        largest = least
        for k in range(low + 1, high):
            e = 6 * touch.order[k] + c
            y = touch.boxes[e] + touch.boxes[e + 3]
            least = y if y < least else least
            largest = y if y > largest else largest
        if largest - least > most:
            axis, most = c, largest - least
    return axis


@native
def build_tree(touch: TouchMemory, x: Array) -> None:
    """The tree of all boxes."""
    find_boxes(touch, x)
    n = touch.facet_count
    for k in range(n):
        touch.order[k] = k
    for level in range(touch.levels):
        for i in range(1 << level):
            low, high = (i * n) >> level, ((i + 1) * n) >> level
            middle = ((2 * i + 1) * n) >> (level + 1)
            if high - low > 1:
                select(touch.boxes, touch.order, low, high, middle, longest_side(touch, low, high))
    leaves = 1 << touch.levels
    for i in range(leaves):
        node = at(touch.nodes, 6 * (leaves - 1 + i))
        for c in range(3):
            node[c], node[3 + c] = 1e300, -1e300
        for k in range((i * n) >> touch.levels, ((i + 1) * n) >> touch.levels):
            join(node, at(touch.boxes, 6 * touch.order[k]))
    for i in range(leaves - 1):
        k = leaves - 2 - i
        node = at(touch.nodes, 6 * k)
        for c in range(6):
            node[c] = touch.nodes[6 * (2 * k + 1) + c]
        join(node, at(touch.nodes, 6 * (2 * k + 2)))


@native
def join(node: Array, box: Array) -> None:
    """Widens a box so that it holds another."""
    for c in range(3):
        node[c] = box[c] if box[c] < node[c] else node[c]
        node[3 + c] = box[3 + c] if box[3 + c] > node[3 + c] else node[3 + c]


@native
def meets(box: Array, other: Array, reach: float) -> bool:
    """Whether boxes are at most `reach` apart along each axis."""
    for c in range(3):
        if box[c] - reach > other[3 + c] or other[c] - reach > box[3 + c]:
            return False
    return True


@native
def law_of(touch: TouchMemory, a: int, b: int) -> int:
    """The law between two facets: the one that names both objects, else the one of all; -1: none."""
    if touch.fixed[a] == 1 and touch.fixed[b] == 1:
        return -1
    p, q = touch.owner[a], touch.owner[b]
    general, named = -1, -1
    for law in range(touch.law_count):
        row = at(touch.laws, LAW * law)
        i, j = int(row[5]), int(row[6])
        if i < 0:
            if p != q or row[4] == 1.0:
                general = law
        elif (i == p and j == q) or (i == q and j == p):
            named = law
    if named >= 0:
        general = named
    if general >= 0 and p == q and shares(touch.ends, a, b):
        return -1
    return general


@native
def shares(ends: Ints, a: int, b: int) -> bool:
    """Whether two facets share a particle."""
    for k in range(3):
        for m in range(3):
            if ends[3 * a + k] == ends[3 * b + m]:
                return True
    return False


@native
def neighbours(touch: TouchMemory, reach: float) -> int:
    """Lists all pairs whose boxes are at most `reach` apart; their number, also of those without room."""
    n, count, leaves = touch.facet_count, 0, (1 << touch.levels) - 1
    for a in range(n):
        touch.first[a] = count
        box = at(touch.boxes, 6 * a)
        touch.stack[0] = 0
        top = 1
        while top > 0:
            top -= 1
            k = touch.stack[top]
            if not meets(box, at(touch.nodes, 6 * k), reach):
                continue
            if k < leaves:
                touch.stack[top], touch.stack[top + 1] = 2 * k + 1, 2 * k + 2
                top += 2
                continue
            i = k - leaves
            for m in range((i * n) >> touch.levels, ((i + 1) * n) >> touch.levels):
                b = touch.order[m]
                if b > a and meets(box, at(touch.boxes, 6 * b), reach):
                    law = law_of(touch, a, b)
                    if law >= 0:
                        if count < touch.room:
                            touch.other[count], touch.law[count] = b, law
                        count += 1
    touch.first[n] = count
    return count


@native
def renew_pairs(touch: TouchMemory, x: Array) -> None:
    """The list at these positions; pairs that were listed before keep what they are."""
    n = touch.facet_count
    base = 3 * touch.floor_count * n
    if touch.built:  # else the old list waits for room
        for k in range(n + 1):
            touch.old_first[k] = touch.first[k]
        for k in range(touch.pairs):
            touch.old_other[k], touch.old_state[k] = touch.other[k], touch.state[k]
            for c in range(3):
                touch.old_grip[3 * k + c] = touch.grip[base + 3 * k + c]
    build_tree(touch, x)
    least = FEWEST * touch.extent
    touch.margin = touch.wish if touch.wish > least else least
    count = neighbours(touch, touch.margin + 2.0 * touch.deepest)
    while count > MANY * n + 64 and touch.margin > least:
        touch.margin = 0.5 * touch.margin if touch.margin > 2.0 * least else least
        count = neighbours(touch, touch.margin + 2.0 * touch.deepest)
    touch.lists += 1
    if count > touch.room:
        touch.lack, touch.pairs, touch.built = count, 0, False
        for k in range(n + 1):
            touch.first[k] = 0
        return
    touch.pairs, touch.built = count, True
    if count == 0:  # nothing is near: look farther next time
        touch.wish = 2.0 * touch.margin if 2.0 * touch.margin < touch.widest else touch.widest
    for k in range(3 * touch.count):
        touch.listed[k] = x[k]
    for a in range(n):
        for k in range(touch.first[a], touch.first[a + 1]):
            touch.state[k] = APART if touch.fresh else NEW
            for c in range(3):
                touch.grip[base + 3 * k + c] = 0.0
            for m in range(touch.old_first[a], touch.old_first[a + 1]):
                if touch.old_other[m] == touch.other[k]:
                    touch.state[k] = touch.old_state[m]
                    for c in range(3):
                        touch.grip[base + 3 * k + c] = touch.old_grip[3 * m + c]


@native
def farthest(touch: TouchMemory, x: Array, start: Array) -> float:
    """A bound of how far any two particles moved against each other from `start` to x."""
    mx, my, mz = 0.0, 0.0, 0.0
    n = touch.count
    for i in range(n):
        mx += (x[3 * i] - start[3 * i]) / n
        my += (x[3 * i + 1] - start[3 * i + 1]) / n
        mz += (x[3 * i + 2] - start[3 * i + 2]) / n
    most = 0.0
    for i in range(n):
        dx = x[3 * i] - start[3 * i] - mx
        dy = x[3 * i + 1] - start[3 * i + 1] - my
        dz = x[3 * i + 2] - start[3 * i + 2] - mz
        square = dx * dx + dy * dy + dz * dz
        most = square if square > most else most
    return 2.0 * sqrt(most)
