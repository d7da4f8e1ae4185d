"""The laws of the dynamics of trees, on 1000 random ones: see FIGURES, "numerical promises".

A seed makes a tree; a test takes fifty of them. All functions are evaluated for a few states at once.
"""

import random

import numpy as np
import oracle
import pytest
import trees
from hypothesis import given, settings
from retelling import retold
from trees import close, numbers

import hapsis as hs

CHUNKS, EACH = 20, 50
STENCIL = np.array([-3.0, -2.0, -1.0, 1.0, 2.0, 3.0])
WEIGHTS = np.array([-1.0, 9.0, -45.0, 45.0, -9.0, 1.0]) / 60.0


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_laws_on_random_trees(chunk):
    for seed in range(chunk * EACH, (chunk + 1) * EACH):
        model = trees.model(seed)
        if model.speeds:
            try:
                check(model, seed)
            except AssertionError as error:
                raise AssertionError(f"seed {seed}: {error}") from error


def check(model, seed):
    """Every law at a few states."""
    draw = random.Random(seed + 1)
    q, v, a = trees.states(model, draw, 3)
    f = hs.inverse_dynamics(model)
    tau = numbers(f, q, v, a)
    motion = oracle.Motion(model, q, v, a)
    close(tau, motion.efforts())
    M = numbers(hs.mass_matrix(model), q)
    check_columns(f, M, q, v)
    close(M, motion.mass_matrix())
    check_positive(M)
    # M a + c = tau: efforts are linear in accelerations, on top of the bias
    c = numbers(f, q, v, 0 * a)
    close((M @ a[..., None])[..., 0] + c, tau)
    close(numbers(f, q, v, 2.5 * a[::-1] + a) - c, 2.5 * (numbers(f, q, v, a[::-1]) - c) + tau - c)
    check_forward(model, M, q, v, a, tau)
    check_power(model, q, v, a, tau)
    check_retold(model, draw, q, v, a, tau)


def check_columns(f, M, q, v):
    """Columns of the mass matrix are the efforts of unit accelerations."""
    n = M.shape[1]
    unit = np.eye(n)
    states = [np.repeat(x[:1], n, axis=0) for x in (q, v)]
    still = numbers(f, q[:1], v[:1], 0 * v[:1])
    close((numbers(f, *states, unit) - still).T, M[0], still)


def check_positive(M):
    close(M, M.transpose(0, 2, 1), gate=0.0)
    d = np.sqrt(np.einsum("sii->si", M))
    assert (np.linalg.eigvalsh(M / d[:, :, None] / d[:, None, :]) > 0).all()


def check_forward(model, M, q, v, a, tau):
    """Forward dynamics gives back the accelerations of inverse dynamics."""
    found = numbers(hs.forward_dynamics(model), q, v, tau)
    worst = max(1.0, trees.condition(M).max() / 30)
    close(found, a, gate=1e-12 * worst)


def check_power(model, q, v, a, tau):
    """d(kinetic + potential)/dt = power of the efforts less the losses."""
    h = 4e-3
    motion = oracle.Motion(model, q, v, a)
    dq = numbers(hs.coordinate_rates(model), q, v)
    close(dq, oracle.rates(model, q, v))
    times = h * STENCIL[:, None, None]
    along, speeds = (q + times * dq), (v + times * a)
    rows = [x.reshape(-1, x.shape[-1]) for x in (along, speeds)]
    kinetic, potential = (x.reshape(len(STENCIL), -1) for x in numbers(hs.energy(model), *rows))
    rate = WEIGHTS @ (kinetic + potential) / h
    loss = motion.of_speeds("damping") * v + motion.of_speeds("friction") * np.sign(v)
    power = ((tau - loss) * v).sum(-1)
    close(rate, power, tau * v, kinetic, potential, gate=1e-9)
    close(numbers(hs.energy(model), q, v).kinetic, motion.energy()[0])
    close(numbers(hs.energy(model), q, v).potential, motion.energy()[1])


def check_retold(model, draw, q, v, a, tau):
    """World turned, masses scaled, facts shuffled, a body split, ends exchanged, bodies added."""
    told = retold(model, draw)
    other = told.model
    state = [told.arranged(model, q, "coordinates"), *(told.arranged(model, x) for x in (v, a))]
    found = numbers(hs.inverse_dynamics(other), *state)
    close(found, told.factor * told.arranged(model, tau))
