"""The step of the action gives one curve at all rates, and that of a run."""

import numpy as np
import pytest
from samples import sample

import hapsis as hs
from hapsis.library.piano import strokes

SPEED, DEPTH = 0.05, 9.4e-3  # m/s, m


def felt(rate, model):
    """Position and force of a finger that presses the key, by a step at that rate."""
    motion = strokes.path((0.05, 0.0), (0.05 + DEPTH / SPEED, DEPTH), smooth=0.04)
    step = hs.stepper(
        model, 1.0 / rate, inputs=["key.position", "key.velocity"], outputs=["key.force"], substeps="auto"
    )
    run = hs.compile(step, bake=True)
    state = [port.stand_in for port in step.inputs]
    h, x, force = 1e-6, [], []
    for k in range(1, int(0.28 * rate)):
        t = k / rate
        state[-2] = float(motion(t))
        state[-1] = (float(motion(t + h)) - float(motion(t - h))) / (2.0 * h)
        *after, f = run(*state)
        state[: len(after)] = after
        x.append(state[-2])
        force.append(-float(f))
    return np.array(x), np.array(force)


@pytest.fixture(scope="module")
def model():
    return hs.library.grand_action("motion")


def test_one_curve_at_all_rates(model):
    """Within 2 % of the largest force from 1 to 10 kHz, away from the first 30 ms in which felts settle."""
    at = np.linspace(0.5e-3, 9.2e-3, 100)
    curves = {rate: np.interp(at, *felt(rate, model)) for rate in (1000, 4000, *sample((), (2000,)), 10_000)}
    reference = curves.pop(10_000)
    assert 1.5 < reference.max() < 4.0
    for rate, curve in curves.items():
        assert np.abs(curve - reference).max() < 0.02 * reference.max(), rate
