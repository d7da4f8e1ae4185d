"""The step of a scene of particles, as `hs.stepper` returns it: native code for loops, pages and calls."""

import hashlib
from typing import Any, NamedTuple, final

import numpy as np

from hapsis.compiler.native.record.records import block_of
from hapsis.errors import ModelError, SolveError, check_known
from hapsis.mechanics.model.values.numbers import described, real
from hapsis.motion.particles.runs.step_scale import step_scale
from hapsis.motion.particles.scenes.hands import AXES, Probe
from hapsis.motion.particles.scenes.scene import Scene
from hapsis.motion.particles.scenes.scene_memory import scene_memory
from hapsis.motion.particles.scenes.touch_table import relieve, touch_memory
from hapsis.motion.solvers.particles import scene_tick as native

Array = np.ndarray[Any, np.dtype[np.float64]]
PORTS = ("y", "u", "live", "y_new", "out")
MOST = 64  # evaluations of forces in a tick, if the step does not say
NUMBERS = {
    "kinetic": native.KINETIC,
    "potential": native.POTENTIAL,
    "energy": native.ENERGY,
    "steps": native.STEPS,
    "shortest": native.SHORTEST,
    "behind": native.BEHIND,
    "created": native.CREATED,
    "dissipated": native.LOST,
    "work": native.WORK,
}
UNITS = {"steps": "", "shortest": "s", "behind": "s"}


class SceneEnd(NamedTuple):
    """The state after a step, and its outputs by name."""

    x: Array
    v: Array
    t: float
    outputs: dict[str, float]


@final
class SceneStep:
    """One step of dt seconds of a scene; `hs.realtime.Loop` takes it, or call it.

        step(x=..., v=..., t=..., **{"tool.x.position": 0.1})    a SceneEnd; what is not given is the start
        start     positions, velocities and t at the start, in one vector
        rest      the inputs at the start
        failures  steps that found no motion; their states are not finite

    Within dt, steps follow the energy. No more than `most` evaluations of forces are made; the time that is
    left then is left out, and the output "behind" counts it. Each call goes on from what connectors that
    flow, contacts and hands remember of the call before; `reset()` forgets it.
    """

    not_exported = "a step of particles remembers and has no fixed length, which exported code cannot hold"
    model = None

    def __init__(self, scene: Scene, dt: float, inputs: Any, outputs: Any, most: int = MOST) -> None:
        if scene.model is not None:
            raise SolveError("a scene with a Model has no step yet", remedy="use hs.simulate(scene, ...)")
        self.scene, self.dt, self.most = scene, dt, most
        self.inputs, self.outputs = tuple(inputs), tuple(outputs)
        self.memory = scene_memory(scene, [0.0], ticked=True)
        self._options()
        self.tick = self._tick()
        self.start = np.concatenate([self.memory.x, self.memory.v, [0.0]])
        self.rest = np.array([self.memory.hands.place[k] for k in self.tick.input_hand[: len(self.inputs)]])
        self.notes = (f"at most {most} evaluations of forces a step",)
        self._fresh = np.array(block_of(self.memory).memory)
        self.kernel = native.scene_tick.bound(vary=PORTS, tick=self.tick)

    def _options(self) -> None:
        step, memory = self.scene.step, self.memory
        memory.sample_times[0] = np.inf
        memory.scale, memory.h = self.dt, self.dt
        memory.longest = self.dt if step.longest is None else min(self.dt, step.longest)
        memory.allowed = step.relative * step_scale(self.scene) if step.error is None else step.error
        if step.alpha is not None or step.beta is not None:
            memory.scheme, memory.alpha, memory.beta = 1, step.alpha or 0.0, step.beta or 0.0

    def _tick(self) -> native.SceneTick:
        scene = self.scene
        names = [name for hand in scene.hands.values() for name in hand.inputs]
        for name in self.inputs:
            if not names:
                raise ModelError(
                    f'a step of this scene takes no "{str(name)[:60]}": it has no hand',
                    remedy="add a Probe or a Grab to it",
                )
            check_known(name, names, "a step of this scene takes no {}", expected=", ".join(names[:6]))
        moved = [names.index(name) for name in self.inputs]
        table = _outputs(scene)
        for name in self.outputs:
            check_known(name, table, "a step of a scene gives no {}")
        chosen = [table[name] for name in self.outputs]
        tick = native.SceneTick(
            scene=self.memory,
            dt=self.dt,
            most=self.most,
            inputs=len(self.inputs),
            outputs=len(self.outputs),
            share=np.concatenate([each.masses / each.mass for each in scene.objects.values()]),
        )
        tick.input_hand[: len(moved)] = moved
        tick.output_kind[: len(chosen)] = [kind for kind, _ in chosen]
        tick.output_place[: len(chosen)] = [place for _, place in chosen]
        return tick

    def __call__(self, x: Any = None, v: Any = None, t: Any = None, **inputs: float) -> SceneEnd:
        """The state after one step from this one."""
        if x is None and v is None and t is None and int(self.tick.ticks):
            self.reset()
        y = self.start.copy()
        n = 3 * self.scene.count
        for given, part in ((x, slice(0, n)), (v, slice(n, 2 * n)), (t, slice(2 * n, 2 * n + 1))):
            if given is not None:
                values = state_numbers(given)
                if values.size != part.stop - part.start:
                    raise ModelError(
                        f"a state has {values.size} numbers, and {part.stop - part.start} are expected"
                    )
                y[part] = values
        u = np.append(self.rest, 0.0)
        for name, value in inputs.items():
            check_known(name, self.inputs, "the step has no input {}")
            u[self.inputs.index(name)] = real(value, name)
        y_new, out = np.zeros(len(y)), np.zeros(max(1, len(self.outputs)))
        self.kernel(y, u, np.zeros(1), y_new, out)
        relieve(self.memory)
        shape = (self.scene.count, 3)
        ends = dict(zip(self.outputs, out.tolist(), strict=False))
        return SceneEnd(y_new[:n].reshape(shape), y_new[n : 2 * n].reshape(shape), float(y_new[-1]), ends)

    @property
    def digest(self) -> str:
        """What tells the step from others."""
        numbers = [self.inputs, self.outputs, self.dt, self.most, float(self.memory.allowed)]
        text = hashlib.sha256(repr(numbers).encode())
        for array in (self.memory.mass, self.memory.spring_stiffness, self.memory.hands.law, self.start):
            text.update(array.tobytes())
        return text.hexdigest()

    @property
    def units(self) -> dict[str, str]:
        """Of inputs and outputs."""
        hands = self.scene.hands.values()
        units = {name: "m" for hand in hands for name in hand.inputs}
        units |= {name: "N" for hand in hands for name in hand.outputs}
        units |= {name: UNITS.get(name, "J") for name in NUMBERS}
        for name in self.scene.objects:
            units |= {f"{name}.{c}": "m" for c in AXES} | {f"{name}.v{c}": "m/s" for c in AXES}
        units |= {f"{hand.name}.depth": "m" for hand in hands}
        return {name: units[name] for name in (*self.inputs, *self.outputs)}

    @property
    def failures(self) -> int:
        """Steps that found no motion."""
        return int(self.tick.failures)

    def reset(self) -> None:
        """Forgets what connectors, contacts and hands remember, and what was counted."""
        block_of(self.memory).memory[:] = self._fresh
        self.memory.touch = touch_memory(self.scene, 1)
        self.tick.behind, self.tick.failures, self.tick.ticks, self.tick.known = 0.0, 0, 0, False

    def __repr__(self) -> str:
        return f"SceneStep({self.scene.count} particles, {self.dt:g} s)"


