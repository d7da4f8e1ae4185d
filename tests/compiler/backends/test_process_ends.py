"""Processes end and divide at any moment while code is compiled: nothing hangs, nothing is half done."""

import linecache
import os
import signal
import subprocess
import sys
import textwrap
import threading

import pytest
from attacks import ends
from attacks.table import Row, attempt
from children import until, usual_signals

from hapsis.compiler.backends.llvm import llvm_gate
from hapsis.compiler.backends.llvm.background import Background

SAMPLE = [each for each in ends.ATTACKS if each.name in ("killed", "command", "fork")]


@pytest.mark.slow
@pytest.mark.parametrize("tried", SAMPLE, ids=lambda a: a.name)
def test_a_sample(tried, tmp_path, monkeypatch):
    monkeypatch.setattr(ends, "MECHANISMS", ("three_bar",))
    row = Row(tried.name)
    attempt(tried, f"0:{tried.name}:0", row, tmp_path)
    assert row.bad == 0 and row.refused == 0, row.offenders


class Interrupted(Exception):
    """In the place of Ctrl-C, at any line."""


def interrupted_at(line, program):
    """Runs a program that is interrupted at the k-th line of the gate; whether it came so far.

    Python looks for signals after calls and jumps. So the first call of a `finally` is done in any case:
    its line is left out.
    """
    count = 0

    def trace(frame, event, argument):
        nonlocal count
        if frame.f_code.co_filename != llvm_gate.__file__:
            return None
        text = linecache.getline(llvm_gate.__file__, frame.f_lineno)
        if event == "line" and ".discard(token)" not in text:
            count += 1
            if count == line:
                raise Interrupted
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        program()
    except Interrupted:
        return True
    finally:
        sys.settrace(before)
    return False


def test_an_interruption_at_any_line_of_the_gate_keeps_nobody_out():
    def program():
        with gate.foreground(), gate.passed(False):
            pass

    for line in range(1, 100):
        gate = llvm_gate.Gate()
        came = interrupted_at(line, program)
        assert not gate._foreground and not gate._inside, line
        with gate._condition:  # nobody holds it
            pass
        if not came:
            break
    assert not came and line > 10


class Steps:
    """A job of three steps."""

    def __init__(self):
        self.done, self.threads = 0, set()

    def keep(self):
        pass

    def step(self):
        self.done += 1
        self.threads.add(threading.current_thread())
        return self.done < 3


def test_a_thread_that_was_never_started_is_started_again():
    background, job = Background(), Steps()
    background._thread = threading.Thread(target=background._work)  # as Ctrl-C leaves it
    background.submit(job)
    background.finish(job)
    assert job.done == 3
    background._thread = threading.Thread(target=background._work)
    background.end()  # does not wait for it


def test_what_cannot_be_kept_does_not_end_another_job():
    class Unkept(Steps):
        def keep(self):
            raise OSError("no")

    background, first, second = Background(), Steps(), Unkept()
    with pytest.warns(match="good code is not compiled"):
        with background._stepping:
            background.submit(first)
            background.submit(second)
        background.finish()
    assert first.done == second.done == 3


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.parametrize("moment", ["fork", "exit"])
def test_control_c_while_the_interpreter_waits_for_a_step(moment):
    """It comes after a fork, and not at all at the end; no traceback of ours is shown."""
    text = f"""
        import os, signal, sys, threading, time, warnings
        from hapsis.compiler.backends.llvm import background
        warnings.simplefilter("ignore", DeprecationWarning)  # of Python 3.12 on about forks with threads
        class Long:
            def keep(self): pass
            def step(self):
                print("stepping", flush=True)
                until = time.monotonic() + 0.5
                while time.monotonic() < until:
                    time.sleep(0.01)
                return False
        background.submit(Long())
        time.sleep(0.1)
        if {moment == "fork"}:
            try:
                print("waiting", flush=True)
                child = os.fork()
                if child == 0:
                    os._exit(0)
                time.sleep(60)
            except KeyboardInterrupt:
                print("interrupted", flush=True)
        else:
            print("waiting", flush=True)
    """
    process = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(text)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=usual_signals,
    )
    until(lambda: "waiting" in process.stdout.readline())
    threading.Event().wait(0.15)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=100)
    assert process.returncode == 0 and err == "", err
    assert ("interrupted" in out) == (moment == "fork")


def test_control_c_while_the_command_is_loaded():
    """It ends by the signal, without a traceback."""
    text = """
        import signal, sys
        class Slow:
            def find_spec(self, name, *_):
                if name == "hapsis.cli":
                    signal.raise_signal(signal.SIGINT)
        sys.meta_path.insert(0, Slow())
        import hapsis.__main__
    """
    command = [sys.executable, "-c", textwrap.dedent(text)]
    ended = subprocess.run(command, capture_output=True, text=True, preexec_fn=usual_signals, check=False)
    assert ended.returncode == -signal.SIGINT and ended.stderr == ""
