"""The promise of the energy watchdog, against energies computed by hand at many more moments."""

import re

import numpy as np
import pytest
from samples import sample

import hapsis as hs

pytestmark = pytest.mark.filterwarnings("ignore::hapsis.errors.Notice")


def near_parallelogram(excess):
    """A four-bar that is a parallelogram but for `excess`: it passes nearly singular positions."""
    return hs.Model(
        hs.Rod("crank", length=0.2, mass=0.2),
        hs.Rod("coupler", length=0.5, mass=0.5),
        hs.Rod("rocker", length=0.2 + excess, mass=0.4),
        hs.Revolute("A", hs.WORLD, "crank", axis="y"),
        hs.Revolute("B", "crank.end", "coupler", axis="y"),
        hs.Revolute("D", hs.WORLD.at(0.5, 0, 0), "rocker", axis="y"),
        hs.Revolute("C", "coupler.end", "rocker.end", axis="y"),
        poses={"start": {"A": -1.0, "B": 1.0, "D": -1.0}},
        gravity=(0, 0, 0),
    )


def drift(model, result):
    """The largest change of energy at any row, over all that was turned over; no force acts."""
    energy = hs.compile(hs.energy(model))
    q = np.stack([result[n] for n in model.coordinates], axis=1)
    v = np.stack([result[n] for n in model.speeds], axis=1)
    parts = energy(q, v)
    total = parts.kinetic + parts.potential
    return np.abs(total - total[0]).max() / (parts.kinetic.max() + np.ptp(parts.potential))


@pytest.mark.parametrize("every", [None, 0.5, 10.0])
def test_a_run_that_succeeds_keeps_its_energy(every):
    """Near singular positions, with rows that are many or few: success means at most 5 %."""
    draw, count, good = np.random.default_rng(11), sample(3, 40), 0
    for _ in range(count):
        model, speed = near_parallelogram(10.0 ** draw.uniform(-10, -3)), draw.uniform(3, 8)
        start, until = {"A": -1.0, "A.v": speed}, float(draw.uniform(1, 12))
        result = hs.simulate(model, until=until, start=start, every=every)
        if not result.success:
            continue
        good += 1
        assert result.energy_drift <= 0.05
        dense = hs.simulate(model, until=until, start=start, every=until / 50_000, watchdog=False)
        # the same steps, seen at many more moments
        assert drift(model, dense) <= 0.05 * 1.05
    assert good > count / 2


@pytest.mark.parametrize(
    ("method", "step"), [("rk4", 0.02), ("euler", 0.01), ("rk4", 0.005), ("euler", 0.002)]
)
@pytest.mark.parametrize("stop", [False, True])
def test_at_the_end_of_every_run_with_fixed_steps(method, step, stop):
    """Springs that a step hardly resolves: what is lost is said, also of runs that an event ends."""
    for rate in np.geomspace(0.05, 0.9, sample(4, 30)):
        k = (rate * (2.8 if method == "rk4" else 2.0) / step) ** 2
        model = hs.Model(
            hs.Body("m", mass=1.0),
            hs.Prismatic("x", hs.WORLD, "m", axis="x"),
            hs.JointSpring("s", "x", stiffness=k),
            gravity=(0, 0, 0),
        )
        events = [hs.Event("late", lambda s: s.t - 0.9, stop=True)] if stop else []
        result = hs.simulate(model, until=1.0, start={"x": 0.1}, method=method, step=step, events=events)
        energy = 0.5 * result["x.v"] ** 2 + 0.5 * k * result["x"] ** 2
        change = np.abs(energy - energy[0]).max()
        turned = 0.5 * (result["x.v"] ** 2).max() + 0.5 * k * np.ptp(result["x"] ** 2)
        assert result.success == (change <= 0.05 * turned), (k, change / turned)


def test_a_motion_that_begins_smoothly_is_not_stopped():
    """Pulses that are hardly felt at a moment of the check: energies that the work is not known to."""

    def law(s, at=5.0, width=0.1, height=1.0):
        u = (s.t - at) / width
        return {"x": hs.where(hs.abs(u) < 1.0, 0.5 * height * (1.0 + hs.cos(np.pi * u)), 0.0)}

    model = hs.Model(
        hs.Body("m", mass=1.0),
        hs.Prismatic("x", hs.WORLD, "m", axis="x"),
        hs.Controller("c", law),
        gravity=(0, 0, 0),
    )
    draw = np.random.default_rng(13)
    for _ in range(sample(20, 500)):
        width, momentum = 10.0 ** draw.uniform(-2, 0), 10.0 ** draw.uniform(-4, 2)
        begin = 10.0 * draw.integers(1, 25) / 50 - width * 10.0 ** draw.uniform(-3, -1)
        given = {"c.at": begin + width, "c.width": width, "c.height": momentum / width}
        result = hs.simulate(model, until=10.0, parameters=given, every=1.0)
        assert result.success and result.energy_drift < 1e-6, (given, result.message)
        assert result["x.v"][-1] == pytest.approx(momentum, rel=1e-7)


def test_the_message_has_the_change_that_decided():
    """A spring that steps hardly resolve: in J, and in % of what was exchanged, which is above the limit."""
    k = (2.7 / 0.1) ** 2
    model = hs.Model(
        hs.Body("m", mass=1.0),
        hs.Prismatic("x", hs.WORLD, "m", axis="x"),
        hs.JointSpring("s", "x", stiffness=k),
        gravity=(0, 0, 0),
    )
    result = hs.simulate(model, until=20.0, start={"x": 0.1}, method="rk4", step=0.1)
    energy = 0.5 * result["x.v"] ** 2 + 0.5 * k * result["x"] ** 2
    exchanged = 0.5 * (result["x.v"] ** 2).max() + 0.5 * k * np.abs(result["x"] ** 2 - 0.01).max()
    change = np.abs(energy - energy[0]).max()
    numbers = re.fullmatch(
        r"t = (\S+): energy changes by (\S+) J, (\S+) % of the energy exchanged until then, and no .*",
        result.message,
    )
    assert result.status == "energy" and numbers is not None
    told = [float(x) for x in numbers.groups()]
    assert told == pytest.approx([result.t[-1], change, 100 * change / exchanged], rel=6e-3)
    assert told[2] > 5 and told[2] == pytest.approx(100 * result.energy_drift, rel=6e-3)


def test_what_has_just_begun_is_not_stopped_for_a_part_of_what_it_exchanges():
    """A mass falls beside one that swings a little too far: too much of all energy at first only."""
    model = hs.Model(
        [hs.Body(name, mass=1.0) for name in "ab"],
        hs.Prismatic("fall", hs.WORLD, "a", axis="z"),
        hs.Prismatic("swing", hs.WORLD, "b", axis="x"),
        hs.JointSpring("s", "swing", stiffness=900.0 / 5e-3**2 * 1e-3),
    )
    run = {"method": "euler", "step": 5e-3, "every": 5e-3}
    result = hs.simulate(model, until=1.0, start={"swing": 2e-3}, **run)
    early = result.t < 0.021
    energy = result["energy"]
    exchanged = (
        result["kinetic"][early].max() + np.abs(result["potential"] - result["potential"][0])[early].max()
    )
    assert np.abs(energy - energy[0])[early].max() > 0.06 * exchanged
    assert result.success and result.energy_drift < 1e-2