def state_numbers(given: Any) -> Any:
    """The numbers of a part of a state, flat and finite."""
    try:
        values = np.asarray(given, float).ravel()
    except (TypeError, ValueError, OverflowError):
        raise ModelError(f"a state is not {described(given)}", expected="step(end.x, end.v, end.t)") from None
    if not np.isfinite(values).all():
        raise ModelError("a state must be finite")
    return values


def _outputs(scene: Scene) -> dict[str, tuple[int, int]]:
    """The kind and the place of each output by name."""
    table = {name: (kind, 0) for name, kind in NUMBERS.items()}
    for n, hand in enumerate(scene.hands.values()):
        table |= {name: (native.FORCE, 3 * n + m) for m, name in enumerate(hand.outputs)}
        if isinstance(hand, Probe):
            table[f"{hand.name}.depth"] = native.DEPTH, n
    for k, name in enumerate(scene.objects):
        for m, c in enumerate(AXES):
            table[f"{name}.{c}"] = native.PLACE, 3 * k + m
            table[f"{name}.v{c}"] = native.SPEED, 3 * k + m
    return table


def scene_step(
    scene: Scene, dt: float, *, inputs: Any, outputs: Any, start: Any, near: Any, method: str, **more: Any
) -> SceneStep:
    """The step of a scene; options as those of `stepper`."""
    if start is not None or near:
        raise SolveError(
            "the step of a scene begins where its objects are", remedy="move them: object.at(..)"
        )
    if method not in ("rk4", "energy"):
        raise SolveError(f'there is no step of particles by "{method[:60]}"', expected='"energy", or nothing')
    if more.get("hold", "zero") != "zero":
        raise SolveError("hands of a scene move along a line in each step", remedy="leave out hold")
    substeps = more.get("substeps", 1)
    return SceneStep(scene, dt, inputs, outputs, MOST if substeps == 1 else substeps)
