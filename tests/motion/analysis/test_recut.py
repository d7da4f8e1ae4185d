"""Other cuts, the same mechanism: same places, same motion, never more operations."""

import numpy as np
import pytest
from shared_models import library

import hapsis as hs
from hapsis.mechanics.formalisms.tree.body_poses import body_poses
from hapsis.motion.analysis.assembly.recut import recut
from hapsis.motion.analysis.assembly.spanning_trees import Bodies, staying

CHANGED = ("slider_crank", "bricard")


@pytest.fixture(scope="module", params=CHANGED)
def pair(request):
    model = getattr(hs.library, request.param)()
    return model, recut(model)


def where(model, state):
    p, R = hs.compile(body_poses(model))(state.q)
    return np.concatenate([p.ravel(), R.ravel()])


@pytest.mark.slow
def test_bodies_are_in_the_same_places(pair):
    model, other = pair
    lead = model.independent[0]
    start = model.pose("start")[lead]
    assert [j.name for j in other.cuts] != [j.name for j in model.cuts]
    for d in (0.0, 0.2, -0.3):
        states = [hs.assemble(m, {lead: start + d, f"{lead}.v": 0.7}) for m in pair]
        places = [where(m, s) for m, s in zip(pair, states, strict=True)]
        assert places[1] == pytest.approx(places[0], abs=1e-9)
        for name in set(model.speeds) & set(other.speeds):
            assert states[1][name] == pytest.approx(states[0][name], abs=1e-9)


def test_the_motion_is_the_same(pair):
    lead = pair[0].independent[0]
    found = []
    for model in pair:
        state = hs.assemble(model)
        at = hs.compile(hs.reduced_dynamics(model, at=state))(state.q, state.v, 0 * state.v)
        found.append(at.a[model.speeds.index(f"{lead}.v")])
    assert found[1] == pytest.approx(found[0], rel=1e-9)


def test_it_never_costs_more(pair):
    costs = [hs.reduced_dynamics(model).cost().flops for model in pair]
    assert costs[1] < costs[0]


@pytest.mark.slow
def test_what_is_known_of_it_stays(pair):
    model, other = pair
    before, after = (hs.assemble(m).report for m in pair)
    assert other.independent == model.independent == after.independent == before.independent
    assert (after.mobility, after.gruebler) == (before.mobility, before.gruebler)
    assert after.rank <= before.rank and after.rows <= before.rows
    assert set(other.bodies) == set(model.bodies) and set(other.joints) == set(model.joints)
    assert other.parameters == model.parameters and other.gravity == model.gravity
    assert recut(other).coordinates == other.coordinates


def test_poses_are_carried_over():
    model = library.slider_crank()
    poses = {"start": {**model.poses["start"], "crank.v": 2.0}, "flat": {"crank": 0.0, "coupler": 0.0}}
    poses["torn"] = {"crank": 5.0, "crank.v": 1.0, "coupler.v": 9.0}
    other = recut(model.replace(poses=poses))
    (new,) = set(other.coordinates) - set(model.coordinates)
    assert other.poses["start"]["slider"] == model.poses["start"]["slider"]  # the formula
    start = other.pose("start")
    assert set(start) == {*other.coordinates, *other.speeds}
    state = hs.assemble(other)
    assert list(state.q) == [start[n] for n in other.coordinates]  # closed as it is
    assert list(state.v) == pytest.approx([start[n] for n in other.speeds], abs=1e-12)
    assert abs(start[f"{new}.v"]) > 0.3
    assert set(other.pose("flat")) == set(other.coordinates)
    reach = model.parameters["r"] + model.parameters["l"]
    assert other.pose("flat")["slider"] == pytest.approx(reach)


def test_what_has_no_loops_or_no_better_cuts_comes_back():
    arm = hs.Model(hs.Rod("a", 1, 1), hs.Revolute("j", hs.WORLD, "a"))
    assert recut(arm) is arm
    for name in ("three_bar", "redundant_four_bar", "stewart", "five_link_suspension", "n_four_bar"):
        model = getattr(hs.library, name)()
        assert recut(model) is model  # balls are cut already, or other cuts cost as much


def four_bar(*facts, **fields):
    """A loop whose ball joint stands in the tree and whose last hinge is cut."""
    return hs.Model(
        hs.Rod("a", 0.2, 0.2),
        hs.Rod("b", 0.5, 0.5),
        hs.Rod("c", 0.4, 0.4),
        hs.Revolute("A", hs.WORLD, "a", axis="y"),
        hs.Ball("B", "a.end", "b"),
        hs.Universal("C", "b.end", "c", axes=("y", "z")),
        hs.Revolute("D", hs.WORLD.at(0.45, 0, 0), "c.end", axis=(0.1, 1, 0.2), **fields),
        *facts,
        independent=["A"],
        poses={"start": {"A": 0.4}},
    )


@pytest.mark.slow
def test_joints_of_many_degrees_are_cut():
    model = four_bar()
    other = recut(model)
    assert [j.name for j in model.cuts] == ["D"] and len(model.speeds) == 6
    assert [j.name for j in other.cuts] == ["B"] and len(other.speeds) == 4
    states = hs.assemble(model), hs.assemble(other)
    places = where(model, states[0]), where(other, states[1])
    assert places[1] == pytest.approx(places[0], abs=1e-8)
    assert states[0].report.mobility == states[1].report.mobility == 1
    # the Gruebler count is of the mechanism, not of its cuts
    assert states[0].report.gruebler == states[1].report.gruebler
    # a model without a start gets one, so that it is assembled the same way
    bare = recut(model.replace(poses={}))
    assert set(bare.pose("start")) == set(bare.coordinates)


def test_joints_that_act_stay():
    assert "D" in staying(four_bar(damping=0.1)) and "D" in staying(four_bar(limits=(-1, 1)))
    assert recut(four_bar(damping=0.1)).cuts[0].name == "D"
    spring = hs.JointSpring("s", "C.Ry", stiffness=1.0)
    assert staying(four_bar(spring)) == {"A", "C"}
    assert recut(four_bar(spring)).coordinates[-1] == "D"
    driven = hs.Drive("motor", "C.Rz", position=0.0)
    assert staying(four_bar(driven)) == {"A", "C"}
    free = hs.Model(hs.Rod("a", 1, 1), hs.Free("f", hs.WORLD, "a"), hs.Ball("b", hs.WORLD, "a"))
    assert staying(free) == {"f"} and recut(free) is free


@pytest.mark.slow
def test_functions_of_the_user_are_not_broken():
    """A law that reads a coordinate of what would be cut keeps the cuts as they are."""
    model = four_bar(hs.Controller("law", lambda s: {"A": -0.1 * s["B.qx"]}))
    assert recut(model) is model
    other = recut(four_bar(hs.Controller("law", lambda s: {"A": -0.1 * s["C.Ry"]})))
    assert [joint.name for joint in other.cuts] == ["B"]


def test_trees_of_the_agile_eye():
    """Welds stand in the tree, and three hinges are cut: three coordinates and rows less."""
    bodies = Bodies(library.agile_eye())
    now, best = bodies.score(bodies.start()), bodies.score(bodies.best())
    assert (now.coordinates, best.coordinates) == (33, 30) and best.entries < now.entries
