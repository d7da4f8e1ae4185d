"""Steps with contacts for loops: the same motion as a run, outputs as its columns, and what is refused."""

import numpy as np
import pytest

import hapsis as hs

LAW = {"law": hs.HuntCrossley(1e6, power=1.0, damping=2.0), "friction": 0.5}


def boxes():
    return hs.Model(
        [hs.Body.box(name, (0.1, 0.1, 0.1), mass=1.0) for name in ("low", "top")],
        [hs.Free(name, hs.WORLD, name) for name in ("low", "top")],
        hs.Contact("floor", hs.Surface("low"), hs.WORLD.plane(), **LAW),
        hs.Contact("between", hs.Surface("top"), hs.Surface("low"), **LAW),
        poses={"start": {"low.z": 0.052, "top.z": 0.155, "top.x": 0.01}},
    )


def poked():
    return hs.Model(
        hs.Body.box("b", (0.1, 0.1, 0.1), mass=1.0),
        hs.Free("f", hs.WORLD, "b"),
        hs.Body.sphere("tool", 0.02, mass=0.1),
        hs.Prismatic("x", hs.WORLD.at(-0.08, 0, 0.05), "tool", axis="x"),
        hs.Contact("floor", hs.Surface("b"), hs.WORLD.plane(), **LAW),
        hs.Contact("poke", hs.Surface("tool"), hs.Surface("b"), law=hs.Linear(1e4, 20.0), friction=0.3),
        hs.Drive("hand", "x", position="input"),
        poses={"start": {"f.z": 0.05}},
    )


def test_steps_make_the_motion_of_a_run():
    h = 2e-3
    result = hs.simulate(boxes(), until=0.4, method="contact", step=h, every=h)
    step = hs.stepper(
        boxes(), h, method="contact", outputs=["top.x", "between.force", "energy", "between.slip"]
    )
    end = step()
    for _ in range(199):
        end = step(q=end.q, v=end.v, t=end.t)
    assert abs(end.t - 0.4) < 1e-12 and step.failures == 0
    assert np.allclose(end.q, result.last.q, rtol=0, atol=1e-8)
    assert np.allclose(end.v, result.last.v, rtol=0, atol=1e-7)
    assert abs(end.outputs["top.x"] - result["top.x"][-1]) < 1e-8
    assert abs(end.outputs["between.force"] - result["between.force"][-1]) < 1e-3
    assert abs(end.outputs["energy"] - result["energy"][-1]) < 1e-8


def test_a_hand_leads_a_tool_and_feels_what_it_pushes():
    step = hs.stepper(
        poked(),
        1e-3,
        method="contact",
        inputs=["hand.position"],
        outputs=["hand.effort", "poke.force", "floor.force"],
    )
    end = step()
    for k in range(1500):
        end = step(q=end.q, v=end.v, t=end.t, **{"hand.position": 3e-5 * (k + 1)})
    # it slides evenly: the hand feels friction with the floor
    assert abs(end.q[7] - 0.045) < 1e-12
    assert abs(end.outputs["hand.effort"] - 0.5 * end.outputs["floor.force"]) < 0.05
    assert abs(end.outputs["hand.effort"] - end.outputs["poke.force"]) < 0.02


def test_a_loop_runs_it():
    with hs.haptics.SimulatedHand(speed=0.05, travel=0.05) as hand:
        step = hs.stepper(
            poked(), 1e-3, method="contact", inputs=["hand.position"], outputs=["hand.effort", "poke.force"]
        )
        loop = hs.realtime.Loop(step, rate=1000, paced=False).connect(hand)
        loop.run(seconds=0.5)
    assert loop.report().ticks == 500 and step.failures == 0


def test_forgetting_bristles_makes_a_step_repeatable():
    step = hs.stepper(boxes(), 1e-3, method="contact")
    first = step()
    step.reset()
    assert np.array_equal(step().v, first.v)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"outputs": ["flor.force"]}, '"flor.force"'),
        ({"substeps": 4}, "has no substeps"),
        ({"hold": "linear"}, "has no substeps"),
        ({"limits": "x"}, "limits is"),
    ],
)
def test_what_it_has_not_is_refused(options, words):
    with pytest.raises(hs.Error, match=words):
        hs.stepper(boxes(), 1e-3, method="contact", **options)


def test_inputs_and_exports_are_refused_with_the_reason(tmp_path):
    with pytest.raises(hs.ModelError, match=r'takes "hand.position" from outside'):
        hs.stepper(poked(), 1e-3, method="contact")
    step = hs.stepper(boxes(), 1e-3, method="contact")
    with pytest.raises(hs.ModelError, match="has no input"):
        step(push=1.0)
    with pytest.raises(hs.CompileError, match="iterates and remembers"):
        hs.export(tmp_path / "boxes", step)
    with pytest.raises(hs.SolveError, match="limits act in steps"):
        hs.stepper(boxes(), 1e-3, limits="stops")


@pytest.mark.parametrize("bad", [np.nan, np.inf])
@pytest.mark.parametrize("what", ["q", "v", "t"])
def test_a_bad_sample_is_one_failure_and_no_more(what, bad):
    """What such a step leaves is not the start of the next one."""
    step = hs.stepper(boxes(), 1e-3, method="contact", outputs=["top.z", "residual"])
    good = step()
    state = {"q": good.q, "v": good.v, "t": good.t}
    expected = step(**state)
    step(**state | {what: bad * np.ones_like(state[what])})
    assert step.failures == (what != "t")
    after = step(**state)
    assert np.allclose(after.q, expected.q, rtol=0, atol=1e-7) and after.outputs["residual"] < 1e-8


def test_an_input_that_is_no_number_is_followed_by_good_steps():
    step = hs.stepper(poked(), 1e-3, method="contact", inputs=["hand.position"], outputs=["hand.effort"])
    end = step()
    step(q=end.q, v=end.v, t=end.t, **{"hand.position": np.nan})
    for _ in range(2):
        after = step(q=end.q, v=end.v, t=end.t, **{"hand.position": 0.0})
    assert step.failures == 1 and np.isfinite(after.q).all() and np.isfinite(after.outputs["hand.effort"])


@pytest.mark.parametrize("q", ["abc", "1", [object()] * 14, np.ones(14) + 1j, [[1], [1, 2]], True])
def test_states_that_are_no_numbers_are_refused(q):
    step = hs.stepper(boxes(), 1e-3, method="contact")
    with pytest.raises(hs.Error, match="a state"):
        step(q=q)


@pytest.mark.parametrize(
    ("outputs", "words"),
    [
        (["top.velocity"], '"top.velocity", which is 3 numbers'),
        (["top.x", "low.R"], '"low.R", which is 3x3 numbers'),
        (["floor.push"], r'"floor.push.[xyz]"'),
        (["residul"], '"residual"'),
    ],
)
def test_outputs_that_are_no_number_are_refused_by_name(outputs, words):
    with pytest.raises(hs.Error, match=words):
        hs.stepper(boxes(), 1e-3, method="contact", outputs=outputs)


def test_depth_and_speed_are_refused():
    for more in ({"depth": 1e-3}, {"speed": 1.0}):
        with pytest.raises(hs.SolveError, match="contacts of any depth and speed"):
            hs.stepper(boxes(), 1e-3, method="contact", **more)
