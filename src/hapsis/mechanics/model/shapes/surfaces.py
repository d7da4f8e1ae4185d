"""Surfaces: shapes at ends, which contacts can use."""

from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

from hapsis.compiler.ir.functions.verbs import verb
from hapsis.compiler.ir.graph.immutable import frozen
from hapsis.errors import ModelError
from hapsis.mechanics.model.frames import IDENTITY, AsEnd, End, composed
from hapsis.mechanics.model.shapes.shapes import Plane, Shape
from hapsis.mechanics.model.values.numbers import described

if TYPE_CHECKING:
    from hapsis.mechanics.model.model import Model

AsSide = Annotated[Any, "an end, which is a point; a Surface; or (end, shape)"]


@verb
@frozen
class Surface:
    """A `shape` at the end `on`, for contacts; without a shape, all the shapes of the end's body."""

    on: AsEnd
    shape: Shape | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "on", End.of(self.on, "the place of a surface"))
        if self.shape is not None and not isinstance(self.shape, Shape):  # pyright: ignore
            raise ModelError(f"a surface has a shape such as hs.Sphere(0.1), not {described(self.shape)}")

    def __str__(self) -> str:
        return f"{self.shape.type_name} on {self.on}" if self.shape else f"{self.on}"


class Piece(NamedTuple):
    """One shape of a surface: the end at its frame, the shape (None for a point), and its name in signals."""

    end: End
    shape: Shape | None
    name: str

    @property
    def kind(self) -> str:
        """The kind of solid it is."""
        return self.shape.type_name if self.shape else "point"


def side_of(x: Any, what: str, where: str | None = None) -> End | Surface:
    """The side of a contact: an End, which is a point, or a Surface, also from (end, shape)."""
    if isinstance(x, Surface):
        return x
    if isinstance(x, tuple | list) and len(x) == 2 and isinstance(x[1], Shape):
        return Surface(End.of(x[0], what, where), x[1])
    try:
        return End.of(x, what, where)
    except ModelError as error:
        expected = f'{error.expected}, hs.Surface("body"), ("body", hs.Sphere(0.1)) or a plane'
        raise ModelError(error.what, where=where, expected=expected) from None


def pieces(model: "Model", side: End | Surface, name: str) -> list[Piece]:
    """The shapes of a side, each with the end at its frame; after the first, names get a number."""
    if isinstance(side, End):
        return [Piece(side, None, name)]
    if side.shape is not None:
        return [Piece(_placed(model, side.on, side.shape), side.shape, name)]
    body, _ = model.frame(side.on)
    owner = model.world if body == "world" else model.bodies[body]
    if not owner.shapes:
        raise ModelError(
            f'body "{body[:60]}" has no shapes to touch',
            remedy=f'give it some, or say one: ("{body[:60]}", hs.Sphere(0.1))',
        )
    return [
        Piece(_placed(model, End(body), shape), shape, f"{name}.{k}" if k else name)
        for k, shape in enumerate(owner.shapes)
    ]


def _placed(model: "Model", on: End, shape: Shape) -> End:
    """The end at the frame of a shape; for a plane, with z along the normal."""
    frame = composed(shape.at, shape.turn) if isinstance(shape, Plane) else shape.at
    if frame == IDENTITY:
        return on
    body, place = model.frame(on)
    return End(body, composed(place, frame))
