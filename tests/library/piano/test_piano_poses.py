"""Accelerations and forces of the action agree with those computed by hand."""

import numpy as np
import pytest
from plain_action import PlainAction, angle_of
from samples import sample

import hapsis as hs


@pytest.fixture(scope="module")
def tree():
    """The action without what moves its key."""
    model = hs.library.grand_action(0.0)
    facts = [fact for fact in model.facts if not isinstance(fact, hs.Drive)]
    return hs.Model(*facts, gravity=model.gravity, parameters=model.parameters, poses=model.poses)


def pose(rng):
    """Coordinates as they occur in play, and a little beyond, and speeds."""
    theta = angle_of(rng.uniform(-0.2e-3, 10e-3))
    q = [theta, -theta * rng.uniform(1.6, 1.9) - rng.uniform(0.0, 1e-3), rng.uniform(-1e-3, 0.12)]
    q += [rng.uniform(-1e-3, 0.06), rng.uniform(-0.03, 0.338), rng.uniform(-5e-4, 6e-3)]
    return np.array(q), rng.uniform(-1.0, 1.0, 6) * (0.5, 1.0, 10.0, 5.0, 30.0, 0.2)


def test_accelerations_are_those_of_the_plain_equations(tree):
    rng = np.random.default_rng(17)
    tau_of = hs.compile(hs.inverse_dynamics(tree))
    touched = set()
    for _ in range(sample(400, 20_000)):
        q, v = pose(rng)
        plain = PlainAction(q, v)
        a, finger = plain.accelerations()
        tau = tau_of(q, v, np.array([0.0, *a]))
        touched |= {name for name, force in plain.forces.items() if force > 0.0}
        if plain.forces["check"] > 0.0:
            continue  # its bristles are not part of the plain equations
        size = 1e-10 + 1e-11 * max(plain.forces.values())
        assert abs(tau[0] - finger * 0.225 * np.cos(q[0])) < size and np.all(np.abs(tau[1:]) < size)
    assert touched == set(tree.contacts)


def test_more_mass_at_the_head_is_a_point_mass(tree):
    rng = np.random.default_rng(3)
    heavy = hs.compile(
        hs.inverse_dynamics(tree.replace(parameters={**tree.parameters, "hammer_head": 9.1e-3}))
    )
    for _ in range(20):
        q, v = pose(rng)
        plain = PlainAction(q, v, head=9.1e-3)
        if plain.forces["check"] == 0.0:
            tau = heavy(q, v, np.array([0.0, *plain.accelerations()[0]]))
            assert np.all(np.abs(tau[1:]) < 1e-10 + 1e-11 * max(plain.forces.values()))


def test_the_start_is_at_rest():
    action = hs.library.grand_action(0.0)
    rest = hs.equilibrium(action)
    start = action.pose("start")
    assert all(abs(rest[name] - start[name]) < 1e-6 for name in action.coordinates)
