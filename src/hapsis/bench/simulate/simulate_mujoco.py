"""MuJoCo, the C library: `mj_step` in a loop compiled against its wheel's library.

Constraints are switched off where nothing touches. Control is the model's own spring and damping of
each joint, which its implicit integrators treat implicitly, and a constant applied effort.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from hapsis.bench.dynamics.dynamics_mujoco import driver, loaded
from hapsis.bench.rivals import Driver, Missing, rival
from hapsis.bench.simulate.simulate_cases import Case
from hapsis.bench.work_precision import Outcome

METHODS = {"RK4": 1, "Euler": 0, "implicitfast": 3}
STEPS = (5e-2, 2e-2, 1e-2, 5e-3, 2e-3, 1e-3, 5e-4, 2e-4, 1e-4, 5e-5, 2e-5, 1e-5)


class Runner:
    """The running loop over `mj_step`."""

    def __init__(self, model: Any, state: Any, name: str, folder: Path):
        path = folder / f"{name.replace(' ', '_')}_simulate.mjb"
        rival("mujoco").mj_saveModel(model, str(path), None)
        self.driver = Driver(driver("mujoco_steps.c"), path, state[None], folder)
        self.split = int(model.nq)

    def ran(self, method: str, step: float, steps: int) -> tuple[float, Any, Any]:
        """Seconds taken, qpos and qvel at the end."""
        took, state = self.driver.run(f"{METHODS[method]}:{step!r}:{steps}:{steps}")
        return took, state[: self.split], state[self.split :]

    def close(self) -> None:
        """Ends the driver."""
        self.driver.close()


class Mujoco:
    """One case in MuJoCo."""

    name = "mujoco"

    def __init__(self, case: Case, folder: Path):
        mujoco, self.case = rival("mujoco"), case
        model, joints = loaded(case.robot), case.robot.joints
        if model.nv != case.robot.size or model.nq != model.nv:
            raise Missing(f"mujoco finds {model.nv} speeds in {case.name}")
        self.order = np.array([int(model.joint(x).qposadr[0]) for x in joints])
        model.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONSTRAINT
        q, efforts = np.zeros((2, model.nv))
        q[self.order] = case.q
        if case.control is not None:
            c = case.control
            model.jnt_stiffness[self.order] = c.stiffness
            model.dof_damping[self.order] = c.damping
            model.qpos_spring[self.order] = c.hold
            efforts[self.order] = c.feedforward
        state = np.concatenate([q, np.zeros(model.nv), efforts])
        self.runner = Runner(model, state, case.name, folder)

    def curves(self) -> dict[str, list[tuple[float, Callable[[], Outcome]]]]:
        """Per method: steps and runs."""

        def run(method: str, step: float) -> Callable[[], Outcome]:
            return lambda: self._run(method, step)

        return {m: [(h, run(m, h)) for h in STEPS] for m in METHODS}

    def _run(self, method: str, step: float) -> Outcome:
        steps = round(self.case.until / step)
        took, q, v = self.runner.ran(method, step, steps)
        return Outcome(took, steps, q[self.order], v[self.order])

    def close(self) -> None:
        """Ends the driver."""
        self.runner.close()
