"""A scene as the memory of native code."""

from typing import Any

import numpy as np

from hapsis.errors import ModelError
from hapsis.motion.particles.scenes.hands import fill_hands
from hapsis.motion.particles.scenes.scene import Scene
from hapsis.motion.particles.scenes.scene_model import SceneModel, model_memory, model_scale
from hapsis.motion.particles.scenes.scene_shapes import obstacle_memory
from hapsis.motion.particles.scenes.touch_table import continue_touch, touch_memory
from hapsis.motion.solvers.particles.particle_memory import ParticleMemory

SLIGHT = 1e-12  # of the largest coordinate: particles that are nearer are in one place
PREFIX = {"springs": "spring", "torsions": "torsion", "joints": "joint"}


def scene_memory(
    scene: Scene, samples: Any, state: Any = None, model: SceneModel | None = None, ticked: bool = False
) -> ParticleMemory:
    """The memory of a run with rows at these times, from the start of the scene or a state.

    ticked   whether the run is ticks of a loop
    """
    tables = {kind: scene.table(kind) for kind in PREFIX}
    if state is None:
        _check_angles(scene, tables)
    cells = scene.cells
    floors = [floor for floor in scene.floors.values() if floor.stiffness > 0.0]
    others: dict[str, Any] = {}
    if model is not None:
        others["model"] = model_memory(scene, model, len(samples))
    elif scene.body_contacts:
        others["model"] = obstacle_memory(scene, len(samples))
    memory = ParticleMemory(
        count=scene.count,
        plane_count=len(floors),
        group_count=1 + len(scene.connectors),
        sample_count=len(samples),
        touch=touch_memory(scene, len(samples), model.facet_speeds(scene) if model else 0),
        spring_count=len(tables["springs"][0]),
        torsion_count=len(tables["torsions"][0]),
        joint_count=len(tables["joints"][0]),
        hand_count=len(scene.hands),
        object_count=len(scene.objects),
        facet_count=sum(len(each.facets) for each in scene.objects.values()) if scene.hands else 0,
        cell_count=len(cells),
        cell_end_count=len(cells.ends),
        limited=limited(scene),
        modelled=model is not None or bool(scene.body_contacts),
        cord_count=len(scene.cords),
        inner_count=3 * scene.count if ticked else 0,
        **others,
    )
    memory.mass[:] = scene.masses
    memory.ease[:] = 1.0 / scene.masses
    memory.ease[scene.held] = 0.0
    if model is not None:
        carried = [k for k, *_ in model.places]
        memory.mass[carried] = memory.ease[carried] = 0.0  # their masses are those of bodies
    memory.gravity[:] = scene.gravity
    _fill_cords(scene, memory)
    memory.gain[: memory.group_count] = [1.0, *(float(each.on) for each in scene.connectors.values())]
    for kind, (table, groups) in tables.items():
        fill = {"ends": table.ends.ravel(), "group": groups, "rest": table.rest}
        fill |= {"stiffness": table.stiffness, "damping": table.damping}
        for name, values in fill.items():
            getattr(memory, f"{PREFIX[kind]}_{name}")[:] = values
    springs = tables["springs"][0]
    memory.spring_yield[:], memory.spring_break[:] = springs.plastic, springs.breaking
    memory.spring_whole[:] = springs.rest
    for name, values in cells.columns.items():
        getattr(memory, f"cell_{name}")[:] = values.ravel()
    for k, floor in enumerate(floors):
        size = len(floor.numbers)
        memory.planes[k * size : (k + 1) * size] = floor.numbers
    memory.sample_times[: len(samples)] = samples
    memory.t = float(samples[0])
    fill_hands(scene, memory)
    memory.x[:], memory.v[:] = scene.points.ravel(), scene.velocities.ravel()
    if state is not None and len(cells):
        memory.cell_slopes[:], memory.cell_volume[:] = state.slopes, state.volume
        memory.cell_flowed[:] = state.flowed
    if state is not None:
        continue_touch(memory.touch, state.touch)
        memory.x[:], memory.v[:] = state.x.ravel(), state.v.ravel()
        memory.spring_rest[:], memory.spring_group[:] = state.rest, state.group
    return memory


