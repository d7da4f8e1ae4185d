"""Dry friction and stops that hold what is between them: impulses balance each other, and nothing moves."""

import numpy as np
import pytest

import hapsis as hs


def block(draw, **joint):
    """A block with dry friction on a rail, of any mass, and its friction."""
    mass, friction = 10.0 ** draw.uniform(-1, 1), 10.0 ** draw.uniform(-1, 1.5)
    body = hs.Body.box("b", (0.1, 0.1, 0.1), mass=mass)
    return hs.Model(body, hs.Prismatic("x", hs.WORLD, "b", axis="x", friction=friction, **joint)), friction


@pytest.mark.parametrize("seed", range(40))
def test_a_block_comes_to_rest_at_a_spring(seed):
    """Wherever friction holds it against the spring, and however far it has come."""
    draw = np.random.default_rng(seed)
    model, friction = block(draw, limits=(-0.2, 0.2))
    k, c = 10.0 ** draw.uniform(3, 5), 10.0 ** draw.uniform(0, 2.5) * draw.integers(2)
    model += hs.Stop("s", "x", stiffness=k, damping=c)
    speed, step = draw.uniform(0.5, 5.0), 10.0 ** draw.uniform(-3.3, -2.0)
    result = hs.simulate(model, 2.0, {"x.v": speed}, method="contact", step=step)
    energy = result["energy"]
    assert result.success and energy.max() <= energy[0] * (1 + 1e-9)
    if abs(result["x.v"][-1]) < 1e-9:
        assert k * max(abs(result["x"][-1]) - 0.2, 0.0) <= friction * (1 + 1e-6)


@pytest.mark.parametrize("seed", range(40))
def test_a_block_comes_to_rest_at_a_rigid_limit(seed):
    draw = np.random.default_rng([seed, 1])
    model, _ = block(draw, limits=(-0.2, 0.2))
    speed, step = draw.uniform(0.5, 10.0), 10.0 ** draw.uniform(-3.3, -2.0)
    result = hs.simulate(model, 1.0, {"x.v": speed}, method="contact", step=step, limits="stops")
    assert result.success and np.abs(result["x"]).max() < 0.2 + 1e-6
    assert result["energy"].max() <= result["energy"][0] * (1 + 1e-9)
