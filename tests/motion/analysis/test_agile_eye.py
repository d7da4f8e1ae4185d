"""The agile eye in motion: [Paul] section 6.2.3, and what its geometry says."""

from functools import cache

import numpy as np
import pytest
from shared_models import library

import hapsis as hs

MOTORS = ("q9", "q18", "q27")
PLACE, TURNS = ("q1", "q2", "q3"), ("q4", "q5", "q6")


@cache
def eye():
    def law(
        s,
        stiffness=20.0,
        damping=2.0,
        rate=6.0,
        torque1=0.1,
        torque2=0.1,
        torque3=0.1,
        target1=-0.7,
        target2=-0.7,
        target3=-0.7,
    ):
        torques, targets = (torque1, torque2, torque3), (target1, target2, target3)
        return {
            q: torque * hs.sin(rate * s.t) + stiffness * (target - s[q]) - damping * s[f"{q}.v"]
            for q, torque, target in zip(MOTORS, torques, targets, strict=True)
        }

    return hs.Model(library.agile_eye(), hs.Controller("motors", law))


def ran(start=None, parameters=None, until=1.0, **values):
    given = {f"motors.{n}": x for n, x in values.items()} | (parameters or {})
    result = hs.simulate(eye(), until=until, start=start, every=0.01, parameters=given)
    assert result.success and result.constraint_error <= 1e-12 and result.energy_drift < 1e-6
    return result


def centre(side, slope):
    return np.array([side / 2, side / (2 * np.sqrt(3)), side * np.tan(slope) / np.sqrt(3)])


def moved(result):
    """How far the eye's centre is from where it must be, at worst."""
    place = np.stack([result[q] for q in PLACE], axis=1)
    return np.abs(place - centre(1.0, np.pi / 4)).max()


def test_it_closes_from_the_values_of_the_table():
    model = library.agile_eye()
    state = hs.assemble(model)
    report = state.report
    assert (report.rows, report.rank, report.mobility) == (18, 12, 3) and report.gruebler == -3
    assert len(report.redundant) == 6 and report.gap <= 1e-12
    assert [state[q] for q in PLACE] == pytest.approx(centre(1.0, np.pi / 4), abs=1e-12)


@pytest.mark.slow
def test_equal_torques_turn_it_about_the_vertical():
    result = ran(stiffness=0.0, damping=0.0)
    assert np.ptp(result["q6"]) > 0.3
    assert max(np.abs(result[q]).max() for q in TURNS[:2]) < 1e-10
    assert moved(result) < 1e-12
    first, *others = (result[q] for q in MOTORS)
    assert max(np.abs(first - other).max() for other in others) < 1e-10
    # only the eye is heavy: its energy is what the motors have given
    energy = 0.5 * 0.064 * result["q6.v"] ** 2
    assert result["kinetic"] == pytest.approx(energy, abs=1e-12)
    assert result["kinetic"] == pytest.approx(result["work"], abs=1e-9)


def test_unequal_torques_turn_it_about_three_axes():
    result = ran(stiffness=0.0, damping=0.0, torque3=-0.05)
    assert min(np.ptp(result[q]) for q in TURNS) > 0.02
    assert moved(result) < 1e-12
    assert result["q9"] != pytest.approx(result["q27"], abs=1e-3)


def test_a_controller_brings_it_where_it_shall_look():
    aim = dict(zip(TURNS, (0.1, -0.15, 0.2), strict=True))
    wanted = hs.assemble(eye(), aim)
    targets = {f"target{k}": wanted[q] for k, q in enumerate(MOTORS, 1)}
    result = ran(until=3.0, torque1=0.0, torque2=0.0, torque3=0.0, **targets)
    for name, value in aim.items():
        assert result[name][-1] == pytest.approx(value, abs=1e-6)
    assert moved(result) < 1e-12


@pytest.mark.slow
def test_its_size_does_not_matter_and_its_slope_does():
    free = {"stiffness": 0.0, "damping": 0.0}
    usual = ran(**free)
    small = ran(parameters={"L": 0.5}, **free)
    assert np.abs(small["q6"] - usual["q6"]).max() < 1e-8
    assert [small[q][0] for q in PLACE] == pytest.approx(centre(0.5, np.pi / 4), abs=1e-12)
    steep = ran(parameters={"theta": 0.9}, **free)
    assert [steep[q][0] for q in PLACE] == pytest.approx(centre(1.0, 0.9), abs=1e-12)
    assert np.ptp(steep["q6"]) / np.ptp(steep["q9"]) > np.ptp(usual["q6"]) / np.ptp(usual["q9"])
    # as when the model itself is so
    other = eye().replace(parameters={**eye().parameters, "theta": 0.9})
    given = {f"motors.{name}": x for name, x in free.items()}
    same = hs.simulate(other, until=1.0, every=0.01, parameters=given)
    assert np.abs(same["q6"] - steep["q6"]).max() < 1e-8
