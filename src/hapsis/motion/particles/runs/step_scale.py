"""The energy of which a step may create a part: that of the least of the things that can exchange energy."""

from typing import Any

from hapsis.motion.particles.scenes.anchor import WORLD
from hapsis.motion.particles.scenes.scene import Scene
from hapsis.motion.particles.scenes.scene_memory import energy_scale
from hapsis.motion.particles.scenes.scene_model import SceneModel, model_scale

MODEL = ""  # in the list of things that exchange energy


def step_scale(scene: Scene, model: SceneModel | None = None) -> float:
    """The least of `energy_scale` of things that connectors, contacts or the Model join, J.

    What is heavy or far does not make steps long for what is light and has nothing to do with it.
    """
    groups = joined_objects(scene)
    if len(groups) < 2:
        return energy_scale(scene, model)
    scales: list[float] = []
    for group in groups:
        objects = [scene.objects[name] for name in group if name != MODEL]
        if all(len(each.held) == len(each) for each in objects):
            continue
        own = [
            fact
            for fact in (*scene.connectors.values(), *scene.cords.values())
            if fact.ends[0].rpartition(".")[0] in group
        ]
        part = Scene(*objects, *own, *scene.floors.values(), gravity=scene.gravity)
        of_model = model_scale(scene, model) if model is not None and MODEL in group else 0.0
        scales.append(energy_scale(part) + of_model)
    return min(scales, default=energy_scale(scene, model))


def joined_objects(scene: Scene) -> list[set[str]]:
    """Names of objects that can exchange energy with each other; MODEL stands for the Model."""
    pairs: list[list[str]] = []
    for fact in (*scene.connectors.values(), *scene.cords.values()):
        pairs.append([end.rpartition(".")[0] for end in fact.ends])
    for touch in scene.touches.values():
        surfaces = [name for name, each in scene.objects.items() if len(each.facets)]
        pairs.append(list(touch.between) if touch.between is not None else surfaces)
    pairs += [[MODEL, anchor.object] for anchor in scene.anchors.values() if anchor.to != WORLD]
    for contact in scene.body_contacts.values():
        if not contact.in_world:
            pairs.append([MODEL, *(contact.objects or scene.objects)])
    for hand in scene.hands.values():
        held: Any = getattr(hand, "particle", None)
        pairs.append([*scene.objects] if held is None else [held.rpartition(".")[0]])
    groups = [{name} for name in scene.objects]
    if scene.model is not None:
        groups.append({MODEL})
    for pair in pairs:
        touched = [group for group in groups if group & set(pair)]
        groups = [group for group in groups if group not in touched]
        groups.append(set().union(*touched))
    return [group for group in groups if group - {MODEL}]
