"""Which numbers of a model a page offers as sliders, with their units, groups and ranges."""

import math
from collections.abc import Iterable, Mapping
from typing import Any

from hapsis.errors import ModelError, near_or_all
from hapsis.mechanics.model.frames import Frame
from hapsis.mechanics.model.model import Model
from hapsis.mechanics.model.signals.column_units import column_units
from hapsis.mechanics.model.values.formula import Formula
from hapsis.mechanics.model.values.numbers import described, real

MOST = 10  # sliders that are offered if nobody chooses
GROUPS = ("Geometry", "Masses", "Springs and friction", "Gravity", "Other")
_LENGTHS = ("x", "y", "z", "length", "radius", "rest", "width")
_INERTIA = ("Ixx", "Iyy", "Izz", "Ixy", "Ixz", "Iyz")
_TURNING = {"stiffness": "N·m/rad", "damping": "N·m·s/rad", "preload": "N·m", "rest": "rad"}
_SLIDING = {"stiffness": "N/m", "damping": "N·s/m", "preload": "N", "dissipation": "s/m", "rest": "m"}
# {unit that somebody gives: group}
_GROUP_OF = dict.fromkeys((*_TURNING.values(), *_SLIDING.values()), "Springs and friction")
_GROUP_OF |= {"m": "Geometry", "rad": "Geometry", "kg": "Masses", "kg·m²": "Masses", "m/s²": "Gravity"}


def sliders(
    model: Model, values: Mapping[str, float], order: Mapping[str, int], chosen: Any
) -> list[dict[str, Any]]:
    """One entry for each parameter that a page changes.

    chosen    None: those of the model, masses, springs and gravity, at most MOST; or names; or
              {name: (low, high)}
    """
    if chosen is None:
        ranges = {name: None for name in _usual(model, values)}
    elif isinstance(chosen, Mapping):
        ranges = dict(chosen)
    elif not isinstance(chosen, Iterable):
        raise ModelError(f"parameters must be names, not {described(chosen)}")
    else:
        ranges = {name: None for name in ([chosen] if isinstance(chosen, str) else chosen)}
    for name in ranges:
        if not isinstance(name, str):
            raise ModelError(f"parameters must be names, not {described(name)}")
        if name not in values:
            raise ModelError(
                f'"{name[:60]}" is no parameter of this motion{near_or_all(name, values, "parameters")}'
            )
    return [_slider(model, name, values[name], order[name], limits) for name, limits in ranges.items()]


def _usual(model: Model, values: Mapping[str, float]) -> list[str]:
    own = [name for name in model.parameters if name in values]
    rest = [name for name in values if name not in own and _group(model, name) not in ("Geometry", "Other")]
    rank = {group: k for k, group in enumerate(GROUPS)}
    return (own + sorted(rest, key=lambda name: rank[_group(model, name)]))[:MOST]


def _slider(model: Model, name: str, value: float, place: int, limits: Any) -> dict[str, Any]:
    offered = _range(model, name, value) if limits is None or limits == () else limits
    own = slider_range(name, offered, value)
    label = name.replace("_", " ") if name in model.parameters else name
    entry = {"name": name, "label": label, "unit": unit(model, name), "group": _group(model, name)}
    if name in model.parameters:
        entry["group"] = _GROUP_OF.get(own.get("unit", ""), entry["group"])
    return {**entry, "value": value, **own, "place": place}


def slider_range(name: str, limits: Any, value: float) -> dict[str, Any]:
    """The ends of a slider, which must be two numbers, the lower one first, with its value between them; and
    its unit and its label, where they follow these."""
    ends, texts = ([*limits][:2], [*limits][2:]) if isinstance(limits, (tuple, list)) else ([], [])
    if len(ends) != 2 or len(texts) > 2 or not all(isinstance(text, str) for text in texts):
        expected = "(low, high), perhaps with a unit and words"
        raise ModelError(f'the range of "{name[:60]}" is not two numbers', expected=expected)
    low, high = (real(x, f'an end of the range of "{name[:60]}"') for x in ends)
    if not low < high:
        remedy = f"give ({high:g}, {low:g})" if high < low else "give two different numbers"
        raise ModelError(f'the range of "{name[:60]}" is {low:g} to {high:g}', remedy=remedy)
    if not low <= value <= high:
        raise ModelError(
            f'the range of "{name[:60]}" is {low:g} to {high:g}',
            expected=f"one that holds its value, {value:g}",
        )
    return {"low": low, "high": high, **dict(zip(("unit", "label"), texts, strict=False))}


def _range(model: Model, name: str, value: float) -> tuple[float, float]:
    """Up to three times a size; half to one and a half of a length, and a tenth of its distance for a place,
    so that loops can still close."""
    group, point = _group(model, name), name.rpartition(".")[0]
    if group == "Geometry" and name.endswith((".x", ".y", ".z")):
        place = [model.parameters.get(f"{point}.{axis}", 0.0) for axis in "xyz"]
        reach = 0.1 * math.hypot(*map(float, place)) or 0.1
        return value - reach, value + reach
    if value == 0.0:
        return -1.0, 1.0
    if group == "Geometry":
        ends = (0.5 * value, 1.5 * value)
    elif group == "Masses":
        ends = (0.1 * value, 3.0 * value)
    else:
        ends = (0.0, 3.0 * value) if group == "Springs and friction" else (-value, 2.0 * value)
    return min(ends), max(ends)


def _use(model: Model, name: str) -> str:
    """Where a parameter of the model is used alone or in a sum: "wheel.mass" for the mass of the wheel."""
    if name not in model.parameters:
        return name
    for body in model.bodies.values():
        if _is(body.mass, name):
            return f"{body.name}.mass"
        if any(_is(x, name) for frame in body.frames.values() for x in frame.at):
            return f"{body.name}.length"
    for fact in model.facts:
        frames = [end.frame for end in fact.ends.values() if isinstance(end.frame, Frame)]
        if any(_is(x, name) for frame in frames for x in frame.at):
            return f"{fact.name}.length"
    for element in (*model.forces.values(), *model.joints.values()):
        for field in (*_SLIDING, "length"):
            if _is(getattr(element, field, None), name):
                return f"{element.name}.{field}"
    return name


def _is(value: Any, name: str) -> bool:
    """Whether a value is that parameter, alone or in a sum, so that both have one unit."""
    return isinstance(value, Formula) and value.adds(name)


def _group(model: Model, name: str) -> str:
    owner, _, field = _use(model, name).rpartition(".")
    if owner == "gravity":
        return "Gravity"
    if field == "mass" or field in _INERTIA:
        return "Masses"
    if owner and field not in _LENGTHS and (field in _SLIDING or field in ("mu", "friction")):
        return "Springs and friction"
    return "Geometry" if field in _LENGTHS or name in model.parameters else "Other"


def unit(model: Model, name: str) -> str:
    """The unit of a parameter; empty where that is not known."""
    owner, _, field = _use(model, name).rpartition(".")
    if owner == "gravity":
        return "m/s²"
    if field == "mass":
        return "kg" if owner else ""
    if field in _INERTIA:
        return "kg·m²"
    if owner and field in _SLIDING:
        return (_TURNING if _turns(model, owner) else _SLIDING).get(field, "")
    return "m" if owner and field in _LENGTHS else ""


def _turns(model: Model, owner: str) -> bool:
    """Whether a spring or damper acts on an angle."""
    force = model.forces.get(owner)
    joints = [*force.joints.values()] if force is not None else [owner]
    names = [name for joint in joints if joint in model.joints for name in model.joints[joint].coordinates]
    return "rad" in column_units(model, names).values() if names else False
