"""Laws of Kane's method: what generalized speeds and the choice of independent ones do not change."""

import shutil
import subprocess

import numpy as np
import pytest
import trees
from closed_states import MECHANISMS, closed, motion, one
from hypothesis import given, settings
from hypothesis import strategies as st
from samples import sample
from trees import close, states

import hapsis as hs
from hapsis.mechanics.formalisms.constraints.row_names import constraint_names

GCC = shutil.which("gcc")
NAMES = sample(
    ("rolling wheel", "rolling ball", "geared", "held feet", "revolute", "universal", "redundant_four_bar"),
    tuple(MECHANISMS),
)


def combinations(model, seed, count=None):
    """Random generalized speeds: factors that are numbers, or that change with the pose or the time."""
    draw = np.random.default_rng(seed)
    n = len(model.speeds)
    count = draw.integers(1, n + 1) if count is None else count
    Y = np.eye(n)[draw.permutation(n)[:count]] + 0.3 * draw.uniform(-1, 1, (count, n))
    facts = []
    for k, row in enumerate(Y.tolist()):
        few = dict(zip(model.speeds, row, strict=True))
        if k % 2 == 0:
            facts.append(hs.Speed(f"u{k}", few))
            continue

        angle = model.coordinates[k % len(model.coordinates)]

        def u(s, few=few, k=k, angle=angle):
            some = sum((x * s[n] for n, x in few.items()), 0.0)
            turned = 0.2 * hs.sin(s[angle]) * s[model.speeds[k % n]]
            return some + turned + (0.1 * hs.cos(s.t) if k % 4 == 1 else 0.0)

        facts.append(hs.Speed(f"u{k}", u))
    return model + facts


def reference(model, q, v):
    """u, Y and w."""
    return one(hs.generalized_speeds(model), q, v)


@pytest.mark.parametrize("seed", range(sample(2, 6)))
@pytest.mark.parametrize("name", NAMES)
def test_kanes_equations_give_the_motion_of_multipliers(name, seed):
    model = MECHANISMS[name]()
    model = model.without(*model.drives) if model.drives else model
    state = closed(model, seed)
    a, _ = one(hs.forward_dynamics(model), state.q, state.v, state.tau)
    whole = model if seed == 0 else combinations(model, seed)
    names, at = hs.generalized_speed_names(whole), hs.State(model.coordinates, model.speeds, state.q)
    lead = hs.independent_speeds(whole, at)
    u, Y, w = reference(whole, state.q, state.v)
    close(u, Y @ state.v + w)
    found = one(hs.kane_equations(whole, at=at), state.q, u[[names.index(n) for n in lead]])
    size = np.abs(state.v).max() + 1.0
    close(found.v, state.v, size, gate=1e-9)
    rates = np.linalg.solve(found.M, found.B @ state.tau - found.f)
    close(found.B.T @ rates + found.b, a, np.abs(found.b), gate=1e-8)
    close(found.M, found.M.T)
    assert np.linalg.eigvalsh(found.M)[0] > 0.0
    close(state.J @ found.B.T, 0.0 * state.J @ found.B.T, np.abs(found.B).max(), gate=1e-9)


@pytest.mark.parametrize("name", [n for n in NAMES if n != "redundant_four_bar"])
def test_any_independent_speeds_give_the_same_motion(name):
    model = MECHANISMS[name]()
    model = combinations(model, 4)
    state = closed(model, 1)
    at = hs.State(model.coordinates, model.speeds, state.q)
    names, count = hs.generalized_speed_names(model), len(hs.independent_speeds(model, at))
    u, _, _ = reference(model, state.q, state.v)
    draw, tried = np.random.default_rng(3), 0
    expected = one(hs.forward_dynamics(model), state.q, state.v, state.tau).a
    for _ in range(12):
        lead = sorted(draw.choice(len(names), count, replace=False).tolist())
        try:
            f = hs.kane_equations(model, [names[k] for k in lead], at)
        except hs.SolveError as error:
            assert "cannot be independent" in str(error)
            continue
        found = one(f, state.q, u[lead])
        rates = np.linalg.solve(found.M, found.B @ state.tau - found.f)
        close(found.B.T @ rates + found.b, expected, np.abs(found.b), gate=1e-6)
        tried += 1
        if tried == 3:
            return
    assert tried


