"""Runs of models with loops or drives that are differentiated: one partition for the whole of it.

Every evaluation closes the pose by at least one step of Newton, so that derivatives by what depends
vanish and those by what leads are exact. Only the start must be told how dependent ones follow.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import numpy as np

from hapsis.errors import ModelError, SolveError
from hapsis.mechanics.formalisms.constraints.reduction import Partition
from hapsis.mechanics.model.model import Model
from hapsis.motion.analysis.assembly.loop_numbers import Loops
from hapsis.motion.analysis.assembly.reduce import best_partition, pivot_sizes
from hapsis.motion.simulate.derivatives.differentiation_targets import Wanted
from hapsis.motion.simulate.equations.closed_system import Looped, is_tied
from hapsis.motion.simulate.equations.inputs import Inputs
from hapsis.motion.simulate.equations.parameter_inputs import Opened
from hapsis.motion.simulate.equations.system import Packed
from hapsis.motion.simulate.run.run_options import asked_span
from hapsis.motion.solvers.linear.full_pivot_lu import pivots

Array = np.ndarray[Any, np.dtype[np.float64]]
LEAST = 1e-3  # of the smallest pivot: with less the coordinates chosen hardly lead
WEAK = 0.02  # of a pivot at the start: below it the coordinates that led hardly do


class Led(Looped):
    """The Functions of a run whose partition is that of its start."""

    def __init__(self, loops: Loops, inputs: Inputs, part: Partition, pivots: Array) -> None:
        super().__init__(loops.model, inputs, part)
        self.loops, self.pivots = loops, pivots

    @property
    def follow(self) -> dict[str, str]:
        """{start: why} of the coordinates and speeds that are no start of their own."""
        model, found = self.model, dict[str, str]()
        tied = {k: "follows from the others" for k in self.part.dependent}
        tied |= dict.fromkeys(self.loops.held, "is led by a drive")
        for joint in model.moving:
            why = [tied[k] for k in map(model.speeds.index, joint.speeds) if k in tied]
            own = len(joint.speeds) == len(joint.coordinates)
            for k, name in enumerate(joint.coordinates):
                slot = model.speeds.index(joint.speeds[k]) if own else None
                if slot in tied or (not own and why):
                    found[name] = why[0] if slot is None else tied[slot]
            found |= {n: tied[model.speeds.index(n)] for n in joint.speeds if model.speeds.index(n) in tied}
        return found

    def check(self, t: Array, y: Array) -> None:
        """An error where the coordinates that lead at the start do not lead any more."""
        q = self.layout.split(y)[0]
        for k in np.unique(np.linspace(0, len(t) - 1, 200).astype(int)) if self.part.rows else []:
            ratio = pivot_sizes(self.loops, self.part, q[k], float(t[k])) / self.pivots
            if not ratio.min() > WEAK:
                loop = self.part.rows[int(np.argmin(ratio))].rpartition(".")[0]
                raise SolveError(
                    f't = {t[k]:.6g}: "{loop[:60]}" comes near a singular position, over which '
                    "derivatives are not carried",
                    remedy="stop before it, or choose other independent coordinates",
                )


def packed_for(
    model: Model,
    inputs: Mapping[str, Any] | None,
    start: Any,
    until: Any,
    parameters: Mapping[str, float],
    to: Any = (),
) -> tuple[Packed, tuple[float, float], Array]:
    """The Functions of a run that is differentiated, its span, and its start.

    to    what it is differentiated by: starts among it lead, then those that the user gives
    """
    given = Inputs(model, inputs)
    packed = Packed(model, given)
    if not is_tied(model):
        return packed, *asked_span(model, packed.extras.states, start, until)
    loops = Loops(model, inputs=given.told(0.0), parameters=parameters)
    (t, until), y = asked_span(model, packed.extras.states, start, until, loops)
    q = packed.layout.split(y)[0]
    listed = to if isinstance(to, Collection) and not isinstance(to, str) else [to]
    named = [n for n in listed if isinstance(n, str)]
    named = [n.removeprefix("start:").removesuffix(".v") for n in named]
    named += [*model.independent, *(start if isinstance(start, Mapping) else ())]
    part = best_partition(loops, q, t, preferred=_leading(loops, q, t, named))
    return Led(loops, given, part, pivot_sizes(loops, part, q, t)), (t, until), y


def _leading(loops: Loops, q: Array, t: float, names: Sequence[str]) -> list[str]:
    """Of these coordinates as many, in their order, as can lead together."""
    J, first = loops.jacobian(q, t), loops.positions
    best, found = pivots(J, loops.held, first=first), list[str]()
    for name in names:
        if name not in loops.slots or name in found or loops.slots[name] in loops.held:
            continue
        locked = [*loops.held, *(loops.slots[n] for n in (*found, name))]
        made = pivots(J, locked, first=first)
        if made.rank == best.rank and made.smallest >= LEAST * best.smallest:
            found.append(name)
    return found


def closed_start(kernels: Opened, t: float, y: Array) -> Array:
    """The start with its loops closed for the parameters of the moment."""
    if not isinstance(kernels.packed, Looped):
        return y
    return np.array(kernels.numbers(kernels.packed.closing(), t=t, y=y)["y"])


def closed_rows(kernels: Opened, t: Any, y: Array) -> Array:
    """States as they are told: with their loops closed."""
    times = np.atleast_1d(np.asarray(t, float))
    if not isinstance(kernels.packed, Looped) or not len(times):
        return y
    u = np.tile(kernels.u, (len(times), 1))
    found = kernels.rows(kernels.packed.closing(), times, np.atleast_2d(y), u)["y"]
    return found.reshape(np.shape(y))


def by_start(kernels: Opened, wanted: Wanted, t: float, y: Array) -> Array:
    """(columns, y): how the start moves, what depends included."""
    found, packed = wanted.by_start(y), kernels.packed
    if not isinstance(packed, Looped):
        return found
    along, by = kernels.along("closing", packed.closing())
    moves = {"y": found, "theta": wanted.by_theta, "u": wanted.by_held(t)}
    rows = [
        kernels.numbers(along, t=t, y=y, **{f"d_{n}": moves[n][k] for n in by})["d_y"]
        for k in range(wanted.count)
    ]
    return np.array(rows)


def check_starts(packed: Packed, names: Sequence[str]) -> None:
    """Refuses to differentiate by a start that follows from others."""
    follow = packed.follow if isinstance(packed, Led) else {}
    for name in names:
        plain = name.removeprefix("start:")
        if plain in follow:
            free = [n for n in (*packed.model.coordinates, *packed.model.speeds) if n not in follow]
            raise ModelError(
                f'the start of "{plain[:60]}" {follow[plain]}', expected=", ".join(free[:6]) or None
            )
