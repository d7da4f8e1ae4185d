"""Bodies that a swap exchanges: each must have an equal partner."""

from typing import Any

from hapsis.errors import ModelError
from hapsis.mechanics.model.model import Model
from hapsis.motion.hybrid.actions import Swap

SAME = 1e-12  # relative: bodies that differ by more are not equal


def check_partners(model: Model, swap: Swap, what: str = "swap") -> None:
    """Refuses a swap that names no body, or bodies that are not equal; `what` it is called."""
    pairs = [(name, swap.renamed(name)) for name in model.bodies if swap.renamed(name) != name]
    if not pairs:
        raise ModelError(
            f'{what}: no name of a body contains "{swap.first[:60]}" or "{swap.second[:60]}" as a word'
        )
    for name, other in pairs:
        if other not in model.bodies:
            raise ModelError(f'{what}: body "{name[:60]}" has no partner "{other[:60]}"')
        mine, its = (_numbers(model, model.bodies[n]) for n in (name, other))
        for field in mine.keys() | its.keys():
            if not _same(mine.get(field), its.get(field)):
                raise ModelError(
                    f'{what}: bodies "{name[:60]}" and "{other[:60]}" differ in {field[:60]}',
                    expected="equal bodies: a swap only exchanges their names",
                )


def _numbers(model: Model, body: Any) -> dict[str, list[float]]:
    fields = {"mass": [body.mass], "com": list(body.com), "inertia": list(body.inertia)}
    fields |= {f'frame "{n}"': [*frame.at, *frame.rpy] for n, frame in body.frames.items()}
    return {name: [model.value(x) for x in values] for name, values in fields.items()}


def _same(a: list[float] | None, b: list[float] | None) -> bool:
    if a is None or b is None or len(a) != len(b):
        return False
    scale = max((abs(x) for x in (*a, *b)), default=0.0)
    return all(abs(x - y) <= SAME * scale for x, y in zip(a, b, strict=True))
