"""The pictures and the table of docs/agile_eye.md are what its tool makes now."""

import re

import agile_eye_plots
import pytest
from pictures import NUMBER, ROOT, all_shown, drawn_again

PAGE = (ROOT / "docs" / "agile_eye.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", agile_eye_plots.PICTURES.plots)
def test_the_picture_is_that_of_the_motion(name, tmp_path):
    drawn_again(agile_eye_plots, name, tmp_path)


def test_every_picture_is_on_the_page_and_no_other():
    all_shown(agile_eye_plots, "agile_eye.md")


def test_the_table():
    rows = [
        [float(x) for x in NUMBER.findall(line)] for line in PAGE.splitlines() if re.match(r"\| \d", line)
    ]
    made = agile_eye_plots.study()
    assert len(rows) == len(made)
    for row, ((side, slope), (turn, motor)) in zip(rows, made.items(), strict=True):
        assert row == pytest.approx([side, slope, turn, motor, turn / motor], abs=1e-4)
