"""Three methods, one assembly; branches; starts that are closed, singular, or hopeless."""

import numpy as np
import pytest
from shared_models import four_bar, library

import hapsis as hs
from hapsis.motion.analysis.assembly.assemble import Problem
from hapsis.motion.analysis.assembly.assemblies import assemblies

METHODS = ("auto", "newton", "least squares", "simplex")


def largest_row(model, q):
    f = hs.compile(hs.constraints(model))
    return np.abs(f(q, np.zeros(len(model.speeds))).h).max()


@pytest.mark.parametrize("name", ["three_bar", "redundant_four_bar", "agile_eye"])
@pytest.mark.parametrize("method", METHODS)
def test_the_seed_s_starts_are_closed_by_each_method(name, method):
    model = getattr(hs.library, name)()
    state = hs.assemble(model, method=method)
    assert largest_row(model, state.q) < 1e-12
    for n in model.independent:
        assert state[n] == model.pose("start")[n]
    if name == "redundant_four_bar":
        q1 = state["q1"]
        assert state["q2"] == pytest.approx(np.pi / 2 - q1, abs=1e-9)
        assert state["q3"] == pytest.approx(q1, abs=1e-9) and state["q4"] == pytest.approx(q1)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["three_bar", "five_link_suspension"])
def test_methods_agree_over_a_motion(name):
    """As in [Paul], figures 16 to 21: less than 1e-9 apart."""
    model = getattr(hs.library, name)()
    lead, start = model.independent[0], hs.assemble(model)
    model = model.replace(poses={"start": dict(zip(model.coordinates, start.q, strict=True))})
    shift = (0.03,) if name == "five_link_suspension" else (-0.3, 0.1, 0.4)
    for d in shift:
        given = {n: start[n] for n in model.independent} | {lead: start[lead] + d}
        found = [hs.assemble(model, given, method=m).q for m in METHODS]
        for q in found[1:]:
            assert np.abs(q - found[0]).max() < 1e-9


def test_what_is_closed_stays_to_the_last_bit():
    model = four_bar()
    state = hs.assemble(model, {"A": 0.7})
    off = state.q + np.array([0.0, 2e-13, -3e-13])
    start = model.replace(poses={"start": dict(zip(model.coordinates, off, strict=True))})
    assert largest_row(start, off) > 1e-14
    for method in METHODS:
        assert np.array_equal(hs.assemble(start, method=method).q, off)
    for mechanism in (library.bricard(), library.andrews(), library.stewart()):
        begun = [mechanism.pose("start")[n] for n in mechanism.coordinates]
        assert np.array_equal(hs.assemble(mechanism).q, begun)


def test_a_start_in_line_is_moved():
    """All at zero the rods lie on one line: no step along it helps, and none across is seen."""
    model = four_bar(crank=0.25)
    J = hs.compile(hs.constraints(model))(np.zeros(3), np.zeros(3)).J
    assert np.linalg.matrix_rank(J) == 1
    state = hs.assemble(model, {"A": 0.0})
    assert largest_row(model, state.q) < 1e-12 and abs(state["D"]) > 0.1
    again = hs.assemble(model, {"A": 0.0})
    assert np.array_equal(state.q, again.q)


def test_first_what_is_exactly_zero_is_moved():
    model = four_bar(poses={"start": {"A": 0.3, "B": 0.4}})
    closer = Problem(model, {"A": 0.3}, "auto").closer
    start = np.array([0.3, 0.4, 0.0])
    tiers = list(closer.around(start))
    for (q,), size in zip(tiers[:2], (1e-3, 1e-2), strict=True):
        assert q[0] == 0.3 and q[1] == 0.4 and 0 < abs(q[2]) < size
    assert all(q[0] == 0.3 and q[1] != 0.4 and q[2] != 0.0 for q in tiers[2])


@pytest.mark.parametrize("name", ["three_bar", "slider_crank", "andrews", "bricard", "stewart"])
def test_what_is_pushed_open_closes_again(name):
    """From any open pose nearby each method comes back to where the independent ones lead."""
    model, draw = getattr(hs.library, name)(), np.random.default_rng(8)
    state = hs.assemble(model)
    problem = Problem(model, {n: state[n] for n in model.independent}, "auto")
    for method in METHODS if len(model.speeds) < 8 else METHODS[:3]:
        push = 0.02 * draw.uniform(-1, 1, len(problem.closer.free))
        start = problem.closer.moved(state.q, push)
        assert problem.closer.gap(start) > 1e-5
        end = problem.closer.run(method, start)
        assert end.done and np.abs(end.q - state.q).max() < 1e-9
        assert all(end.q[model.coordinates.index(n)] == state[n] for n in model.independent)


def four_bar_by_hand(angle, sign, a=0.2, b=0.5, c=0.4, d=0.45):
    """The rocker's angle: circles of b about the crank's tip and of c about the other pivot."""
    tip, pivot = a * np.array([np.cos(angle), np.sin(angle)]), np.array([d, 0.0])
    line = tip - pivot
    r = np.linalg.norm(line)
    turn = np.arccos((c * c + r * r - b * b) / (2 * c * r))
    return np.arctan2(line[1], line[0]) + sign * turn


