"""Our side of `hapsis bench dynamics`: one robot's functions, generated, compiled and timed.

`generated` is the only place that knows what our functions are called.
"""

import ctypes
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from hapsis.bench._drivers import Missing
from hapsis.bench._pieces import per_state
from hapsis.bench._robots import Robot, States
from hapsis.bench._robots import states as random_states
from hapsis.bench._timing import seconds
from hapsis.compiler.backends.compiling import compile
from hapsis.compiler.backends.llvm import LlvmKernel
from hapsis.compiler.ir.function import Function

QUANTITIES = ("inverse", "mass", "forward", "inverse_derivatives", "forward_derivatives")
BATCH, BATCH_BYTES = 4096, 2**25  # states, fewer where their results need more memory
WAYS = ("single", "batch", "batch_f32", "python")
LOOP = """
define void @states(ptr %kernel, ptr %table, i64 %row, ptr %ws, i64 %number, i64 %passes) {
entry:
  %count = mul i64 %number, %passes
  %any = icmp ugt i64 %count, 0
  br i1 %any, label %again, label %exit
again:
  %n = phi i64 [0, %entry], [%n2, %again]
  %i = phi i64 [0, %entry], [%i3, %again]
  %at = mul i64 %i, %row
  %args = getelementptr i8, ptr %table, i64 %at
  call void %kernel(ptr %args, ptr %ws)
  %i2 = add i64 %i, 1
  %wrap = icmp eq i64 %i2, %number
  %i3 = select i1 %wrap, i64 0, i64 %i2
  %n2 = add i64 %n, 1
  %more = icmp ult i64 %n2, %count
  br i1 %more, label %again, label %exit
exit:
  ret void
}"""


def model_of(robot: Robot) -> Any:
    """Our model of the robot's file."""
    import hapsis

    hs: Any = hapsis
    try:
        load = hs.load
    except AttributeError:
        raise Missing("this install has no hs.load") from None
    return load(str(robot.path), base="free" if robot.free else "fixed")


