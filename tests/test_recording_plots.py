"""The picture of the page on recordings is what `compare` draws now."""

import re
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tools"))

import recording_plots  # noqa: E402  # pyright: ignore

NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e[-+]?\d+)?")
NEAR = 0.3  # of a pixel
LARGEST = 30_000  # bytes


@pytest.mark.parametrize("name", recording_plots.PLOTS)
def test_the_picture_is_drawn_again(name, tmp_path):
    drawn = recording_plots.PLOTS[name]().save(tmp_path / f"{name}.svg").read_text(encoding="utf-8")
    kept = (recording_plots.FOLDER / f"{name}.svg").read_text(encoding="utf-8")
    remedy = "run python tools/recording_plots.py, and look"
    assert NUMBER.split(drawn) == NUMBER.split(kept), remedy
    pairs = zip(NUMBER.findall(drawn), NUMBER.findall(kept), strict=True)
    assert max(abs(float(x) - float(y)) for x, y in pairs) < NEAR, remedy
    assert len(kept) < LARGEST


def test_every_picture_is_on_the_page_and_no_other():
    page = (ROOT / "docs" / "recording.md").read_text(encoding="utf-8")
    shown = re.findall(r"_static/recording/(\w+)\.svg", page)
    there = [path.stem for path in recording_plots.FOLDER.glob("*")]
    assert sorted(shown) == sorted(recording_plots.PLOTS) == sorted(there)
