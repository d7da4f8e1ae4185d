"""Pictures of the page on loops are what the methods draw now."""

import re
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tools"))

import loop_plots  # noqa: E402  # pyright: ignore

NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e[-+]?\d+)?")
NEAR = 0.3  # of a pixel
LARGEST = 20_000  # bytes


@pytest.mark.parametrize("name", loop_plots.PLOTS)
def test_the_picture_is_drawn_again(name, tmp_path):
    drawn = loop_plots.PLOTS[name]().save(tmp_path / f"{name}.svg").read_text(encoding="utf-8")
    kept = (loop_plots.FOLDER / f"{name}.svg").read_text(encoding="utf-8")
    remedy = "run python tools/loop_plots.py, and look"
    assert NUMBER.split(drawn) == NUMBER.split(kept), remedy
    pairs = zip(NUMBER.findall(drawn), NUMBER.findall(kept), strict=True)
    assert max(abs(float(x) - float(y)) for x, y in pairs) < NEAR, remedy
    assert len(kept) < LARGEST


def test_every_picture_is_on_the_page_and_no_other():
    page = (ROOT / "docs" / "loops.md").read_text(encoding="utf-8")
    shown = re.findall(r"_static/loops/(\w+)\.svg", page)
    there = [path.stem for path in loop_plots.FOLDER.glob("*")]
    assert sorted(shown) == sorted(loop_plots.PLOTS) == sorted(there)
