"""A scene by `hs.simulate(..., method="contact")`: its model with contacts, and its runs."""

from typing import Any

import numpy as np

import hapsis as hs
from hapsis.bench.contacts.contacts_measures import SAMPLE, Recording
from hapsis.bench.contacts.contacts_scene import Bumps, Part, Scene, Solid
from hapsis.bench.rivals import Missing
from hapsis.bench.work_precision import clock
from hapsis.compiler.backends.llvm import background
from hapsis.mechanics.model.frames import End, Frame, angles

SLOW = 1e-4  # m/s, below which friction grows with the speed
METHOD = "contact"
TIMES, ENOUGH = 20, 0.2  # runs of which the fastest counts; s after which no other one is made


def model(scene: Scene) -> Any:
    """The scene as a model; the joint of a part has the part's name and `.joint`."""
    bodies = [_body(part) for part in scene.parts]
    joints = [_joint(part) for part in scene.parts]
    springs = [
        hs.JointSpring(f"{p.name}.spring", f"{p.name}.joint", p.stiffness, p.damping, p.hold)
        for p in scene.parts
        if p.stiffness or p.damping
    ]
    laws: dict[str, Any] = {"law": hs.Linear(*scene.law), "friction": hs.Coulomb(scene.friction, speed=SLOW)}
    ground = _ground(scene)
    floors = [
        hs.Contact(f"{p.name}.ground", hs.Surface(p.name), ground, **laws) for p in scene.parts if p.solids
    ]
    others = [hs.Contact(f"{a}.{b}.touch", hs.Surface(a), hs.Surface(b), **laws) for a, b in scene.touching()]
    return hs.Model(bodies, joints, springs, floors, others)


def _body(part: Part) -> Any:
    I = np.asarray(part.inertia)
    moments = (I[0, 0], I[1, 1], I[2, 2], I[0, 1], I[0, 2], I[1, 2])
    inertia = tuple(float(x) for x in moments)
    centre = tuple(float(x) for x in part.centre)
    shapes = tuple(_shape(solid) for solid in part.solids)
    return hs.Body(part.name, mass=part.mass, com=centre, inertia=inertia, shapes=shapes)


def _frame(place: Any) -> Frame:
    at, rpy = tuple(float(x) for x in place[:3, 3]), angles(place[:3, :3].tolist())
    return Frame(at, rpy)


def _shape(solid: Solid) -> Any:
    at = _frame(solid.place)
    if solid.kind == "box":
        return hs.Box(solid.size, at=at)
    return hs.Sphere(*solid.size, at=at) if solid.kind == "sphere" else hs.Capsule(*solid.size, at=at)


def _joint(part: Part) -> Any:
    name, first = f"{part.name}.joint", End(part.parent or "world", _frame(part.place))
    if part.kind == "free":
        return hs.Free(name, first, part.name)
    kind = hs.Revolute if part.kind == "revolute" else hs.Prismatic
    return kind(name, first, part.name, axis=tuple(float(x) for x in part.axis))


def _ground(scene: Scene) -> Any:
    if isinstance(scene.ground, Bumps):
        g = scene.ground
        return hs.WORLD.heightfield(g.heights, (g.start, g.start), (g.step, g.step))
    return hs.WORLD.plane(at=(0.0, 0.0, scene.ground))


class Ours:
    """A scene by our time stepping."""

    name = "ours"
    settings = (METHOD,)

    def __init__(self, scene: Scene, folder: Any = None):
        begin = clock()
        self.scene, self.model = scene, model(scene)
        self.first = clock() - begin
        start = dict(zip(self.model.coordinates, scene.q, strict=True))
        self.start = start | dict(zip(self.model.speeds, scene.v, strict=True))
        self.inputs = {f"{p.name}.joint": p.effort for p in scene.parts if p.effort}

    def recorded(self, setting: str, step: float) -> Recording:
        """One run with samples; the first one compiles."""
        begin = clock()
        result = self._ran(setting, step, max(SAMPLE, step), self.scene.until)
        first, self.first = self.first + clock() - begin, 0.0
        q = np.column_stack([result[name] for name in self.model.coordinates])
        v = np.column_stack([result[name] for name in self.model.speeds])
        report = result.report
        return Recording(
            int(report["steps"]), result.t, q, v, report.get("iterations"), report.get("residual"), first
        )

    def seconds(self, setting: str, step: float) -> float:
        """Processor seconds of the steps of a run without samples: of a run, less those of one step.

        Rivals' times are those of their steps, too; what a call takes before is in `call`.
        """
        background.settled()

        def least(until: float) -> float:
            seconds: list[float] = []
            while len(seconds) < TIMES and sum(seconds) < ENOUGH:
                begin = clock()
                self._ran(setting, step, until, until)
                seconds.append(clock() - begin)
            return min(seconds)

        self.call = least(step)
        return least(self.scene.until) - self.call

    def _ran(self, method: str, step: float, every: float, until: float) -> Any:
        options: dict[str, Any] = {"method": method, "step": step, "every": every, "inputs": self.inputs}
        try:
            result = hs.simulate(self.model, until, self.start, watchdog=False, progress=False, **options)
        except hs.Error as problem:
            raise Missing(f"ours, {self.scene.name}, {method} {step:g}: {problem}") from None
        if not result.success:
            what = f"ours, {self.scene.name}, {method} {step:g}: {result.status} at {result.t[-1]:.6g} s"
            raise Missing(f"{what}: {result.message}")
        return result

    def close(self) -> None:
        """Nothing to end."""
