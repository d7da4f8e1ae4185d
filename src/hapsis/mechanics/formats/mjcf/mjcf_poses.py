"""The poses of an MJCF file: the pose in which its bodies are written, and its keyframes.

Each <key> becomes a pose with its name, or key1, key2. The pose "start" is the key of that name, else the
key "home", else the pose in which the file is written, unless all its coordinates are zero.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from hapsis.mechanics.algebra.quaternions import quaternions
from hapsis.mechanics.algebra.rotations import of_quaternion
from hapsis.mechanics.formats.file_text import checked_name
from hapsis.mechanics.formats.mjcf.mjcf_fields import numbers, unit
from hapsis.mechanics.formats.mjcf.mjcf_ignored import LeftOut
from hapsis.mechanics.formats.mjcf.mjcf_joints import Read
from hapsis.mechanics.formats.xml_tree import Element
from hapsis.mechanics.model.frames import Frame, rotation
from hapsis.mechanics.model.joints.joint import Joint

Pose = dict[str, float]
HOME, START = "home", "start"


def poses(
    root: Element, reads: Sequence[Read], starts: Mapping[str, Frame], left_out: LeftOut
) -> dict[str, Pose]:
    """{name: {coordinate or speed: value}}; `starts` has the frames of free bodies in the file."""
    named: dict[str, Pose] = {}
    written = _written(reads, starts)
    keys = [element for section in root.all("keyframe") for element in section.all("key")]
    for count, element in enumerate(keys, start=1):
        name = element.attributes.get("name") or f"key{count}"
        checked_name(name, "key", element.where)
        if name in named:
            raise element.wrong(f'a second key "{name}"', expected="each name once")
        if "qpos" in element.attributes or "qvel" in element.attributes:
            named[name] = _key(element, name, [_joint(read) for read in reads], written)
        else:
            left_out.add("key without qpos and qvel", name)
    if START not in named:
        if HOME in named:
            named[START] = named[HOME]
        elif written != _zeros(reads):
            named[START] = written
    return named


def _joint(read: Read) -> Joint:
    joint: Any = read.facts[0]
    return joint


def _zeros(reads: Sequence[Read]) -> Pose:
    joints = [_joint(read) for read in reads]
    return {n: x for j in joints for n, x in zip(j.coordinates, j.zero, strict=True)}


def _written(reads: Sequence[Read], starts: Mapping[str, Frame]) -> Pose:
    pose: Pose = {}
    for read in reads:
        values: Any = read.start
        if read.kind == "free":
            frame = starts[read.name]
            values = (*frame.at, *map(float, quaternions(rotation(frame.rpy))))
        pose |= zip(_joint(read).coordinates, values, strict=True)
    return pose


def _key(element: Element, name: str, joints: Sequence[Joint], written: Pose) -> Pose:
    """The coordinates of a key, and its speeds if it has any."""
    what, pose = f'key "{name}"', dict(written)
    if "qpos" in element.attributes and pose:
        pose = dict(zip(pose, numbers(element, "qpos", what, len(pose)), strict=True))
        for joint in joints:
            _settle(pose, element, what, joint)
    if "qvel" in element.attributes and pose:
        speeds = iter(numbers(element, "qvel", what, sum(len(joint.speeds) for joint in joints)))
        for joint in joints:
            values = tuple(next(speeds) for _ in joint.speeds)
            if len(values) == 6:
                values = _free_speeds(values, [pose[n] for n in joint.coordinates[3:]])
            pose |= zip(joint.speeds, values, strict=True)
    return pose


def _settle(pose: Pose, element: Element, what: str, joint: Joint) -> None:
    """Normalises the quaternion of a joint, if it has one, as MuJoCo does."""
    names = joint.coordinates[-4:]
    if len(names) < 4:
        return
    q = unit([pose[n] for n in names])
    if q is None:
        raise element.wrong(f'{what}: the quaternion of joint "{joint.name}" is zero')
    pose |= zip(names, q, strict=True)


def _free_speeds(values: Sequence[float], q: Sequence[float]) -> tuple[float, ...]:
    """The speeds of a free joint: angular velocity, then velocity, both in the axes of the body.

    MuJoCo has the velocity in world axes first, then the angular velocity in body axes.
    """
    R = of_quaternion(*q)
    v = (sum(R[k][i] * values[k] for k in range(3)) for i in range(3))
    return (*values[3:], *v)
