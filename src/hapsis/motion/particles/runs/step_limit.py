"""What bounds the steps of a run where they are explicit: the stiffest or most damped particle or body."""

from typing import Any

import numpy as np

from hapsis.motion.particles.objects.connectors import Slide
from hapsis.motion.solvers.particles.particle_memory import NUMBERS, ParticleMemory

NOTHING = "nothing is stiff"
MET = 1e-4  # of the distance at the start: particles that came to one place


def step_limit(scene: Any, memory: ParticleMemory) -> str:
    """The longest calm step at the end of the run and what it comes from; see `stable_step`."""
    n = int(memory.count)
    ease = np.array(memory.ease[:n])
    rows = np.stack([np.array(memory.stiff[:n]), np.array(memory.damp[:n])])
    planes = np.array(memory.planes[: NUMBERS * int(memory.plane_count)]).reshape(-1, NUMBERS)
    pressed = np.array(memory.normal[: n * len(planes)]).reshape(len(planes), n) > 0.0
    more = planes[:, 6:8].T @ pressed
    if memory.touch.facet_count:
        more += np.stack([np.array(memory.touch.stiff[:n]), np.array(memory.touch.damp[:n])])
    m = memory.model
    pieces = int(m.piece_count)
    if pieces:
        law = np.array(m.piece_law[: 6 * pieces]).reshape(pieces, 6)
        more += law[:, :2].T @ (np.array(m.push[: n * pieces]).reshape(pieces, n) > 0.0)
    inner, rows = calm(*rows), rows + more * ease
    steps = calm(*rows)
    k = int(np.argmin(steps))
    body = float(calm(np.array(float(m.body_stiff)), np.array(float(m.body_damp)))) if pieces else np.inf
    if min(float(steps[k]), body) > 1e200:
        return NOTHING
    if body < steps[k]:
        stiff, damp, what = float(m.body_stiff), float(m.body_damp), "contacts of bodies"
    else:
        stiff, damp = (float(x) for x in rows[:, k])
        what = f"{'contacts' if inner[k] > 2.0 * steps[k] else 'connectors'} at {scene.particle_name(k)}"
    law_of = "damping" if 0.25 * damp**2 > 0.3 * stiff else "stiffness"
    return f"{min(float(steps[k]), body):.3g} s by the {law_of} of {what}"


def turned_joint(scene: Any, memory: ParticleMemory) -> str:
    """Ends of a joint spring whose fourth particle changed its side in the step tried last; empty if none."""
    table, _ = scene.table("joints")
    if not len(table):
        return ""
    sides: list[Any] = []
    for x in (memory.x, memory.next_x):
        a, c, b, d = (np.array(x).reshape(-1, 3)[table.ends[:, k]] for k in range(4))
        sides.append(np.einsum("ni,ni->n", np.cross(a - c, b - c), d - c) < 0.0)
    turned = np.flatnonzero(sides[0] != sides[1])
    if not len(turned):
        return ""
    names = [f'"{scene.particle_name(int(k))}"' for k in table.ends[turned[0]]]
    return f"of {', '.join(names[:3])} and {names[3]}"


def met_particles(scene: Any, memory: ParticleMemory, kind: Any = object) -> str:
    """What is said of an angle whose particles came to one place, where it is not known; "" of none.

    kind   of connectors that are looked at
    """
    if kind is not object and not any(isinstance(each, kind) for each in scene.connectors.values()):
        return ""
    x, first = np.array(memory.x).reshape(-1, 3), scene.points
    names = list(scene.connectors)
    for ends, group, width in (
        (memory.torsion_ends, memory.torsion_group, 3),
        (memory.joint_ends, memory.joint_group, 4),
    ):
        count = len(ends) // width
        rows = np.array(ends[: width * count]).reshape(count, width)
        for k in (0, 2):
            arms, whole = (np.linalg.norm(p[rows[:, k]] - p[rows[:, 1]], axis=1) for p in (x, first))
            short = [int(n) for n in np.flatnonzero(arms < MET * whole)]
            of = [scene.connectors[names[int(group[n]) - 1]] if group[n] else None for n in short]
            short = [n for n, each in zip(short, of, strict=True) if isinstance(each, kind)]
            if not short:
                continue
            n = short[0]
            centre, end = (scene.particle_name(int(rows[n, m])) for m in (1, k))
            if not int(group[n]):
                return f"{centre} and {end} came to one place, where an angle of their object is not known"
            name = names[int(group[n]) - 1]
            if isinstance(scene.connectors[name], Slide):
                return (
                    f'the slider {centre} of "{name[:60]}" is at the end of its rail, {end}, where its angle '
                    "is not known: make the rail longer, or stop the slider before"
                )
            return f'{centre} and {end} came to one place, where the angle of "{name[:60]}" is not known'
    return ""


def calm(k: Any, d: Any) -> Any:
    """The longest calm step of ω² = k with the rate d of damping; 1e300 of none."""
    size = 0.5 * d + np.sqrt(0.25 * d * d + 0.3 * k)
    return np.where(size > 0.0, 1.0 / np.maximum(size, 1e-300), 1e300)
