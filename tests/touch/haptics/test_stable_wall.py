"""The stiffest stable wall of a plain mass against the closed form of the sampled system."""

import math

import numpy as np
import pytest
from samples import sample

from hapsis.touch.haptics import passivity


@pytest.mark.parametrize("seed", range(sample(20, 2000)))
def test_against_the_closed_form(seed):
    """Zero-order hold and B = 0: a pair of eigenvalues on the unit circle, their product one."""
    draw = np.random.default_rng(seed)
    m, b, T = (float(10 ** draw.uniform(low, high)) for low, high in ((-2, 0.5), (-1.5, 1), (-4, -2.5)))
    k = b / m
    e1 = -math.expm1(-k * T)
    b1, b2 = (T - e1 / k) / b, e1 / b
    exact = e1 / (b2 * e1 / k - b1 * (1 - e1))
    assert passivity.stiffest_stable_wall(b, T, mass=m) == pytest.approx(exact, rel=1e-7)
