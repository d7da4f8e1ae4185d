"""The loop: ticks are steps, nothing is lost, everything is named."""

import dataclasses

import numpy as np
import pytest
from hand import Hand, undisturbed
from shared_models import library

import hapsis as hs
from hapsis.compiler.backends.llvm import background
from hapsis.touch.realtime.loop import Loop
from hapsis.touch.realtime.ring import Ring, push

RATE = 1000.0


def crank(*facts, tracking=200.0):
    """A crank with a return spring, moved by whoever holds it."""
    return hs.Model(
        hs.Rod("crank", length=0.1, mass=0.2),
        hs.Revolute("A", hs.WORLD, "crank", axis="y", damping=0.01),
        hs.JointSpring("return", "A", stiffness=0.8),
        hs.Drive("hand", "A", position="input", tracking=tracking),
        *facts,
    )


def slider_crank():
    model = library.slider_crank()
    return model + hs.Drive("hand", "crank", position="input", tracking=200.0)


def looped(model=None, outputs=("hand.force",), hand=None, **options):
    step = hs.stepper(model or crank(), 1 / RATE, inputs=["hand.position"], outputs=outputs)
    return Loop(step, RATE, paced=False, **options).connect(hand or Hand(0.0, 0.3)), step


@pytest.mark.parametrize("model", [crank, slider_crank], ids=["crank", "slider-crank"])
def test_ticks_are_the_steps_of_the_function(model):
    """All outputs of a thousand ticks, bit for bit as the compiled step gives them in Python."""
    loop, step = looped(model(), ("hand.force", model().coordinates[0]))
    loop.run(1.0)
    report = loop.report()
    assert report.ticks == len(report.rows) == 1000
    f, names = hs.compile(step), [port.name for port in step.outputs]
    state = {port.name: port.stand_in for port in step.inputs}
    for k in range(1000):
        state["hand.position"] = report["hand.position"][k]
        made = dict(zip(names, f(**state), strict=True))
        for name in names[-2:]:
            assert made[name] == report[name][k]
        state |= {n: x for n, x in made.items() if n in state}
    assert np.allclose(report["hand.position"], 0.3 * report["t"])
    assert np.array_equal(report["hand.x.position"], report["hand.position"])


def test_the_command_is_what_the_guard_lets_through():
    loop, _ = looped()
    loop.run(0.5)
    report, hand = loop.report(), loop.device
    assert np.abs(report["hand.x.command"] - report["hand.force"]).max() < 2000.0 / RATE
    assert hand.memory.writes == 501 and hand.last == 0.0  # the last one takes the force away
    assert hand.calls == ["open", "close"]


def test_it_can_go_on():
    loop, _ = looped()
    loop.run(0.2)
    loop.run(0.3)
    assert loop.report().ticks == 500 and loop.device.calls == ["open", "close"] * 2


def test_gains():
    step = hs.stepper(crank(), 1 / RATE, inputs=["hand.position"], outputs=["hand.force"])
    plain = Loop(step, RATE, paced=False).connect(Hand(0.0, 0.3))
    turned = Loop(step, RATE, paced=False).connect(
        Hand(0.0, -30.0), gains={"hand.position": -0.01, "hand.force": -2.0}
    )
    for loop in (plain, turned):
        loop.run(0.1)
    a, b = plain.report(), turned.report()
    assert np.allclose(a["hand.force"], b["hand.force"])
    assert np.allclose(-2.0 * a["hand.x.command"], b["hand.x.command"], atol=1e-12)


def test_live_parameters_change_in_a_straight_line_and_compile_nothing():
    step = hs.stepper(
        crank(),
        1 / RATE,
        inputs=["hand.position"],
        start={"A": 0.5},
        outputs=["hand.force", "energy", "energy.before"],
    )
    loop = Loop(step, RATE, paced=False, live=["return.stiffness"]).connect(Hand(0.5))
    loop.run(0.2)
    loop.set("return.stiffness", 4.8, over=0.1)
    loop.run(0.3)
    report = loop.report()
    force = report["hand.force"]
    steps = np.diff(force)
    assert np.abs(force[199] - force[150]).max() < 1e-6  # at rest before
    # the spring pulls by k angle: 4 N m/rad more at half a radian, over a hundred ticks
    assert force[-1] - force[199] == pytest.approx(-4.0 * 0.5, rel=1e-6)
    assert np.allclose(steps[200:299], -4.0 * 0.5 / 100, rtol=1e-6)
    assert np.abs(steps[310:]).max() < 1e-9
    # a spring that gets stiffer while it is bent holds more: k x² / 2
    assert report.work_of_parameters == pytest.approx(0.5 * 4.0 * 0.5**2, rel=1e-6)


