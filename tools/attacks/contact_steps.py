"""Random scenes in steps with contacts: no energy from nothing, momentum by impulses, friction by force.

Scenes of free bodies and chains over nine decades of sizes and masses (`tests/motion/contact_scenes.py`), and
extreme ones: steps, laws, friction and speeds that nothing can follow. Those must end with a status that says
when and where, or keep the laws.
"""

import json
import random
import sys
import warnings
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

import hapsis as hs
from attacks.mutation import ROOT
from attacks.table import Attack, Case, Impossible

sys.path.append(str(ROOT / "tests" / "motion"))
import contact_scenes

STEPS = 400
GAIN = 1e-8  # of the energy of the motion: steps are solved to 1e-9
MISSING = 1e-5  # of the momentum: drifts of what spins add 2e-10 in each of their parts


def case(kind: str, draw: random.Random) -> Case:
    """The kind of scene and the seed of the rest."""
    return Case(json.dumps([kind, draw.randrange(1 << 40)]).encode(), "json")


def scene_of(case: Case) -> tuple[str, Any]:
    """The kind and the scene of a case."""
    kind, seed = json.loads(case.data)
    draw = np.random.default_rng(seed)
    if kind == "chains":
        return kind, contact_scenes.mechanism(draw)
    scene = contact_scenes.scene(draw)
    if kind == "extremes":
        scene.step *= float(10.0 ** draw.uniform(-2.0, 4.0))
        speed = float(10.0 ** draw.uniform(-3.0, 4.0))
        scene.start |= {n: x * speed for n, x in scene.start.items() if n.split(".")[-1][0] in "wv"}
    return kind, scene


def run(case: Case, place: Path) -> Any:
    """The kind, the scene and its result."""
    kind, scene = scene_of(case)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", hs.Notice)
        return kind, scene, scene.run(STEPS)


def judge(ran: Any, case: Case, draw: random.Random, place: Path) -> None:
    """Impossible where a law does not hold."""
    kind, scene, result = ran
    if not result.success:
        clear = result.message.startswith("t = ") and len(result.message) > 20
        inside = kind == "chains" and result.t[-1] == 0.0  # some start inside the ground
        if not clear or not (kind == "extremes" or inside):
            raise Impossible(f"{result.status}: {result.message}")
        return
    if any(result[f"{name}.points"][0] > 0 for name in scene.contacts):
        return  # it starts inside something, which drives it out
    if kind != "bodies" and any("turn by more than" in warning for warning in result.warnings):
        return  # it was told
    gain = contact_scenes.growth(scene, result)
    allowed = scene.step**2 * scene.gravity / scene.size if kind == "chains" else GAIN
    if not gain <= allowed:
        raise Impossible(f"energy grows by {gain:.1e} of that of the motion")
    if kind == "bodies":
        check_momentum(scene, result)
    check_friction(scene, result)


def check_momentum(scene: Any, result: Any) -> None:
    """Impossible where momentum changes otherwise than by the ground and gravity."""
    linear, _ = contact_scenes.momenta(scene, result)
    mass = sum(scene.masses.values())
    given = np.outer(result.t, [0.0, 0.0, -scene.gravity * mass * scene.ground])
    for contact in scene.model.contacts.values():
        first, second = ("world" in repr(side) for side in (contact.first, contact.second))
        given += (float(second) - float(first)) * result[f"{contact.name}.impulse"]
    speed = max(np.abs(result[f"{name}.velocity"]).max() for name in scene.bodies)
    missing = np.abs(linear - linear[0] - given).max() / max(mass * speed, np.abs(given).max())
    if not missing <= MISSING:
        raise Impossible(f"{missing:.1e} of the momentum comes from nothing")


def check_friction(scene: Any, result: Any) -> None:
    """Impossible where a contact with the flat ground pulls, or has more friction than its limit."""
    for contact in scene.model.contacts.values():
        if not any("world" in repr(side) for side in (contact.first, contact.second)):
            continue
        push, force = result[f"{contact.name}.push"], result[f"{contact.name}.force"]
        law = contact.friction_law
        most = 0.0 if law is None else scene.model.value(law.mu if law.static is None else law.static)
        along = np.linalg.norm(push[:, :2], axis=1)
        if (force < 0.0).any() or (along > most * force * (1 + 1e-6) + 1e-9 * force.max(initial=0.0)).any():
            raise Impossible(f'contact "{contact.name}" has more friction than {most:g} of its force')


ATTACKS = [
    Attack(kind, partial(case, kind), run, judge, longest=60.0) for kind in ("bodies", "chains", "extremes")
]
