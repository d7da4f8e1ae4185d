"""The rows of many runs as columns with the runs as first axis, some computed when they are asked for."""

from functools import partial
from typing import Any

import numpy as np

from hapsis.compiler.ir.functions.function import Function
from hapsis.errors import Error
from hapsis.mechanics.formalisms.deferred_verbs import reaction
from hapsis.mechanics.formalisms.dynamics.carriers import carriers
from hapsis.mechanics.model.model import Model
from hapsis.mechanics.model.model_warnings import own_warnings
from hapsis.mechanics.model.names import drive_effort_name
from hapsis.mechanics.model.result import Columns, Result
from hapsis.mechanics.model.runs.results import Results
from hapsis.mechanics.model.signals.column_units import column_units
from hapsis.mechanics.model.signals.frame_signals import frame_signal_of
from hapsis.motion.simulate.batch.lane_energy import energy_drifts
from hapsis.motion.simulate.batch.lane_runs import LaneRuns
from hapsis.motion.simulate.equations.kernels import Kernels
from hapsis.motion.simulate.equations.system_history import Rows
from hapsis.motion.simulate.run.result_builder import ENERGIES, Memory, acceleration_names
from hapsis.motion.simulate.run.run_options import RunOptions
from hapsis.motion.simulate.run.run_warnings import limit_warning
from hapsis.motion.solvers.run.run_memory import DONE

Array = np.ndarray[Any, np.dtype[np.float64]]
COUNTED = ("steps", "rejected", "evaluations")
NOT_STARTED = "not started"  # the status of a run that was refused before its first step