def limited(scene: Scene) -> bool:
    """Whether anything flows or tears."""
    tables = (table for each in scene.objects.values() for table in (each.springs, each.cells))
    return any(bool((table.plastic > 0.0).any() or (table.breaking > 0.0).any()) for table in tables)


def _check_angles(scene: Scene, tables: dict[str, Any]) -> None:
    """An error for a spring or an angle at the start whose particles are in the same place."""
    points = scene.points
    slight = SLIGHT * float(np.abs(points).max())
    springs, groups = tables["springs"]
    ends = points[springs.ends[:, 0]] - points[springs.ends[:, 1]]
    same = np.flatnonzero((np.linalg.norm(ends, axis=1) <= slight) & (springs.rest > slight))
    if len(same):
        row = int(same[0])
        names = [None, *scene.connectors][groups[row]]
        first, second = (scene.particle_name(int(k)) for k in springs.ends[row])
        raise ModelError(
            f'particles "{first}" and "{second}" are in one place, so that their spring has no direction',
            where="a spring" if names is None else f'connector "{names[:60]}"',
            remedy="move them apart",
        )
    for kind in ("torsions", "joints"):
        table, groups = tables[kind]
        acts = np.array([True, *(each.on for each in scene.connectors.values())])[np.array(groups, int)]
        for end in (0, 2):
            a, c = table.ends[:, end], table.ends[:, 1]
            same = np.flatnonzero(acts & (np.linalg.norm(points[a] - points[c], axis=1) <= slight))
            if len(same):
                row = int(same[0])
                names = [None, *scene.connectors][groups[row]]
                first, second = (scene.particle_name(int(k)) for k in (a[row], c[row]))
                raise ModelError(
                    f'particles "{first}" and "{second}" are in one place, so that an angle between them is '
                    "not known",
                    where=f"a {PREFIX[kind]} spring" if names is None else f'connector "{names[:60]}"',
                    remedy="choose particles that are apart",
                )


def _fill_cords(scene: Scene, memory: ParticleMemory) -> None:
    """The tables of cords."""
    points = scene.points
    for c, cord in enumerate(scene.cords.values()):
        ends = [scene.particle(end) for end in cord.ends]
        distance = float(np.linalg.norm(points[ends[0]] - points[ends[1]]))
        memory.cord_ends[2 * c : 2 * c + 2] = ends
        memory.cord_rest[c] = cord.rest or distance
        memory.cord_stiffness[c], memory.cord_damping[c] = cord.stiffness, cord.damping
        memory.cord_toe[c] = cord.toe


def energy_scale(scene: Scene, model: SceneModel | None = None) -> float:
    """About the energy that a scene can exchange, J: of motion, of falling by its size, of its connectors."""
    points, masses = scene.points, scene.masses.copy()
    masses[scene.held] = 0.0
    moving = 0.5 * float(masses @ np.einsum("nc,nc->n", scene.velocities, scene.velocities))
    g = np.array(scene.gravity)
    size = float(np.linalg.norm(np.ptp(points, axis=0)))
    heights = [(points - np.array(f.at)) @ np.array(f.normal) for f in scene.floors.values()]
    reach = max([size, *(float(abs(h).max()) for h in heights)])
    falling = float(masses.sum()) * float(np.linalg.norm(g)) * reach
    springs, _ = scene.table("springs")
    lengths = np.linalg.norm(points[springs.ends[:, 0]] - points[springs.ends[:, 1]], axis=1)
    bent = 0.5 * float(springs.stiffness @ (lengths - springs.rest) ** 2)
    # where nothing else is there, connectors that are strained by a hundredth
    cells = scene.cells
    stiff = 0.5e-4 * float(springs.stiffness @ springs.rest**2 + cells.volume @ cells.mu)
    of_model = model_scale(scene, model) if model is not None else 0.0
    total = moving + falling + bent + of_model
    # strains by rounding alone are none
    return total if total > 1e-24 * stiff else stiff or 1.0
