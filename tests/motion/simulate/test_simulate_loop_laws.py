"""Laws of loops in motion: closed, energy kept, whichever copy of a row is dropped."""

import math

import numpy as np
import pytest
from loop_models import digest, rows_at
from shared_models import four_bar, library

import hapsis as hs
from hapsis.motion.simulate.run import run as running

ALL = {
    "three_bar": 3.0,
    "redundant_four_bar": 3.0,
    "slider_crank": 2.0,
    "bricard": 1.0,
    "n_four_bar": 1.0,
    "scissor_lift": 2.0,
    "double_wishbone": 1.0,
    "stewart": 0.2,
    "five_link_suspension": 1.0,
    "andrews": 0.02,
}


@pytest.mark.slow
@pytest.mark.parametrize("name", ALL)
def test_every_mechanism_stays_closed_and_keeps_its_energy(name):
    model = getattr(hs.library, name)()
    result = hs.simulate(model, until=ALL[name], every=ALL[name] / 200)
    assert result.success and result.constraint_error <= 1e-12
    assert result.energy_drift <= 1e-6
    # rates as well, and what rows carry does no work but where they move
    for k in (50, 200):
        rows, _, v = rows_at(model, result, k)
        assert np.abs(rows.J @ v).max() <= 1e-11 * max(1.0, np.abs(v).max())
    turned = np.ptp(result["kinetic"]) + np.ptp(result["potential"])
    left = result["energy"] - result["work"]
    assert np.abs(left - left[0]).max() <= 1e-6 * turned


@pytest.mark.slow
def test_after_a_million_steps():
    model = four_bar()
    result = hs.simulate(model, until=1000.0, start={"A": 0.3}, method="rk4", step=1e-3, every=50.0)
    assert result.report["steps"] == 1_000_000
    assert result.energy_drift < 1e-7
    for k in range(len(result.t)):
        rows, _, v = rows_at(model, result, k)
        assert np.abs(rows.h).max() <= 1e-10 and np.abs(rows.J @ v).max() <= 1e-9


def test_the_same_motion_as_a_pendulum_of_its_inertia():
    """One degree of freedom: I(A) A'' + I'(A) A'² / 2 = Q(A), all found by hand."""

    def placed(angle):
        """Angles of coupler and rocker by the law of cosines; angles grow from x towards -z."""
        x, z = 0.2 * np.cos(angle) - 0.45, -0.2 * np.sin(angle)
        d = np.hypot(x, z)
        to = np.arctan2(-z, x)
        # the branch in which hs.assemble found it
        rocker = to + side * np.arccos((0.4**2 + d**2 - 0.5**2) / (0.8 * d))
        end = np.array([0.45 + 0.4 * np.cos(rocker), -0.4 * np.sin(rocker)])
        pin = np.array([0.2 * np.cos(angle), -0.2 * np.sin(angle)])
        return pin, end, rocker

    def energies(angle):
        """Half the inertia seen at the crank, and the potential."""
        step = 1e-6
        ways = [placed(angle + s) for s in (-step, step)]
        rate = [(b - a) / (2 * step) for a, b in zip(*ways, strict=True)]
        pin, end, _ = placed(angle)
        # a slender rod: its ends' speeds tell its energy
        moving = 0.5 * 0.2 * 0.2**2 / 3 + 0.5 * 0.4 * 0.4**2 / 3 * rate[2] ** 2
        moving += 0.5 * 0.5 / 3 * (rate[0] @ rate[0] + rate[0] @ rate[1] + rate[1] @ rate[1])
        height = 0.2 * pin[1] / 2 + 0.5 * (pin[1] + end[1]) / 2 + 0.4 * end[1] / 2
        return moving, 9.81 * height

    model = four_bar()
    result = hs.simulate(model, until=1.0, start={"A": 0.3}, tolerance=1e-11, every=0.1)
    side = 1.0
    if not np.isclose(np.cos(placed(0.3)[2] - result["D"][0]), 1.0):
        side = -1.0
    assert np.isclose(np.cos(placed(0.3)[2] - result["D"][0]), 1.0)
    total = energies(0.3)[1]
    for k in range(1, 11):
        moving, potential = energies(result["A"][k])
        assert moving * result["A.v"][k] ** 2 + potential == pytest.approx(total, abs=1e-8)


