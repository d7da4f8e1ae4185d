"""Derivatives of the dynamics: against differentiated formulas, and against differences."""

import random

import numpy as np
import oracle
import pytest
import trees
from trees import STENCIL, WEIGHTS, close, numbers

import hapsis as hs
from hapsis.mechanics.formalisms.derivatives import dynamics_derivatives, tree_solution
from hapsis.mechanics.formalisms.derivatives.dynamics_derivatives import partials
from hapsis.mechanics.formalisms.forces.applied_forces import AppliedForces
from hapsis.mechanics.formalisms.tree.posed_tree import posed_tree, unlumped_tree
from hapsis.mechanics.formalisms.tree.tree import Tree


@pytest.mark.parametrize("chunk", range(3))
def test_derivatives_without_quaternions(chunk):
    """Positions are plain numbers: the analytic derivatives are those of the formulas."""
    for seed in range(chunk * 8, (chunk + 1) * 8):
        draw = random.Random(seed + 20)
        model = trees.model(draw, most=5, kinds=trees.PLAIN)
        if not model.speeds:
            continue
        q, v, a = trees.states(model, draw, 2)
        f = hs.inverse_dynamics(model)
        found = numbers(hs.derivatives(model), q, v, a)
        for output, by in zip(found, "qva", strict=True):
            close(output, numbers(f.jacobian("tau", by), q, v, a))


@pytest.mark.parametrize("chunk", range(4))
def test_derivatives_along_the_speeds(chunk):
    """With any joints, by differences of high order along each speed."""
    for seed in range(chunk * 8, (chunk + 1) * 8):
        draw = random.Random(seed)
        kinds = ("Ball", "Free", "Revolute", "Planar") if seed % 2 else trees.KINDS
        model = trees.model(draw, most=4, kinds=kinds)
        if not model.speeds:
            continue
        check_inverse(model, draw, passive=seed % 3 > 0)
        check_forward(model, draw, passive=seed % 3 > 0)


def check_inverse(model, draw, passive):
    (q,), (v,), (a,) = trees.states(model, draw, 1)
    f = hs.inverse_dynamics(model, passive=passive)
    found = numbers(hs.derivatives(model, passive=passive), q[None], v[None], a[None])
    assert found._fields == ("dtau_dq", "dtau_dv", "dtau_da")
    M = oracle.Motion(model, q[None]).mass_matrix()
    close(found.dtau_da, M)
    by_q, by_v, scale = differences(model, f, q, v, a)
    close(found.dtau_dq[0], by_q, scale, gate=1e-8)
    close(found.dtau_dv[0], by_v, scale, gate=1e-8)


def check_forward(model, draw, passive):
    (q,), (v,), (a,) = trees.states(model, draw, 1)
    motion = oracle.Motion(model, q[None], v[None], a[None])
    M, (tau,) = motion.mass_matrix(), motion.efforts(passive)
    if trees.condition(M).max() > 1e4:
        return
    f = hs.forward_dynamics(model, passive=passive)
    given = hs.derivatives(model, of="forward_dynamics", passive=passive)
    found = numbers(given, q[None], v[None], tau[None])
    assert found._fields == ("da_dq", "da_dv", "da_dtau")
    n = len(v)
    close(found.da_dtau[0] @ M[0], np.eye(n), found.da_dtau, M, gate=1e-11)
    by_q, by_v, scale = differences(model, f, q, v, tau)
    close(M[0] @ found.da_dq[0], M[0] @ by_q, scale, M[0] @ by_q, gate=1e-6)
    close(M[0] @ found.da_dv[0], M[0] @ by_v, scale, M[0] @ by_v, gate=1e-6)
    # and against the derivatives of inverse dynamics: exactly
    tau_q, tau_v, _ = numbers(hs.derivatives(model, passive=passive), q[None], v[None], a[None])
    close(M @ found.da_dq, -tau_q, tau_q, gate=1e-11)
    close(M @ found.da_dv, -tau_v, tau_v, gate=1e-11)


