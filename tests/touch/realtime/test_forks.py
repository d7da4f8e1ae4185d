"""Forks while a loop, a recorder and a relay run: the child has nothing to stop, and the parent goes on."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from children import PATIENCE, usual_signals

HERE = Path(__file__).parents[1]
WAYS = {
    "exit": [0],
    "raise": [1],
    "use": [0],
    "term": [-signal.SIGTERM],
    "multiprocessing": [-signal.SIGTERM, -signal.SIGTERM],
}


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="forks")
@pytest.mark.parametrize("way", WAYS)
def test_a_child_ends_as_if_there_were_no_loop(way, tmp_path):
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([*sys.path, str(HERE)])}
    ran = subprocess.run(
        [sys.executable, str(HERE / "forked.py"), str(tmp_path), way],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        env=environment,
        preexec_fn=usual_signals,
    )
    assert ran.returncode == 0, ran.stderr
    assert [int(x) for x in ran.stdout.split()] == WAYS[way]
