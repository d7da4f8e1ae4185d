"""The serial frame: through a pseudo-terminal, with the firmware of the documentation behind it."""

import contextlib
import os
import pty
import random
import re
import struct
import subprocess
import sys
import threading
import time
import tty
from pathlib import Path

import numpy as np
import pytest
from children import PATIENCE, until
from hypothesis import given
from hypothesis import strategies as st
from stand_in import FOLDER, compiler

from hapsis.errors import DeviceError
from hapsis.touch.haptics.devices import link_state, wire
from hapsis.touch.haptics.devices import serial_device as serial
from hapsis.touch.haptics.devices.serial_device import SerialDevice
from hapsis.touch.recording.recording import Recording

ROOT = Path(__file__).resolve().parents[3]


def memory(data):
    """Bytes as native code sees them."""
    found = np.zeros(len(data) // 8 + 2, np.int64)
    found.view(np.uint8)[: len(data)] = np.frombuffer(data, np.uint8)
    return found


steps = st.integers(-(2**31) + 1, 2**31 - 1)


@given(
    st.lists(steps, min_size=1, max_size=16),
    st.integers(0, 2**32 - 1),
    st.booleans(),
    st.integers(0, 255),
    st.none() | st.integers(0, 2**32 - 1),
)
def test_frames_there_and_back(values, counter, fast, status, echo):
    """Our native frame is the one that Python's own struct and binascii make."""
    n = len(values)
    frame = wire.Frame(
        wire.SAMPLE,
        tuple(values),
        tuple(values[::-1]) if fast else (),
        (),
        counter,
        counter ^ 77,
        echo,
        status,
    )
    data = wire.pack(frame)
    assert wire.unpack(data) == frame
    flags = wire.VELOCITIES * fast | wire.ECHO * (echo is not None)
    assert wire.length(n, flags) == len(data)
    assert wire.frame_fault(memory(data), len(data), wire.SAMPLE, n) == wire.GOOD
    made = np.zeros(wire.WORDS, np.int64)
    wire.put_head(made, wire.SAMPLE, n, flags, status, counter, counter ^ 77, echo or 0)
    one = np.ones(n)
    place = wire.put_values(made, n, wire.HEAD, np.array(values, float), one)
    if fast:
        place = wire.put_values(made, n, place, np.array(values[::-1], float), one)
    wire.put_check(made, place + 2)
    assert made.tobytes()[: len(data)] == data


def test_numbers_keep_their_sign_and_their_limits():
    x = np.zeros(2, np.int64)
    for value, back in (
        (-1.0, -1.0),
        (0.4, 0.0),
        (0.6, 1.0),
        (1e30, 2147483647.0),
        (float("nan"), 0.0),
        (-1e30, -2147483647.0),
    ):
        for put, get in (
            (wire.put_scaled, wire.get_scaled),
            (wire.put_scaled.python, wire.get_scaled.python),
        ):
            put(x, 3, value * 0.25, 0.25)
            assert get(x, 3, 0.25) == back * 0.25


def device(path="unused", **more):
    return SerialDevice(path, max_force=5.0, position_scale=1e-3, **more)


class Stream:
    """The parser alone: bytes in, positions out; native, or as Python."""

    def __init__(self):
        self.link = link_state.new_link(1.0, [[1.0]] * 3, [[1.0]], [1.0])

    def feed(self, data, run=serial.take_byte):
        seen = []
        for b in data:
            before = self.link.good
            run(b, self.link)
            if self.link.good != before:
                seen.append(self.link.latest[0])
        return seen


def frame(counter, position, **more):
    return wire.pack(wire.Frame(wire.SAMPLE, (position,), counter=counter, **more))


@pytest.mark.parametrize("run", [serial.take_byte, serial.take_byte.python], ids=["native", "python"])
def test_every_good_frame_is_found_among_rubbish(run):
    rng = random.Random(5)
    for _ in range(30 if run is serial.take_byte else 3):
        stream, data = Stream(), b""
        for k in range(10):
            data += frame(k, k)
            # rubbish that looks like beginnings, too
            data += bytes(
                rng.choice([0xA5, 0x5A, 1, 1, 0, rng.randrange(256)]) for _ in range(rng.randrange(60))
            )
        data += frame(11, 10)
        # what follows a false beginning is not lost: flush what is held with zeros
        assert stream.feed(data + bytes(300), run) == list(range(11))
        assert stream.link.skipped > 0


def test_a_broken_frame_costs_itself_only():
    for place in range(len(frame(1, 2))):
        broken = bytearray(frame(1, 111))
        broken[place] ^= 0x10
        stream = Stream()
        seen = stream.feed(frame(0, 1) + bytes(broken) + frame(2, 3) + frame(3, 4) + bytes(300))
        assert seen == [1, 3, 4]
        assert stream.link.lost == 1


@given(st.binary(max_size=400))
def test_no_bytes_do_harm(data):
    fast, slow = Stream(), Stream()
    assert fast.feed(data) == slow.feed(data, serial.take_byte.python)
    assert fast.link.counts() == slow.link.counts() and fast.link.held == slow.link.held
    assert 0 <= fast.link.held <= wire.LONGEST


@pytest.fixture
def line():
    """A pseudo-terminal: the device's end, the path of ours."""
    far, near = pty.openpty()
    tty.setraw(far)
    path = os.ttyname(near)
    yield far, path
    for file in (far, near):
        try:
            os.close(file)
        except OSError:
            pass


@pytest.fixture(autouse=True)
def patient(monkeypatch):
    """The first frame may be late on a busy machine."""
    monkeypatch.setattr(serial, "FIRST", PATIENCE)


@contextlib.contextmanager
def fed(knob, far, data):
    """The device, opened while its other end sends the same frame again and again: `open` throws away
    what came before it."""
    opened = threading.Event()

    def feed():
        while not opened.wait(0.01):
            os.write(far, data)

    feeder = threading.Thread(target=feed)
    feeder.start()
    try:
        knob.open()
    finally:
        opened.set()
        feeder.join()
    with contextlib.closing(knob):
        yield knob


def test_a_line_has_one_device(line):
    """Two objects on one path, in this process or in two: the second is refused, and the first keeps it."""
    far, path = line
    for k in (1, 2):
        with fed(device(path), far, frame(k, 0)) as first:
            with pytest.raises(DeviceError, match="is in use by another device or program"):
                device(path).open()
            first.command(0.0)


def test_read_and_write(line):
    far, path = line
    knob = device(path, measures=("position", "velocity"), timeout=PATIENCE)
    os.set_blocking(far, False)
    with fed(knob, far, frame(1, -1500, velocities=(2_000_000,), time=7)):
        seen = knob.sample()
        assert seen["position"] == [-1.5] and seen["velocity"] == [2.0] and seen["status"] == 0
        counter = seen["counter"]
        assert knob.sample()["counter"] == counter  # nothing new
        os.write(far, b"rubbish" + frame(2, 3000)[:9])
        assert knob.sample()["counter"] == counter
        os.write(far, frame(2, 3000)[9:])
        assert knob.sample()["position"] == [3.0] and knob.counts["skipped bytes"] == 7
        knob.command(-2.0)
        told = wire.unpack(os.read(far, 999))
        assert told.kind == wire.COMMAND and told.values == (-2_000_000,)
        knob.command(99.0)
        assert wire.unpack(os.read(far, 999)).values == (5_000_000,)
        os.write(far, frame(3, 0, status=4))
        assert knob.sample()["status"] == link_state.OWN + 4
    assert wire.unpack(os.read(far, 999)).values == (0,)  # the last word is no force


def test_silence_is_told(line):
    far, path = line
    with fed(device(path), far, frame(1, 0)) as knob:
        until(lambda: knob.sample()["status"] == link_state.SILENT)


def test_unplugged(line):
    far, path = line
    with fed(device(path, timeout=PATIENCE), far, frame(2, 1)) as knob:
        os.close(far)
        seen = [knob.sample()["status"] for _ in range(3)]
        assert seen[-1] == link_state.UNPLUGGED
        knob.command(1.0)  # nothing happens
        assert knob.counts["unsent"] >= 1
        knob.close()  # and once more at the end


def test_errors_name_the_line(tmp_path, line):
    with pytest.raises(DeviceError, match="cannot be opened: No such file"):
        device(str(tmp_path / "none")).open()
    (tmp_path / "file").write_text("")
    with pytest.raises(DeviceError, match="is no serial line"):
        device(str(tmp_path / "file")).open()
    with pytest.raises(DeviceError, match="baud cannot be set; expected 9600"):
        device(line[1], baud=12345).open()
    with pytest.raises(DeviceError, match="a scale of 0"):
        SerialDevice("x", max_force=1.0, command_scale=0.0)
    with pytest.raises(DeviceError, match="1 to 16 axes"):
        SerialDevice("x", max_force=1.0, axes=())


def test_a_silent_line_is_told(line, monkeypatch):
    monkeypatch.setattr(serial, "FIRST", 0.1)
    os.write(line[0], b"hello" * 20)
    with pytest.raises(DeviceError, match=r"no frame came in 0.1 s .* check the device"):
        device(line[1]).open()


@pytest.fixture(scope="module")
def firmware(tmp_path_factory):
    """The program of the documentation, compiled with a knob around it."""
    gcc = compiler()
    folder = tmp_path_factory.mktemp("knob")
    text = (ROOT / "docs" / "devices.md").read_text(encoding="utf-8")
    (source,) = re.findall(r"```c\n(.*?)```", text, flags=re.S)
    main = (FOLDER / "knob.c").read_text(encoding="utf-8")
    (folder / "knob.c").write_text(source + main)
    command = [gcc, "-std=gnu99", "-O1", "-Wall", "-Wextra", "-Werror", str(folder / "knob.c")]
    subprocess.run([*command, "-o", str(folder / "knob")], check=True, capture_output=True)
    return folder / "knob"


@contextlib.contextmanager
def turning(firmware, far, path):
    """The knob at the line; what its motor was told, in each of its ticks, is what is called with."""
    with path.open("w") as file:
        process = subprocess.Popen(
            [str(firmware), str(int(PATIENCE))],
            stdout=file,
            close_fds=False,
            preexec_fn=lambda: os.dup2(far, 3, inheritable=True),
        )
    try:
        yield lambda: [int(row.split()[1]) for row in path.read_text().split("\n")[:-1]]
    finally:
        process.kill()
        process.wait()


def let_go(told):
    """Whether the last hundred ticks had no force, behind some that had."""
    return any(told) and len(told) > 100 and not any(told[-100:])


def test_the_documented_firmware_is_a_device(firmware, line, tmp_path):
    """A spring at the knob: the hand's 0.05 N m turn it to 0.1 rad; then the computer is silent."""
    far, path = line
    with (
        turning(firmware, far, tmp_path / "told") as told,
        SerialDevice(path, max_force=1.0, position_scale=1e-6) as knob,
    ):
        last, sent, places = None, set(), []
        before, since = 0.0, time.monotonic()
        while len(places) < 1000 or min(told()) >= -40_000:
            seen = knob.sample()
            if seen["counter"] != last:
                x, now = seen["position"][0], time.monotonic()
                rate = min(3.0, max(-3.0, (x - before) / max(now - since, 1e-4)))
                before, since, last = x, now, seen["counter"]
                places.append(x)
                steps = round((-0.5 * x - 0.01 * rate) * 1e6)
                sent.add(max(-1_000_000, min(1_000_000, steps)))
                knob.command(steps * 1e-6)
            time.sleep(0.0005)
        counts = knob.counts
        until(lambda: let_go(told()))  # nobody speaks
        forces = told()
    assert counts["bad check"] == 0 and counts["good"] > 100 and knob.round_trip > 0
    pushed = [k for k, value in enumerate(forces) if value != 0]
    assert {forces[k] for k in pushed} <= sent
    if 0 not in forces[pushed[0] : pushed[-1]]:  # it never had to let go before
        assert np.median(places[-100:]) == pytest.approx(0.1, abs=0.04)


@pytest.mark.slow
def test_a_killed_loop_leaves_no_force(firmware, line, tmp_path):
    """Fault 11: nobody is left to ramp; the knob's own watchdog lets go, the record is readable."""
    far, path = line
    program = [sys.executable, str(Path(__file__).parents[1] / "held_knob.py"), path]
    holder = subprocess.Popen(
        [*program, str(tmp_path / "run.mcap")], stdout=subprocess.PIPE, stdin=subprocess.PIPE, text=True
    )
    assert holder.stdout.readline() == "ready\n"
    with turning(firmware, far, tmp_path / "told") as told:
        try:
            print(file=holder.stdin, flush=True)
            assert holder.stdout.readline() == "running\n"
            until(lambda: np.count_nonzero(told()) > 300 and min(told()) < -10_000)  # it is held
        finally:
            holder.kill()
            holder.wait()
        until(lambda: let_go(told()))
    with Recording(tmp_path / "run.mcap") as recording:
        assert not recording.complete and len(recording["loop"].t) > 100


def test_the_firmware_does_not_begin_with_a_large_force(firmware, line, tmp_path):
    far, path = line
    with (
        turning(firmware, far, tmp_path / "told") as told,
        SerialDevice(path, max_force=10.0, position_scale=1e-6) as knob,
    ):
        for _ in range(100):
            knob.sample()
            knob.command(5.0)
            time.sleep(0.001)
        ticks = len(told())
        until(lambda: len(told()) > ticks + 100)
        assert not any(told())


def test_the_sizes_in_the_documentation():
    assert len(frame(1, 2)) == 26 == struct.calcsize("<2s6B3Ii2s") and wire.LONGEST == 214
