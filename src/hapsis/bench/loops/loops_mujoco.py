"""MuJoCo, the C library, on mechanisms with loops: its `connect` constraints, as hard as they go.

Their time constant is two steps, the shortest it recommends, their impedance the largest. They are
soft all the same: what is compared of its accelerations is what its own mass matrix, forces,
Jacobians and their rates give when loops are held exactly.
"""

import xml.etree.ElementTree as Xml
from collections.abc import Callable
from pathlib import Path as File
from typing import Any

import numpy as np

from hapsis.bench.dynamics.dynamics_mujoco import driver
from hapsis.bench.loops.loops_motion import Motion, Path, Runs, driven, parts
from hapsis.bench.loops.loops_table import Place, Row, Table
from hapsis.bench.rivals import Driver, Missing, rival

METHODS = {"RK4": 1, "implicitfast": 3}
LEAST = 1e-12  # kg m²: it wants some inertia about every axis, also of slender rods
HARDEST = "0.9999 0.9999 0.001 0.5 2"


def described(table: Table) -> str:
    """The mechanism as MuJoCo's XML; a joint's name is the number of its row."""
    root = Xml.Element("mujoco")
    Xml.SubElement(root, "compiler", angle="radian")
    Xml.SubElement(root, "option", gravity=_text(table.gravity))
    bodies = {-1: Xml.SubElement(root, "worldbody")}
    for k, row in enumerate(table.rows):
        element = bodies[row.parent]
        if row.parent < 0 or table.rows[row.parent].central is not None:
            element = Xml.SubElement(element, "body", _place(row.place))
        bodies[k] = element
        kind = "hinge" if row.kind == "R" else "slide"
        spring = {"stiffness": _text([table.stiffness[k]]), "springref": _text([table.rest[k]])}
        Xml.SubElement(element, "joint", spring, name=f"{k}", type=kind, axis=_text(row.axis))
        if row.central is not None:
            _hang(element, row)
    equality, tendon = Xml.SubElement(root, "equality"), Xml.SubElement(root, "tendon")
    for k, tie in enumerate(table.ties):
        ends = _sites(bodies, f"tie{k}", tie.first, tie.second)
        Xml.SubElement(equality, "connect", site1=ends[0], site2=ends[1], solimp=HARDEST)
    for k, pull in enumerate(table.pulls):
        numbers = {"stiffness": repr(pull.stiffness), "springlength": repr(pull.length)}
        line = Xml.SubElement(tendon, "spatial", numbers)
        for name in _sites(bodies, f"pull{k}", pull.first, pull.second):
            Xml.SubElement(line, "site", site=name)
    return Xml.tostring(root, encoding="unicode")


def _hang(element: Xml.Element, row: Row) -> None:
    """A body in its principal axes."""
    moments, axes = np.linalg.eigh(row.central)
    axes[:, 2] *= np.linalg.det(axes)
    place = np.eye(4)
    place[:3, :3], place[:3, 3] = axes, row.centre
    diagonal = _text(np.maximum(moments, LEAST))
    Xml.SubElement(element, "inertial", _place(place), mass=repr(row.mass), diaginertia=diagonal)


def _sites(bodies: dict[int, Xml.Element], name: str, *places: Place) -> list[str]:
    """Names of points on bodies."""
    names = [f"{name} {k}" for k in range(len(places))]
    for (row, place), each in zip(places, names, strict=True):
        Xml.SubElement(bodies[row], "site", _place(place), name=each)
    return names


def _place(matrix: Any) -> dict[str, str]:
    return {"pos": _text(matrix[:3, 3]), "xyaxes": _text([*matrix[:3, 0], *matrix[:3, 1]])}


def _text(numbers: Any) -> str:
    return " ".join(repr(float(x)) for x in numbers)


class Mujoco:
    """One case in MuJoCo."""

    name = "mujoco"

    def __init__(self, motion: Motion, folder: File):
        mujoco, self.motion, self.folder = rival("mujoco"), motion, folder
        self.mujoco, rows = mujoco, motion.table.rows
        try:
            self.model = mujoco.MjModel.from_xml_string(described(motion.table))
        except ValueError as problem:
            raise Missing(f"mujoco does not read {motion.case.name}: {problem}") from None
        at = np.array([int(self.model.joint(f"{k}").qposadr[0]) for k in range(len(rows))])
        self.order = at[motion.table.order]  # where the model's coordinates are
        self.driver: Driver | None = None

    def runs(self, notes: list[str]) -> Runs:
        """Per method: steps and runs; the driver is compiled here."""
        start, n = self.motion.start, self.motion.size
        state = np.zeros(3 * n)
        for k, values in enumerate((start.q, start.v, self.motion.efforts)):
            state[k * n + self.order] = values
        name = self.motion.case.name.replace(" ", "_")
        path = self.folder / f"{name}_loops.mjb"
        self.mujoco.mj_saveModel(self.model, str(path), None)
        self.driver = Driver(driver("mujoco_steps.c"), path, state[None], self.folder)

        def run(method: str, step: float) -> Callable[[], Path]:
            return lambda: self._run(method, step)

        return {m: [(h, run(m, h)) for h in self.motion.case.steps] for m in METHODS}

    def _run(self, method: str, step: float) -> Path:
        steps = round(self.motion.case.until / step)
        assert self.driver is not None
        command = f"{METHODS[method]}:{step!r}:{steps}:{parts(steps)[0]}"
        return driven(self.driver, command, steps, self.order)

    def accelerations(self, probes: list[tuple[Any, Any]]) -> Any:
        """What its model accelerates to at q and v where loops are held exactly."""
        return np.array([self._acceleration(q, v) for q, v in probes])

    def _acceleration(self, q: Any, v: Any) -> Any:
        mujoco, m, n = self.mujoco, self.model, self.motion.size
        d = mujoco.MjData(m)
        d.qpos[self.order], d.qvel[self.order] = q, v
        d.qfrc_applied[self.order] = self.motion.efforts
        mujoco.mj_forward(m, d)
        M = np.zeros((n, n))
        mujoco.mj_fullM(m, d, M)
        J, gamma = [], []
        for k, tie in enumerate(self.motion.table.ties):
            ends = [self._moving(d, m.site(f"tie{k} {side}").id) for side in (0, 1)]
            axes = d.site_xmat[m.site(f"tie{k} 0").id].reshape(3, 3).T[list(tie.directions)]
            J.append(axes @ (ends[0][0] - ends[1][0]))
            gamma.append(axes @ (ends[0][1] - ends[1][1]))
        return held(M, d.qfrc_smooth, np.vstack(J), np.concatenate(gamma))[self.order]

    def _moving(self, d: Any, site: int) -> tuple[Any, Any]:
        """A point's Jacobian, and its acceleration where coordinates have none."""
        m, n, mujoco = self.model, self.motion.size, self.mujoco
        J, rate = np.zeros((2, 3, n))
        point, body = np.array(d.site_xpos[site]), int(m.site_bodyid[site])
        mujoco.mj_jac(m, d, J, None, point, body)
        mujoco.mj_jacDot(m, d, rate, None, point, body)
        return J, rate @ d.qvel

    def close(self) -> None:
        """Ends the driver."""
        if self.driver is not None:
            self.driver.close()


def held(M: Any, force: Any, J: Any, gamma: Any) -> Any:
    """The acceleration with J a + gamma = 0: M a = force + Jᵀ lambda."""
    n, m = len(M), len(J)
    matrix = np.block([[M, J.T], [J, np.zeros((m, m))]])
    return np.linalg.solve(matrix, np.concatenate([force, -gamma]))[:n]
