"""A loop whose drive takes position and velocity of the device: the mass is felt without delay."""

import numpy as np
import pytest
from hand import Hand

import hapsis as hs
from hapsis.errors import DeviceError
from hapsis.touch.realtime.loop import Loop

INPUTS = ["hand.position", "hand.velocity"]


def step(rate, outputs=("hand.force",)):
    model = hs.Model(
        hs.Body("tool", mass=2.0, inertia=(1, 1, 1)),
        hs.Prismatic("x", hs.WORLD, "tool", axis="x"),
        hs.Drive("hand", "x", position="input", velocity="input"),
        gravity=(0, 0, 0),
    )
    return hs.stepper(model, 1 / rate, inputs=INPUTS, outputs=outputs)


@pytest.mark.parametrize("rate", [1000.0, 4000.0, 10_000.0])
def test_the_loop_tells_mass_times_acceleration(rate):
    loop = Loop(step(rate), rate, paced=False, guard={"passive": False}).connect(Hand(0.0, 0.0, 0.4))
    loop.run(0.2)
    report = loop.report()
    assert np.array_equal(report["hand.velocity"], report["hand.x.velocity"])
    felt = report["hand.force"][1:]
    assert np.abs(felt + 2.0 * 0.8).max() < 1e-9


def test_a_device_without_velocity_is_refused():
    loop = Loop(step(1000.0), 1000.0, paced=False)
    with pytest.raises(DeviceError, match=r'drive "hand" takes position and velocity.*tracking'):
        loop.connect(Hand(measures=("position",)))
