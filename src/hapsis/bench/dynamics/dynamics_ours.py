"""Our side of `hapsis bench dynamics`: one robot's functions, generated, compiled and timed.

`generated` is the only place that knows what our functions are called.
"""

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from hapsis.bench.chain_program import chain
from hapsis.bench.kernel_loops import batches, singles
from hapsis.bench.rivals import Missing
from hapsis.bench.robots import Robot, States
from hapsis.bench.robots import states as random_states
from hapsis.bench.stopwatch import per_state, seconds
from hapsis.compiler.backends import cache
from hapsis.compiler.backends.compile import compile
from hapsis.compiler.backends.llvm import background
from hapsis.compiler.backends.llvm.code import Code
from hapsis.compiler.backends.llvm.llvm import LlvmKernel
from hapsis.compiler.ir.functions.function import Function
from hapsis.errors import CompileError
from hapsis.mechanics.formalisms.derivatives.dynamics_derivatives import derivatives
from hapsis.mechanics.formalisms.dynamics.forward_dynamics import forward_dynamics
from hapsis.mechanics.formalisms.dynamics.inverse_dynamics import inverse_dynamics
from hapsis.mechanics.formalisms.dynamics.mass_matrix import mass_matrix
from hapsis.mechanics.formats.load_save import load

QUANTITIES = ("inverse", "mass", "forward", "inverse_derivatives", "forward_derivatives")
LARGEST = 40  # speeds for derivatives; those of longer chains compile for minutes
BATCH, NEARBY = 4096, 256  # states of a batch, and of one that stays close to the core
GRAIN = 64  # states; batches hold multiples of it
NEAR, FAR = 2**19, 2**26  # bytes of the one and the other, at most
WAYS = ("single", "batch", "batch_f32", "batch_far", "python")
WARM = chain(400)


def model_of(robot: Robot) -> Any:
    """Our model of the robot's file."""
    return load(str(robot.path), base="free" if robot.free else "fixed")


def generated(model: Any, quantity: str) -> Function:
    """The Function of a quantity: inputs q, v and a or tau; results first among its outputs."""
    makers: dict[str, Callable[[], Function]] = {
        "inverse": lambda: inverse_dynamics(model, passive=False),
        "mass": lambda: mass_matrix(model),
        "forward": lambda: forward_dynamics(model, passive=False),
        "inverse_derivatives": lambda: derivatives(model, "inverse_dynamics", passive=False),
        "forward_derivatives": lambda: derivatives(model, "forward_dynamics", passive=False),
    }
    return makers[quantity]()


def order(robot: Robot, model: Any) -> tuple[Any, Any]:
    """Where the base and the robot's joints are in the model's q and v: two arrays of indices."""
    q, v = list(robot.joints), [f"{name}.v" for name in robot.joints]
    if robot.free:
        base = next(x for x in model.coordinates if x.endswith(".qw")).removesuffix(".qw")
        q = [*(f"{base}.{x}" for x in ("x", "y", "z", "qw", "qx", "qy", "qz")), *q]
        v = [*(f"{base}.{x}" for x in ("wx", "wy", "wz", "vx", "vy", "vz")), *v]
    places = ([model.coordinates.index(x) for x in q], [model.speeds.index(x) for x in v])
    return np.array(places[0]), np.array(places[1])


