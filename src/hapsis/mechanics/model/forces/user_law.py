"""Laws given by the user: functions checked and wrapped as `Law`, and the check of their result."""

from numbers import Real
from typing import Any

from hapsis.compiler.ir.graph.expr import Expr
from hapsis.errors import ModelError
from hapsis.mechanics.model.fact import Fact
from hapsis.mechanics.model.laws import Law, with_readings
from hapsis.mechanics.model.values.numbers import described


def law_of(x: Any, what: str, inputs: tuple[str, ...], where: str | None = None, reads: bool = True) -> Law:
    """The law, or a plain function as a law; it must take as many inputs as `inputs` names.

    reads    whether it may have a parameter `s` besides them, which gets the readings
    """
    if not callable(x):
        raise ModelError(f"{what} must be a function, not {described(x)}", where=where)
    try:
        law = x if isinstance(x, Law) else Law(x)
    except ModelError as error:
        raise ModelError(f"{what}: {error.what}", where=where) from None
    law = with_readings(law, inputs) if reads else law
    if len(law.inputs) != len(inputs):
        raise ModelError(
            f"{what} takes {len(law.inputs)} inputs ({', '.join(law.inputs) or 'none'})",
            where=where,
            expected=f"{len(inputs)}: {', '.join(inputs)}; all others need defaults",
        )
    return law


def one_number(fact: Fact, law: Law, result: Any) -> Any:
    """The result of a law, checked to be one number or expression."""
    if not isinstance(result, Expr | Real):
        raise fact.wrong(f"{law.label} must give one number, not {described(result)}")
    return result
