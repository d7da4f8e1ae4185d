"""Facets, touches, floors and media of a scene as the memory of native code."""

import math
from typing import Any

import numpy as np

from hapsis.motion.particles.objects.thickness import thickness
from hapsis.motion.solvers.particles.particle_memory import ParticleMemory
from hapsis.motion.solvers.particles.touch.touch_memory import FLOOR, LAW, ROW, TouchMemory

LEAF = 4  # facets at the end of a branch of the tree, about
SPARE = 1024
TURNED = 0.5  # the cosine between the normals of facets at an edge: a sharp one has less


def touch_memory(scene: Any, samples: int, speeds: int = 0) -> TouchMemory:
    """The memory of what touches; without facets where nothing in the scene does.

    speeds   how many the Model has that carries facets; 0 where none does
    """
    floors = [floor for floor in scene.floors.values() if floor.bedding > 0.0]
    touches, media = list(scene.touches.values()), list(scene.media.values())
    objects = list(scene.objects.values()) if floors or touches or media else []
    facets = sum(len(each.facets) for each in objects)
    levels = max(0, math.ceil(math.log2(max(1, facets / LEAF))))
    memory = TouchMemory(
        count=scene.count,
        facet_count=facets,
        law_count=len(touches) if facets else 0,
        floor_count=len(floors) if facets else 0,
        medium_count=len(media) if facets else 0,
        sample_count=samples,
        speeds=speeds if facets else 0,
        levels=levels,
        node_count=2 ** (levels + 1),
    )
    if facets:
        _fill_facets(scene, memory)
        _fill_laws(scene, memory, touches, floors, media)
        make_room(memory, 2 * facets + SPARE, facets + SPARE)
    return memory


def _fill_facets(scene: Any, memory: TouchMemory) -> None:
    first, limits = 0, []
    held = np.zeros(scene.count, bool)
    held[scene.held] = True
    sizes = []
    for number, (name, each) in enumerate(scene.objects.items()):
        count = len(each.facets)
        if not count:
            continue
        ends = each.facets + scene.first[name]
        part = slice(first, first + count)
        memory.ends[3 * first : 3 * (first + count)] = ends.ravel()
        memory.owner[part] = number
        memory.fixed[part] = held[ends].all(axis=1)
        span = float(np.linalg.norm(np.ptp(each.points, axis=0)))
        limit = 0.5 * min(thickness(each.points, each.facets), span)
        memory.limit[part] = limit
        limits.append(limit)
        memory.sharp[scene.first[name] + sharp(each.points, each.facets)] = 1
        sizes.append(np.ptp(each.points[each.facets], axis=1).max(axis=1))
        first += count
    memory.least = min(limits)
    memory.extent = float(np.median(np.concatenate(sizes))) or 1.0
    memory.widest = float(np.linalg.norm(np.ptp(scene.points, axis=0))) or 1.0
    memory.wish = 0.25 * memory.extent


def sharp(points: Any, facets: Any) -> Any:
    """The numbers of points at edges where facets turn by more than 60°, or where only one has the edge."""
    a, b, c = (points[facets[:, k]] for k in range(3))
    normals = np.cross(b - a, c - a)
    sizes = np.linalg.norm(normals, axis=1, keepdims=True)
    normals = np.divide(normals, sizes, out=np.zeros_like(normals), where=sizes > 0.0)
    edges = np.sort(np.concatenate([facets[:, [0, 1]], facets[:, [1, 2]], facets[:, [2, 0]]]), axis=1)
    rows, place = np.unique(edges, axis=0, return_inverse=True)
    total = np.zeros((len(rows), 3))
    np.add.at(total, place.ravel(), np.tile(normals, (3, 1)))
    # |n₁ + n₂|² = 2 + 2 cos
    return np.unique(rows[np.einsum("ec,ec->e", total, total) < 2.0 + 2.0 * TURNED])


