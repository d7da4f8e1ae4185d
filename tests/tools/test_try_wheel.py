"""The wheel runs the demonstration in an empty environment; the loop says where it cannot wait."""

import sys

import pytest
import try_wheel

import hapsis as hs
from hapsis.touch.realtime import priority


@pytest.mark.peers
def test_the_wheel_runs_on_every_python_found(capsys):
    assert try_wheel.main([]) == 0
    assert " runs, " in capsys.readouterr().out


def test_this_python_is_found():
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    assert list(try_wheel.pythons([version, "3.99"])) == [version]


def test_a_paced_loop_is_refused_where_it_cannot_wait(monkeypatch):
    monkeypatch.setattr(priority.sys, "platform", "darwin")
    with pytest.raises(hs.Error, match="this is darwin"):
        priority.check_can_wait(True)
    priority.check_can_wait(False)
