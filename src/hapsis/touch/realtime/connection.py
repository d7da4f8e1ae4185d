"""A device connected to a step: which number goes where, the guard between them, the loop's memory."""

import math
from collections.abc import Mapping
from dataclasses import fields
from typing import Any

import numpy as np

from hapsis.errors import DeviceError, check_known
from hapsis.mechanics.model.names import effort_name
from hapsis.mechanics.model.signals.column_units import column_units
from hapsis.mechanics.model.signals.frame_signals import frame_signal_of
from hapsis.mechanics.model.values.numbers import real
from hapsis.touch.realtime.device import MEASURES, Device, Layout, checked
from hapsis.touch.realtime.guard import Guard
from hapsis.touch.realtime.guard_settings import GuardSettings
from hapsis.touch.realtime.loop_memory import HELD, LoopMemory, ModelState
from hapsis.touch.realtime.packed_step import PackedStep
from hapsis.touch.realtime.ring import Ring

BINS = 20_000  # of a microsecond
ROWS = 1 << 16  # of telemetry that are kept, at least; and those of that many seconds:
SECONDS = 20.0
STALL = 0.025  # s without a tick, or three periods: by then the force has been taken away
START = "start"  # the reserve that is the energy of the start


def checked_connection(device: Any, step: PackedStep) -> Device:
    """The device, if a step can be connected to it."""
    can = checked(device).capabilities
    if can.causality == "admittance" and can.hardware:
        raise DeviceError(
            f'"{device.name}" takes positions, and the guard can only take forces to zero',
            remedy="use hardware of admittance behind a controller of its own, as a UDP device",
        )
    if len(device.axes) > len(step.outputs):
        raise DeviceError(
            f'"{device.name}" has {len(device.axes)} axes, and the step has {len(step.outputs)} outputs',
            remedy="name an output of hs.stepper for each axis",
        )
    return device


def guard_of(device: Device, rate: float, settings: Mapping[str, Any] | None, step: PackedStep) -> Guard:
    """The guard of a device, with settings that override those of its capabilities; the largest
    force can only be less than that of the device. reserve="start" is the energy of the step's start."""
    can, given = device.capabilities, dict(settings or {})
    names = [field.name for field in fields(GuardSettings) if field.name != "period"]
    for name in given:
        check_known(name, names, "the guard has no setting {}", DeviceError)
    known: dict[str, Any] = {"max_force": can.max_force, "axes": device.axes, "units": can.units}
    known["passive"] = step.passive
    if "rate" in can.facts:  # it samples slower than the loop ticks
        known["sample_every"] = max(1, math.ceil(rate / float(can.facts["rate"])))
    if can.causality == "admittance":
        known["passive"] = False  # commands are positions: they tell no energy
    if isinstance(given.get("reserve"), str) and given["reserve"] == START:
        from hapsis.touch.realtime.start_reserve import start_reserve  # loads the search for a rest

        given["reserve"] = start_reserve(step)
    guard = Guard(period=1.0 / rate, **known | given)
    for name, wanted, most in zip(device.axes, guard.memory.max_force, can.max_force, strict=False):
        if wanted > most:
            raise DeviceError(
                f'max_force of "{name}" is {wanted:g}', where=device.name, expected=f"{most:g} at most"
            )
    return guard


def longest_stall(rate: float) -> float:
    """s without a tick, by which the force has been taken away."""
    return max(STALL, 3.0 / rate)


def telemetry_columns(device: Device, step: PackedStep) -> tuple[str, ...]:
    """The names of the numbers in a row of telemetry."""
    return (
        "t",
        "late",
        "compute",
        "fault",
        *(f"{device.name}.{axis}.{level}" for level in MEASURES for axis in device.axes),
        f"{device.name}.status",
        f"{device.name}.counter",
        *(step.inputs or ("none",)),
        *step.live,
        *(step.outputs or ("none",)),
        *(f"{device.name}.{axis}.command" for axis in device.axes),
    )


