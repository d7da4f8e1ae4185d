"""Joints that close loops: the same joint in the tree knows all poses that its rows must allow."""

import numpy as np
import pytest
from shared_models import library
from travelling import check_rates

import hapsis as hs
from hapsis.mechanics.algebra.quaternions import quaternions
from hapsis.mechanics.formalisms.constraints.constraint_rows import linearized, rows_of
from hapsis.mechanics.formalisms.constraints.row_names import constraint_names
from hapsis.mechanics.formalisms.tree.posed_tree import posed_tree
from hapsis.mechanics.formalisms.tree.tree import Tree, is_zero

SKEW = (0.36, -0.48, 0.8)
JOINTS = {
    "revolute": (lambda a, b, n: hs.Revolute(n, a, b, axis="y"), 1),
    "skew revolute": (lambda a, b, n: hs.Revolute(n, a, b, axis=SKEW), 1),
    "prismatic": (lambda a, b, n: hs.Prismatic(n, a, b, axis="x"), 1),
    "skew prismatic": (lambda a, b, n: hs.Prismatic(n, a, b, axis=SKEW), 1),
    "helical": (lambda a, b, n: hs.Helical(n, a, b, axis="z", pitch=0.1), 1),
    "skew helical": (lambda a, b, n: hs.Helical(n, a, b, axis=SKEW, pitch=-0.2), 1),
    "cylindrical": (lambda a, b, n: hs.Cylindrical(n, a, b, axis="-y"), 2),
    "universal": (lambda a, b, n: hs.Universal(n, a, b), 2),
    "skew universal": (lambda a, b, n: hs.Universal(n, a, b, axes=("x", (0.6, 0.8, 0))), 2),
    "planar": (lambda a, b, n: hs.Planar(n, a, b, normal="y"), 3),
    "ball": (lambda a, b, n: hs.Ball(n, a, b), 3),
    "weld": (lambda a, b, n: hs.Weld(n, a, b), 0),
}


def pair(kind):
    """Body b on body a by a joint, in the tree; and both free, the joint closing the loop."""
    make, _ = JOINTS[kind]
    places = {
        "a": hs.Frame((0.1, 0.2, -0.3), (0.4, -0.2, 0.9)),
        "b": hs.Frame((-0.2, 0.1, 0.3), (-0.3, 0.5, 0.2)),
    }
    bodies = [
        hs.Body(name, mass=1.0, inertia=(1, 1, 1), frames={"f": frame}) for name, frame in places.items()
    ]
    first = hs.Free("fa", hs.WORLD.at(0.3, 0, 0), "a")
    tree = hs.Model(*bodies, first, make("a.f", "b.f", "j"))
    loop = hs.Model(*bodies, first, hs.Free("fb", hs.WORLD, "b"), make("a.f", "b.f", "j"))
    return tree, loop


def states(tree, loop, seed):
    """A random state of the tree, and the same of the loop, speeds and accelerations too."""
    draw = np.random.default_rng(seed)
    q, v, a = (draw.uniform(-1, 1, n) for n in (len(tree.coordinates), len(tree.speeds), len(tree.speeds)))
    for k, name in enumerate(tree.coordinates):
        if name.endswith(".qw"):
            q[k : k + 4] /= np.linalg.norm(q[k : k + 4])
    pose = hs.compile(hs.pose(tree, "b"))(q)
    V = hs.compile(hs.velocity(tree, "b", axes="frame"))(q, v)
    A = hs.compile(hs.acceleration(tree, "b", axes="frame"))(q, v, a)
    # the speeds of a free joint are in its own axes, so their rates have no turning part
    linear = A[3:] - np.cross(V[:3], V[3:])
    whole = np.concatenate([q[:7], pose.p, quaternions(pose.R)])
    return whole, np.concatenate([v[:6], V]), np.concatenate([a[:6], A[:3], linear])