@pytest.mark.parametrize("seed", range(sample(1, 4)))
@pytest.mark.parametrize("name", ["rolling wheel", "geared", "held feet", "revolute", "ball"])
def test_reactions_are_those_of_multipliers_and_linear_in_the_efforts(name, seed):
    model = MECHANISMS[name]()
    state = closed(model, seed)
    at = hs.State(model.coordinates, model.speeds, state.q)
    names = [n for n in (*model.joints, *model.constraints) if n not in ("gear", "mine")]
    f = hs.constraint_reactions(model, names, "world", at)
    found = one(f, state.q, state.v, state.tau)
    a, lam = one(hs.forward_dynamics(model), state.q, state.v, state.tau)
    for k, each in enumerate(names):
        expected = one(hs.reaction(model, each, "world"), state.q, state.v, a, lam)
        close(found.wrenches[k], expected, np.abs(found.wrenches), gate=1e-9)
    other = state.tau + np.random.default_rng(seed).normal(size=len(state.tau))
    change = one(f, state.q, state.v, other).wrenches - found.wrenches
    close(found.slopes @ (other - state.tau), change.ravel(), np.abs(found.wrenches), gate=1e-9)


@pytest.mark.parametrize("name", ["rolling wheel", "rolling ball", "held feet", "revolute"])
def test_reactions_of_rows_that_do_not_move_do_no_work(name):
    """By the wrenches on the two ends of each joint or constraint that closes a loop."""
    model = MECHANISMS[name]()
    state = closed(model, 2)
    moved = motion(model, state)
    for fact in (*model.cuts, *model.constraints.values()):
        wrench = one(hs.reaction(model, fact.name, "world"), state.q, state.v, state.a, state.lam)
        n, f = wrench[:3], wrench[3:]
        places = [moved.frame(end)[0][0][:3, 3] for end in (fact.first, fact.second)]
        speeds = [_moving(model, state, end) for end in (fact.first, fact.second)]
        arm = places[1] - places[0]
        power = (n - np.cross(arm, f)) @ speeds[1][:3] + f @ speeds[1][3:]
        power -= n @ speeds[0][:3] + f @ speeds[0][3:]
        size = np.abs(wrench).max() * max(np.abs(x).max() for x in speeds) + 1e-9
        assert abs(power) <= 1e-9 * size


def _moving(model, state, end):
    return one(hs.velocity(model, end), state.q, state.v)


@settings(max_examples=sample(10, 400), deadline=None)
@given(st.integers(0, 10**6), st.booleans())
def test_momenta_partial_velocities_and_impulses(seed, flat):
    model = trees.planar(seed) if flat else trees.model(seed, most=6)
    if not model.speeds:
        return
    whole = combinations(model, seed)
    q, v, _ = (x[0] for x in states(model, seed, 1))
    u, Y, w = reference(whole, q, v)
    W = np.linalg.inv(Y)
    size = max(1.0, np.abs(W).max())
    M = one(hs.mass_matrix(model), q)
    p = one(hs.generalized_momentum(whole), q, v)
    close(p, W.T @ M @ v, size * np.abs(M @ v), gate=1e-9)
    close(one(hs.generalized_momentum(model), q, v), M @ v, np.abs(M).max() * np.abs(v))
    # ∂K/∂u: K is quadratic, so that central differences are exact
    kinetic = hs.energy(model)
    for k in range(len(u)):
        ahead, behind = (one(kinetic, q, v + s * W[:, k]).kinetic for s in (1.0, -1.0))
        assert abs((ahead - behind) / 2 - p[k]) <= 1e-9 * max(1.0, abs(ahead), abs(behind))
    for body in list(model.bodies)[:2]:
        for axes in ("world", "frame"):
            J = one(hs.jacobian(model, body, axes=axes), q)
            found = one(hs.partial_velocities(whole, body, axes=axes), q)
            close(np.hstack([found.angular, found.linear]), (J @ W).T, size * np.abs(J).max(), gate=1e-9)
            # V = Σ V_r u_r + V_t
            close(u @ found.linear - J[3:] @ W @ w, J[3:] @ v, size * np.abs(J).max() * np.abs(u), gate=1e-9)
            push = np.arange(1.0, 7.0)
            I = one(hs.generalized_impulse(whole, body, axes=axes), q, push)
            close(I, W.T @ J.T @ push, 10 * size * np.abs(J).max(), gate=1e-9)


