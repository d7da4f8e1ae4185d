"""The terms of a step at the level of velocities agree with the verbs, on random trees and with forces."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from samples import sample
from trees import close, models, numbers, states

import hapsis as hs
from hapsis.mechanics.formalisms.dynamics.velocity_terms import drift, speed_blocks, supports, velocity_terms

H = 3e-3


def undamped(model):
    """The model whose joints lose nothing."""
    for name in model.joints:
        model = model.replace(name, damping=0.0, friction=0.0)
    return model


def split(blocks, A):
    """The blocks of the matrix as one square matrix over the speeds, for each state."""
    n = sum(map(len, blocks))
    whole, start = np.zeros((len(A), n, n)), 0
    for block in blocks:
        size = len(block) ** 2
        whole[:, np.array(block)[:, None], block] = A[:, start : start + size].reshape(len(A), len(block), -1)
        start += size
    return whole


@settings(max_examples=sample(20, 1000), deadline=None)
@given(models(losses=False))
def test_mass_gravity_poses_and_jacobians_are_those_of_the_verbs(drawn):
    model, draw = undamped(drawn[0]), drawn[1]
    assume(model.speeds)
    q, v, _ = states(model, draw, 3)
    blocks, bodies = speed_blocks(model), tuple(model.bodies)
    terms = numbers(velocity_terms(model, blocks, bodies), q, v, 0.0 * v, np.full(3, H))
    order = [slot for block in blocks for slot in block]
    close(split(blocks, terms.A), numbers(hs.mass_matrix(model), q), gate=1e-11)
    # h F, all that the bias has at rest, since no force depends on the speeds
    close(terms.b, -H * numbers(hs.bias(model), q, 0.0 * v)[:, order], gate=1e-11)
    moved, place = supports(model), 0
    for k, body in enumerate(bodies):
        p, R = numbers(hs.pose(model, body), q)
        close(terms.X[:, 12 * k + 9 : 12 * k + 12], p, gate=1e-11)
        close(terms.X[:, 12 * k : 12 * k + 9].reshape(-1, 3, 3), R, gate=1e-11)
        J, mine = numbers(hs.jacobian(model, body), q), list(moved[body])
        assert not np.delete(J, mine, axis=2).any()
        size = 6 * len(mine)
        close(terms.J[:, place : place + size].reshape(3, 6, len(mine)), J[:, :, mine], gate=1e-11)
        place += size


@settings(max_examples=sample(15, 1000), deadline=None)
@given(models(losses=False, weight=False))
def test_a_drift_keeps_kinetic_energy_and_is_the_motion_without_forces(drawn):
    model, draw = undamped(drawn[0]), drawn[1]
    assume(model.speeds)
    q, v, _ = states(model, draw, 2)
    n = q.shape[1]
    dw = numbers(drift(model), np.hstack([q, v]))
    close(dw[:, :n], numbers(hs.coordinate_rates(model), q, v), gate=1e-11)
    M, c = numbers(hs.mass_matrix(model), q), numbers(hs.bias(model), q, v)
    close(np.einsum("kij,kj->ki", M, dw[:, n:]) + c, 0.0 * c, c, gate=1e-9)


def cart(*facts):
    return hs.Model(
        [hs.Body(name, mass=m, inertia=(1, 1, 1)) for name, m in (("a", 1.0), ("b", 2.0), ("c", 3.0))],
        [hs.Prismatic(name, hs.WORLD, name, axis="x") for name in "abc"],
        *facts,
        gravity=(0, 0, 0),
    )


def test_what_a_force_connects_is_one_block():
    assert speed_blocks(cart()) == ((0,), (1,), (2,))
    joined = cart(hs.Spring("s", "a", "c", stiffness=100.0, damping=2.0))
    assert speed_blocks(joined) == ((0, 2), (1,))
    assert speed_blocks(cart(), [(0, 1)]) == ((0, 1), (2,))


@pytest.mark.parametrize("stiffness", [1e2, 1e8])
def test_a_spring_is_implicit(stiffness):
    """A step of A and b is the implicit Euler step of two masses on a spring."""
    model = cart(hs.Spring("s", "a", "b", stiffness=stiffness, damping=3.0, length=0.5))
    blocks = speed_blocks(model)
    q, v = np.array([[0.0, 0.8, 0.0]]), np.array([[0.3, -0.2, 0.1]])
    terms = numbers(velocity_terms(model, blocks, ()), q, v, 0.0 * v, np.array([H]))
    order = [slot for block in blocks for slot in block]
    new = v[0] + np.linalg.solve(split(blocks, terms.A)[0], terms.b[0][np.argsort(order)])
    moved = q[0] + H * new
    tension = stiffness * (moved[1] - moved[0] - 0.5) + 3.0 * (new[1] - new[0])
    force = np.array([tension, -tension, 0.0])
    assert np.allclose(np.array([1.0, 2.0, 3.0]) * (new - v[0]), H * force, rtol=1e-9, atol=1e-9)
