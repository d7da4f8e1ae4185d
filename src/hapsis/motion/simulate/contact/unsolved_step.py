"""In words, why a step with contacts has no solution: what is wrong, and where."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from hapsis.motion.simulate.contact.touching_pairs import Structure
from hapsis.motion.solvers.contact.contact_memory import (
    FULL,
    HEAD,
    OPEN,
    PUSH,
    SINGULAR,
    SPRING,
    ContactScene,
)

NAMED = 3  # contacts that a message names
PART = 0.1  # of the largest residual: speeds that have less are not to blame


def unsolved_step(
    scene: ContactScene, found: Structure, names: Sequence[str], speeds: Sequence[str], rows: Sequence[Any]
) -> str:
    """One sentence: the trouble, the contacts and rows where it is worst, and what to do.

    names    of contacts
    speeds   of the model, by their places in v
    rows     StepRows, whose columns name what they are
    """
    if scene.status == FULL:
        if scene.touch_count >= scene.touch_room or scene.point_count == 0:
            return f"more than {scene.touch_room} pairs of solids touch at once; start further apart"
        return (
            f"{scene.touch_count} pairs of solids touch at once and couple more bodies than there is room for"
        )
    if scene.status == OPEN:
        return (
            f"loops, drives and limits contradict each other: {', '.join(_open_rows(scene, rows)[:NAMED])}; "
            "change what leads them there"
        )
    blamed = _blamed(scene)
    where = _touching(scene, found, names, blamed) + _pulling(scene, rows, blamed)
    which = f"most at {', '.join(where[:NAMED])}" if where else ""
    if not which:
        slots = scene.order[np.flatnonzero(blamed)][:NAMED]
        which = "most at the speeds " + ", ".join(f'"{speeds[k]}"' for k in slots)
    if scene.status == SINGULAR:
        return f"the masses and stiffnesses of this step differ too much to be solved with, {which}"
    if not np.isfinite(scene.residual):
        return (
            f"the forces of contacts are no numbers, {which}: laws too stiff, or bodies too light or too fast"
        )
    return (
        f"the contacts of this step are not solved: {scene.residual:.1e} of the impulses are left after "
        f"{scene.most} iterations, {which}; use a smaller step or softer contacts"
    )


def _blamed(scene: ContactScene) -> Any:
    """Which speeds have most of the residual; all of them where it is no number."""
    left = np.sqrt(scene.scale) * np.abs(scene.gradient)
    if not np.isfinite(left).all():
        return ~np.isfinite(left)
    return left >= PART * max(left.max(initial=0.0), 1e-300)


def _touching(scene: ContactScene, found: Structure, names: Sequence[str], blamed: Any) -> list[str]:
    """The contacts near what these speeds move, the strongest first."""
    strongest: dict[str, float] = {}
    for k in range(scene.touch_count):
        first, count = k * scene.widest, int(scene.touch_size[2 * k] + scene.touch_size[2 * k + 1])
        points = slice(3 * int(scene.touch_first[k]), 3 * int(scene.touch_first[k + 1]))
        impulse = float(np.abs(scene.gamma[points]).max(initial=0.0))
        if not blamed[scene.touch_index[first : first + count]].any():
            continue
        name = f'"{names[found.pairs[int(scene.touch_pair[k])].contact]}"'
        strongest[name] = max(strongest.get(name, 0.0), impulse)
    ranked = sorted(strongest, key=lambda name: -np.nan_to_num(strongest[name], nan=np.inf))
    return [f"contact {name}" for name in ranked]


def _pulling(scene: ContactScene, rows: Sequence[Any], blamed: Any) -> list[str]:
    """The rows of loops, drives, stops and friction that act on what these speeds move."""
    acting: list[str] = []
    for k, row in enumerate(rows):
        first = k * scene.row_width
        index = scene.row_index[first : first + int(scene.row_size[k])]
        if (row.law == SPRING or scene.row_force[k] != 0.0) and blamed[index].any():
            acting.append(f'"{row.column.rpartition(".")[0]}"')
    return list(dict.fromkeys(acting))


def _open_rows(scene: ContactScene, rows: Sequence[Any]) -> list[str]:
    """The loops, drives and limits that are not met, and by how much, the worst first."""
    missed: dict[str, float] = {}
    for k, row in enumerate(rows):
        if scene.row_placed[k]:
            value = float(scene.row_values[k * (HEAD + scene.row_width)])
            name = row.column.rpartition(".")[0]
            missed[name] = max(missed.get(name, 0.0), -value if row.law == PUSH else abs(value))
    worst = max(missed.values(), default=0.0)
    ranked = sorted((name for name in missed if missed[name] >= PART * worst), key=lambda name: -missed[name])
    return [f'"{name[:60]}" is off by {missed[name]:.2g} m or rad' for name in ranked]
