"""What contacts remember from step to step: bristles, which a continued run goes on with."""

from typing import Any, NamedTuple

import numpy as np

from hapsis.motion.solvers.contact.contact_memory import ContactScene

Array = np.ndarray[Any, np.dtype[np.float64]]
Ints = np.ndarray[Any, np.dtype[np.int64]]


class TouchMemory(NamedTuple):
    """The points of the last step with the forces of their bristles, by pairs of solids."""

    pair_count: int
    pairs: Ints  # of each touch
    counts: Ints  # of the points of each touch
    places: Array
    forces: Array
    normals: Array
    rates: Array
    stuck: Ints
    pushed: Ints
    resolved: Ints
    ease: Array
    row_bent: Array  # the bristles of dry friction in joints
    row_stuck: Ints


def touch_memory(scene: ContactScene) -> TouchMemory:
    """What a scene remembers of its last step."""
    pairs = scene.old_pair[: scene.old_touches].copy()
    counts = scene.old_count[pairs]
    points = int(counts.sum())
    return TouchMemory(
        int(scene.pair_count),
        pairs,
        counts,
        scene.old_place[: 3 * points].copy(),
        scene.old_force[: 3 * points].copy(),
        scene.old_normal[: 3 * points].copy(),
        scene.old_rate[: 3 * points].copy(),
        scene.old_stuck[:points].copy(),
        scene.old_pushed[:points].copy(),
        scene.old_resolved[:points].copy(),
        scene.ease.copy(),
        scene.row_bent.copy(),
        scene.row_stuck.copy(),
    )


def remember(scene: ContactScene, memory: TouchMemory) -> None:
    """Gives a new scene of the same model what an earlier one remembered."""
    pairs, counts = memory.pairs, memory.counts
    same = memory.pair_count == scene.pair_count and len(memory.row_bent) == len(scene.row_bent)
    if not same or len(pairs) > scene.touch_room:
        return  # other contacts: they touch for the first time
    points = int(counts.sum())
    scene.old_touches = len(pairs)
    scene.old_pair[: len(pairs)] = pairs
    scene.old_count[pairs] = counts
    scene.old_first[pairs] = np.cumsum(counts) - counts
    scene.old_place[: 3 * points] = memory.places
    scene.old_force[: 3 * points] = memory.forces
    scene.old_normal[: 3 * points] = memory.normals
    scene.old_rate[: 3 * points] = memory.rates
    scene.old_stuck[:points] = memory.stuck
    scene.old_pushed[:points] = memory.pushed
    scene.old_resolved[:points] = memory.resolved
    scene.ease[:] = memory.ease
    scene.row_bent[:] = memory.row_bent
    scene.row_stuck[:] = memory.row_stuck
    scene.begun = True
