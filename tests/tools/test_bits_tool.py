"""The tool that compares results bit by bit: the same twice, and a difference is reported."""

import json

import pytest
import same_bits

CHEAP = "guard.faults,loops.by_hand,filters.smoothing"


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """Three cheap programs, run twice."""
    folder = tmp_path_factory.mktemp("bits")
    paths = [folder / name for name in ("first.json", "second.json")]
    for path in paths:
        assert same_bits.write(path, CHEAP) == 0
    return paths


def test_the_same_twice(files, capsys):
    assert same_bits.compare(*files) == 0
    assert "0 not the same" in capsys.readouterr().out


def test_a_difference_and_a_missing_output_are_listed(files, tmp_path, capsys):
    table = json.loads(files[0].read_text())
    table["loops.by_hand"]["soft"] = "0" * 64
    del table["guard.faults"]["nan/safe"]
    changed = tmp_path / "changed.json"
    changed.write_text(json.dumps(table))
    assert same_bits.compare(files[0], changed) == 1
    text = capsys.readouterr().out
    assert "differs: loops.by_hand: soft" in text and "guard.faults: nan/safe" in text
    assert "2 not the same" in text


def test_there_are_programs_for_every_model_verb_and_integrator():
    names = same_bits.listed("*")
    assert len(names) >= 60 and len(names) == len(set(names))
    assert {f"integrators.{method}.tree" for method in ("rk4", "order5", "order8", "euler", "stiff")} <= {
        *names
    }
