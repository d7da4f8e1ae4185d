"""Pictures of the page on the guard are what the guard and the bounds draw now."""

import re
import sys
from pathlib import Path

import pytest

from hapsis.touch.realtime.guard_layout import CAUSES

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))

import guard_plots  # noqa: E402  # pyright: ignore

NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e[-+]?\d+)?")
NEAR = 0.3  # of a pixel
LARGEST = 20_000  # bytes
PAGE = (ROOT / "docs" / "guard.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", guard_plots.PLOTS)
def test_the_picture_is_drawn_again(name, tmp_path):
    drawn = guard_plots.PLOTS[name]().save(tmp_path / f"{name}.svg").read_text(encoding="utf-8")
    kept = (guard_plots.FOLDER / f"{name}.svg").read_text(encoding="utf-8")
    remedy = "run python tools/guard_plots.py, and look"
    assert NUMBER.split(drawn) == NUMBER.split(kept), remedy
    pairs = zip(NUMBER.findall(drawn), NUMBER.findall(kept), strict=True)
    assert max(abs(float(x) - float(y)) for x, y in pairs) < NEAR, remedy
    assert len(kept) < LARGEST


def test_every_picture_is_on_the_page_and_no_other():
    shown = re.findall(r"_static/guard/(\w+)\.svg", PAGE)
    there = [path.stem for path in guard_plots.FOLDER.glob("*")]
    assert sorted(shown) == sorted(guard_plots.PLOTS) == sorted(there)


def test_the_page_names_every_fault():
    listed = dict(re.findall(r"^\| (\d+) \| (.+?) \|", PAGE, flags=re.M))
    assert listed == {str(number): sentence for number, sentence in CAUSES.items()}
