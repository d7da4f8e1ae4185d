"""A grasp as a page steps it: the device that the pointer leads, with its mass, and the tick.

    a       forward dynamics of the device under the efforts of the last tick and the pull of the pointer
    v, x    v + dt a, x + dt v
    tick    the mechanism at this motion of the device: its pose, the wrench, the efforts for the next step

So the page is what a loop is: a device with inertia, and a force that is held for a tick. A device without
an arm is a ball, twice as heavy as what it feels at the start.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from hapsis.compiler.backends.compile import compile
from hapsis.compiler.ir.functions.function import Function
from hapsis.compiler.ir.graph.expr import symbol, symbols
from hapsis.compiler.ir.graph.graph import Graph
from hapsis.compiler.passes.parts import hoisted
from hapsis.live.live_steps import Lead, LiveStep
from hapsis.mechanics.drawing.drawing import drawing
from hapsis.mechanics.formalisms.constraints.constraint_rows import constraints
from hapsis.mechanics.formalisms.dynamics.forward_dynamics import forward_dynamics
from hapsis.mechanics.formalisms.dynamics.mass_matrix import mass_matrix
from hapsis.mechanics.formalisms.tree.kinematics import jacobian
from hapsis.mechanics.model.bodies import Body
from hapsis.mechanics.model.changes import SETTINGS
from hapsis.mechanics.model.joints.weld import Weld
from hapsis.mechanics.model.model import Model
from hapsis.mechanics.model.shapes.shapes import Sphere
from hapsis.touch.haptics.virtual_mechanisms.held_mechanism import HeldMechanism
from hapsis.touch.haptics.virtual_mechanisms.tick_parts import TickParts

BALL, DISK = 0.025, 0.02  # of the size of the scene: radius of the hand, and of the grasped frame
HEAVIER = 2.0  # times what the hand feels
RESISTED = 3.0  # 1/s: damping of the ball over its mass
HAND_COLOR, FRAME_COLOR = (0.2, 0.45, 0.9), (0.95, 0.6, 0.1)
UNITS = {"f": "N", "m": "N m", "r": "rad"}


def is_grasp(step: Any) -> bool:
    """Whether a step is a tick of a grasp."""
    return isinstance(step, Function) and isinstance((step.options or {}).get("parts"), TickParts)


class LiveGrasp:
    """The model that a page of a grasp draws, and its step.

    model   mechanism, a mark at each frame that is held, and the devices
    dt      s, of a tick
    """

    def __init__(self, tick: Function) -> None:
        options: Mapping[str, Any] = tick.options or {}
        self.tick, self.parts, self.dt = tick, options["parts"], float(options["dt"])
        mechanism: Model = self.parts.mechanism
        size = float(drawing(mechanism, self.parts.hands[0][0].q)["size"])
        facts: list[Any] = list(mechanism.facts)
        self.devices: list[Model] = []
        self.resisted: list[float] = []
        for held, arm in self.parts.hands:
            mark = _free_name(f"{held.frame} held", (*facts, *arm.model.facts))
            facts.append(Body(mark, shapes=[Sphere(DISK * size, color=FRAME_COLOR)]))
            facts.append(Weld(mark, held.frame, mark))
            mass = HEAVIER * felt_mass(held)
            real = any(arm.model.value(body.mass) > 0.0 for body in arm.model.bodies.values())
            device = arm.model if real else _ball(arm.model, arm.frame, mass, held.length, BALL * size)
            self.devices.append(device)
            self.resisted += [RESISTED * (0.0 if real else mass * _inertia(name, held)) for name in arm.names]
            facts += device.facts
        settings = {name: getattr(mechanism, name) for name in SETTINGS}
        settings |= {"page": None, "independent": ()}
        for device in self.devices:
            settings["parameters"] = {**settings["parameters"], **device.parameters}
        self.model = Model(*facts, **settings)

    def steps(self, held: Model) -> tuple[list[LiveStep], Lead]:
        """The one step, and what leads: the coordinates of the device.

        held    the model with a wrench of the page's hand on each body
        """
        step = self.step(held)
        before, kernel = hoisted(step)
        names = tuple(name for _, arm in self.parts.hands for name in arm.names)
        return [LiveStep(step, before, kernel, None, [], 0)], Lead(names, 0)

    def offers(self, name: str) -> bool:
        """Whether a parameter is one of the model."""
        facts = (fact.name for fact in self.model.facts)
        return name in self.model.parameters or name.startswith(("gravity", *(f"{fact}." for fact in facts)))

    def step(self, held: Model) -> Function:
        """(q, v, z, t, ...) -> q, v, z, t, outputs."""
        tick, graph = self.tick, Graph()
        ports = {port.name: port for port in tick.inputs}
        mechanism = self.parts.mechanism
        n_q, n_v = len(mechanism.coordinates), len(mechanism.speeds)
        axes = [name for _, arm in self.parts.hands for name in arm.names]
        memory = len(ports["z"].refs)
        q = symbols("q", n_q + len(axes), kind="coordinate", graph=graph)
        v = symbols("v", n_v + len(axes), kind="coordinate", graph=graph)
        z = symbols("z", memory + len(axes), kind="coordinate", graph=graph)
        t = symbol("t", graph=graph)
        efforts = list(z[memory:])
        a = self._accelerations(held, list(q[n_q:]), list(v[n_v:]), efforts)
        speeds = [x + self.dt * y for x, y in zip(v[n_v:], a, strict=True)]
        places = [x + self.dt * y for x, y in zip(q[n_q:], speeds, strict=True)]
        known: dict[str, Any] = {"q": q[: len(ports["q"].refs)], "z": z[:memory], "t": t}
        if "v" in ports:
            known["v"] = v[: len(ports["v"].refs)]
        for name, *levels in zip(axes, places, speeds, a, strict=True):
            known |= dict(
                zip((f"{name}.{x}" for x in ("position", "velocity", "acceleration")), levels, strict=True)
            )
        more = {name: symbol(name, graph=graph) for name in ports if name not in known}
        results = tick.outputs_by_name(tick(**{name: (known | more)[name] for name in ports}))
        new = {
            "q": [*list(results["q"])[:n_q], *places],
            "v": [*(results[name] for name in mechanism.speeds), *speeds],
            "z": [*results["z"], *(results[f"{name}.effort"] for name in axes)],
            "t": results["t"],
        }
        start = np.array([*ports["q"].stand_in[:n_q], *(ports[f"{name}.position"].stand_in for name in axes)])
        defaults: dict[str, Any] = {"q": start, "v": np.zeros(len(v)), "t": 0.0}
        defaults["z"] = np.array([*ports["z"].stand_in, *self._weights(axes)])
        defaults |= {name: ports[name].stand_in for name in more}
        own = {*new, *mechanism.coordinates, *mechanism.speeds, *(f"{name}.effort" for name in axes)}
        others = sorted((name for name in results if name not in own), key=_moment)
        outputs = _totals(results) | {name: results[name] for name in others}
        return Function("grasp", {"q": q, "v": v, "z": z, "t": t, **more}, new | outputs, defaults=defaults)

    def _accelerations(self, held: Model, q: list[Any], v: list[Any], efforts: list[Any]) -> list[Any]:
        """Those of all devices, under the efforts and the wrenches of the page's hand."""
        a: list[Any] = []
        for device in self.devices:
            first, count = len(a), len(device.coordinates)
            own = slice(first, first + count)
            hands = [
                f
                for f in held.forces.values()
                if f.ends and f.ends.get("on") and f.ends["on"].body in device.bodies
            ]
            parameters = {**held.parameters, **device.parameters}
            pulled = device.replace(parameters=parameters) + [f for f in hands if f.name not in device.forces]
            tau = [e - c * x for e, c, x in zip(efforts[own], self.resisted[own], v[own], strict=True)]
            a += list(np.atleast_1d(forward_dynamics(pulled)(q=q[own], v=v[own], tau=tau)))
        return a

    def _weights(self, axes: Sequence[str]) -> list[float]:
        """The efforts of the devices at the start."""
        out = self.tick.outputs_by_name(compile(self.tick)())
        return [float(out[f"{name}.effort"]) for name in axes]


