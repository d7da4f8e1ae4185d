"""Children of tests that get signals, and waiting for what happens instead of for seconds."""

import signal
import time

PATIENCE = 300.0  # s until what does not happen counts as never; a busy machine needs some


def usual_signals():
    """Lets signals have their usual effect; for `preexec_fn`.

    Under nohup and in background jobs SIGHUP and SIGINT are ignored from the start, by children too.
    """
    for name in ("SIGINT", "SIGHUP", "SIGTERM"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.SIG_DFL)


def until(happened, pause=0.002):
    """Waits until `happened()` is true, and returns what it gave."""
    end = time.monotonic() + PATIENCE
    while not (answer := happened()):
        assert time.monotonic() < end, "it never happened"
        time.sleep(pause)
    return answer
