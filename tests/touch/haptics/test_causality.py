"""One mechanism in both causalities: motion in and force out, force in and motion out."""

import numpy as np
import pytest

import hapsis as hs
from hapsis.touch import haptics
from hapsis.touch.realtime.loop import Loop

RATE = 2000.0


def slider(*more):
    return hs.Model(
        hs.Body("mass", mass=0.4, inertia=(1e-4, 1e-4, 1e-4)),
        hs.Prismatic("x", hs.WORLD, "mass", axis="x", damping=2.0),
        hs.JointSpring("spring", "x", stiffness=300.0),
        *more,
        gravity=(0, 0, 0),
    )


def pendulum(*more):
    return hs.Model(
        hs.Rod("rod", length=0.3, mass=0.5), hs.Revolute("x", hs.WORLD, "rod", axis="y", damping=0.05), *more
    )


def cart(*more):
    """A second body swings freely on the one that is held."""
    return hs.Model(
        hs.Body("cart", mass=0.4, inertia=(1e-4, 1e-4, 1e-4)),
        hs.Prismatic("x", hs.WORLD, "cart", axis="x", damping=2.0),
        hs.Rod("pole", length=0.2, mass=0.1),
        hs.Revolute("swing", "cart", "pole", axis="y", damping=1e-3),
        *more,
    )


MODELS = {"slider": (slider, "m", 0.02), "pendulum": (pendulum, "rad", 0.4), "cart": (cart, "m", 0.02)}


def by_admittance(make, unit, amplitude, seconds=0.6):
    """A hand with a spring of its own is led by the model: times, positions, forces of the hand."""
    aim = np.linspace(0.0, seconds + 0.1, 60)
    hand = haptics.SimulatedHand(
        motion=(aim, amplitude * np.sin(9.0 * aim) ** 2),
        stiffness=200.0 if unit == "m" else 3.0,
        damping=3.0 if unit == "m" else 0.03,
        causality="admittance",
        unit=unit,
    )
    step = hs.stepper(make(), 1 / RATE, inputs=["x"], outputs=["x"])
    loop = Loop(step, RATE, paced=False).connect(hand)
    loop.run(seconds)
    report = loop.report()
    assert not loop.guard.fault
    return report["t"], report["hand.x.command"], report["hand.x.force"]


@pytest.mark.parametrize("name", MODELS)
def test_what_admittance_moves_impedance_feels(name):
    """The motion that a force makes, given to the same model, asks for that force."""
    make, unit, amplitude = MODELS[name]
    t, x, force = by_admittance(make, unit, amplitude)
    assert np.ptp(x) > 0.2 * amplitude
    # the command of a tick is the position at its end
    hand = haptics.SimulatedHand(motion=(np.r_[0.0, t + 1 / RATE], np.r_[0.0, x]), unit=unit)
    model = make(hs.Drive("hand", "x", position="input", velocity="input"))
    step = hs.stepper(model, 1 / RATE, inputs=["hand.position", "hand.velocity"], outputs=["hand.force"])
    loop = Loop(step, RATE, paced=False, guard={"passive": False}).connect(hand)
    loop.run(t[-1] - 0.02)  # the end of a spline through the record is not the record's
    felt = loop.report()["hand.force"]
    n = len(felt) - 1
    # force of the hand at a tick leads to the position a tick later, which is felt then
    expected = -force[:n]
    assert felt[1:][20:] == pytest.approx(expected[20:], abs=0.02 * np.ptp(force))


@pytest.mark.parametrize("name", MODELS)
def test_admittance_is_a_simulation_with_that_force(name):
    """The loop's motion is that of `simulate` under the recorded force, held from tick to tick."""
    make, unit, amplitude = MODELS[name]
    t, x, force = by_admittance(make, unit, amplitude, seconds=0.2)
    # a force that is held for a period is, on the average, that of its middle
    table = np.r_[0.0, t + 0.5 / RATE, t[-1] + 1 / RATE], np.r_[force[0], force, force[-1]]
    result = hs.simulate(make(), until=t[-1] + 1 / RATE, every=1 / RATE, inputs={"x": table})
    assert result["x"][1 : len(x) + 1] == pytest.approx(x, abs=2e-3 * np.ptp(x))
