"""MCAP files: what is written is read back bit for bit, by us and by others."""

import json
import struct
import zlib

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from recorded import COLUMNS, recorded, some_rows

import hapsis.touch.recording.mcap_writer as writing
from hapsis.errors import DeviceError
from hapsis.touch.recording import mcap_records as records
from hapsis.touch.recording import row_messages
from hapsis.touch.recording.mcap_reader import Reader
from hapsis.touch.recording.mcap_writer import Writer
from hapsis.touch.recording.recording import Recording

messages = st.lists(
    st.tuples(st.integers(0, 2), st.integers(0, 2**63), st.binary(max_size=40), st.booleans()), max_size=40
)


@given(messages)
@settings(max_examples=60)
def test_every_message_comes_back(tmp_path_factory, told):
    path = tmp_path_factory.mktemp("m") / "x.mcap"
    with Writer(path) as file:
        numbers = [file.channel(f"/c{k}", 0, "raw", {"k": str(k)}) for k in range(3)]
        for channel, time, data, flush in told:
            file.message(numbers[channel], time, data)
            if flush:
                file.flush()
    with Reader(path) as found:
        assert found.index.complete and not found.index.lost
        back = [
            (batch.channel, int(t), bytes(data))
            for batch in found.batches()
            for t, data in zip(batch.times, batch.data, strict=True)
        ]
    assert back == [(numbers[c], t, data) for c, t, data, _ in told]


def test_the_index_rebuilt_is_the_index_written(tmp_path):
    path = recorded(tmp_path / "x.mcap", some_rows(300), facts={"run": {"a": "b"}, "more": {}})
    data = path.read_bytes()
    cut = tmp_path / "cut.mcap"
    cut.write_bytes(data[: data.index(struct.pack("<BQ", records.DATA_END, 4))])
    with Reader(path) as whole, Reader(cut) as walked:
        assert whole.index.complete and not walked.index.complete and len(walked.index.lost) == 1
        for name in ("schemas", "channels", "metadata", "chunks"):
            assert getattr(whole.index, name) == getattr(walked.index, name), name


def test_a_chunk_that_gets_large_is_written_at_once(tmp_path, monkeypatch):
    monkeypatch.setattr(writing, "LARGEST_CHUNK", 1000)
    with Writer(tmp_path / "x.mcap") as file:
        number = file.channel("/c", 0, "raw")
        for k in range(20):
            file.message(number, k, bytes(100))
    with Reader(tmp_path / "x.mcap") as found:
        assert len(found.index.chunks) == 3
        assert sum(len(batch.times) for batch in found.batches()) == 20


def test_rows_come_back_bit_for_bit(tmp_path):
    rows = some_rows(500)
    rows[3, 1:] = (np.nan, -0.0)
    rows[4, 1:] = (np.inf, 5e-324)
    path = recorded(tmp_path / "x.mcap", rows)
    with Recording(path) as found:
        assert found.names == ("loop",) and "loop" in found and "/loop" in found
        back = found["loop"]
        assert back.names == COLUMNS[1:] and back.units["key.force"] == "N"
        together = np.stack([back.t, *(back[n] for n in back.names)], axis=1)
        assert together.tobytes() == rows.tobytes()
        part = found.rows("loop", 0.1, 0.2)
        assert 0.09 < part.t[0] < 0.11 and 0.19 < part.t[-1] < 0.21


def test_names_that_ros_does_not_allow():
    names = ["key.position", "key position", "Key_Position", "é", "3", "stamp", "x\ny", ""]
    fields = row_messages.field_names(names)
    assert len(set(fields)) == len(names) and all(f.isidentifier() for f in fields)
    assert fields[:3] == ["key_position", "key_position_2", "key_position_3"]
    text = row_messages.definition(names, {"key.position": "m"}).decode()
    assert "float64 key_position  # key.position, m\n" in text
    assert text.count("float64") == len(names)


def test_hostile_names_come_back(tmp_path):
    names = ("t", "key.position", "key position", 'a"b', "é\u202e", "float64 x", "x\ny")
    rows = some_rows(8, len(names))
    path = recorded(tmp_path / "x.mcap", rows, names)
    with Recording(path) as found:
        assert found["loop"].names == names[1:]
        assert found["loop"]["x\ny"].tobytes() == rows[:, -1].tobytes()


def test_checksums_are_those_of_the_specification(tmp_path):
    path = recorded(tmp_path / "x.mcap", some_rows(10))
    data = path.read_bytes()
    end = data.rindex(struct.pack("<BQ", records.DATA_END, 4))
    assert struct.unpack_from("<I", data, end + 9)[0] == zlib.crc32(data[:end])
    start = struct.unpack_from("<Q", data, len(data) - 28)[0]
    assert struct.unpack_from("<I", data, len(data) - 12)[0] == zlib.crc32(data[start:-12])


def test_json_messages_become_columns(tmp_path):
    with Writer(tmp_path / "x.mcap") as file:
        number = file.channel("/force", 0, "json")
        for k in range(3):
            told = {"f": k, "at": {"x": 1.5, "name": "a"}, "list": [k, True], "none": None}
            file.message(number, 10**9 * k, json.dumps(told | ({"late": 1} if k else {})).encode())
    with Recording(tmp_path / "x.mcap") as found:
        rows = found["force"]
    assert rows.t.tolist() == [0.0, 1.0, 2.0]
    assert rows.names == ("f", "at.x", "list.0", "late")
    assert rows["f"].tolist() == [0.0, 1.0, 2.0] and np.isnan(rows["late"][0])


def test_a_stream_that_is_not_there(tmp_path):
    path = recorded(tmp_path / "x.mcap", some_rows(10))
    with Recording(path) as found, pytest.raises(DeviceError) as caught:
        found["lop"]
    assert 'there is no stream "lop" (did you mean "loop"?)' in str(caught.value)


def test_messages_in_no_known_encoding(tmp_path):
    with Writer(tmp_path / "x.mcap") as file:
        file.message(file.channel("/p", 0, "protobuf"), 0, b"abc")
    with Recording(tmp_path / "x.mcap") as found, pytest.raises(DeviceError) as caught:
        found["p"]
    assert '"protobuf", which is not read here' in str(caught.value)


def test_a_place_that_cannot_be_written(tmp_path):
    with pytest.raises(DeviceError, match="cannot be written"):
        Writer(tmp_path / "nowhere" / "x.mcap")


def test_too_many_channels(tmp_path, monkeypatch):
    monkeypatch.setattr(writing, "MOST_NUMBERS", 2)
    with Writer(tmp_path / "x.mcap") as file:
        file.channel("/a", 0, "raw")
        file.channel("/b", 0, "raw")
        with pytest.raises(DeviceError, match="at most 2 schemas and channels"):
            file.channel("/c", 0, "raw")
