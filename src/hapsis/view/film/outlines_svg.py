"""A motion as an SVG that moves: outlines of bodies on paper, without a script.

Each body is drawn as the outlines of its pieces, far ones first. Where a body turns only about the line of
sight, as all do in a planar mechanism, its outline is moved and turned; else the outline of every moment
is there. A planar mechanism moves smoothly between the moments, along straight lines and at constant rates;
others show one moment after the other.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from scipy.spatial import ConvexHull, QhullError

from hapsis.view.colours import BODIES, rgb
from hapsis.view.film.silhouettes import Array, Piece, pieces
from hapsis.view.film.table_drawing import table_drawing
from hapsis.view.page_text import coordinate, escaped
from hapsis.view.scene import Scene
from hapsis.view.skins import Skin

WIDTH, HEIGHT, MARGIN = 640, 420, 24  # px
MOMENTS = 160  # at most
RATE = 25  # moments a second, at most
DIRECTIONS = 36  # corners of a round outline
AZIMUTH, ELEVATION = np.radians(38.0), np.radians(20.0)  # of the view of a spatial mechanism
GROUND, METAL, RUBBER, LINE = "#b9b7b0", "#c9ccd1", "#3b3d41", "#8b8983"
STYLE = """.paper{fill:#f7f6f3}.title{font:600 15px system-ui,sans-serif;fill:#22252a}
polygon,polyline{stroke-linejoin:round;stroke-linecap:round}
@media (prefers-color-scheme:dark){.paper{fill:#16181c}.title{fill:#e8e6e1}}"""


class Layer(NamedTuple):
    """A piece of the body of that number (-1: the world) and its mean distance towards the viewer."""

    body: int
    piece: Piece
    color: Sequence[float]
    depth: float


def film_svg(scene: Scene) -> str:
    """The text of the picture; the scene is checked, and holds at most as many moments as are drawn."""
    drawing = table_drawing(scene) if scene.drawing is None else scene.drawing
    names = [body.name for body in scene.bodies]
    wanted = (
        range(len(names)) if scene.drawing is None else [names.index(b["name"]) for b in drawing["bodies"]]
    )
    poses = scene.poses[:, list(wanted)]
    paper = _Paper(drawing, poses, float(scene.times[-1] - scene.times[0]), scene.skins)
    layers = sorted(paper.layers, key=lambda layer: layer.depth)
    items = [paper.drawn(layer) for layer in layers] + [paper.connection(c) for c in drawing["connections"]]
    items += [paper.skin(skin, k) for k, skin in enumerate(scene.skins)]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img">'
        f"<title>{escaped(scene.title)}</title><style>{STYLE}</style>"
        f'<rect class="paper" width="{WIDTH}" height="{HEIGHT}"/>'
        f'<text class="title" x="16" y="26">{escaped(scene.title, 60)}</text>{"".join(items)}</svg>\n'
    )


def moments(scene: Scene) -> int:
    """How many moments of a motion are drawn."""
    duration = float(scene.times[-1] - scene.times[0])
    return int(np.clip(round(duration * RATE), 2, MOMENTS))


class _Paper:
    """A flat view of a drawing at all moments, and the scale that lets everything fit."""

    def __init__(
        self, drawing: Mapping[str, Any], poses: Array, duration: float, skins: Sequence[Skin] = ()
    ) -> None:
        self.skins = skins
        self.drawing = drawing
        self.places, self.turns = poses[:, :, :3], _matrices(poses[:, :, 3:])
        self.axes = _axes(drawing)  # rows: right, up, towards the viewer
        self.flat = [self._turns_flat(k) for k in range(poses.shape[1])]
        mode = "linear" if all(self.flat) else "discrete"  # one for all, so that nothing comes apart
        self.timing = f'dur="{duration:.3f}s" repeatCount="indefinite" calcMode="{mode}"'
        u = np.pi * 2.0 * np.arange(DIRECTIONS) / DIRECTIONS
        self.ways = np.stack([np.cos(u), np.sin(u)], 1)
        self.layers = self._layers()
        self.scale, self.middle = self._fit()

    def _layers(self) -> list[Layer]:
        """Every piece of every body and of the world; those of a shape lie over each other in their order."""
        found = []
        for k, body in [(-1, self.drawing["world"]), *enumerate(self.drawing["bodies"])]:
            for shape in body["shapes"]:
                parts = pieces(shape, self.drawing["meshes"])
                if shape["kind"] == "outline" and self._faces(k, parts[-1].corners):
                    parts = parts[-1:]  # no more is seen
                if parts:
                    depth = self._depth(k, np.concatenate([piece.corners for piece in parts]))
                    found += [Layer(k, piece, piece.color or body["color"], depth) for piece in parts]
        return found

    def _faces(self, body: int, corners: Array) -> bool:
        """Whether a flat piece is always seen straight from the front or from behind."""
        depths = self._seen(body, corners)[..., 2]
        return bool(np.ptp(depths, axis=-1).max() < 1e-6 * max(float(np.ptp(corners)), 1e-12))

    def _depth(self, body: int, corners: Array) -> float:
        """How near a shape is: its front in a planar mechanism, whose layers do not mix, else its middle."""
        depths = self._seen(body, corners)[..., 2]
        return float(depths.max() if self.drawing["planar"] else depths.mean())

    def drawn(self, layer: Layer) -> str:
        """A piece as an element that moves."""
        paint = _paint(layer)
        if layer.body >= 0 and self.flat[layer.body]:
            return self._moved(layer, paint)
        outlines = [self._paper(outline) for outline in self._outline(layer.body, layer.piece)]
        return self._frames(outlines, layer.piece.line, paint)

    def connection(self, connection: Mapping[str, Any]) -> str:
        """A spring, a damper or a rod between its two ends at each moment."""
        ends = [self._paper(self._seen(e["body"], np.asarray(e["at"], float))) for e in connection["ends"]]
        first, second = np.broadcast_arrays(*ends)
        radius, kind = self.scale * connection["radius"], connection["kind"]
        way = second - first
        length = np.maximum(np.linalg.norm(way, axis=1, keepdims=True), 1e-9)
        across = np.stack([-way[:, 1], way[:, 0]], 1) / length
        if kind in ("spring", "strut"):
            count = 2 * int(connection["turns"])
            parts = np.concatenate([[0.0], 0.12 + 0.76 * np.arange(count + 1) / count, [1.0]])
            swing = np.array([0.0, 0.0, *((-1.0) ** k * radius for k in range(1, count)), 0.0, 0.0])
            points = first[:, None] + parts[:, None] * way[:, None] + swing[:, None] * across[:, None]
            return self._frames(list(points), True, 'fill="none" stroke="#6b7686" stroke-width="2"')
        thick = {"rod": 2 * radius, "cord": 1.2, "damper": 1.4 * radius}.get(kind, 2.0)
        color = METAL if kind == "rod" else LINE
        paint = f'fill="none" stroke="{color}" stroke-width="{coordinate(max(thick, 1.0))}"'
        return self._frames(list(np.stack([first, second], 1)), True, paint)

    def _turns_flat(self, k: int) -> bool:
        """Whether a body turns about the line of sight only."""
        back = self.axes[2]
        here = np.einsum("fij,j->fi", self.turns[:, k], self.turns[0, k].T @ back)
        return bool(np.abs(here - back).max() < 1e-6)

    def _seen(self, body: int, points: Array) -> Array:
        """Points of a body at all moments: right, up, towards the viewer."""
        if body < 0:
            return (points @ self.axes.T)[None]
        world = np.einsum("fij,...j->f...i", self.turns[:, body], points)
        shift = self.places[:, body].reshape(-1, *(1,) * (points.ndim - 1), 3)
        return (world + shift) @ self.axes.T

    def _outline(self, body: int, piece: Piece) -> list[Array]:
        """The outline at all moments, in metres; a line is its own."""
        seen = self._seen(body, piece.corners)[..., :2]
        if piece.line or piece.face:
            return list(seen)
        if body < 0 or self.flat[body]:
            return [self._hull(seen[0], piece.radius)]
        return [self._hull(points, piece.radius) for points in seen]

    def _hull(self, points: Array, radius: float) -> Array:
        """The corners of the convex hull; with a radius, of that of circles, as seen from all sides."""
        if not radius:
            try:
                return points[ConvexHull(points).vertices]
            except QhullError:
                pass  # seen edge on: a line
        farthest = np.argmax(points @ self.ways.T, axis=0)
        return points[farthest] + radius * self.ways

    def _fit(self) -> tuple[float, Array]:
        lows, highs = [np.full(2, -1e-6)], [np.full(2, 1e-6)]
        for layer in self.layers:
            seen = self._seen(layer.body, layer.piece.corners)[..., :2].reshape(-1, 2)
            lows.append(seen.min(axis=0) - layer.piece.radius)
            highs.append(seen.max(axis=0) + layer.piece.radius)
        for skin in self.skins:
            seen = (skin.points @ self.axes.T)[..., :2].reshape(-1, 2)
            lows.append(seen.min(axis=0))
            highs.append(seen.max(axis=0))
        start = 1 if len(lows) > 1 else 0
        low, high = np.min(lows[start:], axis=0), np.max(highs[start:], axis=0)
        room = np.array([WIDTH - 2 * MARGIN, HEIGHT - 2 * MARGIN - 20.0])
        return float(np.min(room / np.maximum(high - low, 1e-9))), (low + high) / 2

    def skin(self, skin: Skin, number: int) -> str:
        """A surface that deforms, as the convex outline of its points at every moment."""
        places = self._paper(skin.points @ self.axes.T)
        outlines = [flat[ConvexHull(flat).vertices] for flat in places]
        return self._frames(outlines, False, _paint_of(skin.color or BODIES[number % len(BODIES)]))

    def _paper(self, seen: Array) -> Array:
        """Pixels of points that are seen."""
        away = (seen[..., :2] - self.middle) * self.scale
        return np.stack([WIDTH / 2 + away[..., 0], HEIGHT / 2 + 10.0 - away[..., 1]], axis=-1)

    def _frames(self, outlines: Sequence[Array], line: bool, paint: str) -> str:
        """An element whose points, in pixels, are given for every moment."""
        most = max(len(outline) for outline in outlines)
        # as many points at every moment: browsers mix lists of other lengths
        padded = [np.concatenate([o, np.repeat(o[-1:], most - len(o), axis=0)]) for o in outlines]
        tag, texts = "polyline" if line else "polygon", [_points(outline) for outline in padded]
        if len({*texts}) < 2:
            return f'<{tag} {paint} points="{texts[0]}"/>'
        moves = f'<animate attributeName="points" {self.timing} values="{";".join(texts)}"/>'
        return f'<{tag} {paint} points="{texts[0]}">{moves}</{tag}>'

    def _moved(self, layer: Layer, paint: str) -> str:
        """A piece that is moved and turned as a whole about the origin of its body."""
        k = layer.body
        outline = self._outline(k, layer.piece)[0] - self._seen(k, np.zeros(3))[0, :2]
        pixels = np.stack([self.scale * outline[:, 0], -self.scale * outline[:, 1]], 1)
        element = self._frames([pixels], layer.piece.line, paint)
        places = self._paper(self._seen(k, np.zeros(3)))
        right = np.einsum("fij,j->fi", self.turns[:, k], self.turns[0, k].T @ self.axes[0]) @ self.axes.T
        angles = -np.degrees(np.unwrap(np.arctan2(right[:, 1], right[:, 0])))
        start = f'transform="translate({_pair(places[0])})"'
        if len(places) < 2 or (np.ptp(places, axis=0).max() < 0.01 and np.ptp(angles) < 0.01):
            return f"<g {start}>{element}</g>"
        move = self._transform("translate", [_pair(p) for p in places])
        turn = self._transform("rotate", [coordinate(a) for a in angles])
        return f"<g {start}>{move}<g>{turn}{element}</g></g>"

    def _transform(self, kind: str, values: Sequence[str]) -> str:
        listed = ";".join(values)
        return f'<animateTransform attributeName="transform" type="{kind}" {self.timing} values="{listed}"/>'


def _paint(layer: Layer) -> str:
    piece, (r, g, b) = layer.piece, (round(255 * x) for x in layer.color)
    own = GROUND if layer.body < 0 else f"#{r:02x}{g:02x}{b:02x}"
    if piece.line:
        return f'fill="none" stroke="{LINE if layer.body < 0 else own}" stroke-width="1.2"'
    if piece.color is not None:
        own = f"#{r:02x}{g:02x}{b:02x}"
    plain = {"metal": METAL, "rubber": RUBBER, "ground": GROUND}.get(piece.substance, own)
    fill = own if piece.substance == "metal" and piece.color is not None else plain
    opacity = ' fill-opacity="0.25"' if piece.substance == "glass" else ""
    if piece.radius and len(piece.corners) > 1:
        return (
            f'fill="{fill}"{opacity} stroke="{fill}" stroke-width="0.6"'  # a rod of many parts has no seams
        )
    return f'fill="{fill}"{opacity} stroke="#000" stroke-opacity="0.22" stroke-width="0.8"'


def _paint_of(color: Any) -> str:
    r, g, b = (round(255 * x) for x in rgb(color, "skin"))
    return f'fill="#{r:02x}{g:02x}{b:02x}" stroke="#000" stroke-opacity="0.22" stroke-width="0.8"'


def _axes(drawing: Mapping[str, Any]) -> Array:
    """Right, up and towards the viewer: the side view of a planar mechanism, else one from a little above."""
    up, side = (np.asarray(drawing[n], float) / np.linalg.norm(drawing[n]) for n in ("up", "side"))
    if drawing["planar"]:
        back = side
    else:
        right = np.cross(up, side)
        level = np.cos(AZIMUTH) * side + np.sin(AZIMUTH) * right
        back = np.cos(ELEVATION) * level + np.sin(ELEVATION) * up
    right = np.cross(up, back)
    right /= np.linalg.norm(right)
    return np.stack([right, np.cross(back, right), back])


def _matrices(q: Array) -> Array:
    w, x, y, z = np.moveaxis(q, -1, 0)
    rows = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ]
    return np.stack([np.stack(row, axis=-1) for row in rows], axis=-2)


def _pair(p: Any) -> str:
    return f"{coordinate(p[0])} {coordinate(p[1])}"


def _points(points: Array) -> str:
    return " ".join(f"{coordinate(x)},{coordinate(y)}" for x, y in points.tolist())
