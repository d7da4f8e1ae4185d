"""Pictures of the pages: those of laws are what the laws draw now; all are there and small."""

import re

import law_plots
import pytest
from pictures import ROOT, all_shown, drawn_again

LARGEST = 120_000  # bytes


@pytest.mark.parametrize("name", law_plots.PICTURES.plots)
def test_the_picture_is_that_of_the_law(name, tmp_path):
    drawn_again(law_plots, name, tmp_path)


def test_every_picture_is_on_the_page_and_no_other():
    all_shown(law_plots, "forces.md")


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
