"""The same walkers in MuJoCo: feet are small spheres that touch a plane, as stiff as its solver allows.

Its steps are a thousandth of 3 √(l/g), so that a stride has about a thousand, or shorter where it would fall.
Straight legs scuff, so that the swinging foot may not touch before it is ahead and comes down; a wheel needs
no such rule. A stride is counted where the foot in front begins to touch.
"""

from typing import Any

import numpy as np

from hapsis.bench.hybrid.hybrid_walkers import Walker
from hapsis.bench.rivals import rival

STEPS = (1e-3, 3e-4, 1e-4)  # of 3 √(l/g): about a thousand steps in a stride, or more where it falls
RADIUS = 1e-3
HEAD = """<mujoco><option timestep="{dt!r}" gravity="{gx!r} 0 {gz!r}" integrator="{method}" cone="elliptic"
 impratio="10"/><default><geom solref="{solref!r} 1" solimp="0.99 0.999 0.0001" friction="5 0 0"/>
</default><worldbody><geom type="plane" size="0 0 1" conaffinity="1" contype="0"/>
<body name="hip"><joint type="slide" axis="1 0 0"/><joint type="slide" axis="0 0 1"/>"""


class MujocoWalker:
    """One walker with its feet as contacts."""

    def __init__(self, walker: Walker, step: float = STEPS[0], method: str = "implicitfast") -> None:
        self.mujoco = rival("mujoco")
        model = walker.hybrid.model
        p = model.parameters
        self.length, self.wheel = p["length"], walker.name == "rimless_wheel"
        self.dt = 3.0 * step * (self.length / p["g"]) ** 0.5
        gx, _, gz = model.gravity_vector
        text = HEAD.format(dt=self.dt, gx=gx, gz=gz, method=method, solref=2.5 * self.dt)
        text += self._wheel(p) if self.wheel else self._legs(p)
        self.model = self.mujoco.MjModel.from_xml_string(text + "</body></worldbody></mujoco>")
        self.data = self.mujoco.MjData(self.model)
        start = walker.cycle.start
        self.data.qpos[:], self.data.qvel[:] = start.q, start.v
        self.data.qpos[0] = 0.0
        self.data.qpos[1] += RADIUS
        self.feet = [k for k in range(self.model.ngeom) if k and self.model.geom_type[k] == 2]

    def _legs(self, p: Any) -> str:
        hip, foot = p["hip_mass"], p.get("leg_mass", p.get("foot_mass"))
        com = p.get("b", p["length"])
        foot = max(foot, 1e-5 * hip)  # lighter ones are not integrated
        inertia = f'diaginertia="{1e-6 * hip} {1e-6 * hip} {1e-6 * hip}"'
        legs = "".join(
            f'<body name="{name}"><joint type="hinge" axis="0 1 0"/><inertial pos="0 0 {-com}" mass="{foot}" '
            f'diaginertia="{1e-9 * hip} {1e-9 * hip} {1e-9 * hip}"/><geom name="{name}" type="sphere" '
            f'size="{RADIUS}" pos="0 0 {-self.length}" contype="1" conaffinity="0" mass="0"/></body>'
            for name in ("stance", "swing")
        )
        return f'<inertial pos="0 0 0" mass="{hip}" {inertia}/>{legs}'

    def _wheel(self, p: Any) -> str:
        angles = 2 * np.pi * np.arange(8) / 8
        spokes = "".join(
            f'<geom type="sphere" size="{RADIUS}" '
            f'pos="{self.length * np.sin(a)} 0 {-self.length * np.cos(a)}" '
            f'contype="1" conaffinity="0" mass="0"/>'
            for a in angles
        )
        small = 1e-6 * p["mass"]
        inertial = f'<inertial pos="0 0 0" mass="{p["mass"]}" diaginertia="{small} {small} {small}"/>'
        return f'<joint type="hinge" axis="0 1 0"/>{inertial}{spokes}'

    def run(self, strides: int) -> tuple[int, float, int]:
        """Strides made (fewer where it falls), the mean time of one, and steps."""
        step, data, model = self.mujoco.mj_step, self.data, self.model
        times, steps, standing = list[float](), 0, -1
        most = int(strides * 8.0 * (self.length / 1.0) ** 0.5 / self.dt)
        feet = np.array(self.feet)
        first, second = feet[0], feet[1]
        stance, swing = first, second
        while len(times) < strides + 1 and steps < most:
            if not self.wheel:
                ahead = data.geom_xpos[swing, 0] - data.geom_xpos[stance, 0] > 0.1 * self.length
                model.geom_contype[stance], model.geom_contype[swing] = 1, int(ahead)
            step(model, data)
            steps += 1
            if data.qpos[1] < 0.5 * self.length or not np.isfinite(data.qpos[1]):
                break
            for k in range(data.ncon):
                foot = int(data.contact.geom2[k])
                if self.wheel and foot != standing:
                    if standing < 0 or data.geom_xpos[foot, 0] > data.geom_xpos[standing, 0]:
                        standing = foot
                        times.append(data.time)
                elif not self.wheel and foot == swing:
                    stance, swing = swing, stance
                    times.append(data.time)
                    break
        count = max(len(times) - 1, 0)
        return count, float((times[-1] - times[0]) / count) if count else float("nan"), steps
