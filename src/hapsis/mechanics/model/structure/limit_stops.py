"""Stops at the limits of joints, as stiff as the mass behind each coordinate needs.

A stop of stiffness k and damping c under a mass (or moment of inertia) m is a spring and a damper:

    k = m (2π / T)²      c = 2 ζ m (2π / T)

so a mass that hits it at a speed v goes v T / 2π deep and stays about T / 2. The mass is what the coordinate
moves where all coordinates are zero: everything behind the joint in the tree, with the joint's armature.
"""

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from hapsis.errors import ModelError, notice
from hapsis.mechanics.model.driven_points import driven_coordinates
from hapsis.mechanics.model.forces.stop import Stop
from hapsis.mechanics.model.frames import Frame, rotation
from hapsis.mechanics.model.joints.joint import Joint, Step
from hapsis.mechanics.model.names import speed_name

if TYPE_CHECKING:
    from hapsis.mechanics.model.model import Model

Array = np.ndarray[Any, np.dtype[np.float64]]


def unstopped(model: "Model") -> list[str]:
    """The coordinates with limits that no Stop and no Drive holds."""
    held = {force.joint for force in model.forces.values() if isinstance(force, Stop)}
    held |= {*driven_coordinates(model).values()}
    return [
        name
        for joint in model.moving
        for name, pair in joint.bounds.items()
        if name not in held and pair != (None, None) and speed_name(name) in model.speeds
    ]


def limit_stops(model: "Model", period: float, ratio: float) -> list[Stop]:
    """A Stop for each coordinate with limits that has none and is not driven, named `NAME stop`."""
    names = {fact.name for fact in model.facts}
    tell_without_stops(model)
    masses = moved_masses(model)
    stops: list[Stop] = []
    for coordinate in unstopped(model):
        mass = masses[coordinate]
        if not mass > 0.0:
            raise ModelError(
                f'"{coordinate[:60]}" moves no mass, so its stop has no stiffness',
                remedy=f'add hs.Stop("{coordinate} stop", "{coordinate}", stiffness=...)',
            )
        w = 2.0 * math.pi / period
        name = f"{coordinate} stop"
        while name in names:
            name += "'"
        names.add(name)
        stops.append(Stop(name, coordinate, stiffness=mass * w * w, damping=2.0 * ratio * mass * w))
    return stops


def tell_without_stops(model: "Model") -> None:
    """Says which limits get no stop: those of free joints, and of joints that close loops."""
    without = [
        name
        for joint in model.joints.values()
        for name, pair in joint.bounds.items()
        if pair != (None, None) and speed_name(name) not in model.speeds
    ]
    if without:
        listed = ", ".join(f'"{name[:60]}"' for name in without[:4])
        notice(
            f"no stop at the limits of {listed}{' and others' if len(without) > 4 else ''}: "
            "a stop needs a coordinate with a speed of its own, not one of a free joint or of a closed loop"
        )


def moved_masses(model: "Model") -> dict[str, float]:
    """{coordinate: kg or kg m²}: what each plain coordinate with a speed moves where all are zero."""
    poses: dict[str, tuple[Array, Array]] = {"world": (np.eye(3), np.zeros(3))}
    places: list[tuple[Array, Array]] = []  # of the joints
    for branch in model.tree:
        place = _composed(poses[branch.parent], _numbers(model, branch.parent_frame))
        places.append(place)
        poses[branch.child] = _composed(place, _inverse(_numbers(model, branch.child_frame)))
    carried = {name: _moments(model, name, pose) for name, pose in poses.items()}
    masses: dict[str, float] = {}
    for branch, (R, p) in reversed([*zip(model.tree, places, strict=True)]):
        whole = carried[branch.child]
        for name, step in _coordinates(branch.joint):
            masses[name] = model.value(branch.joint.armature) + _felt(model, step, whole, R, p)
        carried[branch.parent] = tuple(a + b for a, b in zip(carried[branch.parent], whole, strict=True))
    return masses


def _coordinates(joint: Joint) -> list[tuple[str, Step]]:
    """The coordinates that are one step each."""
    return list(zip(joint.coordinates, joint.steps, strict=False)) if joint.plain == joint.coordinates else []


def _felt(model: "Model", step: Step, whole: Any, R: Array, p: Array) -> float:
    """What a step moves of a mass, its first moment and its inertia about the world's origin."""
    m, h, J = whole
    if step.kind == "P":
        return float(m)
    n = R @ np.array(step.axis)
    about = J - 2.0 * (h @ p) * np.eye(3) + np.outer(h, p) + np.outer(p, h)
    about = about + m * (p @ p * np.eye(3) - np.outer(p, p))
    pitch = model.value(step.pitch) if step.kind == "H" else 0.0
    return float(n @ about @ n + pitch * pitch * m)


def _moments(model: "Model", name: str, pose: tuple[Array, Array]) -> Any:
    """The mass of a body, its first moment and its inertia about the world's origin."""
    if name == "world":
        return 0.0, np.zeros(3), np.zeros((3, 3))
    body, (R, p) = model.bodies[name], pose
    m = model.value(body.mass)
    xx, yy, zz, xy, xz, yz = (model.value(x) for x in body.inertia)
    c = p + R @ np.array([model.value(x) for x in body.com])
    I = R @ np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]) @ R.T
    return m, m * c, I + m * (c @ c * np.eye(3) - np.outer(c, c))  # Steiner


def _numbers(model: "Model", frame: Frame) -> tuple[Array, Array]:
    R = np.array(rotation([model.value(x) for x in frame.rpy]))
    return R, np.array([model.value(x) for x in frame.at])


def _composed(outer: tuple[Array, Array], inner: tuple[Array, Array]) -> tuple[Array, Array]:
    return outer[0] @ inner[0], outer[1] + outer[0] @ inner[1]


def _inverse(frame: tuple[Array, Array]) -> tuple[Array, Array]:
    return frame[0].T, -frame[0].T @ frame[1]
