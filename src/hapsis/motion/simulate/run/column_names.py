"""The check that all columns of a result have names of their own."""

from collections import Counter

from hapsis.errors import ModelError
from hapsis.mechanics.formalisms.dynamics.reactions import carriers
from hapsis.mechanics.model.names import RESULT_NAMES, acceleration_name, drive_effort_name
from hapsis.motion.simulate.equations.system import System


def check_columns(system: System) -> None:
    """An error where two columns would have one name, before anything is computed."""
    model = system.model
    names = Counter(
        (
            *RESULT_NAMES,
            *model.coordinates,
            *model.speeds,
            *map(acceleration_name, model.speeds),
            *system.signal_names,
            *map(drive_effort_name, model.drives),
            *(f"{name}.reaction" for name in carriers(model)),
        )
    )
    name, count = names.most_common(1)[0]
    if count > 1:
        raise ModelError(
            f'{count} columns of the result would be called "{name[:60]}"', remedy="rename a fact"
        )
