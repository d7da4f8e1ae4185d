"""Speeds of a start that names generalized speeds, in numbers.

What is given is met exactly: rows of loops, drives, speeds by name, generalized speeds by name. The rest
stays where it was, in this order as far as the rows allow: generalized speeds that are not given, speeds
of the model's own that complete them, other speeds.
"""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from hapsis.compiler.backends.compile import compile
from hapsis.errors import SolveError
from hapsis.mechanics.formalisms.deferred_verbs import completed_speeds
from hapsis.mechanics.formalisms.kane.speed_basis import speed_basis
from hapsis.mechanics.model.derived import derived
from hapsis.mechanics.model.values.numbers import real
from hapsis.motion.analysis.assembly.loop_numbers import Array, Loops, given_parameters

TORN = 1e-9  # of the speeds: what is missed by more was given in contradiction
DEPENDENT = 1e-9  # of a row: what is left of it after the others, where it says nothing new


class Combined(NamedTuple):
    """The generalized speeds at a pose, u = Y v + w, with speeds and combinations in their units."""

    names: tuple[str, ...]
    Y: Array
    w: Array
    units: Array


def combined(loops: Loops, q: Array) -> Combined:
    """All generalized speeds of a model at a pose."""
    model = loops.model
    basis = speed_basis(model)
    native = derived(model, ("native", completed_speeds), lambda: compile(completed_speeds(model, basis.own)))
    clock = {"t": loops.t} if any(p.name == "t" for p in native.function.inputs) else {}
    u = native(q, loops.rest, **clock, **given_parameters(native, loops.parameters))
    Y = u.Y * loops.speed_units
    units = np.abs(Y).max(axis=1)
    units[units == 0.0] = 1.0
    return Combined(basis.names, Y / units[:, None], u.w / units, units)


def fitted(loops: Loops, q: Array, given: Mapping[str, float], v: Array) -> Array:
    """The speeds that meet all that is given, near the speeds v; an error where they contradict."""
    model, u = loops.model, combined(loops, q)
    v = v / loops.speed_units
    unit = np.eye(len(v))
    met: list[tuple[str, Array, float]] = [
        (name.rpartition(".")[0], row, -float(drift))
        for name, row, drift in zip(
            loops.names, loops.relative_jacobian(q), loops.drift(q) / loops.row_units, strict=True
        )
    ]
    driven = {loops.slots[name]: d.velocity for name, d in loops.driven.items() if d.velocity is not None}
    met += [(model.speeds[k], unit[k], x / loops.speed_units[k]) for k, x in driven.items()]
    for k, name in enumerate(model.speeds):
        if name in given:
            met.append((name, unit[k], float(v[k])))
    for k, name in enumerate(u.names):
        if name in given and name in model.generalized_speeds:
            value = real(given[name], f'the start of "{name}"')
            met.append((name, u.Y[k], value / u.units[k] - u.w[k]))
    start = model.pose("start") if "start" in model.poses else {}
    kept = [
        (n, row, start[n] / u.units[k] - u.w[k] if n in model.generalized_speeds and n in start else row @ v)
        for k, (n, row) in enumerate(zip(u.names, u.Y, strict=True))
    ]
    kept.sort(key=lambda each: each[0] not in start)  # what the pose says comes first
    kept += [(n, row, row @ v) for n, row in zip(model.speeds, unit, strict=True)]
    rows = np.array([row for _, row, _ in met]).reshape(-1, len(v))
    basis = _orthonormal(rows)
    for _, row, x in kept:
        left = row - basis.T @ (basis @ row)
        size = float(np.linalg.norm(left))
        if size > DEPENDENT * float(np.linalg.norm(row)):
            basis = np.vstack([basis, left / size])
            met.append(("", row, float(x)))
    A, b = np.array([row for _, row, _ in met]), np.array([x for _, _, x in met])
    speeds: Array = np.linalg.lstsq(A, b, rcond=None)[0]  # pyright: ignore[reportAssignmentType]
    missed = np.abs(A @ speeds - b)
    worst = int(np.argmax(missed))
    if not missed[worst] <= TORN * max(1.0, float(np.abs(speeds).max(initial=0.0))):
        named = [f'"{n}"' for n in (*model.speeds, *model.generalized_speeds) if n in given]
        raise SolveError(
            f"the speeds given for {', '.join(named)[:200]} contradict each other or the rows at "
            f'"{met[worst][0][:60]}"',
            expected="speeds that keep all loops closed",
            remedy="give fewer of them",
        )
    return speeds * loops.speed_units


def _orthonormal(rows: Array) -> Array:
    """Orthonormal rows that span these."""
    if not rows.size:
        return rows
    _, sizes, V = np.linalg.svd(rows, full_matrices=False)
    return V[sizes > DEPENDENT * sizes[0]]
