"""Signals of frames and sensors that positions and speeds determine, by name.

A frame, `hand` or `hand.tip`, in world axes:

    FRAME.x .y .z, FRAME.position               its origin, m
    FRAME.vx .vy .vz, FRAME.velocity, .speed    the velocity of its origin and its size, m/s
    FRAME.wx .wy .wz, FRAME.angular_velocity    rad/s
    FRAME.R                                     its axes as columns

Sensors on frames:

    pose        NAME.p, NAME.R, NAME.x .y .z
    velocity    NAME (angular, then linear), NAME.wx .wy .wz .vx .vy .vz, in world axes
    imu         NAME.wx .wy .wz, in its own axes

Generalized speeds by their names.
"""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from hapsis.errors import ModelError
from hapsis.mechanics.model.model import Model
from hapsis.mechanics.model.names import acceleration_name, drive_effort_name, effort_name
from hapsis.mechanics.model.sensors import Sensor

POSITION, VELOCITY, TURNING, OWN_TURNING, AXES, SPEED, MOTION = "p u w own_w R speed V".split()
COMBINATION = "combination"  # of speeds, at no place
WRENCH = "N m, N"
ENERGIES = ("energy", "kinetic", "potential", "work")


class Quantity(NamedTuple):
    """What is read at a place: a vector, one number of it, or the axes."""

    kind: str
    unit: str
    part: int | None = None

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of its value; () for one number."""
        if self.part is not None or self.kind in (SPEED, COMBINATION):
            return ()
        return {AXES: (3, 3), MOTION: (6,)}.get(self.kind, (3,))


class FrameSignal(NamedTuple):
    """A quantity at a frame by its name, or at the end of a sensor whose parameters are called `label`.

    A generalized speed has its name as `label` and is at no place.
    """

    on: Any
    label: str
    quantity: Quantity


def _parts(letters: str, kind: str, unit: str) -> dict[str, Quantity]:
    return {letter: Quantity(kind, unit, k) for k, letter in enumerate(letters.split())}


_ORIGIN = _parts("x y z", POSITION, "m")
_MOVING = _parts("wx wy wz", TURNING, "rad/s") | _parts("vx vy vz", VELOCITY, "m/s")
OF_FRAMES: Mapping[str, Quantity] = {
    **_ORIGIN,
    **_MOVING,
    "position": Quantity(POSITION, "m"),
    "velocity": Quantity(VELOCITY, "m/s"),
    "angular_velocity": Quantity(TURNING, "rad/s"),
    "speed": Quantity(SPEED, "m/s"),
    "R": Quantity(AXES, "1"),
}
OF_SENSORS: Mapping[str, Mapping[str, Quantity]] = {
    "pose": {**_ORIGIN, "p": Quantity(POSITION, "m"), "R": Quantity(AXES, "1")},
    "velocity": {**_MOVING, "": Quantity(MOTION, "rad/s, m/s")},
    "imu": _parts("wx wy wz", OWN_TURNING, "rad/s"),
}


def frame_signal_of(model: Model, name: str) -> FrameSignal | None:
    """The signal of a frame, a sensor or a generalized speed of that name; None where there is none."""
    if name in model.generalized_speeds:
        return FrameSignal(None, name, Quantity(COMBINATION, ""))
    head, _, last = name.rpartition(".")
    for owner, quantity in ((name, ""), (head, last)):
        sensor = model.sensors.get(owner)
        if sensor is not None and quantity in OF_SENSORS.get(sensor.kind, {}):
            return FrameSignal(sensor.on, sensor.name, OF_SENSORS[sensor.kind][quantity])
    if last in OF_FRAMES and head and model.has_frame(head):
        return FrameSignal(head, "", OF_FRAMES[last])
    return None


def readable(model: Model, name: str) -> FrameSignal | None:
    """The same; an error where a result has that signal, and nothing can read it before."""
    signal = frame_signal_of(model, name)
    why = refusal(model, name) if signal is None else None
    if why is not None:
        raise ModelError(f'"{name[:60]}" {why[0]}', remedy=why[1])
    return signal


def sensor_columns(sensor: Sensor) -> dict[str, str]:
    """{column of a result: unit} of a sensor; the unit of an effort is that of its joint."""
    if sensor.kind == "pose":
        return {f"{sensor.name}.p": "m", f"{sensor.name}.R": "1"}
    units = {
        "velocity": "rad/s, m/s",
        "acceleration": "rad/s², m/s²",
        "imu": "rad/s, m/s²",
        "reaction": WRENCH,
    }
    return {sensor.name: units[sensor.kind]} if sensor.kind in units else {}


def sensor_names(sensor: Sensor) -> tuple[str, ...]:
    """The columns of a sensor in a result."""
    return tuple(sensor_columns(sensor)) or (sensor.name,)


def frame_names(model: Model) -> Iterator[str]:
    """The names of all frames: bodies, and their frames as `body.frame`."""
    for body in (*model.bodies.values(), model.world):
        yield body.name
        yield from (f"{body.name}.{frame}" for frame in body.frames)


def refusal(model: Model, name: str) -> tuple[str, str] | None:
    """Why laws cannot read a signal of a result, and what to do instead; None for other names."""
    after = "follows from all forces, so that neither laws nor events can read it"
    states = "read speeds, or a state (hs.LawState) that filters them"
    head, _, last = name.rpartition(".")
    if name in map(acceleration_name, model.speeds):
        return f"is an acceleration: it {after}", states
    if last == "reaction" or name in map(drive_effort_name, model.drives):
        soft = "a spring or a bushing in its place has a force that laws can read"
        return f"is a force of a constraint: it {after}", soft
    sensor: Sensor | None = model.sensors.get(name) or model.sensors.get(head)
    if sensor is not None and sensor.kind not in ("pose", "velocity"):
        parts = f"; {sensor.name}.wx, .wy and .wz can be read" if sensor.kind == "imu" else ""
        return f'is of the sensor "{sensor.name}" of {_measured(sensor)}: it {after}', states + parts
    if name in map(effort_name, model.speeds):
        return "is an input of the run, which the model does not know", "give the effort by the law itself"
    if name in ENERGIES:
        return "is added up after all forces have acted", "compute it from coordinates and speeds"
    return None


def _measured(sensor: Sensor) -> str:
    words = {"effort": "an effort", "reaction": "a reaction"}
    return words.get(sensor.kind, "accelerations")
