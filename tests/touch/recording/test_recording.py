"""Recordings under way: killed, flooded, on a full disk; and what they say of themselves."""

import errno
import os
import signal
import subprocess
import sys
import threading
import time
import warnings
from pathlib import Path

import numpy as np
import pytest
from children import PATIENCE, until, usual_signals
from recorded import COLUMNS, pushed, recorded, some_rows

import hapsis
from hapsis.errors import DeviceError, Notice
from hapsis.touch.realtime.ring import Ring
from hapsis.touch.recording.mcap_reader import Reader
from hapsis.touch.recording.recorder import Recorder, Stream
from hapsis.touch.recording.recording import Recording

HERE = Path(__file__).parents[1]
KILLS, TOGETHER = 100, 6
LEAST = 0.25  # s before the kill, to which everything is readable

full = """
import resource, sys, warnings
import numpy as np
from recorded import pushed, some_rows
from hapsis.touch.recording.recorder import Recorder, Stream
from hapsis.touch.realtime.ring import Ring
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[2]), int(sys.argv[2])))
ring = Ring(1000, 3)
recorder = Recorder(sys.argv[1], {"loop": Stream(ring, ("t", "x", "y"))}, {"run": {"a": "b"}})
rows = some_rows(5000)
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    for part in np.array_split(rows, 50):
        pushed(ring, part)
        recorder.flush()
    recorder.close()
assert recorder.rows["loop"] + recorder.lost["loop"] == 5000, (recorder.rows, recorder.lost)
assert len(caught) == 1, caught
print(recorder.rows["loop"], recorder.failed, "|", caught[0].message)
"""


def run(*command, status=0):
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([*sys.path, str(HERE)])}
    ran = subprocess.run(
        [sys.executable, *map(str, command)],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        env=environment,
        preexec_fn=usual_signals,
    )
    assert ran.returncode == status, ran.stderr
    return ran.stdout


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="kills forked processes")
def test_killed_at_any_moment_it_is_readable_until_shortly_before(tmp_path):
    told = run(HERE / "killed.py", tmp_path, KILLS, TOGETHER)
    gaps = []
    for line in told.splitlines():
        slot, produced = int(line.split()[0]), float(line.split()[1])
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", Notice)
            with Recording(tmp_path / f"{slot}.mcap") as found:
                assert not found.complete and len(found.lost) == 1
                assert found.facts["run"]["model"] == "abc"
                t = found["loop"].t
        assert (np.abs(np.diff(t) - 0.001) < 1e-9).all()  # none is missing before the last
        gaps.append(produced - t[-1] if len(t) else produced)
    print(f"kills {len(gaps)}, lost at most {max(gaps):.3f} s, median {np.median(gaps):.3f} s")
    assert len(gaps) == KILLS and max(gaps) <= LEAST, sorted(gaps)[-5:]


def test_many_channels_without_loss(tmp_path):
    """200 channels at 1 kHz each, for two seconds; where the machine is slow, as fast as it writes."""
    count, seconds = 200, 2.0
    rings = [Ring(2000, 2) for _ in range(count)]
    streams = {f"c{k}": Stream(ring, ("t", "x")) for k, ring in enumerate(rings)}
    done = 0
    with Recorder(tmp_path / "x.mcap", streams) as recorder:
        began = time.monotonic()
        while done < 1000 * seconds:
            due = int(min(1000 * seconds, 1000 * (time.monotonic() - began)))
            due = min(due, done + 500)
            n = due - done
            if n > 0:
                k = (done + np.arange(n)) % 2000
                for c, ring in enumerate(rings):  # what `push` does, many rows at once
                    table = ring.memory.data.reshape(2000, 2)
                    table[k, 0], table[k, 1] = 0.001 * np.arange(done, due), c + np.arange(n)
                    ring.memory.written += n
                done = due
            time.sleep(0.02)
            until(lambda done=done: done - min(recorder.rows.values()) < 1000)  # half of a ring
    assert set(recorder.lost.values()) == {0}
    assert set(recorder.rows.values()) == {1000 * seconds}
    with Recording(tmp_path / "x.mcap") as found:
        assert len(found.names) == count and not found.lost
        for c in (0, 7, 199):
            assert np.allclose(np.diff(found[f"c{c}"].t), 0.001)
            assert len(found[f"c{c}"].t) == 1000 * seconds


def test_rows_that_come_too_fast_are_counted(tmp_path):
    ring = Ring(8, 3)
    with Recorder(tmp_path / "x.mcap", {"loop": Stream(ring, COLUMNS)}) as recorder:
        pushed(ring, some_rows(30))
    assert recorder.lost["loop"] + recorder.rows["loop"] == 30 and recorder.lost["loop"] >= 20
    with Recording(tmp_path / "x.mcap") as found:
        assert len(found["loop"].t) == recorder.rows["loop"]
        events = [e for e in found.events if e["kind"] == "lost"]
        assert sum(e["rows"] for e in events) == recorder.lost["loop"]
        assert found.facts["end"]["lost loop"] == str(recorder.lost["loop"])


@pytest.mark.skipif(sys.platform == "win32", reason="limits the size of a file")
@pytest.mark.parametrize("limit", [2_000, 100_000, 123_456])
def test_a_full_disk_ends_the_recording_not_the_run(tmp_path, limit):
    told = run("-c", full, tmp_path / "x.mcap", limit)
    written, said = int(told.split()[0]), told.partition("|")[2]
    assert "the recording ends here: File too large; what was recorded is kept" in said
    assert (tmp_path / "x.mcap").stat().st_size <= limit
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", Notice)
        found = Recording(tmp_path / "x.mcap")
    with found:
        back = found["loop"]
        assert len(back.t) == written
        rows = some_rows(5000)[: len(back.t)]
        assert np.stack([back.t, back["x"], back["y"]], 1).tobytes() == rows.tobytes()
        assert found.complete and not found.lost


