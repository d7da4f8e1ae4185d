"""What a run says of surfaces that touched: columns, and how deep they went."""

from typing import Any

import numpy as np

from hapsis.motion.particles.scenes.overlap_check import deep_pair
from hapsis.motion.solvers.particles.particle_memory import ParticleMemory
from hapsis.motion.solvers.particles.touch.touch_memory import NUMBERS

UNITS = {"force": "N", "volume": "m^3", "depth": "m", "contacts": "1"}
DEEP = 0.5  # of the limit: a warning
LOST = 1e-3  # of the energy exchanged, that contacts may lose which are too deep


def touch_names(scene: Any) -> list[str]:
    """Touches, then floors on which facets rest."""
    return [*scene.touches, *(name for name, floor in scene.floors.items() if floor.bedding > 0.0)]


def touch_columns(scene: Any, memory: ParticleMemory, rows: int) -> dict[str, Any]:
    """NAME.force (normal), .volume, .depth and .contacts of each touch and floor of facets."""
    names = touch_names(scene)
    if not memory.touch.facet_count or not names:
        return {}
    table = np.array(memory.touch.samples[: NUMBERS * len(names) * rows]).reshape(rows, len(names), NUMBERS)
    return {f"{name}.{what}": table[:, k, m] for k, name in enumerate(names) for m, what in enumerate(UNITS)}


def touch_units(scene: Any) -> dict[str, str]:
    """The units of these columns."""
    return {f"{name}.{what}": unit for name in touch_names(scene) for what, unit in UNITS.items()}


def touch_report(memory: ParticleMemory) -> dict[str, Any]:
    """How deep contacts went, by their limit, and the work that the search of pairs made."""
    touch = memory.touch
    if not touch.facet_count:
        return {}
    return {
        "deepest": float(touch.most),
        "let_go": float(touch.dropped),
        "touch_lists": int(touch.lists),
        "touch_pairs": int(touch.pairs),
        "friction_passes": int(touch.passes),
    }


def touch_faults(scene: Any, memory: ParticleMemory, exchanged: float) -> tuple[str, str]:
    """Status and message of a run whose contacts went too deep, or whose steps were too long to see them."""
    touch = memory.touch
    if not touch.facet_count:
        return "", ""
    if touch.most >= 1.0 or touch.dropped > LOST * exchanged:
        return (
            "contact too deep",
            f"{_pair(scene, touch)} overlap by {touch.most:.3g} of the limit: " + REMEDY,
        )
    deep = _within(scene, memory)
    if deep:
        return "objects overlap", deep
    if touch.far_steps:
        return (
            "contacts unseen",
            f"in {int(touch.far_steps)} steps things moved too far to see contacts: use shorter steps",
        )
    return "", ""


def _within(scene: Any, memory: ParticleMemory) -> str:
    """The message of objects that lie within each other, at the start or at the end."""
    touch, owners = memory.touch, list(scene.objects)
    limits = {
        owners[int(k)]: float(limit) for k, limit in zip(touch.owner[:-1], touch.limit[:-1], strict=True)
    }
    if not scene.touches:
        return ""
    laws = NUMBERS * len(scene.touches)
    states = (
        ("start", scene.points, touch.samples[2:laws:NUMBERS]),
        ("end", np.array(memory.x).reshape(-1, 3), touch.numbers[2:laws:NUMBERS]),
    )
    for when, points, seen in states:
        pair = deep_pair(scene, points, limits, float(max(seen)))
        if pair:
            a, b = (name[:60] for name in pair)
            return f'"{a}" lies in "{b}" at the {when}, too deep to touch it: move them apart'
    return ""


REMEDY = "give a higher bedding, or its depth if the objects are thicker"


def touch_warnings(scene: Any, memory: ParticleMemory) -> list[str]:
    """A warning where a contact came near its limit."""
    touch = memory.touch
    if touch.facet_count and DEEP <= touch.most < 1.0:
        return [f"{_pair(scene, touch)} overlap by {touch.most:.3g} of the limit: {REMEDY}"]
    return []


def _pair(scene: Any, touch: Any) -> str:
    objects = list(scene.objects)
    floors = [name for name, floor in scene.floors.items() if floor.bedding > 0.0]
    a, b = int(touch.most_a), int(touch.most_b)
    if a < 0:
        return "facets at edges"
    other = objects[b] if b >= 0 else floors[-1 - b]
    return f'"{objects[a][:60]}" and "{other[:60]}"'
