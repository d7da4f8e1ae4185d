"""The verb `equilibrium`: the pose in which nothing accelerates.

The unknowns are the independent coordinates and the states of laws; their accelerations and rates
must be zero, at speeds that are zero or given. Derivatives are exact (see `reduced_response`). Steps
are those of damped least squares: where there is no equilibrium, the search ends at the least residual.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from hapsis.compiler.ir.functions.limits import Count, NotNegative
from hapsis.compiler.ir.functions.verbs import verb
from hapsis.errors import ModelError, SolveError, check_known, notice
from hapsis.mechanics.model.driven_points import driven_coordinates
from hapsis.mechanics.model.model import Model
from hapsis.mechanics.model.model_warnings import tell_warnings
from hapsis.mechanics.model.names import coordinate_name
from hapsis.mechanics.model.state import State
from hapsis.mechanics.model.values.numbers import described, real
from hapsis.motion.analysis.assembly.loop_numbers import Array, Loops
from hapsis.motion.analysis.assembly.steady_partition import has_speed_rows
from hapsis.motion.analysis.drive_ways import drive_ways
from hapsis.motion.analysis.equilibrium.balance import Balance, Balanced
from hapsis.motion.analysis.equilibrium.balance_equations import BalanceEquations
from hapsis.motion.analysis.equilibrium.equilibrium_report import (
    Equilibrium,
    far_away,
    far_moves,
    judged,
    lasting,
)
from hapsis.motion.analysis.equilibrium.sought_speeds import sought_speeds
from hapsis.motion.analysis.equilibrium.steady_combinations import steady_combinations
from hapsis.motion.analysis.linear.given_state import frozen, given_state, settled
from hapsis.motion.analysis.linear.linearization import LinearizationPoint
from hapsis.motion.analysis.linear.operating_point import check_continuous, efforts_of

__all__ = ["Equilibrium", "equilibrium"]

SPREAD = 0.5  # rad or m, of the starts that are tried besides the first


@verb
def equilibrium(
    model: Model,
    start: Any = None,
    *,
    inputs: Mapping[str, float] | None = None,
    parameters: Mapping[str, float] | None = None,
    held: Sequence[str] = (),
    speeds: Mapping[str, float | None] | None = None,
    t: float = 0.0,
    tolerance: NotNegative = 1e-9,
    iterations: Count = 200,
    nearest: bool = False,
    tries: Count = 1,
    stability: bool = True,
    sticking: bool = False,
) -> State:
    """The State in which nothing accelerates, from a start; `.report` says how good it is.

    start       {name: value} over the model's pose "start", a State, or all coordinates
    inputs      {coordinate: effort} that act, and what drives take from outside, as numbers
    parameters  {name: value} other than the model's own
    held        coordinates that stay where they start, whatever that takes
    speeds      {speed: value} of a steady motion: what moves so keeps moving, and all else stands
                still relative to it, as a governor at constant speed; or follows by rows of speeds, as
                the way of a bicycle. A generalized speed has its value in the motion that is found.
                With None for a value a speed is found, from that of the start, so that what is held
                needs no effort: as many such speeds as `held` has names
    t           the time of drives: they stand still where they are then; tracked ones at what they track,
                or where they start while that is an input that is not given
    tolerance   the largest acceleration that may remain, m/s² or rad/s², besides rounding; of a
                model of millimetres or kilometres in its own unit of length (see `model.units`)
    iterations  steps of the search, at most
    nearest     go by Newton's method to the equilibrium nearest to the start, stable or not; without
                it, to the one where the mechanism comes to rest if it moves slowly
    tries       starts to be tried; those after the first are around it, always the same
    stability   whether to look at the eigenvalues of small motions, too
    sticking    friction that sticks bends with the motion from the start, and holds what it can

    A start that is in equilibrium stays, stable or not: see the report. States of laws are part of the
    solution: felt is relaxed, and friction that sticks stays unbent and holds nothing unless `sticking`
    is given. If there is no equilibrium, a SolveError gives the remaining
    force; its `nearest` is the State where that is least.
    """
    tell_warnings(model)
    check_continuous(model)
    tolerance, t = real(tolerance, "tolerance"), real(t, "t")
    tau, drive_inputs = efforts_of(model, inputs)
    own = _speeds(model, speeds)
    moving = {slot: x for slot, x in own.items() if x}
    loops = Loops(settled(model, drive_inputs), t, drive_inputs, parameters)
    q, v, laws = given_state(loops, start)
    loops.check_finite(q)
    sought = _sought(model, speeds, held, v)
    combinations = steady_combinations(loops, q, v, {**own, **sought}, _combinations(model, speeds))
    moving |= {**sought, **combinations.slots}
    if sticking and isinstance(start, State):  # what holds goes on from where it is
        drives = tuple(f"{name}.tracked" for name in model.drives)
        known: Mapping[str, float] = getattr(start.report, "states", None) or {}
        laws = {name: x for name, x in known.items() if not name.startswith(drives)}
    still = frozen(loops, q, _names(held, "held"), moving)
    equations = BalanceEquations(still, t, tau, parameters, moving, sticking)
    balance = Balance(equations, tolerance, int(iterations))
    unknown = {**sought, **combinations.slots}
    if unknown:
        slots, free_of = list(unknown), _names(held, "held") if sought else []

        def missed(values: Array) -> Array:
            equations.move(dict(zip(slots, values.tolist(), strict=True)))
            found = _searched(balance, q, laws, tries, nearest)
            efforts = [found.efforts[f"{name} held.effort"] for name in free_of]
            return np.append(efforts, combinations.missed(found.q, found.v))

        names = [model.speeds[k] for k in sought], list(combinations.wanted)
        sizes = {slot: abs(x) for slot, x in sought.items()} | dict(combinations.sizes)
        start_speeds = np.array(list(unknown.values()))
        found = sought_speeds(missed, start_speeds, *names, np.array(list(sizes.values())))
        equations.move(dict(zip(slots, found.tolist(), strict=True)))
    rest = _searched(balance, q, laws, tries, nearest)
    states = {n: float(x) for n, x in zip(equations.states, rest.z, strict=True)}
    tracked = [name for name, drive in model.drives.items() if drive.tracking is not None]
    ways = drive_ways(model, rest.q, np.zeros(len(model.speeds)), parameters) if tracked else {}
    for name in tracked:
        states |= {f"{name}.tracked": ways[f"{name}.position"], f"{name}.tracked.v": 0.0}
    all_inputs = {n: float(x) for n, x in (inputs or {}).items()}
    rest_inputs = {n: x for n, x in all_inputs.items() if n not in drive_inputs}
    kept = tuple(model.speeds[slot] for slot in moving)
    far = far_moves(model, q, rest.q) if moving and not nearest else {}
    if far:
        notice(far_away(far))
    report = Equilibrium(rest.residual, rest.iterations, "", (), states, rest.efforts, rest_inputs, kept, far)
    names = still.coordinates, still.speeds
    if stability:
        state = State(*names, rest.q, rest.v, report._replace(states=equations.only(states)))
        free = frozen(loops, q, (), moving) if sought else still  # what needs no effort is not held
        small = LinearizationPoint(free, state, (), parameters, t).linearization()
        found = lasting(small.A) if moving and has_speed_rows(loops) else small.eigenvalues
        values = tuple(complex(x) for x in found)
        report = report._replace(stability=judged(found), eigenvalues=values)
    return State(*names, rest.q, rest.v, report._replace(inputs=all_inputs))


def _searched(balance: Balance, q: Any, laws: Mapping[str, float], tries: int, nearest: bool) -> Balanced:
    """The result of the first try that succeeds; else the error of the first try."""
    first: SolveError | None = None
    draw = np.random.default_rng(1)
    for count in range(int(tries)):
        try:
            away = SPREAD * count**0.5 * draw.normal(size=len(balance.model.speeds))
            return balance.from_start(q, laws, away, nearest)
        except SolveError as error:
            first = first or error
    assert first is not None
    raise first


def _sought(model: Model, named: Any, held: Sequence[str], v: Array) -> dict[int, float]:
    """{slot: speed at the start} of the speeds that are to be found."""
    sought = [n for n, x in (named or {}).items() if x is None]
    combined = next((n for n in sought if n in model.generalized_speeds), None)
    if combined is not None:
        raise ModelError(
            f'"{combined[:60]}" is a combination, and one that is found is a speed of the model\'s own',
            expected=", ".join(model.speeds)[:200],
        )
    slots = [model.speeds.index(n) for n in sought]
    if slots and len(slots) != len(_names(held, "held")):
        raise ModelError(
            f"{len(slots)} speeds are to be found and {len(_names(held, 'held'))} coordinates are held",
            expected="as many: each speed is found so that what is held needs no effort",
        )
    led = {*driven_coordinates(model).values()}
    for name in (*_names(held, "held"), *(coordinate_name(model.speeds[slot]) for slot in slots)):
        if slots and name in led:
            raise ModelError(
                f'"{name[:60]}" has a drive, so that no speed can be found with it',
                remedy="leave out the drive, or give the speed",
            )
    for slot in slots:
        if v[slot] == 0.0:
            raise ModelError(
                f'the speed "{model.speeds[slot]}" is to be found, and starts at zero',
                remedy="give about what it may be in the start",
            )
    return {slot: float(v[slot]) for slot in slots}


def _speeds(model: Model, named: Mapping[str, float | None] | None) -> dict[int, float]:
    """{slot: speed} of the model's own speeds that are given."""
    if named is not None and not isinstance(named, Mapping):  # pyright: ignore
        raise ModelError(f"speeds must be {{speed: value}}, not {described(named)}")
    slots = {name: k for k, name in enumerate(model.speeds)}
    for name in named or {}:
        check_known(name, [*slots, *model.generalized_speeds], "there is no speed {}")
    values = {n: x for n, x in (named or {}).items() if n in slots and x is not None}
    return {slots[n]: real(x, f'the speed "{n}"') for n, x in values.items()}


def _combinations(model: Model, named: Mapping[str, float | None] | None) -> dict[str, float]:
    """The generalized speeds that are given."""
    values = {n: x for n, x in (named or {}).items() if n in model.generalized_speeds}
    return {n: real(x, f'the speed "{n}"') for n, x in values.items()}


def _names(names: Any, what: str) -> list[str]:
    if isinstance(names, str):
        return [names]
    if not isinstance(names, Sequence | set | frozenset):
        raise ModelError(f"{what} must be names of coordinates, not {described(names)}")
    return [str(name) for name in names]
