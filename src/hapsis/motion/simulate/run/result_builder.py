"""A run as a Result: columns by name, some of them computed when they are asked for."""

from typing import Any

import numpy as np

from hapsis.mechanics.model.forces.stop import Stop
from hapsis.mechanics.model.model import Model
from hapsis.mechanics.model.result import Columns, Result
from hapsis.mechanics.model.state import State
from hapsis.motion.simulate.equations.inputs import effort_name
from hapsis.motion.simulate.run.motion_scene import scene_of
from hapsis.motion.simulate.run.partition_switch import Looping
from hapsis.motion.simulate.run.run import Memory, Running
from hapsis.motion.simulate.run.run_reactions import Carried

Array = np.ndarray[Any, np.dtype[np.float64]]


def recorded(running: Running) -> Result:
    """What a run did."""
    packed, kernels = running.packed, running.kernels
    model = packed.model
    t, y, u = (np.concatenate(x) for x in (running.times, running.states, running.held))
    end = running._state(running.run.t, running.run.y.copy())
    if running.status == "energy" and running.watchdog.passed is not None:
        # up to where it was noticed, however far the native code had got by then
        kept = t <= running.watchdog.passed
        t, y, u = t[kept], y[kept], u[kept]
        end = y[-1]
    elif isinstance(running, Looping) and running.torn is not None:
        kept = t < running.torn[0]
        t, y, u = t[kept], y[kept], u[kept]
        end = y[-1]
    elif running.status != "done" and running.run.t > t[-1]:
        # the last good state is kept, also between samples
        t, y, u = np.append(t, running.run.t), np.vstack([y, end]), np.vstack([u, kernels.u])
    q, v, _, work = packed.layout.split(y)

    def energies() -> dict[str, Array]:
        found = kernels.rows(kernels.functions["energies"], t, y, u)
        return {**found, "energy": found["kinetic"] + found["potential"]}

    def accelerations() -> dict[str, Array]:
        dy = running.evaluated("motion", t, y, u)["dy"]
        a = packed.layout.split(dy)[1]
        return {name: a[:, k] for k, name in enumerate(acceleration_names(model))}

    groups: list[Any] = [
        (model.coordinates, {n: q[:, k] for k, n in enumerate(model.coordinates)}),
        (model.speeds, {n: v[:, k] for k, n in enumerate(model.speeds)}),
        (("energy", "kinetic", "potential"), energies),
        (("work",), {"work": work}),
        (acceleration_names(model), accelerations),
    ]
    if packed.signal_names:
        groups.append((packed.signal_names, lambda: kernels.rows(packed.signals(), t, y, u)))
    groups += Carried(running, t, y, u).groups()
    held = dict(zip(packed.held, kernels.u.tolist(), strict=True))
    last = State(model.coordinates, model.speeds, *packed.layout.split(end)[:2])
    report = {"method": " then ".join(running.methods), **running.counted, "seconds": running.seconds}
    return Result(
        t=_fixed(t),
        columns=Columns(groups),
        status=running.status,
        message=running.message,
        events=tuple(e for e in running.happened if e.time <= t[-1]),
        energy_drift=running.watchdog.drift,
        constraint_error=_torn(running, t, q, v),
        last=last,
        report=report,
        warnings=tuple(_warnings(running, q)),
        units=units(model),
        scene=lambda: scene_of(running.packed, kernels, t, y, u),
        memory=Memory(tuple(packed.extras.states), end, held),
    )


def _torn(running: Running, t: Array, q: Array, v: Array) -> float:
    """The largest row of all loops at all times."""
    loops = running.loops if isinstance(running, Looping) else getattr(running.packed, "loops", None)
    return 0.0 if loops is None else float(loops.errors(t, q, v)[0].max(initial=0.0))


def _fixed(x: Array) -> Array:
    x.flags.writeable = False
    return x


def acceleration_names(model: Model) -> tuple[str, ...]:
    """`elbow.a` of `elbow.v`; `base.wx.a` of `base.wx`."""
    return tuple(f"{name.removesuffix('.v')}.a" for name in model.speeds)


def _warnings(running: Running, q: Array) -> list[str]:
    found = [running.watchdog.warning()] if running.watchdog.passed is None else []
    forces = running.packed.model.forces.values()
    stops = {force.joint for force in forces if isinstance(force, Stop)}
    limits = running.packed.model.limits
    for k, name in enumerate(running.packed.model.coordinates):
        low, high = limits[k]
        if name not in stops and (q[:, k].min() < low or q[:, k].max() > high):
            found.append(
                f'"{name}" leaves its limits {low:g} and {high:g}, which do not act by '
                f'themselves: add hs.Stop("{name} stop", "{name}", stiffness=...)'
            )
    return [text for text in found if text]


def units(model: Model) -> dict[str, str]:
    """Units by name, as far as they are known."""
    found: dict[str, str] = {name: "J" for name in ("energy", "kinetic", "potential", "work")}
    for name in (*model.forces, *model.contacts):
        found |= {f"{name}.{what}": "N" for what in ("force", "push")}
        found |= {f"{name}.{what}": "m" for what in ("gap", "length")}
        found[f"{name}.moment"] = "N m"
    for joint in model.moving:
        kinds = [step.kind for step in joint.steps]
        if len(kinds) == len(joint.coordinates):
            for kind, coordinate, speed in zip(kinds, joint.coordinates, joint.speeds, strict=True):
                length = kind == "P"
                found[coordinate] = "m" if length else "rad"
                found[speed] = "m/s" if length else "rad/s"
                found[f"{speed.removesuffix('.v')}.a"] = "m/s²" if length else "rad/s²"
                found[effort_name(speed)] = "N" if length else "N m"
    return found
