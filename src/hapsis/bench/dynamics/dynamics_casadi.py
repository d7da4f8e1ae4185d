"""CasADi: Pinocchio's algorithms traced to symbols, written out as C, compiled by gcc -O3.

Compiled libraries are kept like the drivers. Derivatives are CasADi's own Jacobians, for fixed
bases only. The mass matrix is written with both triangles, as ours is.
"""

import ctypes
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from hapsis.bench.dynamics.dynamics_pinocchio import Pinocchio
from hapsis.bench.rivals import COMPILE_LIMIT, Missing, built, rival
from hapsis.bench.robots import Robot
from hapsis.bench.stopwatch import per_state

QUANTITIES = ("inverse", "mass", "forward")
DERIVATIVES = {"inverse_derivatives": ("panda", "ur5"), "forward_derivatives": ("panda", "ur5")}
FLAGS = ("-O3", "-march=native", "-shared", "-fPIC", "-w")
LOOP = r"""
/* All states, `passes` times: rows of q, v, a; the results of one state are `size` numbers. */
void hapsis_loop(long first, long number, long passes, const double *x, long width, long nq,
                 long nv, double *y, long size, long long *iw, double *w) {
  for (long p = 0; p < passes; p++)
    for (long i = first; i < first + number; i++) {
      const double *arg[SZ_ARG] = {x + i * width, x + i * width + nq, x + i * width + nq + nv};
      double *res[SZ_RES] = {y + i * size};
      f(arg, res, iw, w, 0);
    }
}
"""


class Casadi:
    """One robot traced to C."""

    name = timed_as = "casadi"

    def __init__(self, robot: Robot, peer: Pinocchio, notes: list[str]):
        self.version = rival("casadi").__version__
        self.robot, self.peer = robot, peer
        self.x = np.ascontiguousarray(np.hstack(peer.states))
        self.loops: dict[str, Any] = {}
        self.shapes: dict[str, Any] = {}
        self.flops: dict[str, int] = {}
        quantities = [*QUANTITIES, *(k for k, names in DERIVATIVES.items() if robot.name in names)]
        for quantity in quantities:
            try:
                self._prepare(quantity)
            except Missing as problem:
                notes.append(f"CasADi, {robot.name}, {quantity}: {problem}")

    def quantities(self) -> tuple[str, ...]:
        """What compiled in time."""
        return tuple(self.loops)

    def _prepare(self, quantity: str) -> None:
        names = ("dynamics_casadi.py", "casadi_trace.py", "casadi_trace_forward.py")
        modules = [Path(__file__).with_name(name).read_bytes() for name in names]
        facts = [*modules, self.robot.path.read_bytes(), self.version.encode(), quantity.encode()]
        facts.append(bytes([self.robot.free]))
        name = f"casadi-{self.robot.path.stem}-{quantity}"
        library = built(name, ["gcc", *FLAGS], lambda: self.source(quantity), facts, COMPILE_LIMIT)
        code = ctypes.CDLL(str(library))
        pattern = np.ctypeslib.as_array((ctypes.c_longlong * 3).in_dll(code, "hapsis_sizes"))
        size, iw, w = (int(x) for x in pattern)
        where = np.array((ctypes.c_longlong * size).in_dll(code, "hapsis_where"))
        self.flops[quantity] = int(ctypes.c_longlong.in_dll(code, "hapsis_flops").value)
        self.shapes[quantity] = where
        self.loops[quantity] = (code, np.zeros((len(self.x), size)), iw, w)

    def source(self, quantity: str) -> bytes:
        """The generated C and our loop."""
        expression, (q, v, a) = self._traced(quantity)
        ca = rival("casadi")
        f = ca.Function("f", [q, v, a], [expression])
        with tempfile.TemporaryDirectory() as folder:
            code = ca.CodeGenerator("f.c", {"with_header": False, "casadi_int": "long long"})
            code.add(f)
            code.generate(f"{folder}/")
            text = Path(folder, "f.c").read_text()
        rows, columns = (np.array(x, np.int64) for x in expression.sparsity().get_triplet())
        where = rows * expression.shape[1] + columns
        text += f"\n#define SZ_ARG {max(3, f.sz_arg())}\n#define SZ_RES {max(1, f.sz_res())}\n"
        text += f"long long hapsis_flops = {flops(f)};\n"
        text += f"long long hapsis_sizes[3] = {{{len(where)}, {f.sz_iw()}, {f.sz_w()}}};\n"
        text += f"long long hapsis_where[] = {{{', '.join(str(x) for x in where)}}};\n"
        return (text + LOOP).encode()

    def _traced(self, quantity: str) -> tuple[Any, tuple[Any, Any, Any]]:
        from hapsis.bench.dynamics.casadi_trace import ca, inverse, mass
        from hapsis.bench.dynamics.casadi_trace_forward import forward

        m = self.peer.model
        q, v, a = (ca.SX.sym(n, size) for n, size in (("q", m.nq), ("v", m.nv), ("a", m.nv)))
        if quantity == "mass":
            return mass(m, q), (q, v, a)
        result = (inverse if quantity.startswith("inverse") else forward)(m, q, v, a)
        if quantity.endswith("derivatives"):
            result = ca.vertcat(ca.jacobian(result, q), ca.jacobian(result, v))
            result = ca.cse(result)
        return result, (q, v, a)

    def seconds(self, quantity: str, budget: float, apart: bool = False) -> float:
        """The shortest time per call; all states write to one place, or apart."""
        code, y, iw, w = self.loops[quantity]
        m, x = self.peer.model, self.x
        whole, real = (ctypes.c_longlong * max(1, iw))(), (ctypes.c_double * max(1, w))()
        long, at = ctypes.c_long, ctypes.c_void_p
        rest = (
            *(at(x.ctypes.data), long(x.shape[1]), long(m.nq), long(m.nv)),
            *(at(y.ctypes.data), long(y.shape[1] if apart else 0), whole, real),
        )
        loop = code.hapsis_loop
        loop.restype = None

        def run(first: int, number: int, passes: int) -> None:
            loop(long(first), long(number), long(passes), *rest)

        return per_state(run, len(x), budget)

    def results(self, quantity: str) -> Any:
        """What the timed code computes for all states, in our order."""
        self.seconds(quantity, 0.0, apart=True)
        y, n = self.loops[quantity][1], self.robot.size
        blocks = {"inverse": 1, "forward": 1, "mass": n}.get(quantity, 2 * n)
        whole = np.zeros((len(y), blocks * n))
        whole[:, self.shapes[quantity]] = y
        return self.peer.reordered(quantity, whole)

    def close(self) -> None:
        """Nothing to end."""


def flops(f: Any) -> int:
    """Sums, products and quotients of a Function."""
    ca = rival("casadi")
    names = ("ADD", "SUB", "MUL", "DIV", "SQ", "TWICE", "INV")
    counted = {getattr(ca, f"OP_{name}") for name in names}
    return sum(f.instruction_id(k) in counted for k in range(f.n_instructions()))
