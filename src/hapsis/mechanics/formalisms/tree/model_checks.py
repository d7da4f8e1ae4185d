"""Checks of a model before a formalism starts: too large matrices, and loops where only trees are allowed."""

from hapsis.errors import ModelError
from hapsis.mechanics.model.model import Model

MOST_ENTRIES = 1_000_000  # of a matrix; more would take minutes to write, and gigabytes


def check_open(model: Model) -> None:
    """Raises an error for loops, constraints and drives, in functions defined for trees only."""
    for kind, facts in (
        ("closes a loop", [joint.name for joint in model.cuts]),
        ("is a constraint", model.constraints),
        ("is a drive", model.drives),
    ):
        for name in facts:
            raise ModelError(
                f'"{name}" {kind}, and this is available for trees alone',
                remedy="leave it out of the model to get that of the tree",
            )


def check_size(model: Model, columns: int, what: str) -> None:
    """Raises an error for a matrix that is too large to be written out."""
    rows = len(model.speeds)
    if rows * columns > MOST_ENTRIES:
        raise ModelError(
            f"{what} of this model would have {rows} x {columns} entries",
            expected=f"at most {MOST_ENTRIES:,}",
            remedy="inverse_dynamics and forward_dynamics need no matrix",
        )
