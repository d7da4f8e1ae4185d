"""Filters between a device and the loop."""

import numpy as np
import pytest
from hand import Hand, crank_step

import hapsis as hs
from hapsis.touch.haptics.devices.conditioned import Conditioned
from hapsis.touch.realtime.loop import Loop

RATE = 1000.0


def test_the_loop_sees_what_the_filter_makes():
    """A velocity that the device does not measure, as the filter gives it on the same record."""
    hand = Hand(0.0, 0.2, 0.3, measures=("position",))
    stage = hs.haptics.SavitzkyGolay(1 / RATE, window=15)
    assert stage.inputs == ("position",) and stage.outputs == ("velocity",)
    device = Conditioned(hand, stage)
    assert device.capabilities.measures == ("position", "velocity") and device.delay == stage.delay
    loop = Loop(crank_step(RATE), RATE, paced=False).connect(device)
    loop.run(0.2)
    report = loop.report()
    expected = stage.apply(report["t"], report["hand.x.position"])
    assert np.array_equal(report["hand.velocity"], expected, equal_nan=True)
    assert np.array_equal(report["hand.x.velocity"], expected, equal_nan=True)
    assert hand.calls == ["open", "close"] and hand.memory.writes == 200


def test_what_is_wrong_is_said():
    stage = hs.haptics.SavitzkyGolay(1 / RATE, window=15)
    with pytest.raises(hs.DeviceError, match="the filter takes position"):
        Conditioned(Hand(measures=("velocity",)), stage)
    with pytest.raises(hs.DeviceError, match=r"a filter of hs\.haptics"):
        Conditioned(Hand(), object())
