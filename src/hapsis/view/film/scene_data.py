"""A scene as two texts for a page: a table in JSON, and all large arrays in base64."""

import json
from typing import Any

import numpy as np

from hapsis.view.colours import ARROWS, rgb
from hapsis.view.film.series_data import packed_series
from hapsis.view.film.store import Store
from hapsis.view.film.table_drawing import table_drawing
from hapsis.view.page_text import plain
from hapsis.view.scene import Arrows, Scene


def packed(scene: Scene, full: Scene) -> dict[str, str]:
    """The texts by element id; `full` is the scene before frames were left out, for its series."""
    store = Store()
    drawing = table_drawing(scene) if scene.drawing is None else scene.drawing
    names = [body.name for body in scene.bodies]
    # a model's drawing has the world apart from its bodies
    rows = (
        list(range(len(names)))
        if scene.drawing is None
        else [names.index(b["name"]) for b in drawing["bodies"]]
    )
    poses = scene.poses[:, rows]
    still = np.ptp(poses, axis=0).max(axis=1, initial=0.0) == 0.0  # (nb,)
    table = {
        "title": plain(scene.title),
        "notes": plain_lines("\n".join([scene.notes, *drawing["notices"]]).strip()),
        "times": store.add(scene.times, "f8"),
        "still": store.add(poses[0, still], "f4"),
        "moving": store.add(poses[:, ~still], "f4"),
        "bodies": [
            {
                "name": plain(scene.bodies[row].name, 60),
                "still": bool(fixed),
                "trail": [float(x) for x in scene.bodies[row].trail],
            }
            for row, fixed in zip(rows, still, strict=True)
        ],
        "drawing": _with_plain_names(drawing),
        "arrows": _packed_arrows(scene.arrows, store),
        "series": packed_series(full, store),
        "shown": [
            list(full.series).index(n) for n in (list(full.series)[:3] if full.shown is None else full.shown)
        ],
    }
    text = json.dumps(table, allow_nan=False, ensure_ascii=False)
    return {"scene": text.replace("<", "\\u003c"), "arrays": store.base64()}


def _with_plain_names(drawing: Any) -> dict[str, Any]:
    """The drawing with names of bodies and of what is between them as text that is safe to show."""
    return {
        **drawing,
        "bodies": [{**body, "name": plain(body["name"], 60)} for body in drawing["bodies"]],
        "connections": [{**c, "name": plain(c.get("name", ""), 60)} for c in drawing["connections"]],
        "notices": [],
    }


def plain_lines(text: str) -> str:
    """Notes keep their line breaks and nothing else that is not printable."""
    return "\n".join(plain(line, 2000) for line in str(text).splitlines()[:100])


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
