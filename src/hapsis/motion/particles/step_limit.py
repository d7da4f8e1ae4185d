"""What bounds the steps of a run where they are explicit: the stiffest or most damped particle or body."""

from typing import Any

import numpy as np

from hapsis.motion.solvers.particles.particle_memory import NUMBERS, ParticleMemory


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
        return "nothing is stiff"
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


def calm(k: Any, d: Any) -> Any:
    """The longest calm step of ω² = k with the rate d of damping; 1e300 of none."""
    size = 0.5 * d + np.sqrt(0.25 * d * d + 0.3 * k)
    return np.where(size > 0.0, 1.0 / np.maximum(size, 1e-300), 1e300)
