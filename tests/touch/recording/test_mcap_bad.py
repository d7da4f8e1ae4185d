"""Bad MCAP files: one line that says what is wrong, or what can be read and a word on the rest."""

import contextlib
import random
import struct
import time
import warnings

import numpy as np
import pytest
from recorded import small_file, some_rows

from hapsis.errors import DeviceError, Error, Notice
from hapsis.touch.recording import mcap_chunks
from hapsis.touch.recording import mcap_records as records
from hapsis.touch.recording.mcap_reader import Reader
from hapsis.touch.recording.mcap_writer import Writer
from hapsis.touch.recording.measured import measured
from hapsis.touch.recording.recording import Recording

HUGE = (2**30, 2**31, 2**32 - 1, 2**40, 2**63, 2**64 - 1)
LONGEST = 2.0  # s of processor time for a file of 3 kB: it must not hang


def told(path, kept=None):
    """What reading everything gives: rows found, and every line said on the way.

    The rows of "loop" are put into the list `kept`.
    """
    lines, count = [], 0
    began = time.process_time()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            with Recording(path) as found:
                _ = found.events, found.facts, found.complete
                for name in found.names:
                    try:
                        rows = found[name]
                        count += len(rows.t)
                        if kept is not None:
                            kept.append([rows.t, *(rows[n] for n in rows.names)])
                    except Error as problem:
                        lines.append(str(problem))
                lines += found.lost
        except Error as problem:
            lines.append(str(problem))
    assert all(issubclass(w.category, Notice) for w in caught), [str(w.message) for w in caught]
    for line in [*lines, *(str(w.message) for w in caught)]:
        assert line and "\n" not in line and line.isprintable(), line
    assert time.process_time() - began < LONGEST
    return count, lines


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    return small_file(tmp_path_factory.mktemp("whole") / "whole.mcap")


@pytest.fixture
def bad(tmp_path):
    def write(data, kept=None):
        path = tmp_path / "bad.mcap"
        path.write_bytes(data)
        return told(path, kept)

    return write


def test_the_file_that_is_spoilt_is_good(whole, bad):
    assert bad(whole) == (24, [])


@pytest.mark.parametrize("part", [k / 16 for k in range(16)])
def test_truncated(whole, bad, part):
    count, lines = bad(whole[: int(part * len(whole))])
    assert count <= 24 and lines


def test_truncated_anywhere_it_gives_what_was_whole_before(whole, bad):
    found = [bad(whole[:k])[0] for k in range(8, len(whole), 7)]
    assert found == sorted(found) and found[-1] == 24 and found[0] == 0
    assert len(set(found)) > 20  # of a chunk that is cut its rows are read


def test_bytes_flipped_are_never_silent(whole, bad):
    """A wrong byte is told, or it is in nothing that was read; rows are never wrong unnoticed."""
    draw = random.Random(7)
    silent = 0
    for _ in range(300):
        data, kept = bytearray(whole), []
        data[draw.randrange(len(data))] ^= 1 << draw.randrange(8)
        count, lines = bad(bytes(data), kept)
        if not lines:
            silent += 1
            assert count == 24 and np.array_equal(np.transpose(kept[0]), some_rows(24))
    assert silent < 150


def test_many_bytes_flipped(whole, bad):
    draw = random.Random(8)
    for _ in range(200):
        data = bytearray(whole)
        for _ in range(draw.randrange(2, 60)):
            data[draw.randrange(len(data))] = draw.randrange(256)
        bad(bytes(data))


def test_flipped_bytes_of_a_file_that_was_not_closed(whole, bad):
    draw = random.Random(9)
    end = whole.rindex(struct.pack("<BQ", records.DATA_END, 4))
    for _ in range(200):
        data = bytearray(whole[:end])
        data[draw.randrange(len(data))] ^= 1 << draw.randrange(8)
        _, lines = bad(bytes(data))
        assert lines


@pytest.mark.parametrize(
    "start",
    [
        b"",
        b"\x00" * 100,
        b"PK\x03\x04",
        b"\x89PNG\r\n\x1a\n",
        b"[]",
        b"\x89MCAP",
        b"\x89MCAP1\r\n",
        b"\x89MCAP0\n\r",
    ],
)
def test_wrong_magic(whole, bad, start):
    count, lines = bad(start + whole[8:] if len(start) == 8 else start)
    assert count == 0 and len(lines) == 1 and "expected an MCAP recording" in lines[0]


@pytest.mark.parametrize("huge", HUGE)
@pytest.mark.parametrize("where", ["record", "chunk", "size", "footer", "text", "message"])
def test_lengths_beyond_the_file(whole, bad, where, huge):
    data = bytearray(whole)
    chunk = data.index(struct.pack("<B", records.CHUNK), 400)
    while struct.unpack_from("<Q", data, chunk + 1)[0] > len(data):
        chunk = data.index(struct.pack("<B", records.CHUNK), chunk + 1)
    place = {
        "record": 9,
        "chunk": chunk + 1,
        "size": chunk + 9 + 16,
        "footer": len(data) - 28,
        "text": 8 + 9,
        "message": chunk + 9 + 40 + 1,
    }[where]
    width = "<I" if where == "text" else "<Q"
    struct.pack_into(width, data, place, huge & (2**32 - 1 if where == "text" else 2**64 - 1))
    for spoilt in (data, data[: whole.rindex(struct.pack("<BQ", records.DATA_END, 4))]):
        count, _ = bad(bytes(spoilt))
        assert count <= 24


