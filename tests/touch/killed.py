"""A program that records in several processes at once and kills each at some moment.

    python killed.py FOLDER COUNT TOGETHER

Prints for each file the last time that had been produced when it was killed.
"""

import mmap
import os
import random
import signal
import struct
import sys
import time
from pathlib import Path

from recorded import pushed, some_rows

from hapsis.touch.realtime.ring import Ring
from hapsis.touch.recording.recorder import Recorder, Stream

WIDTH, BURST = 20, 0.004  # columns; s between two bursts of rows at 1 kHz


def record(path, page, slot):
    """Rows at 1 kHz for ever; the page tells the time of the last one."""
    ring = Ring(8192, WIDTH)
    columns = ["t", *(f"column {k}" for k in range(1, WIDTH))]
    row = some_rows(1, WIDTH)[0]
    began, t = time.monotonic(), 0.0
    with Recorder(path, {"loop": Stream(ring, columns)}, {"run": {"model": "abc"}}):
        while True:
            now = time.monotonic() - began
            while t < now:
                row[0] = t
                pushed(ring, row)
                struct.pack_into("<d", page, 8 * slot, t)
                t += 0.001
            time.sleep(BURST)


def main(folder, count, together):
    page = mmap.mmap(-1, 8 * count)
    struct.pack_into(f"<{count}d", page, 0, *[-1.0] * count)
    draw = random.Random(3)
    pushed(Ring(2, 1), [[0.0]])  # compiled before the others begin
    for first in range(0, count, together):
        batch = {}
        for slot in range(first, min(count, first + together)):
            number = os.fork()
            if number == 0:
                record(Path(folder) / f"{slot}.mcap", page, slot)
            while struct.unpack_from("<d", page, 8 * slot)[0] < 0.0:  # until it has begun
                time.sleep(0.001)
            longest = 0.3 if first else 1.5  # beyond a second the disk is asked, too
            batch[number] = time.monotonic() + draw.uniform(0.0, longest)
        for number in sorted(batch, key=batch.get):
            time.sleep(max(0.0, batch[number] - time.monotonic()))
            os.kill(number, signal.SIGKILL)
            os.waitpid(number, 0)
    for slot in range(count):
        print(slot, struct.unpack_from("<d", page, 8 * slot)[0])


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
