"""Damaged and hostile saved results (.npz): bytes, values of the JSON text, headers, tricks of zip files."""

import copy
import io
import json
import math
import random
import struct
import tempfile
import zipfile
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

import hapsis as hs
from attacks.mutation import MODELS, flipped
from attacks.soundness import demand
from attacks.table import Attack, Case

HOSTILE = (10**400, -(10**400), None, "", "x", [], {}, True, -1, math.nan, math.inf, [[]], {"a": []}, 1e308)
HOSTILE += (10**30, "\0", "\ud800", "<script>", "=1+1", [1, 2, 3], [math.nan] * 3, "n" * 5000, -0.0)
HEADERS = (
    "{[]: 1}",
    "(" * 60,
    "{'descr': '<f8', 'fortran_order': False, 'shape': (True,)}",
    "{'descr': '<f8', 'fortran_order': False, 'shape': (1,), (): 1}",
    "{'descr': '<f8', 'fortran_order': False, 'shape': (999999999999999999, 999999999999999999), }",
    "{'descr': '<f8', 'fortran_order': False, 'shape': (), }",
    "{'descr': '<f8', 'fortran_order': False, 'shape': (0,), }",
    "{'descr': '<f8', 'fortran_order': True, 'shape': (1, 0, 999999999), }",
    "{'descr': '|u1', 'fortran_order': False, 'shape': (8,), }",
    "{'descr': '|O', 'fortran_order': False, 'shape': (1,), }",
)


@cache
def whole() -> dict[str, bytes]:
    """The parts of a saved result of a simulated ball that bounces."""
    model = hs.load(MODELS / "bouncing_ball.yaml")
    result = hs.simulate(model, until=0.2, every=0.05)
    with tempfile.TemporaryDirectory() as folder:
        file = io.BytesIO(result.save(Path(folder) / "a.npz").read_bytes())
    with zipfile.ZipFile(file) as archive:
        return {info.filename: archive.read(info) for info in archive.infolist()}


