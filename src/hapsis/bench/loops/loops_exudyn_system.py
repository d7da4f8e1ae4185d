"""A mechanism with loops in Exudyn: free bodies held by joints, in all loops alike.

Planar mechanisms are planar there too; spatial bodies turn by Euler parameters. Each body's origin
is its centre of mass and its axes are those of the world at the start, so that all is
described as it is then.
"""

from typing import Any

import numpy as np

from hapsis.bench.loops.loops_poses import Posed, posed
from hapsis.bench.loops.loops_table import Place, Table
from hapsis.bench.rivals import Missing, rival
from hapsis.bench.simulate.simulate_exudyn import package, settings

# which of its three conditions on turns holds axis i of the first and axis j of the second square
SQUARE = {(2, 1): 3, (0, 2): 4, (0, 1): 5}
READ = ("Position", "RotationMatrix", "Velocity", "AngularVelocity")


def plane(table: Table) -> Any:
    """Rows: two directions and the normal of a planar mechanism; None for others."""
    here = posed(table, *np.zeros((2, len(table.rows))))
    axes = {k: here[k].X[:3, :3] @ row.axis for k, row in enumerate(table.rows)}
    turning = [np.abs(axes[k]) for k, row in enumerate(table.rows) if row.kind == "R"]
    moving = [axes[k] for k, row in enumerate(table.rows) if row.kind == "P"]
    normal = turning[0]
    flat = all(np.allclose(x, normal) for x in turning) and table.gravity @ normal == 0.0
    if not flat or any(x @ normal for x in moving) or np.count_nonzero(normal) != 1:
        return None
    k = int(np.argmax(normal))
    return np.eye(3)[[(k + 1) % 3, (k + 2) % 3, k]]


