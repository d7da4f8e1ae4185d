"""Loops are closed from far away, what is held stays, and the report tells the truth."""

import numpy as np
import pytest
from shared_models import four_bar

import hapsis as hs


def gap(model, q):
    ends = [hs.compile(hs.pose(model, name))(q).p for name in ("coupler.end", "rocker.end")]
    return np.linalg.norm(ends[0] - ends[1])


@pytest.mark.parametrize("angle", np.linspace(-3.0, 3.0, 13))
def test_a_four_bar_at_any_angle(angle):
    model = four_bar()
    state = hs.assemble(model, {"A": angle})
    assert state["A"] == angle and gap(model, state.q) < 1e-12 and state.report.gap < 1e-12
    assert state.report.mobility == 1 and state.report.rank == 2 and state.report.rows == 2
    assert state.report.redundant == () and state.report.independent == ("A",)


def test_speeds_keep_the_loop_closed():
    model = four_bar()
    state = hs.assemble(model, {"A": 0.3, "A.v": 2.0})
    assert state["A.v"] == 2.0
    after, before = (state.q + s * 1e-6 * state.v for s in (1, -1))
    assert gap(model, after) + gap(model, before) < 1e-11  # second order only


def test_what_is_chosen_when_nothing_is():
    state = hs.assemble(four_bar())
    assert state.report.gap < 1e-12 and len(state.report.independent) == 1
    chosen = hs.assemble(four_bar(independent=("D",), poses={"start": {"D": 1.3, "B": 0.3}}))
    assert chosen["D"] == 1.3 and chosen.report.independent == ("D",)
    assert hs.assemble(four_bar(poses={"start": {"A": 0.5}}), {"D": 1.4})["D"] == 1.4


def test_drives_are_held():
    moving = four_bar(hs.Drive("motor", "A", position=lambda t: 0.3 + 6.28 * t))
    state = hs.assemble(moving)
    assert state["A"] == 0.3 and state["A.v"] == pytest.approx(6.28)
    assert state.report.mobility == 1 and state.report.independent == ()
    J = hs.compile(hs.constraints(moving))(state.q, state.v).J
    assert np.abs(J @ state.v).max() < 1e-12
    locked = hs.assemble(four_bar(hs.Drive("lock", "A", position=0.4)))
    assert locked["A"] == 0.4 and locked.report.mobility == 0
    formula = hs.assemble(four_bar(hs.Drive("d", "A", position="0.2 + 2 * t")))
    assert formula["A"] == 0.2 and formula["A.v"] == pytest.approx(2.0)


def test_a_pose_given_wins_over_where_a_drive_starts_only_if_they_agree():
    moving = four_bar(hs.Drive("motor", "A", position=lambda t: 0.3 + t))
    assert hs.assemble(moving, {"A": 0.3})["A"] == 0.3


def test_redundant_rows_are_named():
    """A parallelogram with a third crank: one row of the second loop says nothing new."""
    model = hs.Model(
        hs.Rod("a", 1, 1),
        hs.Rod("b", 2, 1),
        hs.Rod("c", 1, 1),
        hs.Rod("d", 1, 1),
        hs.Revolute("A", hs.WORLD, "a", axis="y"),
        hs.Revolute("B", "a.end", "b", axis="y"),
        hs.Revolute("C", hs.WORLD.at(2, 0, 0), "c", axis="y"),
        hs.Revolute("D", hs.WORLD.at(1, 0, 0), "d", axis="y"),
        hs.Revolute("bc", "b.end", "c.end", axis="y"),
        hs.Revolute("bd", "b.mid", "d.end", axis="y"),
        poses={"start": {"A": 0.6, "B": -0.6, "C": 0.6, "D": 0.6}},
    )
    report = hs.assemble(model, {"A": 0.6}).report
    assert report.mobility == 1 and report.rows == 4 and report.rank == 3
    assert len(report.redundant) == 1 and report.redundant[0].split(".")[0] in ("bc", "bd")
    assert "mobility 1" in str(report) and report.redundant[0] in str(report)


def test_spatial_loops_with_quaternions():
    """Two free bodies welded to each other and to the world at one end: nothing moves."""
    model = hs.Model(
        hs.Rod("a", 1, 1),
        hs.Rod("b", 1, 1),
        hs.Free("fa", hs.WORLD, "a"),
        hs.Ball("ball", "a.end", "b"),
        hs.Weld("one", hs.WORLD.at(0, 0, 1), "a"),
        hs.Weld("two", "b.end", hs.WORLD.at(1, 1, 1, rpy=(0, 0, np.pi / 2))),
    )
    state = hs.assemble(model)
    assert state.report.mobility == 0 and state.report.rank == 9 and state.report.rows == 12
    assert len(state.report.redundant) == 3 and state.report.gap < 1e-12
    p = hs.compile(hs.pose(model, "b.end"))(state.q).p
    assert p == pytest.approx([1, 1, 1], abs=1e-12)


def test_trees_have_nothing_to_close():
    model = hs.Model(hs.Rod("a", 1, 1), hs.Revolute("j", hs.WORLD, "a"))
    state = hs.assemble(model, {"j": 0.5, "j.v": 1.0})
    assert (state["j"], state["j.v"]) == (0.5, 1.0)
    assert state.report == ((("j",)), (), 1, 0, 0, 0.0, 1, False)


@pytest.mark.parametrize("slide", [False, True])
def test_guesses_of_a_tree_are_where_it_stands(slide):
    facts = [hs.Rod("a", 1, 1), hs.Revolute("A", hs.WORLD, "a", axis="y")]
    facts += [hs.Rod("b", 1, 1), hs.Prismatic("B", "a.end", "b")] if slide else []
    model = hs.Model(*facts, hs.Rod("c", 1, 1), hs.Revolute("C", "a", "c", axis="y"))
    state = hs.assemble(model, {"A": 0.3}, near={"C": 0.7})
    assert state["A"] == 0.3 and state["C"] == 0.7
    assert hs.simulate(model, 0.01, {"A": 0.3}, near={"C": 0.7})["C"][0] == 0.7


def test_what_cannot_be_closed():
    with pytest.raises(hs.SolveError, match=r'"C" stays open by 0\.6.*nearest: A 0\.3,'):
        hs.assemble(four_bar(crank=2.0), {"A": 0.3})
    with pytest.raises(hs.SolveError, match='leave out "B" and "D"'):
        hs.assemble(four_bar(), {"A": 0.3, "B": 0.0, "D": 0.0})
    with pytest.raises(hs.SolveError, match="check the lengths"):
        hs.assemble(four_bar(crank=2.0), {"A.v": 0.3})
    with pytest.raises(hs.ModelError, match='"AA"'):
        hs.assemble(four_bar(), {"AA": 0.3})
    with pytest.raises(hs.ModelError, match="given must be"):
        hs.assemble(four_bar(), [0.3])
