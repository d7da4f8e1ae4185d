"""The loops of a model in numbers: rows, Jacobian, drives, and how coordinates move."""

from typing import Any

import numpy as np

from hapsis.compiler.backends.compiling import compile
from hapsis.compiler.ir.expr import Expr, symbol
from hapsis.compiler.ir.function import Function
from hapsis.compiler.ir.graph import Graph
from hapsis.errors import ModelError
from hapsis.mechanics.formalisms.constraints import constraint_names, constraints
from hapsis.mechanics.formalisms.coordinate_rates import coordinate_rates
from hapsis.mechanics.model.drives import Drive
from hapsis.mechanics.model.formula import TIME, Formula
from hapsis.mechanics.model.model import Model
from hapsis.motion.analysis.starts import quaternions

Array = np.ndarray[Any, np.dtype[np.float64]]
INSTANT = 1e-6  # s, for what changes with time


class Loops:
    """What the loops of a model ask, and what its drives give."""

    def __init__(self, model: Model) -> None:
        self.model, self.names = model, constraint_names(model)
        self.rows: Any = compile(constraints(model)) if self.names else None
        self.rates: Any = compile(coordinate_rates(model))
        self.quaternions = list(quaternions(model).values())
        self.rest = np.zeros(len(model.speeds))
        self.timed = bool(self.names) and any(p.name == "t" for p in self.rows.function.inputs)
        slots = {name: k for k, name in enumerate(model.speeds)}
        # the place of a coordinate in v, for those that have a speed of their own
        self.slots = {n: slots[f"{n}.v"] for n in model.coordinates if f"{n}.v" in slots}
        self.driven = {drive.joint: Driven(model, drive) for drive in model.drives.values()}

    def gap(self, q: Array) -> Array:
        """h at the start of time."""
        return self.rows(q, self.rest).h if self.names else np.zeros(0)

    def jacobian(self, q: Array) -> Array:
        """J: a row for each constraint, a column for each speed."""
        return self.rows(q, self.rest).J if self.names else np.zeros((0, len(self.rest)))

    def drift(self, q: Array) -> Array:
        """∂h/∂t, by differences."""
        if not self.timed:
            return np.zeros(len(self.names))
        after, before = (self.rows(q, self.rest, t=t).h for t in (INSTANT, -INSTANT))
        return (after - before) / (2 * INSTANT)

    def moved(self, q: Array, d: Array) -> Array:
        """The coordinates after a step along the speeds."""
        made = q + self.rates(q, d)
        for places in self.quaternions:
            made[places] /= np.linalg.norm(made[places])
        return made


class Driven:
    """The motion of a drive at the start of time; `constant` is a lock."""

    def __init__(self, model: Model, drive: Drive) -> None:
        self.drive = drive
        motion = drive.position
        if motion is None:
            raise drive.wrong("a drive by velocity or acceleration is not available yet",
                              remedy="give its position")  # fmt: skip
        graph = Graph()
        t = symbol("t", graph=graph)
        if isinstance(motion, Formula):
            value = motion.value({**model.parameters, TIME: t})
        else:
            value = motion(t) if callable(motion) else motion
        if not isinstance(value, Expr | int | float):
            raise ModelError(f"{drive.label}: position(t) must give a number")
        f = Function(
            "drive", {"t": t}, {"x": value + 0.0 * t if isinstance(value, Expr) else value}
        )
        self.constant = not isinstance(value, Expr) or (f.inputs[0].refs[0] >> 2) not in f.live
        self.position = float(compile(f)(0.0))
        slope = 0.0 if self.constant else float(compile(f.jacobian("x", "t"))(0.0))
        self.velocity = slope
