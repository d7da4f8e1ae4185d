"""Denavit-Hartenberg tables as data: their rows, and how they are printed."""

from collections.abc import Sequence
from typing import Annotated, Any

import numpy as np

from hapsis.compiler.ir.functions.verbs import verb
from hapsis.compiler.ir.graph.immutable import frozen
from hapsis.errors import ModelError, one_line
from hapsis.mechanics.model.frames import IDENTITY, ORIGIN, AsFrame, Frame
from hapsis.mechanics.model.model import GRAVITY
from hapsis.mechanics.model.values.moments import moments_of
from hapsis.mechanics.model.values.numbers import described
from hapsis.mechanics.model.values.values import (
    AsValue,
    AsVector,
    AsVectorOrNone,
    Value,
    length,
    value_of,
    values_of,
    vector_of,
)

Rows = Annotated[Any, "a DHTable, or its rows"]
AsPair = Annotated[Any, "two numbers or formulas"]
PARAMETERS = ("theta", "d", "a", "alpha")
ZERO = 5e-13  # what is printed as 0


@verb
@frozen
class DHRow:
    """One row of a DHTable: Rz(theta) Tz(d) Tx(a) Rx(alpha) takes the frame before it to its own frame.

    theta      rad, about the joint's axis, z of the frame before; a revolute joint adds its coordinate
    d          m, along that axis; a prismatic joint adds its coordinate
    a          m, along x of the own frame; may be negative
    alpha      rad, about x of the own frame
    prismatic  whether the joint is prismatic; else it is revolute
    joint      its name; q1, q2, ... where there is none
    body       the name of the body behind the joint; link1, link2, ...
    mass       of that body, kg
    com        its centre of mass in the own frame, m
    inertia    about the centre of mass in the axes of the own frame, as of a Body
    """

    theta: AsValue = 0.0
    d: AsValue = 0.0
    a: AsValue = 0.0
    alpha: AsValue = 0.0
    prismatic: bool = False
    joint: str | None = None
    body: str | None = None
    mass: AsValue = 0.0
    com: AsVector = ORIGIN
    inertia: AsVector = (0.0,) * 6

    def __post_init__(self) -> None:
        for name in (*PARAMETERS, "mass"):
            object.__setattr__(self, name, value_of(getattr(self, name), f"a row of a DH table: {name}"))
        object.__setattr__(self, "com", vector_of(self.com, "a row of a DH table: com"))
        object.__setattr__(self, "inertia", moments_of(self.inertia, "a row of a DH table: inertia"))


@verb
@frozen
class DHTable:
    """A serial chain by standard Denavit-Hartenberg parameters. `print(table)` shows it.

    rows     one DHRow for each joint, or (theta, d, a, alpha) of a revolute one
    base     frame 0, whose z is the first axis, on the body `on`
    end      (theta, d) of the last frame to the end of the chain: Rz(theta) Tz(d)
    on       the body that carries the chain
    error    by how much an axis misses its row: m, or rad where it is almost parallel to the one before
    gravity  m/s² in the world, of a chain that begins there; None: that of a Model
    """

    rows: Sequence[DHRow]
    base: AsFrame = IDENTITY
    end: AsPair = (0.0, 0.0)
    on: str = "world"
    error: float = 0.0
    gravity: AsVectorOrNone = None

    def __post_init__(self) -> None:
        if isinstance(self.rows, np.ndarray) and self.rows.ndim == 2:
            object.__setattr__(self, "rows", self.rows.tolist())
        if not isinstance(self.rows, Sequence) or isinstance(self.rows, str) or not self.rows:  # pyright: ignore
            raise ModelError(
                f"the rows of a DH table must be a list of at least one, not {described(self.rows)}",
                expected="hs.DHRow or (theta, d, a, alpha)",
            )
        object.__setattr__(self, "rows", tuple(_row(k, row) for k, row in enumerate(self.rows)))
        object.__setattr__(self, "base", Frame.of(self.base, "the base of a DH table"))
        object.__setattr__(self, "end", values_of(self.end, 2, "the end of a DH table"))
        if self.gravity is not None:
            object.__setattr__(self, "gravity", vector_of(self.gravity, "the gravity of a DH table"))

    def __str__(self) -> str:
        return table_text(self)


def _row(k: int, row: Any) -> DHRow:
    """A row that was given, with the names that it has where none are given."""
    if not isinstance(row, DHRow):
        if length(row) != 4:
            raise ModelError(
                f"row {k + 1} of a DH table must be an hs.DHRow or (theta, d, a, alpha), not {described(row)}"
            )
        row = DHRow(*row)
    joint, body = row.joint or f"q{k + 1}", row.body or f"link{k + 1}"
    return DHRow(
        row.theta, row.d, row.a, row.alpha, row.prismatic, joint, body, row.mass, row.com, row.inertia
    )


def table_text(table: DHTable) -> str:
    """The table as text: a line of titles, a line for each row, and where it begins and ends."""
    titles = ["joint", "kind", "theta rad", "d m", "a m", "alpha rad", "body", "mass kg", "centre of mass m"]
    lines = [[*titles, "inertia kg m² (xx yy zz xy xz yz)"]]
    for row in table.rows:
        numbers = [shown(getattr(row, name)) for name in PARAMETERS]
        numbers[1 if row.prismatic else 0] += " + q"
        kind = "prismatic" if row.prismatic else "revolute"
        inertia = [" ".join(map(shown, v)) for v in (row.com, row.inertia)]
        lines.append(
            [one_line(str(row.joint)), kind, *numbers, one_line(str(row.body)), shown(row.mass), *inertia]
        )
    widths = [max(len(line[k]) for line in lines) for k in range(len(titles) + 1)]
    text = [
        "  ".join(f"{cell:<{width}}" for cell, width in zip(line, widths, strict=True)).rstrip()
        for line in lines
    ]
    at, rpy = (" ".join(map(shown, v)) for v in (table.base.at, table.base.rpy))
    text.append(f"frame 0: on {one_line(table.on)} at {at} m, rpy {rpy} rad")
    text.append(f"end: from the last frame theta {shown(table.end[0])} rad, d {shown(table.end[1])} m")
    if table.gravity not in (None, GRAVITY):
        text.append(f"gravity: {' '.join(map(shown, table.gravity))} m/s² in the world")
    if table.error > ZERO:
        text.append(f"axes that are almost parallel miss their rows by {shown(table.error)} m or rad")
    return "\n".join(text)


def shown(x: Value) -> str:
    """A number with seven digits, or a formula."""
    if not isinstance(x, float):
        return str(x)
    return "0" if abs(x) < ZERO else f"{x:.7g}"
