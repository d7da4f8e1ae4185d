"""Activities: time of preparation, who is told, and the note of an interruption."""

import threading

import pytest

from hapsis.compiler.ir.functions.activity import Activity, preparation_seconds, told


class Clock:
    """A clock that only moves when it is told to."""

    now = 100.0

    def perf_counter(self):
        return self.now


@pytest.fixture
def clock(monkeypatch):
    clock = Clock()
    monkeypatch.setattr("hapsis.compiler.ir.functions.activity.time", clock)
    return clock


def test_time_within_another_activity_counts_once(clock):
    before = preparation_seconds()
    with Activity("compiling f"):
        clock.now += 1.0
        with Activity("writing f"):
            clock.now += 2.0
            assert preparation_seconds() - before == 3.0  # also while it is under way
        clock.now += 4.0
    clock.now += 8.0
    assert preparation_seconds() - before == 7.0


def test_other_threads_do_not_count(clock):
    before = preparation_seconds()

    def work():
        with Activity("compiling g"):
            clock.now += 5.0

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert preparation_seconds() == before


def test_listeners_hear_what_is_done_now():
    texts = []
    with told(texts.append), Activity("compiling f"):
        with Activity("writing f"):
            pass
    with Activity("nobody listens"):
        pass
    assert texts == ["compiling f", "writing f", "compiling f", ""]


def _interrupt(text):
    raise KeyboardInterrupt


def test_an_interruption_says_what_was_being_done():
    with pytest.raises(KeyboardInterrupt) as interruption, Activity("compiling f"), Activity("writing f"):
        raise KeyboardInterrupt
    assert interruption.value.__notes__ == ["while writing f"]
    with told(_interrupt), pytest.raises(KeyboardInterrupt) as interruption, Activity("writing g"):
        pass
    assert interruption.value.__notes__ == ["while writing g"]
    before = preparation_seconds()
    assert preparation_seconds() == before  # nothing is under way any more
    with pytest.raises(ValueError) as error, Activity("compiling f"):
        raise ValueError
    assert not hasattr(error.value, "__notes__")
