"""A state machine as a picture: states in a row, arrows above to the right and below to the left."""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from hapsis.view import page
from hapsis.view.page_text import coordinate, escaped, plain

LETTER, SMALL_LETTER = 7.4, 6.2  # widths of a letter, about
LINE = 16
BOX_HEIGHT, BOX_LEAST = 46.0, 96.0
GAP = 56.0  # between two boxes, at least
LEVEL = 26.0  # the height of an arrow without its label
MARGIN = 28.0
LONGEST = 44  # letters of a line

STYLE = """
.hapsis-states { font: 13px system-ui, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; }
.hapsis-states .paper { fill: #ffffff; } .hapsis-states text { fill: #1d2530; text-anchor: middle; }
.hapsis-states .state { fill: #f1f5fa; stroke: #2563a8; stroke-width: 1.5; }
.hapsis-states text { paint-order: stroke; stroke: #ffffff; stroke-width: 5px; stroke-linejoin: round; }
.hapsis-states .name { stroke: none; font-size: 14px; font-weight: 600; }
.hapsis-states .event { font-weight: 600; } .hapsis-states .quiet { font-size: 11.5px; fill: #56606e; }
.hapsis-states .arrow { fill: none; stroke: #56606e; stroke-width: 1.4; }
.hapsis-states .tip { fill: #56606e; }
@media (prefers-color-scheme: dark) {
.hapsis-states .paper { fill: #14181d; } .hapsis-states text { fill: #eef1f5; }
.hapsis-states text { stroke: #14181d; } .hapsis-states .name { stroke: none; }
.hapsis-states .state { fill: #1e2733; stroke: #7db4ee; } .hapsis-states .quiet { fill: #a3adb9; }
.hapsis-states .arrow { stroke: #a3adb9; } .hapsis-states .tip { fill: #a3adb9; }
}
"""


class Arrow(NamedTuple):
    """An arrow between two states by their numbers: its name, and lines of small text."""

    before: int
    after: int
    name: str
    lines: tuple[str, ...] = ()

    @property
    def ends(self) -> tuple[int, int]:
        """The numbers of both states."""
        return self.before, self.after

    @property
    def texts(self) -> list[tuple[str, str]]:
        """The class and the text of each line of its label."""
        return [("event", plain(self.name, LONGEST)), *(("quiet", plain(x, LONGEST)) for x in self.lines)]

    @property
    def width(self) -> float:
        """About how wide the label is."""
        return max(len(text) * (LETTER if kind == "event" else SMALL_LETTER) for kind, text in self.texts)

    @property
    def height(self) -> float:
        """How high the label is."""
        return LINE * len(self.texts)


