"""Wheels: against a stand-in for the system's calls, and through a virtual wheel of the kernel."""

import ctypes
import errno
import fcntl
import math
import os
import struct
import threading
import time

import numpy as np
import pytest
from children import until
from stand_in import built, whole

from hapsis.errors import DeviceError
from hapsis.touch.haptics.devices import wheel as wheels
from hapsis.touch.haptics.devices.sdl_wheel import SdlWheel
from hapsis.touch.haptics.devices.wheel import Wheel


@pytest.fixture
def fake(tmp_path, monkeypatch):
    """A wheel whose kernel is a stand-in, and a file that takes its events."""
    library = ctypes.CDLL(built(tmp_path, "evdev"))
    address = ctypes.cast(library.ioctl_, ctypes.c_void_p).value
    monkeypatch.setattr(wheels, "ioctl_address", lambda: address)
    path = tmp_path / "event0"
    path.write_bytes(b"")
    return library, path


def events(path):
    return [x[2:] for x in struct.iter_unpack("<qqHHi", path.read_bytes())]


def test_angles_and_levels(fake):
    library, path = fake
    wheel = Wheel(str(path), turn=2.0, max_torque=4.0)
    with wheel:
        assert events(path) == [(0x15, 0x60, 0xFFFF), (0x15, 0x61, 0)]  # full gain, no centring
        assert whole(library, "length").value == 50
        for value, angle in ((0, -1.0), (65535, 1.0), (49151, 0.5)):
            whole(library, "value").value = value
            seen = wheel.sample()
            assert seen["position"][0] == pytest.approx(angle, abs=5e-5) and seen["status"] == 0
        for torque, level in ((4.0, 32767), (-2.0, -16383), (99.0, 32767), (float("nan"), 0)):
            wheel.command(torque)
            assert whole(library, "level").value == level
        sent = whole(library, "calls").value
        wheel.command(0.0)
        assert whole(library, "calls").value == sent  # the same level is not sent again
        played = len(events(path))
        assert set(events(path)[2:]) == {(0x15, 3, 1)}  # once; more often where the machine is slow

        def again():
            wheel.command(0.0)
            return len(events(path)) > played

        until(again)  # before its 50 ms are over
        assert set(events(path)[2:]) == {(0x15, 3, 1)}
        wheel.command(1.0)
    assert whole(library, "level").value == 0  # closed without a force
    assert wheel.counts["errors"] == 0 and wheel.counts["slowest"] > 0.0


def test_a_reversed_wheel(fake):
    library, path = fake
    with Wheel(str(path), reverse=True, max_torque=2.0) as wheel:
        wheel.command(2.0)
        assert whole(library, "level").value == -32767


def test_an_unplugged_wheel(fake):
    library, path = fake
    with Wheel(str(path)) as wheel:
        before = wheel.sample()["counter"]
        whole(library, "gone").value = 1
        seen = wheel.sample()
        assert seen["status"] == 2 and seen["counter"] == before
        wheel.command(1.0)
        assert wheel.counts["errors"] == 1


def test_the_wheel_as_python(fake):
    """The same kernels, interpreted."""
    library, path = fake
    whole(library, "value").value = 50000
    with Wheel(str(path)) as wheel:
        fast, slow = np.zeros(5), np.zeros(5)
        wheel.read(np.zeros(1), fast)
        wheel.read.function.python(t=np.zeros(1), sample=slow, **wheel.read.fixed)
        assert np.array_equal(fast[:4], slow[:4], equal_nan=True)
        wheel.write.function.python(t=np.zeros(1), command=np.array([-1.0]), **wheel.write.fixed)
        assert whole(library, "level").value == -16383


def test_what_is_no_wheel(fake, tmp_path, monkeypatch):
    library, path = fake
    whole(library, "refuse").value = 1
    with pytest.raises(DeviceError, match="takes no constant force"):
        Wheel(str(path)).open()
    whole(library, "gone").value = 1
    with pytest.raises(DeviceError, match="is no input device with an axis"):
        Wheel(str(path)).open()
    with pytest.raises(DeviceError, match=r'cannot be opened: No such file.*group "input"'):
        Wheel(str(tmp_path / "none")).open()
    monkeypatch.setattr(wheels.glob, "glob", lambda _: [])
    with pytest.raises(DeviceError, match="there is no wheel"):
        Wheel().open()
    with pytest.raises(DeviceError, match="max_torque is 0"):
        Wheel(max_torque=0.0)


# --- SDL 2 ---


def test_a_wheel_by_sdl(tmp_path):
    path = built(tmp_path, "sdl")
    library = ctypes.CDLL(path)
    wheel = SdlWheel(library=path, turn=math.pi, max_torque=4.0)
    with wheel:
        assert whole(library, "length").value == 50 and whole(library, "offset").value == 30
        for value in (-32767, 0, 12345):
            whole(library, "angle").value = value
            assert wheel.sample()["position"][0] == pytest.approx(value / 32767 * math.pi / 2)
        for torque, level in ((4.0, 32767), (-2.0, -16383), (float("nan"), 0)):
            wheel.command(torque)
            assert whole(library, "level").value == level
        assert whole(library, "runs").value == 1
        whole(library, "attached").value = 0
        assert wheel.sample()["status"] == 2
        wheel.command(1.0)
    assert whole(library, "level").value == 0


