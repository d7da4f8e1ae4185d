"""Which of many runs have numbers that no Model may have, as a negative mass."""

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from hapsis.errors import Error
from hapsis.mechanics.model.checks.changed_values import parameter_values
from hapsis.mechanics.model.model import Model

Array = np.ndarray[Any, np.dtype[np.float64]]


def impossible_runs(
    model: Model, fixed: Mapping[str, float], varied: Mapping[str, Array], count: int
) -> dict[int, Error]:
    """{number of a run: the error of its parameters}.

    What is allowed of one number is an interval, given all others of its fact. So where each fact has
    one number that varies, its least and largest value show whether all are possible. Where a fact has
    several, or formulas of the model read them, every run is examined.

    fixed    {name: value} of parameters that are the same in all runs
    varied   {name: one value for each run}
    """
    if all(_extremes_possible(model, fixed, group, varied) for group in _groups(model, varied)):
        return {}
    errors: dict[int, Error] = {}
    for k in range(count):
        try:
            parameter_values(model, {**fixed, **{name: float(x[k]) for name, x in varied.items()}})
        except Error as error:
            errors[k] = error
    return errors


def _groups(model: Model, names: Iterable[str]) -> list[list[str]]:
    """The names by their facts; all in one group where a formula may read one of them."""
    listed = list(names)
    if any(name in model.parameters for name in listed):
        return [listed]
    groups: dict[str, list[str]] = {}
    facts = sorted((fact.name for fact in model.facts), key=len, reverse=True)
    for name in listed:
        owner = next((fact for fact in facts if name.startswith(f"{fact}.")), name)
        groups.setdefault(owner, []).append(name)
    return list(groups.values())


def _extremes_possible(
    model: Model, fixed: Mapping[str, float], group: list[str], varied: Mapping[str, Array]
) -> bool:
    if len(group) > 1 or group[0] in model.parameters:
        return False  # every run must be examined
    [name] = group
    try:
        for extreme in (varied[name].min(), varied[name].max()):
            parameter_values(model, {**fixed, name: float(extreme)})
    except Error:
        return False
    return True
