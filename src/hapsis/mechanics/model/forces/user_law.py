"""Laws that forces take from users: a plain function will do."""

from numbers import Real
from typing import Any

from hapsis.compiler.ir.graph.expr import Expr
from hapsis.errors import ModelError
from hapsis.mechanics.model.fact import Fact
from hapsis.mechanics.model.laws import Law
from hapsis.mechanics.model.values.numbers import described


def law_of(x: Any, what: str, given: tuple[str, ...], where: str | None = None) -> Law:
    """The law, or that of a plain function; it must take as many inputs as `given` names."""
    if not callable(x):
        raise ModelError(f"{what} must be a function, not {described(x)}", where=where)
    try:
        law = x if isinstance(x, Law) else Law(x)
    except ModelError as error:
        raise ModelError(f"{what}: {error.what}", where=where) from None
    if len(law.inputs) != len(given):
        raise ModelError(
            f"{what} takes {len(law.inputs)} things ({', '.join(law.inputs) or 'none'})",
            where=where,
            expected=f"{len(given)}: {', '.join(given)}; all others need defaults",
        )
    return law


def one_number(fact: Fact, law: Law, result: Any) -> Any:
    """What a law gave, if it is one number or expression."""
    if not isinstance(result, Expr | Real):
        raise fact.wrong(f"{law.label} must give one number, not {described(result)}")
    return result
