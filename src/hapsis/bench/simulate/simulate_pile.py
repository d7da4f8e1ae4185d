"""A pile of boxes: three columns, four high, let go with small gaps and at rest after two seconds.

Cubes of 0.1 m and 1 kg, a little off and turned (a fixed draw), friction 0.6. Contact models differ
between contenders, so motions are not compared: what counts is the cost and how the pile rests.

    penetration  the largest overlap between a box and what carries it
    sunk         how far the lowest top box is below its rigid height, 0.35 m
    drift        the largest way of a centre to the side since the start
    tilt         the largest angle of a box to the vertical
    speed        the largest speed of a centre at the end
"""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from hapsis.bench.rivals import rival
from hapsis.bench.simulate.simulate_mujoco import Runner

SIDE, MASS, FRICTION, GAP = 0.1, 1.0, 0.6, 0.002
COLUMNS, HIGH, APART = 3, 4, 0.25
COUNT, TOP = COLUMNS * HIGH, SIDE * (HIGH - 0.5)
UNTIL = 2.0
STEPS = {"Euler": (2e-2, 1e-2, 5e-3, 2e-3, 1e-3), "implicitfast": (1e-2, 2e-3), "RK4": (2e-3,)}
SOFTNESS = "0.01 1"  # MuJoCo's time constant and damping ratio of a contact
RESTING = {"penetration": 3e-3, "sunk": 6e-3, "drift": 5e-3, "tilt": 2e-2, "speed": 2e-2}


@dataclass(frozen=True)
class Landing:
    """One run: seconds taken, steps; centres, quaternions qw qx qy qz and speeds at the end."""

    seconds: float
    steps: int
    centres: Any
    turns: Any
    speeds: Any


def start() -> tuple[Any, Any]:
    """Centres (12 x 3) and quaternions (12 x 4), column by column, from below."""
    draw = np.random.default_rng(3)
    centres, turns = np.zeros((COUNT, 3)), np.zeros((COUNT, 4))
    for k in range(COUNT):
        column, level = divmod(k, HIGH)
        aside = draw.uniform(-0.005, 0.005, 2)
        centres[k, :2] = APART * (column - 1) + aside[0], aside[1]
        centres[k, 2] = SIDE * (level + 0.5) + GAP * (level + 1)
        half = draw.uniform(-0.05, 0.05)
        turns[k] = np.cos(half), 0.0, 0.0, np.sin(half)
    return centres, turns


def rest(landing: Landing) -> dict[str, float]:
    """How the pile rests; see the head of this file."""
    centres = np.asarray(landing.centres)
    heights = centres[:, 2].reshape(COLUMNS, HIGH)
    carriers = np.hstack([np.full((COLUMNS, 1), -SIDE / 2), heights[:, :-1]])
    x, y = np.asarray(landing.turns)[:, 1:3].T
    aside = np.linalg.norm((centres - start()[0])[:, :2], axis=1)
    up = 1 - 2 * (x * x + y * y)
    return {
        "penetration": float(np.max(SIDE - (heights - carriers))),
        "sunk": float(TOP - heights[:, -1].min()),
        "drift": float(aside.max()),
        "tilt": float(np.arccos(np.clip(up, -1, 1)).max()),
        "speed": float(np.linalg.norm(landing.speeds, axis=1).max()),
    }


def resting(state: dict[str, float]) -> bool:
    """Whether the pile stands: every figure is finite and within RESTING."""
    return all(abs(state[name]) <= most for name, most in RESTING.items())


class MujocoPile:
    """The pile in MuJoCo: boxes, elliptic friction cones, its usual solver."""

    name = "mujoco"

    def __init__(self, folder: Path):
        mujoco = rival("mujoco")
        model = mujoco.MjModel.from_xml_string(_mjcf())
        centres, turns = start()
        q = np.hstack([centres, turns]).ravel()
        self.runner = Runner(model, np.concatenate([q, np.zeros(2 * model.nv)]), "pile", folder)

    def runs(self) -> dict[tuple[str, float], Callable[[], Landing]]:
        """Per method and step: a run."""

        def run(method: str, step: float) -> Callable[[], Landing]:
            return lambda: self._run(method, step)

        return {(m, h): run(m, h) for m, steps in STEPS.items() for h in steps}

    def _run(self, method: str, step: float) -> Landing:
        steps = round(UNTIL / step)
        took, q, v = self.runner.ran(method, step, steps)
        poses = q.reshape(COUNT, 7)
        return Landing(took, steps, poses[:, :3], poses[:, 3:], v.reshape(COUNT, 6)[:, :3])

    def close(self) -> None:
        """Ends the driver."""
        self.runner.close()


def _mjcf() -> str:
    """The pile as MuJoCo reads it; where the boxes are is part of the state."""
    half = f"{SIDE / 2} " * 3
    box = f'<body><freejoint/><geom type="box" size="{half}" mass="{MASS}"/></body>'
    return (
        '<mujoco><option cone="elliptic" gravity="0 0 -9.81"/>'
        f'<default><geom friction="{FRICTION} 0.005 0.0001" solref="{SOFTNESS}"/></default>'
        f'<worldbody><geom type="plane" size="2 2 0.1"/>{box * COUNT}</worldbody></mujoco>'
    )