def test_a_summary_that_points_anywhere(whole, bad):
    draw = random.Random(10)
    start = struct.unpack_from("<Q", whole, len(whole) - 28)[0]
    for _ in range(200):
        data = bytearray(whole)
        for _ in range(8):
            data[draw.randrange(start, len(data) - 37)] = draw.randrange(256)
        struct.pack_into("<I", data, len(data) - 12, 0)  # no checksum: nothing gives it away
        count, _ = bad(bytes(data))
        assert count <= 24


def test_zeros_at_the_end(whole, bad):
    """As a file system leaves them after a loss of power."""
    end = whole.rindex(struct.pack("<BQ", records.DATA_END, 4))
    count, lines = bad(whole[:end] + bytes(4096))
    assert count == 24 and len(lines) == 1 and "zeros instead of a record" in lines[0]


def test_a_definition_that_is_none(tmp_path):
    texts = [
        b"\xff",
        b"float64",
        b"what ever",
        b"float64[99999999] x",
        b"A a\n=\nMSG: A\nA a",
        b"float64 x\n====\nnothing",
        b"string name",
        b"float64[] x",
        b"B b",
        b"float64[20000] x\nfloat64[20000] y",
        b"",
    ]
    for k, text in enumerate(texts):
        path = tmp_path / f"{k}.mcap"
        with Writer(path) as file:
            schema = file.schema("a/msg/A", "ros2msg", text)
            number = file.channel("/c", schema, "cdr")
            for data in (b"", b"\0\1\0\0", b"\0\1\0\0" + b"\xff" * 20, b"\7\7\7\7" + bytes(50)):
                file.message(number, 0, data)
        count, lines = told(path)
        assert lines or not count


def test_json_that_is_none(tmp_path):
    texts = [
        b"",
        b"{",
        b"[" * 100_000,
        b"1e999",
        b"NaN",
        b"9" * 5000,
        b'{"a":' * 30 + b"1" + b"}" * 30,
        b"\xff",
        b'"x"',
        b"null",
        b'{"\\ud800": 1}',
        b'{"a": 1, "\\udc00": {"b": 2}}',
        b'{"\xed\xa0\x80": 1}',
    ]
    for k, text in enumerate(texts):
        with Writer(tmp_path / f"{k}.mcap") as file:
            file.message(file.channel("/c", 0, "json"), 0, text)
            file.message(file.channel("/events", 0, "json"), 0, text)
        told(tmp_path / f"{k}.mcap")
        with warnings.catch_warnings(), Recording(tmp_path / f"{k}.mcap") as found:
            warnings.simplefilter("ignore", Notice)
            for name in found.names:
                with contextlib.suppress(Error):
                    found[name].save(tmp_path / "x.csv")  # what is read can be written


def test_compressed_chunks_that_are_bombs_or_unknown(tmp_path, monkeypatch):
    head = records.MAGIC + records.record(records.HEADER, records.text("") + records.text(""))
    head += records.channel(1, records.Channel(0, "/c", "json", {}))
    for name, size in (("zstd", 10**12), ("zstd", 100), ("lz4", 100), ("rot13", 100)):
        body = struct.pack("<QQQI", 0, 1, size, 0) + records.text(name) + struct.pack("<Q", 50)
        (tmp_path / "x.mcap").write_bytes(head + records.record(records.CHUNK, body + bytes(50)))
        count, lines = told(tmp_path / "x.mcap")
        assert count == 0 and lines


def test_limits_are_kept(whole, tmp_path, monkeypatch):
    monkeypatch.setattr(mcap_chunks, "LARGEST_CHUNK", 100)
    path = tmp_path / "x.mcap"
    path.write_bytes(whole)
    count, lines = told(path)
    assert count == 0 and "read are at most 100" in lines[0]


def test_what_is_no_file(tmp_path):
    for path in (tmp_path, tmp_path / "none.mcap", "/dev/null"):
        with pytest.raises(DeviceError) as caught:
            Reader(path)
        assert str(caught.value).startswith(f"{path}: ")


def test_times_that_are_none(tmp_path):
    """Rows whose time is NaN keep their place; as a measurement they are refused in one line."""
    from recorded import recorded

    rows = some_rows(30)
    rows[[0, 7, 8], 0] = (np.nan, -np.inf, 1e300)
    path = recorded(tmp_path / "x.mcap", rows)
    with Recording(path) as found:
        back = found["loop"]
        assert back.t.tobytes() == rows[:, 0].tobytes()
    with pytest.raises(Error, match='the column "t" of the data is nan in row 0'):
        measured(path)
