"""Warnings about numbers that are possible but rarely meant: degrees, millimetres, sizes of zero."""

import math
import unicodedata
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from hapsis.mechanics.model.checks.problems import Problems
from hapsis.mechanics.model.fact import Fact
from hapsis.mechanics.model.forces.friction import Friction
from hapsis.mechanics.model.forces.stop import Stop
from hapsis.mechanics.model.values.values import Value

if TYPE_CHECKING:
    from hapsis.mechanics.model.model import Model

STRONG = 1000.0  # m/s²
TURN = 2.0 * math.pi
SLACK = 1e-9  # by which a start may be beyond a limit


def check_stops(model: "Model", problems: Problems) -> None:
    """Adds every stop whose lower limit is above its upper one."""
    for stop in model.forces.values():
        if isinstance(stop, Stop) and stop.low is not None and stop.high is not None:
            low, high = model.value(stop.low), model.value(stop.high)
            if low > high:
                problems.add(
                    f"{stop.label}: low is {low:g} and high is {high:g}; the lower one must come first",
                    stop.where,
                )


def warn(model: "Model", inertias: Any, problems: Problems) -> None:
    """Adds a warning for each number that is rarely meant; `inertias` has a row per body."""
    for body, row in zip(model.bodies.values(), inertias, strict=True):
        if row[0] == 0.0 and abs(row[4:]).max() > 0.0:
            problems.warn(f"{body.label} has an inertia and no mass; give it a mass", body.where)
    size = math.hypot(*model.gravity_vector)
    if size > STRONG:
        problems.warn(f"gravity is {size:g} m/s²; lengths are in metres")
    for friction in model.forces.values():
        if isinstance(friction, Friction) and friction.static is not None:
            static, coulomb = model.value(friction.static), model.value(friction.coulomb)
            if static < coulomb:
                problems.warn(
                    f"{friction.label}: static is {static:g}, below coulomb, {coulomb:g}; it then slides "
                    "more easily at rest than in motion",
                    friction.where,
                )
    _warn_of_degrees(model, problems)
    _warn_of_shapes(model, problems)
    _warn_of_start(model, problems)
    _warn_of_names(model, problems)


def _degrees(x: float) -> bool:
    """Whether an angle is more than a turn and a round number of degrees."""
    return TURN < abs(x) <= 720.0 and x % 5.0 == 0.0


def _warn_of_degrees(model: "Model", problems: Problems) -> None:
    for joint in model.joints.values():
        turns = joint.steps and all(step.kind == "R" for step in joint.steps)
        for name, pair in joint.bounds.items() if turns else ():
            for value in pair:
                if value is not None and _degrees(model.value(value)):
                    problems.warn(
                        f'{joint.label}: a limit of "{name[:60]}" is {model.value(value):g} rad; '
                        "angles are in radians, not degrees",
                        joint.where,
                    )
                    break
    for fact, frame_angles in _angles(model):
        for angle in frame_angles:
            if angle.__class__ is float and _degrees(angle):  # pyright: ignore[reportArgumentType]
                problems.warn(
                    f"{fact.label}: an angle of a frame is {angle:g} rad; angles are in radians, not degrees",
                    fact.where,
                )
                break


def _angles(model: "Model") -> Iterator[tuple[Fact, tuple[Value, ...]]]:
    """The angles of every frame of a body or an end, with the fact that has it."""
    for body in (*model.bodies.values(), model.world):
        for frame in body.frames.values():
            yield body, frame.rpy
    for fact in model.facts:
        for end in fact.ends.values():
            if hasattr(end.frame, "rpy"):
                yield fact, end.frame.rpy


def _warn_of_shapes(model: "Model", problems: Problems) -> None:
    for fact in model.facts:
        for shape in getattr(fact, "shapes", ()):
            for field in shape.not_negative:
                numbers = getattr(shape, field)
                numbers = numbers if isinstance(numbers, tuple) else (numbers,)
                if any(x is not None and model.value(x) == 0.0 for x in numbers):
                    problems.warn(f"{fact.label}: {shape.label}: {field} is 0", fact.where)


def _warn_of_start(model: "Model", problems: Problems) -> None:
    start = model.poses.get("start", {})
    for joint in model.joints.values():
        for name, (low, high) in joint.bounds.items():
            if name not in start:
                continue
            x = model.value(start[name])
            for limit, sign in ((low, 1.0), (high, -1.0)):
                if limit is not None and sign * (x - model.value(limit)) < -SLACK:
                    problems.warn(
                        f'pose "start": "{name[:60]}" is {x:g}, beyond its limit {model.value(limit):g}'
                    )


def _warn_of_names(model: "Model", problems: Problems) -> None:
    """Names that look alike: equal after Unicode's compatibility composition."""
    known: dict[str, str] = {}
    for name in dict.fromkeys(fact.name for fact in model.facts if not fact.name.isascii()):
        other = known.setdefault(unicodedata.normalize("NFKC", name), name)
        if other != name:
            problems.warn(f'"{name[:60]}" and "{other[:60]}" look alike and are two names')
