"""Notes from hammers: loudness, strokes in pieces of any size, files, ports, and a loop that is played."""

import struct
import threading
from typing import ClassVar

import numpy as np
import pytest
from children import until
from hypothesis import given, settings
from hypothesis import strategies as st

import hapsis as hs
from hapsis.errors import DeviceError, ModelError, Notice
from hapsis.touch.haptics import midi
from hapsis.touch.haptics.midi.midi_file import file_bytes
from hapsis.touch.haptics.midi.strokes import Strokes, in_order
from hapsis.touch.realtime.loop import Loop

RATE = 1000.0
KEY = midi.Key(60, touch="force", speed="speed", held="key", lifted=1e-3)


# --- loudness ---


@settings(max_examples=60, deadline=None)
@given(st.floats(1e-3, 10.0), st.floats(1.01, 1e3), st.lists(st.floats(0.0, 1e4), min_size=2, max_size=30))
def test_louder_is_never_less(softest, ratio, speeds):
    loudness = midi.Loudness(softest, softest * ratio)
    speeds = np.sort(speeds)
    steps = loudness.velocity(speeds)
    assert (np.diff(steps) >= 0).all() and steps.min() >= 1 and steps.max() <= 127
    assert np.array_equal(loudness.velocity(-speeds), steps)
    assert loudness.velocity(softest) == 1 and loudness.velocity(softest * ratio) == 127
    every = np.arange(1, 128)
    assert np.array_equal(loudness.velocity(loudness.speed(every)), every)


def test_a_doubling_is_25_steps():
    loudness = midi.Loudness()
    assert [loudness.velocity(v) for v in (0.1, 0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 99.0)] == [
        1, 1, 26, 51, 77, 102, 127, 127,
    ]  # fmt: skip
    assert loudness.speed(127) == pytest.approx(8.0)


# --- strokes ---


def played(strokes, seconds=3.0):
    """A record of strokes (time, speed, length held): hammer at the string for 2 ms, key held."""
    t = np.arange(round(seconds * RATE)) / RATE
    force, speed, key = np.zeros(len(t)), np.zeros(len(t)), np.zeros(len(t))
    for begin, v, length in strokes:
        k = round(begin * RATE)
        force[k : k + 2], speed[k - 5 : k], speed[k : k + 2] = 30.0, v, -0.5 * v
        key[max(0, k - 20) : k + round(length * RATE)] = 9e-3
    return {"t": t, "force": force, "speed": speed, "key": key}


def test_a_stroke_is_a_note():
    found = midi.notes(played([(0.5, 2.0, 0.3), (1.5, 0.5, 0.2)]), KEY)
    assert found == [
        midi.Note(0.5, 60, 77, True),
        midi.Note(0.8, 60, 64, False),
        midi.Note(1.5, 60, 26, True),
        midi.Note(1.7, 60, 64, False),
    ]


def test_bounces_repetitions_and_the_end_of_the_record():
    strokes = [(0.5, 2.0, 9.0), (0.51, 1.0, 9.0), (0.6, 1.0, 9.0)]
    found = midi.notes(played(strokes), KEY)  # a bounce, then again without letting the key go
    assert [(n.time, n.on) for n in found] == [(0.5, True), (0.6, False), (0.6, True), (2.999, False)]
    early = played([(0.5, 2.0, 0.3)])
    early["force"][:3] = 1.0  # it touches from the beginning: nobody has seen a stroke
    assert len(midi.notes(early, KEY)) == 2
    early["speed"][499] = np.nan
    assert midi.notes(early, KEY) == []
    let_go = played([(0.5, 2.0, 0.0)])
    let_go["key"][:] = 0.0  # thrown with a key that is not held: damped at once
    assert [n.time for n in midi.notes(let_go, KEY)] == [0.5, 0.501]