def differences(model, f, q, v, third):
    """The derivatives of f by positions (along unit speeds) and by speeds."""
    n, h = len(v), 2e-3
    unit = np.eye(n)
    dq = oracle.rates(model, np.repeat(q[None], n, 0), unit)
    times = h * STENCIL[:, None, None]

    def slopes(path, speeds):
        states = [np.broadcast_to(x, (len(STENCIL), n, x.shape[-1])) for x in (path, speeds, third)]
        out = numbers(f, *(x.reshape(len(STENCIL) * n, -1) for x in states))
        out = out.reshape(len(STENCIL), n, n)
        return np.einsum("t,tjk->kj", WEIGHTS, out) / h, out

    by_q, one = slopes(q + times * dq, v)
    # dry friction jumps where a speed changes sign: stay away from it
    by_v, two = slopes(q, v + times * unit * np.minimum(1.0, np.abs(v) / (6 * h))[:, None])
    by_v = by_v / np.minimum(1.0, np.abs(v) / (6 * h))
    return by_q, by_v, np.concatenate([one, two])


@pytest.mark.parametrize("seed", range(12))
def test_all_forms_agree(seed):
    """In body or root frames, condensed or not, lumped or not; flipped joints by formulas."""
    model = trees.planar(seed) if seed % 3 == 0 else trees.model(seed + 900, most=6)
    if not model.speeds:
        return
    q, v, a = trees.states(model, seed, 2)
    plain = posed_tree(model)
    forms = [plain, Tree(plain.links, condensed=True), unlumped_tree(model)]
    found = []
    for tree in forms:
        speeds, rates = tree.symbols("v"), tree.symbols("a")
        for in_root in (False, True):
            three = partials(tree, speeds, rates, True, in_root, AppliedForces(tree, speeds))
            f = hs.Function(
                "f",
                {"q": tree.q, "v": speeds, "a": rates},
                dict(zip("xyz", (tree.matrix(x) for x in three), strict=True)),
            )
            found.append(numbers(f, q, v, a))
    for other in found[1:]:
        for x, y in zip(other, found[0], strict=True):
            close(x, y)
    close(found[0].z, oracle.Motion(model, q).mass_matrix())


def test_of_what_there_are_derivatives():
    model = hs.Model(hs.Rod("arm", 1, 1), hs.Revolute("j", hs.WORLD, "arm"))
    with pytest.raises(hs.ModelError, match=r"forwards_dynamics.*inverse_dynamics or forward_dyn"):
        hs.derivatives(model, of="forwards_dynamics")
    both = hs.derivatives(model), hs.derivatives(model, of="forward_dynamics")
    assert [[port.name for port in f.inputs] for f in both] == [["q", "v", "a"], ["q", "v", "tau"]]


@pytest.mark.parametrize("chunk", range(4))
def test_solutions_by_kernels_mapped_over_the_columns_of_limbs(chunk, monkeypatch):
    """Any tree or forest, with forces between limbs: against the oracle's mass matrix; exactly symmetric."""
    for seed in range(chunk * 8, (chunk + 1) * 8):
        draw = random.Random(seed + 4000)
        monkeypatch.setattr(dynamics_derivatives, "SHORT", 0)
        monkeypatch.setattr(tree_solution, "LEAST", draw.choice((1, 2, 4)))
        model = trees.model(draw, most=12)
        if not model.speeds:
            continue
        names = list(model.bodies)
        ends = [(draw.choice(names), (0.1, 0.2, 0.3)) for _ in range(2)]
        if ends[0][0] != ends[1][0] and seed % 2:
            model = model + hs.Spring("between", *ends, stiffness=30.0, damping=2.0)
        check_solutions(model, draw)


def check_solutions(model, draw):
    q, v, a = trees.states(model, draw, 2)
    M = oracle.Motion(model, q, v, a).mass_matrix()
    tau = numbers(hs.inverse_dynamics(model), q, v, a)
    if trees.condition(M).max() > 1e4:
        return
    found = numbers(hs.derivatives(model, of="forward_dynamics"), q, v, tau)
    tau_q, tau_v, _ = numbers(hs.derivatives(model), q, v, a)
    n = len(model.speeds)
    close(found.da_dtau @ M, np.broadcast_to(np.eye(n), M.shape), found.da_dtau, M, gate=1e-11)
    close(M @ found.da_dq, -tau_q, tau_q, found.da_dq, gate=1e-10)
    close(M @ found.da_dv, -tau_v, tau_v, found.da_dv, gate=1e-10)
    assert np.array_equal(found.da_dtau, np.swapaxes(found.da_dtau, -1, -2))