def generated(model: Any, quantity: str) -> Function:
    """The Function of a quantity: inputs q, v and a or tau; results first among its outputs."""
    import hapsis

    hs: Any = hapsis
    makers: dict[str, Callable[[], Function]] = {
        "inverse": lambda: hs.inverse_dynamics(model, passive=False),
        "mass": lambda: hs.mass_matrix(model),
        "forward": lambda: hs.forward_dynamics(model, passive=False),
        "inverse_derivatives": lambda: hs.inverse_dynamics_derivatives(model, passive=False),
        "forward_derivatives": lambda: hs.derivatives(model, passive=False),
    }
    try:
        return makers[quantity]()
    except AttributeError as problem:
        raise Missing(str(problem)) from None


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
        start = time.perf_counter()
        self.function = generated(owner.model, quantity)
        self.facts: dict[str, Any] = {"generation_s": time.perf_counter() - start}
        cost = self.function.cost()
        self.facts |= {"mul": cost.mul, "add": cost.add, "flops": cost.flops}
        start = time.perf_counter()
        self.f: Any = compile(self.function, bake=True, threads=1)
        self.facts["compile_s"] = time.perf_counter() - start
        if not isinstance(self.f.kernel, LlvmKernel):
            raise Missing("it does not compile in time")
        start = time.perf_counter()
        self.f.kernel.code(self.f.kernel.wide)
        self.facts["batch_compile_s"] = time.perf_counter() - start
        again = Function.of(
            quantity, self.function.graph, self.function.inputs, self.function.outputs
        )
        self.facts["reload_s"] = seconds(lambda: compile(again, bake=True, threads=1), 0.05)
        self.single: Any = None
        self.inputs = self._inputs(owner.values(owner.states), np.float64)
        self.outputs = self._outputs(len(owner.states.q), np.float64)
        size = sum(x[0].size for x in self.outputs) * 8
        self.count = max(64, min(BATCH, BATCH_BYTES // size) // 64 * 64)
        self.many = owner.values(random_states(owner.robot, self.count, seed=2))

    def _inputs(self, values: tuple[Any, ...], dtype: Any) -> list[Any]:
        chosen = values[: len(self.function.inputs)]
        return [np.ascontiguousarray(x, dtype) for x in chosen]

    def _outputs(self, count: int, dtype: Any) -> list[Any]:
        return [np.empty((count, *port.shape), dtype) for port in self.function.outputs]

    def bare(self, budget: float) -> float:
        """Seconds of the kernel alone, per state."""
        from hapsis.compiler.backends.llvm_jit import cached_function

        keep, address = cached_function(LOOP, "states")
        integer, pointer = ctypes.c_int64, ctypes.c_void_p
        loop = ctypes.CFUNCTYPE(None, pointer, pointer, integer, pointer, integer, integer)(address)
        code, arrays = self.f.kernel.code(1), [*self.inputs, *self.outputs]
        count = len(arrays[0])
        table = np.array([[x[i].ctypes.data for x in arrays] for i in range(count)], np.uintp)
        memory = np.zeros(code.workspace_bytes + 64, np.uint8)
        ws, row = -(-memory.ctypes.data // 64) * 64, table.strides[0]

        def run(first: int, number: int, passes: int) -> None:
            loop(code.address, table.ctypes.data + first * row, row, ws, number, passes)

        best = per_state(run, count, budget)
        del keep
        return best

    def python(self, budget: float) -> float:
        """Seconds of a call from Python with out=, per state."""
        out = [x[0] for x in self.outputs]
        given: Any = out[0] if len(out) == 1 else tuple(out)
        rows, f = list(zip(*self.inputs, strict=True)), self.f

        def every() -> None:
            for row in rows:
                f(*row, out=given)

        return seconds(every, budget) / len(rows)

    def batch(self, budget: float, precision: str = "f64") -> float:
        """Seconds per state of a batch on one core."""
        f, dtype = self.f, np.float64
        if precision == "f32":
            if self.single is None:
                self.single = compile(self.function, bake=True, threads=1, precision="f32")
            f, dtype = self.single, np.float32
        inputs, outputs = self._inputs(self.many, dtype), self._outputs(self.count, dtype)
        given: Any = outputs[0] if len(outputs) == 1 else tuple(outputs)
        return seconds(lambda: f(*inputs, out=given), budget) / self.count


class Ours:
    """One robot in Hapsis."""

    name = "ours"

    def __init__(self, robot: Robot, states: States, folder: Path, notes: list[str]):
        self.robot, self.states = robot, states
        start = time.perf_counter()
        self.model = model_of(robot)
        self.load_s = time.perf_counter() - start
        self.order = order(robot, self.model)
        self.compiled: dict[str, Compiled] = {}
        for quantity in QUANTITIES:
            try:
                self.compiled[quantity] = Compiled(self, quantity)
            except Missing as problem:
                notes.append(f"ours, {robot.name}, {quantity}: {problem}")

    def values(self, states: States) -> tuple[Any, Any, Any]:
        """q, v and a (or efforts) of all states in the model's order."""
        pairs = ((states.pose, states.q), (states.twist, states.v), (states.push, states.a))
        found = []
        for (base, joints), place in zip(pairs, (*self.order, self.order[1]), strict=True):
            x = np.hstack([base, joints]) if self.robot.free else joints
            y = np.empty_like(x)
            y[:, place] = x
            found.append(y)
        return found[0], found[1], found[2]

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
        return it.batch(budget, "f32" if way == "batch_f32" else "f64")

    def results(self, quantity: str) -> Any:
        """What the timed code computes for all states, in the robot's order."""
        it, place = self.compiled[quantity], self.order[1]
        it.bare(0.0)
        if quantity in ("inverse", "forward"):
            return it.outputs[0][:, place].copy()
        wanted = 1 if quantity == "mass" else 2
        found = [x[:, place][:, :, place] for x in it.outputs[:wanted]]
        return found[0] if wanted == 1 else np.stack(found, 1)

    def close(self) -> None:
        """Nothing to end."""