def test_orders_of_convergence():
    model, start = four_bar(), {"A": 0.3}
    exact = hs.simulate(model, until=1.0, start=start, tolerance=1e-13, every=0.05)["A"]

    def error(**how):
        result = hs.simulate(model, until=1.0, start=start, every=0.05, watchdog=False, **how)
        assert result.success and result.constraint_error <= 1e-12
        return np.abs(result["A"] - exact).max(), result.report["steps"]

    (coarse, _), (fine, _) = (error(method="rk4", step=h) for h in (5e-3, 2.5e-3))
    assert 3.7 < math.log2(coarse / fine) < 4.6
    (coarse, few), (fine, many) = (error(method="order5", tolerance=x) for x in (1e-5, 1e-10))
    assert 4.0 < math.log(coarse / fine) / math.log(many / few) < 6.5


@pytest.mark.filterwarnings("ignore::hapsis.errors.Notice")
def test_every_method_goes_with_loops():
    model, start = four_bar(), {"A": 0.3}
    exact = hs.simulate(model, until=0.5, start=start, tolerance=1e-12)["A"][-1]
    for how, most in (
        ({"method": "stiff"}, 1e-5),
        ({"method": "order8"}, 1e-7),
        ({"method": "euler", "step": 1e-4}, 1e-3),
    ):
        result = hs.simulate(model, until=0.5, start=start, every=0.1, **how)
        assert result.success and abs(result["A"][-1] - exact) < most
        assert result.constraint_error <= 1e-12
    with pytest.raises(hs.SolveError, match='"symplectic" has no form for loops'):
        hs.simulate(model, until=0.5, start=start, method="symplectic", step=1e-3)


# which copy of a redundant row is dropped -------------------------------------------------------


def test_a_door_hangs_on_either_hinge():
    ways = []
    for first in (1, 0):
        hinges = [
            hs.Revolute("low", hs.WORLD.at(0, 0, 0.3), "door.low", axis=(0.2, 0.1, 1.0)),
            hs.Revolute("high", hs.WORLD.at(0.34, 0.17, 2.0), "door.high", axis=(0.2, 0.1, 1.0)),
        ]
        door = hs.Body(
            "door", 20.0, (0.5, 0, 1.0), (5.0, 6.0, 2.0), {"low": (0, 0, 0.3), "high": (0.34, 0.17, 2.0)}
        )
        model = hs.Model(door, hinges[1 - first], hinges[first])
        name = model.coordinates[0]
        assert hs.assemble(model).report.mobility == 1
        ways.append(hs.simulate(model, until=3.0, start={name: 0.4}, tolerance=1e-12)[name])
    assert np.ptp(ways[0]) > 0.3
    assert np.abs(ways[0] - ways[1]).max() <= 1e-10


def test_the_order_of_loops_does_not_matter():
    """Cut elsewhere, or another of the rows that say the same left out."""
    model = library.redundant_four_bar()
    found = []
    for turn in (0, 1):
        facts = list(model.facts)
        cuts = [f for f in facts if f.name in ("right cut", "middle cut")]
        facts = [f for f in facts if f not in cuts] + (cuts if turn else cuts[::-1])
        other = hs.Model(
            *facts, gravity=model.gravity, parameters=model.parameters, poses=model.poses, independent=["q1"]
        )
        result = hs.simulate(other, until=3.0, tolerance=1e-12, every=0.05)
        assert result.success and result.constraint_error <= 1e-12
        found.append(np.stack([result[n] for n in model.coordinates]))
    assert np.abs(found[0] - found[1]).max() <= 1e-10


@pytest.mark.slow
def test_a_loop_closed_twice():
    once = four_bar()
    twice = four_bar(
        hs.Revolute("C2", "coupler.end", "rocker.end", axis="y"),
        hs.Distance("rod", hs.WORLD.at(0.45, 0, 0), "coupler.end", 0.4),
    )
    report = hs.assemble(twice, {"A": 0.3}).report
    assert report.mobility == 1 and len(report.redundant) == 3
    one, two = (hs.simulate(m, until=2.0, start={"A": 0.3}, tolerance=1e-12) for m in (once, twice))
    for name in once.coordinates:
        assert np.abs(one[name] - two[name]).max() <= 1e-10
    # together they carry what one alone does, in equal parts as far as they are the same
    forces = [two[f"{n}.reaction"][:, 3:] for n in ("C", "C2")]
    assert np.abs(forces[0] - forces[1]).max() < 1e-8
    assert two["A.reaction"] == pytest.approx(one["A.reaction"], abs=1e-7)


# the same bits ----------------------------------------------------------------------------------


def test_the_same_bits_however_it_is_run(monkeypatch):
    model = library.n_four_bar(1)  # passes singular positions and changes its partition

    def ran(**more):
        return digest(hs.simulate(model, until=3.0, every=0.01, **more))

    first = ran()
    assert ran() == first == ran(threads=1) == ran(threads=2)
    monkeypatch.setattr(running, "FIRST_CHUNK", 3)
    monkeypatch.setattr(running, "MOMENT", 0.0)
    assert ran() == first
