"""Drawings from elsewhere, checked before a page gets them: a damaged one would show nothing."""

import base64
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from hapsis.errors import Error
from hapsis.view.page_text import plain

NUMBER, VECTOR, WHOLE, TRUTH, POINTS, FLAT = "number", "vector", "whole", "truth", "points", "flat"
SHAPES: dict[str, dict[str, str]] = {
    "box": {"size": VECTOR},
    "sphere": {"radius": NUMBER},
    "cylinder": {"radius": NUMBER, "length": NUMBER},
    "capsule": {"radius": NUMBER, "length": NUMBER},
    "mesh": {"mesh": WHOLE},
    "line": {"points": POINTS},
    "plate": {"points": FLAT, "radius": NUMBER, "depth": NUMBER, "bore": NUMBER},
    "outline": {"ring": FLAT, "depth": NUMBER},
    "tube": {"points": POINTS, "radius": NUMBER},
    "pin": {"radius": NUMBER, "length": NUMBER},
    "ball": {"radius": NUMBER},
    "cross": {"radius": NUMBER, "length": NUMBER, "other": VECTOR},
    "thread": {"radius": NUMBER, "length": NUMBER, "pitch": NUMBER},
    "gear": {"radius": NUMBER, "width": NUMBER, "teeth": WHOLE},
    "wheel": {"radius": NUMBER, "width": NUMBER, "tyre": TRUTH},
    "rail": {"length": NUMBER, "gap": NUMBER, "depth": NUMBER, "sides": WHOLE},
    "support": {"size": NUMBER, "depth": NUMBER},
    "pulley": {"radius": NUMBER, "width": NUMBER},
    "spiral": {"radius": NUMBER, "width": NUMBER, "turns": WHOLE},
    "bush": {"radius": NUMBER, "inner": NUMBER, "length": NUMBER},
    "motor": {"radius": NUMBER, "length": NUMBER},
}
SUBSTANCES = ("body", "metal", "ground", "glass", "rubber")
MOST = 100_000  # shapes of a drawing, teeth of a gear, ...
LARGEST = 1e12  # a length


def checked_drawing(drawing: Any, names: Sequence[str]) -> Mapping[str, Any]:
    """The drawing, or an error that names what is wrong with it; fields that it does not know are kept."""
    _sound(isinstance(drawing, Mapping), "the drawing")
    for name in ("up", "side"):
        _sound(_vector(drawing.get(name)) and any(drawing[name]), name)
    _sound(_number(drawing.get("size")) and drawing["size"] > 0, "size")
    _sound(drawing.get("floor") is None or _number(drawing["floor"]), "floor")
    slope = drawing.get("slope")
    fields = slope.values() if isinstance(slope, dict) and slope.keys() == {"at", "normal"} else ()
    _sound(slope is None or (bool(fields) and all(map(_vector, fields))), "slope")
    _sound(isinstance(drawing.get("planar"), bool), "planar")
    for name in ("bodies", "connections", "meshes", "notices"):
        _sound(isinstance(drawing.get(name), list | tuple), name)
    _sound(all(isinstance(x, str) for x in drawing["notices"]), "notices")
    for mesh in drawing["meshes"]:
        _check_mesh(mesh)
    for body in (drawing.get("world"), *drawing["bodies"]):
        _check_body(body, len(drawing["meshes"]))
    for body in drawing["bodies"]:
        if body["name"] not in names:
            raise Error(
                f'the drawing has a body "{plain(body["name"])}", the scene has none', where="drawing"
            )
    for connection in drawing["connections"]:
        _check_connection(connection, len(drawing["bodies"]))
    return drawing


def _check_mesh(mesh: Any) -> None:
    _sound(isinstance(mesh, Mapping) and all(_vector(mesh.get(n)) for n in ("low", "span")), "meshes")
    _sound(isinstance(mesh.get("wide"), bool), "meshes")
    try:
        vertices, corners = (base64.b64decode(mesh[n], validate=True) for n in ("vertices", "triangles"))
    except (KeyError, TypeError, ValueError):
        vertices, corners = b"-", b"-"
    size = 4 if mesh["wide"] else 2
    _sound(len(vertices) % 6 == 0 and len(corners) % (3 * size) == 0, "meshes")
    numbers = np.frombuffer(corners, f"<u{size}")
    _sound(not len(numbers) or 6 * int(numbers.max()) < len(vertices), "meshes")


def _check_body(body: Any, meshes: int) -> None:
    sound = isinstance(body, Mapping) and isinstance(body.get("name"), str) and _vector(body.get("color"))
    _sound(sound and isinstance(body.get("shapes"), list | tuple), "bodies")
    where = f'body "{plain(body["name"])}"'
    for shape in body["shapes"]:
        _sound(isinstance(shape, Mapping) and isinstance(shape.get("kind"), str), where)
        _sound(shape["kind"] in SHAPES and shape.get("of", "body") in SUBSTANCES, where)
        _sound(_vector(shape.get("at")) and _vector(shape.get("q"), 4) and any(shape["q"]), where)
        _sound("color" not in shape or _vector(shape["color"]), where)
        for name, kind in SHAPES[shape["kind"]].items():
            _sound(_is(kind, shape.get(name)), f"{where}, {shape['kind']}, {name}")
        _sound(shape["kind"] != "mesh" or shape["mesh"] < meshes, f"{where}, mesh")


def _check_connection(connection: Any, bodies: int) -> None:
    where = "connections"
    _sound(isinstance(connection, Mapping) and isinstance(connection.get("kind"), str), where)
    _sound(_number(connection.get("radius")) and _is(WHOLE, connection.get("turns")), where)
    ends: Any = connection.get("ends")
    _sound(isinstance(ends, list | tuple) and len(ends) == 2, where)
    for end in ends:
        sound = isinstance(end, Mapping) and _vector(end.get("at")) and isinstance(end.get("body"), int)
        _sound(sound and -1 <= end["body"] < bodies, where)


def _sound(sound: Any, where: str) -> None:
    if not sound:
        raise Error(
            "this is not a drawing", where=f"drawing, {where}", expected="what drawing(model) returns"
        )


def _number(x: Any) -> bool:
    return isinstance(x, int | float) and not isinstance(x, bool) and -LARGEST <= x <= LARGEST


def _vector(x: Any, count: int = 3) -> bool:
    return isinstance(x, list | tuple) and len(x) == count and all(map(_number, x))


def _rows(x: Any, count: int) -> bool:
    return isinstance(x, list | tuple) and len(x) > 0 and all(_vector(row, count) for row in x)


def _is(kind: str, x: Any) -> bool:
    """Whether a value is of a kind."""
    if kind == WHOLE:
        return isinstance(x, int | float) and not isinstance(x, bool) and 0 <= x <= MOST and x == int(x)
    if kind == TRUTH:
        return isinstance(x, bool)
    if kind in (POINTS, FLAT):
        return _rows(x, 3 if kind == POINTS else 2)
    return _number(x) if kind == NUMBER else _vector(x)
