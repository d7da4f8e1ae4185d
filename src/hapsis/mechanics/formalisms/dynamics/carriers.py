"""What has a reaction: the joints of a model, and its constraints between two ends."""

from typing import Any

from hapsis.errors import ModelError, check_known
from hapsis.mechanics.model.model import Model


def joining(model: Model) -> list[Any]:
    """The joints that close loops and the constraints that have ends."""
    facts: list[Any] = [*model.cuts, *model.constraints.values()]
    return [fact for fact in facts if fact.ends]


def carriers(model: Model) -> list[str]:
    """The names of all facts that have a reaction: joints in the order given, then constraints."""
    others = [fact.name for fact in joining(model) if fact.name not in model.joints]
    return [*model.joints, *others]


def check_carries(model: Model, name: Any) -> None:
    """Raises an error for a name that has no reaction."""
    names = carriers(model)
    if isinstance(name, str) and name in model.constraints and name not in names:
        raise ModelError(
            f'"{name}" acts on coordinates and carries no wrench',
            remedy="its multipliers in lam, times the slopes of its rows, are efforts",
        )
    check_known(name, names, "there is no joint {}")


def welds_of(model: Model, names: Any) -> frozenset[str]:
    """Those of the names that are welds of the tree."""
    requested = frozenset(names)
    welds = (b.joint.name for b in model.tree if not b.joint.steps)
    return frozenset(name for name in welds if name in requested)
