"""Runs done again from their recordings: bit for bit, or the first difference named."""

import json
import warnings

import numpy as np
import pytest
from hand import Hand
from recorded import pushed, recorded
from recorded_loops import RATE, key_and_hammer, key_step, stepped_rows

import hapsis as hs
from hapsis.errors import DeviceError, ModelError, Notice
from hapsis.touch.realtime.loop import Loop
from hapsis.touch.realtime.packed_step import pack_step
from hapsis.touch.realtime.ring import Ring
from hapsis.touch.recording.record import record, run_facts
from hapsis.touch.recording.recorder import Recorder, Stream
from hapsis.touch.recording.recording import Recording
from hapsis.touch.recording.replay import replay


@pytest.fixture(scope="module")
def step():
    return key_step()


@pytest.fixture
def made(tmp_path, step):
    """A recording of 400 ticks, made without a loop."""
    rows, columns, facts = stepped_rows(pack_step(step), 400)
    return rows, columns, facts, recorded(tmp_path / "x.mcap", rows, columns, facts=facts)


def loop_run(step, path, seconds=0.5, **settings):
    loop = Loop(step, RATE, paced=False, **settings).connect(Hand(0.0, 1.2, -2.4))
    with record(loop, path, seed=3, settings={"who": "me", "n": 2}) as recorder:
        loop.run(seconds=seconds)
    return loop, recorder


def test_a_loop_is_replayed_bit_for_bit(tmp_path, step):
    _, recorder = loop_run(step, tmp_path / "x.mcap")
    assert recorder.rows == {"loop": 500} and recorder.lost == {"loop": 0}
    done = replay(tmp_path / "x.mcap", step)
    assert done.same and done.rows == 500
    assert str(done) == "500 rows replayed, the same bit for bit"
    with Recording(tmp_path / "x.mcap") as found:
        assert found.facts["run"]["seed"] == "3" and found.facts["settings"]["n"] == "2"
        assert np.ptp(found["loop"]["hand.effort"]) > 0.1
        assert done.result["H"].tobytes() == found["loop"]["H"].tobytes()


def test_a_loop_that_goes_on_is_recorded_from_where_it_is(tmp_path, step):
    loop, _ = loop_run(step, tmp_path / "first.mcap")
    with record(loop, tmp_path / "second.mcap"):
        loop.run(seconds=0.2)
    done = replay(tmp_path / "second.mcap", step)
    assert done.same and done.rows == 200


def test_begun_in_the_middle_it_cannot_be_replayed(tmp_path, step):
    loop = Loop(step, RATE).connect(Hand(0.0, 1.2, -2.4)).start()
    with record(loop, tmp_path / "x.mcap"):
        loop.wait(20)
    loop.stop()
    with pytest.raises(ModelError, match="begin to record before the loop starts"):
        replay(tmp_path / "x.mcap", step)


def test_a_loop_without_a_device_has_nothing_to_record(tmp_path, step):
    with pytest.raises(DeviceError, match="connect one first"):
        record(Loop(step, RATE), tmp_path / "x.mcap")


def test_rows_made_by_hand_are_replayed_bit_for_bit(made, step):
    done = replay(made[3], step)
    assert done.same and done.rows == 400


def test_the_first_difference_is_named(tmp_path, made, step):
    rows, columns, facts, _ = made
    bits = rows.copy()
    bits[123, columns.index("H")] = np.nextafter(bits[123, columns.index("H")], 1.0)
    bits[200, columns.index("hand.effort")] += 1.0
    path = recorded(tmp_path / "y.mcap", bits, columns, facts=facts)
    done = replay(path, step)
    assert not done.same and done.difference is not None
    assert done.difference[:3] == (123, 0.123, "H")
    assert 'the first difference is "H" in row 123 at t = 0.123 s' in str(done)


def test_another_input_makes_a_difference(tmp_path, made, step):
    rows, columns, facts, _ = made
    bits = rows.copy()
    bits[50, columns.index("hand.position")] += 1e-13
    done = replay(recorded(tmp_path / "y.mcap", bits, columns, facts=facts), step)
    assert done.difference is not None and done.difference[0] >= 50


def test_another_step_or_other_parameters_are_refused(made, step):
    path = made[3]
    with pytest.raises(ModelError, match=r'made with "key\.\S+" = \S+, and the step has'):
        replay(path, key_step(mass=0.5))
    other = hs.stepper(key_and_hammer(), dt=1 / RATE, inputs=["K"], outputs=["H"])
    with pytest.raises(ModelError, match="made with another step: their hashes differ"):
        replay(path, other)


