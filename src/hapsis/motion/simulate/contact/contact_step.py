"""The step of a model with contacts, as `hs.stepper` returns it: an object that calls and loops take.

It is native code around compiled Functions and remembers bristles between calls, so it is no Function: loops,
pages and calls take it, exports do not.
"""

import hashlib
from typing import Any, NamedTuple, final

import numpy as np

from hapsis.errors import ModelError, check_known
from hapsis.mechanics.model.model import Model
from hapsis.motion.simulate.contact.contact_model import METHOD
from hapsis.motion.solvers.contact import contact_tick as native

Array = np.ndarray[Any, np.dtype[np.float64]]
ITERATIONS = 20  # of one step: what has not converged by then is told by `residual`
PORTS = ("y", "u", "live", "y_new", "out")


class StepEnd(NamedTuple):
    """The state after a step, and its outputs by name."""

    q: Array
    v: Array
    z: Array
    t: float
    outputs: dict[str, float]


def numbers_of(given: Any) -> Array:
    """A part of a state as numbers."""
    try:
        values = np.asarray(given)
    except ValueError:
        values = np.array(None)
    if values.dtype.kind not in "fiu":
        raise ModelError(f"a state is numbers, not {given!r:.60}")
    return values.astype(float)


@final
class ContactStep:
    """One step of dt seconds with contacts; `hs.realtime.Loop` and `hs.share` take it, or call it.

        step(t=..., q=..., v=..., elbow=0.3)     a StepEnd; what is not given is the start, or 0
        start     q, v, z and t at the start, in one vector
        failures  steps that were not solved; their states are not finite
        tabled    parameters of the model that shapes, places and laws of contacts, stops and friction have:
                  the native code has them as numbers, which do not follow changed parameters

    Each call goes on from the bristles of the call before; `reset()` forgets them, as a step that fails does.
    """

    not_exported = (
        "a step with contacts iterates and remembers, which exported code cannot hold: "
        'export a step by method="rk4", whose contacts are forces'
    )

    def __init__(
        self,
        model: Model,
        options: dict[str, Any],
        sizes: tuple[int, int, int],
        tick: native.ContactTick,
        start: Array,
        tabled: frozenset[str],
    ) -> None:
        self.model, self.tick, self.start, self.sizes, self.tabled = model, tick, start, sizes, tabled
        self.dt: float = options["dt"]
        self.inputs: tuple[str, ...] = options["inputs"]
        self.outputs: tuple[str, ...] = options["outputs"]
        self.notes = (f"at most {ITERATIONS} iterations a step",)
        self.options: dict[str, Any] = {**options, "method": METHOD}
        self.kernel = native.contact_tick.bound(vary=PORTS, tick=tick)

    def __call__(
        self, q: Any = None, v: Any = None, z: Any = None, t: Any = None, **inputs: float
    ) -> StepEnd:
        """The state after one step from this one."""
        y = self.start.copy()
        n_q, n_v, n_z = self.sizes
        for given, first, count in ((q, 0, n_q), (v, n_q, n_v), (z, n_q + n_v, n_z), (t, n_q + n_v + n_z, 1)):
            if given is not None:
                values = np.atleast_1d(numbers_of(given))
                if values.shape != (count,):
                    raise ModelError(f"a state has {values.size} numbers, and {count} are expected")
                y[first : first + count] = values
        u = np.zeros(max(1, len(self.inputs)))
        for name, value in inputs.items():
            check_known(name, self.inputs, "the step has no input {}")
            numbers = numbers_of(value)
            if numbers.shape != ():
                raise ModelError(f'input "{name[:60]}" is one number, not {value!r:.60}')
            u[self.inputs.index(name)] = numbers
        y_new, out = np.zeros(len(y)), np.zeros(max(1, len(self.outputs)))
        self.kernel(y, u, np.zeros(1), y_new, out)
        q, v, z, (t,) = np.split(y_new, np.cumsum([n_q, n_v, n_z]))
        return StepEnd(q, v, z, float(t), dict(zip(self.outputs, out.tolist(), strict=False)))

    @property
    def digest(self) -> str:
        """What tells the step from others."""
        named = repr((self.inputs, self.outputs, self.dt, self.model.facts, self.model.parameters))
        return hashlib.sha256(named.encode()).hexdigest()

    @property
    def units(self) -> dict[str, str]:
        """None of its own: those of its model."""
        return {}

    @property
    def failures(self) -> int:
        """Steps that were not solved."""
        return int(self.tick.failures)

    def reset(self) -> None:
        """Forgets the bristles of contacts and of dry friction."""
        scene = self.tick.run.scene
        scene.old_count[:] = 0
        scene.old_touches = 0
        scene.left[:] = 0.0
        scene.row_bent[:] = 0.0
        scene.row_stuck[:] = 0
        scene.factored = False
        scene.begun = False

    def __repr__(self) -> str:
        return f"ContactStep({len(self.model.contacts)} contacts, {self.dt:g} s)"
