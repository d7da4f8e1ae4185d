"""Methods of runs of scenes: what each of them takes, and the run of one."""

from typing import Any

from hapsis.errors import SolveError
from hapsis.motion.particles.runs.implicit_run import ImplicitRun
from hapsis.motion.particles.runs.smooth_run import SmoothRun
from hapsis.motion.particles.scenes.scene import Scene
from hapsis.motion.simulate.run.run_options import RunOptions
from hapsis.motion.solvers.particles.particle_memory import ParticleMemory

SMOOTH = ("order5", "order8")


def check_method(scene: Scene, method: str) -> None:
    """An error for what the method does not know, by its name."""
    if method != "implicit" and method not in SMOOTH:
        return
    floors = scene.floors.items()
    unknown: dict[str, Any] = {
        "Touch": scene.touches,
        "Medium": scene.media,
        "hand": scene.hands,
        "BodyContact": scene.body_contacts,
        "Floor with a bedding": [name for name, each in floors if each.bedding > 0.0],
    }
    if method in SMOOTH:
        unknown["Floor with friction"] = [name for name, each in floors if each.static]
        unknown["object that flows or tears"] = [
            name
            for name, each in scene.objects.items()
            if any((each.springs.plastic > 0.0) | (each.springs.breaking > 0.0))
            or any((each.cells.plastic > 0.0) | (each.cells.breaking > 0.0))
        ]
    remedy = 'leave it out, or use method="energy"'
    for kind, names in unknown.items():
        if names:
            which = f'{kind}, "{next(iter(names))[:60]}"'
            raise SolveError(f'the method "{method}" knows no {which}', remedy=remedy)
    if scene.model is not None:
        raise SolveError(f'the method "{method}" knows no scenes with a Model', remedy=remedy)
    if scene.step.alpha is not None or scene.step.beta is not None:
        raise SolveError(
            f'the method "{method}" has no alpha and beta', remedy="leave them out of EnergyStep"
        )


def method_run(
    scene: Scene, memory: ParticleMemory, options: RunOptions, samples: Any
) -> ImplicitRun | SmoothRun | None:
    """The run of a method; None for those of `energy_step`."""
    if options.method == "implicit":
        return ImplicitRun(scene, memory)
    return SmoothRun(scene, memory, options, samples) if options.method in SMOOTH else None