@dataclass(frozen=True)
class StateDiagram:
    """The picture of a state machine: `.svg`, `.save("x.svg")` or .html, `.show()`.

    start    the number of the state that it begins in
    """

    states: tuple[str, ...]
    arrows: tuple[Arrow, ...]
    start: int = 0
    title: str = ""

    @property
    def svg(self) -> str:
        """The picture as SVG text, in light and dark colours by the reader's setting."""
        return _picture(self)

    @property
    def html(self) -> str:
        """One self-contained page."""
        body = f"<main>{self.svg}</main>"
        return page.page(self.title or "States", body, [page.client("plot.css"), STYLE], [])

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Writes the picture as .svg or .html and returns the path."""
        suffix = page.suffix_of(path, (".html", ".svg"))
        return page.written(path, self.html if suffix == ".html" else _standalone(self.svg))

    def show(self) -> Path:
        """Opens the page in the browser and returns its file."""
        return page.shown("states.html", self.html)

    def _repr_html_(self) -> str:
        return _standalone(self.svg)

    def __repr__(self) -> str:
        return f"StateDiagram({len(self.states)} states, {len(self.arrows)} arrows)"


def _standalone(svg: str) -> str:
    """The picture with its own style."""
    head, _, rest = svg.partition(">")
    return f"{head}><style>{STYLE}</style>{rest}"


class _Box(NamedTuple):
    """A state in the picture: its centre, and half its width."""

    x: float
    half: float


def _boxes(diagram: StateDiagram) -> list[_Box]:
    """The states in a row, as far apart as the labels between them need."""
    halves = [0.5 * max(BOX_LEAST, 34.0 + LETTER * len(plain(name, LONGEST))) for name in diagram.states]
    loops = [
        max((0.5 * a.width for a in diagram.arrows if a.before == a.after == k), default=0.0)
        for k in range(len(halves))
    ]
    boxes: list[_Box] = []
    x = 2 * MARGIN + max(halves[0], loops[0])
    for k, half in enumerate(halves):
        if k:
            between = [a.width for a in diagram.arrows if {a.before, a.after} == {k - 1, k}]
            sides = max(halves[k - 1], loops[k - 1]) + max(half, loops[k]) + GAP
            x += max(sides, max(between, default=0.0) + 24.0)
        boxes.append(_Box(x, half))
    return boxes


def _is_above(diagram: StateDiagram, k: int) -> bool:
    """Whether an arrow runs above the row: those to the right do, and every other loop of a state."""
    arrow = diagram.arrows[k]
    if arrow.before != arrow.after:
        return arrow.after > arrow.before
    return sum(a.ends == arrow.ends for a in diagram.arrows[:k]) % 2 == 0


def _levels(diagram: StateDiagram, boxes: Sequence[_Box], above: bool) -> tuple[dict[int, float], float]:
    """How high above (or below) the row each arrow of one side runs, and the height of all."""
    mine = [k for k in range(len(diagram.arrows)) if _is_above(diagram, k) == above]
    spans = {}
    for k in mine:
        a = diagram.arrows[k]
        centre = 0.5 * (boxes[a.before].x + boxes[a.after].x)
        reach = max(0.5 * abs(boxes[a.before].x - boxes[a.after].x), 0.5 * a.width + 6.0)
        spans[k] = centre - reach, centre + reach
    tops: dict[int, float] = {}
    for k in sorted(mine, key=lambda k: (spans[k][1] - spans[k][0], k)):
        under = [
            tops[j] + diagram.arrows[j].height
            for j in tops
            if spans[j][0] < spans[k][1] and spans[k][0] < spans[j][1]
        ]
        tops[k] = max(under, default=0.0) + LEVEL
    return tops, max((tops[k] + diagram.arrows[k].height for k in tops), default=0.0)


def _picture(diagram: StateDiagram) -> str:
    boxes = _boxes(diagram)
    up, top = _levels(diagram, boxes, True)
    down, bottom = _levels(diagram, boxes, False)
    head = 30.0 if diagram.title else 0.0
    row = MARGIN + head + top + 0.5 * BOX_HEIGHT
    reach = [0.5 * a.width + 0.5 * (boxes[a.before].x + boxes[a.after].x) for a in diagram.arrows]
    width = max([boxes[-1].x + boxes[-1].half, *reach]) + 1.5 * MARGIN
    height = row + 0.5 * BOX_HEIGHT + bottom + MARGIN
    parts: list[str] = []
    labels: list[str] = []  # above all lines
    if diagram.title:
        parts.append(_text("name", 0.5 * width, MARGIN + 2.0, diagram.title))
    first = boxes[diagram.start]
    if diagram.start == 0:
        x = first.x - first.half
        parts += [_disc(x - 34.0, row), _path([(x - 34.0, row), (x - 7.0, row)]), _tip(x, row, 1.0, 0.0)]
    for k, arrow in enumerate(diagram.arrows):
        sign = -1.0 if k in up else 1.0
        lines, label = _arrow(arrow, k, diagram, boxes, row, sign, up.get(k, down.get(k, 0.0)))
        parts += lines
        labels += label
    for name, box in zip(diagram.states, boxes, strict=True):
        x, y = coordinate(box.x - box.half), coordinate(row - 0.5 * BOX_HEIGHT)
        parts.append(
            f'<rect class="state" x="{x}" y="{y}" '
            f'width="{coordinate(2 * box.half)}" height="{coordinate(BOX_HEIGHT)}" rx="12"/>'
        )
        parts.append(_text("name", box.x, row + 5.0, name))
    about = escaped(f"{diagram.title or 'States'}: {', '.join(diagram.states)}", 400)
    w, h = coordinate(width), coordinate(height)
    return (
        f'<svg class="hapsis-states" xmlns="http://www.w3.org/2000/svg" width="{w}" height="{h}" '
        f'viewBox="0 0 {w} {h}" role="img" aria-label="{about}">'
        f'<rect class="paper" width="{w}" height="{h}"/>' + "".join([*parts, *labels]) + "</svg>"
    )


def _arrow(
    arrow: Arrow, k: int, diagram: StateDiagram, boxes: Sequence[_Box], row: float, sign: float, level: float
) -> tuple[list[str], list[str]]:
    """One arrow, out of a box, along its level, into the other; and its label."""
    edge = row + sign * 0.5 * BOX_HEIGHT
    y = edge + sign * level
    a, b = (_port(diagram, boxes, k, end) for end in (0, 1))
    bend = min(12.0, 0.5 * abs(b - a), level)
    turn = bend if b >= a else -bend
    corner, left, right = (coordinate(v) for v in (y - sign * bend, a + turn, b - turn))
    out, into, along, near = (coordinate(v) for v in (a, b, y, edge + sign * 7.0))
    points = (
        f"M{out} {coordinate(edge)}V{corner}Q{out} {along} {left} {along}"
        f"H{right}Q{into} {along} {into} {corner}V{near}"
    )
    return [f'<path class="arrow" d="{points}"/>', _tip(b, edge, 0.0, -sign)], _label(
        arrow, 0.5 * (a + b), y, sign
    )


def _label(arrow: Arrow, x: float, y: float, sign: float) -> list[str]:
    """The lines of text beyond an arrow that runs at y."""
    first = y - arrow.height + LINE - 6.0 if sign < 0 else y + LINE
    return [_text(kind, x, first + LINE * j, text) for j, (kind, text) in enumerate(arrow.texts)]


def _port(diagram: StateDiagram, boxes: Sequence[_Box], k: int, end: int) -> float:
    """Where an arrow leaves (0) or enters (1) its box: all of one side share its edge."""
    arrow = diagram.arrows[k]
    state, above = arrow.ends[end], _is_above(diagram, k)
    here: list[tuple[float, float, int, int]] = []
    for j, a in enumerate(diagram.arrows):
        if _is_above(diagram, j) == above:
            # arrows to the left leave on the left; of a loop the way out is left of the way in, and a loop
            # with a wide label goes around those with narrow ones
            loop = a.before == a.after
            here += [
                (boxes[a.ends[1 - e]].x + (e - 0.5) * loop, (2 * e - 1) * loop * a.width, j, e)
                for e in (0, 1)
                if a.ends[e] == state
            ]
    here.sort()
    place = next(i for i, (_, _, j, e) in enumerate(here) if (j, e) == (k, end))
    box = boxes[state]
    return box.x + box.half * 1.5 * ((place + 0.5) / len(here) - 0.5)


def _text(kind: str, x: float, y: float, text: str) -> str:
    return f'<text class="{kind}" x="{coordinate(x)}" y="{coordinate(y)}">{escaped(text, LONGEST)}</text>'


def _disc(x: float, y: float) -> str:
    return f'<circle class="tip" cx="{coordinate(x)}" cy="{coordinate(y)}" r="5"/>'


def _path(points: Sequence[tuple[float, float]]) -> str:
    text = "L".join(f"{coordinate(x)} {coordinate(y)}" for x, y in points)
    return f'<path class="arrow" d="M{text}"/>'


def _tip(x: float, y: float, dx: float, dy: float) -> str:
    """The tip of an arrow that points along (dx, dy) at (x, y)."""
    back = x - 9.0 * dx, y - 9.0 * dy
    sides = [(back[0] + s * 4.0 * dy, back[1] + s * 4.0 * dx) for s in (1.0, -1.0)]
    text = " ".join(f"{coordinate(a)},{coordinate(b)}" for a, b in [(x, y), *sides])
    return f'<polygon class="tip" points="{text}"/>'
