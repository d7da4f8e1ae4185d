"""Shapes as plain tables, checked field by field.

    type         fields                          where
    box          size (3)                        about its frame
    sphere       radius                          about its frame
    cylinder     radius, length                  along z, centred
    capsule      radius, length                  along z, centred; length without the two caps
    segment      length                          a thin line along z, centred
    plane                                        through its frame, normal z, without end
    heightfield  x (nx), y (ny), heights (nx, ny)  above the plane z = 0 of its frame
    mesh         vertices (n, 3), triangles (m, 3)
    line         points (n, 3)                   a thin line through points
    outline      ring (n, 2), depth              a sheet inside a closed line in the plane z = 0, centred

Each may have "at" (3), "quaternion" (w x y z) and "color" of its own; with "metal" it shines.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from hapsis.errors import Error, near
from hapsis.view.colours import rgb
from hapsis.view.page_text import plain

FIELDS = {
    "box": ("size",),
    "sphere": ("radius",),
    "cylinder": ("radius", "length"),
    "capsule": ("radius", "length"),
    "segment": ("length",),
    "plane": (),
    "heightfield": ("x", "y", "heights"),
    "mesh": ("vertices", "triangles"),
    "line": ("points",),
    "outline": ("ring", "depth"),
}
ROWS = {"x": (-1,), "y": (-1,), "heights": (-1, -1), "ring": (-1, 2)}  # others are rows of three
COMMON = ("type", "at", "quaternion", "color", "metal")


def checked(shape: Any, where: str) -> dict[str, Any]:
    """The shape with arrays of floats and every common field, or an error that names the field."""
    if not isinstance(shape, Mapping):
        raise Error(f"{type(shape).__name__} is not a shape", where=where, expected="a table")
    kind = shape.get("type")
    if not isinstance(kind, str) or kind not in FIELDS:
        raise Error(
            f'there is no shape "{plain(kind)}"{near(str(kind), FIELDS)}',
            where=where,
            expected=f"one of {', '.join(FIELDS)}",
        )
    allowed = FIELDS[kind] + COMMON
    for name in shape:
        if name not in allowed:
            hint = near(str(name), allowed)
            raise Error(f'a {kind} has no "{plain(name)}"{hint}', where=where)
    entry: dict[str, Any] = {"type": kind}
    for name in FIELDS[kind]:
        if name not in shape:
            raise Error(f'the {kind} has no "{name}"', where=where)
        entry[name] = _field(name, shape[name], f"{where}, {name}")
    entry["at"] = vector(shape.get("at", (0, 0, 0)), 3, f"{where}, at")
    entry["quaternion"] = _quaternion(shape.get("quaternion", (1, 0, 0, 0)), where)
    color = shape.get("color")
    entry["color"] = None if color is None else rgb(color, where)
    entry["metal"] = bool(shape.get("metal", False))
    if kind == "mesh":
        _check_triangles(entry["triangles"], len(entry["vertices"]), where)
    if kind == "outline" and len(entry["ring"]) < 3:
        raise Error(f"a ring has {len(entry['ring'])} points", where=where, expected="at least three")
    if kind == "heightfield":
        _check_heights(entry, where)
    return entry


def vector(values: Any, count: int, where: str) -> np.ndarray:
    """So many finite numbers."""
    return _array(values, (count,), where)


def _field(name: str, values: Any, where: str) -> Any:
    if name in ("radius", "length", "depth"):
        return float(_not_negative(_array(values, (), where), where))
    if name == "size":
        return _not_negative(_array(values, (3,), where), where)
    if name == "triangles":
        array = np.asarray(values)
        if array.dtype.kind not in "iu" or array.ndim != 2 or array.shape[1] != 3:
            raise Error("triangles are rows of three whole numbers", where=where)
        return array.astype(np.int64)
    return _array(values, ROWS.get(name, (-1, 3)), where)


def _array(values: Any, shape: tuple[int, ...], where: str) -> np.ndarray:
    """The numbers as floats of that shape, where -1 is any length."""
    try:
        array = np.array(values, dtype=float)
    except (TypeError, ValueError, OverflowError):
        raise Error("these are not real numbers", where=where) from None
    fits = array.ndim == len(shape) and all(
        want in (-1, have) for want, have in zip(shape, array.shape, strict=True)
    )
    if not fits:
        expected = " × ".join("n" if n < 0 else str(n) for n in shape) or "one number"
        raise Error(f"the shape is {array.shape}", where=where, expected=expected)
    if not np.isfinite(array).all():
        raise Error("a number is not finite", where=where)
    return array


def _not_negative(array: np.ndarray, where: str) -> np.ndarray:
    if np.any(array < 0):
        raise Error("a length is negative", where=where)
    return array


def _quaternion(values: Any, where: str) -> np.ndarray:
    array = vector(values, 4, f"{where}, quaternion")
    with np.errstate(over="ignore"):
        norm = np.linalg.norm(array)
    if not 1e-9 < norm < np.inf:
        raise Error("a quaternion is zero or infinite", where=where, expected="w x y z of length 1")
    return array / norm


def _check_triangles(triangles: np.ndarray, count: int, where: str) -> None:
    if triangles.size and (triangles.min() < 0 or triangles.max() >= count):
        raise Error(
            f"a triangle names a vertex that is not there: {triangles.min()} to {triangles.max()} of {count}",
            where=where,
        )


def _check_heights(entry: dict[str, Any], where: str) -> None:
    x, y, heights = entry["x"], entry["y"], entry["heights"]
    if heights.shape != (len(x), len(y)) or min(heights.shape) < 2:
        raise Error(
            f"heights have the shape {heights.shape}",
            where=where,
            expected=f"{(len(x), len(y))}, at least two each way",
        )
    if np.any(np.diff(x) <= 0) or np.any(np.diff(y) <= 0):
        raise Error("x and y must increase", where=where)
