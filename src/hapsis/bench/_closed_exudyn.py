"""Exudyn on mechanisms with loops: a kinematic tree, its loops closed by constraints.

Generalised alpha solves for positions (index 3) or for speeds (index 2) of the loops. Hinges of
planar loops hold two directions. Axes along -x, -y, -z are turned round by the sign of their
coordinate.
"""

from collections.abc import Callable
from pathlib import Path as File
from typing import Any

import numpy as np

from hapsis.bench._closed_motion import Motion, Path, Runs, parts
from hapsis.bench._closed_table import Place
from hapsis.bench._drivers import Missing, rival
from hapsis.bench._simulate_exudyn import package, settings, solved

METHODS = ("index 3", "index 2")
RADIUS = 0.9  # spectral, of generalised alpha; without damping index 3 is not stable


class Exudyn:
    """One case in Exudyn."""

    name = "exudyn"

    def __init__(self, motion: Motion, folder: File):
        self.motion, self.table = motion, motion.table
        self.exudyn, self.items = package(), rival("exudyn.itemInterface")
        rows = self.table.rows
        if not all(sorted(np.abs(row.axis)) == [0.0, 0.0, 1.0] for row in rows):
            raise Missing(f"exudyn: an axis of {motion.case.name} is not x, y or z")
        self.signs = np.array([float(np.sum(row.axis)) for row in rows])
        self.container = self.exudyn.SystemContainer()  # keeps the system alive
        self.system = self.container.AddSystem()
        self._grow()
        self.ground = self.system.AddObject(self.items.ObjectGround())
        for tie in self.table.ties:
            self._tie(tie)
        for pull in self.table.pulls:
            ends = [self._marker(pull.first), self._marker(pull.second)]
            self.system.AddObject(
                self.items.ObjectConnectorSpringDamper(
                    markerNumbers=ends, stiffness=pull.stiffness, referenceLength=pull.length
                )
            )
        self.system.Assemble()

    def _grow(self) -> None:
        """The tree; its own proportional control is the springs along coordinates."""
        t, rows, n, items = self.table, self.table.rows, len(self.table.rows), self.items
        q, v = (self._theirs(x).tolist() for x in (self.motion.start.q, self.motion.start.v))
        node = self.system.AddNode(
            items.NodeGenericODE2(
                referenceCoordinates=[0.0] * n,
                initialCoordinates=q,
                initialCoordinates_t=v,
                numberOfODE2Coordinates=n,
            )
        )
        none, kinds = np.zeros((3, 3)), {"R": "Revolute", "P": "Prismatic"}
        self.tree = self.system.AddObject(
            items.ObjectKinematicTree(
                nodeNumber=node,
                gravity=list(t.gravity),
                jointTypes=[
                    getattr(self.exudyn.JointType, kinds[r.kind] + "XYZ"[int(np.argmax(np.abs(r.axis)))])
                    for r in rows
                ],
                linkParents=[r.parent for r in rows],
                jointHTs=[r.place for r in rows],
                linkInertiasCOM=self.exudyn.Matrix3DList(
                    [none if r.central is None else r.central for r in rows]
                ),
                linkCOMs=self.exudyn.Vector3DList([np.array(r.centre) for r in rows]),
                linkMasses=[r.mass for r in rows],
                jointPControlVector=t.stiffness.tolist(),
                jointDControlVector=[0.0] * n,
                jointPositionOffsetVector=(self.signs * t.rest).tolist(),
                jointVelocityOffsetVector=[0.0] * n,
                jointForceVector=(self.signs * t.efforts).tolist(),
            )
        )

    def _tie(self, tie: Any) -> None:
        """Two points that meet, in some or all directions of the first place."""
        ends = [self._marker(tie.first), self._marker(tie.second)]
        held = [int(k in tie.directions) for k in range(3)]
        if all(held):
            joint = self.items.ObjectJointSpherical(markerNumbers=ends, constrainedAxes=held)
        else:
            joint = self.items.ObjectJointGeneric(
                markerNumbers=ends,
                constrainedAxes=[*held, 0, 0, 0],
                rotationMarker0=tie.first[1][:3, :3],
                rotationMarker1=tie.second[1][:3, :3],
            )
        self.system.AddObject(joint)

    def _marker(self, place: Place) -> Any:
        row, matrix = place
        point = matrix[:3, 3].tolist()
        if row < 0:
            marker = self.items.MarkerBodyRigid(bodyNumber=self.ground, localPosition=point)
        else:
            marker = self.items.MarkerKinematicTreeRigid(
                objectNumber=self.tree, linkNumber=row, localPosition=point
            )
        return self.system.AddMarker(marker)

    def _theirs(self, values: Any) -> Any:
        return self.signs * self.table.arranged(values)

    def _ours(self, values: Any) -> Any:
        return (self.signs * np.asarray(values))[..., self.table.order]
