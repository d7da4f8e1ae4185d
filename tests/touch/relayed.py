"""A program with a relay that gives 20 N, and ends without stopping it; its device writes to a file.

python relayed.py FILE raise|exit|SIGTERM
"""

import socket
import sys
import time

import numpy as np

from hapsis.compiler.native import Array, native
from hapsis.touch.haptics.devices import wire
from hapsis.touch.haptics.devices.relay import Relay
from hapsis.touch.realtime.device import Capabilities

KEPT = 100_000


@native
def write(t: Array, command: Array, written: Array) -> None:
    k = int(written[0])
    if k < 100000:
        written[1 + k] = command[0]
        written[0] = float(k + 1)


@native
def read(t: Array, sample: Array, written: Array) -> None:
    sample[0], sample[1], sample[2], sample[3] = 0.0, 0.0, 0.0, 0.0
    sample[4] += 1.0


class Device:
    name, axes = "recorded", ("x",)
    capabilities = Capabilities("impedance", ("position", "velocity"), (20.0,), ("m",), False)

    def __init__(self, written):
        self.read = read.bound(vary=("t", "sample"), written=written)
        self.write = write.bound(vary=("t", "command"), written=written)

    def open(self):
        pass

    def close(self):
        pass


file = np.memmap(sys.argv[1], np.float64, "w+", shape=(1 + KEPT,))
end = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
end.bind(("127.0.0.1", 0))
with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as found:
    found.bind(("127.0.0.1", 0))
    here = found.getsockname()
end.connect(here)
relay = Relay(
    Device(np.frombuffer(file, np.float64)), here, end.getsockname(), energy=1e3, max_age=5.0, hold=5.0
)
relay.start()
sent = 0
while relay.tank.force[0] < 20.0:
    sample = wire.unpack(end.recv(999))
    sent += 1
    end.send(wire.pack(wire.Frame(wire.COMMAND, (20_000_000,), counter=sent, echo=sample.time)))
print("ready", flush=True)
if sys.argv[2] == "raise":
    raise RuntimeError("somewhere else in the program")
if sys.argv[2] == "SIGTERM":
    time.sleep(60)