def test_all_parameters_may_be_live():
    step = hs.stepper(crank(), 1 / RATE, inputs=["hand.position"], outputs=["hand.force"])
    some = Loop(step, RATE, paced=False, live="crank.mass").connect(Hand(0.0, 0.3))
    every = Loop(step, RATE, paced=False, live="all").connect(Hand(0.0, 0.3))
    assert some.step.live == ("crank.mass",) and set(every.step.live) == set(step.parameters)
    for loop in (some, every):
        loop.set("crank.mass", 0.3)
        loop.run(0.2)
    a, b = some.report()["hand.force"], every.report()["hand.force"]
    assert np.allclose(a, b, rtol=1e-12) and abs(a[-1]) > 0.09


def test_held_inputs_change_between_ticks():
    step = hs.stepper(crank(), 1 / RATE, inputs=["hand.position", "A"], outputs=["hand.force"])
    loop = Loop(step, RATE, paced=False).connect(Hand(0.0))
    loop.run(0.05)
    loop.set("A", 0.3)  # somebody else pushes
    loop.run(0.05)
    force = loop.report()["hand.force"]
    assert force[-1] - force[40] == pytest.approx(0.3, rel=1e-6)
    with pytest.raises(hs.ModelError, match="comes from the device"):
        loop.set("hand.position", 1.0)
    with pytest.raises(hs.ModelError, match=r'"return.stiffness" cannot be changed'):
        loop.set("return.stiffness", 1.0)


def test_paced_runs_keep_their_count():
    step = hs.stepper(crank(), 1 / RATE, inputs=["hand.position"], outputs=["hand.force"])
    loop = Loop(step, RATE).connect(Hand(0.0, 0.1))
    loop.run(0.3)
    report = loop.report()
    assert report.ticks == 300 and report.held > 0.0 and "300 ticks" in str(report)
    assert loop.memory.late_bins.sum() == loop.memory.work_bins.sum() == 300
    # deadlines stand in whole periods, whatever was skipped
    assert np.allclose(np.diff(report["t"]) * RATE, np.round(np.diff(report["t"]) * RATE))
    assert "<svg" in report.histogram().svg
    late = dataclasses.replace(report, late_bins=np.eye(1, 4, 3, dtype=np.int64)[0])  # only the last bin
    assert "<svg" in late.histogram().svg
    plot = report.plot("hand.force", x="hand.position")
    assert set(report.names) == set(report.columns) and "hand.position, rad" in plot.svg
    assert report.unit("hand.force") == "N m"
    assert "<svg" in plot.svg
    with pytest.warns(hs.Notice, match=r'is now report.plot\("hand.force", x="hand.position"\)'):
        older = report.plot("hand.position", "hand.force")
    assert older.svg == plot.svg == report.plot(x="hand.position", y="hand.force").svg
    assert set(report._ipython_key_completions_()) == set(report.columns) and "ticks" in report._repr_html_()


def test_start_and_stop():
    step = hs.stepper(crank(), 1 / RATE, inputs=["hand.position"], outputs=["hand.force"])
    loop = Loop(step, RATE).connect(Hand(0.0, 0.1))
    loop.start()
    loop.wait(20)
    with pytest.raises(hs.DeviceError, match="runs already"):
        loop.start()
    with pytest.raises(hs.DeviceError, match="runs: stop it"):
        loop.connect(Hand())
    loop.stop()
    loop.stop()  # nothing to stop: nothing happens
    assert loop.report().ticks >= 20 and loop.device.last == 0.0
    assert len(loop.report().rows) == loop.report().ticks  # looking takes nothing away
    loop.start()  # the guard is armed again, as it was stopped by us
    loop.wait(loop.memory.beat + 20)
    assert not loop.guard.fault
    loop.stop()


