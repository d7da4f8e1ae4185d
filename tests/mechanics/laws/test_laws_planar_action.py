"""Segments, planes, felts, stops and frictions of a planar action against numbers of other programs."""

import numpy as np
import pytest
from planar_action import NAMES, POSES, planar_action

import hapsis as hs
from hapsis.mechanics.formalisms.dynamics.extras import extras
from hapsis.mechanics.formalisms.dynamics.state_rates import signals, state_rates


@pytest.fixture(scope="module", params=[None, True], ids=["written", "mapped"])
def action(request):
    return planar_action(request.param)


@pytest.mark.parametrize("pose", POSES)
def test_poses_of_other_programs(action, pose):
    """Six digits of all of them: all that they print."""
    q, v, expected, normal, finger = POSES[pose]
    assert tuple(action.coordinates) == NAMES
    f = hs.compile(state_rates(action))
    free, pushed = (f(np.array(q, float), np.array(v, float), tau).a for tau in (np.zeros(6), np.eye(6)[0]))
    effort = free[0] / (free[0] - pushed[0])  # the key does not accelerate
    found = free + effort * (pushed - free)
    assert found[0] == pytest.approx(0.0, abs=1e-9)
    assert found[1:] == pytest.approx(expected, rel=6e-6)
    assert effort / (0.225 * np.cos(q[0])) == pytest.approx(finger, rel=6e-6)
    function = signals(action)
    told = hs.compile(function)(np.array(q, float), np.array(v, float))
    by_name = dict(zip([port.name for port in function.outputs], told, strict=True))
    for name in action.contacts:
        assert by_name[f"{name}.force"] == pytest.approx(normal.get(name, 0.0), rel=6e-6), name


def test_its_contacts_are_written_out():
    made = planar_action()
    assert len(extras(made).alone) == 12 and not extras(made).states
    costs = [state_rates(planar_action(how)).cost().flops for how in (None, True)]
    assert costs[0] < 0.65 * costs[1]
