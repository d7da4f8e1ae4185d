"""A model as a page runs it: its step, its view and the guard of the hand in one WebAssembly module.

    prepare(p, prepared)                    what depends on parameters alone
    step(q, v, ..., prepared, q, v, ...)    one tick; step1, ... by other partitions of loops
    pivots(q, ..., p, pivots)               of J_v: how well the partition of that step leads
    view(q, v, ..., p, place, axes, speeds of every body)
    gap(q, v, ..., p, rows, rates)          of loops, where there are any
    guard(wanted, sample, safe, memory)     the force that the hand may have

With the method "contact" the step is native code with a memory, see `live_contact`.

A hand is a wrench on each body, whose six numbers are parameters: 0, unless that body is held.
"""

import base64
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

from hapsis.compiler.backends.wasm.wasm import Exported, wasm_module
from hapsis.compiler.native.wasm_memory import LINE, helper, image, places
from hapsis.live.live_contact import LiveContact, contact_steps
from hapsis.live.live_grasp import LiveGrasp, told_units
from hapsis.live.live_signals import Ported, live_signals, states
from hapsis.live.live_steps import Lead, LiveStep, call, facts, hybrid_steps, live_steps, places_of, ports
from hapsis.live.press import press_table
from hapsis.live.sliders import slider_range, sliders
from hapsis.live.sounds import sound_table, touch_names
from hapsis.mechanics.formalisms.constraints.constraint_rows import row_rates
from hapsis.mechanics.formalisms.constraints.row_names import constraint_names
from hapsis.mechanics.formalisms.dynamics.measurements import measurements
from hapsis.mechanics.model.forces.wrench import Wrench
from hapsis.mechanics.model.model import Model
from hapsis.mechanics.model.names import coordinate_name, effort_name
from hapsis.mechanics.model.page.press import Press
from hapsis.mechanics.model.page.sound import Sound
from hapsis.mechanics.model.sensors import Sensor
from hapsis.mechanics.model.signals.column_units import column_units
from hapsis.motion.hybrid.hybrid import Hybrid
from hapsis.motion.simulate.contact.contact_model import METHOD, contact_model
from hapsis.touch.realtime.guard import Guard, tick

STRONGEST = 1e9  # N: a tenth of what the guard takes for a force
_WRENCH = ("force.x", "force.y", "force.z", "moment.x", "moment.y", "moment.z")


@dataclass(frozen=True)
class Coupling:
    """The spring between the pointer and what it holds, whose damper and limits the page finds by the mass
    that it feels there; and the largest force."""

    stiffness: float  # N/m
    mass: float  # kg: no mass that is felt counts as more
    limit: float  # N


def with_hands(model: Model) -> tuple[Model, dict[str, list[str]]]:
    """The model with a wrench on each body, and {body: names of its six parameters}."""
    taken = {*model.parameters}
    names: dict[str, list[str]] = {}
    wrenches: list[Wrench] = []
    for k, body in enumerate(movable(model)):
        own = [f"hand{k}_{part.replace('.', '_')}" for part in _WRENCH]
        while taken & {*own}:
            own = [f"{name}_" for name in own]
        names[body] = own
        force: Any = tuple(own[:3])
        moment: Any = tuple(own[3:])
        wrenches.append(Wrench(_free_name(model, f"hand on {body}"), body, force=force, moment=moment))
    zeros = {name: 0.0 for own in names.values() for name in own}
    return model.replace(parameters={**model.parameters, **zeros}) + wrenches, names


def movable(model: Model) -> list[str]:
    """The bodies of a model without the world."""
    return [name for name in model.bodies if name != "world"]


def _free_name(model: Model, name: str) -> str:
    while name in model.forces:
        name += "_"
    return name


def coupling(model: Model) -> Coupling:
    """A hand that suits the mass of a model: its spring swings the whole model at 1.5 Hz, and its largest
    force is ten times the weight."""
    mass = sum(model.value(body.mass) for body in model.bodies.values()) or 1.0
    return Coupling(mass * (2.0 * np.pi * 1.5) ** 2, mass, min(98.1 * mass, STRONGEST))


def hand_guard(hand: Coupling, dt: float) -> Guard:
    """The guard of a hand: its force is finite, limited, and changes by at most a tenth of the limit in a
    millisecond. A pointer jumps, and a weight that is held gives energy which it never took: neither is
    braked, as no device is there that could be hurt."""
    axes, units = ("x", "y", "z"), ("m", "m", "m")
    return Guard(hand.limit, dt, axes=axes, units=units, jump=1e9, slew=100.0 * hand.limit, passive=False)


