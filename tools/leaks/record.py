"""A record of all that would be kept on disk for a model: every Function is written anew."""

import random
import sys
import warnings
from collections.abc import Callable
from typing import Any

import hapsis as hs
from hapsis.mechanics.model.store import kept as store
from hapsis.mechanics.model.store.model_key import model_key

QUICK = ("inverse_dynamics", "energy")
LOOPS = ("constraints", "reduced_dynamics")
OTHERS = (
    "forward_dynamics",
    "mass_matrix",
    "measurements",
    "regressor",
    "bias",
    "center_of_mass",
    "momentum",
)
OTHERS += ("coordinate_rates", "reactions", "derivatives")
AT_FRAMES = ("pose", "velocity", "acceleration", "jacobian", "jacobian_rate")
SOME = 3  # other verbs, asked for each structure


class Recorder:
    """In the place of `kept`, `kept_data` and `kept_of`: writes everything and says what it was."""

    def __init__(self) -> None:
        self.report: dict[str, Any] = {}
        self.wrong: list[str] = []
        self.others = {store.kept: self.kept, store.kept_data: self.kept_data, store.kept_of: self.kept_of}

    def __enter__(self) -> "Recorder":
        _exchange(self.others)
        return self

    def __exit__(self, *_: object) -> None:
        _exchange({other: own for own, other in self.others.items()})

    def kept(self, model: Any, key: Any, write: Callable[[], Any]) -> Any:
        """The Function, written; its digest, ports and parameters are recorded."""
        function, own = self.written(repr(key), write), model_key(model)
        if function is None:
            self.report[repr(key)] = None
        elif own is not None:
            known = all(own.numbers.get(n) == x for n, x in function.parameters.items())
            ports = [(p.name, p.shape) for p in (*function.inputs, *function.outputs)]
            self.report[repr(key)] = function.digest.hex(), ports, tuple(function.parameters), known
        return function

    def kept_data(self, model: Any, key: Any, make: Callable[[], Any], by_values: bool = False) -> Any:
        """The data, made."""
        data = self.written(f"data {key!r}", make)
        if not by_values:
            self.report[f"data {key!r}"] = repr(data)
        return data

    def kept_of(self, function: Any, key: str, make: Callable[[], Any]) -> Any:
        """What follows from a Function, made."""
        return make()

    def written(self, name: str, make: Callable[[], Any]) -> Any:
        """What `make` gives; a refusal and the notices are recorded, too."""
        try:
            with warnings.catch_warnings(record=True) as notices:
                warnings.simplefilter("always")
                return make()
        except hs.Error as error:
            self.report[f"refusal of {name}"] = type(error).__name__
            raise
        finally:
            if notices:
                self.report[f"notices of {name}"] = sorted(str(n.message) for n in notices)


def _exchange(others: dict[Any, Any]) -> None:
    """Puts other functions in the place of these in all modules."""
    for module in list(sys.modules.values()):
        if getattr(module, "__name__", "").startswith("hapsis."):
            for name, value in list(vars(module).items()):
                if value.__class__.__name__ in ("function", "method") and value in others:
                    setattr(module, name, others[value])


def reported(recorder: Recorder, model: Any) -> dict[str, Any]:
    """What would be kept for a model: of some verbs, the same for each structure, and for a simulation."""
    key, closed = model_key(model), bool(model.cuts or model.constraints)
    draw = random.Random(key.structure if key is not None else 0)
    recorder.report = {}
    for name in (*QUICK, *draw.sample(OTHERS, SOME), *(LOOPS if closed else ())):
        attempt(lambda name=name: getattr(hs, name)(model))
    body, verb = draw.choice(list(model.bodies)), draw.choice(AT_FRAMES)
    frame = draw.choice([body, *(f"{body}.{name}" for name in model.bodies[body].frames)])
    attempt(lambda: getattr(hs, verb)(model, frame))
    attempt(lambda: hs.reaction(model, draw.choice(list(model.joints))))
    attempt(lambda: systems(model))
    return recorder.report


def systems(model: Any) -> None:
    """The equations of a motion, without compiling them."""
    from hapsis.mechanics.formalisms.dynamics import state_rates
    from hapsis.mechanics.formalisms.dynamics.extras import extras
    from hapsis.mechanics.formalisms.forces.imposed_motion import imposed_motion

    attempt(lambda: extras(model))
    for verb in (state_rates.gaps, state_rates.approach, state_rates.broad_phase, state_rates.signals):
        attempt(lambda verb=verb: verb(model))
    attempt(lambda: state_rates.arrows(model))
    attempt(lambda: state_rates.state_rates(model))
    attempt(lambda: imposed_motion(model))
    if model.cuts or model.constraints:
        from hapsis.mechanics.formalisms.constraints.row_names import constraint_names
        from hapsis.mechanics.formalisms.constraints.row_units import row_units

        attempt(lambda: constraint_names(model))
        attempt(lambda: row_units(model))


def attempt(program: Callable[[], Any]) -> None:
    """Calls it; a refusal is no fault."""
    try:
        program()
    except hs.Error:
        pass
