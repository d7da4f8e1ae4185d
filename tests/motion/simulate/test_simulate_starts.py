"""Starts: guesses are guesses, what is given is met, and what cannot be met is named."""

import re

import numpy as np
import pytest
from shared_models import four_bar

import hapsis as hs

SEEDS = range(12)
CRANK, COUPLER, ROCKER, GROUND = 0.2, 0.5, 0.4, 0.45


def closures(A):
    """Both ways in which the four-bar closes at a crank angle, by intersecting two circles: (B, D)."""
    tip = CRANK * np.exp(-1j * A)  # turning about y carries x towards -z
    to = GROUND - tip
    d = abs(to)
    along = (d**2 + COUPLER**2 - ROCKER**2) / (2 * d)
    for side in (1, -1):
        joint = tip + (along + side * 1j * np.sqrt(COUPLER**2 - along**2)) * to / d
        yield -np.angle(joint - tip) - A, -np.angle(joint - GROUND)


def apart(x, y):
    return abs((x - y + np.pi) % (2 * np.pi) - np.pi)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_guess_chooses_the_branch_and_is_not_held(seed):
    rng = np.random.default_rng(seed)
    model, A = four_bar(), float(rng.uniform(-3, 3))
    for B, D in closures(A):
        guess = {"B": B + rng.normal() * 0.1} if seed % 2 else {"D": D + rng.normal() * 0.1}
        run = hs.simulate(model, until=0.01, start={"A": A}, near=guess)
        assert run["A"][0] == pytest.approx(A, abs=1e-12)
        assert apart(run["B"][0], B) < 1e-9 and apart(run["D"][0], D) < 1e-9
        state = hs.assemble(model, {"A": A}, near=guess)
        assert apart(state["B"], B) < 1e-9


def test_a_guess_in_a_tree_is_met_and_what_is_given_comes_first():
    model = hs.Model(hs.Rod("a", 1, 1), hs.Revolute("j", hs.WORLD, "a", "y"))
    run = hs.simulate(model, until=0.1, near={"j": 0.4})
    assert run["j"][0] == 0.4
    assert hs.simulate(model, until=0.1, start={"j": 0.2}, near={"j": 0.4})["j"][0] == 0.2
    for near, words in (
        ({"k": 1}, 'near names "k"'),
        ([1], "near must be"),
        ({"j": "x"}, "must be a number"),
    ):
        with pytest.raises(hs.ModelError, match=words):
            hs.simulate(model, until=0.1, near=near)
    with pytest.raises(hs.ModelError, match="the start is complete"):
        hs.simulate(model, until=0.1, start=[0.2], near={"j": 0.4})


def tethered(seed):
    """A free body on one or two rods, with the coordinates of a pose in which they close."""
    rng = np.random.default_rng(seed)
    at = rng.uniform(-0.5, 0.5, 3)
    quaternion = rng.normal(size=4)
    quaternion /= np.linalg.norm(quaternion)
    q = np.array([*at, *quaternion])
    corners = {f"c{k}": tuple(rng.uniform(-0.2, 0.2, 3)) for k in range(1 + seed % 2)}
    body = hs.Body.box("b", (0.2, 0.1, 0.3), mass=1.0, frames=corners)
    free = hs.Model(body, hs.Free("f", hs.WORLD, "b"))
    anchors = {n: hs.WORLD.at(*rng.uniform(-2, 2, 3)) for n in corners}
    rods = []
    for name, end in anchors.items():
        tip = hs.compile(hs.pose(free, f"b.{name}"))(q)[0]
        rods.append(hs.Distance(f"rod {name}", end, f"b.{name}", float(np.linalg.norm(tip - end.frame.at))))
    return free + rods, dict(zip(free.coordinates, q, strict=True)), rng


