"""A scene in Drake: its discrete plant, advanced in C++ from sample to sample.

    lagged   its default solver, with pressure fields over patches (hydroelastic) of stiff rubber
    sap      the same by its convex solver
    firm     lagged, ten times as stiff
    point    lagged, with one point for each pair of solids instead of patches

Uneven ground is a mesh of triangles.
"""

import logging
from pathlib import Path
from typing import Any

import numpy as np

from hapsis.bench.contacts.contacts_measures import SAMPLE, Recording
from hapsis.bench.contacts.contacts_motion import rotations
from hapsis.bench.contacts.contacts_scene import GRAVITY, Bumps, Part, Scene, Solid
from hapsis.bench.rivals import Missing, rival
from hapsis.bench.work_precision import clock

SETTINGS = {  # approximation of contacts, model of contacts, modulus of pressure fields in Pa
    "lagged": ("lagged", "hydroelastic_with_fallback", 1e7),
    "sap": ("sap", "hydroelastic_with_fallback", 1e7),
    "firm": ("lagged", "hydroelastic_with_fallback", 1e8),
    "point": ("lagged", "point", 1e7),
}
DISSIPATION, RELAXATION = 10.0, 0.01  # s/m of Hunt and Crossley, and s of sap
FACETS = 5  # edges of the mesh of a ball in its radius


class Drake:
    """A scene in Drake; one plant for each setting and step."""

    name = "drake"

    def __init__(self, scene: Scene, folder: Path):
        self.scene, self.folder = scene, folder
        # single points have no contact with a mesh that is not convex
        points = not isinstance(scene.ground, Bumps)
        self.settings = tuple(name for name in SETTINGS if points or name != "point")
        self.plants = rival("pydrake.multibody.plant")
        self.trees, self.geometry = rival("pydrake.multibody.tree"), rival("pydrake.geometry")
        self.framework, self.analysis = rival("pydrake.systems.framework"), rival("pydrake.systems.analysis")
        self.math = rival("pydrake.math")
        logging.getLogger("drake").setLevel(logging.ERROR)  # else it says what it has for deformable bodies

    def recorded(self, setting: str, step: float) -> Recording:
        """One run with samples."""
        begin = clock()
        steps, every = round(self.scene.until / step), max(1, round(SAMPLE / step))
        world = self._world(setting, step)
        rows = [world.state()]
        times = np.minimum(np.arange(0, steps + every, every), steps) * step
        for t in times[1:]:
            world.advance(float(t))
            rows.append(world.state())
        q, v = (np.array([row[k] for row in rows]) for k in (0, 1))
        return Recording(steps, times, q, v, None, None, clock() - begin)

    def seconds(self, setting: str, step: float) -> float:
        """Processor seconds of a run without samples."""
        world = self._world(setting, step)
        begin = clock()
        world.advance(self.scene.until)
        return clock() - begin

    def _world(self, setting: str, step: float) -> "_World":
        return _World(self, *SETTINGS[setting], step)

    def close(self) -> None:
        """Nothing to end."""


