"""Model and device in two processes, by datagrams: the force arrives, and ends with either of them."""

import os
import signal
import socket
import subprocess
import sys

import numpy as np
import pytest
from children import PATIENCE, until, usual_signals

import hapsis as hs
from hapsis.touch import haptics
from hapsis.touch.realtime.loop import Loop

RATE = 500.0
RELAY = """
import sys, time
from hapsis.touch import haptics

here, peer = (("127.0.0.1", int(port)) for port in sys.argv[1:3])
hand = haptics.SimulatedHand(aim=0.01, mass=0.4, stiffness=400.0, damping=25.0, max_force=20.0)
with haptics.Relay(hand, here=here, peer=peer, hold=60.0, max_age=60.0, energy=1.0):
    print("serves", flush=True)
    sys.stdin.read()
"""


def free_port():
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


def spring_step():
    model = hs.Model(
        hs.Body("key", mass=0.01, inertia=(1e-6, 1e-6, 1e-6)),
        hs.Prismatic("dip", hs.WORLD, "key", axis="z", damping=1.0),
        hs.JointSpring("return", "dip", stiffness=200.0),
        hs.Drive("finger", "dip", position="input", tracking=100.0),
        gravity=(0, 0, 0),
    )
    return hs.stepper(model, 1 / RATE, inputs=["finger.position"], outputs=["finger.force"])


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="loops wait on Linux only")
@pytest.mark.parametrize("way", [signal.SIGKILL, signal.SIGTERM], ids=["killed", "ended"])
def test_a_hand_on_another_machine(way):
    """Both springs balance over the wire; then the other machine is gone, and so is the force."""
    near, far = free_port(), free_port()
    child = subprocess.Popen(
        [sys.executable, "-c", RELAY, str(far), str(near)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        preexec_fn=usual_signals,
        env=os.environ,
    )
    try:
        assert child.stdout.readline() == "serves\n"
        device = haptics.UdpDevice(
            ("127.0.0.1", far),
            ("127.0.0.1", near),
            max_force=20.0,
            hardware=False,
            timeout=2.0,
            max_age=PATIENCE,
            rate=10.0,  # the guard waits that long for a sample of a busy machine
        )
        loop = Loop(spring_step(), RATE, guard={"bucket": 1e9, "misses": 10**6, "reserve": 1.0}).connect(
            device
        )
        loop.start()
        try:
            balance = 400.0 * 0.01 / (400.0 + 200.0)
            seen = loop.memory

            def balanced():
                assert not loop.guard.fault, loop.guard.cause
                return abs(seen.sample[0] - balance) < 2e-4 and abs(seen.command[0] + 200.0 * balance) < 0.05

            until(balanced)
            child.send_signal(way)
            child.wait(PATIENCE)
            until(lambda: loop.guard.gone)
        finally:
            loop.stop()
        report = loop.report()
        assert report["remote.x.command"][-1] == 0.0
        steps = np.abs(np.diff(report["remote.x.command"]))
        assert steps.max() <= 2000.0 / RATE * (1 + 1e-9)  # no jump, not even at the end
    finally:
        child.kill()
        child.communicate()
