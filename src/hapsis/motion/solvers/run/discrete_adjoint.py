"""A taped run differentiated backwards: the exact adjoint of the steps that were made.

For a step y₁ = y₀ + h Σ bᵢ kᵢ, kᵢ = f(Yᵢ), Yᵢ = y₀ + h Σ aᵢⱼ kⱼ, the weights λ of y₁ become those
of y₀ by going through the stages from the last to the first:

    wᵢ = h bᵢ λ₁ + h Σ aⱼᵢ ηⱼ        ηᵢ = f_yᵀ wᵢ        λ₀ = λ₁ + Σ ηᵢ

and whatever else f depends on gets f_θᵀ wᵢ on the way. Stages are computed anew from the states on
the tape. Where y₁ has quaternions that were made of length 1, so are the weights. Lengths of steps
are held. Reference: [Sandu].
"""

from typing import Any

from hapsis.compiler.native import Array, Ints, Kernel, at, constant, native, record, sized, sqrt
from hapsis.motion.solvers.integrators.weighted_sums import WeightedRows, moved, total
from hapsis.motion.solvers.run.switched_explicit import SwitchedMemory, SwitchedRun


@record
class AdjointMemory:
    """A taped run, and what the way back along it needs."""

    switched: SwitchedMemory
    pull: Kernel  # pull(t, y, w, w_all): for weights w of f those of y and of all else
    size: int = constant()
    more: int = constant()  # numbers besides y that f depends on
    stages: int = constant()
    states: Array = sized("stages * size")  # where f was evaluated
    slopes: Array = sized("stages * size")  # what it said
    pulls: Array = sized("stages * size")  # the weights w of each slope
    pulled: Array = sized("size + more")
    x: Array = sized("size")
    weights: Array = sized("size + more")  # λ of y, then of all else
    clock: Array = sized("2")


@native
def steps_back(f: Kernel, back: AdjointMemory, first: int, last: int) -> None:
    """The weights, from the end of step last - 1 of the tape to the start of first."""
    switched = back.switched
    run = switched.run
    n, ng = back.size, run.event_count
    for k in range(last - 1, first - 1, -1):
        row = at(switched.tape, k * (2 + ng + n))
        y = at(row, 2 + ng)
        for j in range(ng):
            switched.modes[j] = row[2 + j]
        back.clock[0] = row[0]
        back.clock[1] = row[1]
        if run.prepared:
            run.prepare(at(back.clock, 1), back.clock, y)
        step_again(f, back, row, y)
        if run.quaternion_count > 0:
            total(run.table, back.stages - 1, n, back.slopes, back.x)
            for j in range(n):
                back.x[j] = y[j] + row[1] * back.x[j]
            unscaled(run.quaternion_count, run.quaternions, back.x, back.weights)
        stages_back(back, row)


@native
def step_again(f: Kernel, back: AdjointMemory, row: Array, y: Array) -> None:
    """Computes the stages of a step again: their states, and f there."""
    table = back.switched.run.table
    n, h = back.size, row[1]
    for j in range(n):
        back.states[j] = y[j]
    for i in range(back.stages):
        here = at(back.states, i * n)
        if i > 0:
            moved(table, i - 1, n, h, back.slopes, y, here)
        back.clock[0] = row[0] + table.nodes[i] * h
        f(back.clock, here, at(back.slopes, i * n))


@native
def stages_back(back: AdjointMemory, row: Array) -> None:
    """The weights through the stages of a step, from the last to the first."""
    table = back.switched.run.table
    n, h, s = back.size, row[1], back.stages
    for j in range(s * n):
        back.pulls[j] = 0.0
    spread(table, s - 1, n, h, back.weights, back.pulls)
    for i in range(s - 1, -1, -1):
        back.clock[0] = row[0] + table.nodes[i] * h
        back.pull(back.clock, at(back.states, i * n), at(back.pulls, i * n), back.pulled)
        if i > 0:
            spread(table, i - 1, n, h, back.pulled, back.pulls)
        for j in range(n + back.more):
            back.weights[j] += back.pulled[j]


@native
def spread(table: WeightedRows, row: int, n: int, h: float, x: Array, into: Array) -> None:
    """The transposed sum of a row: h times each weight times x, added at its place."""
    for e in range(table.starts[row], table.starts[row + 1]):
        w = h * table.weights[e]
        out = at(into, table.places[e] * n)
        for j in range(n):
            out[j] += w * x[j]


@native
def unscaled(groups: int, quaternions: Ints, x: Array, lam: Array) -> None:
    """Weights of groups of four numbers, from before they were made of length 1."""
    for i in range(groups):
        k = int(quaternions[i])
        square = x[k] * x[k] + x[k + 1] * x[k + 1] + x[k + 2] * x[k + 2] + x[k + 3] * x[k + 3]
        size = 1.0 / sqrt(square)
        along = 0.0
        for j in range(4):
            along += x[k + j] * lam[k + j]
        for j in range(4):
            lam[k + j] = (lam[k + j] - x[k + j] * along / square) * size


class DiscreteAdjoint:
    """The way back along a tape.

    `weights` are those of y, then of the `more` numbers whose weights pull gives; pull(t, y, w, w_all)
    gives for weights w of f those of y and of the others.
    """

    def __init__(self, switched: SwitchedRun, pull: Any, more: int) -> None:
        self.run = switched.run
        stages = int(switched.memory.run.table.stages)
        self.memory = AdjointMemory(
            switched=switched.memory, pull=pull, size=self.run.size, more=more, stages=stages
        )
        self.weights = self.memory.weights

    def over(self, first: int, last: int) -> None:
        """Changes the weights from the end of the last of these steps to the start of the first."""
        steps_back(self.run.f, self.memory, first, last)
