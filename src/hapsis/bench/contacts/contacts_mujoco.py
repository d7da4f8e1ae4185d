"""A scene in MuJoCo: `mj_step` in a loop in C, with its default settings and with firmer ones.

default   what MuJoCo takes if nothing is said: Newton, pyramidal cones, Euler, contacts of 20 ms
elliptic  elliptic cones, friction ten times as firm as the normal (impratio), implicitfast
firm      the same with impratio 100, contacts as fast as two steps allow, and closer to rigid (solimp)
noslip    firm, and ten iterations against slip after each step
"""

from pathlib import Path
from typing import Any

import numpy as np

from hapsis.bench.contacts.contacts_measures import SAMPLE, Recording
from hapsis.bench.contacts.contacts_mjcf import mjcf, with_heights
from hapsis.bench.contacts.contacts_motion import rotations
from hapsis.bench.contacts.contacts_scene import Scene
from hapsis.bench.dynamics.dynamics_mujoco import driver
from hapsis.bench.rivals import Driver, rival
from hapsis.bench.work_precision import clock

ELLIPTIC = 'solver="Newton" cone="elliptic" integrator="implicitfast"'
# a time constant below two steps counts as two steps
FIRM = 'solref="0.001 1" solimp="0.95 0.99 0.0005"'
SETTINGS = {  # attributes of <option>, of all geoms
    "default": ("", ""),
    "elliptic": (f'{ELLIPTIC} impratio="10"', ""),
    "firm": (f'{ELLIPTIC} impratio="100"', FIRM),
    "noslip": (f'{ELLIPTIC} impratio="100" noslip_iterations="10"', FIRM),
}


class Mujoco:
    """A scene in MuJoCo; one driver for each setting."""

    name = "mujoco"
    settings = tuple(SETTINGS)

    def __init__(self, scene: Scene, folder: Path):
        self.scene, self.folder = scene, folder
        self.program, self.mujoco = driver("mujoco_contacts.c"), rival("mujoco")
        self.drivers: dict[str, Driver] = {}
        self.reading: dict[str, float] = {}

    def _driver(self, setting: str) -> Driver:
        """The running driver of a setting."""
        if setting not in self.drivers:
            begin = clock()
            model = self.mujoco.MjModel.from_xml_string(mjcf(self.scene, *SETTINGS[setting]))
            self.model = with_heights(model, self.scene)
            self.reading[setting] = clock() - begin
            path = self.folder / f"{self.scene.name.replace(' ', '_')}_{setting}.mjb"
            self.mujoco.mj_saveModel(self.model, str(path), None)
            self.drivers[setting] = Driver(self.program, path, self._start()[None], self.folder)
        return self.drivers[setting]

    def _start(self) -> Any:
        """qpos, qvel and applied efforts."""
        state, m = np.zeros(self.model.nq + 2 * self.model.nv), self.model
        for part in self.scene.parts:
            at, dof = (int(x[0]) for x in (m.joint(part.name).qposadr, m.joint(part.name).dofadr))
            q, v = np.array(part.q), np.array(part.v)
            if part.kind == "free":  # linear in world axes, then angular in its own
                v = np.concatenate([rotations(q[None, 3:])[0] @ v[3:], v[:3]])
            else:
                state[m.nq + m.nv + dof] = part.effort
            state[at : at + len(q)], state[m.nq + dof : m.nq + dof + len(v)] = q, v
        return state

    def recorded(self, setting: str, step: float) -> Recording:
        """One run with samples."""
        steps, every = round(self.scene.until / step), max(1, round(SAMPLE / step))
        asked = self._driver(setting)
        seconds, numbers = asked.run(f"{step!r}:{steps}:{every}")
        rows = numbers.reshape(-1, 2 + self.model.nq + self.model.nv)
        q, v = self._ours(rows[:, 2:])
        times = np.minimum(np.arange(len(q)) * every, steps) * step
        iterations, residual = float(rows[:, 0].sum()), float(rows[:, 1].max())
        return Recording(steps, times, q, v, iterations, residual, self.reading[setting] + seconds)

    def _ours(self, rows: Any) -> tuple[Any, Any]:
        """Coordinates and speeds in the scene's order, the start first."""
        m, positions, speeds = self.model, list[Any](), list[Any]()
        for part in self.scene.parts:
            at, dof = (int(x[0]) for x in (m.joint(part.name).qposadr, m.joint(part.name).dofadr))
            q, v = rows[:, at : at + len(part.q)], rows[:, m.nq + dof : m.nq + dof + len(part.v)]
            if part.kind == "free":
                own = np.einsum("kji,kj->ki", rotations(q[:, 3:]), v[:, :3])
                v = np.hstack([v[:, 3:], own])
            positions.append(q)
            speeds.append(v)
        q, v = np.hstack(positions), np.hstack(speeds)
        return np.vstack([self.scene.q, q]), np.vstack([self.scene.v, v])

    def seconds(self, setting: str, step: float) -> float:
        """Processor seconds of a run without samples."""
        steps = round(self.scene.until / step)
        return self._driver(setting).run(f"{step!r}:{steps}:{steps}")[0]

    def close(self) -> None:
        """Ends the drivers."""
        for one in self.drivers.values():
            one.close()
