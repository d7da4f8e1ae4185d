"""Connectors of particles: linear, torsion and joint spring/dampers, in tables and one by one."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from hapsis.compiler.ir.functions.verbs import verb
from hapsis.compiler.ir.graph.immutable import Immutable, frozen
from hapsis.errors import ModelError
from hapsis.mechanics.model.values.numbers import real

Array = np.ndarray[Any, Any]
ROUND = np.pi * (1.0 + 1e-9)
COLUMNS = ("rest", "stiffness", "damping", "plastic", "breaking")
KINDS = {2: "spring", 3: "torsion", 4: "joint"}


@verb
@dataclass(frozen=True, eq=False)
class Connectors(Immutable):
    """Connectors of one kind, each a row.

    ends       (m, 2) of linear springs, (m, 3) end, centre, end of torsion springs, (m, 4) of joint springs,
               whose last particle tells the positive side of the plane; numbers of particles
    rest       (m,) m or rad
    stiffness  (m,) N/m or N m/rad
    damping    (m,) N s/m or N m s/rad
    plastic    (m,) strain beyond which a linear spring flows; 0: never
    breaking   (m,) strain beyond which it is torn; 0: never
    """

    ends: Array
    rest: Array
    stiffness: Array
    damping: Array
    plastic: Array
    breaking: Array

    def __post_init__(self) -> None:
        rows = _whole_rows(self.ends)
        full = {name: _column(getattr(self, name), len(rows), name) for name in COLUMNS}
        for array in (rows, *full.values()):
            array.flags.writeable = False
        self.__dict__.update(full, ends=rows)

    @staticmethod
    def of(
        ends: Any,
        rest: Any,
        stiffness: Any,
        damping: Any = 0.0,
        plastic: Any = 0.0,
        breaking: Any = 0.0,
        *,
        width: int = 2,
    ) -> "Connectors":
        """The table; one number stands for all rows."""
        rows = _whole_rows(ends, width)
        return Connectors(rows, rest, stiffness, damping, plastic, breaking)

    @staticmethod
    def none(width: int) -> "Connectors":
        """No connectors of this kind."""
        return Connectors.of(np.zeros((0, width)), 0.0, 0.0, width=width)

    def __len__(self) -> int:
        return len(self.rest)

    def checked(self, count: int, where: str) -> None:
        """An error if an end is no particle, or a number is impossible."""
        kind = KINDS[self.ends.shape[1]]
        if len(self):
            check_rest(kind, float(self.rest.min()), where)
            check_rest(kind, float(self.rest.max()), where)
        if kind != "spring" and (self.plastic.any() or self.breaking.any()):
            raise ModelError(f"a {kind} has no plastic and no breaking: springs flow and tear", where=where)
        if self.ends.size and not (0 <= self.ends.min() and self.ends.max() < count):
            raise ModelError(f"a {kind} ends at a particle that is not there, of {count}", where=where)
        ordered = np.sort(self.ends, axis=1)
        if len(self) and (ordered[:, 1:] == ordered[:, :-1]).any():
            raise ModelError(f"a {kind} connects a particle with itself", where=where)
        for name in ("stiffness", "damping", "plastic", "breaking"):
            values = getattr(self, name)
            if not (np.isfinite(values).all() and (values >= 0.0).all()):
                raise ModelError(f"{name} of a {kind} must be finite and not negative", where=where)
        if not np.isfinite(self.rest).all():
            raise ModelError(f"the rest value of a {kind} must be finite", where=where)

    def scaled(self, stiffness: float = 1.0, damping: float = 1.0) -> "Connectors":
        """The same connectors, stiffer and more damped by these factors."""
        values = (self.rest, self.stiffness * stiffness, self.damping * damping, self.plastic, self.breaking)
        return Connectors.of(self.ends, *values, width=self.ends.shape[1])

    def shifted(self, first: int) -> "Connectors":
        """The same connectors of particles whose numbers begin with `first`."""
        values = (self.rest, self.stiffness, self.damping, self.plastic, self.breaking)
        return Connectors.of(self.ends + first, *values, width=self.ends.shape[1])


def check_rest(kind: str, rest: float, where: str) -> None:
    """An error for a length or an angle that a connector cannot have at rest."""
    if kind == "spring" and rest < 0.0:
        raise ModelError(f"the rest length of a spring is {rest:g} m", where=where)
    if kind == "torsion" and not 0.0 <= rest <= ROUND:
        raise ModelError("the rest value of a torsion spring is an angle from 0 to π rad", where=where)
    if kind == "joint" and not abs(rest) <= 2.0 * ROUND:
        raise ModelError("the rest value of a joint spring is an angle within one turn, rad", where=where)


def _whole_rows(ends: Any, width: int | None = None) -> Array:
    """Numbers of particles in rows: of this width, or of one that there is."""
    try:
        rows = np.array(ends)
    except ValueError:
        rows = np.array("x")
    own = rows.shape[1] if rows.ndim == 2 else 0
    if rows.size == 0:
        return np.zeros((0, width or (own if own in KINDS else 2)), np.int64)
    good = rows.dtype.kind in "iuf" and (own == width if width else own in KINDS)
    if not good or (rows % 1 != 0).any():
        raise ModelError(f"ends of connectors must be rows of {width or '2, 3 or 4'} numbers of particles")
    return rows.astype(np.int64)


def _column(values: Any, count: int, name: str) -> Array:
    """One number of each connector."""
    try:
        column = np.array(values)
        if column.dtype.kind in "iuf":
            return np.broadcast_to(column.astype(float), (count,)).copy()
    except ValueError:
        pass
    raise ModelError(f"{name} of connectors must be a number, or {count} of them")


@frozen
class Connector:
    """The base of single connectors between particles of a scene, named OBJECT.NUMBER."""

    name: str
    stiffness: float
    damping: float = 0.0
    rest: float | None = None
    on: bool = True

    def __post_init__(self) -> None:
        if not isinstance(self.name, str) or not self.name:  # pyright: ignore[reportUnnecessaryIsInstance]
            raise ModelError("a connector needs a name")
        for field in ("stiffness", "damping"):
            value = real(getattr(self, field), f'connector "{self.name[:60]}": {field}')
            if value < 0.0:
                raise ModelError(
                    f'connector "{self.name[:60]}": {field} is {value:g}, and must not be negative'
                )
            object.__setattr__(self, field, value)
        if self.rest is not None:
            where = f'connector "{self.name[:60]}"'
            object.__setattr__(self, "rest", real(self.rest, f"{where}: rest"))
            check_rest(KINDS[len(self.ends)], float(self.rest), where)

    @property
    def ends(self) -> tuple[str, ...]:
        """The particles, in the order of a row of `Connectors`."""
        raise NotImplementedError


@verb
@frozen
class LinearSpring(Connector):
    """A linear spring/damper (LS) between two particles; its rest length is their distance if not given.

    name           of the connector, by which a scene switches it on and off
    stiffness      N/m
    damping        N s/m
    rest           length, m
    on             whether it acts
    first, second  particles, OBJECT.NUMBER
    """

    first: str = ""
    second: str = ""

    @property
    def ends(self) -> tuple[str, ...]:
        """Both particles."""
        return self.first, self.second


class Pin(LinearSpring):
    """A LinearSpring of a revolute joint: its particles are in one place at the start."""


@verb
@frozen
class TorsionSpring(Connector):
    """A torsion spring/damper (TS): the angle at `center` between two particles, from 0 to π.

    name       of the connector, by which a scene switches it on and off
    stiffness  N m/rad
    damping    N m s/rad
    rest       angle, rad; that at the start if not given
    on         whether it acts
    first, center, second  particles, OBJECT.NUMBER
    """

    first: str = ""
    center: str = ""
    second: str = ""

    @property
    def ends(self) -> tuple[str, ...]:
        """End, centre, end."""
        return self.first, self.center, self.second


class Slide(TorsionSpring):
    """A TorsionSpring of a prismatic joint: its centre slides between both ends."""


@verb
@frozen
class JointSpring(Connector):
    """A joint spring/damper (JS): the angle at `center` from the first particle to the second, about the axis
    that points to `side`; it goes all around.

    name       of the connector, by which a scene switches it on and off
    stiffness  N m/rad
    damping    N m s/rad
    rest       angle, rad; that at the start if not given
    on         whether it acts
    first, center, second, side  particles, OBJECT.NUMBER
    """

    first: str = ""
    center: str = ""
    second: str = ""
    side: str = ""

    @property
    def ends(self) -> tuple[str, ...]:
        """End, centre, end, side."""
        return self.first, self.center, self.second, self.side
