"""The verb `linearize`: a model near a state, as four matrices."""

from collections.abc import Mapping, Sequence
from typing import Any

from hapsis.compiler.ir.functions.verbs import verb
from hapsis.errors import ModelError
from hapsis.mechanics.model.model import Model
from hapsis.mechanics.model.model_warnings import tell_warnings
from hapsis.mechanics.model.values.numbers import real
from hapsis.motion.analysis.equilibrium.equilibrium import equilibrium
from hapsis.motion.analysis.linear.linearization import Linearization, LinearizationPoint

__all__ = ["Linearization", "linearize"]


@verb
def linearize(
    model: Model,
    at: Any = None,
    *,
    inputs: Sequence[str] | Mapping[str, float] = (),
    outputs: Sequence[str] = (),
    parameters: Mapping[str, float] | None = None,
    t: float = 0.0,
    independent: Sequence[str] | None = None,
) -> Linearization:
    """Small motions of a model about a state.

    at           a State, {name: value} to be assembled, or all coordinates; `hs.equilibrium(model)`
                 if not given
    inputs       efforts by coordinate, `A` or `A.effort`, and what drives take, `motor.position`;
                 {name: value} with what they are at the state
    outputs      names a Result has: coordinates, speeds, accelerations `A.a`, signals of forces,
                 efforts of drives, energies, reactions; and sensors
    parameters   {name: value} other than the model's own
    t            the time of drives, s
    independent  the coordinates that lead; the model's own or the best ones if not given
    """
    tell_warnings(model)
    if isinstance(inputs, str) or isinstance(outputs, str):
        raise ModelError("inputs and outputs are several names", remedy='("A",)')
    if at is None:
        values = inputs if isinstance(inputs, Mapping) else None
        at = equilibrium(model, inputs=values, parameters=parameters, t=t, stability=False)
    point = LinearizationPoint(model, at, inputs, parameters, real(t, "t"), independent, outputs)
    return point.linearization()