class Compiled:
    """One quantity of one robot: the Function, its callables and the inputs to time them with."""

    def __init__(self, owner: "Ours", quantity: str):
        self.owner = owner
        self.function, took = repeated(lambda: generated(owner.model, quantity))
        cost = self.function.cost()
        self.facts: dict[str, Any] = {"generation_s": took}
        self.facts |= {"mul": cost.mul, "add": cost.add, "flops": cost.flops}
        self.f: Any = None
        self.single: Any = None
        self._compile()
        self.inputs = self._inputs(owner.values(owner.states), np.float64)
        self.outputs = self._outputs(len(owner.states.q), np.float64)
        self.state_bytes = 8 * sum(x[0].size for x in (*self.inputs, *self.outputs))
        self.batches: dict[str, Any] = {}

    def _compile(self) -> None:
        """Compiles, cold and from the cache, and keeps the shortest times."""

        def forgotten() -> Any:
            f = self.function
            return Function.of(f.name, f.graph, f.inputs, f.outputs)

        def cold() -> Any:
            background.settled()
            emptied(self.owner.folder)
            compile(WARM)  # sines and cosines are there from now on
            return forgotten()

        def whole(f: Function) -> Any:
            return compile(f, bake=bool(f.parameters), threads=1)

        self.f, self.facts["compile_s"] = repeated(whole, cold)
        kernel = self.f.kernel
        if not isinstance(kernel, LlvmKernel):
            raise Missing("it does not compile in time")
        background.settled()
        self.facts["again_s"] = repeated(whole, forgotten)[1]
        lanes, wide = kernel.lanes_of(1), kernel.lanes_of(kernel.wide)
        self.facts["reload_s"] = seconds(lambda: Code(kernel.part, lanes, 0.0), 0.02)
        try:
            batch = repeated(lambda _: Code(kernel.part, wide, kernel.budget), cold)
        except CompileError as problem:
            raise Missing(str(problem)) from None
        self.facts["batch_compile_s"] = batch[1]

    def _inputs(self, values: tuple[Any, ...], dtype: Any) -> list[Any]:
        chosen = values[: len(self.function.inputs)]
        return [np.ascontiguousarray(x, dtype) for x in chosen]

    def _outputs(self, count: int, dtype: Any) -> list[Any]:
        return [np.zeros((count, *port.shape), dtype) for port in self.function.outputs]

    def bare(self, budget: float, apart: bool = False) -> float:
        """Seconds of the kernel alone, per state.

        All states write to one place, as those of the rivals do, or `apart`, to be looked at.
        """
        run = singles(self.f.kernel, self.inputs, self.outputs, apart)
        return per_state(run, len(self.inputs[0]), budget)

    def python(self, budget: float) -> float:
        """Seconds of a call from Python with out=, per state."""
        out = [x[0] for x in self.outputs]
        outputs: Any = out[0] if len(out) == 1 else tuple(out)
        rows, f = list(zip(*self.inputs, strict=True)), self.f

        def run(first: int, number: int, passes: int) -> None:
            for _ in range(passes):
                for row in rows[first : first + number]:
                    f(*row, out=outputs)

        return per_state(run, len(rows), budget)

    def batch(self, budget: float, precision: str) -> float:
        """Seconds per state of the batch kernel, on arrays that stay in the core's caches."""
        f, dtype = self.f, np.float64
        if precision == "f32":
            if self.single is None:
                bake = bool(self.function.parameters)
                self.single = compile(self.function, bake=bake, threads=1, precision="f32")
            f, dtype = self.single, np.float32
        inputs, outputs = self._many(NEARBY, NEAR, dtype)
        run = batches(f.kernel, inputs, outputs)
        return per_state(run, len(inputs[0]), budget, grain=GRAIN)

    def far(self, budget: float) -> float:
        """Seconds per state of one call from Python for many states, threads=1."""
        inputs, outputs = self._many(BATCH, FAR, np.float64)
        f = self.f

        def run(first: int, number: int, passes: int) -> None:
            part = slice(first, first + number)
            x, y = [a[part] for a in inputs], [a[part] for a in outputs]
            out: Any = y[0] if len(y) == 1 else tuple(y)
            for _ in range(passes):
                f(*x, out=out)

        whole = len(inputs[0])  # one call, however long it takes
        return per_state(run, whole, budget, grain=whole)

    def _many(self, most: int, most_bytes: int, dtype: Any) -> tuple[list[Any], list[Any]]:
        """Inputs and outputs of so many states, or as many as memory allows."""
        count = max(GRAIN, min(most, most_bytes // self.state_bytes) // GRAIN * GRAIN)
        values = self.owner.values(random_states(self.owner.robot, count, seed=2))
        return self._inputs(values, dtype), self._outputs(count, dtype)


def repeated(run: Callable[..., Any], before: Callable[[], Any] | None = None) -> tuple[Any, float]:
    """What it gives and the shortest time of a few runs; `before` makes its argument, untimed."""
    best, spent, result = float("inf"), 0.0, None
    while spent < 0.3 and best > spent / 5:
        argument = [] if before is None else [before()]
        start = time.perf_counter()
        result = run(*argument)
        took = time.perf_counter() - start
        best, spent = min(best, took), spent + took
    return result, best


def emptied(folder: Path) -> None:
    """Removes what our cache holds, if it is below the folder of this run and nowhere else."""
    place = cache.folder()
    if place is not None and place.resolve().is_relative_to(folder.resolve()):
        for entry in place.iterdir():
            entry.unlink()


class Ours:
    """One robot in Hapsis."""

    name = timed_as = "ours"

    def __init__(self, robot: Robot, states: States, folder: Path, notes: list[str]):
        self.robot, self.states, self.folder = robot, states, folder
        self.model, self.load_s = repeated(lambda: model_of(robot))
        self.order = order(robot, self.model)
        self.compiled: dict[str, Compiled] = {}
        quantities = QUANTITIES if robot.size <= LARGEST else QUANTITIES[:3]
        for quantity in quantities:
            try:
                self.compiled[quantity] = Compiled(self, quantity)
            except Missing as problem:
                notes.append(f"ours, {robot.name}, {quantity}: {problem}")

    def values(self, states: States) -> tuple[Any, Any, Any]:
        """q, v and a (or efforts) of all states in the model's order."""
        pairs = ((states.pose, states.q), (states.twist, states.v), (states.push, states.a))
        arrays = []
        for (base, joints), place in zip(pairs, (*self.order, self.order[1]), strict=True):
            x = np.hstack([base, joints]) if self.robot.free else joints
            y = np.empty_like(x)
            y[:, place] = x
            arrays.append(y)
        return arrays[0], arrays[1], arrays[2]

    def quantities(self) -> tuple[str, ...]:
        """What could be generated and compiled."""
        return tuple(self.compiled)

    def seconds(self, quantity: str, budget: float, way: str = "single") -> float:
        """The shortest time per state: one of WAYS."""
        it = self.compiled[quantity]
        if way == "single":
            return it.bare(budget)
        if way == "python":
            return it.python(budget)
        if way == "batch_far":
            return it.far(budget)
        return it.batch(budget, "f32" if way == "batch_f32" else "f64")

    def results(self, quantity: str) -> Any:
        """What the timed code computes for all states, in the robot's order."""
        it, place = self.compiled[quantity], self.order[1]
        it.bare(0.0, apart=True)
        if quantity in ("inverse", "forward"):
            return it.outputs[0][:, place].copy()
        count = 1 if quantity == "mass" else 2
        matrices = [x[:, place][:, :, place] for x in it.outputs[:count]]
        return matrices[0] if count == 1 else np.stack(matrices, 1)

    def close(self) -> None:
        """Nothing to end."""