@pytest.mark.parametrize("seed", range(20))
def test_any_coordinates_of_a_constrained_free_joint_are_a_start(seed):
    model, whole, rng = tethered(seed)
    names = list(rng.permutation(list(whole)))[: int(rng.integers(1, 5))]
    given = {name: whole[name] for name in names}
    others = {n: x + 0.05 * rng.normal() for n, x in whole.items() if n not in given}
    state = hs.assemble(model, given, near=others)
    for name, x in given.items():
        assert state[name] == pytest.approx(x, abs=1e-10)
    assert state.report.gap < 1e-11
    if seed < 6:
        run = hs.simulate(model, until=0.05, start=given, near=others)
        assert run.constraint_error < 1e-9 and abs(run[names[0]][0] - given[names[0]]) < 1e-10


@pytest.mark.parametrize("seed", SEEDS)
def test_values_that_cannot_be_met_are_named_and_leaving_them_out_helps(seed):
    rng = np.random.default_rng(seed)
    A = float(rng.uniform(-3, 3))
    (B, D), _ = closures(A)
    given = {"A": A, "B": B, "D": D}
    wrong = rng.permutation(["A", "B", "D"])[: 1 + seed % 2]
    for name in wrong:
        given[name] += 1.0 + rng.random()
    given = {n: given[n] for n in rng.permutation(list(given))}
    with pytest.raises(hs.SolveError, match="leave out") as error:
        hs.simulate(four_bar(), until=0.1, start=given)
    remedy = str(error.value).split("leave out ")[1]
    names = re.findall('"([ABD])"', remedy)
    if " and " in remedy:
        hs.assemble(four_bar(), {n: x for n, x in given.items() if n not in names})
    else:
        for name in names:
            hs.assemble(four_bar(), {n: x for n, x in given.items() if n != name})


def test_speeds_that_cannot_be_met_are_named():
    with pytest.raises(hs.SolveError, match=r'leave out "A\.v" or "D\.v"'):
        hs.assemble(four_bar(), {"A": 0.6, "A.v": 1.0, "D.v": 7.0})


@pytest.mark.parametrize("seed", range(3))
def test_follow_where_drives_lead(seed):
    rate, grow = np.random.default_rng(seed).uniform(1, 3, 2)

    def motion(t):
        return 0.3 + rate * t + 0.1 * grow * hs.sin(3 * t)

    led = four_bar(hs.Drive("motor", "A", position=motion))
    followed = hs.follow(led, {}, until=1.0, every=0.01)
    same = hs.follow(four_bar(), {"A": motion}, until=1.0, every=0.01)
    for ours, theirs in (
        ("A", "A"),
        ("B", "B"),
        ("D.v", "D.v"),
        ("motor.effort", "A.effort"),
        ("B.a", "B.a"),
    ):
        assert np.allclose(followed[ours], same[theirs], atol=1e-8)
    run = hs.simulate(led, until=1.0, every=0.01)
    assert np.allclose(followed["motor.effort"], run["motor.effort"], rtol=1e-6, atol=1e-6)
    with pytest.raises(hs.ModelError, match='leaves "'):
        hs.follow(four_bar(hs.Drive("still", "A", 0.3)).without("C"), {}, until=1.0)
    with pytest.raises(hs.ModelError, match="actuated needs a motion"):
        hs.follow(led, {}, until=1.0, actuated=["D"])


def test_guesses_in_many_runs_are_those_of_each():
    angles = np.array([0.4, 0.6])
    many = hs.simulate(four_bar(), until=0.05, start={"A": angles}, near={"B": -1.5}, every=0.01)
    model = hs.Model(hs.Rod("a", 1, 1), hs.Revolute("j", hs.WORLD, "a", "y"))
    lanes = hs.simulate(model, until=0.05, start={"j.v": angles}, near={"j": 0.4}, every=0.01)
    for k, A in enumerate(angles):
        one = hs.simulate(four_bar(), until=0.05, start={"A": A}, near={"B": -1.5}, every=0.01)
        assert (many["B"][k] == one["B"]).all() and one["B"][0] < -1.5
        assert lanes["j"][k][0] == 0.4 and lanes["j.v"][k][0] == A
