"""Vendors' devices: against stand-ins for their libraries."""

import ctypes

import numpy as np
import pytest
from children import until
from stand_in import built, three, whole

from hapsis.errors import DeviceError
from hapsis.touch.haptics.devices.force_dimension import ForceDimension
from hapsis.touch.haptics.devices.open_haptics import OpenHaptics


@pytest.fixture
def dhd(tmp_path):
    path = built(tmp_path, "dhd")
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
        for run in (
            device.write,
            lambda t, c: device.write.function.python(t=t, command=c, **device.write.fixed),
        ):
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
    with pytest.raises(DeviceError, match=r"watchdog of .* cannot be set: no device found"):
        ForceDimension(library=path).open()
    assert whole(library, "opened").value == 0
    whole(library, "no_device").value = 1
    with pytest.raises(DeviceError, match="can be opened: no device found"):
        ForceDimension(library=path).open()
    with pytest.raises(DeviceError, match="library of Force Dimension is not here"):
        ForceDimension(library=str(tmp_path / "none.so"))
    with pytest.raises(DeviceError, match="has no dhdGetPosition"):
        ForceDimension(library=built(tmp_path, "hd"))


def test_open_haptics(tmp_path):
    path = built(tmp_path, "hd")
    library = ctypes.CDLL(path)
    device = OpenHaptics(library=path, device="left", max_force=3.0)
    with device:
        assert whole(library, "enabled").value == 0x4000
        seen = device.sample()
        assert np.allclose(seen["position"], [0.01, -0.02, 0.03])  # from mm
        assert np.allclose(seen["velocity"], [0.1, 0.0, -0.1])
        until(lambda: device.sample()["counter"] > seen["counter"])

        def applied():
            device.command(np.array([1.5, -99.0, np.nan]))
            return three(library, "force").tolist() == [1.5, -3.0, 0.0]

        until(applied)
        until(lambda: not three(library, "force").any())  # the loop is silent: the scheduler lets go
        until(lambda: whole(library, "frames").value > 20)
        device.command(1.0)
    assert three(library, "force").tolist() == [0.0] * 3
    assert whole(library, "wrong").value == 0
    assert whole(library, "closed").value == 7


def test_open_haptics_says_why(tmp_path):
    path = built(tmp_path, "hd")
    with pytest.raises(DeviceError, match='"right" cannot be opened by OpenHaptics'):
        OpenHaptics(library=path, device="right").open()
    with pytest.raises(DeviceError, match=r"library of OpenHaptics is not here .*libHD.so"):
        OpenHaptics()