@settings(max_examples=200, deadline=None)
@given(st.integers(0, 10**6), st.lists(st.integers(0, 400), max_size=30))
def test_pieces_of_any_size_give_the_same_notes(seed, cuts):
    """And ends follow beginnings, one after the other."""
    random, n = np.random.default_rng(seed), 400
    rows = {"t": np.arange(n) / RATE}
    for name, every in (("force", 0.05), ("key", 0.02)):
        rows[name] = np.where(np.cumsum(random.random(n) < every) % 2, 1.0, 0.0)
    rows["speed"] = np.where(random.random(n) < 0.1, np.nan, random.normal(size=n))
    key = midi.Key(0, "force", "speed", "key", again=random.choice([0.0, 0.02]))
    whole = midi.notes(rows, key)
    strokes, found = Strokes(key), []
    for part in np.split(np.arange(n), sorted(cuts)):
        found += strokes.take(*(rows[name][part] for name in ("t", *key.signals)))
    found += strokes.silence(rows["t"][-1])
    assert in_order(found) == whole
    assert [note.on for note in whole] == [True, False] * (len(whole) // 2)


# --- files ---


def read(data):
    """A reader of files that shares nothing with the writer: [(seconds, bytes)]."""
    assert data[:4] == b"MThd"
    size, form, tracks, ticks = struct.unpack(">IHHH", data[4:14])
    assert (size, form, tracks) == (6, 0, 1) and data[14:18] == b"MTrk"
    (length,) = struct.unpack(">I", data[18:22])
    assert len(data) == 22 + length
    place, now, quarter, found = 22, 0.0, 500_000, []
    while True:
        delta = 0
        while True:
            byte = data[place]
            place, delta = place + 1, delta * 128 + byte % 128
            if byte < 128:
                break
        now += delta * quarter * 1e-6 / ticks
        if data[place] == 0xFF:
            kind, size = data[place + 1], data[place + 2]
            body = data[place + 3 : place + 3 + size]
            place += 3 + size
            if kind == 0x51:
                quarter = int.from_bytes(body, "big")
            if kind == 0x2F:
                assert place == len(data)
                return found
        else:
            found.append((now, data[place : place + 3]))
            place += 3


NOTES = st.lists(
    st.builds(
        midi.Note,
        st.floats(0.0, 400.0),
        st.integers(0, 127),
        st.integers(1, 127),
        st.booleans(),
        st.integers(0, 15),
    ),
    max_size=40,
)


@settings(max_examples=80, deadline=None)
@given(NOTES, st.integers(1, 0x7FFF), st.floats(10.0, 1000.0))
def test_a_file_holds_every_note_at_its_tick(notes, ticks, tempo):
    found = read(file_bytes(notes, ticks, tempo))
    tick = 60.0 / tempo / ticks
    assert [data for _, data in found] == [note.data for note in in_order(notes)]
    times = sorted(note.time for note in notes)
    # half a tick, and what the microseconds of a quarter are rounded by
    bound = 0.51 * tick + 1e-6 * np.array(times) * tempo + 1e-9
    assert (np.abs(np.array([t for t, _ in found]) - times) <= bound).all()


def test_the_bytes_of_a_small_file(tmp_path):
    notes = [midi.Note(0.0, 60, 100), midi.Note(0.5, 60, 64, False)]
    path = midi.write(tmp_path / "new" / "a.mid", notes, ticks=480, tempo=120.0)
    assert path.read_bytes() == bytes.fromhex(
        "4d546864 00000006 0000 0001 01e0 4d54726b 00000014 00ff510307a120 00903c64 8360803c40 00ff2f00"
    )


@pytest.mark.peers
def test_mido_reads_our_files(tmp_path):
    mido = pytest.importorskip("mido")
    random = np.random.default_rng(1)
    notes = [
        midi.Note(float(t), int(random.integers(128)), int(random.integers(1, 128)), bool(k % 2 == 0), k % 16)
        for k, t in enumerate(np.sort(random.uniform(0, 100, 200)))
    ]
    path = midi.write(tmp_path / "x.mid", notes)
    now, found = 0.0, []
    for message in mido.MidiFile(path):
        now += message.time
        if not message.is_meta:
            found.append((now, bytes(message.bytes())))
    assert [data for _, data in found] == [note.data for note in notes]
    assert np.array([t for t, _ in found]) == pytest.approx([note.time for note in notes], abs=1e-3)


# --- a loop ---


def hammer_step():
    """A key that throws a hammer to a string: a slider on a spring, driven, and a contact."""
    model = hs.Model(
        hs.Body("key", mass=0.1, inertia=(1e-5, 1e-5, 1e-5)),
        hs.Prismatic("dip", hs.WORLD, "key", axis="z", damping=1.0),
        hs.Drive("finger", "dip", position="input", tracking=300.0),
        hs.Body("hammer", mass=0.01, inertia=(1e-6, 1e-6, 1e-6)),
        hs.Prismatic("lift", hs.WORLD, "hammer", axis="z"),
        hs.JointForce("string", "lift", lambda position, speed: -2e4 * hs.maximum(position - 0.02, 0.0)),
        hs.JointForce(
            "knuckle",
            "lift",
            lambda position, speed, s: 2e3 * hs.maximum(4.0 * s["dip"] - position, 0.0) - 8 * speed,
        ),
        hs.JointForce("weight", "lift", lambda position, speed: -0.5),
        gravity=(0, 0, 0),
    )
    return hs.stepper(
        model, 1 / RATE, inputs=["finger.position"],
        outputs=["finger.force", "lift", "lift.v", "dip"], substeps=4,
    )  # fmt: skip


class Heard:
    """A port that keeps what it gets, and the threads that it came from."""

    def __init__(self, breaks=10**9):
        self.data, self.threads, self.breaks = [], set(), breaks

    def send(self, data):
        if len(self.data) >= self.breaks:
            raise OSError("unplugged")
        self.data.append(data)
        self.threads.add(threading.current_thread().name)


HAMMER = midi.Key(64, touch="lift", touching=0.02, speed="lift.v", held="dip", lifted=2e-3)


def looped():
    hand = hs.haptics.SimulatedHand(speed=0.3, travel=9e-3, hold=0.1, wait=0.2, times=3)
    return Loop(hammer_step(), RATE, paced=False).connect(hand)


def test_a_loop_is_played_from_another_thread():
    loop, port = looped(), Heard()
    with midi.Player(loop, HAMMER, port) as player:
        loop.run(1.5)
        until(lambda: len(player.notes) >= 6)
    assert player.notes == midi.notes(loop.report(), HAMMER)
    assert [note.on for note in player.notes] == [True, False] * 3
    assert port.data == [note.data for note in player.notes] and player.lost == 0
    assert port.threads == {"hapsis player"} and player.failed is None
    # the speed of the report in the row before, by hand
    report = loop.report()
    row = np.flatnonzero(report["lift"] > 0.02)[0]
    assert player.notes[0].time == report["t"][row]
    assert player.notes[0].velocity == midi.Loudness().velocity(report["lift.v"][row - 1]) > 1


def test_what_sounds_is_ended_and_a_port_that_fails_is_told():
    loop, port = looped(), Heard()
    with midi.Player(loop, [HAMMER], port) as player:
        loop.run(0.29)  # the key is still down
    assert [note.on for note in player.notes] == [True, False]
    assert player.notes[-1].time == loop.report()["t"][-1]
    player.close()
    assert len(port.data) == 2
    loop, port = looped(), Heard(breaks=1)
    with pytest.warns(Notice, match="the MIDI port fails, and nothing more is sent: OSError: unplugged"):
        with midi.Player(loop, HAMMER, port) as player:
            loop.run(1.5)
    assert len(port.data) == 1 and len(player.notes) == 6 and not loop.guard.fault
    assert loop.report().ticks == 1500


def test_a_loop_with_a_player_has_the_bits_of_one_without():
    alone = looped().run(0.5).report()
    loop = looped()
    with midi.Player(loop, HAMMER, Heard()):
        loop.run(0.5)
    for name in ("lift", "hand.x.command"):
        assert alone[name].tobytes() == loop.report()[name].tobytes()


class FakeMido:
    """What we use of mido, with two outputs."""

    opened: ClassVar[list] = []

    class Message:
        from_bytes = staticmethod(lambda data: ("message", data))

    @staticmethod
    def get_output_names():
        return ["synth 128:0", "through 14:0"]

    @classmethod
    def open_output(cls, name, virtual=False):
        if name == "through 14:0":
            raise OSError("busy")
        port = type("Output", (), {"name": name, "virtual": virtual, "sent": [], "closed": False})()
        port.send = port.sent.append
        port.close = lambda: setattr(port, "closed", True)
        cls.opened.append(port)
        return port


def test_ports_of_the_system(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "mido", FakeMido)
    with midi.open_port() as port:
        port.send(midi.Note(0.0, 60, 100).data)
    assert FakeMido.opened[-1].sent == [("message", b"\x90\x3c\x64")] and FakeMido.opened[-1].closed
    assert midi.open_port("keys", virtual=True).name == "keys" and FakeMido.opened[-1].virtual
    with pytest.raises(
        DeviceError, match=r'"synth" \(did you mean "synth 128:0"\?\); expected synth 128:0, through'
    ):
        midi.open_port("synth")
    with pytest.raises(DeviceError, match="cannot be opened: busy"):
        midi.open_port("through 14:0")
    monkeypatch.setattr(FakeMido, "get_output_names", staticmethod(list))
    with pytest.raises(DeviceError, match="no MIDI output; start a synthesiser, or write a file"):
        midi.open_port()


def test_without_the_package_it_says_so(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "mido", None)
    with pytest.raises(DeviceError, match=r"need the package of mido; pip install 'hapsis\[midi\]'"):
        midi.open_port()


@pytest.mark.parametrize(
    "make, told",
    [
        (lambda: midi.Loudness(2.0, 1.0), "expected the softest first"),
        (lambda: midi.Loudness().speed(0), "expected 1 to 127"),
        (lambda: midi.Key(128, "a", "b", "c"), "Key: the note must be a whole number from 0 to 127"),
        (lambda: midi.Key(60, "a", "b", "c", arm=0), "Key: arm is zero"),
        (lambda: midi.Key(60, "a", "b", "c", loudness=3), "expected a Loudness"),
        (lambda: midi.notes({"t": []}, 60), "notes are those of a Key, or of several"),
        (lambda: file_bytes([midi.Note(-1.0, 60, 100)]), "a file cannot hold"),
        (lambda: file_bytes([midi.Note(0.0, 60, 0)]), "a velocity from 1 to 127"),
        (lambda: file_bytes([midi.Note(float("nan"), 60, 1)]), "a time from 0"),
        (lambda: file_bytes([midi.Note(1e9, 60, 1)]), "take fewer ticks"),
        (lambda: file_bytes([midi.Note(0.0, "C", 1)]), "a file cannot hold"),
        (lambda: file_bytes([midi.Note(0.0, 60.5, 1)]), "a file cannot hold"),
        (lambda: file_bytes([midi.Note(None, 60, 1)]), "a file cannot hold"),
        (lambda: midi.write(None, []), "the path of a file must be a text"),
        (lambda: midi.write("/", []), "cannot be written"),
        (lambda: midi.Loudness().velocity([1.0, float("nan")]), "a speed is missing"),
        (lambda: midi.notes({"t": [0.0, 1.0]}, KEY), 'the record has no signal "force"'),
        (lambda: midi.notes({"t": [0.0, float("nan")]}, KEY), "the times of a record of strokes must grow"),
        (lambda: midi.notes({"t": [0.0, 1.0], "force": [1.0]}, KEY), "expected 2 numbers"),
        (lambda: file_bytes([b"abc"]), "notes of hs.haptics.midi, not bytes"),
        (lambda: file_bytes([], 0), "from 1 to 32767"),
        (lambda: file_bytes([], 1, 0.001), "a quarter has 60000000000 µs"),
        (lambda: midi.Player(Loop(hammer_step(), RATE), HAMMER, Heard()), "connect one first"),
        (lambda: midi.Player(looped(), HAMMER, 3), "int has no send: it is no port"),
        (lambda: midi.Player(looped(), KEY, Heard()), 'the loop has no column "force"'),
    ],
)
def test_what_is_refused(make, told):
    with pytest.raises((ModelError, DeviceError)) as error:
        make()
    assert told in str(error.value)
