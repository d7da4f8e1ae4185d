"""What hands get out of mechanisms that they hold: 200 random ones, and the adversarial one.

`python tools/attack_grasps.py` has more of them, lighter ones too.
"""

import numpy as np
import pytest
from grasp_laws.hands import CASES, GUARD, hand_at
from grasp_laws.mechanisms import ALL
from hypothesis import given, settings
from hypothesis import strategies as st

import hapsis as hs
from hapsis.touch.haptics.passive_hands import hand_resonating_at, held


@settings(max_examples=200)
@given(
    st.sampled_from(CASES),
    st.sampled_from(["position", "velocity"]),
    st.floats(1.5, 10.0),
    st.floats(1.5, 3.0),
    st.floats(0.05, 1.0),
    st.integers(0, 2**32),
)
def test_no_hand_gets_energy(case, measured, share, stiffness, damped, seed):
    """Of 1.5 to 10 times the mass that it feels, by the guard's observer alone: its controller is off."""
    told = hand_at(
        case, 4000, measured, share, 10.0**stiffness, damped, np.random.default_rng(seed), GUARD, seconds=0.3
    )
    assert not told.broken, told


def grown(axis, coupling, damping, frequency, period=1e-3):
    """How the energy of a lossless hand grows that resonates there, with that damper of the device."""
    tick = crank(coupling, period)
    call, state = hs.compile(tick), {}
    hand = hand_resonating_at(frequency * np.pi / period, period, 1e-3, 12)
    system, (masses, springs) = held(hand, damping, period), hand.matrices()
    n = len(masses)
    x = np.zeros(2 * n)
    x[0] = 1e-5

    def energy():
        return 0.5 * x[:n] @ springs @ x[:n] + 0.5 * (masses * x[n:]) @ x[n:]

    given = {p.name: float(p.stand_in) for p in tick.inputs if p.name.endswith(".position")}
    first, start = given[f"hand.{axis}.position"], energy()
    for _ in range(1500):
        given[f"hand.{axis}.position"] = first + x[0]
        out = tick.outputs_by_name(call(**state, **given))
        state = {name: out[name] for name in ("q", "v", "z", "t") if name in out}
        x = system.over @ x + system.push * float(out[f"hand.{axis}.effort"])
    return energy() / start


def crank(coupling, period):
    """It moves along z where it starts, and the rest of a hand's motion is violation."""
    model, frame = ALL["crank"]()[:2]
    model = hs.Model(model, gravity=(0, 0, 0))
    options = {"kind": "point", "coupling": coupling, "max_force": 1e6, "start": {"turn": 0.0}}
    return hs.haptics.grasp(model, frame, period, **options)


@pytest.mark.parametrize("axis", ["Tx", "Tz"])
@pytest.mark.parametrize("coupling", ["rigid", "spring"])
def test_the_adversarial_hand_stays_calm_with_the_damping_that_a_device_needs(coupling, axis):
    """For what the hand moves and for where it cannot; with a fifth of it, it swings up."""
    enough = hs.haptics.device_damping(crank(coupling, 1e-3)).damping
    assert max(grown(axis, coupling, enough, frequency) for frequency in (1.0, 0.7, 0.3)) < 0.5
    assert max(grown(axis, coupling, 0.2 * enough, frequency) for frequency in (1.0, 0.3)) > 1e3


def test_less_damping_is_not_enough_at_a_rigid_coupling():
    needed = hs.haptics.device_damping(crank("rigid", 1e-3))
    assert needed.frequency == pytest.approx(np.pi / 1e-3) and needed.direction["hand.Tz"] == 1.0
    assert grown("Tz", "rigid", 0.95 * needed.damping, 1.0) > 3.0


@pytest.mark.parametrize("period", [1e-3, 1e-4])
def test_a_spring_needs_what_a_sampled_wall_needs(period):
    """K T / 2 + B, found from the tick as a whole."""
    assert hs.haptics.device_damping(crank("spring", period)).damping == pytest.approx(
        1000.0 * period / 2 + 2.0, rel=1e-6
    )


def test_turns_count_by_the_length():
    model, frame = ALL["four_bar"]()[:2]
    tick = hs.haptics.grasp(hs.Model(model, gravity=(0, 0, 0)), frame, 1e-3, coupling="spring")
    needed = hs.haptics.device_damping(tick)
    assert needed.damping == pytest.approx(2.5, rel=1e-4)  # of slides and of gimbals


def test_what_has_no_such_damping_is_told():
    model, frame = ALL["crank"]()[:2]
    with pytest.raises(hs.ModelError, match=r"takes what hs\.haptics\.grasp returns"):
        hs.haptics.device_damping(hs.stepper(model, 1e-3))
    admits = hs.haptics.grasp(model, frame, 1e-3, kind="point", causality="admittance")
    with pytest.raises(hs.ModelError, match="of an impedance"):
        hs.haptics.device_damping(admits)
    loose = hs.Model(hs.Body("b", 1.0, inertia=(1, 1, 1)), hs.Free("f", hs.WORLD, "b"))
    falling = hs.haptics.grasp(loose, "b", 1e-3, kind="point", coupling="spring", stiffness=0.0, damping=0.0)
    with pytest.raises(hs.SolveError, match="does not come to rest near"):
        hs.haptics.device_damping(falling)
