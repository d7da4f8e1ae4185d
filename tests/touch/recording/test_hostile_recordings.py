"""Small recordings of a stranger that would take hours or fill the memory: refused in one line."""

import json
import struct
import zlib

import numpy as np
import pytest

import hapsis as hs
from hapsis.errors import DeviceError
from hapsis.touch.recording import mcap_chunks, mcap_records
from hapsis.touch.recording.mcap_writer import Writer


def read_all(path):
    recording = hs.recording.read_recording(path)
    return {name: recording[name] for name in recording.names}


def refused(path):
    with pytest.raises(DeviceError) as caught:
        read_all(path)
    line = str(caught.value)
    assert "\n" not in line and line.isprintable() and path.name in line
    return line


@pytest.mark.parametrize("inner", ["", "float64 x\n", "string s\n"])
@pytest.mark.parametrize("size", ["[20000]", "[]"])
def test_nested_arrays(tmp_path, inner, size):
    """20 000 of 20 000 of 20 000 ..., of an empty type, of numbers, of texts; fixed and told by messages."""
    levels = "".join(f"{'=' * 10}\nMSG: p/{a}\n{b}{size} a\n" for a, b in zip("ABCD", "BCDE", strict=True))
    definition = f"A a\n{levels}{'=' * 10}\nMSG: p/E\n{inner}"
    path = tmp_path / "a.mcap"
    with Writer(path) as file:
        channel = file.channel("/a", file.schema("p/msg/Z", "ros2msg", definition.encode()), "cdr")
        file.message(channel, 0, b"\0\1\0\0" + struct.pack("<I", 20_000) * 100)
    assert "elements" in refused(path) or "shorter than its definition" in refused(path)


def test_ever_other_names(tmp_path):
    """Names times messages would be many numbers; those that are there are few."""
    path = tmp_path / "a.mcap"
    with Writer(path) as file:
        channel = file.channel("/a", file.schema("a", "jsonschema", b"{}"), "json")
        for i in range(4000):
            file.message(channel, i, json.dumps({f"c{i}_{j}": 1 for j in range(4)}).encode())
    assert "ever other names" in refused(path)
    with Writer(tmp_path / "b.mcap") as file:
        channel = file.channel("/a", file.schema("a", "jsonschema", b"{}"), "json")
        for i in range(300):
            file.message(channel, i, json.dumps({f"c{i}_{j}": 1 for j in range(100)}).encode())
    assert "more than 20000 columns" in refused(tmp_path / "b.mcap")


def test_columns_with_gaps_are_right(tmp_path):
    """Messages of many lengths and names: every number at its row, NaN elsewhere."""
    draw = np.random.default_rng(5)
    rows = [
        {f"c{k}": float(draw.normal()) for k in draw.choice(9, draw.integers(1, 9), False)}
        for _ in range(300)
    ]
    with Writer(tmp_path / "a.mcap") as file:
        channel = file.channel("/a", file.schema("a", "jsonschema", b"{}"), "json")
        for i, row in enumerate(rows):
            file.message(channel, i, json.dumps(row).encode())
    result = read_all(tmp_path / "a.mcap")["a"]
    for name in result.names:
        right = [row.get(name, np.nan) for row in rows]
        assert np.array_equal(result[name], right, equal_nan=True)


def packed_chunks(path, content, count, monkeypatch):
    """A file of chunks that say they are packed by zstd, for which zlib stands in here."""
    monkeypatch.setattr(mcap_chunks, "_zstd", lambda data, size: zlib.decompress(data))
    packed = zlib.compress(content, 9)
    body = struct.pack("<QQQI", 0, 0, len(content), 0) + mcap_records.text("zstd")
    body += struct.pack("<Q", len(packed)) + packed
    path.write_bytes(mcap_records.MAGIC + mcap_records.record(mcap_records.CHUNK, body) * count)
    return path


def test_packed_records(tmp_path, monkeypatch):
    """Empty records, and messages of alternating channels: few bytes, millions of records."""
    empty = struct.pack("<BQ", 99, 0) * 1_000_000
    assert "too many records" in refused(packed_chunks(tmp_path / "a.mcap", empty, 1, monkeypatch))
    messages = b"".join(
        mcap_records.record(mcap_records.MESSAGE, struct.pack("<HIQQ", k % 2, k, 0, 0)) for k in range(2)
    )
    path = packed_chunks(tmp_path / "b.mcap", messages * 200_000, 1, monkeypatch)
    assert "too many records" in refused(path)


def test_packed_bytes(tmp_path, monkeypatch):
    """Many chunks that each unpack to much are refused before all are unpacked."""
    monkeypatch.setattr(mcap_chunks, "FREE_BYTES", 3_000_000)
    one = mcap_records.record(99, bytes(1_000_000))
    path = packed_chunks(tmp_path / "a.mcap", one, 30, monkeypatch)
    assert "unpack to too many records" in refused(path)
