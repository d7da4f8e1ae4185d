"""The laws of the dynamics of trees, on random ones in random order; 1000 of them in a campaign.

A seed makes a tree; a test takes some fifty of them, and a few states at once.
"""

import random

import numpy as np
import oracle
import pytest
import trees
from retelling import retold
from samples import sample
from trees import close, numbers

import hapsis as hs

CHUNKS, EACH = sample(6, 20), 52  # a few of them have no speeds


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
    motion = oracle.Motion(model, q, v, a)
    M = numbers(hs.mass_matrix(model), q)
    close(M, motion.mass_matrix())
    check_positive(M)
    tau = check_inverse(model, M, q, v, a)
    close(tau, motion.efforts())
    # and back
    found = numbers(hs.forward_dynamics(model), q, v, tau)
    close(found, a, gate=1e-12 * max(1.0, trees.condition(M).max() / 30))
    check_power(model, motion, tau)
    check_retold(model, draw, q, v, a, tau)


def check_positive(M):
    close(M, M.transpose(0, 2, 1), gate=0.0)
    d = np.sqrt(np.einsum("sii->si", M))
    assert (np.linalg.eigvalsh(M / d[:, :, None] / d[:, None, :]) > 0).all()


def check_inverse(model, M, q, v, a):
    """Efforts are linear in accelerations: M a + c, and the columns of M are those of unit ones."""
    n, b = M.shape[1], a[::-1]
    one = [np.repeat(x[:1], n, axis=0) for x in (q, v)]
    batch = [(q, v, a), (q, v, 0 * a), (q, v, b), (q, v, 2.5 * b + a), (*one, np.eye(n))]
    stacked = [np.concatenate(x) for x in zip(*batch, strict=True)]
    tau, c, other, both, columns = np.split(numbers(hs.inverse_dynamics(model), *stacked), [3, 6, 9, 12])
    close((columns - c[0]).T, M[0], c)
    close((M @ a[..., None])[..., 0] + c, tau)
    close(both - c, 2.5 * (other - c) + (tau - c), c)
    return tau


def check_power(model, motion, tau):
    """d(kinetic + potential)/dt = power of efforts less losses; dV/dq = gravity's efforts."""
    q, v, a = motion.q, motion.v, motion.a
    dq = numbers(hs.coordinate_rates(model), q, v)
    close(dq, oracle.rates(model, q, v))
    energy = hs.energy(model)
    kinetic, potential = numbers(energy, q, v)
    close((kinetic, potential), motion.energy())
    # along the motion, and from the first state at rest along each speed
    n = v.shape[1]
    still, unit = np.zeros((n, n)), np.eye(n)
    one = np.repeat(q[:1], n, axis=0)
    along = numbers(hs.coordinate_rates(model), one, unit)
    batch = [(q, v, dq, a), (one, still, along, still)]
    rates = numbers(energy.jvp("q", "v"), *(np.concatenate(x) for x in zip(*batch, strict=True)))
    (d_kinetic, none), (d_potential, gradient) = (np.split(x, [len(q)]) for x in rates)
    loss = motion.of_speeds("damping") * v + motion.of_speeds("friction") * np.sign(v)
    power = ((tau - loss) * v).sum(-1)
    close(d_kinetic + d_potential, power, tau * v, d_kinetic, d_potential)
    held = numbers(hs.inverse_dynamics(model), q[:1], 0 * v[:1], 0 * a[:1])[0]
    close(gradient, held, potential, kinetic)
    assert not none.any()


def check_retold(model, draw, q, v, a, tau):
    """World turned, masses scaled, facts shuffled, a body split, ends exchanged, bodies added."""
    told = retold(model, draw)
    other = told.model()
    state = [told.arranged(other, q, "coordinates"), *(told.arranged(other, x) for x in (v, a))]
    found = numbers(hs.inverse_dynamics(other), *state)
    close(found, told.factor * told.arranged(other, tau))
