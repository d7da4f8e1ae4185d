"""The pile in Exudyn: rigid bodies, contact between spheres and triangles.

It has no contact between boxes. A box is a mesh of 9 cm with four feet, spheres of 1 cm radius in
its lower face: feet touch faces, so boxes of a column are 10 cm apart, and the floor is half a
centimetre lower for it. Stiffness and damping are those of one foot on one face; friction is
regularised. Spheres on the corners would touch edges, and there boxes fall through each other.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from hapsis.bench.rivals import rival
from hapsis.bench.simulate.simulate_exudyn import package, settings, solved
from hapsis.bench.simulate.simulate_pile import COUNT, FRICTION, MASS, SIDE, UNTIL, Landing, start

RADIUS = 0.1 * SIDE
HALF = (SIDE - RADIUS) / 2  # of the mesh
FEET = [[x, y, -HALF] for x in (-0.03, 0.03) for y in (-0.03, 0.03)]
STIFFNESS, DAMPING = 2e4, 100.0  # N/m and N s/m of one foot on one face
SLOW = 1e-2  # m/s, below which friction grows with the speed
STEPS = {"VelocityVerlet": (5e-4, 2e-4), "RK44": (1e-3, 5e-4)}  # implicit ones take minutes
FACES = ((0, 2, 3, 1), (4, 5, 7, 6), (0, 1, 5, 4), (2, 6, 7, 3), (0, 4, 6, 2), (1, 3, 7, 5))


def mesh(half: float) -> tuple[list[list[float]], list[list[int]]]:
    """Corners and outward triangles of a cube."""
    signs = (-1.0, 1.0)
    corners = [[half * x, half * y, half * z] for z in signs for y in signs for x in signs]
    return corners, [t for a, b, c, d in FACES for t in ([a, b, c], [a, c, d])]


class ExudynPile:
    """The pile in Exudyn."""

    name = "exudyn"

    def __init__(self) -> None:
        exudyn = package()
        self.container = exudyn.SystemContainer()  # keeps the system alive
        self.system = self.container.AddSystem()
        self.contact = self._contact()
        self.bodies = [self._box(centre, turn) for centre, turn in zip(*start(), strict=True)]
        self.system.Assemble()

    def _contact(self) -> Any:
        """The contact, the floor in it."""
        contact = self.system.AddGeneralContact()
        contact.SetFrictionPairings(FRICTION * np.eye(1))
        contact.frictionProportionalZone = SLOW
        contact.sphereSphereContact = False
        contact.excludeDuplicatedTrigSphereContactPoints = True
        contact.SetSearchTreeCellSize(numberOfCells=[16, 4, 8])
        contact.SetSearchTreeBox(pMin=[-0.5, -0.15, -0.05], pMax=[0.5, 0.15, 0.5])
        items = rival("exudyn.itemInterface")
        ground = self.system.AddObject(items.ObjectGround())
        marker = self.system.AddMarker(items.MarkerBodyRigid(bodyNumber=ground))
        low = HALF + RADIUS - SIDE / 2
        floor = [[x, y, -low] for x, y in ((-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0))]
        contact.AddTrianglesRigidBodyBased(
            marker, 2 * STIFFNESS, DAMPING / 2, 0, floor, [[0, 1, 2], [0, 2, 3]], True
        )
        return contact

    def _box(self, centre: Any, turn: Any) -> Any:
        """The number of a body with its feet and faces."""
        items = rival("exudyn.itemInterface")
        inertia = rival("exudyn.utilities").InertiaCuboid(MASS / SIDE**3, [SIDE] * 3)
        angle = 2 * np.arctan2(turn[3], turn[0])
        node = self.system.AddNode(
            items.NodeRigidBodyRotVecLG(
                referenceCoordinates=[*centre, 0.0, 0.0, angle], initialVelocities=[0.0] * 6
            )
        )
        body = self.system.AddObject(
            items.ObjectRigidBody(nodeNumber=node, mass=MASS, inertia=inertia.GetInertia6D())
        )
        marker = self.system.AddMarker(items.MarkerBodyRigid(bodyNumber=body))
        self.system.AddLoad(items.LoadForceVector(markerNumber=marker, loadVector=[0, 0, -9.81]))
        corners, triangles = mesh(HALF)
        # two springs in series, two dampers in parallel
        self.contact.AddTrianglesRigidBodyBased(marker, 2 * STIFFNESS, DAMPING / 2, 0, corners, triangles)
        for foot in FEET:
            at = self.system.AddMarker(items.MarkerBodyRigid(bodyNumber=body, localPosition=foot))
            self.contact.AddSphereWithMarker(at, RADIUS, 2 * STIFFNESS, DAMPING / 2, 0)
        return body

    def runs(self) -> dict[tuple[str, float], Callable[[], Landing]]:
        """Per method and step: a run."""

        def run(method: str, step: float) -> Callable[[], Landing]:
            return lambda: self._run(method, step)

        return {(m, h): run(m, h) for m, steps in STEPS.items() for h in steps}

    def _run(self, method: str, step: float) -> Landing:
        system, kinds = self.system, package().OutputVariableType
        took, fine = solved(system, settings(method, UNTIL, step))

        def of(kind: Any) -> Any:
            return np.array([system.GetObjectOutputBody(b, kind, [0, 0, 0]) for b in self.bodies])

        centres, speeds = of(kinds.Position), of(kinds.Velocity)
        R = of(kinds.RotationMatrix).reshape(COUNT, 3, 3)
        if not fine:
            centres = np.full_like(centres, np.inf)
        w = np.sqrt(np.maximum(1 + np.trace(R, axis1=1, axis2=2), 1e-12)) / 2
        axis = np.stack([R[:, 2, 1] - R[:, 1, 2], R[:, 0, 2] - R[:, 2, 0], R[:, 1, 0] - R[:, 0, 1]])
        turns = np.hstack([w[:, None], axis.T / (4 * w[:, None])])
        return Landing(took, round(UNTIL / step), centres, turns, speeds)

    def close(self) -> None:
        """Nothing to end."""
