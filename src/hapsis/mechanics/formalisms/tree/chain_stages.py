"""The stages of a chain of links (see `chains`): groups of turns about one axis, and what is between them.

The writer carries along one fixed rotation F, which all that is written has still before it:

    F x + d = F (x + Fᵀ d)        Z(θ) F x = F Z(±θ) x  where F keeps the axis z, or reverses it

Only where the next axis is not parallel F becomes a stage, X(b) Z(c), and Z(a) is carried on.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

from hapsis.mechanics.algebra.rotations import Matrix, Rotation, Rows, Turn, cosine_sine, transposed, zxz
from hapsis.mechanics.algebra.vectors import Vector, add, neg
from hapsis.mechanics.formalisms.tree.links import IDENTITY, Links, Place, numeric, rotated
from hapsis.mechanics.formalisms.tree.tree import is_zero

PARALLEL = 1e-14  # the sine of a smaller angle between two axes is rounding


class Turning(NamedTuple):
    """A turn about z by ± a coordinate and a number."""

    q: int
    v: int
    sign: int
    offset: float
    inwards: bool


class Slide(NamedTuple):
    """A translation by a coordinate times n."""

    n: Vector
    q: int
    v: int


class Piece(NamedTuple):
    """What is added to a point: a constant d, and translations."""

    d: Vector
    slides: tuple[Slide, ...] = ()

    def place(self, q: Any) -> Vector:
        """d + Σ q n."""
        return self._with(self.d, q, "q")

    def rate(self, zero: Vector, v: Any) -> Vector:
        """Σ q̇ n."""
        return self._with(zero, v, "v")

    def _with(self, total: Vector, values: Any, slot: str) -> Vector:
        for slide in self.slides:
            x = values[getattr(slide, slot)]
            total = add(total, (x * slide.n[0], x * slide.n[1], x * slide.n[2]))
        return total


class Group(NamedTuple):
    """Turns about the axis z and pieces between them, in the order in which they apply."""

    items: tuple[Turning | Piece, ...]

    @property
    def crosses(self) -> bool:
        """Whether it has turns of the way in and of the way out."""
        return len({item.inwards for item in self.items if isinstance(item, Turning)}) == 2


class Fixed(NamedTuple):
    """A constant rotation."""

    rotation: Rotation


class Whole(NamedTuple):
    """A link of a ball or free joint, on the way in or out."""

    link: int
    inwards: bool


Stage = Group | Fixed | Whole


def written_stages(
    links: Links, there: Sequence[int], here: Sequence[int], seen_from: Place, crossing: bool
) -> tuple[list[Stage], tuple[int, int]]:
    """The stages through the links of the way in and of the way out, and where the way in ends.

    Without crossing no group has turns of both ways: constants alone cross.
    """
    writer = _Writer(links)
    for i in there:
        writer.inwards(i)
    inner = writer.turn_back(crossing)
    for i in reversed(here):
        writer.outwards(i)
    writer.shift(neg(seen_from.p))
    writer.turn(transposed(seen_from.R))
    writer.flush()
    return writer.stages, inner


class _Writer:
    """Writes the stages; F is the fixed rotation that all later ones have still before them."""

    def __init__(self, links: Links) -> None:
        self.links = links
        self.stages: list[Stage] = []
        self.items: list[Turning | Piece] = []
        self.F: Rows = IDENTITY
        self.full = False  # the open group takes constants only

    def inwards(self, i: int) -> None:
        """From the frame of a link to its parent's."""
        link = self.links[i]
        if link.kind in ("ball", "free"):
            self.flush()
            self.stages.append(Whole(i, True))
            return
        self._move(i, 1)
        self.turn(link.R)
        self.shift(link.p)

    def outwards(self, i: int) -> None:
        """From the frame of a link's parent to its own."""
        link = self.links[i]
        if link.kind in ("ball", "free"):
            self.flush()
            self.stages.append(Whole(i, False))
            return
        self.shift(neg(link.p))
        self.turn(transposed(link.R))
        self._move(i, -1)

    def shift(self, d: Vector) -> None:
        """Adds a constant."""
        if not all(map(is_zero, d)):
            self._add(Piece(self._before(d)))

    def turn(self, R: Rows) -> None:
        """A constant rotation."""
        if numeric(R):
            self.F = rotated(R, self.F)
        else:
            self.flush()
            self.stages.append(Fixed((Matrix(R),)))

    def close(self) -> None:
        """Ends the group."""
        if self.items:
            self.stages.append(Group(_gathered(self.items, self.links.zero)))
        self.items, self.full = [], False

    def flush(self) -> None:
        """Ends the group, and writes the fixed rotation."""
        self._emit(zxz(self.F))
        self.F = IDENTITY

    def turn_back(self, crossing: bool) -> tuple[int, int]:
        """Ends the way in: the number of its stages, and of its turns with which the next one begins."""
        leading = 0
        while leading < len(self.items) and isinstance(self.items[leading], Turning):
            leading += 1
        if crossing or not any(isinstance(item, Turning) for item in self.items):
            return len(self.stages), leading
        self.full = True
        return len(self.stages) + 1, 0

    def _move(self, i: int, sign: int) -> None:
        """The motion of a joint along and about its axis."""
        link, links = self.links[i], self.links
        if link.kind in ("R", "H"):
            x, y = self.F[0][2], self.F[1][2]
            if max(abs(x), abs(y)) > PARALLEL:
                a, b, c = zxz(self.F)
                self._emit((0.0, b, c))
                cosine, sine = cosine_sine(a)
                self.F = (cosine, -sine, 0.0), (sine, cosine, 0.0), (0.0, 0.0, 1.0)
            if self.full:
                self.close()
            side = sign if self.F[2][2] > 0 else -sign
            self.items.append(Turning(link.q[0], link.v[0], side, side * link.offset, sign > 0))
        if link.kind in ("P", "H"):
            rise = links.one if link.kind == "P" else link.pitch
            n = self._before((links.zero, links.zero, rise if sign > 0 else -rise))
            self._add(Piece(links.zero3, (Slide(n, link.q[0], link.v[0]),)))

    def _before(self, d: Vector) -> Vector:
        """Fᵀ d."""
        if self.F == IDENTITY:
            return d
        return tuple(map(self.links.constant, Matrix(transposed(self.F)).up(d)))

    def _add(self, piece: Piece) -> None:
        if self.full and piece.slides:
            self.close()
        last = self.items[-1] if self.items else None
        if isinstance(last, Piece):
            self.items[-1] = Piece(add(last.d, piece.d), last.slides + piece.slides)
        else:
            self.items.append(piece)

    def _emit(self, angles: tuple[float, float, float]) -> None:
        self.close()
        factors: list[Turn] = []
        dense = 0  # factors that cost operations; three cost more than a matrix
        for axis, angle in zip((2, 0, 2), angles, strict=True):
            c, s = cosine_sine(angle)
            dense += 0.0 not in (c, s)
            if (c, s) != (1.0, 0.0):
                factors.append(Turn(axis, self.links.constant(c), self.links.constant(s)))
        if dense == 3:
            self.stages.append(Fixed((Matrix(self.F),)))
        elif factors:
            self.stages.append(Fixed(tuple(factors)))


