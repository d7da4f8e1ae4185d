"""The verb `from_dh`: the Model of a Denavit-Hartenberg table."""

from collections.abc import Mapping
from typing import Any

from hapsis.compiler.ir.functions.verbs import verb
from hapsis.mechanics.model.bodies import Body
from hapsis.mechanics.model.fact import Fact
from hapsis.mechanics.model.frames import IDENTITY, AsFrame, Frame, composed, end_at
from hapsis.mechanics.model.joints.prismatic import Prismatic
from hapsis.mechanics.model.joints.revolute import Revolute
from hapsis.mechanics.model.model import Model
from hapsis.mechanics.model.shapes.solid_masses import computed
from hapsis.mechanics.model.values.values import AsVector, Value
from hapsis.motion.analysis.denavit_hartenberg.dh_rows import AsPair, DHTable, Rows


@verb
def from_dh(
    rows: Rows,
    *,
    base: AsFrame = IDENTITY,
    end: AsPair = (0.0, 0.0),
    gravity: AsVector | None = None,
    parameters: Mapping[str, float] | None = None,
) -> Model:
    """The Model of a serial chain by standard Denavit-Hartenberg parameters.

        rows        a DHTable, or a list of DHRow and (theta, d, a, alpha)
        base, end   as those of a DHTable; for rows that are none
        gravity     m/s², as of a Model; by default that of the table
        parameters  {name: number} for formulas in the rows

    The frame of each body is the frame of its row. The last body has a frame `end`.
    """
    table = rows if isinstance(rows, DHTable) else DHTable(rows, base, end)
    facts: list[Fact] = []
    carrier, place = "world", table.base
    for k, row in enumerate(table.rows):
        body, joint = str(row.body), str(row.joint)
        last = k == len(table.rows) - 1
        frames = {"end": Frame((0.0, 0.0, table.end[1]), (0.0, 0.0, table.end[0]))} if last else {}
        facts.append(Body(body, row.mass, row.com, row.inertia, frames))
        # before the joint Rz(theta) Tz(d), behind it Tx(a) Rx(alpha): all of them commute with it
        first = composed(place, Frame((0.0, 0.0, row.d), (0.0, 0.0, row.theta)))
        second = Frame((_minus(row.a), 0.0, 0.0), (_minus(row.alpha), 0.0, 0.0))
        kind: Any = Prismatic if row.prismatic else Revolute
        facts.append(kind(joint, end_at(carrier, first), end_at(body, second)))
        carrier, place = body, IDENTITY
    return Model(*facts, gravity=table.gravity if gravity is None else gravity, parameters=parameters)


def _minus(x: Value) -> Value:
    return -x if isinstance(x, float) else computed("-{x}", x=x)
