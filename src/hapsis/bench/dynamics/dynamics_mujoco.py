"""MuJoCo, the C library: timed by a driver compiled against its wheel's library.

Contacts, limits and passive forces take no part: the functions of the smooth dynamics are called
one by one, from the coordinates on. The mass matrix stays in MuJoCo's sparse form. Free bases have
linear speeds in the world frame there, so inputs are turned before and results after the timing.
"""

import xml.etree.ElementTree as Xml
from pathlib import Path
from typing import Any

import numpy as np

from hapsis.bench.rivals import COMPILE_LIMIT, Driver, Missing, built, driver_source, rival
from hapsis.bench.robots import Robot, States

QUANTITIES = ("inverse", "mass", "forward")


def loaded(robot: Robot) -> Any:
    """MuJoCo's model of the robot's file; a free base is a floating joint below a new root."""
    root = Xml.parse(robot.path).getroot()
    extra = Xml.SubElement(root, "mujoco")
    Xml.SubElement(extra, "compiler", fusestatic="true", angle="radian")
    if robot.free:
        children = {c.get("link") for c in root.iter("child")}
        names = [link.get("name", "") for link in root.findall("link")]
        top = next(name for name in names if name not in children)
        Xml.SubElement(root, "link", name="below everything")
        joint = Xml.SubElement(root, "joint", name="free base", type="floating")
        Xml.SubElement(joint, "parent", link="below everything")
        Xml.SubElement(joint, "child", link=top)
    mujoco = rival("mujoco")
    try:
        return mujoco.MjModel.from_xml_string(Xml.tostring(root, encoding="unicode"))
    except ValueError as problem:
        raise Missing(f"mujoco does not read {robot.name}: {problem}") from None


def driver(file: str = "mujoco_functions.c") -> Path:
    """The compiled driver of a source file."""
    mujoco = rival("mujoco")
    package = Path(mujoco.__file__).parent
    library = next(package.glob("libmujoco*"), None)
    if library is None or not (package / "include").is_dir():
        raise Missing("the headers or the library of mujoco are not installed")
    command = ["gcc", "-O3", "-march=native", "-w", f"-I{package / 'include'}"]
    command += [f"-l:{library.name}", f"-L{package}", f"-Wl,-rpath,{package}", "-lm"]
    source, version = driver_source(file), mujoco.__version__
    return built("mujoco", command, lambda: source, [source, version.encode()], COMPILE_LIMIT)


def turns(pose: Any) -> Any:
    """Rotation matrices of quaternions qw qx qy qz, base to world."""
    w, x, y, z = pose[:, 3:].T
    rows = (
        (1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)),
        (2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)),
        (2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)),
    )
    return np.moveaxis(np.array(rows), 2, 0)


class Mujoco:
    """One robot in MuJoCo."""

    name = timed_as = "mujoco"

    def __init__(self, robot: Robot, states: States, folder: Path, notes: list[str]):
        program, self.robot, self.model = driver(), robot, loaded(robot)
        if self.model.nv != robot.size:
            raise Missing(f"mujoco finds {self.model.nv} speeds in {robot.name}")
        self.turns, self.twist = turns(states.pose), states.twist
        q, v = self._order()
        rates, efforts = self._arranged(states, q, v)
        path = folder / f"{robot.path.stem}.mjb"
        rival("mujoco").mj_saveModel(self.model, str(path), None)
        self.order = v
        self.drivers = Driver(program, path, rates, folder), Driver(program, path, efforts, folder)

    def quantities(self) -> tuple[str, ...]:
        """What it can compute; its derivatives are finite differences and take no part."""
        return QUANTITIES

    def _order(self) -> tuple[list[int], list[int]]:
        """Where our coordinates and speeds are in MuJoCo's."""
        joints = [self.model.joint(name) for name in self.robot.joints]
        q, v = [int(j.qposadr[0]) for j in joints], [int(j.dofadr[0]) for j in joints]
        if self.robot.free:
            base = self.model.joint("free base")
            at, dof = int(base.qposadr[0]), int(base.dofadr[0])
            q = [*range(at, at + 7), *q]
            v = [*range(dof + 3, dof + 6), *range(dof, dof + 3), *v]
        return q, v

    def _arranged(self, states: States, q: list[int], v: list[int]) -> tuple[Any, Any]:
        """All states as MuJoCo wants them: with accelerations, and with efforts."""
        nq, nv = self.model.nq, self.model.nv
        values, speeds, thirds = states.q, states.v, (states.a, states.a)
        if self.robot.free:
            angular, linear = states.twist[:, :3], states.twist[:, 3:]
            turn, push, rate = states.push[:, :3], states.push[:, 3:], states.push[:, 3:]
            rate = rate + np.cross(angular, linear)
            values = np.hstack([states.pose, values])
            speeds = np.hstack([angular, self._world(linear), speeds])
            firsts = (self._world(rate), self._world(push))
            thirds = tuple(np.hstack([turn, x, states.a]) for x in firsts)
        arrays = []
        for third in thirds:
            x = np.zeros((len(values), nq + 2 * nv))
            x[:, q] = values
            x[:, nq + np.array(v)] = speeds
            x[:, nq + nv + np.array(v)] = third
            arrays.append(x)
        return arrays[0], arrays[1]

    def _world(self, vectors: Any) -> Any:
        return np.einsum("kij,kj->ki", self.turns, vectors)

    def _own(self, vectors: Any) -> Any:
        return np.einsum("kji,kj->ki", self.turns, vectors)

    def seconds(self, quantity: str, budget: float) -> float:
        """The shortest time per call."""
        return self.drivers[quantity == "forward"].seconds(quantity, budget)

    def results(self, quantity: str) -> Any:
        """What the timed code computes for all states, in our order and our frames."""
        rows = self.drivers[quantity == "forward"].results(quantity)
        if quantity == "mass":
            n = self.robot.size
            M = rows.reshape(-1, n, n)[:, self.order][:, :, self.order]
            if self.robot.free:
                M[:, 3:6] = np.einsum("kji,kjn->kin", self.turns, M[:, 3:6])
                M[:, :, 3:6] = np.einsum("knj,kji->kni", M[:, :, 3:6], self.turns)
            return M
        rows = rows[:, self.order]
        if self.robot.free:
            rows[:, 3:6] = self._own(rows[:, 3:6])
            if quantity == "forward":
                rows[:, 3:6] -= np.cross(self.twist[:, :3], self.twist[:, 3:])
        return rows

    def close(self) -> None:
        """Ends the drivers."""
        for driver in self.drivers:
            driver.close()
