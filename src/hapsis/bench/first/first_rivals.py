"""The rivals of `hapsis bench first`: how long they take with a robot until it moves."""

import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from hapsis.bench import robots
from hapsis.bench.contest import entered
from hapsis.bench.rivals import COMPILE_LIMIT, Missing, rival

Process = Callable[[list[str], Path], tuple[float, float]]
MUJOCO = """import sys, mujoco
model = mujoco.MjModel.from_xml_path(sys.argv[1])
data = mujoco.MjData(model)
while data.time < 0.1:
    mujoco.mj_step(model, data)"""
PINOCCHIO = """import sys, numpy as np, pinocchio as pin
free = [pin.JointModelFreeFlyer()] if sys.argv[2] == "free" else []
model = pin.buildModelFromUrdf(sys.argv[1], *free, pin.Model())
data, q, v = model.createData(), pin.neutral(model), np.zeros(model.nv)
pin.aba(model, data, q, v, v)
pin.computeABADerivatives(model, data, q, v, v)"""


def rivals(name: str, folder: Path, times: int, notes: list[str], process: Process) -> dict[str, float]:
    """Seconds of each rival that is installed; a note for each of the others."""
    robot = robots.robot(name, folder)
    if robot is None:
        return {}
    base = "free" if robot.free else "fixed"
    seconds: dict[str, float] = {}
    for package, program in (("mujoco", MUJOCO), ("pinocchio", PINOCCHIO)):
        if entered(lambda package=package: rival(package), notes) is not None:
            arguments = [sys.executable, "-c", program, str(robot.path), base]
            walls = [process(arguments, folder / "none")[0] for _ in range(times)]
            seconds[package] = statistics.median(walls)
    traced = entered(lambda: _casadi(robot), notes)
    if traced is not None:
        seconds["casadi trace"], seconds["casadi gcc"] = traced
    return seconds


def _casadi(robot: robots.Robot) -> tuple[float, float]:
    """Seconds to trace the forward dynamics and write it as C, and of gcc."""
    from hapsis.bench.dynamics.dynamics_casadi import FLAGS, Casadi
    from hapsis.bench.dynamics.dynamics_pinocchio import loaded

    rival("casadi")
    tracer: Any = object.__new__(Casadi)  # its constructor would compile all quantities
    tracer.robot, tracer.peer = robot, SimpleNamespace(model=loaded(robot))
    start = time.perf_counter()
    source = tracer.source("forward")
    traced = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "forward.c")
        path.write_bytes(source)
        try:
            subprocess.run(
                ["gcc", *FLAGS, str(path), "-o", str(path.with_suffix(".so"))],
                check=True,
                capture_output=True,
                timeout=COMPILE_LIMIT,
            )
        except (OSError, subprocess.SubprocessError) as problem:
            raise Missing(f"CasADi's C of {robot.name} is not compiled: {str(problem)[:100]}") from None
    return traced - start, time.perf_counter() - traced
