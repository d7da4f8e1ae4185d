"""Random solids, and an oracle of distances that knows nothing of how contacts are found.

The signed distance of two convex solids is the largest of n·x - n·y over all directions n, where
x is the point of the first furthest against n and y that of the second furthest along n. It is the
distance of those apart, and minus the shortest way out of those that overlap.
"""

from functools import cache

import numpy as np
from scipy.spatial.transform import Rotation

from hapsis import compile
from hapsis.compiler.ir.functions.function import Function
from hapsis.compiler.ir.graph.elementary_functions import maximum
from hapsis.compiler.ir.graph.expr import symbols
from hapsis.compiler.ir.graph.graph import Graph
from hapsis.mechanics.algebra.contact_geometry.solid_pairs import touches
from hapsis.mechanics.algebra.contact_geometry.touch import Solid, Touch
from hapsis.mechanics.algebra.rotations import of_quaternion
from hapsis.mechanics.algebra.vectors import add, cross
from hapsis.mechanics.formalisms.forces.gap_gradients import GapGradients
from hapsis.mechanics.formalisms.forces.touch_forces import exact

LENGTHS = {"point": 0, "sphere": 1, "segment": 1, "capsule": 2, "box": 3, "cylinder": 2}
CONVEX = tuple(LENGTHS)
GROUNDS = ("plane", "heightfield")


def hills(x, y):
    """A surface with its slopes, for numbers and expressions alike."""
    return 0.1 * x * x - 0.2 * x * y + 0.3 * y, 0.2 * x - 0.2 * y, 0.3 - 0.2 * x


def solid(kind, p=(0.0, 0.0, 0.0), size=(), R=None):
    """A solid of numbers."""
    R = np.eye(3) if R is None else np.asarray(R, float)
    rows = tuple(tuple(float(x) for x in row) for row in R)
    surface = hills if kind == "heightfield" else None
    return Solid(kind, rows, tuple(map(float, p)), tuple(map(float, size)), surface)


def random_solid(kind, numbers, spread=0.6):
    """Somewhere, turned somehow, about as large as the spread."""
    size = numbers.uniform(0.2, 0.8, LENGTHS.get(kind, 0))
    R = Rotation.random(random_state=numbers).as_matrix()
    return solid(kind, numbers.uniform(-spread, spread, 3), size, R)


def moved(s, offset):
    """The same solid elsewhere."""
    return s._replace(p=tuple(np.add(s.p, offset).tolist()))


def carried(s, R, p):
    """The same solid, with space turned and moved."""
    return s._replace(
        R=tuple(map(tuple, (R @ np.array(s.R)).tolist())), p=tuple((R @ np.array(s.p) + p).tolist())
    )


def pressed(first, second, numbers, depth):
    """Two random solids that overlap by so much, or by a little less."""
    a, b = random_solid(first, numbers), random_solid(second, numbers)
    found, n = separation(a, b)
    return moved(a, -(found + depth) * n), b


def reach(s, n):
    """How far a solid reaches along directions, the rows of n, from the origin."""
    local = n @ np.array(s.R)
    centre = n @ np.array(s.p)
    across = np.hypot(local[:, 0], local[:, 1])
    match s.kind, s.size:
        case "point", _:
            own = 0.0
        case "sphere", (r,):
            own = r
        case "segment", (length,):
            own = 0.5 * length * abs(local[:, 2])
        case "capsule", (r, length):
            own = r + 0.5 * length * abs(local[:, 2])
        case "cylinder", (r, length):
            own = r * across + 0.5 * length * abs(local[:, 2])
        case "box", size:
            own = 0.5 * abs(local) @ np.array(size)
        case _:
            raise AssertionError(s.kind)
    return centre + own


_BALL = np.random.default_rng(0).normal(size=(3000, 3))
_BALL /= np.linalg.norm(_BALL, axis=1)[:, None]


def distance(a, b):
    """The signed distance of two convex solids."""
    return separation(a, b)[0]


