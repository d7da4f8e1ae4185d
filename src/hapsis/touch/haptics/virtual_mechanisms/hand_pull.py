"""The wrench of a hand on a mechanism as a force of its Model, whose numbers are parameters."""

from collections.abc import Sequence
from typing import Any

from hapsis.compiler.ir.functions.function import Function
from hapsis.errors import ModelError
from hapsis.mechanics.model.forces.wrench import Wrench
from hapsis.mechanics.model.model import Model
from hapsis.motion.simulate.equations.parameter_inputs import with_parameter_inputs

PULL = "hand"
SIX = tuple(f"{PULL}_{name}" for name in ("mx", "my", "mz", "fx", "fy", "fz"))  # names of its parameters


def pulled(model: Model, frame: str) -> Model:
    """The model with a wrench at a frame, in the axes of the world."""
    taken = {fact.name for fact in model.facts} | {*model.parameters}
    for name in (PULL, *SIX):
        if name in taken:
            raise ModelError(f'the mechanism has "{name}", as the pull of the hand would be called')
    more = {**model.parameters, **dict.fromkeys(SIX, 0.0)}
    return model.replace(parameters=more) + Wrench(PULL, frame, force=SIX[3:], moment=SIX[:3])


def open_to_pull(function: Function) -> tuple[Function, list[int]]:
    """The Function of such a model with the wrench as its input theta, and the numbers that theta takes."""
    used = [k for k, name in enumerate(SIX) if name in function.parameters]
    return with_parameter_inputs(function, [SIX[k] for k in used]), used


def theta_of(used: Sequence[int], wrench: Sequence[Any]) -> dict[str, Any]:
    """{theta: the numbers that it takes of a wrench}."""
    return {"theta": [wrench[k] for k in used]} if used else {}
