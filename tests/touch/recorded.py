"""Rings and files made by hand for the tests of recordings."""

import numpy as np

from hapsis.touch.realtime.ring import Ring, push
from hapsis.touch.recording.mcap_writer import Writer
from hapsis.touch.recording.recorder import Recorder, Stream

COLUMNS = ("t", "key.position", "key.force")
WIDTH = len(COLUMNS)


def pushed(ring, rows):
    """Rows into a ring, as a loop does it."""
    for row in np.atleast_2d(rows):
        push(ring.memory, np.ascontiguousarray(row, float))


def some_rows(count, width=WIDTH, rate=1000.0, seed=1):
    """Rows with times in their first column and all kinds of doubles in the others."""
    draw = np.random.default_rng(seed)
    rows = draw.normal(size=(count, width)) * 10.0 ** draw.integers(-300, 300, (count, width))
    rows[:, 0] = np.arange(count) / rate
    return rows


def recorded(path, rows, columns=COLUMNS, pieces=4, facts=None, name="loop"):
    """A recording of these rows, in several chunks."""
    ring = Ring(len(rows) + 2, len(columns))
    units = {"t": "s", columns[-1]: "N"}
    recorder = Recorder(path, {name: Stream(ring, columns, units)}, facts)
    for part in np.array_split(rows, pieces):
        pushed(ring, part)
        recorder.flush()
    recorder.close()
    return path


def small_file(path):
    """A closed file of about 3 kB with everything in it: facts, events, rows in four chunks."""
    recorded(path, some_rows(24), facts={"run": {"model": "abc", "seed": 3}})
    return path.read_bytes()


def bare_file(path, count=20):
    """A file that has an event in a chunk of its own for each message."""
    with Writer(path) as file:
        number = file.channel("/events", 0, "json")
        for k in range(count):
            file.message(number, k, b'{"t": 0, "kind": "x"}')
            file.flush()
    return path
