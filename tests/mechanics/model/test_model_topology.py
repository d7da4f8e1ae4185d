"""The spanning tree: cuts in the order given, directions from the world, order of coordinates."""

import random
import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hapsis.mechanics.model.bodies import Body, Rod
from hapsis.mechanics.model.drives import Drive
from hapsis.mechanics.model.frames import WORLD, Frame
from hapsis.mechanics.model.joints.ball import Ball
from hapsis.mechanics.model.joints.free import Free
from hapsis.mechanics.model.joints.planar import Planar
from hapsis.mechanics.model.joints.prismatic import Prismatic
from hapsis.mechanics.model.joints.revolute import Revolute
from hapsis.mechanics.model.joints.weld import Weld
from hapsis.mechanics.model.model import Model


def four_bar(*order):
    joints = {
        "A": Revolute("A", WORLD, "crank", axis="y"),
        "B": Revolute("B", "crank.end", "coupler", axis="y"),
        "D": Revolute("D", WORLD.at(0.45, 0, 0), "rocker", axis="y"),
        "C": Revolute("C", "coupler.end", "rocker.end", axis="y"),
    }
    rods = [Rod("crank", 0.2, 0.2), Rod("coupler", 0.5, 0.5), Rod("rocker", 0.4, 0.4)]
    return Model(rods, [joints[name] for name in order or "ABDC"])


def test_a_joint_between_connected_ends_closes_the_loop():
    model = four_bar()
    assert [j.name for j in model.cuts] == ["C"]
    assert model.coordinates == ("A", "B", "D") and model.speeds == ("A.v", "B.v", "D.v")
    assert [(t.joint.name, t.parent, t.child, t.reversed) for t in model.tree] == [
        ("A", "world", "crank", False),
        ("B", "crank", "coupler", False),
        ("D", "world", "rocker", False),
    ]
    assert model.tree[1].parent_frame == Frame((0.2, 0, 0))
    assert model.tree[2].parent_frame == Frame((0.45, 0, 0))
    assert repr(model) == "Model(3 bodies, 4 joints, 3 coordinates)"


def test_the_user_decides_the_cut_and_the_joint_may_be_traversed_backwards():
    model = four_bar("A", "D", "C", "B")
    assert [j.name for j in model.cuts] == ["B"] and model.coordinates == ("A", "D", "C")
    last = model.tree[-1]
    assert (last.joint.name, last.parent, last.child, last.reversed) == ("C", "rocker", "coupler", True)
    assert last.parent_frame == Frame((0.4, 0, 0)) and last.child_frame == Frame((0.5, 0, 0))


def random_tree(seed, n):
    """Joints of a random tree over n bodies, some written backwards."""
    r = random.Random(seed)
    joints = []
    for k in range(n):
        ends = [WORLD if (parent := r.randrange(-1, k)) < 0 else f"b{parent}", f"b{k}"]
        kind = r.choice([Revolute, Prismatic, Ball, Free, Planar, Weld])
        joints.append(kind(f"j{k}", *(ends[::-1] if r.random() < 0.5 else ends)))
    return joints


@settings(max_examples=60)
@given(st.integers(0, 10**6), st.integers(1, 30), st.randoms(use_true_random=False))
def test_the_order_of_the_facts_changes_no_tree(seed, n, shuffler):
    bodies, joints = [Body(f"b{k}", 1.0, inertia=(1, 1, 1)) for k in range(n)], random_tree(seed, n)
    plain = Model(bodies, joints)
    mixed = [*bodies, *joints]
    shuffler.shuffle(mixed)
    model = Model(mixed)
    assert set(model.tree) == set(plain.tree) and model.cuts == ()
    assert model.coordinates == tuple(n for j in model.joints.values() for n in j.coordinates)
    assert sorted(model.coordinates) == sorted(plain.coordinates)
    assert len(model.zero) == len(model.coordinates)
    placed = {"world"}
    for t in model.tree:
        assert t.parent in placed and t.child not in placed
        ends = (t.joint.first.body, t.joint.second.body)
        assert ends == ((t.child, t.parent) if t.reversed else (t.parent, t.child))
        placed.add(t.child)
    assert placed == {"world", *model.bodies}


