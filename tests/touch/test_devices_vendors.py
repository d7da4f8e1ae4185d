"""Vendors' devices: against stand-ins for their libraries."""

import ctypes
import shutil
import subprocess
import time

import numpy as np
import pytest

from hapsis.errors import DeviceError
from hapsis.touch.haptics.devices.force_dimension import ForceDimension
from hapsis.touch.haptics.devices.open_haptics import OpenHaptics

DHD = r"""
#include <stdint.h>
double force[3], place[3] = {0.01, -0.02, 0.03};
int enabled, watchdog, opened, fail, no_device, no_watchdog;
int dhdOpen(void) { opened = 1; return no_device ? -1 : 2; }
int dhdOpenID(char id) { opened = 1; return id; }
int dhdClose(char id) { opened = 0; return id == 2 ? 0 : -1; }
int dhdEnableForce(unsigned char on, char id) { enabled = on; return id == 2 ? 0 : -1; }
int dhdSetWatchdog(unsigned char v, char id) { watchdog = v; return id == 2 && !no_watchdog ? 0 : -1; }
int dhdGetPosition(double *x, double *y, double *z, char id) {
    *x = place[0]; *y = place[1]; *z = place[2];
    return fail || id != 2 ? -1 : 1;           /* 1: the time guard answered */
}
int dhdGetLinearVelocity(double *x, double *y, double *z, char id) {
    *x = 1; *y = 2; *z = 3;
    return fail || id != 2 ? -1 : 0;
}
int dhdSetForce(double x, double y, double z, char id) {
    force[0] = x; force[1] = y; force[2] = z;
    return fail || id != 2 ? -1 : 0;
}
const char *dhdErrorGetLastStr(void) { return "no device found"; }
"""

HD = r"""
#include <pthread.h>
#include <string.h>
#include <unistd.h>
double force[3], place[3] = {10, -20, 30}, speed[3] = {100, 0, -100};
int frames, nested, wrong, enabled, no_device, closed;
static unsigned (*callback)(void *);
static void *data;
static volatile int runs;
static pthread_t thread;
unsigned hdInitDevice(const char *name) { return no_device || (name && strcmp(name, "left")) ? 0xFFFFFFFF : 7; }
void hdDisableDevice(unsigned d) { closed = d; }
void hdEnable(unsigned what) { enabled = what; }
void hdBeginFrame(unsigned d) { nested++; if (d != 7 || nested != 1) wrong++; }
void hdEndFrame(unsigned d) { nested--; frames++; if (d != 7) wrong++; }
void hdGetDoublev(unsigned what, double *x) {
    if (nested != 1) wrong++;
    memcpy(x, what == 0x2050 ? place : what == 0x2051 ? speed : (wrong++, place), sizeof place);
}
void hdSetDoublev(unsigned what, const double *x) {
    if (nested != 1 || what != 0x2700) wrong++;
    memcpy(force, x, sizeof force);
}
unsigned long hdScheduleAsynchronous(unsigned (*f)(void *), void *p, unsigned short priority) {
    callback = f; data = p;
    if (priority != 0xFFFF) wrong++;
    return 0x123456789;
}
static void *work(void *_) {
    while (runs) { if (callback && callback(data) == 0) callback = 0; usleep(1000); }
    return _;
}
void hdStartScheduler(void) { runs = 1; pthread_create(&thread, 0, work, 0); }
void hdStopScheduler(void) { runs = 0; pthread_join(thread, 0); }
void hdUnschedule(unsigned long h) { if (h != 0x123456789) wrong++; }
"""


def built(folder, text):
    gcc = shutil.which("gcc") or shutil.which("cc")
    if gcc is None:
        pytest.skip("no C compiler")
    (folder / "fake.c").write_text(text)
    subprocess.run([gcc, "-shared", "-fPIC", "-O1", "-pthread", "-o", str(folder / "fake.so"),
                    str(folder / "fake.c")], check=True)  # fmt: skip
    return str(folder / "fake.so")


def whole(library, name):
    return ctypes.c_int.in_dll(library, name)


def three(library, name):
    return np.array((ctypes.c_double * 3).in_dll(library, name))


@pytest.fixture
def dhd(tmp_path):
    path = built(tmp_path, DHD)
    return path, ctypes.CDLL(path)


def test_force_dimension(dhd):
    path, library = dhd
    device = ForceDimension(library=path, max_force=10.0)
    with device:
        assert whole(library, "enabled").value == 1
        assert whole(library, "watchdog").value == 200  # 25 ms
        seen = device.sample()
        assert seen["position"].tolist() == [0.01, -0.02, 0.03] and seen["status"] == 0
        assert seen["velocity"].tolist() == [1.0, 2.0, 3.0] and np.isnan(seen["force"]).all()
        assert device.sample()["counter"] == seen["counter"] + 1
        for run in (device.write, lambda t, c: device.write.function.python(
            t=t, command=c, **device.write.fixed
        )):  # fmt: skip
            run(np.zeros(1), np.array([1.0, -99.0, np.nan]))
            assert three(library, "force").tolist() == [1.0, -10.0, 0.0]
        whole(library, "fail").value = 1
        before = device.sample()
        assert before["status"] == 1 and device.sample()["counter"] == before["counter"]
        whole(library, "fail").value = 0
    assert three(library, "force").tolist() == [0.0] * 3
    assert whole(library, "enabled").value == 0 and whole(library, "opened").value == 0
    device.close()


def test_force_dimension_says_why(dhd, tmp_path):
    path, library = dhd
    whole(library, "no_watchdog").value = 1
    with pytest.raises(DeviceError, match="watchdog of .* cannot be set: no device found"):
        ForceDimension(library=path).open()
    assert whole(library, "opened").value == 0
    whole(library, "no_device").value = 1
    with pytest.raises(DeviceError, match="can be opened: no device found"):
        ForceDimension(library=path).open()
    with pytest.raises(DeviceError, match="library of Force Dimension is not here"):
        ForceDimension(library=str(tmp_path / "none.so"))
    other = tmp_path / "other"
    other.mkdir()
    with pytest.raises(DeviceError, match="has no dhdGetPosition"):
        ForceDimension(library=built(other, "int x;"))


def test_open_haptics(tmp_path):
    path = built(tmp_path, HD)
    library = ctypes.CDLL(path)
    device = OpenHaptics(library=path, device="left", max_force=3.0)
    with device:
        assert whole(library, "enabled").value == 0x4000
        seen = device.sample()
        assert np.allclose(seen["position"], [0.01, -0.02, 0.03])  # from mm
        assert np.allclose(seen["velocity"], [0.1, 0.0, -0.1])
        time.sleep(0.02)
        assert device.sample()["counter"] > seen["counter"]
        applied = []
        for _ in range(30):
            device.command(np.array([1.5, -99.0, np.nan]))
            time.sleep(0.001)
            applied.append(three(library, "force").tolist())
        assert [1.5, -3.0, 0.0] in applied
        time.sleep(0.06)  # the loop is silent: the scheduler lets go
        assert three(library, "force").tolist() == [0.0] * 3
        device.command(1.0)
    assert three(library, "force").tolist() == [0.0] * 3
    assert whole(library, "wrong").value == 0 and whole(library, "frames").value > 20
    assert whole(library, "closed").value == 7


def test_open_haptics_says_why(tmp_path):
    path = built(tmp_path, HD)
    with pytest.raises(DeviceError, match='"right" cannot be opened by OpenHaptics'):
        OpenHaptics(library=path, device="right").open()
    with pytest.raises(DeviceError, match="library of OpenHaptics is not here .*libHD.so"):
        OpenHaptics()
