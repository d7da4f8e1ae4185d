"""The names of constraint rows: known from an earlier process, or from the rows, which then are written."""

from hapsis.mechanics.model.derived import derived
from hapsis.mechanics.model.model import Model
from hapsis.mechanics.model.store.kept import kept_data


def constraint_names(model: Model) -> tuple[str, ...]:
    """The names of the rows, FACT.ROW."""
    return (*position_rows(model), *_row_names(model)[1])


def position_rows(model: Model) -> tuple[str, ...]:
    """The names of the position rows, which come first in `constraint_names`."""
    return _row_names(model)[0]


def _row_names(model: Model) -> tuple[tuple[str, ...], tuple[str, ...]]:
    def names() -> tuple[list[str], list[str]]:
        from hapsis.mechanics.formalisms.constraints.constraint_rows import rows_of
        from hapsis.mechanics.formalisms.tree.posed_tree import posed_tree

        rows = rows_of(posed_tree(model))
        return list(rows.values), list(rows.speeds)

    def make() -> tuple[tuple[str, ...], tuple[str, ...]]:
        positions, speeds = kept_data(model, "rows", names)
        return tuple(positions), tuple(speeds)

    return derived(model, constraint_names, make)
