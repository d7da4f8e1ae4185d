"""Checks of the numbers of facts: that formulas have a value and numbers are in their range."""

from typing import TYPE_CHECKING, Any

from hapsis.errors import ModelError
from hapsis.mechanics.model.checks.problems import Problems
from hapsis.mechanics.model.fact import Fact, formulas
from hapsis.mechanics.model.joints.joint import Joint
from hapsis.mechanics.model.shapes.shapes import Shape
from hapsis.mechanics.model.structure.frame_lookup import MOST_HINTS
from hapsis.mechanics.model.values.formula import TIME, Formula

if TYPE_CHECKING:
    from hapsis.mechanics.model.model import Model


def sound(fact: Fact, model: "Model", problems: Problems) -> bool:
    """Whether all formulas of a fact have a value; adds a problem for each that has none."""
    all_known = True
    for formula in formulas(fact):
        time = {TIME} if fact.of_time else set()
        unknown = sorted(formula.names - set(model.parameters) - time)
        for name in unknown:
            known = model.parameters if len(problems.found) < MOST_HINTS else {}
            problems.add(f"{fact.label}: {formula.missing(name, known)}", fact.where)
        if not unknown and TIME not in formula.names:
            try:
                model.value(formula)
                continue
            except ModelError as error:
                problems.add(f"{fact.label}: {error.what}", fact.where)
        all_known = all_known and not unknown and TIME in formula.names
    return all_known


def check_ranges(fact: Fact | Shape, label: str, model: "Model", problems: Problems) -> None:
    """Adds every number of a fact, of its shapes and of its laws that is out of its range."""
    for field in fact.not_negative:
        number = getattr(fact, field)
        if number is None or (number.__class__ is float and number >= 0.0):
            continue
        for value in number if isinstance(number, tuple) else (number,):
            if model.value(value) < 0.0:
                problems.impossible(
                    f"{label}: {field} is {model.value(value):g}; it cannot be negative", fact.where
                )
    if isinstance(fact, Shape):
        return
    for field in fact.positive:
        number: Any = getattr(fact, field)
        for part in number if isinstance(number, tuple) else (number,):
            if part is not None and not (value := _at_start(part, model)) > 0.0:
                problems.impossible(f"{label}: {field} is {value:g}; it must be positive", fact.where)
    for shape in getattr(fact, "shapes", ()):
        check_ranges(shape, f"{label}: {shape.label}", model, problems)
    for law in getattr(fact, "laws", ()):
        check_ranges(law, f"{label}: {law.label}", model, problems)


def _at_start(x: Any, model: "Model") -> float:
    """A number of a fact; where it depends on time, its value at t = 0."""
    if callable(x):
        x = x(0.0)
    elif isinstance(x, Formula) and TIME in x.names:
        x = x.value({**model.parameters, TIME: 0.0})
    return model.value(x)


def check_limits(fact: Fact, model: "Model", problems: Problems) -> None:
    """Adds the limits of a joint whose lower one is above the upper one."""
    if not isinstance(fact, Joint) or fact.limits is None:
        return
    for name, (low, high) in fact.bounds.items():
        if low is not None and high is not None and model.value(low) > model.value(high):
            problems.add(
                f'{fact.label}: limits of "{name[:60]}" are {model.value(low):g} and '
                f"{model.value(high):g}; the lower one must come first",
                fact.where,
            )