@settings(max_examples=sample(10, 400), deadline=None)
@given(st.integers(0, 10**6))
def test_momentum_about_points_and_the_centre_of_mass(seed):
    model = trees.model(seed, most=6, massless=False)
    if not model.speeds:
        return
    q, v, _ = (x[0] for x in states(model, seed, 1))
    h = one(hs.momentum(model), q, v)
    body = next(iter(model.bodies))
    try:
        c, u, J = one(hs.center_of_mass(model, motion=True), q, v)
    except hs.ModelError as error:
        assert "nothing that moves has mass" in str(error)
        return
    close(c, one(hs.center_of_mass(model), q))
    close(J @ v, u, np.abs(J).max() * np.abs(v))
    rate = hs.center_of_mass(model).jvp("q")
    close(one(rate, q, one(hs.coordinate_rates(model), q, v)), u, 1.0, gate=1e-10)
    point = np.random.default_rng(seed).uniform(-2, 2, 3)
    for about, place in ((tuple(point), point), (body, np.asarray(one(hs.pose(model, body), q).p))):
        shifted = one(hs.momentum(model, about=about), q, v)
        size = max(np.abs(h).max(), np.abs(np.cross(c - place, h[3:])).max())
        close(shifted[3:], h[3:], size)
        close(shifted[:3], h[:3] + np.cross(c - place, h[3:]), size, gate=1e-10)


@pytest.mark.parametrize("seed", range(sample(6, 60)))
def test_small_motions_are_those_of_linearize(seed):
    draw = np.random.default_rng(seed)
    lengths, masses = draw.uniform(0.3, 0.8, 3), draw.uniform(0.5, 2, 3)
    facts = [hs.Rod(n, x, m) for n, x, m in zip("abc", lengths, masses, strict=True)]
    ends = ("world", "a.end", "b.end")
    facts += [hs.Revolute(n, e, b, axis="y", damping=0.1) for n, e, b in zip("ABC", ends, "abc", strict=True)]
    facts += [hs.JointSpring(f"s{n}", n, stiffness=float(draw.uniform(5, 20))) for n in "ABC"]
    model = hs.Model(*facts)
    if seed % 2:
        span = float(0.8 * lengths.sum())
        model = hs.Model(model, hs.Distance("tie", "c.end", hs.WORLD.at(span, 0, 0.3), 0.4))
        model = model.replace(poses={"start": {"A": 0.2, "B": 0.3, "C": -0.2}})
    at = hs.equilibrium(model)
    if seed % 3 == 1:
        model = model + hs.Speed("u", {"A.v": 1.0, "B.v": 0.5})
    small = one(hs.linear_equations(model, at=at), at.q, np.zeros(3))
    n = len(small.M)
    A = np.block(
        [
            [np.zeros((n, n)), np.eye(n)],
            [-np.linalg.solve(small.M, small.K), -np.linalg.solve(small.M, small.C)],
        ]
    )
    expected = hs.linearize(model, at).eigenvalues
    found = np.linalg.eigvals(A)
    for x in expected:
        assert np.abs(found - x).min() <= 1e-7 * np.abs(expected).max()


