"""A scene as two texts for a page: a table in JSON, and all large arrays in base64."""

import base64
import hashlib
import json
from typing import Any

import numpy as np

from hapsis.errors import Error
from hapsis.view import decimation as thinning
from hapsis.view.colours import ARROWS, BODIES, STILL, rgb
from hapsis.view.page_text import plain
from hapsis.view.scene import Arrows, Drawn, Scene

COLUMNS = 800  # of the plots in the page
LARGEST = 400_000_000  # bytes in one page; browsers refuse texts much longer


class Store:
    """Arrays one after the other, little-endian, each starting at a multiple of 8 bytes."""

    def __init__(self) -> None:
        self.parts: list[bytes] = []
        self.size = 0

    def add(self, values: Any, kind: str) -> dict[str, Any]:
        """Where the values lie: {at, count, kind}; the kinds are f4, f8, u4."""
        raw = np.ascontiguousarray(values, dtype=f"<{kind}").tobytes()
        place = {"at": self.size, "count": len(raw) // int(kind[1]), "kind": kind}
        self.parts += [raw, bytes(-len(raw) % 8)]
        self.size += len(raw) + -len(raw) % 8
        if self.size > LARGEST:
            raise Error(
                f"the scene is too large for one page: over {LARGEST // 1_000_000} MB",
                remedy="ask for fewer frames, player(scene, frames=500), or draw fewer bodies",
            )
        return place

    def base64(self) -> str:
        """All of them as one text."""
        return base64.b64encode(b"".join(self.parts)).decode()


def packed(scene: Scene, full: Scene) -> dict[str, str]:
    """The texts by element id; `full` is the scene before frames were left out, for its series."""
    store = Store()
    still = np.ptp(scene.poses, axis=0).max(axis=1, initial=0.0) == 0.0  # (nb,)
    meshes = _Meshes(store)
    table = {
        "title": plain(scene.title),
        "notes": plain_lines(scene.notes),
        "up": [float(x) for x in scene.up],
        "times": store.add(scene.times, "f8"),
        "still": store.add(scene.poses[0, still], "f4"),
        "moving": store.add(scene.poses[:, ~still], "f4"),
        "bodies": [
            _body(body, bool(fixed), k, meshes)
            for k, (body, fixed) in enumerate(zip(scene.bodies, still, strict=True))
        ],
        "arrows": _packed_arrows(scene.arrows, store),
        "series": [_series(full, name, store) for name in full.series],
        "meshes": meshes.table,
    }
    text = json.dumps(table, allow_nan=False, ensure_ascii=False)
    return {"scene": text.replace("<", "\\u003c"), "arrays": store.base64()}


def plain_lines(text: str) -> str:
    """Notes keep their line breaks and nothing else that is not printable."""
    return "\n".join(plain(line, 2000) for line in str(text).splitlines()[:100])


def _body(body: Drawn, still: bool, index: int, meshes: "_Meshes") -> dict[str, Any]:
    chosen = STILL if still else BODIES[index % len(BODIES)]
    color = body.color or rgb(chosen, "body")
    return {
        "name": plain(body.name, 60),
        "still": still,
        "color": color,
        "trail": [float(x) for x in body.trail],
        "shapes": [_shape(shape, meshes) for shape in body.shapes],
    }


def _shape(shape: Any, meshes: "_Meshes") -> dict[str, Any]:
    kind = shape["type"]
    entry = {"type": kind, "at": shape["at"].tolist(), "quaternion": shape["quaternion"].tolist()}
    if shape["color"] is not None:
        entry["color"] = shape["color"]
    if kind == "box":
        entry["size"] = shape["size"].tolist()
    elif kind == "line":
        entry["points"] = shape["points"].tolist()
    elif kind == "mesh":
        entry["mesh"] = meshes.index(shape["vertices"], shape["triangles"])
    elif kind == "heightfield":
        entry |= {"type": "mesh", "mesh": meshes.index(*_ground(shape))}
    else:
        entry |= {name: shape[name] for name in ("radius", "length") if name in shape}
    return entry


def _ground(shape: Any) -> tuple[np.ndarray, np.ndarray]:
    """A field of heights as triangles, two for each square, seen from above anticlockwise."""
    x, y, heights = shape["x"], shape["y"], shape["heights"]
    grid = np.stack([*np.meshgrid(x, y, indexing="ij"), heights], axis=-1).reshape(-1, 3)
    number = np.arange(len(grid)).reshape(heights.shape)
    a, b = number[:-1, :-1].ravel(), number[1:, :-1].ravel()
    c, d = number[1:, 1:].ravel(), number[:-1, 1:].ravel()
    return grid, np.concatenate([np.stack([a, b, c], 1), np.stack([a, c, d], 1)])


class _Meshes:
    """Meshes in the page, each stored once, however many bodies use it."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.table: list[dict[str, Any]] = []
        self.known: dict[bytes, int] = {}

    def index(self, vertices: np.ndarray, triangles: np.ndarray) -> int:
        digest = hashlib.sha256(vertices.tobytes() + b"|" + triangles.tobytes()).digest()
        if digest not in self.known:
            # corners at one place become one vertex, so that light can run over edges
            merged, inverse = np.unique(vertices.astype("<f4"), axis=0, return_inverse=True)
            corners = inverse.reshape(-1)[triangles]
            proper = (corners != np.roll(corners, 1, axis=1)).all(axis=1)
            self.known[digest] = len(self.table)
            place = {
                "vertices": self.store.add(merged, "f4"),
                "triangles": self.store.add(corners[proper], "u4"),
            }
            self.table.append(place)
        return self.known[digest]


def _packed_arrows(arrows: list[Arrows] | Any, store: Store) -> list[dict[str, Any]]:
    """Points and vectors; the vectors of one unit share one length scale, given by `typical`."""
    units = list(dict.fromkeys(arrow.unit for arrow in arrows))
    typical = {}
    for unit in units:
        sizes = [np.linalg.norm(a.vectors, axis=1) for a in arrows if a.unit == unit]
        sizes = np.concatenate(sizes)
        sizes = sizes[sizes > 0]
        typical[unit] = float(np.quantile(sizes, 0.9)) if len(sizes) else 1.0
    return [
        {
            "name": plain(arrow.name, 60),
            "unit": plain(arrow.unit, 20),
            "typical": typical[arrow.unit],
            "color": rgb(ARROWS[units.index(arrow.unit) % len(ARROWS)], "arrows"),
            "points": store.add(arrow.points, "f4"),
            "vectors": store.add(arrow.vectors / typical[arrow.unit], "f4"),
        }
        for arrow in arrows
    ]


def _series(full: Scene, name: str, store: Store) -> dict[str, Any]:
    """A series with its own times: what the pixels of a plot can show, extremes kept."""
    values = full.series[name]
    indices = thinning.along(full.times, values, COLUMNS)
    # a gap is a NaN between two points
    runs = thinning.runs(indices, values)
    t = [np.append(full.times[run], full.times[run[-1]]) for run in runs]
    y = [np.append(values[run], np.nan) for run in runs]
    return {
        "name": plain(name, 60),
        "unit": plain(full.units.get(name, ""), 20),
        "times": store.add(np.concatenate(t) if t else [], "f8"),
        "values": store.add(np.concatenate(y) if y else [], "f8"),
    }
