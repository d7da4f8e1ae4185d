"""Frames, the world, and the ends by which facts name places on bodies."""

import math
from typing import Annotated, Any

from hapsis.compiler.ir.functions.verbs import verb
from hapsis.compiler.ir.graph.immutable import frozen
from hapsis.errors import ModelError
from hapsis.mechanics.model.values.formula import Formula
from hapsis.mechanics.model.values.numbers import described
from hapsis.mechanics.model.values.values import AsVector, Value, Vector, text, vector_of

ORIGIN: Vector = (0.0, 0.0, 0.0)
Matrix = list[list[float]]


@verb
@frozen
class Frame:
    """A position `at` (m) and an orientation `rpy` = (roll, pitch, yaw), rad: Rz(yaw) Ry(pitch) Rx(roll)."""

    at: AsVector = ORIGIN
    rpy: AsVector = ORIGIN

    def __post_init__(self) -> None:
        object.__setattr__(self, "at", vector_of(self.at, "frame: at"))
        object.__setattr__(self, "rpy", vector_of(self.rpy, "frame: rpy"))

    @staticmethod
    def of(x: Any, what: str = "a frame", where: str | None = None) -> "Frame":
        """A Frame, or the one at a plain (x, y, z)."""
        if isinstance(x, Frame):
            return x
        return Frame(vector_of(x, what, where))

    @property
    def formula(self) -> bool:
        """Whether any number of it is a formula."""
        return any(isinstance(v, Formula) for v in (*self.at, *self.rpy))


IDENTITY = Frame()

# annotations of fields that accept more types than they store: see Frame.of and End.of
AsFrame = Annotated[Any, "a Frame, or its origin"]
AsEnd = Annotated[Any, "a place on a body"]


@verb
@frozen
class End:
    """A place on a body: its origin, one of its frames by name, or a Frame relative to `body`.

    `body` may itself be written `body.frame`; the Model decides where the body's name ends.
    """

    body: str
    frame: str | Frame | AsVector | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.body, str):  # pyright: ignore
            raise ModelError(f"an end: body must be the name of a body, not {described(self.body)}")
        if self.frame is None or isinstance(self.frame, str | Frame):
            return
        try:
            object.__setattr__(self, "frame", Frame.of(self.frame, "an end: frame"))
        except ModelError as error:
            expected = "the name of a frame, a Frame or its origin (x, y, z)"
            raise ModelError(error.what, expected=expected) from None

    @staticmethod
    def of(x: Any, what: str = "an end", where: str | None = None) -> "End":
        """The End of a text, WORLD, an End or (name, frame)."""
        match x:
            case End():
                return x
            case World():
                return End("world")
            case str() if x:
                return End(x)
            case (str() as body, str() | None as frame) if body:
                return End(body, frame)
            case (str() as body, frame) if body:
                return End(body, Frame.of(frame, what, where))
        raise ModelError(
            f"{what} must be a place on a body, not {described(x)}",
            where=where,
            expected='"body", "body.frame", hs.WORLD, hs.WORLD.at(x, y, z) or ("body", frame)',
        )

    def __str__(self) -> str:
        return f"{self.body}.{self.frame}" if isinstance(self.frame, str) else self.body


class World:
    """The class of WORLD, the body that never moves."""

    def at(self, x: Any, y: Any, z: Any, rpy: Any = ORIGIN) -> End:
        """A place in the world."""
        return End("world", Frame((x, y, z), rpy))

    def plane(self, normal: Any = "z", at: Any = ORIGIN) -> Any:
        """The Surface of a plane of the world through a point; the side opposite to the normal is solid."""
        from hapsis.mechanics.model.shapes.shapes import Plane
        from hapsis.mechanics.model.shapes.surfaces import Surface

        return Surface(_world_place(at), Plane(normal))

    def heightfield(self, height: Any, start: Any = None, step: Any = None, at: Any = ORIGIN) -> Any:
        """The Surface z = height(x, y) of the world, by a function or by a grid; solid below."""
        from hapsis.mechanics.model.shapes.heightfield import Heightfield
        from hapsis.mechanics.model.shapes.surfaces import Surface

        return Surface(_world_place(at), Heightfield(height, start, step))

    def __repr__(self) -> str:
        return "WORLD"


WORLD = World()


def _world_place(at: Any) -> End:
    frame = Frame.of(at, "the place of a surface")
    return end_at("world", frame)


def end_at(body: str, frame: Frame) -> End:
    """The End at a frame of a body; without a frame where that is the identity."""
    return End(body, None if frame == IDENTITY else frame)


def composed(outer: Frame, inner: Frame) -> Frame:
    """The frame `inner`, given relative to `outer`, as a frame relative to outer's body."""
    if outer == IDENTITY:
        return inner
    if inner == IDENTITY:
        return outer
    turned = outer.rpy != ORIGIN
    if turned and any(isinstance(v, Formula) for v in outer.rpy):
        raise ModelError("a frame cannot be placed in one that a formula turns: use a Weld")
    R = rotation(outer.rpy)
    at = [_combined(outer.at[i], R[i], inner.at) for i in range(3)]
    if inner.rpy == ORIGIN or not turned:
        return Frame((at[0], at[1], at[2]), outer.rpy if turned else inner.rpy)
    if any(isinstance(v, Formula) for v in inner.rpy):
        raise ModelError("a frame that a formula turns cannot lie in a turned one: use a Weld")
    S = rotation(inner.rpy)
    product = [[sum(R[i][k] * S[k][j] for k in range(3)) for j in range(3)] for i in range(3)]
    return Frame((at[0], at[1], at[2]), angles(product))


def _combined(offset: Value, row: list[float], vector: Vector) -> Value:
    """offset + row · vector, as a number where all are numbers."""
    terms = [(r, v) for r, v in zip(row, vector, strict=True) if r and v != 0.0]
    if not any(isinstance(v, Formula) for v in (offset, *(v for _, v in terms))):
        return sum((r * v for r, v in terms), offset)  # pyright: ignore
    parts = [text(v) if r == 1.0 else f"{r!r} * {text(v)}" for r, v in terms]
    if offset != 0.0 or not parts:
        parts.insert(0, text(offset))
    return Formula(" + ".join(parts))


def rotation(rpy: Any) -> Matrix:
    """Rz(yaw) Ry(pitch) Rx(roll), row by row: transforms vectors from the frame's axes to its body's."""
    (cr, cp, cy), (sr, sp, sy) = map(math.cos, rpy), map(math.sin, rpy)
    return [
        [cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr],
        [sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr],
        [-sp, cp * sr, cp * cr],
    ]


def angles(R: Matrix) -> tuple[float, float, float]:
    """The roll, pitch and yaw of a rotation; exact to rounding also where pitch is ±pi/2."""
    yaw = math.atan2(R[1][0], R[0][0])
    c, s = math.cos(yaw), math.sin(yaw)
    # Rz(yaw)ᵀ R = Ry(pitch) Rx(roll), whose middle row is (0, cr, -sr)
    pitch = math.atan2(-R[2][0], c * R[0][0] + s * R[1][0])
    roll = math.atan2(s * R[0][2] - c * R[1][2], c * R[1][1] - s * R[0][1])
    return roll, pitch, yaw


def label(end: End, owner: str) -> str:
    """The name of an end's parameters: that of its frame, or the owner's where the frame has no name."""
    if isinstance(end.frame, Frame):
        return owner
    return end.body if end.frame is None else f"{end.body}.{end.frame}"