def test_constrained_partial_velocities_are_those_of_the_motions_that_rows_allow():
    model = combinations(MECHANISMS["held feet"](), 2, 5)
    state = closed(model, 1)
    at = hs.State(model.coordinates, model.speeds, state.q)
    lead = hs.independent_speeds(model, at)
    found = one(hs.partial_velocities(model, "trunk.edge", independent=lead, at=at), state.q)
    u, _, _ = reference(model, state.q, state.v)
    names = hs.generalized_speed_names(model)
    Z = one(hs.kane_equations(model, lead, at), state.q, u[[names.index(n) for n in lead]]).B.T
    J = one(hs.jacobian(model, "trunk.edge"), state.q)
    close(np.hstack([found.angular, found.linear]).T, J @ Z, np.abs(Z).max(), gate=1e-10)


@pytest.mark.skipif(GCC is None, reason="gcc is not installed")
def test_they_are_exported_as_c(tmp_path):
    """All verbs of the page in one module, whose own test agrees with the numbers computed here."""
    skate = hs.Model(
        hs.Body("s", 1.0, (0.1, 0, 0), (1, 1, 1), frames={"nose": (0.5, 0, 0.1)}),
        hs.Planar("p", hs.WORLD, "s"),
        hs.KnifeEdge("edge", "s"),
        hs.Speed("forward", lambda s: hs.cos(s["p.Rz"]) * s["p.Tx.v"] + hs.sin(s["p.Rz"]) * s["p.Ty.v"]),
    )
    verbs = [
        hs.generalized_speeds(skate),
        hs.partial_velocities(skate, "s.nose"),
        hs.generalized_momentum(skate),
        hs.generalized_impulse(skate, "s.nose"),
        hs.kane_equations(skate),
        hs.linear_equations(skate),
        hs.constraint_reactions(skate, ["edge"]),
        hs.momentum(skate, about="s.nose"),
        hs.center_of_mass(skate, motion=True),
    ]
    hs.export(tmp_path / "skate", verbs, language="c")
    flags = ["-std=c99", "-O1", "-ffp-contract=off", "-Wall", "-Wextra", "-pedantic", "-Werror"]
    sources = ["skate.c", "skate_test.c"]
    command = [GCC, *flags, *sources, "-o", "skate", "-lm"]
    subprocess.run(command, cwd=tmp_path, check=True, timeout=100)
    end = subprocess.run(["./skate"], cwd=tmp_path, capture_output=True, text=True, timeout=100, check=False)
    assert end.returncode == 0, end.stdout + end.stderr
    header = (tmp_path / "skate.h").read_text()
    assert all(f.name in header for f in verbs)


def test_what_cannot_be_is_said():
    skate = hs.Model(
        hs.Body("s", 1.0, (0.1, 0, 0), (1, 1, 1)), hs.Planar("p", hs.WORLD, "s"), hs.KnifeEdge("edge", "s")
    )
    with pytest.raises(hs.SolveError, match=r"p\.Tx\.v cannot be independent in this pose"):
        hs.kane_equations(skate, ["p.Tx"])
    with pytest.raises(hs.ModelError, match=r'there is no generalized speed "p\.Tz"'):
        hs.kane_equations(skate, ["p.Tz"])
    with pytest.raises(hs.ModelError, match="independent are several names"):
        hs.kane_equations(skate, "p.Tx")
    with pytest.raises(hs.ModelError, match="names are several"):
        hs.constraint_reactions(skate, "edge")
    twice = skate + hs.KnifeEdge("again", "s")
    with pytest.raises(hs.SolveError, match=r'the reaction of "edge" is not determined: .*again, edge'):
        hs.constraint_reactions(twice, ["edge"])
    assert constraint_names(twice) == ("edge.across", "again.across")
