"""The pictures and the table of docs/agile_eye.md are what its tool makes now."""

import re
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tools"))

import agile_eye_plots  # noqa: E402  # pyright: ignore

NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e[-+]?\d+)?")
PAGE = (ROOT / "docs" / "agile_eye.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", agile_eye_plots.PLOTS)
def test_the_picture_is_that_of_the_motion(name, tmp_path):
    drawn = agile_eye_plots.PLOTS[name]().save(tmp_path / f"{name}.svg").read_text(encoding="utf-8")
    kept = (agile_eye_plots.FOLDER / f"{name}.svg").read_text(encoding="utf-8")
    remedy = "run python tools/agile_eye_plots.py, and look"
    assert NUMBER.split(drawn) == NUMBER.split(kept), remedy
    pairs = zip(NUMBER.findall(drawn), NUMBER.findall(kept), strict=True)
    assert max(abs(float(x) - float(y)) for x, y in pairs) < 0.3, remedy


def test_every_picture_is_on_the_page_and_no_other():
    shown = re.findall(r"_static/agile_eye/(\w+)\.svg", PAGE)
    there = [path.stem for path in agile_eye_plots.FOLDER.glob("*")]
    assert sorted(shown) == sorted(agile_eye_plots.PLOTS) == sorted(there)


def test_the_table():
    rows = [[float(x) for x in NUMBER.findall(line)] for line in PAGE.splitlines()
            if re.match(r"\| \d", line)]  # fmt: skip
    made = agile_eye_plots.study()
    assert len(rows) == len(made)
    for row, ((side, slope), (turn, motor)) in zip(rows, made.items(), strict=True):
        assert row == pytest.approx([side, slope, turn, motor, turn / motor], abs=1e-4)