def archive(parts: dict[str, bytes], packing: int = zipfile.ZIP_STORED, comment: bytes = b"") -> bytes:
    """A zip of these parts."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", packing) as target:
        for name, data in parts.items():
            target.writestr(zipfile.ZipInfo(name), data, packing)  # without the time of day
        target.comment = comment
    return file.getvalue()


def array(text: bytes) -> bytes:
    """Bytes as numpy saves them."""
    file = io.BytesIO()
    np.save(file, np.frombuffer(text, np.uint8))
    return file.getvalue()


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """All places in tables and lists."""
    keys = list(value) if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
    return [inner for key in keys for inner in [(*path, key), *places(value[key], (*path, key))]]


def other_values(draw: random.Random) -> bytes:
    """One to three values of the JSON text replaced or removed."""
    facts = json.loads(np.load(io.BytesIO(whole()["facts.npy"])).tobytes())
    for _ in range(draw.choice((1, 1, 2, 3))):
        place = draw.choice(places(facts))
        around = facts
        for key in place[:-1]:
            around = around[key]
        if draw.random() < 0.1:
            del around[place[-1]]
        else:
            around[place[-1]] = copy.deepcopy(draw.choice(HOSTILE))
    text = json.dumps(facts).encode("utf-8", "replace")
    return archive(whole() | {"facts.npy": array(text)})


def other_arrays(draw: random.Random) -> bytes:
    """One to three arrays with another header, other numbers, another size, or none."""
    parts = dict(whole())
    for _ in range(draw.choice((1, 1, 2, 3))):
        name = draw.choice(sorted(parts))
        content = bytearray(parts[name])
        match draw.randrange(6):
            case 0:
                line = draw.choice(HEADERS).ljust(117).encode() + b"\n"
                head = b"\x93NUMPY\x01\x00" + struct.pack("<H", len(line))
                parts[name] = head + line + bytes(draw.choice((0, 8, 64)))
            case 1 if len(content) > 136:
                value = draw.choice((math.nan, math.inf, -math.inf, 1e308, -1.0, 5e-324))
                at = 128 + 8 * draw.randrange((len(content) - 128) // 8)
                struct.pack_into("<d", content, at, value)
                parts[name] = bytes(content)
            case 2:
                parts[name] = parts[draw.choice(sorted(parts))]
            case 3 if len(parts) > 1:
                del parts[name]
            case 4:
                parts[draw.choice(("c0.npy", "t.npy", "../x.npy", "/x.npy", "c999.npy"))] = bytes(content)
            case _:
                parts[name] = flipped(bytes(content), draw)
    return archive(parts)


def zip_tricks(draw: random.Random) -> bytes:
    """Double names, other packings, sizes that lie, archives in archives, comments, bombs."""
    parts, data = whole(), bytearray(archive(whole()))
    match draw.randrange(8):
        case 0:
            return archive(parts, draw.choice((zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA, zipfile.ZIP_DEFLATED)))
        case 1:
            return archive({**parts, "c0.npy": archive(parts)}, comment=b"PK\5\6" * draw.randrange(1, 50))
        case 2:
            return archive({**parts, **{f"{k}.npy": b"" for k in range(draw.choice((10, 5000)))}})
        case 3:
            bomb = array(bytes(draw.choice((10_000, 3_000_000, 60_000_000))))
            return archive(
                {**parts, draw.choice(("c0.npy", "facts.npy", "z.npy")): bomb}, zipfile.ZIP_DEFLATED
            )
        case 4:  # any field of the table at the end
            start = data.rindex(b"PK\1\2")
            at = start + draw.choice((8, 10, 16, 20, 24, 28, 30, 32, 34, 36, 38, 42))
            data[at : at + 4] = draw.choice((b"\xff" * 4, bytes(4), b"\1\0\0\0", b"\xff\xff\xff\x7f"))
            return bytes(data)
        case 5:  # the record at the very end
            at = len(data) - 22 + draw.choice((4, 6, 8, 10, 12, 16, 20))
            data[at : at + 2] = draw.choice((b"\xff\xff", b"\0\0", b"\1\0"))
            return bytes(data)
        case 6:
            cut = draw.randrange(len(data))
            return bytes(data[cut:] if draw.random() < 0.5 else data[:cut])
        case _:
            return bytes(data) + bytes(data[draw.randrange(len(data)) :])


def load(case: Case, place: Path) -> Any:
    """The result of a case, from a file."""
    path = place / "a.npz"
    path.write_bytes(case.data)
    return hs.load(path)


def judge(result: Any, case: Case, draw: random.Random, place: Path) -> None:
    """Rows for each time, times that are finite and never fall; it can be shown, saved and read again."""
    demand(bool(np.isfinite(result.t).all() and (np.diff(result.t) >= 0).all()), "times that are none")
    demand(all(len(result[name]) == len(result.t) for name in result.names), "rows are missing")
    demand(len(set(result.names)) == len(result.names), "two columns share a name")
    str(result), repr(result)
    if draw.random() < 0.1:
        for show in (lambda: result.plot(*result.names), result.player, lambda: result.save(place / "b.csv")):
            try:
                show()
            except hs.Error:
                pass
        again = hs.load(result.save(place / "b.npz"))
        same = again.names == result.names and again.t.tobytes() == result.t.tobytes()
        demand(same and all(again[n].tobytes() == result[n].tobytes() for n in again.names), "other rows")


def damaged_bytes(draw: random.Random) -> bytes:
    """The file with damage anywhere."""
    return flipped(archive(whole()), draw)


MAKERS = {"bytes": damaged_bytes, "values": other_values, "arrays": other_arrays, "zip": zip_tricks}
ATTACKS = [
    Attack(f"npz-{name}", lambda draw, make=make: Case(make(draw), "npz"), load, judge)
    for name, make in MAKERS.items()
]