@settings(max_examples=60)
@given(st.integers(0, 10**6), st.integers(2, 20), st.integers(1, 8))
def test_every_joint_more_than_bodies_is_a_cut(seed, n, more):
    r = random.Random(seed)
    joints = random_tree(seed, n)
    for k in range(more):
        a, b = r.sample(range(n), 2)
        joints.insert(r.randrange(len(joints)), Revolute(f"x{k}", f"b{a}", f"b{b}"))
    model = Model([Body(f"b{k}", 1.0, inertia=(1, 1, 1)) for k in range(n)], joints)
    assert len(model.tree) == n and len(model.cuts) == more
    assert {t.joint.name for t in model.tree} | {j.name for j in model.cuts} == set(model.joints)
    # a cut connects what the joints given before it, cuts or not, had connected already
    names = [j.name for j in joints]
    assert [j.name for j in model.cuts] == sorted((j.name for j in model.cuts), key=names.index)
    assert {j.name for j in model.moving} == {t.joint.name for t in model.tree}


def test_the_tree_keeps_the_given_order_where_it_can():
    bodies = [Body(name, 1, inertia=(1, 1, 1)) for name in "abcd"]
    model = Model(
        bodies,
        Revolute("4", "c", "d"),
        Revolute("2", WORLD, "b"),
        Revolute("1", WORLD, "a"),
        Revolute("3", "a", "c"),
    )
    assert [t.joint.name for t in model.tree] == ["2", "1", "3", "4"]
    assert model.coordinates == ("4", "2", "1", "3")


def test_zero_and_limits_by_coordinate():
    model = Model(
        Body("a", 1, inertia=(1, 1, 1)),
        Body("b", 1, inertia=(1, 1, 1)),
        Body("c"),
        Free("base", WORLD, "a", limits={"z": (0, None)}),
        Ball("ball", "a", "b"),
        Revolute("hinge", "b", "c", limits=("-lim", "lim")),
        parameters={"lim": 1.5},
    )
    assert model.zero.tolist() == [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0]
    assert model.limits.shape == (12, 2)
    assert model.limits[2].tolist() == [0, np.inf] and model.limits[11].tolist() == [-1.5, 1.5]
    assert np.isinf(model.limits).sum() == 2 * 12 - 3
    assert model.plain == {"base.x", "base.y", "base.z", "hinge"}


def test_no_bodies_at_all():
    model = Model()
    assert model.tree == () and model.limits.shape == (0, 2) and model.zero.shape == (0,)
    assert repr(model) == "Model(0 bodies, 0 joints, 0 coordinates)"


def test_names_of_places():
    model = Model(
        Body("arm", frames={"end": (1, 0, 0)}),
        Body("arm.end.b", frames={"end": (2, 0, 0)}),
        Body("arm.x", frames={"y": (3, 0, 0)}),
        Body("world", frames={"dock": (4, 0, 0)}),
        Weld("1", WORLD, "arm"),
        Weld("2", "arm.end", "arm.end.b"),
        Weld("3", "arm", "arm.x"),
        Drive("d", "4", position=1),
        Revolute("4", "world.dock", "last"),
        Body("last"),
    )
    assert model.frame("arm") == ("arm", Frame()) and model.frame("world") == ("world", Frame())
    assert model.frame("arm.end") == ("arm", Frame((1, 0, 0)))
    assert model.frame("arm.end.b.end") == ("arm.end.b", Frame((2, 0, 0)))
    assert model.frame("arm.x") == ("arm.x", Frame())
    assert model.frame("world.dock") == ("world", Frame((4, 0, 0)))
    assert model.frame(WORLD.at(1, 2, 3)) == ("world", Frame((1, 2, 3)))
    assert model.frame(("arm.end", (1, 1, 1))) == ("arm", Frame((2, 1, 1)))
    assert "world" not in model.bodies and model.world.frames["dock"] == Frame((4, 0, 0))


def chain(n, order=None):
    joints = [Revolute(f"j{k}", f"b{k - 1}.end" if k else WORLD, f"b{k}") for k in range(n)]
    if order:
        order.shuffle(joints)
    end = {"end": Frame((0, 0, 1))}
    return [Body(f"b{k}", 1.0, (0, 0, 0.5), (0.1, 0.1, 0.1), end) for k in range(n)], joints


@pytest.mark.slow
@pytest.mark.parametrize("order", [None, random.Random(1)])
def test_twenty_thousand_bodies_take_four_times_as_long_as_five_thousand(order):
    """Four times the bodies take about four times as long; were it sixteen, it would be so every time."""
    times = {}
    for _ in range(5):  # processor time is longer, too, where others need the machine
        for n in (5_000, 20_000):
            start = time.process_time()
            model = Model(chain(n, order))
            times[n] = min(times.get(n, np.inf), time.process_time() - start)
            assert len(model.tree) == n
        if times[20_000] < 8 * times[5_000]:
            return
    pytest.fail(f"seconds by the number of bodies: {times}")
