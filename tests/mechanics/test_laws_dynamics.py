"""The laws of the dynamics of trees, on 1000 random ones in random order.

A seed makes a tree; a test takes fifty of them, and a few states at once.
"""

import random

import numpy as np
import oracle
import pytest
import trees
from retelling import retold
from trees import close, numbers

import hapsis as hs

CHUNKS, EACH = 20, 50
STENCIL = np.arange(-3.0, 4.0)  # central differences of sixth order
WEIGHTS = np.array([-1.0, 9.0, -45.0, 0.0, 45.0, -9.0, 1.0]) / 60.0


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_laws_on_random_trees(chunk):
    for seed in range(chunk * EACH, (chunk + 1) * EACH):
        model = trees.model(seed)
        if model.speeds:
            try:
                with trees.shared():
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
    tau, c, other, both, columns = np.split(
        numbers(hs.inverse_dynamics(model), *stacked), [3, 6, 9, 12]
    )
    close((columns - c[0]).T, M[0], c)
    close((M @ a[..., None])[..., 0] + c, tau)
    close(both - c, 2.5 * (other - c) + (tau - c), c)
    return tau


def check_power(model, motion, tau):
    """d(kinetic + potential)/dt = power of the efforts less the losses."""
    h, q, v, a = 4e-3, motion.q, motion.v, motion.a
    dq = numbers(hs.coordinate_rates(model), q, v)
    close(dq, oracle.rates(model, q, v))
    times = h * STENCIL[:, None, None]
    rows = [x.reshape(-1, x.shape[-1]) for x in (q + times * dq, v + times * a)]
    kinetic, potential = (x.reshape(len(STENCIL), -1) for x in numbers(hs.energy(model), *rows))
    close((kinetic[3], potential[3]), motion.energy())
    loss = motion.of_speeds("damping") * v + motion.of_speeds("friction") * np.sign(v)
    power = ((tau - loss) * v).sum(-1)
    close(WEIGHTS @ (kinetic + potential) / h, power, tau * v, kinetic, potential, gate=1e-9)


def check_retold(model, draw, q, v, a, tau):
    """World turned, masses scaled, facts shuffled, a body split, ends exchanged, bodies added."""
    told = retold(model, draw)
    other = told.model()
    state = [told.arranged(other, q, "coordinates"), *(told.arranged(other, x) for x in (v, a))]
    found = numbers(hs.inverse_dynamics(other), *state)
    close(found, told.factor * told.arranged(other, tau))
