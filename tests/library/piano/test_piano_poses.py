"""Accelerations and forces of the action agree with those computed by hand."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from plain_action import PlainAction, angle_of
from samples import sample

import hapsis as hs


def tree():
    """The action without what moves its key."""
    model = hs.library.grand_action(0.0)
    facts = [fact for fact in model.facts if not isinstance(fact, hs.Drive)]
    return hs.Model(*facts, gravity=model.gravity, parameters=model.parameters, poses=model.poses)


def poses(draw):
    """Coordinates as they occur in play, a little beyond, and speeds."""
    number = lambda low, high: draw(st.floats(low, high))  # noqa: E731
    theta = angle_of(number(-0.2e-3, 10e-3))
    q = [theta, -theta * number(1.6, 1.9) - number(0.0, 1e-3), number(-1e-3, 0.12), number(-1e-3, 0.06)]
    q += [number(-1e-3, 0.338), number(-5e-4, 6e-3)]
    v = [number(-s, s) for s in (0.5, 1.0, 10.0, 5.0, 30.0, 0.2)]
    return np.array(q), np.array(v)


@settings(max_examples=sample(20, 300), deadline=None)
@given(st.data())
def test_accelerations_are_those_of_the_plain_equations(data):
    q, v = poses(data.draw)
    plain = PlainAction(q, v)
    a, finger = plain.accelerations()
    tau = hs.compile(hs.inverse_dynamics(tree()))(q, v, np.array([0.0, *a]))
    arm = 0.225 * np.cos(q[0])
    size = 1e-9 * (1e-3 + 0.05 * max(plain.forces.values()))
    assert abs(tau[0] - finger * arm) < 10.0 * size and np.all(np.abs(tau[1:]) < size)
