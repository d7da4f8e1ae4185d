"""The tests of integrators, a sample of them, with indices checked in machine code."""

import os
import subprocess
import sys
from pathlib import Path

SAMPLE = (
    "test_integrators_control.py::test_pauses_change_no_bit",
    "test_integrators_events.py",
    "test_new_integrator.py",
)


def test_with_checked_indices():
    folder = Path(__file__).parent
    names = [str(folder / name) for name in SAMPLE]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", *names],
        env={**os.environ, "HAPSIS_NATIVE": "checked"},
        cwd=folder.parents[2],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout[-3000:]
