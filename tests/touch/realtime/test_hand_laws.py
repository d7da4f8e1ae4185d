"""Hands at tracked and sampled drives get no more energy than the model has at its start.

A sample of fixed seeds; `python tools/attack_hands.py` runs as many as you like.
"""

import random
from math import pi, tan

import pytest
from hand_laws import laws
from hand_laws.models import CASES, RATES
from hand_laws.resonant import ResonantHand, hand_of_spring

FAST = [seed for seed in range(100) if laws.drawn(seed)[0] != "action"][:60]
ACTION = [seed for seed in range(300) if laws.drawn(seed) == ("action", "sampled", 1000.0)][:2]


def broken(scenario, seeds):
    """What is broken, by seed."""
    return {seed: told.broken for seed in seeds if (told := scenario(seed)).broken}


def test_random_hands():
    """Smooth, slow, fast, jerky, tapping and releasing hands: led, or of a mass that forces move."""
    assert {laws.drawn(seed)[:2] for seed in FAST} >= {
        (name, kind) for name in ("free", "sprung", "key") for kind in laws.KINDS
    }
    assert broken(laws.random_hand, FAST) == {}


def test_random_hands_at_the_action():
    assert len(ACTION) == 2 and broken(laws.random_hand, ACTION) == {}


def test_hands_that_resonate():
    """Where a drive gives most, on a device with the damping that this asks for; or up to the bound."""
    assert broken(laws.resonant_hand, range(10)) == {}


@pytest.mark.parametrize("rate", RATES)
def test_the_bound_of_a_hand_at_a_sampled_drive(rate):
    """A lossless hand M of frequency ω at a free mass m: calm while m tan(ω T / 2) < M ω T / 2, else not."""
    draw, case = random.Random(int(rate)), CASES["free"]
    for part in (0.05, 0.4, 0.7):
        half = 0.5 * part * pi  # ω T / 2
        bound = case.mass * tan(half) / half
        for factor, grows in ((1.03, False), (0.97, True)):
            body = hand_of_spring(factor * bound, 2.0 * half * rate)
            device = ResonantHand(body, 1.0 / rate, case, 1e-9, 0.0, draw)
            loop = laws.run("free", "sampled", rate, device, {**laws.WIDE, "passive": False}, 1000.0 / rate)
            assert loop.guard.fault == 0
            assert (device.memory.now > 1e-7) == grows and (device.memory.now < 1e-9) != grows


def test_the_guard_holds_a_hand_that_is_too_light():
    """Beyond the bound, with the limits that a guard has by default: millijoules."""
    told = [laws.light_hand(seed) for seed in range(20)]
    assert any(each.damped for each in told)
    assert max(each.worst for each in told) < 0.01 and not any(each.broken for each in told)