class RunTable:
    """Runs of one system: those made in lanes as states, those made alone as Results."""

    def __init__(self, model: Model, kernels: Kernels, runs: Any, times: Array) -> None:
        self.model, self.kernels, self.runs, self.times = model, kernels, runs, times
        count = runs.count
        self.y = np.full((count, len(times), kernels.system.layout.size), np.nan)
        self.alone: dict[int, Result] = {}
        self.refused: dict[int, Error] = {}
        self.warnings: dict[int, tuple[str, ...]] = {}
        self.last = np.empty((0, 0))  # the last states of runs in lanes
        self.status, self.message = ["done"] * count, [f"reached t = {times[-1]:.6g} s"] * count
        self.lengths = np.full(count, len(times))
        self.drift = np.zeros(count)
        self.counts = {name: np.zeros(count, np.int64) for name in COUNTED}

    def parameters(self, function: Function) -> Array | None:
        """The parameters of a Function for each run, one row each; None where all have the same."""
        given = {**self.kernels.parameters}
        names = list(function.parameters)
        mine = [name for name in self.runs.parameters if name in function.parameters]
        if not mine and not any(name in given for name in names):
            return None
        row = [given.get(name, value) for name, value in function.parameters.items()]
        rows = np.tile(np.array(row, float), (self.runs.count, 1))
        for name in mine:
            rows[:, names.index(name)] = self.runs.parameters[name]
        return rows

    # filling -------------------------------------------------------------------------------------

    def take(self, lanes: LaneRuns, moments: Array, options: RunOptions) -> Any:
        """Takes over what lanes have made; returns the numbers of the runs that must be made alone.

        moments    the times of the samples: ours, and others between them for checks alone
        """
        work, size = lanes.samples[:, :, -1], lanes.samples.shape[2]
        states = lanes.samples.reshape(-1, size)
        energies = self._call(self.kernels.system.energies(), t=np.tile(moments, len(work)), y=states)
        energies = {name: x.reshape(work.shape) for name, x in energies.items()}
        self.drift, sound = energy_drifts(self.kernels, moments, energies, work, options)
        self.counts, self.last = lanes.counts, lanes.last
        self.y = np.ascontiguousarray(lanes.samples[:, np.isin(moments, self.times)])
        self._warn()
        return np.flatnonzero((lanes.answer != DONE) | ~sound)

    def _warn(self) -> None:
        """Notes which runs in lanes leave limits."""
        model = self.kernels.system.model
        q = self.kernels.system.layout.split(self.y)[0]
        low, high = model.limits.T
        for k in np.flatnonzero(((q < low) | (q > high)).any(axis=(1, 2))).tolist():
            text = limit_warning(model, q[k])
            if text:
                self.warnings[k] = (text,)

    def put(self, k: int, result: Result) -> None:
        """Takes over a run that was made alone."""
        self.alone[k] = result
        self.status[k], self.message[k] = result.status, result.message
        self.lengths[k] = len(self._rows(result))
        self.drift[k] = result.energy_drift
        self.warnings.pop(k, None)
        texts = own_warnings(self.model, result.warnings)
        if texts:
            self.warnings[k] = texts
        for name, numbers in self.counts.items():
            numbers[k] = result.report[name]

    def _all_warnings(self) -> dict[int, tuple[str, ...]]:
        """The warnings of the runs, each with those of the model first."""
        common = self.model.warnings
        numbers = range(self.runs.count) if common else sorted(self.warnings)
        return {k: (*common, *self.warnings.get(k, ())) for k in numbers}

    def refuse(self, k: int, error: Error) -> None:
        """Takes over why a run could not start: it has no rows."""
        self.refused[k] = error
        self.status[k], self.message[k] = NOT_STARTED, str(error)
        self.lengths[k], self.drift[k] = 0, np.nan

    def _rows(self, result: Result) -> Any:
        """The rows of a Result at our times: events have rows of their own."""
        return np.flatnonzero(np.isin(result.t, self.times))

    # columns -------------------------------------------------------------------------------------

    def results(self, method: str, title: str, seconds: float) -> Results:
        """All as Results."""
        model = self.model
        groups = [(names, self._filled(names, make)) for names, make in self._groups()]
        columns = Columns(groups, self._frame)
        units = column_units(model, tuple(columns))
        for result in self.alone.values():
            units |= result.units
        return Results(
            t=self.times,
            columns=columns,
            given={**self.runs.start, **self.runs.parameters},
            status=tuple(self.status),
            message=tuple(self.message),
            lengths=self.lengths,
            energy_drift=self.drift,
            report={"method": method, **self.counts, "seconds": seconds, "alone": len(self.alone)},
            units=units,
            title=title,
            coordinates=model.coordinates,
            speeds=model.speeds,
            alone=self.alone,
            scene=self._scene,
            warnings=self._all_warnings(),
            memory=partial(_memory, tuple(self.kernels.system.extras.states), self.last),
        )

    def _scene(self, k: int) -> Any:
        """What the player needs of a run that was made in lanes."""
        from hapsis.motion.simulate.run.motion_scene import scene_of  # only where a picture is drawn

        values = {name: float(x[k]) for name, x in self.runs.parameters.items()}
        kernels = Kernels(self.kernels.system, {**self.kernels.parameters, **values}, self.kernels.threads)
        return scene_of(kernels, Rows(self.times, self.y[k], np.empty((len(self.times), 0))))

    def _groups(self) -> list[Any]:
        if self.alone and len(self.alone) + len(self.refused) == self.runs.count:
            # nothing is computed here: the columns are those that the runs have
            return [((name,), dict) for name in next(iter(self.alone.values())).names]
        system = self.kernels.system
        model, layout = system.model, system.layout
        a_names = acceleration_names(model)

        def states() -> dict[str, Array]:
            q, v = layout.split(self.y)[:2]
            named = zip(
                (*model.coordinates, *model.speeds),
                (*np.moveaxis(q, -1, 0), *np.moveaxis(v, -1, 0)),
                strict=True,
            )
            return dict(named)

        def energies() -> dict[str, Array]:
            values = self._evaluated(system.energies())
            return {**values, "energy": values["kinetic"] + values["potential"]}

        def accelerations() -> dict[str, Array]:
            dv = layout.split(self._evaluated(system.motion())["dy"])[1]
            return dict(zip(a_names, np.moveaxis(dv, -1, 0), strict=True))

        groups: list[Any] = [
            ((*model.coordinates, *model.speeds), states),
            (ENERGIES, energies),
            (("work",), lambda: {"work": layout.split(self.y)[3]}),
            (a_names, accelerations),
        ]
        if system.signal_names:
            groups.append((system.signal_names, lambda: self._evaluated(system.signals())))
        efforts = tuple(map(drive_effort_name, model.drives))
        if efforts:
            groups.append((efforts, dict))  # no run with drives is made in lanes
        for name in carriers(model):
            groups.append(
                ((f"{name}.reaction",), lambda name=name: {f"{name}.reaction": self._reaction(name)})
            )
        return groups

    def _filled(self, names: Any, make: Any) -> Any:
        """A function that makes columns, with the rows of the runs that were made alone."""

        def columns() -> dict[str, Array]:
            made: dict[str, Array] = {}
            if len(self.alone) + len(self.refused) < self.runs.count:
                values = make()
                made = {name: np.array(values[name]) for name in names}
            for k, result in self.alone.items():
                rows = self._rows(result)
                for name in names:
                    values = result[name][rows]
                    if name not in made:
                        made[name] = np.full((self.runs.count, len(self.times), *values.shape[1:]), np.nan)
                    made[name][k] = np.nan
                    made[name][k, : len(rows)] = values
            return made

        return columns

    def _frame(self, name: str) -> Array | None:
        """The signal of a frame or a sensor by its name; None where there is none."""
        system = self.kernels.system
        if frame_signal_of(system.model, name) is None:
            return None
        return self._filled((name,), lambda: {name: self._evaluated(system.reading(name))["value"]})()[name]

    def _evaluated(self, function: Function) -> dict[str, Array]:
        """The outputs of a Function of (t, y) for all rows of all runs."""
        count, rows, size = self.y.shape
        values = self._call(function, t=np.tile(self.times, count), y=self.y.reshape(-1, size))
        return {name: x.reshape(count, rows, *x.shape[1:]) for name, x in values.items()}

    def _reaction(self, name: str) -> Array:
        system = self.kernels.system
        f, layout = reaction(system.model, name), system.layout
        dv = layout.split(self._evaluated(system.motion())["dy"])[1]
        q, v, z, _ = layout.split(self.y)
        every = list(system.extras.states)
        known = {
            "q": q,
            "v": v,
            "a": dv,
            "z": z[..., [every.index(n) for n in system.extras.of_forces[0]]],
            "t": np.tile(self.times, (self.runs.count, 1)),
        }
        count, rows = self.y.shape[:2]
        flat = {name: x.reshape(count * rows, *x.shape[2:]) for name, x in known.items()}
        [wrench] = self._call(f, **flat).values()
        return wrench.reshape(count, rows, -1)

    def _call(self, function: Function, **inputs: Array) -> dict[str, Array]:
        rows = self.parameters(function)
        times = len(inputs["t"]) // self.runs.count
        more = {} if rows is None else {"p": np.repeat(rows, times, axis=0)}
        given = {p.name: np.ascontiguousarray(inputs[p.name]) for p in function.inputs}
        return function.outputs_by_name(self.kernels.compiled(function)(**given, **more))


def _memory(names: tuple[str, ...], last: Array, k: int) -> Memory:
    """From what a run in lanes can be continued."""
    return Memory(names, last[k], {})
