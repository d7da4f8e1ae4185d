"""A scene of particles as a page runs it: its native step in WebAssembly, surfaces that deform, and a hand
that holds the particles near a point.

step0(y, u, live, y_new, out, memory)      one tick; y is the positions, the velocities and the time
guard(wanted, sample, safe, memory)        the force that the hand may have

What a page changes are numbers of the memory: forces on particles, gravity, and the gain of connectors.
"""

import base64
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from typing import Any

import numpy as np

from hapsis.compiler.backends.wasm.wasm import wasm_module
from hapsis.compiler.native.wasm_memory import LINE, Image, helper, image, places
from hapsis.errors import ModelError, check_known
from hapsis.live.live_contact import parts
from hapsis.live.live_model import STRONGEST, Coupling, hand_guard
from hapsis.live.sliders import slider_range
from hapsis.motion.particles.runs.scene_step import SceneStep
from hapsis.motion.particles.scenes.scene import Scene
from hapsis.motion.solvers.particles.scene_tick import scene_tick
from hapsis.touch.realtime.guard import tick
from hapsis.view.colours import STILL, rgb
from hapsis.view.skins import Skin, skin_body

MOST = 3000  # particles in a page
FIRM = 6.0  # Hz, at which the hand would swing all of the scene
SLIDERS = {"gravity.z": ("m/s²", (-20.0, 5.0)), "stiffness": ("times", (0.2, 4.0))}


