"""What a formalism refuses before it begins: matrices that are too large, loops where it takes trees."""

from hapsis.errors import ModelError
from hapsis.mechanics.model.model import Model

MOST_ENTRIES = 1_000_000  # of a matrix; more would take minutes to write, and gigabytes


def check_open(model: Model) -> None:
    """Refuses loops, constraints and drives, for what is defined on trees alone."""
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
    """Refuses a matrix too large to be written out, before the work begins."""
    rows = len(model.speeds)
    if rows * columns > MOST_ENTRIES:
        raise ModelError(
            f"{what} of this model would have {rows} x {columns} entries",
            expected=f"at most {MOST_ENTRIES:,}",
            remedy="inverse_dynamics and forward_dynamics need no matrix",
        )
