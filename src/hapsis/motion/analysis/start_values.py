"""The start of an analysis: coordinates in the forms a user may give them, and those that are held."""

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from hapsis.compiler.ir.functions.float_array import float_array
from hapsis.errors import ModelError, check_known, near
from hapsis.mechanics.model.model import Model
from hapsis.mechanics.model.state import State
from hapsis.mechanics.model.values.numbers import described, real

Array = np.ndarray[Any, np.dtype[np.float64]]


def start_of(model: Model, start: Any = None) -> Array:
    """q of a State, of an array, or of {name: value} over the model's pose "start", else zeros.

    Speeds may be named too; they say nothing about q.
    """
    if isinstance(start, State):
        if start.coordinates != model.coordinates:
            raise ModelError("the start is a State of another model: its coordinates differ")
        q = np.array(start.q)
    elif start is None or isinstance(start, Mapping):
        q = np.array(model.zero)
        if "start" in model.poses:
            _put(model, q, model.pose("start"))
        _put(model, q, start or {})
    else:
        q = _all(model, start)
    for name, value in zip(model.coordinates, q, strict=True):
        real(float(value), f'the start of "{name}"')
    for joint, places in quaternions(model).items():
        if not np.linalg.norm(q[places]) > 1e-6:
            raise ModelError(f'the start gives "{joint}" a quaternion of length zero')
    return q


def names_combinations(model: Model, start: Any) -> bool:
    """Whether a start by name, or the model's pose "start" below it, names a generalized speed."""
    if not model.generalized_speeds or not (start is None or isinstance(start, Mapping)):
        return False
    return any(name in model.generalized_speeds for name in (*(start or ()), *model.poses.get("start", ())))


def held_places(model: Model, held: Any) -> set[int]:
    """The places in q of coordinates, or of all those of joints, by name."""
    if isinstance(held, str):
        held = (held,)
    if not isinstance(held, Iterable):
        raise ModelError(f"held must be names of coordinates, not {described(held)}")
    index = {name: k for k, name in enumerate(model.coordinates)}
    joints = {joint.name: joint.coordinates for joint in model.moving}
    places: set[int] = set()
    for name in held:
        check_known(name, (*index, *joints), "held names {}, which is no coordinate or joint")
        places.update(index[each] for each in ((name,) if name in index else joints[name]))
    for joint, parts in quaternions(model).items():
        if 0 < len(places.intersection(parts)) < 4:
            raise ModelError(
                f'held names a part of the quaternion of "{joint}"',
                remedy="hold all four parts of it, or none",
            )
    return places


def inside(model: Model, q: Array, held: set[int]) -> Array:
    """q with coordinates moved to their limits if outside; an error if such a coordinate is held."""
    limits = model.limits
    for k in sorted(held):
        low, high = limits[k]
        if not low <= q[k] <= high:
            raise ModelError(
                f'"{model.coordinates[k]}" is held at {q[k]:.6g}, outside its limits {low:.6g} and {high:.6g}'
            )
    return np.clip(q, limits[:, 0], limits[:, 1])


def quaternions(model: Model) -> dict[str, list[int]]:
    """For each ball or free joint the places of its quaternion in q."""
    places: dict[str, list[int]] = {}
    q = 0
    for joint in model.moving:
        parts = [k for k, name in enumerate(joint.coordinates) if name not in joint.plain]
        if parts:
            places[joint.name] = [q + k for k in parts]
        q += len(joint.coordinates)
    return places


def _put(model: Model, q: Array, values: Mapping[str, Any]) -> None:
    index = {name: k for k, name in enumerate(model.coordinates)}
    for name, value in values.items():
        if name in index:
            q[index[name]] = real(value, f'the start of "{name}"')
        elif name not in model.speeds and name not in model.generalized_speeds:
            raise ModelError(
                f'the start names "{str(name)[:60]}", which is no coordinate{near(str(name), index)}'
            )
        else:
            real(value, f'the start of "{name}"')


def _all(model: Model, start: Any) -> Array:
    q = float_array(start)
    if q is None:
        raise ModelError(
            f"the start must be numbers, not {described(start)}",
            expected="{coordinate: value}, a State or all coordinates",
        )
    if q.shape != (len(model.coordinates),):
        raise ModelError(f"the start has shape {q.shape}", expected=f"{len(model.coordinates)} coordinates")
    return q
