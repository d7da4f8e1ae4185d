"""Maps: a number over two others as coloured cells, with the colours explained above them."""

from dataclasses import dataclass

import numpy as np

from hapsis.view.page_text import coordinate, escaped, plain

# dark violet to yellow, evenly in brightness, read also without seeing red or green
COLOURS = ((68, 1, 84), (59, 82, 139), (33, 145, 140), (94, 201, 98), (253, 231, 37))
SAMPLES = 24  # steps of the colour bar
BAR = 168  # its width


@dataclass(frozen=True, eq=False)
class HeatMap:
    """Cells of a panel: `values[j, k]` from x[k] to x[k + 1] and y[j] to y[j + 1]; NaN is left empty.

    centres   (x, y) of the cells, as they were given
    """

    name: str
    x: np.ndarray
    y: np.ndarray
    values: np.ndarray
    centres: tuple[np.ndarray, np.ndarray]

    @property
    def ends(self) -> tuple[float, float]:
        """The least and the largest value; 0 and 0 where there is none."""
        finite = self.values[np.isfinite(self.values)]
        return (float(finite.min()), float(finite.max())) if len(finite) else (0.0, 0.0)


def heat_map(name: str, x: np.ndarray, y: np.ndarray, values: np.ndarray) -> HeatMap:
    """The map of values[j, k] at x[k], y[j], which increase; edges lie halfway between neighbours."""
    return HeatMap(name, _edges(x), _edges(y), values, (x, y))


def _edges(centres: np.ndarray) -> np.ndarray:
    if len(centres) == 1:
        room = 0.5 * abs(centres[0]) or 0.5
        return np.array([centres[0] - room, centres[0] + room])
    inner = centres[:-1] / 2 + centres[1:] / 2
    first, last = centres[0] - (inner[0] - centres[0]), centres[-1] + (centres[-1] - inner[-1])
    return np.concatenate([[first], inner, [last]])


def colour(part: float) -> str:
    """The colour at a part, from 0 to 1, of the way from the least to the largest value."""
    place = min(max(part, 0.0), 1.0) * (len(COLOURS) - 1)
    k = min(int(place), len(COLOURS) - 2)
    mixed = [a + (place - k) * (b - a) for a, b in zip(COLOURS[k], COLOURS[k + 1], strict=True)]
    return "#" + "".join(f"{round(c):02x}" for c in mixed)


def cells(drawing: HeatMap, px: list[float], py: list[float]) -> list[str]:
    """The cells as rectangles between pixels px and py; each tells its value under the pointer."""
    low, high = drawing.ends
    span, parts = (high / 2 - low / 2) or 1.0, []
    x, y = drawing.centres
    for j, k in np.argwhere(np.isfinite(drawing.values)).tolist():
        value = float(drawing.values[j, k])
        place = f'x="{coordinate(px[k])}" y="{coordinate(py[j + 1])}"'
        size = f'width="{coordinate(px[k + 1] - px[k])}" height="{coordinate(py[j] - py[j + 1])}"'
        fill = colour((value / 2 - low / 2) / span)
        text = escaped(f"{drawing.name} = {value:.6g} at {x[k]:.6g}, {y[j]:.6g}")
        parts.append(
            f'<rect shape-rendering="crispEdges" fill="{fill}" {place} {size}><title>{text}</title></rect>'
        )
    return parts


def colour_bar(drawing: HeatMap, left: float, base: float) -> list[str]:
    """The name of what is drawn, its least value, the colours and its largest value, in one line."""
    low, high = (f"{x:.4g}".replace("-", "−") for x in drawing.ends)
    text = f"{plain(drawing.name, 60)}   {low}"
    start, step = left + 6.9 * len(text) + 8, BAR / SAMPLES
    parts = [f'<text x="{coordinate(left)}" y="{coordinate(base)}">{escaped(text, 90)}</text>']
    for k in range(SAMPLES):
        place = f'x="{coordinate(start + k * step)}" y="{coordinate(base - 10)}"'
        fill = colour(k / (SAMPLES - 1))
        parts.append(f'<rect fill="{fill}" {place} width="{coordinate(step)}" height="12"/>')
    empty = "" if np.isfinite(drawing.values).all() else "   (empty: no value)"
    end = coordinate(start + BAR + 8)
    return [*parts, f'<text x="{end}" y="{coordinate(base)}">{escaped(high + empty)}</text>']
