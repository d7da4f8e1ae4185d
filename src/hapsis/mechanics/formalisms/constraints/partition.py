"""Which speeds follow from which constraint rows."""

from typing import NamedTuple

from hapsis.mechanics.formalisms.constraints.row_names import position_rows
from hapsis.mechanics.model.model import Model


class Partition(NamedTuple):
    """The dependent speeds and the rows that determine them, both in the order of pivots.

    Position rows come before speed rows.
    """

    dependent: tuple[int, ...]
    rows: tuple[str, ...]

    def of_positions(self, model: Model) -> "Partition":
        """The part of it with position rows."""
        names = tuple(name for name in self.rows if name in position_rows(model))
        return Partition(self.dependent[: len(names)], names)
