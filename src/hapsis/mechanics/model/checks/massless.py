"""Joints that move nothing that has mass: along them accelerations have no value."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from hapsis.errors import ModelError
from hapsis.mechanics.model.driven_points import driven_coordinates
from hapsis.mechanics.model.frames import rotation
from hapsis.mechanics.model.names import coordinate_name

if TYPE_CHECKING:
    from hapsis.mechanics.model.model import Model
    from hapsis.mechanics.model.structure.topology import TreeJoint

NOTHING = 1e-12  # of the largest moment of a body: less is rounding


def massless_motions(model: "Model") -> Iterator[tuple["TreeJoint", str]]:
    """The joints, at the ends of the tree, that move no mass, each with a sentence that says so.

    Looked at are bodies that carry none with mass and are held by no constraint, no loop and no
    drive. A massless body between others is right, and so is one that closes a loop. A slender rod
    or a point mass on a ball or free joint is right, too, if it lies along an axis of the joint: its
    spin, which no mass resists, stays what it is as long as nothing acts on it.
    """
    held = _held_bodies(model)
    held_speeds = _held_coordinates(model)
    carrying: set[str] = set()  # bodies with mass, or that carry one with mass or one that is held
    for branch in reversed(model.tree):
        body, joint = model.bodies[branch.child], branch.joint
        mass, *rest = (model.value(x) for x in (body.mass, *body.com, *body.inertia))
        alone = body.name not in carrying and body.name not in held
        own = held_speeds.isdisjoint(map(coordinate_name, joint.speeds)) and joint.name not in held_speeds
        if alone and own and joint.speeds and not model.value(joint.armature):
            if not _moves_mass(branch, _spatial_inertia(branch, mass, rest, model)):
                names = ", ".join(f'"{name[:60]}"' for name in joint.speeds)[:200]
                yield (
                    branch,
                    f"{names} can move without moving any mass: "
                    f'give "{body.name[:60]}" a mass or an inertia about the joint',
                )
        if not alone or not own or mass or any(rest[3:]):
            carrying.add(branch.parent)


def check_masses(model: "Model") -> None:
    """An error where a joint moves no mass."""
    for branch, sentence in massless_motions(model):
        raise ModelError(sentence, where=branch.joint.where)


def _held_bodies(model: "Model") -> set[str]:
    facts = (*model.cuts, *model.constraints.values())
    return {model.frame(end)[0] for fact in facts for end in fact.ends.values()}


def _held_coordinates(model: "Model") -> set[str]:
    named = {name for fact in model.constraints.values() for name in fact.joints.values()}
    return named | {*driven_coordinates(model).values()}


def _spatial_inertia(branch: "TreeJoint", mass: float, rest: list[float], model: "Model") -> Any:
    """The inertia of a body about the joint's place on it, in the joint's axes: turns, then moves."""
    x, y, z, xx, yy, zz, xy, xz, yz = rest
    frame = branch.child_frame
    R = np.array(rotation([model.value(value) for value in frame.rpy]))
    I = R.T @ np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]) @ R
    cx, cy, cz = c = R.T @ (np.array([x, y, z]) - [model.value(value) for value in frame.at])
    C = np.array([[0.0, -cz, cy], [cz, 0.0, -cx], [-cy, cx, 0.0]])
    with np.errstate(over="ignore", invalid="ignore"):  # numbers beyond all measure: not finite
        I = I + mass * (c @ c * np.eye(3) - np.outer(c, c))  # Steiner
        return np.block([[I, mass * C], [mass * C.T, mass * np.eye(3)]])


def _moves_mass(branch: "TreeJoint", I: Any) -> bool:
    """Whether every motion of the joint moves mass; joints of several steps are taken as doing so."""
    if not I.any():
        return False
    if len(branch.joint.steps) != 1 or not np.isfinite(I).all() or (I.diagonal() < 0.0).any():
        return True  # of an impossible body others tell
    I = I / np.abs(I).max()  # products of large numbers stay finite
    (step,) = branch.joint.steps
    if step.kind in ("ball", "free"):
        size = 3 if step.kind == "ball" else 6
        resisting = I[:size, :size].any(axis=1)  # a spin about an axis of the joint is left out
        part = I[:size, :size][np.ix_(resisting, resisting)]
        return part.size > 0 and bool(resisting[3:].all()) and _definite(part)
    n = np.zeros(6)
    n[:3] = step.axis if step.kind != "P" else 0.0
    n[3:] = step.axis if step.kind == "P" else 0.0
    if step.kind == "H":
        n[3:] = step.axis  # some pitch
    return float(n @ I @ n) > NOTHING * float(np.trace(I[:3, :3] if step.kind == "R" else I))


def _definite(A: Any) -> bool:
    """Whether a symmetric matrix is positive definite, whatever the units of its rows."""
    if (A.diagonal() == 0.0).any():
        return True  # an impossible body, of which others tell
    scale = np.sqrt(A.diagonal())
    return float(np.linalg.eigvalsh(A / scale / scale[:, None])[0]) > NOTHING
