"""Pictures of the pages: those of laws are what the laws draw now; all are there and small."""

import re
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tools"))

import law_plots  # noqa: E402  # pyright: ignore

NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e[-+]?\d+)?")
NEAR = 0.3  # of a pixel
LARGEST = 120_000  # bytes


def parts(text):
    """What stands between the numbers, and the numbers."""
    return NUMBER.split(text), [float(x) for x in NUMBER.findall(text)]


@pytest.mark.parametrize("name", law_plots.PLOTS)
def test_the_picture_is_that_of_the_law(name, tmp_path):
    drawn = law_plots.PLOTS[name]().save(tmp_path / f"{name}.svg").read_text(encoding="utf-8")
    kept = (law_plots.FOLDER / f"{name}.svg").read_text(encoding="utf-8")
    words, numbers = parts(drawn)
    old_words, old_numbers = parts(kept)
    remedy = "run python tools/law_plots.py, and look"
    assert words == old_words, remedy
    worst = max(abs(x - y) for x, y in zip(numbers, old_numbers, strict=True))
    assert worst < NEAR, remedy


def test_every_picture_is_on_the_page_and_no_other():
    page = (ROOT / "docs" / "forces.md").read_text(encoding="utf-8")
    shown = re.findall(r"_static/laws/(\w+)\.svg", page)
    there = [path.stem for path in law_plots.FOLDER.glob("*")]
    assert sorted(shown) == sorted(law_plots.PLOTS) == sorted(there)


def test_pictures_on_pages_are_there_and_small():
    pages = [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]
    shown = {
        (page.parent / target).resolve()
        for page in pages
        if "_build" not in page.parts
        for target in re.findall(r"!\[[^\]]*\]\(([^)]+)\)", page.read_text(encoding="utf-8"))
    }
    assert shown and [path for path in shown if not path.exists()] == []
    pictures = (ROOT / "docs" / "_static").rglob("*.png")
    assert {p.name: p.stat().st_size for p in pictures if p.stat().st_size > LARGEST} == {}