@pytest.mark.parametrize("number", [errno.EIO, errno.ENOSPC])
def test_a_disk_that_fails_for_good(tmp_path, monkeypatch, number):
    """Nothing more can be written, the summary neither: what is there stays, and is readable."""
    said = os.strerror(number)
    ring = Ring(100, 3)
    recorder = Recorder(tmp_path / "x.mcap", {"loop": Stream(ring, COLUMNS)})
    pushed(ring, some_rows(50))
    recorder.flush()

    def no(*_):
        raise OSError(number, said)

    monkeypatch.setattr(os, "write", no)
    pushed(ring, some_rows(10))
    with pytest.warns(Notice, match=said):
        recorder.flush()
    monkeypatch.undo()
    pushed(ring, some_rows(10))
    recorder.flush()
    recorder.close()
    assert recorder.failed == said
    assert (recorder.rows, recorder.lost) == ({"loop": 50}, {"loop": 20})
    with pytest.warns(Notice, match="stopped before the end; nothing else seems to be missing"):
        found = Recording(tmp_path / "x.mcap")
    with found:
        assert not found.complete and len(found["loop"].t) == 50


def test_what_a_recording_says_of_itself(tmp_path):
    ring = Ring(100, 4)
    facts = {"run": {"model": "abc", "seed": 7, "hapsis": hapsis.__version__}}
    with Recorder(tmp_path / "x.mcap", {"loop": Stream(ring, ("t", "fault", "x", "y"))}, facts) as r:
        r.event("parameter", name="felt.stiffness", value=np.float64(2.0), bad=float("nan"))
        rows = some_rows(10, 4)
        rows[:, 1] = (0, 0, 0, 3, 3, 3, 0, 0, 5, 5)
        pushed(ring, rows)
    with Recording(tmp_path / "x.mcap") as found:
        assert found.facts["run"] == {"model": "abc", "seed": "7", "hapsis": hapsis.__version__}
        assert found.facts["end"] == {"rows loop": "10", "lost loop": "0"}
        first, *faults = sorted(found.events, key=lambda e: e["kind"] == "fault")
        assert (first["name"], first["value"], first["bad"]) == ("felt.stiffness", 2.0, "nan")
        assert [(e["t"], e["code"]) for e in faults] == [(0.003, 3), (0.006, 0), (0.008, 5)]
        assert "complete" in repr(found)


def test_read_while_it_is_written(tmp_path):
    ring = Ring(1000, 3)
    with Recorder(tmp_path / "x.mcap", {"loop": Stream(ring, COLUMNS)}) as recorder:
        pushed(ring, some_rows(100))
        recorder.flush()
        with pytest.warns(Notice, match="stopped before the end"):
            found = Recording(tmp_path / "x.mcap")
        with found:
            assert len(found["loop"].t) == 100


def test_closed_twice_and_used_after(tmp_path):
    ring = Ring(10, 3)
    recorder = Recorder(tmp_path / "x.mcap", {"loop": Stream(ring, COLUMNS)})
    recorder.close()
    recorder.close()
    recorder.event("late")
    assert recorder.start() is recorder and threading.active_count() < 20
    with Reader(tmp_path / "x.mcap") as found:
        assert found.index.complete


def test_columns_must_be_sound(tmp_path):
    with pytest.raises(DeviceError, match='two columns are called "x"'):
        Stream(None, ("t", "x", "x"))
    with pytest.raises(DeviceError, match="2 names for the 3 columns of a ring"):
        Stream(Ring(8, 3), ("t", "x"))
    with pytest.raises(DeviceError, match='no column is called "t"'):
        Stream(None, ("x", "y"))


@pytest.mark.parametrize("end", ["", "raise SystemExit(0)", "terminated"])
def test_the_end_of_the_program_closes_it(tmp_path, end):
    """Also when it is told to end by a signal."""
    program = f"""
import os, signal, time
from recorded import COLUMNS, pushed, some_rows
from hapsis.touch.recording.recorder import Recorder, Stream
from hapsis.touch.realtime.ring import Ring
ring = Ring(100, 3)
recorder = Recorder({str(tmp_path / "x.mcap")!r}, {{"loop": Stream(ring, COLUMNS)}}).start()
pushed(ring, some_rows(20))
"""
    signalled = end == "terminated"
    program += "os.kill(os.getpid(), signal.SIGTERM)\ntime.sleep(5)" if signalled else end
    run("-c", program, status=-signal.SIGTERM if signalled else 0)
    with Recording(tmp_path / "x.mcap") as found:
        assert found.complete and len(found["loop"].t) == 20


def test_a_ring_that_fails_ends_the_recording(tmp_path):
    class Broken:
        def take(self):
            raise ValueError("no ring")

    with pytest.warns(Notice, match="ValueError: no ring; what was recorded is kept"):
        with Recorder(tmp_path / "x.mcap", {"loop": Stream(Broken(), COLUMNS)}) as recorder:
            until(lambda: recorder.failed is not None)
    with Reader(tmp_path / "x.mcap") as found:
        assert found.index.complete


def test_a_recording_of_nothing(tmp_path):
    path = recorded(tmp_path / "x.mcap", np.zeros((0, 3)))
    with Recording(path) as found:
        assert found.complete and len(found["loop"].t) == 0
        assert found["loop"].names == COLUMNS[1:]