def test_sdl_says_why(tmp_path):
    path = built(tmp_path, "sdl")
    library = ctypes.CDLL(path)
    with pytest.raises(DeviceError, match="SDL sees 1 joysticks; there is no 4"):
        SdlWheel(4, library=path).open()
    whole(library, "effects").value = 0
    with pytest.raises(DeviceError, match="takes no constant force: the stand-in says no"):
        SdlWheel(library=path).open()
    whole(library, "haptic").value = 0
    with pytest.raises(DeviceError, match="has no force feedback: the stand-in says no"):
        SdlWheel(library=path).open()
    with pytest.raises(DeviceError, match=r"library of SDL 2 is not here.*install SDL 2"):
        SdlWheel(library=str(tmp_path / "none.so"))


# --- the kernel's own ---

SET_KIND, SET_ABS, SET_FF = 0x40045564, 0x40045567, 0x4004556B
SETUP, ABS_SETUP, CREATE, DESTROY = 0x405C5503, 0x401C5504, 0x5501, 0x5502
BEGIN_UPLOAD, END_UPLOAD = 0xC06855C8, 0x406855C9
BEGIN_ERASE, END_ERASE = 0xC00C55CA, 0x400C55CB


class VirtualWheel(threading.Thread):
    """A wheel made by uinput: it answers uploads and remembers levels."""

    def __init__(self):
        super().__init__(daemon=True)
        self.file = os.open("/dev/uinput", os.O_RDWR | os.O_NONBLOCK)
        for kind in (0x03, 0x15):
            fcntl.ioctl(self.file, SET_KIND, kind)
        fcntl.ioctl(self.file, SET_ABS, 0)
        for code in (0x52, 0x60, 0x61):
            fcntl.ioctl(self.file, SET_FF, code)
        fcntl.ioctl(self.file, ABS_SETUP, struct.pack("<Hxx6i", 0, 0, 0, 65535, 0, 0, 0))
        fcntl.ioctl(self.file, SETUP, struct.pack("<4H80sI", 3, 1, 2, 1, b"hapsis wheel", 16))
        fcntl.ioctl(self.file, CREATE)
        self.levels, self.played, self.stop = [], [], False

    def turn(self, value):
        for kind, code, number in ((0x03, 0, value), (0, 0, 0)):
            os.write(self.file, struct.pack("<qqHHi", 0, 0, kind, code, number))

    def run(self):
        while not self.stop:
            try:
                data = os.read(self.file, 24)
            except OSError as error:
                assert error.errno == errno.EAGAIN
                time.sleep(1e-4)
                continue
            _, _, kind, code, value = struct.unpack("<qqHHi", data)
            if kind == 0x0101 and code == 1:  # EV_UINPUT, UI_FF_UPLOAD
                request = bytearray(struct.pack("<Ii", value, 0) + bytes(96))
                fcntl.ioctl(self.file, BEGIN_UPLOAD, request)
                self.levels.append(struct.unpack_from("<h", request, 8 + 16)[0])
                fcntl.ioctl(self.file, END_UPLOAD, bytes(request))
            elif kind == 0x0101 and code == 2:  # UI_FF_ERASE
                request = bytearray(struct.pack("<IiI", value, 0, 0))
                fcntl.ioctl(self.file, BEGIN_ERASE, request)
                fcntl.ioctl(self.file, END_ERASE, bytes(request))
            elif kind == 0x15:
                self.played.append((code, value))


@pytest.mark.skipif(not os.access("/dev/uinput", os.W_OK), reason="the kernel offers no /dev/uinput")
def test_a_virtual_wheel_of_the_kernel():
    far = VirtualWheel()
    far.start()
    try:
        end = time.monotonic() + 10.0
        while True:
            try:
                path = wheels.find_wheel()
                break
            except DeviceError:
                assert time.monotonic() < end
                time.sleep(0.1)
        with Wheel(path, turn=2.0, max_torque=1.0) as wheel:
            for value in (0, 65535, 49151):
                far.turn(value)
                time.sleep(0.05)
                assert wheel.sample()["position"][0] == pytest.approx(value / 32767.5 - 1, abs=1e-4)
            wanted = []
            for k in range(200):
                wheel.command(math.sin(0.05 * k))
                wanted.append(int(math.sin(0.05 * k) * 32767))
                time.sleep(0.001)
            assert wheel.counts["errors"] == 0 and wheel.sample()["status"] == 0
        time.sleep(0.1)
        seen = [x for k, x in enumerate(far.levels) if k == 0 or x != far.levels[k - 1]]
        assert seen == [*wanted, 0] and len(far.played) > 3
    finally:
        far.stop = True
        far.join()
        fcntl.ioctl(far.file, DESTROY)
        os.close(far.file)
