"""How many substeps a step needs: the fastest eigenvalue of the model at the start and under load.

The equations are linearised at the start, as `step_stability` does it, and where each contact or stop alone
is pressed in from there to the depth for which the step is made (`impact_depths`, or one that is given): the
other coordinates follow as their inertia and the loops make them. A substep of h seconds must resolve every
oscillation, h |λ| <= `SWINGING`, and be stable with a margin for what only decays, h |λ| <= `DECAYING`.
Stiffnesses that grow with the depth, and friction that grows with the normal force, so count as they are
there. Physical instabilities (Re λ > 0) are ignored.
"""

import math
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np

from hapsis.compiler.backends.compile import compile
from hapsis.errors import SolveError
from hapsis.mechanics.formalisms.deferred_verbs import coordinate_rates, mass_matrix
from hapsis.mechanics.formalisms.dynamics.state_rates import gaps
from hapsis.mechanics.model.forces.stop import Stop
from hapsis.mechanics.model.names import speed_name
from hapsis.motion.analysis.assembly.loop_numbers import Loops
from hapsis.motion.simulate.equations.kernels import Kernels
from hapsis.motion.simulate.run.impact_depths import limits
from hapsis.motion.simulate.run.run_parts import closed_states
from hapsis.motion.simulate.run.step_stability import (
    DEPTH,
    MOST,
    MOST_SUBSTEPS,
    ONE_SIDED,
    Depths,
    closed_rates,
    depth_of,
    linear_rates,
    pulled,
)

Array = Any  # of real or complex numbers

SWINGING = {
    "rk4": 0.9,
    "euler": 0.2,
    "split": 0.7,
}  # of h |λ|: half a period of a contact has at least three substeps, or sixteen
DECAYING = {"rk4": 2.2, "euler": 1.0, "split": 1.0}  # stable with a quarter in hand, or half
STABLE = {"rk4": 2.5, "euler": 1.8, "split": 1.8}  # of h |λ|, with a little room
STEEP = 0.1  # of |λ|: with a smaller imaginary part it only decays
MOVES = 6  # of Newton's method, to the design depth
REACHED = 0.1  # of the depth: nearer is there
TOO_DEEP = 3.0  # times the depth: where pressing one in would press another


class SubstepChoice(NamedTuple):
    """How many substeps, the fastest eigenvalue (1/s), of what it is; whether one step would be stable."""

    count: int
    rate: float
    whose: str
    one_is_stable: bool = True

    def note(self, dt: float, depth: Depths) -> str:
        """The sentence on it."""
        of = f"; the fastest part has {self.rate:.3g} 1/s, {self.whose}" if self.whose else ""
        sizes = [DEPTH, *depth.values()] if isinstance(depth, Mapping) else [depth]
        deep = f"a depth of {min(sizes):.3g}" + (f" to {max(sizes):.3g}" if max(sizes) > min(sizes) else "")
        return f"substeps: {self.count} of {dt / self.count:.3g} s{of}, for {deep} m"


def least_substeps(
    kernels: Kernels, method: str, dt: float, t: float, y: Array, loops: Loops | None, depth: Depths
) -> SubstepChoice:
    """The substeps of a step of dt seconds from this start; an error where they would be too many.

    depth   m or rad, to which contacts and stops are pressed
    """
    if len(y) > MOST:
        raise SolveError(
            f"the model has {len(y) - 1} states, too many to choose the substeps", remedy="give their number"
        )
    start, whose = closed_rates(kernels, t, y, loops, depth)
    label = f"at the start with {whose} closed" if whose else "at the start"
    found = [(start / (ONE_SIDED if whose else 1.0), label)]
    found += [
        (linear_rates(kernels, t, at), f"with {who} pressed in")
        for who, at in _pressed(kernels, t, y, loops, depth)
    ]
    choice = SubstepChoice(1, 0.0, "")
    for rates, who in found:
        rates = rates[rates.real <= 1e-6 * np.abs(rates)]
        if not len(rates):
            continue
        swings = np.abs(rates.imag) > STEEP * np.abs(rates)
        needs = dt * np.abs(rates) / np.where(swings, SWINGING[method], DECAYING[method])
        worst = int(np.argmax(needs))
        count = max(1, math.ceil(float(needs[worst])))
        stable = choice.one_is_stable and bool(dt * np.abs(rates).max() <= STABLE[method])
        if count > choice.count or not choice.whose:
            choice = SubstepChoice(count, float(np.abs(rates[worst])), who)
        choice = choice._replace(one_is_stable=stable)
    if choice.count > MOST_SUBSTEPS:
        raise SolveError(
            f"a step of {dt:g} s would need {choice.count} substeps: {choice.rate:.3g} 1/s {choice.whose}",
            expected=f"at most {MOST_SUBSTEPS}",
            remedy="take a shorter dt, softer contacts, or a smaller depth",
        )
    return choice


