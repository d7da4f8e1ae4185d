"""MCAP files of ours read by the package `mcap`, and its files read by us."""

import json

import numpy as np
import pytest
from recorded import COLUMNS, recorded, some_rows

from hapsis.touch.recording.recorder import Recorder
from hapsis.touch.recording.recording import Recording

pytestmark = pytest.mark.peers

JOINT_STATE = """std_msgs/Header header
string[] name
float64[] position
float64[] velocity
float64[] effort
================================================================================
MSG: std_msgs/Header
builtin_interfaces/Time stamp
string frame_id
================================================================================
MSG: builtin_interfaces/Time
int32 sec
uint32 nanosec
"""
WRENCH = """geometry_msgs/Vector3 force
geometry_msgs/Vector3 torque
uint8 flag
float32 gain
int16[3] counts
int32 SIDE=4
================================================================================
MSG: geometry_msgs/Vector3
float64 x
float64 y
float64 z
"""


@pytest.fixture
def mcap():
    return pytest.importorskip("mcap")


@pytest.fixture
def ros2():
    pytest.importorskip("mcap_ros2")
    from mcap_ros2.decoder import DecoderFactory

    return DecoderFactory


def test_theirs_reads_ours(tmp_path, mcap, ros2):
    from mcap.reader import make_reader
    from mcap.stream_reader import StreamReader

    rows = some_rows(200)
    path = recorded(tmp_path / "x.mcap", rows, facts={"run": {"seed": "3"}})
    with path.open("rb") as stream:
        reader = make_reader(stream, validate_crcs=True, decoder_factories=[ros2()])
        summary = reader.get_summary()
        assert summary.statistics.message_count == 200
        assert summary.statistics.chunk_count == len(summary.chunk_indexes) == 4
        assert [c.topic for c in summary.channels.values()] == ["/loop", "/events"]
        assert [m.name for m in reader.iter_metadata()] == ["run", "end"]
        back = [
            (m.decoded_message.t, m.decoded_message.key_position, m.decoded_message.key_force)
            for m in reader.iter_decoded_messages(topics=["/loop"])
        ]
    assert np.array(back).tobytes() == rows.tobytes()
    with path.open("rb") as stream:
        kinds = {type(r).__name__ for r in StreamReader(stream, validate_crcs=True).records}
    assert {"Header", "Schema", "Channel", "Metadata", "DataEnd", "Statistics", "Footer"} <= kinds


def test_theirs_reads_our_events(tmp_path, mcap):
    from mcap.reader import make_reader

    with Recorder(tmp_path / "x.mcap", {}) as recorder:
        recorder.event("parameter", t=1.0, name="felt.stiffness", value=2.0)
    with (tmp_path / "x.mcap").open("rb") as stream:
        ((schema, channel, message),) = make_reader(stream).iter_messages()
    assert (schema.encoding, channel.message_encoding) == ("jsonschema", "json")
    assert json.loads(message.data) == {"t": 1.0, "kind": "parameter", "name": "felt.stiffness", "value": 2.0}


@pytest.mark.parametrize("compression", ["NONE", "LZ4", "ZSTD"])
@pytest.mark.parametrize("chunked", [True, False])
def test_ours_reads_theirs(tmp_path, mcap, ros2, compression, chunked):
    from mcap.writer import CompressionType
    from mcap_ros2.writer import Writer

    path = tmp_path / "x.mcap"
    kind = getattr(CompressionType, compression)
    with path.open("wb") as stream:
        file = Writer(stream, chunk_size=2000, compression=kind)
        if not chunked:
            file._writer._Writer__chunk_builder = None
        joints = file.register_msgdef("sensor_msgs/msg/JointState", JOINT_STATE)
        wrench = file.register_msgdef("x_msgs/msg/W", WRENCH)
        for k in range(100):
            stamp = {"sec": k, "nanosec": 5}
            told = {
                "header": {"stamp": stamp, "frame_id": "é" * (k % 5)},
                "name": ["a", "elbow"],
                "position": [k / 7, -k / 3],
                "velocity": [],
                "effort": [1e300],
            }
            file.write_message("/joints", joints, told, log_time=k * 10**7)
            force = {"x": k / 9, "y": 0.0, "z": -1.0}
            told = {"force": force, "torque": force, "flag": k, "gain": 0.5, "counts": [1, -2, k]}
            file.write_message("/wrench", wrench, told, log_time=k * 10**7)
        file.finish()
    with Recording(path) as found:
        assert found.complete and not found.lost and set(found.names) == {"joints", "wrench"}
        joints, wrench = found["joints"], found["wrench"]
    k = np.arange(100)
    assert (joints["position.elbow"] == -k / 3).all() and (joints["header.stamp.sec"] == k).all()
    assert (joints["effort.0"] == 1e300).all() and "velocity.0" not in joints
    assert (wrench["torque.x"] == k / 9).all() and (wrench["counts.2"] == k).all()
    assert (wrench["gain"] == 0.5).all() and (wrench["flag"] == k).all()
    assert np.allclose(wrench.t, k * 0.01)


def test_both_read_the_same_of_a_stream_of_rows(tmp_path, mcap, ros2):
    from mcap.reader import make_reader

    path = recorded(tmp_path / "x.mcap", some_rows(50))
    with Recording(path) as found, path.open("rb") as stream:
        times = [m.log_time for _, _, m in make_reader(stream).iter_messages()]
        ours = found["loop"].t
    assert np.allclose((np.array(times) - times[0]) * 1e-9, ours, atol=1e-9)
    assert found.names == ("loop",) and len(COLUMNS) == 3
