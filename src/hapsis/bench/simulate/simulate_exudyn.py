"""Exudyn in minimal coordinates: one kinematic tree, its build without range checks, one thread.

Control is the tree's own: proportional and derivative gains per joint and a constant effort.
"""

import contextlib
import io
import sys
from collections.abc import Callable
from typing import Any

import numpy as np

from hapsis.bench.rivals import Missing, rival
from hapsis.bench.simulate.simulate_cases import Case
from hapsis.bench.simulate.simulate_links import links
from hapsis.bench.work_precision import Outcome, clock

STEPS = (5e-2, 2e-2, 1e-2, 5e-3, 2e-3, 1e-3, 5e-4, 2e-4, 1e-4, 5e-5, 2e-5, 1e-5)
TOLERANCES = (1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10, 1e-11, 1e-12)
METHODS = {"RK44": STEPS, "DOPRI5": TOLERANCES, "GeneralizedAlpha": STEPS}
NEWTON = 1e-10  # its relative tolerance; the default, 1e-8, would bound the accuracy


def package() -> Any:
    """The package, its fast build where the processor allows; what it says is not shown."""
    sys.exudynFast = True  # pyright: ignore[reportAttributeAccessIssue]
    with contextlib.redirect_stdout(io.StringIO()):
        exudyn = rival("exudyn")
    exudyn.config.printToConsole = False
    return exudyn


def settings(method: str, until: float, setting: float) -> Any:
    """How a run goes: a step, or for DOPRI5 a tolerance; nothing is written or shown."""
    exudyn = package()
    options = exudyn.SimulationSettings()
    time_ = options.timeIntegration
    time_.endTime, time_.verboseMode = until, 0
    time_.solverType = getattr(exudyn.DynamicSolverType, method)
    if method == "DOPRI5":
        time_.numberOfSteps, time_.automaticStepSize = 1, True
        time_.absoluteTolerance = time_.relativeTolerance = setting
        time_.initialStepSize, time_.minimumStepSize = 1e-4, 1e-12
    else:
        time_.numberOfSteps, time_.automaticStepSize = round(until / setting), False
    time_.newton.useModifiedNewton = True
    time_.newton.relativeTolerance = NEWTON
    time_.generalizedAlpha.spectralRadius = 1.0
    options.linearSolver.solverType = exudyn.LinearSolverType.EXUdense
    options.solution.file.write = False
    options.solution.sensors.writePeriod = 10 * until
    options.parallel.numberOfThreads = 1
    return options


def solved(system: Any, chosen: Any) -> tuple[float, bool]:
    """Seconds taken, and whether the solver came to the end."""
    begin = clock()
    try:
        fine = bool(system.SolveDynamic(chosen))
    except package().SolverError:
        fine = False
    return clock() - begin, fine


class Exudyn:
    """One case in Exudyn."""

    name = "exudyn"

    def __init__(self, case: Case):
        self.case = case
        self.system = self._built(links(case.robot))

    def _built(self, rows: Any) -> Any:
        exudyn, items = package(), rival("exudyn.itemInterface")
        kinds = exudyn.JointType.RevoluteX, exudyn.JointType.RevoluteY, exudyn.JointType.RevoluteZ
        if not all(sorted(row.axis) == [0.0, 0.0, 1.0] for row in rows):
            raise Missing(f"exudyn: an axis of {self.case.name} is not x, y or z")
        joints = [row.joint for row in rows]
        self.order = np.array([joints.index(name) for name in self.case.robot.joints])
        n, c = len(rows), self.case.control
        start = self._arranged(self.case.q)
        self.container = exudyn.SystemContainer()  # keeps the system alive
        system = self.container.AddSystem()
        node = system.AddNode(
            items.NodeGenericODE2(
                referenceCoordinates=[0.0] * n,
                initialCoordinates=start,
                initialCoordinates_t=[0.0] * n,
                numberOfODE2Coordinates=n,
            )
        )
        control = {}
        if c is not None:
            control = {
                "jointPControlVector": self._arranged(c.stiffness),
                "jointDControlVector": self._arranged(c.damping),
                "jointPositionOffsetVector": self._arranged(c.hold),
                "jointVelocityOffsetVector": [0.0] * n,
                "jointForceVector": self._arranged(c.feedforward),
            }
        tree = items.ObjectKinematicTree(
            nodeNumber=node,
            gravity=[0.0, 0.0, -9.81],
            jointTypes=[kinds[int(np.argmax(row.axis))] for row in rows],
            linkParents=[row.parent for row in rows],
            jointHTs=[row.place for row in rows],
            linkInertiasCOM=exudyn.Matrix3DList([row.central for row in rows]),
            linkCOMs=exudyn.Vector3DList([row.centre for row in rows]),
            linkMasses=[row.mass for row in rows],
            **control,
        )
        system.AddObject(tree)
        system.Assemble()
        return system

    def _arranged(self, values: Any) -> list[float]:
        """Values in the robot's order, put into the tree's."""
        by_tree = np.zeros(len(self.order))
        by_tree[self.order] = values
        return by_tree.tolist()

    def curves(self) -> dict[str, list[tuple[float, Callable[[], Outcome]]]]:
        """Per method: steps or tolerances, and runs."""

        def run(method: str, setting: float) -> Callable[[], Outcome]:
            return lambda: self._run(method, setting)

        return {m: [(x, run(m, x)) for x in chosen] for m, chosen in METHODS.items()}

    def _run(self, method: str, setting: float) -> Outcome:
        chosen = settings(method, self.case.until, setting)
        took, fine = solved(self.system, chosen)
        data, steps = self.system.systemData, self.system.sys["dynamicSolver"].it
        q, v = np.array(data.GetODE2Coordinates()), np.array(data.GetODE2Coordinates_t())
        if not fine:
            q, v = np.full_like(q, np.inf), np.full_like(v, np.inf)
        count = steps.currentStepIndex - 1 + steps.rejectedAutomaticStepSizeSteps
        return Outcome(took, count, q[self.order], v[self.order])

    def close(self) -> None:
        """Nothing to end."""