class _World:
    """A plant with its simulator at the start of the scene."""

    def __init__(self, drake: Drake, approximation: str, contact: str, modulus: float, step: float):
        self.drake, self.scene, self.modulus = drake, drake.scene, modulus
        config = drake.plants.MultibodyPlantConfig(
            time_step=step, discrete_contact_approximation=approximation, contact_model=contact
        )
        builder = drake.framework.DiagramBuilder()
        self.plant, self.shapes = drake.plants.AddMultibodyPlant(config, builder)
        self.plant.mutable_gravity_field().set_gravity_vector([0.0, 0.0, -GRAVITY])
        self.bodies, self.joints, fixed = dict[str, Any](), dict[str, Any](), list[Any]()
        for part in self.scene.parts:
            self._add(part)
            numbers = self._register(part)
            fixed += [] if part.loose else numbers
        self._add_ground()
        apply = drake.geometry.CollisionFilterDeclaration()
        self.shapes.collision_filter_manager().Apply(apply.ExcludeWithin(drake.geometry.GeometrySet(fixed)))
        self.plant.Finalize()
        diagram = builder.Build()
        self.simulator = drake.analysis.Simulator(diagram)
        self.context = self.plant.GetMyMutableContextFromRoot(self.simulator.get_mutable_context())
        self._start()

    def _add(self, part: Part) -> None:
        """The body, its joint and its spring."""
        trees = self.drake.trees
        c, I = np.asarray(part.centre, float), np.asarray(part.inertia, float)
        central = trees.RotationalInertia(I[0, 0], I[1, 1], I[2, 2], I[0, 1], I[0, 2], I[1, 2])
        inertia = trees.SpatialInertia.MakeFromCentralInertia(part.mass, c, central)
        self.bodies[part.name] = body = self.plant.AddRigidBody(part.name, inertia)
        if part.kind == "free":
            return
        parent = self.plant.world_body() if part.parent is None else self.bodies[part.parent]
        kind = trees.RevoluteJoint if part.kind == "revolute" else trees.PrismaticJoint
        axis = np.asarray(part.axis, float)
        joint = kind(
            part.name,
            frame_on_parent=self.plant.AddFrame(
                trees.FixedOffsetFrame(f"{part.name} joint", parent.body_frame(), self._transform(part.place))
            ),
            frame_on_child=body.body_frame(),
            axis=axis,
            damping=part.damping,
        )
        self.joints[part.name] = joint = self.plant.AddJoint(joint)
        if part.stiffness:
            spring = trees.RevoluteSpring if part.kind == "revolute" else trees.PrismaticSpring
            self.plant.AddForceElement(spring(joint, part.hold, part.stiffness))

    def _transform(self, place: Any) -> Any:
        return self.drake.math.RigidTransform(place)

    def _properties(self) -> Any:
        """Friction, dissipation and stiffness of points; a pressure field is added by who needs it."""
        properties, friction = self.drake.geometry.ProximityProperties(), self.scene.friction
        self.drake.geometry.AddContactMaterial(
            dissipation=DISSIPATION,
            point_stiffness=self.scene.law[0],
            friction=self.drake.plants.CoulombFriction(friction, friction),
            properties=properties,
        )
        properties.AddProperty("material", "relaxation_time", RELAXATION)
        return properties

    def _register(self, part: Part) -> list[Any]:
        """The numbers of the geometries of its solids."""
        g, ids = self.drake.geometry, list[Any]()
        for k, solid in enumerate(part.solids):
            place, name = self._transform(solid.place), f"{part.name} {k}"
            properties = self._properties()
            g.AddCompliantHydroelasticProperties(solid.size[0] / FACETS, self.modulus, properties)
            body = self.bodies[part.name]
            ids.append(
                self.plant.RegisterCollisionGeometry(body, place, self._shape(solid), name, properties)
            )
        return ids

    def _shape(self, solid: Solid) -> Any:
        g = self.drake.geometry
        kind = {"box": g.Box, "sphere": g.Sphere, "capsule": g.Capsule}[solid.kind]
        return kind(*solid.size)

    def _add_ground(self) -> None:
        """A half-space, or a mesh of triangles."""
        g, world, ground = self.drake.geometry, self.plant.world_body(), self.scene.ground
        place, properties = np.eye(4), self._properties()
        g.AddRigidHydroelasticProperties(0.1, properties)
        if isinstance(ground, Bumps):
            shape = g.Mesh(str(mesh(ground, self.drake.folder / "ground.obj")))
        else:
            shape, place[2, 3] = g.HalfSpace(), ground
        self.plant.RegisterCollisionGeometry(world, self._transform(place), shape, "ground", properties)

    def _start(self) -> None:
        """The state and the constant efforts of the scene."""
        q, v, efforts = self.plant.GetPositions(self.context), *np.zeros((2, self.plant.num_velocities()))
        for part in self.scene.parts:
            at, dof = self._places(part)
            if part.kind == "free":  # the quaternion first; speeds in world axes
                R = rotations(np.array([part.q[3:]]))[0]
                q[at : at + 7] = *part.q[3:], *part.q[:3]
                v[dof : dof + 6] = *(R @ part.v[:3]), *(R @ part.v[3:])
            else:
                q[at], v[dof], efforts[dof] = part.q[0], part.v[0], part.effort
        self.plant.SetPositions(self.context, q)
        self.plant.SetVelocities(self.context, v)
        self.plant.get_applied_generalized_force_input_port().FixValue(self.context, efforts)

    def _places(self, part: Part) -> tuple[int, int]:
        """Where its coordinates and its speeds begin."""
        if part.kind == "free":
            body = self.bodies[part.name]
            return body.floating_positions_start(), body.floating_velocities_start_in_v()
        joint = self.joints[part.name]
        return joint.position_start(), joint.velocity_start()

    def advance(self, until: float) -> None:
        """Runs until then; Missing where its solver gives up."""
        try:
            self.simulator.AdvanceTo(until)
        except RuntimeError as problem:
            step = self.plant.time_step()
            raise Missing(f"drake, {self.scene.name}, {step:g}: {str(problem)[:120]}") from None

    def state(self) -> tuple[Any, Any]:
        """Coordinates and speeds in the scene's order."""
        positions, speeds = list[Any](), list[Any]()
        q, v = self.plant.GetPositions(self.context), self.plant.GetVelocities(self.context)
        for part in self.scene.parts:
            at, dof = self._places(part)
            if part.kind == "free":
                R = rotations(q[None, at : at + 4])[0]
                positions += [q[at + 4 : at + 7], q[at : at + 4]]
                speeds += [R.T @ v[dof : dof + 3], R.T @ v[dof + 3 : dof + 6]]
            else:
                positions.append(q[at : at + 1])
                speeds.append(v[dof : dof + 1])
        return np.concatenate(positions), np.concatenate(speeds)


def mesh(bumps: Bumps, path: Path) -> Path:
    """Writes the triangles of uneven ground as a Wavefront file."""
    H, n = bumps.heights, bumps.heights.shape[1]
    x = bumps.start + bumps.step * np.arange(max(H.shape))
    lines = [f"v {x[i]:.9g} {x[j]:.9g} {H[i, j]:.9g}" for i in range(H.shape[0]) for j in range(n)]
    for i in range(H.shape[0] - 1):
        for j in range(n - 1):
            a = i * n + j + 1
            lines += [f"f {a} {a + n} {a + n + 1}", f"f {a} {a + n + 1} {a + 1}"]
    path.write_text("\n".join(lines) + "\n")
    return path