def test_hardware_is_let_go_softly():
    step = hs.stepper(crank(), 1 / RATE, inputs=["hand.position"], outputs=["hand.force"], start={"A": 0.5})
    loop = undisturbed(
        lambda: Loop(step, RATE, soft=True).connect(Hand(0.5, hardware=True)), lambda loop: loop.run(0.2)
    )
    report = loop.report()
    command, periods = report["hand.x.command"], np.round(np.diff(report["t"]) * RATE)
    assert len(command) > 200 and command[150] < -0.2 and command[-1] == 0.0
    assert (np.abs(np.diff(command)) / periods)[150:].max() < 0.1  # a ramp, no step


def test_a_state_that_is_not_finite_is_not_taken_over():
    loop, _ = looped(crank(tracking=200.0))
    loop.memory.u[0] = np.nan
    loop.device.memory.x0 = np.nan
    loop.run(0.05)
    assert loop.memory.state.bad > 0 and np.isfinite(loop.state).all()
    assert loop.device.memory.largest == 0.0 and loop.guard.fault


def test_admittance_takes_forces_and_gives_positions():
    """A hand pulls by a spring of its own; both springs balance."""
    model = hs.Model(
        hs.Rod("crank", length=0.1, mass=0.2),
        hs.Revolute("A", hs.WORLD, "crank", axis="y", damping=0.1),
        hs.JointSpring("return", "A", stiffness=0.8),
        gravity=(0, 0, 0),
    )
    step = hs.stepper(model, 1 / RATE, inputs=["A"], outputs=["A"])
    hand = hs.haptics.SimulatedHand(
        aim=0.3, stiffness=5.0, damping=0.05, causality="admittance", unit="rad", axes="turn"
    )
    loop = Loop(step, RATE, paced=False).connect(hand)
    loop.run(3.0)
    report = loop.report()
    assert report["hand.turn.command"][-1] == pytest.approx(5.0 * 0.3 / 5.8, rel=1e-6)
    assert report["hand.turn.force"][-1] == pytest.approx(0.8 * 5.0 * 0.3 / 5.8, rel=1e-6)

    class Robot(Hand):
        def __init__(self):
            super().__init__(hardware=True)
            self.capabilities = dataclasses.replace(
                self.capabilities, causality="admittance", measures=("force",)
            )

    with pytest.raises(hs.DeviceError, match="can only take forces to zero"):
        Loop(step, RATE, soft=True).connect(Robot())


def test_what_is_wrong_is_said():
    step = hs.stepper(crank(), 1 / RATE, inputs=["hand.position"], outputs=["hand.force"])
    mute = hs.stepper(crank(), 1 / RATE, inputs=["hand.position"])
    free = hs.stepper(library.slider_crank(), 1 / RATE, inputs=["crank"], outputs=["crank"])
    for make, words in (
        (lambda: Loop(step, 0.5), "the rate is 0.5"),
        (lambda: Loop(hs.mass_matrix(crank()), RATE), "takes what hs.stepper returns"),
        (lambda: Loop(step, RATE, live=["return.stifness"]), 'did you mean "return.stiffness"'),
        (lambda: Loop(step, RATE).run(1.0), "no device"),
        (lambda: Loop(step, RATE).set("hand.position", 1.0), "no device"),
        (lambda: Loop(step, RATE).set("x", 1.0), '"x" cannot be changed while the loop runs'),
        (lambda: Loop(step, RATE).state, "no device"),
        (lambda: Loop(step, RATE).report(), "no device"),
        (lambda: Loop(step, RATE).connect(object()), "it is no device"),
        (lambda: Loop(mute, RATE).connect(Hand()), "1 axes, and the step has 0 outputs"),
        (lambda: Loop(free, RATE).connect(Hand()), "nothing meets"),
        (lambda: Loop(step, RATE).connect(Hand(), gains={"x": 1.0}), 'gains name "x"'),
        (lambda: Loop(step, RATE).connect(Hand()).run(1e-5), "at least one period"),
    ):
        with pytest.raises(hs.Error, match=words):
            make()


