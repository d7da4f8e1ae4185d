"""Derivatives of motions with loops and drives, against differences of simulations."""

import numpy as np
import pytest
from shared_models import four_bar, library

import hapsis as hs

START = {"A": 0.3, "A.v": 0.5}
NAMES = ["crank.mass", "rocker.end.x", "A", "A.v"]
BASE = {"crank.mass": 0.2, "rocker.end.x": 0.4, **START}


def moved(model, name, size, **more):
    """The motion with one number changed."""
    start, parameters = dict(START), {}
    target = start if name in start else parameters
    target[name] = BASE[name] + size
    return hs.simulate(
        model, until=1.0, start=start, parameters=parameters, every=0.1, tolerance=1e-12, **more
    )


@pytest.fixture(scope="module")
def free():
    model = four_bar(hs.Spring("s", hs.WORLD.at(0, 0, 1), "coupler.mid", 30.0, damping=1.0))
    return model, hs.sensitivities(model, 1.0, NAMES, START, every=0.1, tolerance=1e-12)


@pytest.mark.parametrize("name", NAMES)
def test_sensitivities(free, name):
    """Masses, lengths (which move the dependent start too) and starts that lead."""
    model, found = free
    more, less = (moved(model, name, size) for size in (1e-5, -1e-5))
    for what in ("A", "B", "D", "D.v", "A.a", "energy", "s.force"):
        exact = (more[what] - less[what]) / 2e-5
        assert found[what, name] == pytest.approx(exact, abs=1e-6 * np.abs(exact).max() + 1e-8)


def test_the_motion_itself(free):
    model, found = free
    result = found.result
    alone = hs.simulate(model, until=1.0, start=START, every=0.1, tolerance=1e-12)
    assert result.constraint_error <= 1e-12
    for name in model.coordinates:
        assert result[name] == pytest.approx(alone[name], abs=1e-9)
    assert result["C.reaction"] == pytest.approx(alone["C.reaction"], abs=1e-6)


def test_slopes_keep_the_loops_closed(free):
    model, found = free
    rows = hs.compile(hs.constraints(model))
    for k in (0, 5, 10):
        q, v = (np.array([found.result[n][k] for n in x]) for x in (model.coordinates, model.speeds))
        J = rows(q, v).J
        for name in ("crank.mass", "A", "A.v"):  # a length moves the rows themselves
            slope = np.array([found[n, name][k] for n in model.coordinates])
            assert np.abs(J @ slope).max() <= 1e-8 * max(1.0, np.abs(slope).max())


def test_the_gradient_is_the_same(free):
    model, found = free
    made = hs.gradient(model, lambda s: s["B"] + s["D.v"] ** 2, NAMES, 1.0, START, tolerance=1e-11)
    for name in NAMES:
        slope = found["B", name][-1] + 2 * found.result["D.v"][-1] * found["D.v", name][-1]
        assert made[name] == pytest.approx(slope, rel=1e-6)
    rows = hs.compile(hs.constraints(model))(np.array(made.last.q), np.array(made.last.v))
    assert np.abs(rows.h).max() <= 1e-12


def test_of_a_driven_mechanism():
    model = four_bar(hs.Drive("motor", "A", position="0.3 + w * t"), parameters={"w": 2.0})
    found = hs.sensitivities(model, 1.0, ["crank.mass", "w"], every=0.1, tolerance=1e-12)
    more, less = (
        hs.simulate(model, until=1.0, every=0.1, tolerance=1e-12, parameters={"w": 2.0 + x})
        for x in (1e-5, -1e-5)
    )
    for what in ("A", "D", "D.v", "energy", "work"):
        exact = (more[what] - less[what]) / 2e-5
        assert found[what, "w"] == pytest.approx(exact, abs=1e-7 * np.abs(exact).max())
    assert found["A", "w"] == pytest.approx(found.t)


def test_by_what_a_drive_is_told():
    model = four_bar(hs.Drive("motor", "A", position="input", tracking=20.0))
    table = ([0.0, 0.5, 1.0], [0.3, 0.5, 0.4])

    def ran(values):
        inputs = {"motor.position": (table[0], values)}
        return hs.simulate(model, until=1.0, start={"A": 0.3}, inputs=inputs, every=0.1, tolerance=1e-12)

    found = hs.sensitivities(
        model, 1.0, "motor.position", {"A": 0.3}, every=0.1, tolerance=1e-12, inputs={"motor.position": table}
    )
    for k in range(3):
        aside = 1e-5 * np.eye(3)[k]
        exact = (ran(table[1] + aside)["D"] - ran(table[1] - aside)["D"]) / 2e-5
        assert found["D", "motor.position"][:, k] == pytest.approx(exact, abs=1e-7)


def test_identify_masses_and_lengths():
    model = four_bar()
    result = hs.simulate(model, until=0.5, start={"A": 0.3}, every=0.01)
    data = {"t": result.t, "A": result["A"], "D": result["D"]}
    guess = {"coupler.mass": 0.6, "rocker.end.x": 0.41}
    found = hs.identify(model, data, guess, start={"A": 0.3})
    assert found.values["coupler.mass"] == pytest.approx(0.5, rel=1e-6)
    assert found.values["rocker.end.x"] == pytest.approx(0.4, rel=1e-8)


def test_what_is_refused():
    model = four_bar(independent=["A"])
    with pytest.raises(hs.ModelError, match='start of "B" follows from the others; expected A'):
        hs.sensitivities(model, 1.0, ["A", "B"], {"A": 0.3})
    driven = four_bar(hs.Drive("motor", "A", position=lambda t: 0.3 + t))
    with pytest.raises(hs.ModelError, match='start of "A" is led by a drive'):
        hs.gradient(driven, lambda s: s["D"], "A", 1.0)
    with pytest.raises(hs.SolveError, match="near a singular position"):
        hs.sensitivities(library.n_four_bar(1), 2.0, ["upright0"], every=0.01)
    data = {n: np.zeros(3) for n in ("A", "A.v", "A.a", "A.effort", "B", "D")} | {"t": np.arange(3)}
    with pytest.raises(hs.ModelError, match="loops or drives"):
        hs.identify(model, data, ["crank.mass"], fit="efforts")
