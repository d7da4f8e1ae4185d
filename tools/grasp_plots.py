"""Draws the pictures of docs/virtual_mechanisms.md anew.

python tools/grasp_plots.py

The crank and the slider-crank of [Nahvi], figures 6 and 7, in a hand: the mechanism, the grasped frame, the
hand and the force on it; and the wrenches over a motion of the hand.
"""

import sys
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from page_pictures import Pictures

ROOT = Path(__file__).resolve().parent.parent
PICTURES = Pictures("virtual_mechanisms")
sys.path[:0] = [str(ROOT / "src")]

import hapsis as hs  # noqa: E402
from hapsis.view.plots import Plot  # noqa: E402
from hapsis.view.series import Panel, Series  # noqa: E402

WIDTH, HEIGHT = 640, 320
NEWTONS = 0.0026  # m of an arrow for each
STYLE = """<style>
svg { --ink: #1f2937; --link: #64748b; --frame: #d97706; --hand: #2563eb; --paper: #ffffff; }
@media (prefers-color-scheme: dark) {
svg { --ink: #e5e7eb; --link: #94a3b8; --frame: #fbbf24; --hand: #60a5fa; --paper: #111827; }
}
text { font: 14px sans-serif; fill: var(--ink); }
</style>"""


class Sketch(NamedTuple):
    """A drawing in the plane of x and z: parts as SVG."""

    parts: list[str]
    label: str

    def save(self, path: Path) -> Path:
        """Writes the picture."""
        head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img">'
        paper = f'<rect width="{WIDTH}" height="{HEIGHT}" fill="var(--paper)"/>'
        lines = [head, f"<title>{self.label}</title>", STYLE, paper, *self.parts, "</svg>", ""]
        path.write_text("\n".join(lines), encoding="utf-8")
        return path


class Pen:
    """Draws in metres, from a point of the plane at the middle of the picture."""

    def __init__(self, centre: tuple[float, float], scale: float) -> None:
        self.centre, self.scale, self.parts = centre, scale, list[str]()

    def at(self, point: Any) -> tuple[float, float]:
        """Pixels of a point."""
        x, z = point
        cx, cz = self.centre
        return WIDTH / 2 + self.scale * (x - cx), HEIGHT / 2 - self.scale * (z - cz)

    def line(self, a: Any, b: Any, width: float, colour: str, more: str = "") -> None:
        """A line with round ends."""
        (x1, y1), (x2, y2) = self.at(a), self.at(b)
        self.parts.append(
            f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="var(--{colour})" '
            f'stroke-width="{width}" stroke-linecap="round" {more}/>'
        )

    def disk(self, at: Any, radius: float, colour: str, text: str = "", side: float = 1.0) -> None:
        """A disk, and its name beside it."""
        x, y = self.at(at)
        self.parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius}" fill="var(--{colour})"/>')
        if text:
            anchor = "start" if side > 0 else "end"
            self.parts.append(
                f'<text x="{x + 16 * side:.1f}" y="{y - 10:.1f}" text-anchor="{anchor}">{text}</text>'
            )

    def arrow(self, at: Any, by: Any) -> None:
        """An arrow from a point."""
        at, by = np.array(at), np.array(by)
        side, size = np.array([-by[1], by[0]]) / np.linalg.norm(by), 6.0 / self.scale
        back = at + by - 2.0 * size * by / np.linalg.norm(by)
        self.line(at, back, 3, "hand")
        corners = (self.at(p) for p in (at + by, back + size * side, back - size * side))
        points = " ".join(f"{x:.1f},{y:.1f}" for x, y in corners)
        self.parts.append(f'<polygon points="{points}" fill="var(--hand)"/>')

    def ground(self, at: Any, width: float = 0.05) -> None:
        """A hatched line under a point."""
        x, z = at
        self.line((x - width, z), (x + width, z), 2, "ink")
        for k in np.arange(x - width, x + width, 0.01):
            self.line((k, z), (k - 0.006, z - 0.008), 1, "ink")