def _fill_laws(scene: Any, memory: TouchMemory, touches: Any, floors: Any, media: Any) -> None:
    numbers = {name: k for k, name in enumerate(scene.objects)}
    for k, touch in enumerate(touches):
        pair = (-1, -1) if touch.between is None else tuple(numbers[name] for name in touch.between)
        law = (touch.bedding, touch.damping, touch.static, touch.friction, float(touch.self_contact))
        memory.laws[LAW * k : LAW * (k + 1)] = (*law, *pair, touch.depth or 0.0)
        memory.least = min(memory.least, touch.depth or np.inf)
    for k, floor in enumerate(floors):
        level = float(np.dot(floor.normal, floor.at))
        law = (floor.bedding, floor.damping, float(floor.pulls), floor.static, floor.friction)
        memory.floors[FLOOR * k : FLOOR * (k + 1)] = (*floor.normal, level, *law)
    for k, medium in enumerate(media):
        memory.media[2 * k : 2 * k + 2] = medium.viscosity, float(medium.power)


def make_room(memory: TouchMemory, pairs: int, rows: int) -> None:
    """Room for more pairs and rows of friction; what is there stays."""
    base = 3 * memory.floor_count * memory.facet_count
    for name in ("other", "law", "state", "next_state", "old_other", "old_state"):
        setattr(memory, name, _longer(getattr(memory, name), pairs, np.int64))
    memory.grip = _longer(memory.grip, base + 3 * pairs, float)
    memory.old_grip = _longer(memory.old_grip, 3 * pairs, float)
    memory.room = pairs
    ends = np.zeros((2, rows, 7), np.int64)
    table = np.zeros((2, rows, ROW))
    kept = min(int(memory.rows_room), rows)
    if kept:
        table[:, :kept] = np.array(memory.rows).reshape(2, -1, ROW)[:, :kept]
        ends[:, :kept] = np.array(memory.row_ends).reshape(2, -1, 7)[:, :kept]
    memory.rows, memory.row_ends = table.ravel(), ends.ravel()
    for name in ("reach", "answers"):
        by_speeds = np.zeros((2, rows, 2 * memory.speeds))
        if kept and memory.speeds:
            by_speeds[:, :kept] = np.array(getattr(memory, name)).reshape(2, -1, 2 * memory.speeds)[:, :kept]
        setattr(memory, name, by_speeds.ravel())
    memory.rows_room = rows


def _longer(array: Any, size: int, kind: Any) -> Any:
    new = np.zeros(size, kind)
    new[: min(len(array), size)] = array[:size]
    return new


def relieve(memory: ParticleMemory) -> bool:
    """More room, if native code stopped for want of it."""
    touch = memory.touch
    if not touch.lack:
        return False
    lack = 2 * int(touch.lack)
    make_room(touch, max(int(touch.room), lack), max(int(touch.rows_room), lack))
    touch.lack = 0
    return True


KEPT = ("first", "other", "law", "state", "grip", "listed", "deep")
NUMBERS_KEPT = ("margin", "wish", "pairs", "deepest")


def touch_state(memory: TouchMemory) -> dict[str, Any] | None:
    """Which pairs are in contact and what friction holds: what a run goes on from."""
    if not memory.facet_count:
        return None
    state: dict[str, Any] = {name: np.array(getattr(memory, name)) for name in KEPT}
    return state | {name: getattr(memory, name) for name in NUMBERS_KEPT}


def continue_touch(memory: TouchMemory, state: dict[str, Any] | None) -> None:
    """Goes on from that state; from none where the facets are others."""
    if state is None or len(state["first"]) != len(memory.first) or len(state["deep"]) != memory.count:
        return
    make_room(memory, max(int(memory.room), len(state["other"])), int(memory.rows_room))
    for name in KEPT:
        getattr(memory, name)[: len(state[name])] = state[name]
    for name in NUMBERS_KEPT:
        setattr(memory, name, state[name])
    memory.fresh, memory.built = False, True
