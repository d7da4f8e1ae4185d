"""A sample of the tests of guard, supervisor and loop with indices checked in machine code."""

import os
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
SAMPLE = (
    "test_guard.py::test_a_harmless_force_passes_with_all_its_bits",
    "test_guard.py::test_rearming_needs_a_request_a_small_force_and_a_good_sample",
    "test_guard.py::test_the_leak_of_a_sampled_spring_is_measured_and_removed",
    "test_guard_branches.py",
    "test_supervisor.py::test_fault_10_a_stalled_loop_loses_its_force",
    "test_loop.py::test_ticks_are_the_steps_of_the_function",
    "test_loop.py::test_live_parameters_change_in_a_straight_line_and_compile_nothing",
    "test_loop.py::test_rings_lose_the_oldest_rows_and_say_so",
    "test_loop_faults.py::test_a_model_that_is_too_slow_loses_its_force",
    "../recording/test_replay.py::test_rows_made_by_hand_are_replayed_bit_for_bit",
)

WRONG = """
import numpy as np
from hapsis.touch.realtime.guard import Guard

guard = Guard((10.0, 10.0), 0.001)
try:
    guard.kernel(np.zeros(2), np.zeros(7), np.zeros(2))
except IndexError as problem:
    print(problem)
"""


def checked(*command):
    done = subprocess.run(
        [sys.executable, *command],
        env={**os.environ, "HAPSIS_NATIVE": "checked"},
        cwd=HERE,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_guard_and_loop_stay_inside_their_arrays():
    assert "[100%]" in checked("-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", *SAMPLE)


def test_a_sample_that_is_too_short_is_found():
    assert "sample[3 * n + 1]: index 7 is outside of its 7 elements" in checked("-c", WRONG)
