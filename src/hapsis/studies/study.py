"""A study: what was asked, what came out, and whether it is what was expected."""

import math
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from hapsis.compiler.ir.functions.verbs import verb
from hapsis.errors import Error, near
from hapsis.studies import study_page
from hapsis.view import page
from hapsis.view.page_text import number
from hapsis.view.plots import Plot

WIDEST = 58  # columns of a fact's name in a report


class Figure(NamedTuple):
    """A plot and what it shows."""

    plot: Plot
    caption: str


class Fact(NamedTuple):
    """A number that a study finds, and the range in which it is expected."""

    name: str
    value: float
    unit: str = ""
    low: float = -math.inf
    high: float = math.inf

    @property
    def met(self) -> bool:
        """Whether the value is within the range; a value that is no number is not."""
        return self.low <= self.value <= self.high

    @property
    def shown(self) -> str:
        """The value with its unit."""
        return f"{number(self.value, 4)} {self.unit}".strip()

    @property
    def expected(self) -> str:
        """The range in words."""
        low, high = number(self.low, 4), number(self.high, 4)
        if self.low == self.high:
            return low
        if math.isinf(self.low):
            return "" if math.isinf(self.high) else f"{high} or less"
        return f"{low} or more" if math.isinf(self.high) else f"{low} to {high}"


@verb
@dataclass(frozen=True, eq=False)
class Study:
    """The answer to one question about a mechanism.

    name, title
    asked       what was done
    reference   what others have measured or shown
    found       what the model shows
    missing     what it does not reproduce
    figures     plots with captions
    facts       numbers with the ranges in which they are expected; `met` where all are within

    .html, .save("study.html")    one page          .show()    opens it in the browser
    print(study)                  the facts
    """

    name: str
    title: str
    asked: str
    reference: str
    found: str
    missing: str
    figures: tuple[Figure, ...]
    facts: tuple[Fact, ...]

    def __post_init__(self) -> None:
        for name in ("asked", "reference", "found", "missing"):
            object.__setattr__(self, name, _paragraphs(getattr(self, name)))
        figures = tuple(Figure(f.plot, _paragraphs(f.caption)) for f in self.figures)
        object.__setattr__(self, "figures", figures)

    @property
    def met(self) -> bool:
        """Whether every fact is within its range."""
        return all(fact.met for fact in self.facts)

    @property
    def html(self) -> str:
        """One self-contained page, with cursors that read values in the figures."""
        return study_page.text(self)

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Write the page, .html, and return its path."""
        page.suffix_of(path, (".html",))
        return page.written(path, self.html)

    def show(self) -> Path:
        """Open the page in the browser, from a private temporary file whose path is returned."""
        return page.shown(f"{self.name}.html", self.html)

    def __getitem__(self, name: str) -> float:
        """The value of a fact."""
        values = {fact.name: fact.value for fact in self.facts}
        if name not in values:
            raise Error(f'there is no fact "{str(name)[:60]}"{near(str(name), values)}', where=self.name)
        return values[name]

    @property
    def report(self) -> dict[str, Any]:
        """The facts as a table of plain values."""
        rows = [{**fact._asdict(), "met": fact.met} for fact in self.facts]
        return {"study": self.name, "title": self.title, "met": self.met, "facts": rows}

    def __str__(self) -> str:
        width = max((len(fact.name) for fact in self.facts), default=0)
        lines = [self.title]
        for fact in self.facts:
            expected = f"   expected {fact.expected}" if fact.expected else ""
            mark = "" if fact.met else "   <-"
            lines.append(f"  {fact.name:<{min(width, WIDEST)}}  {fact.shown:>12}{expected}{mark}")
        return "\n".join(lines)

    def __repr__(self) -> str:
        unmet = sum(not fact.met for fact in self.facts)
        return f"Study({self.name}: {len(self.facts)} facts, {unmet or 'none'} out of range)"


def _paragraphs(text: str) -> str:
    """The text with single spaces, and an empty line between paragraphs."""
    return "\n\n".join(" ".join(part.split()) for part in text.split("\n\n"))
