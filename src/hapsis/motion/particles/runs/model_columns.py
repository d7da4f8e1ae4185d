"""The columns of a scene's Model: its coordinates, speeds, signals, sensors, and what particles do to it."""

from typing import Any, final

import numpy as np

from hapsis.errors import ModelError
from hapsis.mechanics.model.names import drive_effort_name
from hapsis.mechanics.model.signals.column_units import column_units
from hapsis.motion.particles.scenes.scene_model import SceneModel
from hapsis.motion.simulate.equations.system_history import Rows
from hapsis.motion.simulate.run.result_builder import frames_on_request, signal_columns, state_columns
from hapsis.motion.solvers.particles.particle_memory import ParticleMemory

FORCE, MOMENT = "load", "load_moment"  # of all particles on a body, N and N m about its origin


@final
class ModelColumns:
    """The columns of the model at the rows of a run."""

    def __init__(self, given: SceneModel, memory: ParticleMemory, count: int) -> None:
        self.given, m = given, memory.model
        size, bodies = given.size, len(given.bodies)
        y = np.array(m.sample_y[: size * count]).reshape(count, size)
        t = np.array(memory.sample_times[:count])
        self.rows = Rows(t, y, np.tile(given.kernels.u, (count, 1)))
        self.wrenches = np.array(m.sample_wrenches[: 6 * bodies * count]).reshape(count, bodies, 6)
        self.held = np.array(m.sample_rows[: int(m.row_count) * count]).reshape(count, int(m.row_count))
        self._frames = frames_on_request(given.kernels, self.rows)

    def joined(self, columns: dict[str, Any]) -> dict[str, Any]:
        """These columns and those of the model; an error where two have one name."""
        mine = self._columns()
        twice = next((name for name in mine if name in columns), None)
        if twice is not None:
            raise ModelError(
                f'an object and the model both have a column "{twice[:60]}"', remedy="rename the object"
            )
        return {**columns, **mine}

    def _columns(self) -> dict[str, Any]:
        given, kernels = self.given, self.given.kernels
        system = kernels.system
        q, v, _, _ = system.layout.split(self.rows.y)
        groups = [*state_columns(system.model, q, v)]
        groups += signal_columns(kernels, self.rows, system.signal_names)
        columns: dict[str, Any] = {}
        for _, values in groups:
            known: Any = values() if callable(values) else values
            columns.update(known)
        for k, body in enumerate(given.bodies):
            columns[f"{body}.{MOMENT}"] = self.wrenches[:, k, :3]
            columns[f"{body}.{FORCE}"] = self.wrenches[:, k, 3:]
        return columns | self._efforts()

    def _efforts(self) -> dict[str, Any]:
        """NAME.effort of drives: that of the model alone, and what holds against particles."""
        system, kernels = self.given.kernels.system, self.given.kernels
        function = system.constraint_loads()
        if function is None or not system.model.drives:
            return {}
        efforts = kernels.rows(function, *self.rows)["efforts"]
        first = self.held.shape[1] - len(system.model.drives)
        names = enumerate(system.model.drives)
        return {drive_effort_name(name): efforts[:, k] + self.held[:, first + k] for k, name in names}

    def on_request(self, name: str) -> Any:
        """The signal of a frame or a sensor by its name, or None."""
        return self._frames(name)


def model_units(given: SceneModel, names: tuple[str, ...]) -> dict[str, str]:
    """The units of the model's columns."""
    units = column_units(given.kernels.system.model, names)
    for body in given.bodies:
        units |= {f"{body}.{FORCE}": "N", f"{body}.{MOMENT}": "N m"}
    return dict(units)


def with_model(
    drawn: dict[str, Any], given: SceneModel, memory: ParticleMemory, count: int
) -> dict[str, Any]:
    """A drawn scene with the bodies of the model."""
    from hapsis.motion.simulate.run.motion_scene import scene_of  # only where a picture is drawn

    rows = ModelColumns(given, memory, count).rows
    model = scene_of(given.kernels, rows)
    return {
        **model,
        "bodies": [*model["bodies"], *drawn["bodies"]],
        "poses": np.concatenate([model["poses"], drawn["poses"]], axis=1),
        "skins": drawn["skins"],
    }
