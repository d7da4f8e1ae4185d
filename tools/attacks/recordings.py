"""Damaged and hostile recordings (.mcap): bytes, cut files, schemas, JSON messages, packed chunks.

Rows of our own recordings carry checksums: where bytes are damaged, rows are as they were written, or
the recording says that something is lost.
"""

import json
import random
import struct
import tempfile
import warnings
import zlib
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

import hapsis as hs
from attacks.mutation import NUMBERS, TEXTS, flipped
from attacks.soundness import demand
from attacks.table import Attack, Case
from hapsis.errors import DeviceError, Error
from hapsis.touch.recording import mcap_records as records
from hapsis.touch.recording.mcap_writer import Writer

ROWS, COLUMNS = 60, ("t", "key.position", "key.force")
TYPES = ("float64", "float32", "int8", "uint64", "bool", "string", "time", "A", "B", "p/A", "wstring", "char")


def recording(write: Any) -> bytes:
    """The bytes of a recording that `write` fills."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "a.mcap"
        with Writer(path) as file:
            write(file)
        return path.read_bytes()


@cache
def whole() -> tuple[bytes, Any]:
    """A closed recording with a stream of numbers in several chunks, events and facts; and its rows."""
    rows = np.random.default_rng(1).normal(size=(ROWS, len(COLUMNS)))
    rows[:, 0] = 0.001 * np.arange(ROWS)
    definition = "\n".join(f"float64 c{k}" for k in range(len(COLUMNS))).encode()

    def write(file: Writer) -> None:
        channel = file.channel("/loop", file.schema("p/msg/Row", "ros2msg", definition), "cdr")
        events = file.channel("/events", 0, "json")
        for k, row in enumerate(rows):
            file.message(channel, k * 1_000_000, b"\0\1\0\0" + row.tobytes())
            if k % 20 == 0:
                file.message(events, k * 1_000_000, b'{"t": 0.0, "kind": "start"}')
                file.flush()

    return recording(write), rows


def damaged(draw: random.Random) -> bytes:
    """Bytes damaged anywhere, checksums as they were."""
    return flipped(whole()[0], draw)


def cut(draw: random.Random) -> bytes:
    """Cut anywhere; zeros, noise or another recording behind the cut."""
    data = whole()[0]
    start = data[: draw.randrange(8, len(data))]
    return start + draw.choice((b"", bytes(draw.randrange(4096)), draw.randbytes(100), data[8:]))


def schemas(draw: random.Random) -> bytes:
    """Random definitions of messages, and messages that seldom fit."""
    lines = []
    for name in ("", "A", "B", "C")[: draw.randint(1, 4)]:
        lines += ["=" * draw.choice((3, 80)), f"MSG: p/{name}"] if name else []
        for _ in range(draw.randint(0, 5)):
            size = draw.choice(("", "", "[3]", "[]", "[<=5]", "[20000]", "[99999999999]", "[-1]", "[x]"))
            field = draw.choice(
                (f"f{draw.randrange(4)}", "x", "", "1x", "a b", "K=3", "é", draw.choice(TEXTS))
            )
            lines.append(f"{draw.choice(TYPES)}{size} {field}")
    if sound := draw.random() < 0.4:
        lines = [
            f"{draw.choice(TYPES[:5])}{draw.choice(('', '[3]', '[]'))} f{k}"
            for k in range(draw.randint(1, 6))
        ]
    text = "\n".join(lines).encode("utf-8", "replace")

    def write(file: Writer) -> None:
        encoding, kind = draw.choice(
            (("ros2msg", "cdr"),) * 5 + (("ros1msg", "ros1"), ("x", "y")) * (not sound)
        )
        channel = file.channel("/c", file.schema("p/msg/Z", encoding, text), kind)
        for k in range(draw.randint(1, 20)):
            head = draw.choice((b"\0\1\0\0",) * 5 + (b"", b"\0\0\0\0", b"\7\7\7\7") * (not sound))
            body = draw.choice((draw.randbytes(draw.randrange(200)), b"\xff" * 100))
            body = bytes(200) if sound and draw.random() < 0.9 else body
            file.message(channel, draw.choice((k, 0, 2**63)), head + body)

    return recording(write)


def json_value(draw: random.Random, depth: int = 0) -> Any:
    """A random value, nested at times."""
    kind = draw.randrange(8 if depth < 5 else 5)
    if kind == 5:
        return [json_value(draw, depth + 1) for _ in range(draw.randrange(5))]
    if kind in (6, 7):
        names = ("a", "b", "t", "", "a.b", "\0", "x" * 300, "\ud800", str(draw.random()))
        return {draw.choice(names): json_value(draw, depth + 1) for _ in range(draw.randrange(4))}
    return (draw.choice(NUMBERS), draw.gauss(0, 1), None, draw.choice((10**400, -1, 0, 2**64)), True)[kind]


def json_messages(draw: random.Random) -> bytes:
    """Messages of JSON: random values, texts that are none, many names."""
    bad = (b"", b"{", b"[" * 50_000, b"1e999", b"NaN", b"9" * 5000, b"\xff", b'{"a":' * 2000, b'"' * 99)

    def write(file: Writer) -> None:
        channel = file.channel(draw.choice(("/c", "/events", "", "//")), 0, "json")
        many, count = draw.random() < 0.2, draw.choice((1, 5, 300))
        for k in range(count):
            value = {f"n{k}_{j}": j for j in range(20)} if many else json_value(draw)
            text = json.dumps(value).encode() if draw.random() < 0.8 else draw.choice(bad)
            file.message(channel, k * draw.choice((1, 10**6)), text)

    return recording(write)


def packed(draw: random.Random) -> bytes:
    """Chunks that are packed, or say so, with sizes that lie and records of any length."""
    inner = b"".join(
        records.record(draw.choice((3, 4, 5, 7, 99, 0)), draw.randbytes(draw.choice((0, 4, 22, 40))))
        for _ in range(draw.choice((0, 1, 30, 1000)))
    )
    inner += records.record(records.MESSAGE, struct.pack("<HIQQ", 1, 0, 0, 0) + b'{"a": 1}') * 3
    tail = struct.pack("<BQ", 5, draw.choice((0, 21, 22, 2**40, 2**64 - 1)))
    inner += tail * draw.choice((0, 0, 1))
    body = zlib.compress(inner) if draw.random() < 0.2 else inner
    size = draw.choice((len(inner), len(inner), len(inner), 0, 1, 2**31, 2**64 - 1, len(inner) + 1))
    name = draw.choice(("", "", "", "", "zstd", "lz4", "rot13", "x" * 70))
    length = draw.choice((*[len(body)] * 5, 0, 2**40, 2**64 - 1))
    crc = draw.choice((0, zlib.crc32(inner), 1))
    chunk = struct.pack("<QQQI", 0, 1, size, crc) + records.text(name) + struct.pack("<Q", length) + body
    head = records.record(records.HEADER, records.text("") + records.text(""))
    channel = records.channel(1, records.Channel(0, "/c", "json", {}))
    repeated = records.record(records.CHUNK, chunk) * draw.choice((1, 1, 50))
    return records.MAGIC + head + channel + repeated + draw.choice((b"", records.MAGIC))


def load(case: Case, place: Path) -> Any:
    """Everything that a recording says: its facts, events, streams, and what is lost."""
    path = place / "a.mcap"
    path.write_bytes(case.data)
    streams: dict[str, Any] = {}
    lines: list[str] = []
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        with hs.recording.read_recording(path) as found:
            _ = found.events, found.facts, repr(found)
            for name in found.names:
                try:
                    streams[name] = found[name]
                except Error as error:
                    lines.append(str(error))
            lines += found.lost
    if lines and not any(len(stream.t) for stream in streams.values()):
        raise DeviceError(lines[0])  # nothing could be read, and it is told
    lines += [str(w.message) for w in caught]
    return streams, lines


def judge(found: Any, case: Case, draw: random.Random, place: Path) -> None:
    """Columns are as long as their times; every sentence is one line."""
    streams, lines = found
    for stream in streams.values():
        demand(all(len(stream[name]) == len(stream.t) for name in stream.names), "rows are missing")
        str(stream)
        if draw.random() < 0.1:
            stream.save(place / "b.csv")
            stream.save(place / "b.npz")
    demand(all(line and line.isprintable() for line in lines), "a sentence is not one line")


def judge_rows(found: Any, case: Case, draw: random.Random, place: Path) -> None:
    """Besides: rows are those that were written, or something is told."""
    judge(found, case, draw, place)
    streams, lines = found
    if not lines and "loop" in streams:
        stream, rows = streams["loop"], whole()[1]
        read = np.column_stack([stream[name] for name in stream.names])
        demand(read.shape == rows.shape and bool((read == rows).all()), "other rows, and nothing is told")


MAKERS = {"bytes": damaged, "cut": cut, "schemas": schemas, "json": json_messages, "packed": packed}
ATTACKS = [
    Attack(
        f"mcap-{name}",
        lambda draw, make=make: Case(make(draw), "mcap"),
        load,
        judge_rows if name in ("bytes", "cut") else judge,
    )
    for name, make in MAKERS.items()
]
