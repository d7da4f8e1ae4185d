"""Bars of long work: what they say, when they appear, and that nothing is shown where nobody looks."""

import io
import sys
import threading

import numpy as np
import pytest
from shared_models import four_bar

import hapsis as hs
from hapsis.compiler.ir.functions.activity import Activity, advanced, told
from hapsis.compiler.ir.functions.progress_bar import Bar

BARS = "hapsis.compiler.ir.functions.progress_bar"


class Terminal(io.StringIO):
    """Standard error that someone looks at."""

    def isatty(self):
        return True


class AtOnce:
    """Bars appear without waiting, and not in another thread."""

    def __init__(self, seconds, appear):
        self.appear = appear

    def start(self):
        self.appear()

    def cancel(self):
        pass


@pytest.fixture
def terminal(monkeypatch):
    """A function that makes standard error a terminal, on which bars appear at once, and returns it."""
    monkeypatch.setattr(f"{BARS}.threading.Timer", AtOnce)
    monkeypatch.setenv("TERM", "xterm")
    updated = Bar._update

    def drawn(self):
        updated(self)
        if self._progress is not None:
            self._progress.refresh()

    monkeypatch.setattr(Bar, "_update", drawn)

    def opened():
        monkeypatch.setattr(sys, "stderr", screen := Terminal())
        return screen

    return opened


def arm(count=2):
    facts = [hs.Rod(f"b{k}", 1.0, 1.0) for k in range(count)]
    ends = [hs.WORLD, *(f"b{k}.end" for k in range(count - 1))]
    facts += [hs.Revolute(f"j{k}", ends[k], f"b{k}", axis="y") for k in range(count)]
    return hs.Model(*facts)


def works(tmp_path):
    """{words that a bar shows: work}."""
    t = np.linspace(0, 1, 20)
    data = {"t": t, "j0": 0.1 * np.cos(t)}
    loop = four_bar()
    return {
        "compiling": lambda: hs.compile(hs.forward_dynamics(arm(3)))(np.zeros(3), np.zeros(3), np.zeros(3)),
        "assembling": lambda: hs.assemble(loop, {"A": 0.3}, near={"B": 1.0}),
        "searching assemblies": lambda: hs.assemblies(loop, {"A": 0.3}),
        "simulating": lambda: hs.simulate(arm(), until=0.5),
        "identifying": lambda: hs.identify(arm(1), data, ["b0.mass"], start={"j0": 0.1}, iterations=2),
        "of 3 runs": lambda: hs.sweep(arm(), until=0.1, over={"b0.mass": [1.0, 2.0, 3.0]}, measure="j0"),
    }


@pytest.mark.parametrize("words", list(works(None)))
def test_long_work_shows_what_it_does_on_a_terminal(terminal, words, tmp_path, monkeypatch):
    monkeypatch.setenv("HAPSIS_CACHE", str(tmp_path))
    screen = terminal()
    works(tmp_path)[words]()
    assert words in screen.getvalue()


@pytest.mark.parametrize("words", list(works(None)))
def test_nothing_is_shown_where_nobody_looks_or_for_short_work(words, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(f"{BARS}.PATIENCE", 1e9)
    monkeypatch.setattr(sys, "stderr", screen := Terminal())
    works(tmp_path)[words]()
    assert screen.getvalue() == ""
    monkeypatch.setattr(f"{BARS}.PATIENCE", 0.0)
    monkeypatch.setattr(sys, "stderr", quiet := io.StringIO())
    works(tmp_path)[words]()
    assert quiet.getvalue() == ""


def test_parts_that_are_counted_give_the_time_left(terminal, monkeypatch):
    clock = iter(range(1000))
    monkeypatch.setattr(f"{BARS}.time.perf_counter", lambda: float(next(clock)))
    screen = terminal()
    with Activity("compiling wheels"):
        for k in range(1, 5):
            advanced(k, 8)
    shown = screen.getvalue()
    assert "compiling wheels" in shown and "4 of 8 parts, about" in shown


def test_one_bar_at_a_time_and_none_within_a_run_that_wants_none(terminal):
    screen = terminal()
    with Bar(None) as outer:
        assert outer.shown
        with Bar(None) as inner:
            assert not inner.shown
    before = screen.getvalue()
    hs.simulate(arm(), until=0.1, progress=False)
    assert screen.getvalue() == before


def test_other_threads_and_listeners_show_nothing(terminal):
    def work():
        with Activity("compiling aside"):
            pass

    screen = terminal()
    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    texts = []
    with told(texts.append):
        work()
    assert screen.getvalue() == "" and texts == ["compiling aside", ""]