@pytest.mark.parametrize("kind", JOINTS)
def test_rows_allow_what_the_joint_allows(kind):
    tree, loop = pair(kind)
    rows = hs.compile(hs.constraints(loop))
    names = constraint_names(loop)
    assert len(names) == len(set(names)) == 6 - JOINTS[kind][1]
    for seed in range(8):
        q, v, a = states(tree, loop, seed)
        found = rows(q, v)
        assert np.abs(found.h).max() < 1e-14
        assert np.abs(found.J @ v).max() < 1e-13
        assert np.abs(found.J @ a + found.gamma).max() < 1e-12
        assert np.linalg.matrix_rank(found.J, tol=1e-9) == len(names)


@pytest.mark.parametrize("kind", JOINTS)
def test_derivatives_of_the_rows(kind):
    """J v and J a + gamma are what differences of h say, also where the loop is open."""
    _, loop = pair(kind)
    draw = np.random.default_rng(3)
    q, v, a = draw.normal(size=14), draw.normal(size=12), draw.normal(size=12)
    for k in (3, 10):
        q[k : k + 4] = (1.0, 0.1, -0.2, 0.05)
        q[k : k + 4] /= np.linalg.norm(q[k : k + 4])
    check_rates(loop, q, v, a)


def deep(*facts):
    """A loop far out on a mechanism that moves, with parallel axes, and one joint met backwards."""
    names = ("hull", "stem", "a", "b", "c", "d")
    bodies = [
        hs.Body(n, 1.0, inertia=(1, 1, 1), frames={"f": hs.Frame((0.3, 0.1, -0.2), TURN)}) for n in names
    ]
    return hs.Model(
        *bodies,
        hs.Free("hull", hs.WORLD, "hull"),
        hs.Cylindrical("stem", "hull.f", "stem"),
        hs.Revolute("a", "stem", "a", axis="y"),
        hs.Revolute("b", ("a", (0.4, 0, 0)), "b", "y"),
        hs.Revolute("c", "c", "stem.f", axis="y"),
        hs.Revolute("d", ("c", (0.3, 0, 0)), "d", "y"),
        *facts,
    )


TURN = (0.4, -0.2, 0.9)


@pytest.mark.parametrize("condensed", [False, True])
def test_rows_are_what_the_poses_in_the_world_say(condensed):
    model = deep(hs.Weld("w", "b.f", "d.f"), hs.Ball("z", "a.f", hs.WORLD.at(0.1, 0.2, 0.3)))
    posed = Tree(posed_tree(model).links, condensed=condensed)
    assert bool(posed.turned) == condensed
    rows = rows_of(posed)
    assert list(rows.values) == ["w.x", "w.y", "w.z", "w.rx", "w.ry", "w.rz", "z.x", "z.y", "z.z"]
    f = hs.compile(hs.Function("h", {"q": posed.q}, {"h": list(rows.values.values())}), "python")
    first, second, third = (hs.compile(hs.pose(model, n)) for n in ("b.f", "d.f", "a.f"))
    for seed in range(3):
        q = np.random.default_rng(seed).uniform(-1, 1, len(model.coordinates))
        (p1, R1), (p2, R2), (p3, R3) = (pose(q) for pose in (first, second, third))
        d, R = R1.T @ (p2 - p1), R1.T @ R2
        skew = [(R[2, 1] - R[1, 2]) / 2, (R[0, 2] - R[2, 0]) / 2, (R[1, 0] - R[0, 1]) / 2]
        expected = [*d, *skew, *(R3.T @ (np.array([0.1, 0.2, 0.3]) - p3))]
        assert f(q) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("condensed", [False, True])
def test_rows_know_nothing_of_what_carries_the_whole_loop(condensed):
    model = deep(hs.Ball("w", "b.f", "d.f"), hs.Distance("l", "a.f", "d", 0.3))
    posed = Tree(posed_tree(model).links, condensed=condensed)
    rows = rows_of(posed)
    J = linearized(posed, rows, rows.names, posed.symbols("v")).J
    names = {name for name, column in zip(model.speeds, J.T, strict=True) if not all(map(is_zero, column))}
    assert names == {"a.v", "b.v", "c.v", "d.v"}
    hull = hs.Model(hs.Body("h", 1.0, inertia=(1, 1, 1)), hs.Free("h", hs.WORLD, "h"))
    moving = hull + library.slider_crank().prefixed("s", on="h")
    assert hs.constraints(moving).cost() == hs.constraints(library.slider_crank()).cost()