def started(p: Vector, stages: Sequence[Stage]) -> tuple[Vector, tuple[Stage, ...]]:
    """The place of a point with the first constant, as far as no turn changes it, and the stages without."""
    if not stages or not isinstance(stages[0], Group):
        return p, tuple(stages)
    items = stages[0].items
    for k, item in enumerate(items):
        if isinstance(item, Piece):
            x, y, z = item.d
            zero = 0.0 * z
            moved, left = ((zero, zero, z), (x, y, zero)) if k else ((x, y, z), (zero, zero, zero))
            kept = (Piece(left, item.slides),) if item.slides or not all(map(is_zero, left)) else ()
            return add(p, moved), (Group((*items[:k], *kept, *items[k + 1 :])), *stages[1:])
    return p, tuple(stages)


def _gathered(items: Sequence[Turning | Piece], zero: Any) -> tuple[Turning | Piece, ...]:
    """The items, with all constants along the axis in the first piece: no turn changes them."""
    pieces = [item for item in items if isinstance(item, Piece)]
    if len(pieces) < 2:
        return tuple(items)
    height = pieces[0].d[2]
    for piece in pieces[1:]:
        height = height + piece.d[2]
    result: list[Turning | Piece] = []
    for item in items:
        if isinstance(item, Piece):
            item = Piece((item.d[0], item.d[1], height), item.slides)
            height = zero
        result.append(item)
    return tuple(result)