@pytest.mark.parametrize("angle", [-2.5, -1.0, 0.3, 1.6, 3.0])
def test_both_branches_of_a_four_bar(angle):
    model = four_bar()
    found = assemblies(model, {"A": angle})
    assert len(found) == 2 and all(s["A"] == angle for s in found)
    assert all(s.report.gap < 1e-12 for s in found)
    # about y a positive angle turns x towards -z
    rockers = sorted(-four_bar_by_hand(-angle, sign) % (2 * np.pi) for sign in (1, -1))
    assert sorted(s["D"] % (2 * np.pi) for s in found) == pytest.approx(rockers, abs=1e-9)
    assert [np.linalg.norm(s.q) for s in found] == sorted(np.linalg.norm(s.q) for s in found)
    assert [list(s.q) for s in assemblies(model, {"A": angle})] == [list(s.q) for s in found]
    for state in found:
        chosen = hs.assemble(model, {"A": angle}, near={"D": state["D"] + 0.1})
        assert chosen.q == pytest.approx(state.q, abs=1e-9)
        turned = hs.assemble(model, {"A": angle}, near={"D": state["D"] + 2 * np.pi})
        assert np.cos(turned["D"] - state["D"]) == pytest.approx(1.0)


def test_branches_of_others():
    model = library.slider_crank()
    near, far = assemblies(model)
    r, l, x = 0.1, 0.3, model.pose("start")["crank"]
    half = np.sqrt(l**2 - (r * np.sin(x)) ** 2)
    assert near["slider"] == pytest.approx(r * np.cos(x) + half, abs=1e-12)
    assert far["slider"] == pytest.approx(r * np.cos(x) - half, abs=1e-12)
    assert hs.assemble(model, near={"slider": -1.0})["slider"] == pytest.approx(far["slider"])
    # the middle upright of this one fits the parallelogram only
    assert len(assemblies(library.redundant_four_bar())) == 1
    # nothing held, nothing independent: what leads stays where the nearest assembly has it
    free = assemblies(four_bar())
    assert len(free) == 2 and len({s[free[0].report.independent[0]] for s in free}) == 1


def test_ends_that_are_turned_over_are_not_joined():
    """The skew part of a half turn is zero, but a weld holds no half turn."""
    model = hs.Model(
        hs.Rod("a", 1, 1),
        hs.Revolute("j", hs.WORLD, "a"),
        hs.Weld("w", "a", hs.WORLD),
        poses={"start": {"j": 3.0}},
    )
    assert largest_row(model, [np.pi]) < 1e-12
    for method in METHODS:
        assert hs.assemble(model, method=method)["j"] == pytest.approx(0.0, abs=1e-9)
    with pytest.raises(hs.SolveError, match=r'"w" turned over'):
        hs.assemble(model, {"j": np.pi})
    assert [s["j"] for s in assemblies(model)] == pytest.approx([0.0], abs=1e-9)


def test_the_nearest_assembly_is_taken():
    """From far away least squares alone would fold the parallelogram."""
    model = library.n_four_bar(1)
    for angle in (0.3, 0.5, 0.9, 2.2):
        state = hs.assemble(model, {"upright0": angle})
        assert state["upright1"] == pytest.approx(angle) and state["coupler1"] == pytest.approx(-angle)


def test_quaternions_are_held_whole_or_in_part():
    model = hs.Model(
        hs.Body("a", 1, inertia=(1, 1, 1)),
        hs.Free("f", hs.WORLD, "a"),
        hs.Distance("rope", hs.WORLD, "a", length=1.0),
    )
    half = {"f.qw": 0.5, "f.qx": 0.5, "f.qy": 0.5, "f.qz": 0.5}
    whole = {"f.x": 0.6, "f.y": 0.8, "f.z": 0.0, **half}
    assert list(hs.assemble(model, whole).q) == list(whole.values())
    alone = hs.assemble(model, {"f.x": 0.5})
    assert alone["f.x"] == pytest.approx(0.5) and np.hypot(alone["f.y"], alone["f.z"]) == pytest.approx(
        0.75**0.5
    )
    with pytest.raises(hs.SolveError, match=r'"f\.x" gets to .*, not 1\.5.*leave out "f\.x"'):
        hs.assemble(model, {"f.x": 1.5})
    with pytest.raises(hs.SolveError, match=r'"rope" stays open'):
        hs.assemble(model, {**whole, "f.z": 3.0})


def test_a_screw_is_told_with_its_turns():
    model = hs.Model(
        hs.Body("nut", 1, inertia=(1, 1, 1)),
        hs.Helical("screw", hs.WORLD, "nut", pitch=0.01),
        hs.Distance("stop", hs.WORLD.at(0, 0, -1), "nut", length=1.2),
        poses={"start": {"screw": 15.0}},
    )
    assert hs.assemble(model)["screw"] == pytest.approx(20.0)


def test_gears_keep_their_turns():
    model = four_bar(
        hs.Rod("wheel", 0.1, 0.1),
        hs.Revolute("E", hs.WORLD.at(2, 0, 0), "wheel", axis="y"),
        hs.Gear("gear", "A", "E", ratio=-5.0),
    )
    state = hs.assemble(model, {"A": 2.0})
    assert state["E"] == pytest.approx(-10.0)


def test_names_and_methods_that_are_wrong():
    model = four_bar()
    with pytest.raises(hs.ModelError, match=r'method "newtons" is not known.*"newton"'):
        hs.assemble(model, method="newtons")
    with pytest.raises(hs.ModelError, match=r'near names "DD"'):
        hs.assemble(model, {"A": 0.3}, near={"DD": 1.0})
    with pytest.raises(hs.ModelError, match="near must be"):
        hs.assemble(model, {"A": 0.3}, near=[1.0])
    for method in ("newton", "simplex"):
        with pytest.raises(hs.SolveError, match=r'"C" stays open.*method="auto"'):
            hs.assemble(four_bar(crank=2.0), {"A": 0.3}, method=method)
    with pytest.raises(hs.SolveError, match=r'"C" stays open'):
        hs.assemble(four_bar(crank=2.0), {"A": 0.3}, near={"D": 1.0})
    with pytest.raises(hs.SolveError, match=r'"C" stays open'):
        assemblies(four_bar(crank=2.0), {"A": 0.3})
