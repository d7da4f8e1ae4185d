"""Poses expressed in the coordinates of another spanning tree of the same mechanism."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from hapsis.errors import SolveError
from hapsis.mechanics.model.model import Model
from hapsis.mechanics.model.state import State
from hapsis.mechanics.model.units import coordinate_units
from hapsis.motion.analysis.assembly.assemble import assemble
from hapsis.motion.analysis.assembly.joint_ends import JointEnds, coordinates
from hapsis.motion.analysis.assembly.loop_numbers import Loops

SAME = 1e-12  # of its unit: a coordinate that assembling left alone


class Carried:
    """The poses of a model, each of them assembled."""

    def __init__(self, model: Model) -> None:
        self.model, self.ends = model, JointEnds(model)
        self.states: dict[str, State | None] = {}
        self.poses = {"start": {}, **model.poses}  # so that the new tree starts where this one does
        for name, pose in self.poses.items():
            try:
                self.states[name] = assemble(model.replace(poses={"start": pose}))
            except SolveError:
                self.states[name] = None

    def onto(self, new: Model) -> Model:
        """The new model with these poses, expressed in the coordinates of its own tree.

        In a pose that is closed already, coordinates that both trees have keep their value as it was
        written. Of a pose that cannot be assembled only these coordinates are kept.
        """
        poses: dict[str, Mapping[str, Any]] = {}
        for name, pose in self.poses.items():
            values = {n: x for n, x in pose.items() if n in new.coordinates or n in new.speeds}
            state = self.states[name]
            if state is not None:
                coordinates = self._places(new, state)
                units = dict(zip(new.coordinates, coordinate_units(new), strict=True))
                values = {n: self._written(values.get(n), x, units[n]) for n, x in coordinates.items()}
                if any(n in self.model.speeds for n in pose):
                    values |= _speeds(Loops(new), coordinates, state)
            poses[name] = values
        return new.replace(poses=poses)

    def _places(self, new: Model, state: State) -> dict[str, float]:
        """The coordinates of the new tree in a closed pose of the old one."""
        known = dict(zip(state.coordinates, state.q, strict=True))
        joints = [joint for joint in new.moving if not all(n in known for n in joint.coordinates)]
        between = self.ends.between(joints, state.q)
        for joint in joints:
            values = coordinates(new, joint, *between[joint.name])
            known |= dict(zip(joint.coordinates, values, strict=True))
        return {n: float(known[n]) for n in new.coordinates}

    def _written(self, written: Any, x: float, unit: float) -> Any:
        """The number; or the value as it was written, where that is the same number."""
        same = written is not None and abs(self.model.value(written) - x) <= SAME * unit
        return written if same else x


def _speeds(loops: Loops, coordinates: Mapping[str, float], state: State) -> dict[str, float]:
    """The speeds that both trees have, and those of the new joints that keep the loops closed."""
    names = loops.model.speeds
    q = np.array([coordinates[n] for n in loops.model.coordinates])
    v = np.array([state[n] if n in state.speeds else 0.0 for n in names])
    new = [k for k, n in enumerate(names) if n not in state.speeds]
    if new:
        J, units = loops.relative_jacobian(q), loops.speed_units
        rate = J @ (v / units) + loops.drift(q) / loops.row_units
        v[new] = -np.linalg.lstsq(J[:, new], rate, rcond=None)[0] * units[new]
    return {n: float(x) for n, x in zip(names, v, strict=True)}
