"""Gravity by formulas of parameters: the same motion as with numbers, in files, parts and pickles."""

import pickle

import numpy as np
import pytest

import hapsis as hs


def pendulum(gravity, **parameters):
    """A rod on a hinge that turns about y."""
    facts = hs.Rod("rod", 0.7, 1.3), hs.Revolute("hinge", hs.WORLD, "rod", axis="y")
    return hs.Model(*facts, gravity=gravity, parameters=parameters)


SLOPE = ("g * sin(slope)", 0, "-g * cos(slope)")


@pytest.mark.parametrize("slope", [0.0, 0.3, -1.2])
def test_as_with_numbers(slope):
    g = 3.7
    tilted = pendulum(SLOPE, g=g, slope=slope)
    numbers = (g * np.sin(slope), 0.0, -g * np.cos(slope))
    assert tilted.gravity_vector == pytest.approx(numbers, abs=1e-15)
    plain = pendulum(numbers)
    runs = [hs.simulate(model, until=0.5, start={"hinge": 0.4}) for model in (tilted, plain)]
    assert np.allclose(runs[0]["hinge"], runs[1]["hinge"], atol=1e-9)
    # the slope is a number of the run: no other equations are needed
    other = pendulum(SLOPE, g=g, slope=0.7)
    led = hs.simulate(other, until=0.5, start={"hinge": 0.4}, parameters={"slope": slope})
    assert np.allclose(led["hinge"], runs[0]["hinge"], atol=1e-9)


def test_files_pickles_and_parts(tmp_path):
    model = pendulum(SLOPE, g=9.81, slope=0.1)
    hs.save(model, tmp_path / "model.yaml")
    assert hs.load(tmp_path / "model.yaml") == model == pickle.loads(pickle.dumps(model))
    part = model.prefixed("left")
    assert part.gravity[0] == hs.Formula("left.g * sin(left.slope)")
    assert part.gravity_vector == model.gravity_vector
    assert model.replace(parameters={"g": 1.0, "slope": 0.0}).gravity_vector == (0.0, 0.0, -1.0)
    with pytest.warns(hs.Notice, match="1 gravity of its own"):
        hs.save(model, tmp_path / "model.urdf")


def test_what_is_refused():
    with pytest.raises(hs.ModelError, match=r'gravity: .*"slope", which is no parameter'):
        pendulum(SLOPE, g=9.81)
    with pytest.raises(hs.ModelError, match=r"gravity: .*no finite value"):
        pendulum(("1 / g", 0, 0), g=0.0)
