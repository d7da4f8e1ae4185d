"""An external wrench: a force and a moment on a frame of a body."""

import inspect
from collections.abc import Mapping
from typing import Any

from hapsis.compiler.ir.functions.verbs import verb
from hapsis.compiler.ir.graph.immutable import frozen
from hapsis.errors import near
from hapsis.mechanics.algebra.rotations import Matrix
from hapsis.mechanics.model.forces.force import Force, Scene
from hapsis.mechanics.model.frames import AsEnd, End
from hapsis.mechanics.model.values.readings import READINGS_NAME
from hapsis.mechanics.model.values.traced_function import NUMBER, READINGS
from hapsis.mechanics.model.values.values import VectorInTime

AXES = ("world", "frame")


@verb
@frozen
class Wrench(Force, type_name="wrench", noun="wrench", of_time=True):
    """A force (N) and a moment (N m) at the end `on`, in the axes of the world or of that end.

    Each is three numbers, formulas of t, or a function of t that gives three; one of (t, s) reads signals
    by name, as in lambda t, s: -20.0 * s["hand.velocity"].
    Signals: NAME.force, NAME.moment, in the world's axes.
    """

    on: AsEnd
    force: VectorInTime = (0.0, 0.0, 0.0)
    moment: VectorInTime = (0.0, 0.0, 0.0)
    axes: str = "world"

    def __post_init__(self) -> None:
        super().__post_init__()
        self._set(on=End.of(self.on, f"{self.label}: its place", self.where))
        for name in ("force", "moment"):
            if not callable(getattr(self, name)):
                self._make_vectors(name)
            else:
                self._check_function(name)
        if self.axes not in AXES:
            axes = str(self.axes)
            raise self.wrong(
                f'axes "{axes[:60]}" are not known{near(axes, AXES)}', expected=" or ".join(AXES)
            )

    def _check_function(self, name: str) -> None:
        try:
            count = 2 if self._reads(name) else 1
            inspect.signature(getattr(self, name)).bind(*[0.0] * count)
        except (TypeError, ValueError):
            raise self.wrong(
                f"{name} is a function that does not take the time", remedy="lambda t: (x, y, z)"
            ) from None

    def _reads(self, name: str) -> bool:
        """Whether a field is a function with a second parameter `s` that must be given."""
        function = getattr(self, name)
        parameters = list(inspect.signature(function).parameters.values()) if callable(function) else []
        return [(p.name, p.default) for p in parameters[1:2]] == [(READINGS_NAME, inspect.Parameter.empty)]

    @property
    def traced(self) -> Mapping[str, Any]:
        """{field: kinds of its arguments} of its functions."""
        return {n: (NUMBER, READINGS) if self._reads(n) else (NUMBER,) for n in ("force", "moment")}

    @property
    def ends(self) -> Mapping[str, End]:
        """{field: End} of the end it acts on."""
        return {"on": self.on}

    def act(self, scene: Scene) -> None:
        """Applies the force and the moment."""
        spot = scene.spot("on")
        x, y, z = scene.timed("force", "xyz")
        a, b, c = scene.timed("moment", "xyz")
        force, moment = (x, y, z), (a, b, c)
        if self.axes == "frame":
            R = Matrix(spot.R)
            force, moment = R.up(force), R.up(moment)
        scene.push(spot, force, moment)
        scene.signal("force", force)
        scene.signal("moment", moment)
