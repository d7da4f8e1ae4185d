"""What the sensors of a model read, all in one Function."""

from typing import Any

from hapsis.compiler.ir.function import Function
from hapsis.compiler.ir.garbage import uncollected
from hapsis.errors import ModelError
from hapsis.mechanics.algebra.rotations import Matrix
from hapsis.mechanics.algebra.vectors import add, sub
from hapsis.mechanics.formalisms.acting import Acting
from hapsis.mechanics.formalisms.choice import unlumped_tree
from hapsis.mechanics.formalisms.inverse_dynamics import Motion, efforts, forces, motions, times
from hapsis.mechanics.formalisms.kinematics import accelerated, moved, posed
from hapsis.mechanics.formalisms.links import WORLD, Place, check_open
from hapsis.mechanics.formalisms.reactions import across, branch_of
from hapsis.mechanics.formalisms.sweeps import Wrench, carried
from hapsis.mechanics.formalisms.tree import Tree
from hapsis.mechanics.model.model import Model
from hapsis.mechanics.model.sensors import Sensor


def measurements(model: Model) -> Function:
    """(q, v, a) -> one output for each sensor, by its name.

    pose            two outputs: NAME.p and NAME.R, in the world
    velocity        6, acceleration 6: turning, then moving, in the world's axes
    imu             6: angular velocity, then acceleration less gravity, in its own axes
    effort          what the joint's actuator gives, one number for each of its speeds
    reaction        6: the wrench of its first end on its second, as `hs.reaction`
    """
    check_open(model)
    if not model.sensors:
        raise ModelError("the model has no sensors",
                         remedy='add one, as in hs.Sensor("imu", "imu", "arm.end")')  # fmt: skip
    welds = frozenset(
        sensor.on
        for sensor in model.sensors.values()
        if sensor.kind == "reaction" and not branch_of(model, sensor.on).joint.steps
    )
    with uncollected():
        reading = Reading(unlumped_tree(model, welds))
        outputs: dict[str, Any] = {}
        for sensor in model.sensors.values():
            outputs |= READ[sensor.kind](reading, sensor)
        inputs = {"q": reading.tree.q, "v": reading.v, "a": reading.a}
        return reading.acting.function("measurements", inputs, outputs)


class Reading:
    """The sweeps that several sensors share."""

    def __init__(self, tree: Tree) -> None:
        self.tree, self.v, self.a = tree, tree.symbols("v"), tree.symbols("a")
        self.moves: list[Motion] = motions(tree, self.v, self.a)
        self.acting = Acting(tree, self.v)
        needed = self.acting.needed(forces(tree, self.moves))
        self.wrenches: list[Wrench] = carried(tree, needed)

    def place(self, sensor: Sensor) -> Place:
        """Where a sensor sits."""
        return self.tree.chain.placed(sensor.on, sensor.name)


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
        none = reading.tree.none
        return {sensor.name: (*none, *R.down(sub(none, reading.tree.chain.gravity)))}
    move = reading.moves[place.link]
    felt = add(move.a, times(move.B, place.p))
    return {sensor.name: (*R.down(move.w), *R.down(felt))}


def _effort(reading: Reading, sensor: Sensor) -> dict[str, Any]:
    tree = reading.tree
    tau = efforts(tree, reading.v, reading.a, True, reading.acting)
    armature, model = tree.armature(), tree.chain.model
    joint = model.joints.get(sensor.on)
    wanted = joint.speeds if joint else (f"{sensor.on}.v",)  # or of one coordinate
    slots = [slot for slot, name in enumerate(model.speeds) if name in wanted]
    return {sensor.name: [tau[slot] + armature[slot] * reading.a[slot] for slot in slots]}


def _reaction(reading: Reading, sensor: Sensor) -> dict[str, Any]:
    branch = branch_of(reading.tree.chain.model, str(sensor.on))
    n, f = across(reading.tree, branch, reading.wrenches)
    return {sensor.name: (*n, *f)}


READ = {
    "pose": _pose, "velocity": _velocity, "acceleration": _acceleration, "imu": _imu,
    "effort": _effort, "reaction": _reaction,
}  # fmt: skip
