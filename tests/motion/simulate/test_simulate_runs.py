"""Runs as such: how they end, go on, repeat, and what they say when something is wrong."""

import contextlib
import hashlib
import math
import time

import numpy as np
import pytest

import hapsis as hs
from hapsis.compiler.ir.functions.activity import Activity, told
from hapsis.motion.simulate.run.run import Run

START = {"A": 0.4, "B": 1.0}
ZERO = hs.LawState(0.0)
quietly = pytest.mark.filterwarnings("ignore::hapsis.errors.Notice")


def double_pendulum(**more):
    return hs.Model(
        hs.Rod("upper", length=1.0, mass="m", frames={"tip": (1, 0, 0)}),
        hs.Rod("lower", length=0.7, mass=0.8),
        hs.Revolute("A", hs.WORLD, "upper", axis="y", damping=0.1),
        hs.Revolute("B", "upper.end", "lower", axis="y"),
        hs.Spring("s", hs.WORLD.at(1, 0, 1), "lower.end", stiffness=20.0, length=0.5),
        parameters={"m": 1.5},
        **more,
    )


def mass_on(law, start=1.0):
    """A unit mass with an effort by a law."""
    model = hs.Model(
        hs.Body("b", mass=1.0), hs.Prismatic("x", hs.WORLD, "b", axis="x"), hs.JointForce("f", "x", law)
    )
    return model, {"x": start}


def falling(*facts):
    model = hs.Model(hs.Body("b", mass=1.0), hs.Prismatic("z", hs.WORLD, "b", axis="z"), *facts)
    return model, {"z": 2.0}


def digest(result):
    """Of every bit of every column."""
    found = hashlib.sha256(result.t.tobytes())
    for name in result.names:
        found.update(name.encode() + np.ascontiguousarray(result[name]).tobytes())
    return found.hexdigest()


# how runs end ------------------------------------------------------------------------------------


@quietly
@pytest.mark.parametrize("method", ["auto", "stiff", "order5"])
@pytest.mark.parametrize(
    ("law", "most"),
    [
        (lambda x, v: 2.0 * x * x * x, math.pi),  # infinite after a finite time
        (lambda x, v: 100.0 * x, 100.0),  # larger than any number at some time
        (lambda x, v: hs.sqrt(2.0 - x) - 1.0 + x, 40.0),  # not defined beyond 2
    ],
)
def test_what_cannot_go_on_says_so(law, most, method):
    """The last good state is kept, and it is finite."""
    model, start = mass_on(law)
    with pytest.warns(hs.errors.Notice, match="did not succeed"):
        result = hs.simulate(model, until=most, start=start, method=method)
    assert not result.success
    assert result.status in ("not finite", "step too small", "energy")
    assert "\n" not in result.message and "t = " in result.message
    assert len(result.t) > 10 and 0 < result.t[-1] < most
    assert np.isfinite(result["x"]).all() and np.isfinite(result["x.v"]).all()
    assert result.last.q[0] == result["x"][-1]
    # x'' = 2 x³ from rest is 1/cn: infinite at K(1/2) √2
    if most == math.pi:
        assert result.t[-1] == pytest.approx(1.8540746773013719 / math.sqrt(2), rel=1e-3)


@quietly
def test_the_budget_of_steps():
    result = hs.simulate(double_pendulum(), until=10.0, start=START, most_steps=40)
    assert (result.status, result.success) == ("too many steps", False)
    assert 0 < result.t[-1] < 10
    assert result.report["steps"] + result.report["rejected"] <= 40
    whole = hs.simulate(double_pendulum(), until=10.0, start=START)
    rows = len(result.t) - 1
    assert np.array_equal(result["A"][:rows], whole["A"][:rows])


@quietly
def test_interrupted():
    """Ctrl-C keeps what was reached; here a sampled controller presses it."""

    def law(s):
        if s.t > 0.45:
            raise KeyboardInterrupt
        return {"A": 0.0}

    model = double_pendulum() + hs.Controller("hand", law, rate=10.0, efforts="A")
    result = hs.simulate(model, until=10.0, start=START)
    assert (result.status, result.success) == ("stopped", False)
    assert result.t[-1] == pytest.approx(0.5)
    assert "stopped by the user at t = 0.5 s" in result.message
    whole = hs.simulate(double_pendulum(), until=0.5, start=START)
    assert result["B"][-1] == pytest.approx(whole["B"][-1], abs=1e-8)


def test_a_run_that_is_stopped_before_its_first_row_gives_the_interrupt(monkeypatch):
    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(Run, "take", interrupted)
    with pytest.raises(KeyboardInterrupt):
        hs.simulate(double_pendulum(), until=1.0)


