"""What an assembly reports: Gruebler's count, singular poses, speeds, contradictions."""

import numpy as np
import pytest
from shared_models import four_bar, library

import hapsis as hs


@pytest.mark.parametrize(
    ("name", "mobility", "gruebler", "redundant"),
    [
        ("three_bar", 1, 1, 0),
        ("redundant_four_bar", 1, 0, 1),
        ("agile_eye", 3, -3, 6),
        ("bricard", 1, 0, 1),
        ("five_link_suspension", 2, 2, 0),
        ("stewart", 6, 6, 0),
        ("double_wishbone", 2, 2, 0),
    ],
)
def test_counted_and_true_mobility(name, mobility, gruebler, redundant):
    report = hs.assemble(getattr(hs.library, name)()).report
    assert (report.mobility, report.gruebler) == (mobility, gruebler)
    assert len(report.redundant) == redundant == mobility - gruebler
    assert not report.singular and f"mobility {mobility} (Gruebler {gruebler})" in str(report)


def test_redundant_rows_are_told_in_words():
    report = hs.assemble(library.redundant_four_bar()).report
    (row,) = report.redundant
    cut, _, letter = row.rpartition(".")
    assert f'"{row}" (along {letter} of "{cut}")' in str(report)
    assert '(about y of "hinge6")' in str(hs.assemble(library.bricard()).report)


def test_a_flat_parallelogram_is_singular():
    model = library.n_four_bar(1)
    flat = hs.assemble(model.replace(poses={"start": {}}), {"upright0": 0.0})
    assert np.array_equal(flat.q, np.zeros(3))
    assert flat.report.singular and flat.report.rank == 1 and flat.report.mobility == 2
    assert "singular: the rank is larger nearby" in str(flat.report)
    assert not hs.assemble(model).report.singular


def test_speeds_of_the_start_pose_are_taken():
    model = library.n_four_bar(2)
    state = hs.assemble(model)
    assert state.v == pytest.approx([-1, 1, -1, 1, -1], abs=1e-12)
    other = hs.assemble(model, {"upright0": np.pi / 2, "upright0.v": 3.0})
    assert other["upright0.v"] == 3.0 and other["upright2.v"] == pytest.approx(3.0)
    part = model.replace(poses={"start": {**model.poses["start"], "coupler1.v": 5.0}})
    assert hs.assemble(part).v == pytest.approx([-1, 1, -1, 1, -1], abs=1e-12)
    tree = hs.Model(hs.Rod("a", 1, 1), hs.Revolute("j", hs.WORLD, "a"), poses={"start": {"j.v": 2.0}})
    assert hs.assemble(tree)["j.v"] == 2.0


def test_any_speed_may_be_given():
    model = four_bar()
    state = hs.assemble(model, {"A": 0.3, "D.v": 5.0})
    assert state["D.v"] == 5.0
    rows = hs.compile(hs.constraints(model))(state.q, state.v)
    assert np.abs(rows.J @ state.v).max() < 1e-12
    same = hs.assemble(model, {"A": 0.3, "A.v": state["A.v"], "D.v": 5.0})
    assert same.v == pytest.approx(state.v)


def test_speeds_that_tear_a_loop():
    with pytest.raises(hs.SolveError, match=r'"A\.v", "D\.v" the loops .*"C" would open at .* per second'):
        hs.assemble(four_bar(), {"A": 0.3, "A.v": 1.0, "D.v": 5.0})


def test_drives_that_contradict_each_other():
    state = hs.assemble(four_bar(), {"A": 0.3, "A.v": 1.0})

    def driven(position, speed):
        return four_bar(
            hs.Drive("one", "A", position=lambda t: 0.3 + t),
            hs.Drive("two", "D", position=lambda t: position + speed * t),
            poses={"start": {"B": state["B"]}},
        )

    with pytest.raises(hs.SolveError, match=r'"one", "two" driving: "C" stays open by 0'):
        hs.assemble(driven(state["D"] + 0.2, 1.0))
    with pytest.raises(hs.SolveError, match=r'drives "one", "two" the loops .*"C" would open at 0'):
        hs.assemble(driven(state["D"], 1.0))
    together = hs.assemble(driven(state["D"], state["D.v"]))
    assert together.v == pytest.approx(state.v)


def test_a_lock_on_the_only_freedom():
    report = hs.assemble(four_bar(hs.Drive("lock", "A", position=0.4))).report
    assert report.mobility == 0 and report.independent == () and report.gruebler == 0
    state = hs.assemble(four_bar(), {"A": 0.4})
    both = four_bar(
        hs.Drive("one", "A", position=0.4),
        hs.Drive("two", "D", position=state["D"]),
        poses={"start": {"B": state["B"]}},
    )
    report = hs.assemble(both).report
    assert report.mobility == 0 and report.gruebler == -1


def test_a_value_that_a_drive_contradicts():
    model = four_bar(hs.Drive("motor", "A", position=lambda t: 0.3 + 2 * t))
    with pytest.raises(hs.ModelError, match=r'"A" is given as 0\.5, but drive "motor" starts it at'):
        hs.assemble(model, {"A": 0.5})
    with pytest.raises(hs.ModelError, match=r'"A\.v" is given as 1'):
        hs.assemble(model, {"A.v": 1.0})
    assert hs.assemble(model, {"A": 0.3, "A.v": 2.0})["A"] == 0.3


def test_distances_that_cannot_both_hold():
    model = four_bar(
        hs.Distance("near", hs.WORLD, "coupler.end", length=0.4),
        hs.Distance("far", hs.WORLD, "coupler.end", length=0.6),
    )
    with pytest.raises(hs.SolveError, match=r'"far" stays open by .*"near" stays open by'):
        hs.assemble(model)


def test_rows_of_speeds_hold_no_positions():
    """A knife edge on a rope's end: its place is free, its speed is not."""

    def edge(s):
        return hs.cos(s["j.Rz"]) * s["j.Ty.v"] - hs.sin(s["j.Rz"]) * s["j.Tx.v"]

    model = hs.Model(
        hs.Rod("a", 1, 1),
        hs.Planar("j", hs.WORLD, "a"),
        hs.Constraint("edge", speeds=edge),
        poses={"start": {"j.Tx": 1.0, "j.Rz": 0.2}},
    )
    state = hs.assemble(model, {"j.Rz": 0.5, "j.Tx.v": 2.0})
    assert state.report.mobility == 2 and state.report.rank == 1 and state["j.Tx"] == 1.0
    assert state["j.Ty.v"] == pytest.approx(2.0 * np.tan(0.5))
    rope = hs.assemble(model + hs.Distance("rope", hs.WORLD, "a", length=2.0), {"j.Rz": 0.5})
    assert np.hypot(rope["j.Tx"], rope["j.Ty"]) == pytest.approx(2.0) and rope["j.Rz"] == 0.5
    with pytest.raises(hs.SolveError, match=r'"edge" would open at'):
        hs.assemble(model, {"j.Rz": 0.5, "j.Tx.v": 2.0, "j.Ty.v": 0.0})
