"""The file of a recording: nothing is overwritten, and what happens to it under way is told."""

import os
import subprocess
import sys
import warnings
from pathlib import Path

import numpy as np
import pytest
from recorded import COLUMNS, pushed, recorded, some_rows
from samples import sample

from hapsis.errors import DeviceError, Notice
from hapsis.touch.realtime.ring import Ring
from hapsis.touch.recording.mcap_writer import Writer
from hapsis.touch.recording.recorder import Recorder, Stream
from hapsis.touch.recording.recording import Recording


def rows_in(path):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", Notice)
        with Recording(path) as opened:
            return len(opened["loop"].t), opened.complete


def test_a_recording_that_exists_is_kept(tmp_path):
    path = recorded(tmp_path / "run.mcap", some_rows(30))
    first = Path(path).read_bytes()
    for number in (1, 2, 3):
        with pytest.warns(Notice, match=rf"run.mcap exists: it is kept as run.{number}.mcap"):
            recorded(path, some_rows(10 + number))
    assert (tmp_path / "run.1.mcap").read_bytes() == first
    assert [rows_in(tmp_path / f"run.{k}.mcap")[0] for k in (1, 2, 3)] == [30, 11, 12]
    assert rows_in(path) == (13, True)


def test_an_empty_file_is_used(tmp_path):
    path = tmp_path / "x.mcap"
    path.touch()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        recorded(path, some_rows(5))
    assert rows_in(path) == (5, True) and [p.name for p in tmp_path.iterdir()] == ["x.mcap"]


OTHER = """
import sys
from hapsis.touch.recording.mcap_writer import Writer
try:
    Writer(sys.argv[1])
except Exception as problem:
    print(type(problem).__name__, problem)
"""


@pytest.mark.skipif(os.name == "nt", reason="no locks")
def test_two_recorders_cannot_have_one_path(tmp_path):
    ring, path = Ring(100, 3), tmp_path / "x.mcap"
    with Recorder(path, {"loop": Stream(ring, COLUMNS)}):
        pushed(ring, some_rows(20))
        (tmp_path / "link.mcap").symlink_to(path)
        for same in (path, tmp_path / "link.mcap", os.path.relpath(path)):
            with pytest.raises(DeviceError, match="another recorder writes to it"):
                Recorder(same, {"loop": Stream(ring, COLUMNS)})
        ran = subprocess.run([sys.executable, "-c", OTHER, str(path)], capture_output=True, text=True)
        assert "DeviceError" in ran.stdout and "another recorder" in ran.stdout, ran.stderr
    assert rows_in(path) == (20, True)
    with pytest.warns(Notice, match="is kept as"):
        Writer(path).close()  # the lock ends with the recording


def damaged(tmp_path, seed):
    """A recording to which something happens under way: what was written, when, and what was told."""
    rng = np.random.default_rng(seed)
    ring, path = Ring(1000, 3), tmp_path / f"{seed}.mcap"
    recorder = Recorder(path, {"loop": Stream(ring, COLUMNS)}, {"run": {"a": "b"}})
    way = ("deleted", "cut", "grown", "moved", "replaced")[seed % 5]
    after, chunks = rng.integers(0, 6), 8
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        for k in range(chunks):
            pushed(ring, some_rows(10))
            recorder.flush()
            if k == after:
                size = path.stat().st_size
                if way == "deleted":
                    path.unlink()
                elif way == "cut":
                    os.truncate(path, int(rng.integers(0, size)))
                elif way == "grown":
                    with open(path, "ab") as file:
                        file.write(b"rubbish")
                else:
                    os.rename(path, tmp_path / f"moved{seed}.mcap")
                    if way == "replaced":
                        path.write_bytes(b"another file")
        recorder.close()
    told = [str(w.message) for w in caught]
    return way, recorder, path, tmp_path / f"moved{seed}.mcap", told, 10 * chunks


@pytest.mark.skipif(os.name == "nt", reason="open files can neither be deleted nor moved")
@pytest.mark.parametrize("seed", range(sample(20, 500)))
def test_what_happens_to_the_file_is_told(tmp_path, seed):
    """Deleted, cut, written to, moved, replaced, at any moment: told once, and the counts are true."""
    way, recorder, path, moved, told, pushed_rows = damaged(tmp_path, seed)
    assert len(told) == 1 and str(path) in told[0]
    assert recorder.rows["loop"] + recorder.lost["loop"] == pushed_rows
    if way in ("moved", "replaced"):
        assert "moved or replaced" in told[0] and recorder.failed is None
        assert rows_in(moved) == (pushed_rows, True)
        assert way == "moved" or path.read_bytes() == b"another file"
        return
    word = {"deleted": "was deleted", "cut": "was cut to", "grown": "another program wrote"}[way]
    assert word in told[0] and word in recorder.failed and recorder.lost["loop"] > 0
    if way == "deleted":
        assert recorder.rows["loop"] == 0 and "nothing of it is left" in told[0] and not path.exists()
    elif recorder.rows["loop"]:
        assert rows_in(path) == (recorder.rows["loop"], True)


def test_a_folder_that_changes_does_not_matter(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    ring = Ring(100, 3)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with Recorder("x.mcap", {"loop": Stream(ring, COLUMNS)}) as recorder:
            monkeypatch.chdir("/")
            pushed(ring, some_rows(5))
            recorder.flush()
    assert rows_in(tmp_path / "x.mcap") == (5, True)