def telemetry_units(device: Device, step: PackedStep) -> dict[str, str]:
    """The units of the telemetry, those of the step as in a Result; live parameters have none.

    A name is that of its first column: of an input before that of an output.
    """
    units = _step_units(step)
    units |= {"t": "s", "late": "s", "compute": "s", "fault": "1"}
    units |= {f"{device.name}.{count}": "1" for count in ("status", "counter")}
    for axis, unit in zip(device.axes, device.capabilities.units, strict=True):
        force = "N" if unit == "m" else "N m"
        name = f"{device.name}.{axis}"
        units |= {f"{name}.position": unit, f"{name}.velocity": f"{unit}/s", f"{name}.force": force}
        units[f"{name}.command"] = force if device.capabilities.causality == "impedance" else unit
    return units


def _step_units(step: PackedStep) -> dict[str, str]:
    """The units of the inputs and outputs of a step; none where its model is not known."""
    model = step.model
    if model is None:
        return {} if step.native is None else dict(step.native.units)
    units = column_units(model, step.outputs) | {"energy.before": "J"}
    for name in step.outputs:
        signal = None if name in units else frame_signal_of(model, name)
        if signal is not None:
            units[name] = signal.quantity.unit
    efforts = {name: effort_name(name) if name in model.coordinates else name for name in step.inputs}
    known = column_units(model, tuple(efforts.values()))
    units |= {name: known[full] for name, full in efforts.items() if full in known}
    return {name: unit for name, unit in units.items() if name in (*step.inputs, *step.outputs)}


def loop_memory(
    device: Device,
    step: PackedStep,
    guard: Guard,
    rate: float,
    paced: bool,
    gains: Mapping[str, float] | None,
) -> tuple[LoopMemory, Ring]:
    """The memory of a loop before its first tick, and the ring of its telemetry."""
    factors = _factors(step, gains or {})
    rows = max(ROWS, math.ceil(SECONDS * rate))
    ring = Ring(rows, len(telemetry_columns(device, step)))
    memory = LoopMemory(
        axes=len(device.axes),
        inputs=max(1, len(step.inputs)),
        outputs=max(1, len(step.outputs)),
        lives=len(step.live),
        bins=BINS,
        period=round(1e9 / rate),
        paced=paced,
        stall=round(1e9 * longest_stall(rate)) if paced else 0,
        read=device.read,
        step=step.kernel,
        guard_tick=guard.kernel,
        write=device.write,
        sources=_sources(device, step),
        input_gains=np.array([factors.get(name, 1.0) for name in step.inputs or [""]]),
        output_gains=np.array([factors.get(name, 1.0) for name in step.outputs[: len(device.axes)]]),
        u=step.rest,
        live=step.live_values.copy(),
        live_aims=step.live_values[: len(step.live)],
        state=ModelState(size=len(step.start), y=np.tile(step.start, 2)),
        guard=guard.memory,
        telemetry=ring.memory,
    )
    return memory, ring


def _sources(device: Device, step: PackedStep) -> Any:
    """For each input which number of the sample it is; HELD for what the device does not give."""
    can, layout = device.capabilities, Layout(len(device.axes))
    sources = np.full(max(1, len(step.inputs)), HELD, np.int64)
    used: dict[str, int] = dict.fromkeys(MEASURES, 0)
    for k, name in enumerate(step.inputs):
        level = name.rpartition(".")[2]
        if level not in ("position", "velocity"):
            level = "force" if can.causality == "admittance" else ""
        if level in can.measures and used[level] < len(device.axes):
            sources[k] = getattr(layout, level) + used[level]
            used[level] += 1
    if (sources == HELD).all() and step.inputs:
        raise DeviceError(
            f'"{device.name}" measures {", ".join(can.measures)}, and the step takes '
            f"{', '.join(step.inputs)}: nothing meets",
            remedy="give the step inputs such as a drive's NAME.position",
        )
    for drive in step.model.drives.values() if step.model is not None else ():
        needed = [sources[step.inputs.index(name)] == HELD for name in drive.inputs if name in step.inputs]
        if drive.sampled and len(set(needed)) > 1:
            raise DeviceError(
                f'"{device.name}" measures {", ".join(can.measures)}, and {drive.label} takes position '
                "and velocity",
                remedy="give the drive position and tracking",
            )
    return sources


def _factors(step: PackedStep, gains: Mapping[str, float]) -> dict[str, float]:
    """The gains, checked."""
    known = (*step.inputs, *step.outputs)
    for name in gains:
        check_known(name, known, "gains name {}")
    return {name: real(x, f'the gain of "{name}"') for name, x in gains.items()}