def test_constraints_that_are_no_joints():
    rods = [hs.Rod("a", 1.0, 1.0), hs.Rod("b", 1.0, 1.0)]
    joints = [
        hs.Revolute("j", hs.WORLD, "a", axis="y"),
        hs.Revolute("k", hs.WORLD.at(1, 0, 0), "b", axis="y"),
    ]
    model = hs.Model(
        *rods,
        *joints,
        hs.Distance("d", "a.end", "b.end", 0.5),
        hs.Gear("g", "j", "k", 2.0, 0.1),
        hs.Constraint("c", lambda s: [s["j"] - hs.sin(s.t), s["j"] + s["k"]]),
    )
    assert constraint_names(model) == ("d.length", "g.ratio", "c.1", "c.2")
    q, v, t = np.array([0.3, 0.7]), np.array([1.0, -2.0]), 0.4
    found = hs.compile(hs.constraints(model))(q, v, t)
    tips = [np.array([c + np.cos(x), -np.sin(x)]) for x, c in zip(q, (0, 1), strict=True)]
    far = np.linalg.norm(tips[1] - tips[0])
    expected = [(far**2 - 0.25) / 1.0, 0.7 - 0.6 - 0.1, 0.3 - np.sin(t), 1.0]
    assert found.h == pytest.approx(expected)
    assert found.J[1:] == pytest.approx(np.array([[-2.0, 1.0], [1.0, 0.0], [1.0, 1.0]]))
    assert found.gamma[1:] == pytest.approx([0.0, np.sin(t), 0.0])


def test_planar_loops_have_planar_rows():
    """Rows that are zero in every pose are not there."""
    model = hs.Model(
        hs.Rod("a", 1, 1),
        hs.Rod("b", 1, 1),
        hs.Revolute("j", hs.WORLD, "a", axis="y"),
        hs.Revolute("k", "a.end", "b", axis="y"),
        hs.Revolute("c", "b.end", hs.WORLD.at(1, 0, 0), axis="y"),
    )
    assert constraint_names(model) == ("c.x", "c.z")


def test_what_can_never_be_met():
    model = hs.Model(
        hs.Rod("a", 1, 1),
        hs.Rod("b", 1, 1),
        hs.Revolute("j", hs.WORLD, "a", axis="y"),
        hs.Revolute("k", "a.end", "b", axis="y"),
        hs.Revolute("c", "b.end", hs.WORLD.at(1, 0.01, 0), axis="y"),
    )
    with pytest.raises(hs.ModelError, match=r'"c.y" can never be met: it is 0.01 in every pose'):
        hs.constraints(model)


def test_errors():
    rods = [hs.Rod("a", 1, 1), hs.Rod("b", 1, 1)]
    joints = [hs.Revolute("j", hs.WORLD, "a"), hs.Revolute("k", "a.end", "b")]
    with pytest.raises(hs.ModelError, match="no loops"):
        hs.constraints(hs.Model(*rods, *joints))
    closed = hs.Model(*rods, *joints, hs.Chain("c", "b.end", hs.WORLD, "Tx Rz"))
    with pytest.raises(hs.ModelError, match="Chain cannot close a loop"):
        hs.constraints(closed)
    free = hs.Model(*rods, *joints, hs.Free("f", "b.end", hs.WORLD))
    with pytest.raises(hs.ModelError, match='"f": it closes a loop and holds nothing'):
        hs.constraints(free)
    unknown = hs.Model(*rods, *joints, hs.Constraint("u", lambda s: s["jj"]))
    with pytest.raises(hs.ModelError, match='no coordinate "jj"'):
        hs.constraints(unknown)