def live_content(
    model: Model,
    dt: float,
    hand: Coupling,
    chosen: Any = None,
    ranges: Mapping[str, Any] | None = None,
    sounds: Mapping[str, Sound] | None = None,
    press: Press | None = None,
    hybrid: Hybrid | None = None,
    grasp: LiveGrasp | None = None,
    **options: Any,
) -> dict[str, Any]:
    """What a page needs to compute the motion of a model: see `view/web/src/live/package.ts`.

    chosen     the parameters that get a slider
    ranges     {name: (low, high)} of inputs
    sounds     {contact: its sound}
    press      what a finger presses
    hybrid     whose phase at the start is the model
    grasp      whose model it is
    options    of `stepper`
    """
    held, names = with_hands(model)
    touches = touch_names(model, sounds) if sounds else []
    if grasp is not None:
        moving, lead = grasp.steps(held)
    else:
        moving, lead = _moving(held, dt, hybrid, _with_outputs(options, [*touches, "energy"]))
    if isinstance(moving[0], LiveContact):
        moving[0].check(chosen)
    step = moving[0].step
    bodies = movable(model)
    shown = live_signals(model, step, lead.coordinates, {*touches} - {*options.get("outputs", ())})
    signals = shown["signals"]
    if grasp is not None:
        told_units(signals)
    finger = press_table(model, press, bodies, signals) if press is not None else None
    if finger is not None and not options.get("outputs"):
        shown["shown"] = []  # the curve of the finger alone
    sensors = [Sensor(f"{kind} of {body}", kind, body) for body in bodies for kind in ("pose", "velocity")]
    solved = options.get("method") == METHOD
    seen = contact_model(model).closed if solved else model  # no force of a contact is seen
    view = measurements(_without_sensors(seen) + sensors)
    gap = row_rates(seen) if constraint_names(seen) and hybrid is None else None
    needed = [f for each in moving for f in each.functions]
    needed += [view, *([gap] if gap is not None else [])]
    parameters = {name: value for f in needed for name, value in f.parameters.items()}
    order = {name: k for k, name in enumerate(parameters)}
    hands = {name for own in names.values() for name in own}
    kept = moving[0].contact.tabled if isinstance(moving[0], LiveContact) else frozenset[str]()
    offered = [name for name in parameters if name not in hands and name not in kept]
    if grasp is not None:  # the couplings are no part of the model
        offered = [name for name in offered if grasp.offers(name)]
    exported = [part for each in moving for part in each.exported(order)]
    exported.append(Exported("view", view, places_of(view, order)))
    if gap is not None:
        exported.append(Exported("gap", gap, places_of(gap, order)))
    guard = hand_guard(hand, dt)
    natives = {"guard": helper(tick)} | {name: h for each in moving for name, h in each.helpers.items()}
    module = wasm_module(exported, natives, [f for each in moving for f in each.called])
    hand_memory = image(guard.memory, module.heap)
    free = -(-(module.heap + len(hand_memory)) // LINE) * LINE
    return {
        "dt": dt,
        "wasm": _text(module.bytes),
        "step": {"parameters": False, **ports(step)},  # whether it takes some, each way says
        "steps": [each.content(module, free, order) for each in moving],
        "view": call(view),
        "gap": call(gap) if gap is not None else None,
        "digest": moving[0].digest[:16],
        "p": [*parameters.values()],
        "start": [np.ravel(port.stand_in).tolist() for port in step.inputs],
        "states": len(states(step)),
        "handles": [
            # -1 where it has no effect, as forces across a planar mechanism
            {"body": body, "places": [order.get(name, -1) for name in own]}
            for body, own in names.items()
        ],
        "coupling": asdict(hand),
        "parameters": sliders(model, {name: parameters[name] for name in offered}, order, chosen),
        "inputs": _inputs(model, step, ranges or {}),
        **shown,
        "sounds": sound_table(sounds, signals) if sounds else [],
        "press": finger,
        "facts": facts(model, lead),
        "guard": {"image": _text(hand_memory), "places": places(guard.memory)},
    }


def _moving(
    model: Model, dt: float, hybrid: Hybrid | None, options: Mapping[str, Any]
) -> tuple[Sequence[LiveStep] | Sequence[LiveContact], Lead]:
    """The steps of a model with hands, or of a hybrid, that of the start first; and what leads there."""
    if hybrid is not None:
        phases = {name: with_hands(phase)[0] for name, phase in hybrid.phases.items()}
        return hybrid_steps(replace(hybrid, phases=phases), dt, options)
    if options.get("method") == METHOD:
        return contact_steps(model, dt, options)
    return live_steps(model, dt, options)


def _with_outputs(options: Mapping[str, Any], more: Iterable[str]) -> dict[str, Any]:
    """The options of a step that also gives these outputs."""
    outputs = options.get("outputs", ())
    if isinstance(outputs, str) or not isinstance(outputs, Iterable):
        return dict(options)  # which `stepper` refuses
    return {**options, "outputs": tuple(dict.fromkeys((*outputs, *more)))}


def _without_sensors(model: Model) -> Model:
    return model.without(*model.sensors) if model.sensors else model


def _inputs(model: Model, step: Ported, ranges: Mapping[str, Any]) -> list[dict[str, Any]]:
    """What is given to the model while it moves, each with its range or one around its first value."""
    count = len(states(step))
    rest = [*enumerate(step.inputs)][count:]
    efforts = {coordinate_name(speed): effort_name(speed) for speed in model.speeds}
    columns = [efforts.get(port.name, port.name) for _, port in rest]
    units = column_units(model, columns)
    entries: list[dict[str, Any]] = []
    for (k, port), column in zip(rest, columns, strict=True):
        value = float(np.ravel(port.stand_in)[0])
        reach = max(2.0 * abs(value), 1.0)
        asked = ranges.get(port.name) or (value - reach, value + reach)
        entry = {"name": port.name, "unit": units.get(column, ""), "value": value, "port": k}
        entry |= slider_range(port.name, asked, value)
        entries.append({"column": column, "label": port.name, **entry})
    return entries


def _text(data: bytes) -> str:
    return base64.b64encode(data).decode()
