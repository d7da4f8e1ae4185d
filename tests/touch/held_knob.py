"""A process that holds a knob on a serial line by a spring, and records it, until it is killed."""

import sys

import hapsis as hs
from hapsis.touch.realtime import native_loop, supervisor
from hapsis.touch.realtime.guard_memory import STALLED

path, record = sys.argv[1:]
model = hs.Model(
    hs.Rod("knob", length=0.05, mass=0.01),
    hs.Revolute("A", hs.WORLD, "knob", axis="y"),
    hs.JointSpring("spring", "A", stiffness=0.1),
    hs.Drive("hand", "A", position="input", tracking=300.0),
    gravity=(0, 0, 0),
)
step = hs.stepper(model, dt=1e-3, inputs=["hand.position"], outputs=["hand.force"])
device = hs.haptics.SerialDevice(path, max_force=1.0, position_scale=1e-6)
settings = {"passive": False, "patience": 100, "bucket": 1e6, "misses": 1000, "small_force": 1.0}
loop = hs.realtime.Loop(step, rate=1000, soft=True, guard=settings).connect(device)
_ = native_loop.run.address, supervisor.watch.address  # compiled before the knob turns
print("ready", flush=True)
sys.stdin.readline()
with hs.recording.record(loop, record):
    loop.start()
    loop.wait(100, timeout=30.0)
    print("running", flush=True)
    while True:
        loop.wait(int(loop.memory.ticks) + 20, timeout=30.0)
        if loop.guard.fault == STALLED:
            loop.guard.rearm()  # this machine was late: once more
