"""Laws of forward dynamics with loops: accelerations and the smallest multipliers."""

import numpy as np
import pytest
from closed_states import MECHANISMS, closed, geared, one, pair
from shared_models import library
from trees import close

import hapsis as hs
from hapsis.compiler.ir.functions.function import Function
from hapsis.compiler.ir.graph.expr import symbols
from hapsis.mechanics.formalisms.constraints.constrained_dynamics import multipliers
from hapsis.mechanics.formalisms.constraints.ldlt import LDLT
from hapsis.mechanics.formalisms.constraints.row_names import constraint_names
from hapsis.mechanics.formalisms.tree.posed_tree import posed_tree


@pytest.mark.parametrize("name", MECHANISMS)
def test_as_by_a_basis_of_free_motions(name):
    model = MECHANISMS[name]()
    f, g = hs.forward_dynamics(model), multipliers(model)
    assert [p.name for p in f.inputs][:3] == ["q", "v", "tau"]
    assert [(p.name, p.shape) for p in f.outputs] == [
        ("a", (len(model.speeds),)),
        ("lam", (len(constraint_names(model)),)),
    ]
    for seed in range(3):
        state = closed(model, seed)
        a, lam = one(f, state.q, state.v, state.tau)
        close(a, state.a, gate=1e-9)
        close(lam, state.lam, gate=1e-7)
        close(state.J @ a, -state.gamma, state.J * a, gate=1e-9)
        # of a motion that is known
        close(one(g, state.q, state.v, state.a, state.tau), state.lam, gate=1e-7)
        # what the rows do has the power of those that move by themselves
        power = state.v @ state.J.T @ lam
        close(power, -lam @ state.drift, lam, gate=1e-8)


def test_equations_hold_to_rounding():
    """The residuals of both equations together, relative to their terms."""
    for name in ("five_link_suspension", "agile eye", "redundant_four_bar"):
        model = MECHANISMS[name]()
        state = closed(model, 1)
        a, lam = one(hs.forward_dynamics(model), state.q, state.v, state.tau)
        M, c = one(hs.mass_matrix(model), state.q), one(hs.bias(model), state.q, state.v)
        close(M @ a + c, state.tau + state.J.T @ lam, M * a, lam, gate=1e-12)
        close(state.J @ a, -state.gamma, state.J * a, gate=1e-12)


def parallelogram():
    """Two equal rods side by side and a coupler; flat, it loses a row."""
    return hs.Model(
        hs.Rod("a", 0.3, 1.0),
        hs.Rod("b", 0.5, 1.0),
        hs.Rod("c", 0.3, 1.0),
        hs.Revolute("A", hs.WORLD, "a", axis="y"),
        hs.Revolute("B", "a.end", "b", axis="y"),
        hs.Revolute("D", hs.WORLD.at(0.5, 0, 0), "c", axis="y"),
        hs.Revolute("C", "b.end", "c.end", axis="y"),
    )


@pytest.mark.parametrize("angle", [1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 0.0])
def test_near_a_singular_pose(angle):
    """The row nearly lost gets its multiplier, thousands of newtons near flat; flat it has none."""
    model = parallelogram()
    q, v = angle * np.array([1.0, -1.0, 1.0]), np.array([1.0, -1.0, 1.0])
    tau = np.array([1.0, 0.5, 0.2])
    rows = one(hs.constraints(model), q, v)
    M, c = one(hs.mass_matrix(model), q), one(hs.bias(model), q, v)
    K = np.block([[M, -rows.J.T], [rows.J, np.zeros((2, 2))]])
    exact = np.linalg.lstsq(K, np.concatenate([tau - c, -rows.gamma]), rcond=1e-15)[0]
    a, lam = one(hs.forward_dynamics(model), q, v, tau)
    close(a, exact[:3], gate=1e-9)
    close(lam, exact[3:], gate=1e-8)
    assert np.abs(lam).max() < 2.0 if angle == 0.0 else np.abs(lam).max() > 0.3 / angle


@pytest.mark.parametrize("name", ["bricard", "redundant_four_bar", "agile eye"])
def test_small_gaps_do_small_harm(name):
    """Redundant rows that contradict each other a little: no large multipliers, the same motion."""
    model = MECHANISMS[name]()
    state = closed(model, 0)
    f = hs.forward_dynamics(model)
    moved = 1e-9 * np.random.default_rng(1).normal(size=len(state.q))
    a, lam = one(f, state.q + moved, state.v, state.tau)
    close(a, state.a, gate=1e-6)
    close(lam, state.lam, gate=1e-6)