def test_live_parameters_are_taken_from_the_rows(tmp_path, step):
    packed = pack_step(step, ("felt.stiffness",))
    rows, columns, facts = stepped_rows(packed, 300, live=lambda k: np.array([2.0 + 0.001 * k]))
    path = recorded(tmp_path / "x.mcap", rows, columns, facts=facts)
    assert replay(path, step).same
    bare = [k for k, name in enumerate(columns) if name != "felt.stiffness"]
    names = tuple(columns[k] for k in bare)
    path = recorded(tmp_path / "y.mcap", rows[:, bare], names, facts=facts)
    with pytest.raises(ModelError, match=r'no column "felt\.stiffness", which the step takes'):
        replay(path, step)


def test_a_killed_recording_is_replayed_as_far_as_it_goes(tmp_path, made, step):
    data = made[3].read_bytes()
    path = tmp_path / "y.mcap"
    path.write_bytes(data[: len(data) // 2])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", Notice)
        done = replay(path, step)
    assert done.same and 100 < done.rows < 400 and "was not closed" in str(done)


def test_rows_after_a_loss_are_left_out(tmp_path, made, step):
    rows, columns, facts, _ = made
    ring = Ring(64, len(columns))
    recorder = Recorder(tmp_path / "y.mcap", {"loop": Stream(ring, columns)}, facts)
    for part in (rows[:60], rows[60:300], rows[300:]):
        pushed(ring, part)
        recorder.flush()
    recorder.close()
    done = replay(tmp_path / "y.mcap", step)
    assert done.same and done.rows == 60 and "rows were lost after row 60" in str(done)


def test_rows_after_a_damaged_chunk_are_left_out(tmp_path, made, step):
    """Its checksum gives it away, and the numbers of the messages tell where rows are missing."""
    rows, _, _, path = made
    data = bytearray(path.read_bytes())
    at = data.index(rows[250, 2].tobytes())  # in the third of four chunks
    data[at] ^= 1
    (tmp_path / "y.mcap").write_bytes(data)
    done = replay(tmp_path / "y.mcap", step)
    assert done.same and done.rows == 200
    assert "its checksum is wrong" in str(done) and "rows were lost after row 200" in str(done)


def test_states_that_are_not_finite_are_not_taken_over(tmp_path, step):
    """As in the loop: an input of NaN makes no state, the next one goes on from before."""
    packed = pack_step(step)
    run, y, rows = hs.compile(packed.function), np.array(packed.start), []
    for k in range(50):
        u = np.array([np.nan if k == 20 else 0.1])
        y_new, out = run(y, u, packed.live_values)
        rows.append([k / RATE, u[0], *out])
        y = y_new if np.isfinite(y_new).all() else y
    columns = ("t", *packed.inputs, *packed.outputs)
    facts = {"run": run_facts(packed, RATE)}
    done = replay(recorded(tmp_path / "x.mcap", np.array(rows), columns, facts=facts), step)
    assert done.same and np.isnan(rows[20][2]) and np.isfinite(rows[21]).all()


@pytest.mark.parametrize("fact", ["start", "parameters", "live"])
@pytest.mark.parametrize("text", ["", "[", "[1]", "{}", '["x"]', '{"a": 1}', "null", "[[]]"])
def test_damaged_facts_are_one_line(tmp_path, made, step, fact, text):
    rows, columns, facts, _ = made
    if fact != "start" and text == "{}":
        return
    spoilt = {"run": {**facts["run"], fact: text}}
    path = recorded(tmp_path / "y.mcap", rows, columns, facts=spoilt)
    with pytest.raises(ModelError) as caught:
        replay(path, step)
    assert "\n" not in str(caught.value)


def test_a_recording_of_others_is_no_run(tmp_path, made, step):
    rows, columns, _, _ = made
    path = recorded(tmp_path / "y.mcap", rows, columns)
    with pytest.raises(ModelError, match="does not say how the run was made"):
        replay(path, step)
    assert json.loads(made[2]["run"]["parameters"])["key.mass"] == (0.4).hex()


def test_a_run_that_goes_on_with_live_parameters_is_replayed(tmp_path):
    """After an odd number of ticks, and while a parameter moves."""
    model = hs.Model(
        hs.Rod("crank", length=0.1, mass=0.2),
        hs.Revolute("A", hs.WORLD, "crank", axis="y", damping=0.01),
        hs.JointSpring("return", "A", stiffness=0.8),
        hs.Drive("knob", "A", position="input", tracking=200.0),
    )
    step = hs.stepper(model, 1e-3, inputs=["knob.position"], outputs=["knob.force", "A"])
    hand = hs.haptics.SimulatedHand(speed=0.5, travel=0.6, unit="rad")
    loop = hs.realtime.Loop(step, 1000, paced=False, live=["return.stiffness"]).connect(hand)
    loop.run(0.033)
    with hs.recording.record(loop, tmp_path / "run.mcap"):
        loop.run(0.1)
        loop.set("return.stiffness", 2.0, over=0.05)
        loop.run(0.1)
    done = hs.recording.replay(tmp_path / "run.mcap", step)
    assert done.same and done.rows == 200, done.difference
