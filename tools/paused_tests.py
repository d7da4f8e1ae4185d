"""Runs tests while their processes are paused at random, as a busy machine does.

    python tools/paused_tests.py [--pause 0.04] [--every 0.3] [pytest arguments]

A test that counts on the machine keeping time fails here at once, and once in a hundred runs elsewhere.
Tests should wait for events, run unpaced, or repeat what a pause has disturbed.
"""

import argparse
import os
import random
import signal
import subprocess
import sys
import time


def main() -> int:
    """Pytest's exit status; all its processes stand still for about `pause` from time to time."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--pause", type=float, default=0.04, help="mean length of a pause, s")
    parser.add_argument("--every", type=float, default=0.3, help="mean time between pauses, s")
    parser.add_argument("--seed", type=int, default=0)
    options, pytest_arguments = parser.parse_known_args()
    chance = random.Random(options.seed)
    tests = subprocess.Popen(
        [sys.executable, "-m", "pytest", *(pytest_arguments or ["tests/touch"])], start_new_session=True
    )
    pauses = 0
    while tests.poll() is None:
        time.sleep(chance.expovariate(1.0 / options.every))
        try:
            os.killpg(tests.pid, signal.SIGSTOP)
            time.sleep(options.pause * chance.uniform(0.5, 1.5))
            os.killpg(tests.pid, signal.SIGCONT)
        except ProcessLookupError:
            break
        pauses += 1
    print(f"{pauses} pauses")
    return tests.wait()


if __name__ == "__main__":
    sys.exit(main())
