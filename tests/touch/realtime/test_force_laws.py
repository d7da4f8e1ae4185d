"""Every command of every scenario keeps limit and slew; after a fault there is no force until re-arming.

A sample of fixed seeds; `python tools/attack_forces.py` runs as many as you like.
"""

import numpy as np
import pytest
from force_laws import laws, mapped, paced, simulated, unpaced

from hapsis.touch.realtime.guard import Guard


def wrong(scenario, seeds):
    """What is broken, by seed."""
    return {seed: sentences for seed in seeds if (sentences := scenario(seed))}


@pytest.mark.parametrize("first", range(0, 40, 10))
def test_in_simulated_time(first):
    """Stalls, starved threads, stops of the process, bad numbers: loop and supervisor in any order."""
    assert wrong(simulated.scenario, range(first, first + 10)) == {}


def test_as_fast_as_it_runs():
    """Bad samples, requests, live parameters, second runs and second writers."""
    assert wrong(unpaced.scenario, range(40)) == {}


def test_at_the_joints_of_an_arm():
    """Arms of any weight behind a frame: bad samples, jumps of the pose, stops, second runs."""
    assert wrong(mapped.scenario, range(20)) == {}


@pytest.mark.slow
def test_on_the_clock():
    """Stalls of the device, stops from several threads, second runs; a process that is stopped."""
    assert wrong(paced.scenario, range(8)) == {}


def log_of(*forces):
    return np.array(forces, float).reshape(-1, 1)


@pytest.mark.parametrize(
    "commands, words",
    [
        ((2.0, 4.0, 2.0, 0.0), []),
        ((2.0, 4.0, 1.9, 0.0), ["step 1.05"]),
        ((2.1, 0.1, 0.0), ["step 1.05"]),
        ((2.0, 4.0, 2.0, 0.5), ["the last command"]),
        ((np.nan, 0.0), ["not finite"]),
        ((2.0, 4.0, 6.0, 8.0, 10.0, 10.1, 8.1, 6.1, 4.1, 2.1, 0.1, 0.0), ["force 1.01"]),
    ],
)
def test_a_broken_law_is_seen(commands, words):
    told = laws.broken(Guard((10.0,), 0.001), log_of(*commands))
    assert len(told) == len(words) and all(word in line for word, line in zip(words, told, strict=True))


def test_two_writers_that_each_keep_the_limit_are_too_fast_together():
    guard, half = Guard((50.0,), 0.001), np.arange(40) * 0.0005
    commands = log_of(*np.arange(2.5, 51.0, 2.5), *np.arange(47.5, -1.0, -2.5))
    assert laws.broken(guard, commands, 2.0 * half) == []
    assert "too fast" in laws.broken(guard, commands, half)[0]


def test_a_force_that_comes_back_after_a_fault_is_seen():
    guard, ramp = Guard((10.0,), 0.001), np.linspace(8.0, 0.0, 21)
    assert laws.kept_after_faults(guard, np.ones(21), log_of(*ramp)) == []
    assert "grows" in laws.kept_after_faults(guard, np.ones(4), log_of(3.0, 2.0, 0.0, 1.0))[0]
    assert "ticks later" in laws.kept_after_faults(guard, np.ones(30), log_of(*[1.0] * 30))[0]
    assert laws.kept_after_faults(guard, np.zeros(30), log_of(*[1.0] * 30)) == []
