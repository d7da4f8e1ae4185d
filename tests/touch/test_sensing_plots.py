"""Pictures of the page about sensing, and the synthetic record, are what they would be now."""

import re
import sys
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))

import key_record  # noqa: E402  # pyright: ignore
import sensing_plots  # noqa: E402  # pyright: ignore

NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e[-+]?\d+)?")
NEAR = 0.3  # of a pixel


def parts(text):
    """What stands between the numbers, and the numbers."""
    return NUMBER.split(text), [float(x) for x in NUMBER.findall(text)]


@pytest.mark.parametrize("name", sensing_plots.PLOTS)
def test_the_picture_is_that_of_the_filters(name, tmp_path):
    drawn = sensing_plots.PLOTS[name]().save(tmp_path / f"{name}.svg").read_text(encoding="utf-8")
    words, numbers = parts(drawn)
    kept = (sensing_plots.FOLDER / f"{name}.svg").read_text(encoding="utf-8")
    old_words, old_numbers = parts(kept)
    remedy = "run python tools/sensing_plots.py, and look"
    assert words == old_words, remedy
    worst = max(abs(x - y) for x, y in zip(numbers, old_numbers, strict=True))
    assert worst < NEAR, remedy


def test_every_picture_is_on_the_page_and_no_other():
    page = (ROOT / "docs" / "sensing.md").read_text(encoding="utf-8")
    shown = re.findall(r"_static/sensing/(\w+)\.svg", page)
    there = [path.stem for path in sensing_plots.FOLDER.glob("*")]
    assert sorted(shown) == sorted(sensing_plots.PLOTS) == sorted(there)


def test_the_record_is_what_its_tool_writes():
    kept = np.loadtxt(key_record.FILE, delimiter=",")
    assert np.abs(kept - key_record.table()).max() < 1e-5