def _pressed(
    kernels: Kernels, t: float, y: Array, loops: Loops | None, depth: Depths
) -> Iterator[tuple[str, Array]]:
    """The label of each contact and stop that can be pressed to the depth, and the state there.

    Left out is what gets there only with another one pressed much deeper: no motion would do that.
    """
    model = kernels.system.model
    names, function = gaps(model)
    native = None if function is None else compile(function)
    known = {} if function is None else kernels.given(function)
    rooms: list[tuple[str, Any]] = []
    for k, name in enumerate(names):

        def gap(q: Array, k: int = k) -> tuple[float, bool]:
            assert native is not None
            values = native(q, **known)
            return float(values.gaps[k]), bool(values.gaps[k] <= values.near[k])

        rooms.append((model.contacts[name].label, gap))
    for stop in model.forces.values():
        if not isinstance(stop, Stop) or speed_name(stop.joint) not in model.speeds:
            continue
        place = model.coordinates.index(stop.joint)
        for limit, sign in limits(kernels, stop):

            def room(
                q: Array, place: int = place, limit: float = limit, sign: float = sign
            ) -> tuple[float, bool]:
                return sign * float(q[place] - limit), True

            rooms.append((stop.label, room))
    split = kernels.system.layout.split
    before = [_room(room, split(y)[0]) for _, room in rooms]
    for label, room in rooms:
        own = depth_of(depth, label)
        at = _moved_to(kernels, t, y, loops, room, -own)
        if at is None:
            continue
        after = [_room(room, split(at)[0]) for _, room in rooms]
        if all(b >= min(a, -TOO_DEEP * own) for a, b in zip(before, after, strict=True)):
            yield label, at


def _room(room: Any, q: Array) -> float:
    """A gap, or infinity where it is not known."""
    value, known = room(q)
    return value if known else math.inf


def _moved_to(
    kernels: Kernels, t: float, y: Array, loops: Loops | None, gap: Any, wanted: float
) -> Array | None:
    """The state where a gap has the wanted value, by its own force; None where it cannot be reached."""
    layout, model = kernels.system.layout, kernels.system.model
    at = np.array(y)
    q = layout.split(at)[0]
    rates, f = compile(coordinate_rates(model)), mass_matrix(model)
    mass = compile(f)
    for _ in range(MOVES):
        value, known = gap(q)
        if not (known and math.isfinite(value)):
            return None
        if abs(value - wanted) <= REACHED * abs(wanted):
            return at
        h = 1e-6
        N = rates(np.tile(q, (layout.n_v, 1)), np.eye(layout.n_v))
        by_v = np.array([(gap(q + h * dq)[0] - gap(q - h * dq)[0]) / (2.0 * h) for dq in N])
        way = pulled(mass(q, **kernels.given(f)), by_v, q, loops)
        slope = float(by_v @ way)
        if not (math.isfinite(slope) and slope > 0.0):
            return None  # nothing moves it
        q += (wanted - value) / slope * (way @ N)
        for first in kernels.system.quaternions:
            q[first : first + 4] /= np.linalg.norm(q[first : first + 4])
        at = np.array(closed_states(kernels, t, at))
        q = layout.split(at)[0]
        if not np.isfinite(at).all():
            return None
    return None
