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
from hapsis.view.skins import skin_body, thinned

PLACE = (0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0)  # of what moves by its corners


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
    drawing, skins = _with_skins(drawing, scene, store)
    still = np.ptp(poses, axis=0).max(axis=1, initial=0.0) == 0.0  # (nb,)
    table = {
        "title": plain(scene.title),
        "notes": plain_lines("\n".join([scene.notes, *drawing["notices"]]).strip()),
        "times": store.add(scene.times, "f8"),
        "still": store.add(np.concatenate([poses[0, still], np.tile(PLACE, (len(scene.skins), 1))]), "f4"),
        "moving": store.add(poses[:, ~still], "f4"),
        "bodies": [
            {
                "name": plain(scene.bodies[row].name, 60),
                "still": bool(fixed),
                "trail": [float(x) for x in scene.bodies[row].trail],
            }
            for row, fixed in zip(rows, still, strict=True)
        ]
        + [{"name": plain(skin.name, 60), "still": True, "trail": [0.0, 0.0, 0.0]} for skin in scene.skins],
        "skins": skins,
        "drawing": _with_plain_names(drawing),
        "arrows": _packed_arrows(scene.arrows, store),
        "series": packed_series(full, store),
        "shown": [
            list(full.series).index(n) for n in (list(full.series)[:3] if full.shown is None else full.shown)
        ],
    }
    text = json.dumps(table, allow_nan=False, ensure_ascii=False)
    return {"scene": text.replace("<", "\\u003c"), "arrays": store.base64()}


def _with_skins(drawing: Any, scene: Scene, store: Store) -> tuple[Any, Any]:
    """The drawing with a body for each surface that deforms, and where their vertices lie."""
    if not scene.skins:
        return drawing, None
    counts = [skin.points.shape[1] for skin in scene.skins]
    first = np.cumsum([0, *counts]).tolist()
    bodies = [skin_body(skin, first[k], k) for k, skin in enumerate(scene.skins)]
    frames, places = thinned(scene.skins, scene.times)
    table = {"frames": frames, "count": first[-1], "places": store.add(places, "f4")}
    size = max(drawing["size"], float(np.linalg.norm(np.ptp(places[0], axis=0)))) if scene.bodies else None
    size = float(np.linalg.norm(np.ptp(places[0], axis=0))) or 1.0 if size is None else size
    return {**drawing, "size": size, "bodies": [*drawing["bodies"], *bodies]}, table


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