def test_rings_lose_the_oldest_rows_and_say_so():
    ring, row = Ring(8, 2), np.zeros(2)

    def write(first, last):
        for k in range(first, last):
            row[:] = k, -k
            push(ring.memory, row)

    write(0, 5)
    rows, lost = ring.take()
    assert lost == 0 and rows[:, 0].tolist() == [0, 1, 2, 3, 4]
    assert len(ring.take()[0]) == 0
    write(5, 30)
    rows, lost = ring.take()
    assert rows[-1].tolist() == [29, -29] and len(rows) + lost == 25 and ring.lost == lost > 0
    assert np.array_equal(rows[:, 0], np.arange(30 - len(rows), 30))


@pytest.mark.parametrize("rate", [500.0, 1000.0, 4000.0, 20_000.0])
def test_a_free_mass_that_is_moved_evenly_gets_no_command(rate):
    """Measured at the device: after the start nothing pushes the hand along its motion, nor brakes it."""
    model = hs.Model(
        hs.Body("tool", mass=1.0, inertia=(1, 1, 1)),
        hs.Prismatic("x", hs.WORLD, "tool", axis="x"),
        hs.Drive("hand", "x", position="input", tracking=400.0),
        gravity=(0, 0, 0),
    )
    step = hs.stepper(model, 1 / rate, inputs=["hand.position"], outputs=["hand.force"])
    hand = Hand(0.0, 0.1)
    loop = Loop(step, rate, paced=False).connect(hand)
    loop.run(0.4)
    commands = hand.commands[: round(0.4 * rate)]
    assert commands[: len(commands) // 8].min() < -1.0  # the tool is set in motion
    assert np.abs(commands[len(commands) // 2 :]).max() < 1e-8
    assert loop.guard.report()["damping injected"] == 0


def test_the_code_of_a_loop_does_not_change_while_it_runs(monkeypatch, tmp_path):
    """It starts when its good code is there, not with quick code that would be exchanged meanwhile."""
    monkeypatch.setenv("HAPSIS_CACHE", str(tmp_path))
    monkeypatch.delenv("HAPSIS_BACKGROUND", raising=False)
    pending: list[int] = []

    class Watchful(Hand):
        def open(self):
            pending.append(len(background.pending()))
            super().open()

    loop, _ = looped(slider_crank(), hand=Watchful(0.0, 0.3))
    loop.run(0.01)
    assert pending == [0]


def test_a_report_can_be_taken_at_any_moment_while_the_loop_runs():
    """Its numbers belong together: they are read once, from counters that change meanwhile."""
    loop, _ = looped()
    loop.start()
    try:
        for _ in range(60):
            report = loop.report()
            assert report.lateness[0] <= report.lateness[-1] and report.compute[0] <= report.compute[-1]
    finally:
        loop.stop()
    assert report.ticks <= loop.report().ticks


def test_a_stop_that_was_asked_for_is_no_fault_in_the_report():
    _, step = looped()
    loop = Loop(step, RATE).connect(Hand(0.0, 0.3))
    for _ in range(3):
        loop.start()
        loop.wait(5)
        loop.stop()
    report = loop.report()
    assert report.faults["faults"] == 0 and "stopped: a stop was asked for" in str(report)
    assert "fault" not in str(report)


def test_a_report_says_each_count_once_in_one_set_of_words():
    loop, _ = looped()
    loop.start()
    loop.wait(5)
    loop.stop()
    text = str(loop.report())
    assert text.count("misses") == 2 and "longest row of misses" in text  # in one line
    assert "late ticks" not in text and "missed periods" not in text


@pytest.mark.parametrize("ending", [".csv", ".npz", ".mcap"])
def test_the_telemetry_is_saved_as_results_are(tmp_path, ending):
    loop, _ = looped()
    loop.start()
    loop.wait(5)
    loop.stop()
    report = loop.report()
    assert np.array_equal(report.t, report["t"])
    path = report.save(tmp_path / "new" / f"telemetry{ending}")
    if ending == ".npz":
        back = hs.load(path)
        assert set(back.names) == {*report.names} - {"t"} and np.array_equal(back.t, report.t)
        assert all(np.array_equal(back[n], report[n], equal_nan=True) for n in report.names)
    assert path.is_file()
