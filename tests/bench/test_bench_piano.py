"""The benchmark of the piano: its figures, its report. Nothing is timed here."""

import json

import pytest

from hapsis.bench import piano


@pytest.fixture(scope="module")
def result():
    return piano.run(quick=True)


def test_steps_are_sound_and_counted(result):
    """Baking takes away operations and changes nothing else; every substep evaluates all contacts."""
    plain, baked = result["steps"]
    assert plain["sound"] and baked["sound"]
    assert 0 < baked["operations"] < plain["operations"]
    assert result["contacts"] == 12 and result["parameters"] > 100 and result["substeps"] >= 1


def test_report_and_json(result):
    text = piano.report(json.loads(json.dumps(result)))
    assert "as it is" in text and "baked" in text and "first motion" in text
    assert f"{result['substeps']} substeps" in text
