"""Pictures of the page on the guard are what the guard and the bounds draw now."""

import re

import guard_plots
import pytest
from pictures import ROOT, all_shown, drawn_again

from hapsis.touch.realtime.guard_memory import CAUSES

PAGE = (ROOT / "docs" / "guard.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", guard_plots.PICTURES.plots)
def test_the_picture_is_drawn_again(name, tmp_path):
    drawn_again(guard_plots, name, tmp_path, largest=20_000)


def test_every_picture_is_on_the_page_and_no_other():
    all_shown(guard_plots, "guard.md")


def test_the_page_names_every_fault():
    listed = dict(re.findall(r"^\| (\d+) \| (.+?) \|", PAGE, flags=re.M))
    assert listed == {str(number): sentence for number, sentence in CAUSES.items()}
