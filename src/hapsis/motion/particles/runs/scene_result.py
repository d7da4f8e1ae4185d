"""Columns and pictures of the motion of a scene."""

from typing import Any, NamedTuple

import numpy as np

from hapsis.motion.particles.runs.model_columns import ModelColumns, model_units, with_model
from hapsis.motion.particles.runs.touch_result import touch_columns, touch_units
from hapsis.motion.particles.scenes.scene import Scene
from hapsis.motion.particles.scenes.scene_model import SceneModel
from hapsis.motion.solvers.particles.particle_memory import ParticleMemory

ENERGIES = ("kinetic", "potential", "dissipated", "work", "step")
TENSION = "tension"  # of a cord, N
POINTS, SPEEDS = "points", "velocities"
MOST_DRAWN = 400  # particles that the player shows one by one


class ParticleState(NamedTuple):
    """What a run goes on from."""

    x: Any  # (n, 3)
    v: Any
    rest: Any  # of springs, some of which may have flowed
    group: Any  # of springs, some of which may be torn
    slopes: Any  # of cells, some of which may have flowed
    volume: Any  # of cells, 0 where they are torn
    flowed: Any  # of cells, strain
    h: float
    model: Any = None  # of the scene's Model, see `ModelState`
    touch: Any = None  # which facets touch, see `touch_state`
    objects: tuple[tuple[str, int], ...] = ()  # names and numbers of particles


def columns_of(
    scene: Scene, memory: ParticleMemory, rows: int, model: SceneModel | None = None
) -> tuple[dict[str, Any], Any]:
    """The columns by name, and a function that returns others: OBJECT.points, .velocities, OBJECT.NUMBER."""
    n = scene.count
    x = np.array(memory.sample_x[: 3 * n * rows]).reshape(rows, n, 3)
    v = np.array(memory.sample_v[: 3 * n * rows]).reshape(rows, n, 3)
    columns: dict[str, Any] = {}
    for name, each in scene.objects.items():
        part = slice(scene.first[name], scene.first[name] + len(each))
        share = each.masses / each.mass
        center, speed = (np.einsum("n,tnc->tc", share, array[:, part]) for array in (x, v))
        columns |= {f"{name}.{c}": center[:, k] for k, c in enumerate("xyz")}
        columns |= {f"{name}.v{c}": speed[:, k] for k, c in enumerate("xyz")}
    columns |= touch_columns(scene, memory, rows)
    numbers = np.array(memory.sample_numbers[: 5 * rows]).reshape(rows, 5)
    columns |= {name: numbers[:, k] for k, name in enumerate(ENERGIES)}
    tensions = np.array(memory.sample_tensions[: len(scene.cords) * rows]).reshape(rows, len(scene.cords))
    columns |= {f"{name}.{TENSION}": tensions[:, k] for k, name in enumerate(scene.cords)}
    columns["energy"] = columns["kinetic"] + columns["potential"]
    more = None if model is None else ModelColumns(model, memory, rows)
    if more is not None:
        columns = more.joined(columns)

    def on_request(name: str) -> Any:
        owner, _, what = name.rpartition(".")
        if owner not in scene.objects:
            return None if more is None else more.on_request(name)
        first, count = scene.first[owner], len(scene.objects[owner])
        if what == POINTS:
            return x[:, first : first + count]
        if what == SPEEDS:
            return v[:, first : first + count]
        known = what.isdecimal() and what.isascii() and int(what) < count
        return x[:, first + int(what)] if known else None

    return columns, on_request


def units_of(scene: Scene, names: tuple[str, ...], model: SceneModel | None = None) -> dict[str, str]:
    """The units of columns."""
    units = {name: "J" for name in (*ENERGIES, "energy")} | {"step": "s"}
    for each in scene.objects:
        units |= {f"{each}.{c}": "m" for c in "xyz"} | {f"{each}.v{c}": "m/s" for c in "xyz"}
    units |= {f"{each}.{TENSION}": "N" for each in scene.cords}
    if model is not None:
        units |= model_units(model, names)
    units |= touch_units(scene)
    return {name: units[name] for name in names if name in units}


def drawn_scene(
    scene: Scene, memory: ParticleMemory, rows: int, model: SceneModel | None = None
) -> dict[str, Any]:
    """Objects with facets as surfaces that deform, the particles of others as balls, for the player."""
    import hapsis.view as view

    n = scene.count
    x = np.array(memory.sample_x[: 3 * n * rows]).reshape(rows, n, 3)
    skins, single = list[Any](), list[int]()
    for name, each in scene.objects.items():
        first = scene.first[name]
        if len(each.facets):
            used, triangles = np.unique(each.facets, return_inverse=True)
            skins.append(view.Skin(name, x[:, first + used], triangles.reshape(-1, 3)))
        else:
            single += range(first, first + len(each))
    step = -(-len(single) // MOST_DRAWN) or 1
    shown = single[::step]
    size = float(np.linalg.norm(np.ptp(scene.points, axis=0))) or 1.0
    ball = [{"type": "sphere", "radius": 0.01 * size}]
    names = [f"{name}.{k}" for name, each in scene.objects.items() for k in range(len(each))]
    floors = [_floor_body(floor) for floor in scene.floors.values()]
    poses = np.zeros((rows, len(shown) + len(floors), 7))
    poses[:, : len(shown), :3], poses[:, : len(shown), 3] = x[:, shown], 1.0
    for k, (_, pose) in enumerate(floors, len(shown)):
        poses[:, k] = pose
    bodies = [view.Drawn(names[k], ball) for k in shown] + [body for body, _ in floors]
    up = -np.array(scene.gravity) if any(scene.gravity) else np.array([0.0, 0.0, 1.0])
    drawn: dict[str, Any] = {"bodies": bodies, "poses": poses, "up": up, "skins": skins}
    return drawn if model is None else with_model(drawn, model, memory, rows)


def _floor_body(floor: Any) -> tuple[Any, Any]:
    """A floor as a plane that stays where it is, and its pose."""
    import hapsis.view as view

    nx, ny, nz = floor.normal
    # the turn from z to the normal
    q = np.array([1.0 + nz, -ny, nx, 0.0]) if nz > -0.999999 else np.array([0.0, 1.0, 0.0, 0.0])
    pose = np.concatenate([floor.at, q / np.linalg.norm(q)])
    return view.Drawn(floor.name, [{"type": "plane"}]), pose