def particle_content(
    scene: Scene, rate: float, chosen: Any = None, outputs: Iterable[str] | None = None
) -> dict[str, Any]:
    """What a page needs to compute the motion of a scene: see `view/web/src/live/package.ts`.

    chosen    the numbers that get a slider, of SLIDERS, or {name: (low, high)}
    """
    if scene.count > MOST:
        raise ModelError(f"the scene has {scene.count} particles", expected=f"at most {MOST} in a page")
    bare = [name for name, each in scene.objects.items() if not len(each.facets)]
    if bare:
        raise ModelError(f'"{bare[0][:60]}" has no facets, so that a page could not draw it', where="share")
    shown = tuple(outputs) if outputs is not None else _curves(scene)
    step = SceneStep(scene, 1.0 / rate, (), tuple(dict.fromkeys((*shown, "energy", "behind"))))
    mass = float(scene.masses.sum())
    hand = Coupling(mass * (2.0 * np.pi * FIRM) ** 2, mass, min(300.0 * mass, STRONGEST))
    guard = hand_guard(hand, step.dt)
    module = wasm_module([], {"guard": helper(tick), "step0": helper(scene_tick)})
    hand_memory = image(guard.memory, module.heap)
    free = -(-(module.heap + len(hand_memory)) // LINE) * LINE
    laid = Image(step.tick, free, {})
    n = 3 * scene.count
    sliders = _sliders(scene, chosen, n, _springs_of_objects(step))
    p = np.concatenate([np.zeros(n), scene.gravity, [1.0]])
    memory = step.memory
    kernels = [
        {"prepare": "", "places": range(n), "address": laid.address(memory.push)},
        {"prepare": "", "places": range(n, n + 3), "address": laid.address(memory.gravity)},
        {"prepare": "", "places": [n + 3], "address": laid.address(memory.gain)},
    ]
    native = {"address": free, "size": len(laid.content), "parts": parts(laid.content)}
    native["kernels"] = [{**kernel, "places": list(kernel["places"])} for kernel in kernels]
    states = [{"name": "x", "size": n}, {"name": "v", "size": n}, {"name": "t", "size": 1}]
    given = [{"name": name, "size": 1} for name in step.outputs]
    units = step.units
    signals = [
        {"name": name, "unit": units[name], "output": True, "port": 3 + k, "place": 0}
        for k, name in enumerate(step.outputs)
    ]
    return {
        "dt": step.dt,
        "wasm": base64.b64encode(module.bytes).decode(),
        "step": {"parameters": False, "inputs": states, "outputs": [*states, *given]},
        "steps": [{"parameters": False, "prepared": 0, "pivots": None, "units": [], "native": native}],
        "view": {"parameters": False, "inputs": states[:2], "outputs": []},
        "gap": None,
        "digest": step.digest[:16],
        "p": p.tolist(),
        "start": [step.start[:n].tolist(), step.start[n:-1].tolist(), [0.0]],
        "states": 3,
        "handles": [{"body": name, "places": [-1] * 6} for name in scene.objects],
        "coupling": asdict(hand),
        "parameters": sliders,
        "inputs": [],
        "signals": signals,
        "shown": [step.outputs.index(name) for name in shown][:3],
        "sounds": [],
        "press": None,
        "facts": _facts(scene),
        "guard": {"image": base64.b64encode(hand_memory).decode(), "places": places(guard.memory)},
        "particles": {"objects": _objects(scene), "masses": scene.masses.tolist(), "pushes": 0},
        **drawn_particles(scene),
    }


def drawn_particles(scene: Scene) -> dict[str, Any]:
    """The scene as it is drawn, and its size."""
    up = -np.array(scene.gravity)
    up = up / np.linalg.norm(up) if up.any() else np.array([0.0, 0.0, 1.0])
    right = np.eye(3)[0] if abs(up[0]) < 0.9 else np.eye(3)[1]
    points = scene.points
    bodies = []
    for k, (name, each) in enumerate(scene.objects.items()):
        bodies.append(skin_body(Skin(name, each.points[None], each.facets), scene.first[name], k))
    heights = [float(np.dot(f.at, up)) for f in scene.floors.values() if np.dot(f.normal, up) > 0.99]
    size = float(np.linalg.norm(np.ptp(points, axis=0))) or 1.0
    table = {
        "up": up.tolist(),
        "side": np.cross(right, up).tolist(),
        "planar": False,
        "size": size,
        "floor": max(heights) if heights else None,
        "slope": None,
        "world": {"name": "world", "color": rgb(STILL, "world"), "shapes": []},
        "bodies": bodies,
        "connections": [],
        "meshes": [],
        "notices": [],
        "changes": [],
    }
    return {"scene": table, "size": size}


def _curves(scene: Scene) -> tuple[str, ...]:
    """What is plotted where nothing is asked for."""
    return (f"{next(iter(scene.objects))}.z", "kinetic", "potential")


def _objects(scene: Scene) -> list[dict[str, Any]]:
    sizes = {name: float(np.linalg.norm(np.ptp(each.points, axis=0))) for name, each in scene.objects.items()}
    return [
        {"first": scene.first[name], "count": len(each), "size": sizes[name]}
        for name, each in scene.objects.items()
    ]


def _springs_of_objects(step: SceneStep) -> bool:
    """Whether objects have springs, whose gain a page changes; materials have none."""
    memory = step.memory
    groups = (memory.spring_group, memory.torsion_group, memory.joint_group)
    counts = (memory.spring_count, memory.torsion_count, memory.joint_count)
    return any((np.asarray(g)[: int(n)] == 0).any() for g, n in zip(groups, counts, strict=True))


def _sliders(scene: Scene, chosen: Any, first: int, springs: bool) -> list[dict[str, Any]]:
    """The numbers that can be changed; p has them behind the forces on particles."""
    values = {"gravity.z": (scene.gravity[2], first + 2), "stiffness": (1.0, first + 3)}
    usual = [name for name in SLIDERS if springs or name != "stiffness"]
    names = usual if chosen is None else [chosen] if isinstance(chosen, str) else list(chosen)
    if "stiffness" in names and not springs:
        raise ModelError(
            "the stiffness slider scales springs, and the objects of this scene have none",
            remedy='choose other parameters, as ["gravity.z"], or objects with stiffness=',
        )
    entries: list[dict[str, Any]] = []
    for name in names:
        check_known(name, SLIDERS, "a page of particles has no slider for {}")
        unit, reach = SLIDERS[name]
        asked = chosen[name] if isinstance(chosen, Mapping) else reach
        value, place = values[name]
        entry = {"group": "Scene", "name": name, "label": name, "unit": unit, "value": value, "place": place}
        entries.append(entry | slider_range(name, asked, value))
    return entries


def _facts(scene: Scene) -> str:
    """One quiet line: what the scene is."""
    tables = ("springs", "torsions", "joints")
    connectors = sum(len(scene.table(kind)[0]) for kind in tables)
    cells = sum(len(each.cells) for each in scene.objects.values())
    return f"{scene.count} particles, {connectors + cells} connectors"