def test_accelerations_are_differentiated_like_anything_else():
    model = MECHANISMS["redundant_four_bar"]()
    state = closed(model, 1)
    f = hs.forward_dynamics(model)
    slopes = one(f.jacobian("a", "tau"), state.q, state.v, state.tau)
    close(slopes, slopes.T, gate=1e-10)
    close(state.J @ slopes, 0 * state.J, slopes, gate=1e-10)
    assert np.linalg.eigvalsh(slopes).max() > 1e-3
    h = 1e-4
    after, before = (one(f, state.q, state.v, state.tau + s * h * np.eye(4)[0]).a for s in (1, -1))
    close(slopes[:, 0], (after - before) / (2 * h), gate=1e-8)


def test_a_copy_of_a_row_shares_its_load_and_changes_no_motion():
    model = pair("distance")
    twice = model + hs.Distance("copy", "a.f", "b.f", 0.7)
    state = closed(model, 2)
    a, lam = one(hs.forward_dynamics(model), state.q, state.v, state.tau)
    same, shared = one(hs.forward_dynamics(twice), state.q, state.v, state.tau)
    close(same, a, gate=1e-12)
    close(shared, np.array([lam[0], lam[0]]) / 2, gate=1e-12)


def test_losses_of_the_joints_may_be_left_out():
    model = geared()
    state = closed(model, 0)
    f, bare = hs.forward_dynamics(model), hs.forward_dynamics(model, passive=False)
    damping = np.array([0.1, 0, 0, 0]) * state.v
    close(one(bare, state.q, state.v, state.tau - damping).a, state.a, gate=1e-9)
    assert np.abs(one(bare, state.q, state.v, state.tau).a - state.a).max() > 1e-3
    lam = one(f, state.q, state.v, state.tau).lam
    known = one(multipliers(model, passive=False), state.q, state.v, state.a, state.tau - damping)
    close(known, lam, gate=1e-9)


def test_drives_are_not_imposed():
    rod = [hs.Rod("arm", 1.0, 1.0), hs.Revolute("A", hs.WORLD, "arm", axis="y")]
    drive = hs.Drive("motor", "A", position=lambda t: hs.sin(t))
    f, driven = hs.forward_dynamics(hs.Model(rod)), hs.forward_dynamics(hs.Model(rod, drive))
    assert f.digest == driven.digest and [p.name for p in f.outputs] == ["a"]


def test_masses_that_nothing_holds_give_no_numbers():
    """Arms without mass whose angles no drive holds: there is no answer, and none is given."""
    model = library.agile_eye()
    n = len(model.speeds)
    with np.errstate(all="ignore"):
        a, _ = one(hs.forward_dynamics(model), hs.assemble(model).q, np.zeros(n), np.zeros(n))
    assert not np.isfinite(a).all()


def test_a_model_without_rows_has_no_multipliers():
    model = hs.Model(hs.Rod("arm", 1, 1), hs.Revolute("A", hs.WORLD, "arm"))
    with pytest.raises(hs.ModelError, match="no loops and no constraints"):
        multipliers(model)


@pytest.mark.parametrize("seed", range(5))
def test_factors_of_symmetric_matrices(seed):
    """Sparse positive definite matrices of symbols: A x = b, and zeros that stay zeros."""
    draw = np.random.default_rng(seed)
    n = 7
    half = draw.normal(size=(n, n)) * (draw.uniform(size=(n, n)) < 0.25)
    A, b = half @ half.T + np.eye(n), draw.normal(size=n)
    tree = posed_tree(hs.Model(hs.Rod("arm", 1, 1), hs.Revolute("A", hs.WORLD, "arm")))
    S, y = symbols("S", n, n, graph=tree.graph), symbols("y", n, graph=tree.graph)
    entries = {(i, j): S[i, j] for i in range(n) for j in range(i + 1) if A[i, j]}
    f = Function("x", {"S": S, "y": y}, {"x": LDLT(tree, entries, n).solved(y)})
    close(one(f, A, b), np.linalg.solve(A, b))
    diagonal = LDLT(tree, {(k, k): S[k, k] for k in range(n)}, n)
    assert not any(diagonal.L.values())


def test_a_pivot_of_rounding_is_no_number():
    tree = posed_tree(hs.Model(hs.Rod("arm", 1, 1), hs.Revolute("A", hs.WORLD, "arm")))
    S = symbols("S", 3, graph=tree.graph)
    factors = LDLT(tree, {(0, 0): S[0], (0, 1): S[1], (1, 1): S[2]}, 2)
    f = Function("x", {"S": S}, {"x": factors.solved([tree.one, tree.one])})
    with np.errstate(all="ignore"):
        assert not np.isfinite(one(f, [3.0, 0.1, 0.1**2 / 3.0])).all()
    assert np.isfinite(one(f, [3.0, 0.1, 0.1**2 / 3.0 + 1e-12])).all()
