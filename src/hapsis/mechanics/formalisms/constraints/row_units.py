"""The units of constraint rows: that of the model's lengths, or 1 for what turns.

A row is a length if it changes with the place of an end, and a number if only directions count in
it. Rows between coordinates (gears, functions of the user's) have no ends: their unit is the most
that a coordinate changes them by, moved by its own unit. Rows measured in their units have slopes
of about one however large the model is, so that one tolerance serves them all.
"""

import random
from collections.abc import Mapping
from typing import Any

import numpy as np

from hapsis.compiler.backends.compile import compile
from hapsis.compiler.ir.functions.function import Function
from hapsis.mechanics.model.derived import derived
from hapsis.mechanics.model.model import Model
from hapsis.mechanics.model.store.kept import kept, kept_data
from hapsis.mechanics.model.units import length_unit, speed_units, unit_of

POSES = 6  # random ones, at which slopes are looked at


def row_units(model: Model) -> Mapping[str, float]:
    """{row: its unit} of all rows, of positions and of speeds."""

    def structural() -> tuple[dict[str, float], list[str], list[Any]]:
        from hapsis.mechanics.formalisms.constraints.constraint_rows import rows_of
        from hapsis.mechanics.formalisms.constraints.row_slopes import units_by_ends
        from hapsis.mechanics.formalisms.tree.posed_tree import posed_tree

        tree = posed_tree(model)
        units = units_by_ends(tree)
        free = [name for name in rows_of(tree).names if name not in units]
        return units, free, [(link.kind, link.q) for link in tree.links]

    def make() -> dict[str, float]:
        units, free, links = kept_data(model, "row units", structural)
        return {**units, **(_of_slopes(model, free, links) if free else {})}

    return derived(model, row_units, make)


def _of_slopes(model: Model, names: list[str], links: list[Any]) -> dict[str, float]:
    """The units of rows between coordinates, from their slopes at random poses."""
    f = compile(_kept_slopes(model, names), contract=False)
    units = np.array(speed_units(model))
    draw, most = random.Random(6), np.zeros(len(names))
    for _ in range(POSES):
        J = f(_pose(model, links, draw), np.zeros(len(units)))
        sizes = np.abs(J * units).max(axis=1, initial=0.0)
        most = np.fmax(most, np.where(np.isfinite(sizes), sizes, 0.0))
    return {name: unit_of(float(size)) for name, size in zip(names, most, strict=True)}


def _kept_slopes(model: Model, names: list[str]) -> Function:
    """The slopes, kept by the structure alone: the units, which are part of other keys, follow from them."""

    def write() -> Function:
        from hapsis.mechanics.formalisms.constraints.row_slopes import slopes

        return slopes(model, names)

    function = kept(model, ("slopes", *names), write)
    assert function is not None
    return function


def _pose(model: Model, links: list[Any], draw: random.Random) -> Any:
    """Coordinates of the size of the model, quaternions of length one."""
    unit, q = length_unit(model), np.zeros(len(model.coordinates))
    for kind, places in links:
        turns = places[-4:] if kind in ("ball", "free") else places if kind in "RH" else []
        for k in places:
            q[k] = draw.uniform(-1.0, 1.0) * (1.0 if k in turns else unit)
        if kind in ("ball", "free"):
            q[places[-4:]] /= np.linalg.norm(q[places[-4:]])
    return q
