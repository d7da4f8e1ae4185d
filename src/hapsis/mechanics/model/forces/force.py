"""The base of all forces, and the interface (`Scene`) through which they read the motion and act.

`act(scene)` is called once, while the equations are written. The force asks the scene for expressions
(the position of an end, the speed of a coordinate, its own parameters) and gives it forces and efforts.
A new kind of force is one new file; all functions derived from a model then contain it.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, Protocol

from hapsis.compiler.ir.graph.immutable import frozen
from hapsis.mechanics.algebra.rotations import Rows
from hapsis.mechanics.algebra.vectors import Vector
from hapsis.mechanics.model.fact import Fact
from hapsis.mechanics.model.values.readings import Readings


class Spot(NamedTuple):
    """A frame on a body: origin p, axes R (columns), angular velocity w, velocity u; in world axes."""

    link: int
    R: Rows
    p: Vector
    w: Vector
    u: Vector


class Scene(Protocol):
    """What a force may read and do. Names are relative to it: `scene.signal("force", x)` is NAME.force."""

    @property
    def time(self) -> Any:
        """The time."""
        ...

    def number(self, field: str) -> Any:
        """A field of the fact, as a run-time parameter NAME.field."""
        ...

    def numbers(self, field: str, suffixes: Any) -> list[Any]:
        """A field of several numbers, as parameters NAME.field.suffix."""
        ...

    def timed(self, field: str, suffixes: Any) -> list[Any]:
        """The numbers of a field that may be formulas of t, or a function of t."""
        ...

    def limits(self, coordinate: str) -> tuple[Any, Any]:
        """The lower and upper limit of a coordinate; None where it has none."""
        ...

    def spot(self, field: str) -> Spot:
        """The frame of the end that this field names."""
        ...

    def coordinate(self, name: str) -> tuple[Any, Any]:
        """A coordinate and its speed."""
        ...

    def push(self, spot: Spot, force: Vector, moment: Vector | None = None) -> None:
        """Applies a force and a moment to a body at a spot; in world axes."""
        ...

    def between(self) -> tuple[Vector, Vector]:
        """The vector from the end `first` to `second` and its rate, in the axes that `pull` uses."""
        ...

    def pull(self, force: Vector, power: Any) -> None:
        """Applies the force to `first` and its opposite to `second`, in the axes of `between`.

        `power` is the power of both together.
        """
        ...

    def effort(self, coordinate: str, value: Any) -> None:
        """Applies an effort along a coordinate."""
        ...

    def signal(self, name: str, value: Any) -> None:
        """Declares a quantity that a run can record."""
        ...

    def store(self, energy: Any, loss: Any) -> None:
        """Declares the stored energy and the dissipated power.

        A force that never calls it counts as an external source of energy.
        """
        ...

    def obey(self, law: Any, *inputs: Any, before: str = "") -> Any:
        """The result of a law for these inputs; its parameters and states belong to the force.

        `before` is put before the names of its states.
        """
        ...

    def fields_of(self, law: Any) -> dict[str, Any]:
        """The numbers of a law, as parameters NAME.field."""
        ...

    def states_of(self, law: Any, before: str = "") -> dict[str, Any]:
        """The states of a law, as states of the force."""
        ...

    def hold(self, energy: Callable[[], Any]) -> None:
        """Declares energy that is stored by states, and is no potential energy; written when asked for."""
        ...

    def state(self, name: str, start: float) -> Any:
        """A state variable of the force, with its initial value."""
        ...

    def rate(self, name: str, value: Any) -> None:
        """Declares the time derivative of a state."""
        ...

    def held(self, name: str) -> Any:
        """A number that the caller supplies and that is constant between samples."""
        ...

    @property
    def readings(self) -> Readings:
        """Coordinates, speeds, frames, sensors and signals of other forces, by their full names."""
        ...


@frozen
class Force(Fact, ABC, noun="force", family="forces"):
    """The base of forces; `act` defines one."""

    @abstractmethod
    def act(self, scene: Scene) -> None:
        """Adds its forces, signals and energy to the scene."""


@frozen
class JointEffort(Force):
    """A force along one coordinate."""

    joint: str

    def __post_init__(self) -> None:
        super().__post_init__()
        if not isinstance(self.joint, str):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise self.wrong('it acts on a coordinate by name, as in "elbow"')

    @property
    def joints(self) -> Mapping[str, str]:
        """{field: name} of the coordinate it acts on."""
        return {"joint": self.joint}
