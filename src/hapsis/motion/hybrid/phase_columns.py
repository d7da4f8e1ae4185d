"""Columns of a run of a hybrid that each phase computes for its own rows."""

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from hapsis.mechanics.model.names import drive_effort_name
from hapsis.motion.hybrid.phase_system import PhaseSystem
from hapsis.motion.hybrid.readings import Foot
from hapsis.motion.simulate.equations.system_history import Rows
from hapsis.motion.simulate.run.result_builder import (
    acceleration_names,
    reaction_columns,
    sensor_groups,
    signal_columns,
)

Array = np.ndarray[Any, np.dtype[np.float64]]
Columned = Callable[[PhaseSystem, Rows], dict[str, Array]]


def accelerations_of(phase: PhaseSystem, rows: Rows) -> dict[str, Array]:
    """The accelerations of all speeds."""
    assert phase.kernels is not None and phase.system is not None
    dy = phase.kernels.rows(phase.system.motion(), *rows)["dy"]
    values = phase.store.layout.split(dy)[1].T
    return dict(zip(acceleration_names(phase.model), values, strict=True))


def signals_of(phase: PhaseSystem, rows: Rows) -> dict[str, Array]:
    """The signals of the laws."""
    assert phase.kernels is not None and phase.system is not None
    groups = signal_columns(phase.kernels, rows, phase.system.signal_names)
    return groups[0][1]() if groups else {}


def measurements_of(phase: PhaseSystem, rows: Rows) -> dict[str, Array]:
    """What sensors measure."""
    kernels, system = phase.kernels, phase.system
    assert kernels is not None and system is not None
    loads = system.loads(lambda f: kernels.rows(f, *rows))
    groups = sensor_groups(kernels, rows, lambda: loads)
    return groups[0][1]() if groups else {}


def efforts_of(phase: PhaseSystem, rows: Rows) -> dict[str, Array]:
    """The efforts of drives, in phases that have them."""
    kernels, system = phase.kernels, phase.system
    assert kernels is not None and system is not None
    names = [drive_effort_name(name) for name in phase.model.drives]
    if not names:
        return {}
    values = system.loads(lambda f: kernels.rows(f, *rows))["efforts"]
    return dict(zip(names, values.T, strict=True))


def reaction_of(name: str) -> Columned:
    """The reaction of a joint or a constraint, in phases that have it."""

    def column(phase: PhaseSystem, rows: Rows) -> dict[str, Array]:
        kernels, system = phase.kernels, phase.system
        assert kernels is not None and system is not None

        @cache
        def loads() -> dict[str, Array]:
            return system.loads(lambda f: kernels.rows(f, *rows))

        for names, compute, *_ in reaction_columns(kernels, rows, loads):
            if name in names:
                return compute()
        return {}

    return column


def foot_forces_of(foot: Foot) -> Columned:
    """The normal force on a foot and what friction has left, in phases that hold it."""

    def columns(phase: PhaseSystem, rows: Rows) -> dict[str, Array]:
        kernels, system = phase.kernels, phase.system
        assert kernels is not None and system is not None
        if foot.pin(phase.model) is None:
            return {}
        lam = system.loads(lambda f: kernels.rows(f, *rows))["lam"]
        return foot.forces(phase.model, lam.T, np.sqrt)

    return columns