class System:
    """A mechanism in Exudyn, from q and v of the rows on."""

    def __init__(self, table: Table, q: Any, v: Any):
        self.table, self.start = table, posed(table, q, v)
        self.exudyn, self.items = package(), rival("exudyn.itemInterface")
        axes = plane(table)
        self.flat, self.axes = axes is not None, np.eye(3) if axes is None else axes
        self.container = self.exudyn.SystemContainer()  # keeps the system alive
        self.system = self.container.AddSystem()
        self.bodies = {-1: self.system.AddObject(self.items.ObjectGround())}
        carrying = [k for k, row in enumerate(table.rows) if row.central is not None]
        for k in carrying:
            self.bodies[k] = self._body(k)
        for k in carrying:
            self._joint(k)
        for tie in table.ties:
            held = [int(k in tie.directions) for k in range(3)]
            self._point(tie.first, tie.second, held)
        for pull in table.pulls:
            self._spring(pull.first, pull.second, pull.stiffness, pull.length)
        self.sensors = {k: [self._sensor(k, what) for what in READ] for k in carrying}
        self.system.Assemble()

    def _centre(self, k: int) -> Any:
        """Where a row's centre of mass is at the start."""
        X = self.start[k].X
        return X[:3, :3] @ self.table.rows[k].centre + X[:3, 3]

    def _body(self, k: int) -> Any:
        row, here, F = self.table.rows[k], self.start[k], self.axes
        R, centre = here.X[:3, :3], self._centre(k)
        linear = here.linear + np.cross(here.angular, centre - here.X[:3, 3])
        place, speed, spin = F @ centre, F @ linear, F @ here.angular
        inertia, items = F @ R @ row.central @ R.T @ F.T, self.items
        if self.flat:
            node = items.NodeRigidBody2D(
                referenceCoordinates=[*place[:2], 0.0], initialVelocities=[*speed[:2], spin[2]]
            )
            number = self.system.AddNode(node)
            body = items.ObjectRigidBody2D(mass=row.mass, inertia=inertia[2, 2], nodeNumber=number)
        else:
            node = items.NodeRigidBodyEP(
                referenceCoordinates=[*place, 1.0, 0.0, 0.0, 0.0],
                initialVelocities=[*speed, 0.0, *(spin / 2)],
            )
            number, I = self.system.AddNode(node), inertia
            numbers = [I[0, 0], I[1, 1], I[2, 2], I[1, 2], I[0, 2], I[0, 1]]
            body = items.ObjectRigidBody(mass=row.mass, inertia=numbers, nodeNumber=number)
        index = self.system.AddObject(body)
        weight = self.system.AddMarker(items.MarkerBodyMass(bodyNumber=index))
        pull = items.LoadMassProportional(markerNumber=weight, loadVector=F @ self.table.gravity)
        self.system.AddLoad(pull)
        return index

    def _world(self, place: Place) -> Any:
        """Where a place is at the start."""
        row, matrix = place
        return matrix if row < 0 else self.start[row].X @ matrix

    def _marker(self, place: Place, kind: str = "MarkerBodyRigid") -> Any:
        there, row = self._world(place)[:3, 3], place[0]
        point = self.axes @ (there if row < 0 else there - self._centre(row))
        make = getattr(self.items, kind)
        return self.system.AddMarker(make(bodyNumber=self.bodies[row], localPosition=point))

    def _joint(self, last: int) -> None:
        """What holds a body to the one before it, by the kinds of the rows between."""
        rows, first = self.table.rows, last
        while rows[first].parent >= 0 and rows[rows[first].parent].central is None:
            first = rows[first].parent
        parent = rows[first].parent, rows[first].place
        child: Place = last, np.eye(4)
        kinds = "".join(row.kind for row in rows[first : last + 1])
        if kinds in ("R", "RRR") and (self.flat or kinds == "RRR"):
            self._point(parent, child, [1, 1, 1])
        elif kinds == "P" and self.flat:
            self._slide(parent, child, rows[last])
        elif kinds in ("R", "P"):
            axis = int(np.argmax(np.abs(rows[last].axis)))
            free = axis + 3 * (kinds == "R")
            self._general(parent, child, [int(k != free) for k in range(6)])
        elif kinds == "RR":
            self._universal(parent, child, [int(np.argmax(r.axis)) for r in rows[first : last + 1]])
        elif kinds != "PPPRRR":
            raise Missing(f"a joint of steps {kinds} is not described to exudyn")
        self._loads(parent, child, last)

    def _loads(self, parent: Place, child: Place, k: int) -> None:
        """The spring along a slide, the constant effort about a hinge."""
        table, row = self.table, self.table.rows[k]
        if table.stiffness[k]:
            if row.kind != "P" or table.rest[k] <= 0.0:
                raise Missing("only springs along slides are described to exudyn")
            self._spring(parent, child, table.stiffness[k], table.rest[k])
        if table.efforts[k]:
            moment = self.axes @ self.start[k].X[:3, :3] @ row.axis * table.efforts[k]
            load = self.items.LoadTorqueVector(markerNumber=self._marker(child), loadVector=moment)
            self.system.AddLoad(load)

    def _point(self, first: Place, second: Place, held: list[int]) -> None:
        """Two points that meet."""
        if self.flat:
            ends = [self._marker(x, "MarkerBodyPosition") for x in (first, second)]
            joint = self.items.ObjectJointRevolute2D(markerNumbers=ends)
        elif all(held):
            ends = [self._marker(x) for x in (first, second)]
            joint = self.items.ObjectJointSpherical(markerNumbers=ends, constrainedAxes=held)
        else:
            raise Missing("a spatial loop that leaves a direction free is not described to exudyn")
        self.system.AddObject(joint)

    def _slide(self, first: Place, second: Place, row: Any) -> None:
        """A slide in the plane; the normal turns with the second body."""
        along = self.axes @ self._world(first)[:3, :3] @ row.axis
        across = [-along[1], along[0], 0.0]
        ends = [self._marker(x) for x in (first, second)]
        joint = self.items.ObjectJointPrismatic2D(markerNumbers=ends, axisMarker0=along, normalMarker1=across)
        self.system.AddObject(joint)

    def _universal(self, first: Place, second: Place, axes: list[int]) -> None:
        """Axis i of the first and j of the second stay square."""
        i, j = axes
        if (i, j) not in SQUARE:
            i, j, first, second = j, i, second, first
        held = [1, 1, 1, 0, 0, 0]
        held[SQUARE[i, j]] = 1
        self._general(first, second, held)

    def _general(self, first: Place, second: Place, held: list[int]) -> None:
        ends = [self._turned(x) for x in (first, second)]
        joint = self.items.ObjectJointGeneric(markerNumbers=ends, constrainedAxes=held)
        self.system.AddObject(joint)

    def _turned(self, place: Place) -> Any:
        """A point with the axes of its place; only spatial bodies ask for it."""
        there, row = self._world(place), place[0]
        point = there[:3, 3] if row < 0 else there[:3, 3] - self._centre(row)
        frame = self.exudyn.HT(rotation=there[:3, :3], translation=point)
        marker = self.items.MarkerBodyRigid(bodyNumber=self.bodies[row], localHT=frame)
        return self.system.AddMarker(marker)

    def _spring(self, first: Place, second: Place, stiffness: float, length: float) -> None:
        ends = [self._marker(x, "MarkerBodyPosition") for x in (first, second)]
        spring = self.items.ObjectConnectorSpringDamper(
            markerNumbers=ends, stiffness=stiffness, referenceLength=length
        )
        self.system.AddObject(spring)

    def _sensor(self, k: int, what: str) -> Any:
        kind = getattr(self.exudyn.OutputVariableType, what)
        sensor = self.items.SensorBody(
            bodyNumber=self.bodies[k], outputVariableType=kind, storeInternal=True, writeToFile=False
        )
        return self.system.AddSensor(sensor)

    def samples(self) -> list[dict[int, Posed]]:
        """The poses and twists that the last run kept, the start among them."""
        F, rows = self.axes, []
        records = {
            k: [self.system.GetSensorStoredData(x)[:, 1:] for x in sensors]
            for k, sensors in self.sensors.items()
        }
        for i in range(len(next(iter(records.values()))[0])):
            here = {}
            for k, (places, turns, speeds, spins) in records.items():
                turn, X = F.T @ turns[i].reshape(3, 3) @ F, np.eye(4)
                arm = turn @ (self.start[k].X[:3, 3] - self._centre(k))
                spin = F.T @ spins[i]
                X[:3, :3], X[:3, 3] = turn @ self.start[k].X[:3, :3], F.T @ places[i] + arm
                here[k] = Posed(X, spin, F.T @ speeds[i] + np.cross(spin, arm))
            rows.append(here)
        return rows

    def accelerations(self) -> dict[int, tuple[Any, Any]]:
        """{row: angular and linear acceleration of its origin} that its solver begins with."""
        options = settings("GeneralizedAlpha", 1.0, 1.0)
        options.timeIntegration.generalizedAlpha.computeInitialAccelerations = True
        self.exudyn.MainSolverImplicitSecondOrder().InitializeSolver(self.system, options)
        second = np.array(self.system.systemData.GetODE2Coordinates_tt())
        rates, F = {}, self.axes
        for k, x in zip(self.sensors, second.reshape(len(self.sensors), -1), strict=True):
            if self.flat:
                linear, angular = F.T @ [*x[:2], 0.0], F.T @ [0.0, 0.0, x[2]]
            else:  # Euler parameters are 1 0 0 0 here, so that the rest is half the turn
                linear, angular = x[:3], 2.0 * x[4:]
            spin, arm = self.start[k].angular, self.start[k].X[:3, 3] - self._centre(k)
            linear = linear + np.cross(angular, arm) + np.cross(spin, np.cross(spin, arm))
            rates[k] = angular, linear
        return rates
