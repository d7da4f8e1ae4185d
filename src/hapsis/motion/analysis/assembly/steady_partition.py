"""Which speeds lead a steady motion of a mechanism with rows of speeds.

What rolls has coordinates that nothing depends on: where it is, where it heads, how far its wheels have
turned. Their rates may be whatever the rows say. All else, the lean of a bicycle, must stand still, and can
only be held still if it leads. So after the speeds that are given those lead along which a force at rest,
or a row of positions, changes; then what turns fastest, which goes on evenly in a curve while what moves
along x and y does not.
"""

import random
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from hapsis.compiler.backends.compile import compile
from hapsis.mechanics.formalisms.constraints.partition import Partition
from hapsis.mechanics.formalisms.dynamics.extras import extras
from hapsis.mechanics.formalisms.dynamics.inverse_dynamics import bias
from hapsis.mechanics.model.derived import derived
from hapsis.motion.analysis.assembly.loop_numbers import Array, Loops, given_parameters
from hapsis.motion.analysis.assembly.loop_speeds import slots_of
from hapsis.motion.analysis.assembly.reduce import WEAK, in_sparse_order
from hapsis.motion.solvers.linear.full_pivot_lu import pivots

POSES = 4  # random ones, at which forces are looked at
NOTHING = 1e-9  # of the largest effort: less is rounding
FAR = 0.3  # of the units of coordinates, from the start


def has_speed_rows(loops: Loops) -> bool:
    """Whether some rows of a model are not of positions."""
    return loops.positions < len(loops.names)


def steady_partition(loops: Loops, q: Array, moving: Sequence[int], v: Array | None = None) -> Partition:
    """The partition of a closed pose led by what moves, the model's own leaders, and what forces depend on.

    moving    places in v of the speeds that are given
    v         all speeds, where they are known
    """
    J, driven, first = loops.relative_jacobian(q), loops.held, loops.positions
    best = pivots(J, driven, first=first)
    locked = list(driven)

    def lead(slots: Iterable[int]) -> None:
        for slot in slots:
            factors = pivots(J, [*locked, slot], first=first)
            if slot not in locked and factors.rank == best.rank and factors.smallest >= WEAK * best.smallest:
                locked.append(slot)

    lead(moving)
    lead(slots_of(loops, [n for n in loops.model.independent if n in loops.slots]))
    # rows of positions determine what they determine best, and rows of speeds what does not matter
    tied = pivots(J[:first], locked).dependent
    lead(slot for slot in _weighed(loops, q) if slot not in tied)
    if v is not None:
        turning = [k for k in _turning(loops) if v[k] and k not in tied]
        lead(sorted(turning, key=lambda k: -abs(v[k])))
    return in_sparse_order(loops, J, pivots(J, locked, first=first))


def _turning(loops: Loops) -> list[int]:
    """The speeds of joints that turn about an axis."""
    slots: dict[str, int] = {name: k for k, name in enumerate(loops.model.speeds)}
    return [
        slots[speed]
        for joint in loops.model.moving
        if len(joint.steps) == len(joint.speeds)
        for speed, step in zip(joint.speeds, joint.steps, strict=True)
        if step.kind == "R"
    ]


def _weighed(loops: Loops, q: Array) -> list[int]:
    """The speeds along which a force acts at rest or a row of positions changes, in poses nobody chose."""
    model, draw = loops.model, random.Random(3)
    matters = np.zeros(len(model.speeds), bool)
    for _ in range(POSES):
        away = np.array([draw.uniform(-FAR, FAR) for _ in model.speeds]) * loops.speed_units
        pose = loops.moved(q, away)
        effort = _efforts_at_rest(loops, pose) * loops.speed_units
        for row in (effort, *loops.relative_jacobian(pose)[: loops.positions]):
            matters |= ~(np.abs(row) <= NOTHING * np.abs(row).max(initial=0.0))
    return [int(k) for k in np.flatnonzero(matters)]


def _efforts_at_rest(loops: Loops, q: Array) -> Array:
    """What all forces together need on each speed, where nothing moves."""
    model = loops.model
    native = derived(model, ("native", "at rest"), lambda: compile(bias(model, passive=False)))
    more = derived(model, extras, lambda: extras(model))
    known: dict[str, Any] = {
        "q": q,
        "v": loops.rest,
        "z": np.array(list(more.states.values()), float),
        "u": np.zeros(len(more.held)),
        "t": loops.t,
    }
    inputs = {port.name: known[port.name] for port in native.function.inputs if port.name in known}
    outputs = native(**inputs, **given_parameters(native, loops.parameters))
    return np.asarray(native.function.outputs_by_name(outputs)["c"])