def test_going_on():
    """In pieces or at once: the same motion, its work and its states of laws."""

    def memory(x, v, y=ZERO):
        return -3.0 * y, {"y": 5.0 * (x - y)}

    model = double_pendulum() + hs.JointForce("f", "B", memory)
    whole = hs.simulate(model, until=3.0, start=START)
    part = hs.simulate(model, until=1.1, start=START)
    for until in (1.7, 3.0):
        part = hs.simulate(model, until=until, start=part)
        assert part.success
    assert part.t[0] == 1.7 and part.t[-1] == 3.0
    for name in whole.names:
        assert part[name][-1] == pytest.approx(whole[name][-1], rel=1e-6, abs=1e-6), name
    # from the last state by name: all but the states of laws and the work
    again = hs.simulate(model, until=1.0, start=whole.last)
    assert again["A"][0] == whole["A"][-1] and again["f.y"][0] == 0.0 and again["work"][0] == 0.0


# events ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", [{}, {"method": "stiff"}, {"step": 1e-2}])
def test_events_are_located(method):
    """Free fall through several heights, at once and in either direction."""
    model, start = falling()
    heights = {f"at {h}": (lambda s, h=h: s["z"] - h) for h in (1.9, 1.0, 0.1)}
    result = hs.simulate(model, until=1.0, start=start, events=heights, **method)
    assert [e.name for e in result.events] == list(heights)
    times = [e.time for e in result.events]
    expected = [math.sqrt(2 * (2.0 - h) / 9.81) for h in (1.9, 1.0, 0.1)]
    assert np.abs(np.subtract(times, expected)).max() < 1e-9
    # each has a row of its own
    for touched, h in zip(times, (1.9, 1.0, 0.1), strict=True):
        assert result["z"][list(result.t).index(touched)] == pytest.approx(h, abs=1e-9)
    assert (np.diff(result.t) >= 0).all()


def test_events_of_one_direction_that_stop():
    """Thrown up: it passes 1 m twice; and an event may know signals and the time."""
    model, _ = falling(hs.Wrench("w", "b", force=("0.1 * t", 0, 0)))
    start = {"z": 0.0, "z.v": 6.0}
    up, down = ((6 + s * math.sqrt(36 - 2 * 9.81)) / 9.81 for s in (-1, 1))

    def passing(s):
        return s["z"] - 1.0

    def found(*events):
        return hs.simulate(model, until=2.0, start=start, events=events)

    both = found(hs.Event("p", passing))
    assert [e.time for e in both.events] == pytest.approx([up, down], abs=1e-9)
    assert [e.time for e in found(hs.Event("p", passing, rising=True)).events] == [both.events[0][0]]
    stopped = found(hs.Event("p", passing, falling=True, stop=True))
    assert (stopped.status, stopped.success) == ("event", True)
    assert stopped.t[-1] == stopped.events[-1].time == pytest.approx(down, abs=1e-9)
    assert stopped.last.q[0] == pytest.approx(1.0, abs=1e-8)
    other = found(hs.Event("t", lambda s: s.t - 0.7), hs.Event("w", lambda s: s["w.force"][0] - 0.1))
    assert [e.name for e in other.events] == ["t", "w"]
    assert [e.time for e in other.events] == pytest.approx([0.7, 1.0], abs=1e-9)


def test_several_events_at_one_moment():
    model, start = falling()
    events = {"a": lambda s: s["z"] - 1.0, "b": lambda s: 2.0 * s["z"] - 2.0}
    result = hs.simulate(model, until=1.0, start=start, events=events)
    assert sorted(e.name for e in result.events) == ["a", "b"]
    assert result.events[0].time == pytest.approx(result.events[1].time, abs=1e-9)


# the same again ----------------------------------------------------------------------------------


@pytest.mark.parametrize("options", [{}, {"method": "stiff"}, {"method": "rk4", "step": 1e-3}])
def test_every_bit_is_the_same_again(options):
    """Whatever the number of threads."""
    model = double_pendulum() + hs.Contact(
        "c", ("lower", hs.Sphere(0.1)), hs.WORLD.plane(at=(0, 0, -1)), law=hs.Linear(500.0, 2.0), friction=0.3
    )
    runs = [
        hs.simulate(model, until=2.0, start=START, threads=threads, **options) for threads in (1, 1, 2, None)
    ]
    assert len({digest(result) for result in runs}) == 1


