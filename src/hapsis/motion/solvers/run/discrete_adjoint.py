"""A taped run differentiated backwards: the exact adjoint of the steps that were made.

For a step y₁ = y₀ + h Σ bᵢ kᵢ, kᵢ = f(Yᵢ), Yᵢ = y₀ + h Σ aᵢⱼ kⱼ, the weights λ of y₁ become those
of y₀ by going through the stages from the last to the first:

    wᵢ = h bᵢ λ₁ + h Σ aⱼᵢ ηⱼ        ηᵢ = f_yᵀ wᵢ        λ₀ = λ₁ + Σ ηᵢ

and whatever else f depends on gets f_θᵀ wᵢ on the way. Stages are computed anew from the states on
the tape. Where y₁ has quaternions that were made of length 1, so are the weights. Lengths of steps
are held. Reference: [Sandu].
"""

from typing import Any

import numpy as np

from hapsis.compiler.native import Array, Ints, Kernel, at, native, sqrt
from hapsis.motion.solvers.integrators.explicit_tables import NODES, STAGES, STARTS
from hapsis.motion.solvers.integrators.weighted_sums import moved, total
from hapsis.motion.solvers.run.switched_explicit import Modal


@native
def steps_back(
    f: Kernel,
    pull: Kernel,
    prepare: Kernel,
    prepared: int,
    first: int,
    last: int,
    sizes: Ints,
    shape: Ints,
    places: Ints,
    weights: Array,
    tape: Array,
    quaternions: Ints,
    modes: Array,
    states: Array,
    slopes: Array,
    pulls: Array,
    found: Array,
    x: Array,
    total_weights: Array,
    clock: Array,
) -> None:
    """total_weights, of y and of all else, from the end of step last - 1 to the start of first."""
    n = sizes[0]
    ng = sizes[1]
    s = shape[STAGES]
    starts = at(shape, STARTS)
    for k in range(last - 1, first - 1, -1):
        row = at(tape, k * (2 + ng + n))
        y = at(row, 2 + ng)
        h = row[1]
        for j in range(ng):
            modes[j] = row[2 + j]
        clock[0] = row[0]
        clock[1] = h
        if prepared != 0:
            prepare(at(clock, 1), clock, y)
        again(f, n, h, row[0], shape, places, weights, y, states, slopes, clock)
        if sizes[2] > 0:
            total(n, starts[s - 1], starts[s], places, weights, slopes, x)
            for j in range(n):
                x[j] = y[j] + h * x[j]
            unscaled(sizes[2], quaternions, x, total_weights)
        for j in range(s * n):
            pulls[j] = 0.0
        spread(n, starts[s - 1], starts[s], h, places, weights, total_weights, pulls)
        for i in range(s - 1, -1, -1):
            clock[0] = row[0] + weights[shape[NODES] + i] * h
            pull(clock, at(states, i * n), at(pulls, i * n), found)
            if i > 0:
                spread(n, starts[i - 1], starts[i], h, places, weights, found, pulls)
            for j in range(n + sizes[3]):
                total_weights[j] += found[j]


@native
def again(
    f: Kernel,
    n: int,
    h: float,
    t: float,
    shape: Ints,
    places: Ints,
    weights: Array,
    y: Array,
    states: Array,
    slopes: Array,
    clock: Array,
) -> None:
    """The stages of a step: where f was asked, and what it said."""
    starts = at(shape, STARTS)
    for j in range(n):
        states[j] = y[j]
    for i in range(shape[STAGES]):
        here = at(states, i * n)
        if i > 0:
            moved(n, starts[i - 1], starts[i], h, places, weights, slopes, y, here)
        clock[0] = t + weights[shape[NODES] + i] * h
        f(clock, here, at(slopes, i * n))


@native
def spread(
    n: int, first: int, last: int, h: float, places: Ints, weights: Array, x: Array, into: Array
) -> None:
    """The transposed sum: h times each weight times x, added at its place."""
    for e in range(first, last):
        w = h * weights[e]
        out = at(into, places[e] * n)
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


class Backwards:
    """The way back along a tape.

    `weights` are those of y, then of the `more` numbers that pull tells of; pull(t, y, w, found)
    gives for weights w of f those of y and of the others.
    """

    def __init__(self, modal: Modal, pull: Any, more: int) -> None:
        run = modal.run
        self.modal, self.run, self.pull = modal, run, pull
        n = run.size
        self.shape, self.places, self.table = run.arrays[:3]
        s = int(self.shape[STAGES])
        self.sizes = np.array([n, len(modal.modes), len(run.quaternions), more], np.int64)
        self.states, self.slopes, self.pulls = (np.zeros(s * n) for _ in range(3))
        self.found, self.x, self.clock = np.zeros(n + more), np.zeros(n), np.zeros(2)
        self.weights = np.zeros(n + more)

    def over(self, first: int, last: int) -> None:
        """Changes the weights from the end of the last of these steps to the start of the first."""
        run = self.run
        steps_back(
            run.f,
            self.pull,
            run.prepare or run.f,
            int(run.prepare is not None),
            first,
            last,
            self.sizes,
            self.shape,
            self.places,
            self.table,
            self.modal.tape,
            run.quaternions,
            self.modal.modes,
            self.states,
            self.slopes,
            self.pulls,
            self.found,
            self.x,
            self.weights,
            self.clock,
        )
