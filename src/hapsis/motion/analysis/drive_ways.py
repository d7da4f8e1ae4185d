"""Where drives are in a state, in what they drive: coordinates, or ways of points in m."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from hapsis.compiler.backends.compile import compile
from hapsis.mechanics.model.derived import derived
from hapsis.mechanics.model.model import Model
from hapsis.mechanics.model.names import speed_name


def drive_ways(
    model: Model, q: Any, v: Any, parameters: Mapping[str, float] | None = None
) -> dict[str, float]:
    """{NAME.position, NAME.velocity: value} with which the drives leave a state as it is."""
    ways: dict[str, float] = {}
    for drive in model.drives.values():
        if drive.joint is not None:
            slots = [k for k, name in enumerate(model.speeds) if name == speed_name(drive.joint)]
            ways[f"{drive.name}.position"] = float(q[model.coordinates.index(drive.joint)])
            ways[f"{drive.name}.velocity"] = float(v[slots[0]]) if slots else 0.0
    if any(drive.point is not None for drive in model.drives.values()):
        # imported here, as it writes equations, and most models have no such drives
        from hapsis.mechanics.formalisms.forces.point_motion import point_ways, points

        led = points(model)
        native = derived(model, ("native", point_ways), lambda: compile(point_ways(model)))
        x, w = native(np.array(q, float), np.array(v, float), **_given(native, parameters))
        for drive, way, rate in zip(led, np.atleast_1d(x), np.atleast_1d(w), strict=True):
            ways |= {f"{drive.name}.position": float(way), f"{drive.name}.velocity": float(rate)}
    return ways


def drive_place(
    model: Model, name: str, x: float, w: float, parameters: Mapping[str, float] | None = None
) -> tuple[float, float]:
    """The coordinate and its speed with which the point of a drive is at x with the rate w."""
    from hapsis.mechanics.formalisms.forces.point_motion import point_places, points

    led = points(model)
    native = derived(model, ("native", point_places), lambda: compile(point_places(model)))
    ways = [[value if drive.name == name else 0.0 for drive in led] for value in (x, w)]
    q, v = native(*map(np.array, ways), **_given(native, parameters))
    k = [drive.name for drive in led].index(name)
    return float(np.atleast_1d(q)[k]), float(np.atleast_1d(v)[k])


def _given(native: Any, parameters: Mapping[str, float] | None) -> dict[str, Any]:
    values = {n: x for n, x in (parameters or {}).items() if n in native.function.parameters}
    return {"p": values} if values else {}