def told_units(signals: Sequence[dict[str, Any]]) -> None:
    """Gives the numbers of wrenches and violations their units."""
    for signal in signals:
        what, _, number = signal["name"].rpartition(".")
        kind = what.rpartition(".")[2]
        if kind in ("wrench", "dynamic", "constraint", "reaction"):
            signal["unit"] = "N" if number in ("force",) else UNITS[number[0]]
        elif kind == "violation":
            signal["unit"] = UNITS.get(number[0], "m")


def felt_mass(held: HeldMechanism) -> float:
    """kg: the most that a hand feels in any direction it holds at the start, turns over the length."""
    n = len(held.model.speeds)
    M = np.array(compile(mass_matrix(held.model))(held.q)).reshape(n, n)
    J = (
        np.sqrt(held.weights)[:, None]
        * compile(jacobian(held.model, held.frame))(held.q)[-len(held.weights) :]
    )
    Z = np.eye(n)
    if held.row_names:
        C = compile(constraints(held.model))(held.q, np.zeros(n)).J
        values, motions = np.linalg.svd(C)[1:]
        Z = motions[int(np.sum(values > 1e-9 * values[0])) :].T
    back = np.linalg.pinv(J @ Z, rcond=1e-4)
    return max(float(np.linalg.eigvalsh(back.T @ (Z.T @ M @ Z) @ back).max()), 1e-6)


def _totals(results: Mapping[str, Any]) -> dict[str, Any]:
    """The size of each force of a hand and of a bearing, which are the first curves."""
    totals: dict[str, Any] = {}
    for name in results:
        what, _, number = name.rpartition(".")
        if number == "fx" and what.rpartition(".")[2] in ("wrench", "reaction"):
            square = sum((results[f"{what}.f{axis}"] * results[f"{what}.f{axis}"] for axis in "xyz"), 0.0)
            totals[f"{what}.force"] = square**0.5
    return totals


def _moment(name: str) -> bool:
    """Whether an output is a moment of the hand: zero in a point grasp, so that it is no first curve."""
    what, _, number = name.rpartition(".")
    return number in ("mx", "my", "mz") and what.rpartition(".")[2] in ("wrench", "dynamic", "constraint")


def _inertia(name: str, held: HeldMechanism) -> float:
    """1 of a slide, the square of the length of a gimbal."""
    return 1.0 if name[-2] == "T" else held.length**2


def _ball(arm: Model, frame: str, mass: float, length: float, radius: float) -> Model:
    """The device without an arm, as a ball."""
    inertia = (mass * length**2,) * 3
    return arm.replace(frame, mass=mass, inertia=inertia, shapes=[Sphere(radius, color=HAND_COLOR)])


def _free_name(name: str, facts: Any) -> str:
    name = name.replace(".", " ")
    while any(fact.name == name for fact in facts):
        name += "'"
    return name
