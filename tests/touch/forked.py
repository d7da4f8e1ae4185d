"""A program that forks while a loop, a recorder and a relay run: its child ends in one of many ways.

python forked.py FOLDER exit|term|multiprocessing|raise|use

Told are the child's status, and how the parent ended.
"""

import contextlib
import multiprocessing
import os
import signal
import socket
import sys
import threading
import time
import warnings

import numpy as np
from hand import Hand, crank_loop

import hapsis as hs
from hapsis.errors import DeviceError
from hapsis.touch.haptics.devices.relay import Relay
from hapsis.touch.haptics.devices.simulated_hand import SimulatedHand

folder, way = sys.argv[1:]
warnings.simplefilter("ignore")


def free_port():
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as found:
        found.bind(("127.0.0.1", 0))
        return ("127.0.0.1", found.getsockname()[1])


def use(loop, recorder, relay):
    """A child that uses what it got: nothing hangs, nothing reaches the device or the file."""
    for one in (loop.stop, recorder.close, relay.stop):
        one()
    for one in (loop.start, relay.start, lambda: recorder.event("x"), recorder.flush):
        try:
            one()
        except DeviceError as problem:
            assert "process" in str(problem), problem
        else:
            os._exit(7)
    assert not loop.running
    other = crank_loop(500.0, paced=False).connect(Hand())  # a loop of its own is fine
    other.run(0.1)
    assert other.report().ticks == 50


def end_child(*parts):
    """What the child does."""
    if way == "term":
        signal.pause()
    if way == "raise":
        raise RuntimeError("in the child")
    if way == "use":
        use(*parts)
    sys.exit(0)


def wait_for(pid):
    """The child's status; 99 if it hangs."""
    for _ in range(2000):
        done, status = os.waitpid(pid, os.WNOHANG)
        if done:
            return os.waitstatus_to_exitcode(status)
        time.sleep(0.01)
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    return 99


def forked(*parts):
    """The status of a child that was forked here."""
    if way == "multiprocessing":
        child = multiprocessing.get_context("fork").Process(target=time.sleep, args=(60,))
        child.start()
        child.terminate()
        child.join(20)
        alive = child.is_alive()
        child.kill()
        return 99 if alive else child.exitcode
    pid = os.fork()
    if pid == 0:
        end_child(*parts)
    if way == "term":  # at once: the child has hardly begun
        os.kill(pid, signal.SIGTERM)
    return wait_for(pid)


parent = os.getpid()
hand = Hand()
loop = crank_loop(500.0, guard={"passive": False, "bucket": 1e6, "misses": 1000}).connect(hand)
held = SimulatedHand(aim=0.0)
statuses = []
try:
    with hs.recording.record(loop, f"{folder}/run.mcap") as recorder:
        with held, Relay(held, free_port(), free_port()) as relay:
            loop.start()
            loop.wait(20)
            statuses.append(forked(loop, recorder, relay))
            thread = threading.Thread(target=lambda: statuses.append(forked(loop, recorder, relay)))
            if way == "multiprocessing":
                thread.start()
                thread.join()
            before = loop.memory.beat
            loop.wait(before + 20)
            assert loop.memory.beat > before and relay.memory.ticks > 0
            loop.stop()
finally:
    if os.getpid() == parent:
        with contextlib.suppress(Exception):
            loop.stop()
rows = len(hs.recording.read_recording(f"{folder}/run.mcap")["loop"].t)
assert rows == loop.report().ticks, (rows, loop.report().ticks)
assert np.abs(np.diff(hand.commands)).max() < 2000.0
print(*statuses, flush=True)
