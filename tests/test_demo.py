"""The demonstration checks itself, and its check can fail."""

import subprocess
import sys

import numpy as np
import pytest

from hapsis import demo
from hapsis.mechanics.model.result import Result


def test_the_demonstration_is_right(capsys):
    assert demo.main(check=True) == 0
    text = capsys.readouterr().out
    assert "check: energy kept, batch and single state agree" in text
    assert "dx[2] = " in text and "million steps/s" in text


def test_the_check_can_fail(capsys):
    good = np.ones((8, 4))
    fine = Result(np.zeros(1), {}, energy_drift=1e-9)
    failed, drifted = Result(np.zeros(1), {}, "energy"), Result(np.zeros(1), {}, energy_drift=1e-3)
    assert [demo.verified(1e-9, good, good[7], r) for r in (failed, drifted)] == [1, 1]
    assert demo.verified(1e-9, good, good[7], fine) == 0
    assert demo.verified(1e-3, good, good[7], fine) == 1
    assert demo.verified(float("nan"), good, good[7], fine) == 1
    assert demo.verified(1e-9, good, good[7] + 1, fine) == 1
    assert demo.verified(1e-9, good * np.inf, good[7] * np.inf, fine) == 1
    assert "energy drifts" in capsys.readouterr().out


@pytest.mark.slow
def test_where_nobody_watches_it_checks_itself():
    done = subprocess.run([sys.executable, "-m", "hapsis", "demo"], capture_output=True, text=True)
    assert done.returncode == 0 and "check: energy kept" in done.stdout and not done.stderr
