"""The reserve "start" is the energy of the start above that of the rest."""

from math import cos, pi

import numpy as np
import pytest

import hapsis as hs
from hapsis.errors import DeviceError
from hapsis.touch.realtime.packed_step import pack_step
from hapsis.touch.realtime.start_reserve import start_reserve

HAND = hs.Drive("hand", "x", position="input", tracking=200.0)
INERTIA = (1e-4, 1e-4, 1e-4)


def reserve(*facts, start=None, **settings):
    model = hs.Model(*facts, **settings)
    return start_reserve(pack_step(step(model, start)))


def step(model, start=None):
    inputs = [name for drive in model.drives.values() for name in drive.inputs]
    return hs.stepper(model, 1e-3, inputs=inputs, outputs=["hand.force"], start=start)


def rod(*more, damping=0.0):
    return (
        hs.Rod("rod", length=0.4, mass=0.5),
        hs.Revolute("x", hs.WORLD, "rod", axis="y", damping=damping),
        *(more or (HAND,)),
    )


def block(axis="x"):
    return hs.Body("block", mass=0.4, inertia=INERTIA), hs.Prismatic("x", hs.WORLD, "block", axis=axis)


@pytest.mark.parametrize("seed", range(10))
def test_of_springs_and_speeds(seed):
    """k d² / 2 of what is stretched, m v² / 2 of what moves."""
    rng = np.random.default_rng(seed)
    k, rest, x, v = rng.uniform(10.0, 1000.0), *rng.uniform(-0.1, 0.1, 2), rng.normal()
    facts = (*block(), hs.JointSpring("spring", "x", stiffness=k, rest=rest), HAND)
    told = reserve(*facts, start={"x": x, "x.v": v}, gravity=(0, 0, 0))
    assert told == pytest.approx(0.5 * k * (x - rest) ** 2 + 0.5 * 0.4 * v * v, rel=1e-9)


@pytest.mark.parametrize("angle", [0.0, 0.3, -2.0, 3.0, pi])
@pytest.mark.parametrize("damping", [0.0, 0.02])
def test_of_a_weight(angle, damping):
    """m g l (1 - cos) above the lowest place, though it balances upside down."""
    told = reserve(*rod(damping=damping), start={"x": pi / 2 + angle})
    assert told == pytest.approx(0.5 * 9.81 * 0.2 * (1.0 - cos(angle)), abs=1e-9)


def test_of_a_point_that_is_led():
    drive = hs.Drive("hand", point="rod.end", along="z", position="input", velocity="input")
    told = reserve(*rod(drive), start={"x": 1.0})
    assert told == pytest.approx(0.5 * 9.81 * 0.2 * (1.0 - cos(pi / 2 - 1.0)), abs=1e-9)


def test_a_loop_takes_the_word():
    model = hs.Model(*rod(), poses={"start": {"x": 1.0}})
    hand = hs.haptics.SimulatedHand(aim=1.0, unit="rad")
    loop = hs.realtime.Loop(step(model), 1000.0, paced=False, guard={"reserve": "start"}).connect(hand)
    assert loop.guard.reserve == pytest.approx(0.5 * 9.81 * 0.2 * (1.0 - cos(pi / 2 - 1.0)), abs=1e-9)
    free = hs.Model(*block(), HAND, gravity=(0, 0, 0))
    hand = hs.haptics.SimulatedHand(aim=0.0)
    loop = hs.realtime.Loop(step(free), 1000.0, paced=False, guard={"reserve": "start"}).connect(hand)
    assert loop.guard.reserve == 0.0


def test_what_has_no_lowest_energy_is_refused():
    with pytest.raises(DeviceError, match=r'reserve="start".*no rest.*joules'):
        reserve(*block("z"), HAND)
    other = hs.Body("other", mass=0.1, inertia=INERTIA), hs.Prismatic("y", "block", "other", axis="y")
    motor = hs.Drive("motor", "y", position="0.1 * sin(t)")
    with pytest.raises(DeviceError, match=r'moves "y" by itself.*joules'):
        reserve(*block(), *other, motor, HAND, gravity=(0, 0, 0))
    packed = pack_step(step(hs.Model(*rod())))._replace(model=None)
    with pytest.raises(DeviceError, match="no model of its own"):
        start_reserve(packed)


def test_a_lock_stays():
    """What stands still beside the hand keeps its place and its energy."""
    other = hs.Body("other", mass=0.1, inertia=INERTIA), hs.Prismatic("y", "block", "other", axis="z")
    assert reserve(*block(), *other, hs.Drive("lock", "y", position=0.2), HAND) == pytest.approx(
        0.0, abs=1e-12
    )


def test_other_words_are_refused():
    hand, model = hs.haptics.SimulatedHand(aim=0.0, unit="rad"), hs.Model(*rod())
    with pytest.raises(DeviceError, match="reserve: it is 'begin'"):
        hs.realtime.Loop(step(model), 1000.0, paced=False, guard={"reserve": "begin"}).connect(hand)


def test_a_baked_step_keeps_its_model():
    """It has the reserve, the options and the notes of the step that it was."""
    plain = step(hs.Model(*rod()), {"x": 0.8})
    baked = plain.baked()
    assert not baked.parameters and baked.options == plain.options and baked.notes == plain.notes
    assert start_reserve(pack_step(baked)) == pytest.approx(start_reserve(pack_step(plain)), rel=1e-12)
