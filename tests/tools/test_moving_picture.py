"""The moving picture of README: a sound file of a reasonable size, in which a hand grabs and lets go."""

import struct
from itertools import pairwise

import moving_picture
import pytest


def chunks(data):
    """(kind, content) of the chunks of a RIFF file, without its head."""
    at = 0
    while at < len(data):
        kind, size = data[at : at + 4], struct.unpack("<I", data[at + 4 : at + 8])[0]
        yield kind, data[at + 8 : at + 8 + size]
        at += 8 + size + size % 2


def frames(file):
    """(left, top, width, height, ms) of an animated WebP, and the size of its canvas."""
    assert file[:4] == b"RIFF" and file[8:12] == b"WEBP"
    assert struct.unpack("<I", file[4:8])[0] == len(file) - 8
    head, control, *rest = chunks(file[12:])
    assert head[0] == b"VP8X" and head[1][0] & 2 and control[0] == b"ANIM"
    canvas = [1 + int.from_bytes(head[1][k : k + 3], "little") for k in (4, 7)]
    parts = []
    for kind, data in rest:
        assert kind == b"ANMF" and {name for name, _ in chunks(data[16:])} <= {b"VP8 ", b"VP8L", b"ALPH"}
        left, top, width, height, ms = (int.from_bytes(data[k : k + 3], "little") for k in range(0, 15, 3))
        parts.append((2 * left, 2 * top, 1 + width, 1 + height, ms))
    return parts, canvas


@pytest.mark.parametrize("name", moving_picture.FILMS)
def test_moving_pictures_are_sound_and_small(name):
    file = (moving_picture.STATIC / f"{name}.webp").read_bytes()
    parts, (width, height) = frames(file)
    assert len(file) <= moving_picture.LARGEST[name] and len(parts) > 30
    assert parts[0][:4] == (0, 0, width, height)
    assert all(x + w <= width and y + h <= height for x, y, w, h, _ in parts)
    assert 3.0 < sum(ms for *_, ms in parts) / 1000 < 10.0


def test_the_hand_comes_holds_and_goes_without_a_jump():
    times = [k / 100 for k in range(int(100 * moving_picture.LENGTH))]
    way = [moving_picture.way(t, (300.0, 200.0)) for t in times]
    assert max(abs(a[k] - b[k]) for a, b in pairwise(way) for k in (0, 1)) < 12  # pixels in 10 ms
    held = [h for _, _, h in way]
    assert not held[0] and any(held) and not held[-1]
    assert sum(a != b for a, b in pairwise(held)) == 2
    first = held.index(True)
    assert way[first][:2] == (300.0, 200.0)
