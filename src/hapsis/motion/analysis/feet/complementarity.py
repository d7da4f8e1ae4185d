"""The verb `complementarity`: accelerations of a model on feet that may push, stick, slide and lift.

    M a + c = τ + Jᵀ λ        λ = (λ_t, λ_n) of each foot, in the axes of the ground
    λ_n ≥ 0,  ẍ_n ≥ 0,  λ_n ẍ_n = 0        a foot that is pushed stays, one that rises is not pushed
    |λ_t| ≤ μ λ_n        along each axis of the ground; where a foot slides, against its motion

Written for the forces of the feet alone it is a linear complementarity problem, with the matrix
J (Zᵀ M Z)⁻¹ Jᵀ over the motions Z that other constraints leave (see `feet_forces`). Where the reactions of
pinned feet are inside their limits, they are the solution: both forms agree.
Reference: [Trinkle] for the form, [Cottle] for the method.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from hapsis.compiler.backends.compile import compile
from hapsis.compiler.ir.functions.verbs import verb
from hapsis.compiler.ir.graph.immutable import Immutable
from hapsis.errors import ModelError, check_known
from hapsis.mechanics.formalisms.constraints.constraint_rows import constraints
from hapsis.mechanics.formalisms.constraints.row_names import constraint_names
from hapsis.mechanics.formalisms.deferred_verbs import frame_signal
from hapsis.mechanics.formalisms.dynamics.inverse_dynamics import bias
from hapsis.mechanics.formalisms.dynamics.mass_matrix import mass_matrix
from hapsis.mechanics.formalisms.tree.kinematics import pose
from hapsis.mechanics.model.constraints.motion_constraints import Pinned
from hapsis.mechanics.model.frames import WORLD
from hapsis.mechanics.model.model import Model
from hapsis.mechanics.model.sensors import Sensor
from hapsis.mechanics.model.state import State
from hapsis.mechanics.model.values.numbers import described, real
from hapsis.motion.analysis.feet.feet_forces import FeetForces, FeetSolution

Array = np.ndarray[Any, np.dtype[np.float64]]


@verb
def complementarity(
    model: Model,
    feet: Sequence[str],
    friction: float | Mapping[str, float] = 0.8,
    ground: Any = WORLD,
    *,
    touching: float = 1e-6,
    rest: float = 1e-6,
) -> "Complementarity":
    """The accelerations of a model on feet that push, stick, slide and lift, as a function of q, v, tau.

    feet       frames whose origins may touch the ground
    friction   μ, of all feet or by name
    ground     a frame: the ground is its plane z = 0, and feet are on the side of +z
    touching   m; a foot with a larger gap has no force
    rest       m/s; a foot that is slower along the ground sticks or begins to slide

    Other constraints of the model are kept. A foot that touches and comes nearer is an impact, and refused.
    """
    names = _names(feet)
    given = friction if isinstance(friction, Mapping) else dict.fromkeys(names, friction)
    for name in given:
        check_known(name, names, "friction names {}, which is no foot")
    mu = {name: real(given.get(name, 0.0), f'the friction of "{name}"') for name in names}
    for name, x in mu.items():
        if not x >= 0.0:
            raise ModelError(f'the friction of "{name[:60]}" is {x:g}', expected="0 or more")
    if model.drives:
        raise ModelError(
            "a drive imposes a motion, and feet that lift have none to impose", remedy="use efforts"
        )
    if isinstance(ground, str) and not model.has_frame(ground):
        raise ModelError(f'there is no frame "{ground[:60]}" for the ground')
    limits = real(touching, "touching"), real(rest, "rest")
    if not min(limits) > 0.0:
        raise ModelError(f"touching and rest are {limits[0]:g} and {limits[1]:g}", expected="more than 0")
    return Complementarity(model, names, mu, ground, *limits)


def _names(feet: Any) -> tuple[str, ...]:
    if isinstance(feet, str):
        return (feet,)
    names = tuple(feet) if isinstance(feet, Sequence) else ()
    if not names or not all(isinstance(name, str) for name in names) or len({*names}) < len(names):
        raise ModelError(f"feet are {described(feet)}", expected="names of frames, each once")
    return names


@dataclass(frozen=True, eq=False)
class Complementarity(Immutable):
    """The compiled equations of a model on its feet: call it with a state, or q, v, and efforts."""

    model: Model
    feet: tuple[str, ...]
    friction: Mapping[str, float]
    ground: Any
    touching: float
    rest: float
    _functions: dict[str, Any] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        for name in (*self.feet,):
            self.model.frame(name)
        object.__setattr__(self, "_functions", self._compiled())

    def __reduce__(self) -> Any:
        """How it is pickled: without its machine code."""
        fields = self.model, self.feet, dict(self.friction), self.ground, self.touching, self.rest
        return Complementarity, fields

    def _compiled(self) -> dict[str, Any]:
        pins = [Pinned(f"foot {k} of complementarity", name, self.ground) for k, name in enumerate(self.feet)]
        place = Sensor("ground of complementarity", "pose", self.ground)
        facts = [*pins, place]
        held = self.model + facts
        names = constraint_names(held)
        for foot, pin in zip(self.feet, pins, strict=True):
            if not any(name.startswith(f"{pin.name}.") for name in names):
                raise ModelError(f'foot "{foot[:60]}" cannot move against the ground')
        places = {
            (foot, axis): names.index(f"{pin.name}.{axis}")
            for foot, pin in zip(self.feet, pins, strict=True)
            for axis in "xyz"
            if f"{pin.name}.{axis}" in names
        }
        taken = set(places.values())
        return {
            "M": compile(mass_matrix(self.model)),
            "c": compile(bias(self.model)),
            "rows": compile(constraints(held)),
            "poses": [compile(pose(self.model, name)) for name in self.feet],
            "origin": compile(frame_signal(held, f"{place.name}.p")),
            "axes": compile(frame_signal(held, f"{place.name}.R")),
            "places": places,
            "own": [k for k in range(len(names)) if k not in taken],
        }

    def __call__(self, q: Any, v: Any = None, tau: Any = None) -> FeetSolution:
        """Accelerations and forces at a State or at q and v, with efforts tau (0 if not given)."""
        if isinstance(q, State):
            q, v = q.q, q.v if v is None else v
        n = len(self.model.speeds)
        q = _vector(q, len(self.model.coordinates), "q")
        v = _vector(np.zeros(n) if v is None else v, n, "v")
        tau = _vector(np.zeros(n) if tau is None else tau, n, "tau")
        return FeetForces(self, self._functions, q, v, tau).solution()


def _vector(values: Any, count: int, what: str) -> Array:
    try:
        x = np.asarray(values, float)
    except (TypeError, ValueError):
        raise ModelError(f"{what} must be numbers, not {described(values)}") from None
    if x.shape != (count,) or not np.isfinite(x).all():
        raise ModelError(f"{what} has the shape {x.shape}", expected=f"{count} finite numbers")
    return x