def test_parameters_for_one_run():
    """As the model with these numbers."""
    model = double_pendulum()
    given = {"m": 2.5, "lower.mass": 0.3, "s.stiffness": 5.0, "gravity.z": -3.0, "A.damping": 0.4}
    other = model.replace("lower", mass=0.3, inertia=model.bodies["lower"].inertia)
    other = other.replace("s", stiffness=5.0).replace("A", damping=0.4)
    other = other.replace(gravity=(0, 0, -3.0), parameters={"m": 2.5})
    one = hs.simulate(model, until=2.0, start=START, parameters=given)
    two = hs.simulate(other, until=2.0, start=START)
    for name in two.names:
        assert np.abs(one[name] - two[name]).max() < 1e-8, name


def test_what_is_kept_with_a_model_changes_nothing():
    """The second run takes the first one's code, also with other numbers."""
    model = hs.Model(
        hs.Rod("a", 1, 1),
        hs.Rod("b", 1, 1),
        hs.Revolute("j", hs.WORLD, "a"),
        hs.Revolute("k", "a.end", "b"),
        hs.JointSpring("s", "k", stiffness=3.0),
    )
    for options in (
        {},
        {"inputs": {"j": 2.0}},
        {"parameters": {"s.stiffness": 5.0}},
        {"inputs": {"j": ([0, 1], [0, 3])}},
        {"inputs": {"j": lambda t: t}},
        {"method": "stiff"},
        {"events": {"up": lambda s: s["j.v"]}},
    ):
        first = hs.simulate(model, until=0.5, **options)
        again = hs.simulate(model, until=0.5, **options)
        anew = hs.simulate(model.replace(gravity=model.gravity), until=0.5, **options)
        for name in first.names:
            assert first[name].tobytes() == again[name].tobytes() == anew[name].tobytes()
        assert first.events == again.events == anew.events


def test_a_bar_is_shown_where_it_is_wanted(monkeypatch, capsys):
    model = hs.Model(hs.Rod("a", 1, 1), hs.Revolute("j", hs.WORLD, "a", axis="y"))
    appear_at_once(monkeypatch)
    hs.simulate(model, until=1.0)
    assert capsys.readouterr().err == ""  # nobody looks
    hs.simulate(model, until=1.0, progress=True)
    shown = capsys.readouterr()
    assert "simulating" in shown.err and "of 1 s" in shown.err and shown.out == ""
    hs.simulate(model, until=1.0, progress=False)
    assert capsys.readouterr().err == ""


def appear_at_once(monkeypatch):
    """Bars appear without waiting, and not in another thread."""

    class AtOnce:
        def __init__(self, seconds, appear):
            self.appear = appear

        def start(self):
            self.appear()

        def cancel(self):
            pass

    monkeypatch.setattr("hapsis.compiler.ir.functions.progress_bar.threading.Timer", AtOnce)


def held_pendulum():
    spring = hs.Spring("s", "a.end", hs.WORLD, stiffness=3.0)
    return hs.Model(hs.Rod("a", 1, 1), hs.Revolute("j", hs.WORLD, "a", axis="y"), spring)


def test_a_bar_says_what_is_prepared(monkeypatch, capsys, tmp_path):
    monkeypatch.setenv("HAPSIS_CACHE", str(tmp_path))
    appear_at_once(monkeypatch)
    with slow(monkeypatch, 0.15):  # longer than the bar takes to be drawn again
        hs.simulate(held_pendulum(), until=0.1, progress=True)
    shown = capsys.readouterr().err
    assert "writing equations" in shown and "compiling" in shown


@contextlib.contextmanager
def slow(monkeypatch, seconds):
    """Every activity of preparation takes so much longer; gives the list of what was prepared."""
    texts = []

    def wait(text):
        if text:
            texts.append(text)
            time.sleep(seconds)

    with told(wait):
        yield texts


def test_preparation_is_not_running(monkeypatch, tmp_path):
    """The seconds of a run are the same whether anything was written and compiled or not."""
    monkeypatch.setenv("HAPSIS_CACHE", str(tmp_path))
    model = held_pendulum()
    began = time.perf_counter()
    with slow(monkeypatch, 0.1) as texts:
        report = hs.simulate(model, until=0.1, watchdog=True).report
    spent = time.perf_counter() - began
    assert len(texts) >= 4
    assert report["preparation_seconds"] >= 0.1 * len(texts)
    assert report["seconds"] <= spent - report["preparation_seconds"]
    again = hs.simulate(model, until=0.1).report
    assert again["preparation_seconds"] < 0.1 * len(texts)


def test_preparation_within_the_run_is_not_running(monkeypatch):
    """What is compiled on the way, here when a controller is asked, is no running either."""

    def law(s):
        with Activity("compiling a controller"):
            time.sleep(0.05)
        return {"j": 0.0}

    model = held_pendulum() + hs.Controller("hand", law, rate=100.0, efforts="j")
    report = hs.simulate(model, until=0.1).report
    assert report["preparation_seconds"] >= 0.5
    assert report["seconds"] < 0.5
