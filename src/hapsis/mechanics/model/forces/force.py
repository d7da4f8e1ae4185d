"""The base of all forces, and the scene they act on.

A force says what it does in `act(scene)`, once, while the equations are written: it asks the scene
for expressions (where a place is, how fast a coordinate moves, its own numbers) and gives back
pushes and efforts. So a new kind of force is one new file, and everything made from a model has it.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

from hapsis.mechanics.algebra.rotations import Rows
from hapsis.mechanics.algebra.vectors import Vector
from hapsis.mechanics.model.fact import Fact


class Spot(NamedTuple):
    """A place of a body: origin p, axes R (columns), velocity u, angular velocity w; world axes."""

    link: int
    R: Rows
    p: Vector
    w: Vector
    u: Vector


class Scene(Protocol):
    """What a force may ask and do. Names are its own: `scene.signal("force", x)` is NAME.force."""

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
        """The same where the numbers may be formulas of t, or the field a function of t."""
        ...

    def limits(self, coordinate: str) -> tuple[Any, Any]:
        """The lower and upper limit of a coordinate; None where it has none."""
        ...

    def spot(self, field: str) -> Spot:
        """The end of that field."""
        ...

    def coordinate(self, name: str) -> tuple[Any, Any]:
        """A coordinate and its speed."""
        ...

    def push(self, spot: Spot, force: Vector, moment: Vector | None = None) -> None:
        """Acts on a body at a spot; in the world's axes."""
        ...

    def between(self) -> tuple[Vector, Vector]:
        """The way from the end `first` to `second` and its rate, in axes that `pull` knows."""
        ...

    def pull(self, force: Vector, power: Any) -> None:
        """Acts on `first`, and against it on `second`, giving that power; axes of `between`."""
        ...

    def effort(self, coordinate: str, value: Any) -> None:
        """Acts along a coordinate."""
        ...

    def signal(self, name: str, value: Any) -> None:
        """Something worth recording."""
        ...

    def store(self, energy: Any, loss: Any) -> None:
        """The energy it holds, and the power it takes for good; without it all its work counts."""
        ...

    def obey(self, law: Any, *inputs: Any) -> Any:
        """What a law gives for these inputs; its numbers and states are the fact's."""
        ...

    def state(self, name: str, start: float) -> Any:
        """A state of its own."""
        ...

    def rate(self, name: str, value: Any) -> None:
        """How that state changes."""
        ...

    def held(self, name: str) -> Any:
        """A number that is given from outside and held between samples."""
        ...

    def reading(self, name: str) -> Any:
        """A coordinate or speed by its full name."""
        ...


@dataclass(frozen=True)
class Force(Fact, ABC, noun="force", family="forces"):
    """Something that pushes."""

    @abstractmethod
    def act(self, scene: Scene) -> None:
        """Writes what it does."""


@dataclass(frozen=True)
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