def held(model: Any, off: tuple[float, float]) -> tuple[dict[str, float], Any, Any]:
    """The outputs with the hand at rest beside the end of the crank; where the frame and the hand are."""
    tick = hs.haptics.grasp(model, "crank.end", 1e-3, kind="point", stiffness=300.0, iterations=4)
    start = {port.name: port.stand_in for port in tick.inputs}
    hand = np.array([start["hand.Tx.position"] + off[0], start["hand.Tz.position"] + off[1]])
    call, q = hs.compile(tick), start["q"]
    for _ in range(6):
        out = tick.outputs_by_name(call(q=q, **{"hand.Tx.position": hand[0], "hand.Tz.position": hand[1]}))
        q = out["q"]
    frame = hand - np.array([out["violation.x"], out["violation.z"]])
    return out, frame, hand


def _finished(pen: Pen, out: Any, frame: Any, hand: Any, label: str) -> Sketch:
    """With both disks and the force on the hand, opposite to that of the hand on the mechanism."""
    pen.line(frame, hand, 1.5, "hand", 'stroke-dasharray="4 4"')
    pen.arrow(hand, -NEWTONS * np.array([out["wrench.fx"], out["wrench.fz"]]))
    pen.disk(frame, 9, "frame", "grasped frame", -1.0)
    pen.disk(hand, 9, "hand", "hand")
    return Sketch(pen.parts, label)


@PICTURES.add
def crank() -> Sketch:
    """Figure 6: a crank, its end in the hand, and the hand beside it."""
    model = hs.Model(
        hs.Rod("crank", length=0.1, mass=0.2),
        hs.Revolute("turn", hs.WORLD, "crank", axis="-y"),
        poses={"start": {"turn": 0.9}},
    )
    out, frame, hand = held(model, (0.025, 0.02))
    pen = Pen((0.02, 0.045), 1700.0)
    pen.ground((0.0, -0.012), 0.03)
    pen.line((0.0, 0.0), frame, 16, "link")
    pen.disk((0.0, 0.0), 6, "ink")
    return _finished(pen, out, frame, hand, "A crank, the grasped frame and the hand")


@PICTURES.add
def slider_crank() -> Sketch:
    """Figure 7: a slider-crank, held at the end of the crank."""
    out, frame, hand = held(hs.library.slider_crank(angle=1.0), (0.025, 0.025))
    pen = Pen((0.16, 0.045), 1250.0)
    pin = np.array([out["slider"], 0.0])
    pen.ground((0.0, -0.014), 0.03)
    pen.ground((0.3, -0.02), 0.09)
    pen.line((0.0, 0.0), frame, 14, "link")
    pen.line(frame, pin, 10, "link")
    half = np.array([0.02, 0.0])
    pen.line(pin - half, pin + half, 36, "link", 'style="stroke-linecap: butt"')
    pen.disk((0.0, 0.0), 6, "ink")
    pen.disk(pin, 5, "ink")
    return _finished(pen, out, frame, hand, "A slider-crank, the grasped frame and the hand")


@PICTURES.add
def felt() -> Plot:
    """Once around with the slider-crank at 10 kHz, along a circle that is 5 mm too large."""
    rate, seconds = 10_000, 1.0
    tick = hs.haptics.grasp(hs.library.slider_crank(angle=0.5), "crank.end", 1 / rate, kind="point")
    t = np.linspace(0.0, seconds, 400)
    s = t / seconds
    angle = 0.5 + 2 * np.pi * s**3 * (10 - 15 * s + 6 * s**2)
    radius = 0.1 + 0.005 * np.sin(np.pi * s) ** 2
    x = np.stack([radius * np.cos(angle), 0.0 * t, radius * np.sin(angle)], axis=1)
    hand = hs.haptics.SimulatedHand(motion=(t, x), axes=["Tx", "Ty", "Tz"])
    loop = hs.realtime.Loop(tick, rate, paced=False, guard={"passive": False, "slew": 1e6}).connect(hand)
    report = loop.run(seconds).report()
    some = slice(100, None, 50)  # the first ticks are those of the low-pass
    turn = np.degrees(report["crank"][some])
    c, s = np.cos(np.radians(turn)), np.sin(np.radians(turn))
    along = c * report["dynamic.fz"][some] - s * report["dynamic.fx"][some]
    out = c * report["constraint.fx"][some] + s * report["constraint.fz"][some]
    lines = {"dynamic, along the circle": along, "constraint, outward": out}
    series = tuple(Series(name, np.round(turn, 2), np.round(y, 3)) for name, y in lines.items())
    return Plot((Panel(series, "force of the hand, N"),), "", "crank, °")


if __name__ == "__main__":
    PICTURES.write()
