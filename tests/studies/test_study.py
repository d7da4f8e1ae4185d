"""A study as a value, its page, and its verb."""

import dataclasses
import math
from datetime import date
from pathlib import Path

import numpy as np
import pytest

import hapsis as hs
from hapsis.studies import study_page
from hapsis.studies.catalogue import STUDIES
from hapsis.studies.study import Fact, Figure, Study
from hapsis.view.plots import curves
from hapsis.view.spans import Span

HOSTILE = "</script><b>x"


def small(*facts, figures=1):
    plot = curves(np.arange(5.0), {HOSTILE: np.arange(5.0) ** 2}, "x", "y")
    shown = tuple(Figure(plot, f"a\n  {HOSTILE}") for _ in range(figures))
    return Study("small", HOSTILE, "asked\n  once", "known", "one\n\n two", "", shown, facts)


@pytest.mark.parametrize(
    ("fact", "met", "expected"),
    [
        (Fact("a", 1.0), True, ""),
        (Fact("a", 1.0, "N", 0.0, 2.0), True, "0 to 2"),
        (Fact("a", 3.0, "N", 0.0, 2.0), False, "0 to 2"),
        (Fact("a", -1.0, "N", 0.0), False, "0 or more"),
        (Fact("a", -1.0, "N", high=0.5), True, "0.5 or less"),
        (Fact("a", 2, "", 2, 2), True, "2"),
        (Fact("a", math.nan, "N", 0.0, 2.0), False, "0 to 2"),
    ],
)
def test_facts_know_their_ranges(fact, met, expected):
    assert (fact.met, fact.expected) == (met, expected)
    assert small(fact).met is met and (("<-" in str(small(fact))) is not met)


def test_page_is_one_safe_file(tmp_path):
    study = small(Fact(HOSTILE, 1.0, HOSTILE, 0.0, 0.5), figures=2)
    text = study.save(tmp_path / "page.html").read_text(encoding="utf-8")
    assert "<b>" not in text and text.count("<figure>") == 2 and text.count('class="hapsis-plot"') == 2
    assert "outside" in text and "What it does not reproduce" not in text
    assert "<p>one</p><p>two</p>" in text and "asked once" in text
    with pytest.raises(hs.Error, match=r"expected a name ending with \.html"):
        study.save(tmp_path / "page.svg")


def test_page_says_its_references_its_version_and_its_day(tmp_path):
    """Every key that a page can cite is as on the page of references; what is not cited is not listed."""
    listed = (Path(__file__).parents[2] / "docs" / "references.md").read_text().replace("*", "")
    for key, article in study_page.REFERENCES.items():
        assert f"[{key}] | {article} |" in listed
    citing = dataclasses.replace(small(), reference="Figure 24 of [Docquier].")
    text = study_page.text(citing)
    assert "<h2>References</h2><p>[Docquier] N. Docquier," in text
    assert f"hapsis study small · hapsis {hs.__version__} · {date.today().isoformat()[:4]}" in text
    assert "References" not in study_page.text(small())


def test_facts_are_read_by_name():
    study = small(Fact("force", 1.0), Fact("way", 2.0))
    assert study["way"] == 2.0 and repr(study) == "Study(small: 2 facts, none out of range)"
    with pytest.raises(hs.Error, match=r'no fact "wya" \(did you mean "way"\?\)'):
        study["wya"]
    assert study.report["facts"][0]["met"] is True


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        ("piano-letoff", None, r'no study "piano-letoff" \(did you mean "piano-let-off"\?\)'),
        ("car", None, f"expected one of {next(iter(STUDIES))}"),
        ("piano-force", {"t": [0, 1]}, "takes no data; expected data for piano-replay"),
        ("piano-replay", "missing.csv", "missing.csv: there is no such file"),
        ("piano-replay", {"t": [0, 1]}, 'no column "position"'),
    ],
)
def test_misuse_is_one_line(name, data, message):
    with pytest.raises(hs.Error, match=message) as caught:
        hs.study(name, data=data)
    assert "\n" not in str(caught.value)


def test_spans_are_drawn_and_cut():
    plot = curves(np.linspace(0, 10, 5), {"y": np.arange(5.0)}, "x", "y")
    spans = (Span(-5, 4, "A"), Span(4, 20, HOSTILE), Span(30, 40, "outside"))
    drawn = type(plot)(plot.panels, plot.title, plot.xlabel, spans=spans).svg
    assert (
        drawn.count('class="band') == 2 and ">A<" in drawn and "<b>" not in drawn and "outside" not in drawn
    )
    assert plot.svg.count('class="band') == 0
