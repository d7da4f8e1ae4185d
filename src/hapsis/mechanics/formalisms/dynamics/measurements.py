"""The readings of all sensors of a model, in one Function."""

from typing import Any

from hapsis.compiler.ir.functions.function import Function
from hapsis.compiler.ir.functions.verbs import verb
from hapsis.compiler.ir.graph.gc_pause import uncollected
from hapsis.errors import ModelError
from hapsis.mechanics.algebra.rotations import Matrix
from hapsis.mechanics.algebra.vectors import add, sub
from hapsis.mechanics.formalisms.dynamics.carriers import check_carries, welds_of
from hapsis.mechanics.formalisms.dynamics.inverse_dynamics import efforts, times
from hapsis.mechanics.formalisms.dynamics.reactions import Loads
from hapsis.mechanics.formalisms.kept_verbs import kept_verb
from hapsis.mechanics.formalisms.tree.kinematics import accelerated, moved, posed
from hapsis.mechanics.formalisms.tree.links import WORLD, Place
from hapsis.mechanics.model.model import Model
from hapsis.mechanics.model.sensors import Sensor


@verb
@kept_verb
def measurements(model: Model) -> Function:
    """(q, v, a) -> one output for each sensor, by its name.

    pose            two outputs: NAME.p and NAME.R, in the world
    velocity        6, acceleration 6: angular, then linear, in world axes
    imu             6: angular velocity, then acceleration less gravity, in its own axes
    effort          the effort of the joint's actuator, one number for each of its speeds
    reaction        6: the wrench of its first end on its second, as `hs.reaction`

    With loops or constraints (q, v, a, lam), lam as `forward_dynamics` gives it.
    """
    if not model.sensors:
        raise ModelError(
            "the model has no sensors", remedy='add one, as in hs.Sensor("imu", "imu", "arm.end")'
        )
    loaded = [sensor.on for sensor in model.sensors.values() if sensor.kind == "reaction"]
    for name in loaded:
        check_carries(model, name)
    with uncollected():
        reading = Reading(model, welds_of(model, loaded))
        outputs: dict[str, Any] = {}
        for sensor in model.sensors.values():
            outputs |= READ[sensor.kind](reading, sensor)
        return reading.loads.function("measurements", outputs)


class Reading:
    """The posed tree, motions and loads that all sensors share."""

    def __init__(self, model: Model, welds: frozenset[str]) -> None:
        self.loads = Loads(model, welds)
        self.tree, self.v, self.a = self.loads.tree, self.loads.v, self.loads.a
        self.moves, self.applied = self.loads.moves, self.loads.applied

    def place(self, sensor: Sensor) -> Place:
        """The place of a sensor on its link."""
        return self.tree.links.placed(sensor.on, sensor.name)


def _pose(reading: Reading, sensor: Sensor) -> dict[str, Any]:
    R, p = posed(reading.tree, reading.place(sensor))
    return {f"{sensor.name}.p": p, f"{sensor.name}.R": R}


def _velocity(reading: Reading, sensor: Sensor) -> dict[str, Any]:
    return {sensor.name: moved(reading.tree, reading.place(sensor), reading.v, "world")}


def _acceleration(reading: Reading, sensor: Sensor) -> dict[str, Any]:
    place = reading.place(sensor)
    return {sensor.name: accelerated(reading.tree, place, reading.v, reading.a, "world")}


def _imu(reading: Reading, sensor: Sensor) -> dict[str, Any]:
    place, R = reading.place(sensor), Matrix(reading.place(sensor).R)
    if place.link == WORLD:
        zero3 = reading.tree.zero3
        return {sensor.name: (*zero3, *R.down(sub(zero3, reading.tree.links.gravity)))}
    move = reading.moves[place.link]
    acceleration = add(move.du, times(move.B, place.p))
    return {sensor.name: (*R.down(move.w), *R.down(acceleration))}


def _effort(reading: Reading, sensor: Sensor) -> dict[str, Any]:
    tree = reading.tree
    tau = efforts(tree, reading.v, reading.a, True, reading.applied)
    armature, model = tree.armature(), tree.links.model
    joint = model.joints.get(sensor.on)
    speeds = joint.speeds if joint else (f"{sensor.on}.v",)  # or of one coordinate
    slots = [slot for slot, name in enumerate(model.speeds) if name in speeds]
    return {sensor.name: [tau[slot] + armature[slot] * reading.a[slot] for slot in slots]}


def _reaction(reading: Reading, sensor: Sensor) -> dict[str, Any]:
    n, f = reading.loads.across(str(sensor.on))
    return {sensor.name: (*n, *f)}


READ = {
    "pose": _pose,
    "velocity": _velocity,
    "acceleration": _acceleration,
    "imu": _imu,
    "effort": _effort,
    "reaction": _reaction,
}