def separation(a, b):
    """The signed distance of two convex solids and its direction, by search."""

    def apart(n):
        return -reach(a, -n) - reach(b, n)

    special = [np.array(s.R).T for s in (a, b)]
    special.append(np.array([np.cross(x, y) for x in special[0] for y in special[1]]))
    extra = np.concatenate([*special, [np.subtract(a.p, b.p)]])
    lengths = np.linalg.norm(extra, axis=1)
    extra = extra[lengths > 1e-6] / lengths[lengths > 1e-6][:, None]
    n = np.concatenate([_BALL, extra, -extra])
    best = n[np.argsort(-apart(n))[:6]]
    numbers, width = np.random.default_rng(1), 0.1
    while width > 1e-9:
        tried = best[:, None, :] + width * numbers.normal(size=(len(best), 80, 3))
        tried[:, 0] = best
        tried /= np.linalg.norm(tried, axis=2)[:, :, None]
        values = apart(tried.reshape(-1, 3)).reshape(tried.shape[:2])
        best = tried[np.arange(len(best)), values.argmax(axis=1)]
        width *= 0.7
    values = apart(best)
    return float(values.max()), best[values.argmax()]


def live(found):
    """The touches that carry anything."""
    return [t for t in found if t.share > 1e-9]


def gap_of(a, b):
    """The gap that a contact tells: the least of all touches."""
    return min(t.distance for t in touches(a, b))


def by_gradient(first, second):
    """Whether the forces of two kinds are gradients of gaps that no normal tells."""
    return not exact(solid(first), solid(second)) and "heightfield" not in (first, second)


@cache
def compiled(first, second):
    """(x, y, s) -> V, wrench, rows for two kinds of solids: see `pushes`.

    V of springs of 1 N/m at all touches, the force and moment about the origin that they have on
    the first, and rows of gap, normal, point, share.
    """
    graph = Graph()
    n = LENGTHS.get(first, 0), LENGTHS.get(second, 0)
    x, y = (symbols(name, 7, graph=graph) for name in "xy")
    s = symbols("s", 1 + sum(n), graph=graph)
    a = Solid(first, of_quaternion(*x[3:]), tuple(x[:3]), tuple(s[1 : 1 + n[0]]))
    b = Solid(second, of_quaternion(*y[3:]), tuple(y[:3]), tuple(s[1 + n[0] :]))
    gaps = GapGradients(a, b)
    forces = [t.share * maximum(-t.gap, 0.0) for t in gaps.touches]
    V = sum(0.5 * f * maximum(-t.gap, 0.0) for f, t in zip(forces, gaps.touches, strict=True))
    force, moment = gaps.wrench(forces)
    outputs = {
        "V": V,
        "wrench": [*force, *add(moment, cross(a.p, force))],
        "rows": [row(t) for t in gaps.touches],
        "gap": [t.distance for t in gaps.touches],
    }
    return compile(Function("pushes", {"x": x, "y": y, "s": s}, outputs))


def given(*solids):
    """Solids as the arguments of `compiled`."""
    poses = [[*s.p, *Rotation.from_matrix(s.R).as_quat()[[3, 0, 1, 2]]] for s in solids]
    return [np.array(pose) for pose in poses] + [np.array([1.0, *(x for s in solids for x in s.size)])]


def pushes(a, b):
    """What two solids of numbers do to each other, where forces are gradients."""
    return compiled(a.kind, b.kind)(*given(a, b))


def wrench(a, b):
    """Force and moment about the origin that springs at all touches have on the first solid."""
    if by_gradient(a.kind, b.kind):
        return pushes(a, b).wrench
    total = np.zeros(6)
    for t in touches(a, b):
        f = t.share * max(-t.gap, 0.0) * np.array(t.normal)
        total += np.concatenate([f, np.cross(t.point, f)])
    return total


def told(a, b):
    """The touches as contacts feel them: normals of gradients where forces are."""
    if not by_gradient(a.kind, b.kind):
        return touches(a, b)
    return [Touch(r[0], r[1:4], r[4:7], r[7]) for r in pushes(a, b).rows]


def traced(first, second):
    """(x, y, s) -> rows of gap, normal, point, share; x and y are place and quaternion."""
    graph = Graph()
    n = LENGTHS.get(first, 0), LENGTHS.get(second, 0)
    x, y = (symbols(name, 7, graph=graph) for name in "xy")
    s = symbols("s", 1 + sum(n), graph=graph)

    def posed(kind, x, size):
        surface = hills if kind == "heightfield" else None
        return Solid(kind, of_quaternion(*x[3:]), tuple(x[:3]), tuple(size), surface)

    found = touches(posed(first, x, s[1 : 1 + n[0]]), posed(second, y, s[1 + n[0] :]))
    rows = [[t.gap, *t.normal, *t.point, t.share] for t in found]
    return Function("touches", {"x": x, "y": y, "s": s}, {"rows": rows})


def row(t):
    """A touch as the rows of `traced` have it."""
    return [t.gap, *t.normal, *t.point, t.share]
