"""Kalman filters: the state of a linear model from everything that measures it.

    x = A x + B u + w,  z = H x + noise          w has covariance Q, each z its own deviation

Samples are the measurements z, then the inputs u. A measurement that is not finite is left out; an
input that is not finite stays what it was. Outputs are C x̂ + D u, NaN before the first measurement.

Reference: R. E. Kalman, A new approach to linear filtering and prediction problems, Journal of
Basic Engineering 82, 1960.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from hapsis.compiler.ir.functions.verbs import verb
from hapsis.compiler.native import Array, at, isfinite, native, record, sized
from hapsis.errors import ModelError
from hapsis.touch.haptics.conditioning import kalman_design as design
from hapsis.touch.haptics.conditioning.gaps import PeriodicStage
from hapsis.touch.haptics.conditioning.linear_estimate import KalmanMemory, measured, predict, show
from hapsis.touch.haptics.conditioning.stage import positive


@record
class FollowingMemory(KalmanMemory):
    """A filter whose gain follows the covariance P of its error; W is a matrix to work in."""

    Q: Array = sized("n * n")
    R: Array = sized("nz")
    P0: Array = sized("n * n")
    P: Array = sized("n * n")
    W: Array = sized("n * n + n")


@record
class SteadyMemory(KalmanMemory):
    """A filter with a fixed gain L; it starts at x̂ = S z."""

    L: Array = sized("n * nz")
    S: Array = sized("n * nz")


@native
def spread(n: int, A: Array, Q: Array, P: Array, W: Array) -> None:
    """P = A P Aᵀ + Q."""
    for i in range(n):
        for j in range(n):
            total = 0.0
            for k in range(n):
                total += A[i * n + k] * P[k * n + j]
            W[i * n + j] = total
    for i in range(n):
        for j in range(i + 1):
            total = Q[i * n + j]
            for k in range(n):
                total += W[i * n + k] * A[j * n + k]
            P[i * n + j] = total
            P[j * n + i] = total


@native
def correct(n: int, z: float, h: Array, variance: float, x: Array, P: Array, W: Array) -> None:
    """One measurement z = h x̂ + noise, in Joseph's form: P stays positive whatever the rounding."""
    gain, along = at(W, 0), at(W, n)
    expected, total = 0.0, variance
    for i in range(n):
        along[i] = 0.0
        for j in range(n):
            along[i] += P[i * n + j] * h[j]
        expected += h[i] * x[i]
    for i in range(n):
        total += h[i] * along[i]
    for i in range(n):
        gain[i] = along[i] / total
        x[i] += gain[i] * (z - expected)
    # (1 - g hᵀ) P (1 - h gᵀ) + g r gᵀ, by rows and then by columns
    for i in range(n):
        for j in range(n):
            P[i * n + j] -= gain[i] * along[j]
    for i in range(n):
        total = 0.0
        for j in range(n):
            total += P[i * n + j] * h[j]
        for j in range(n):
            P[i * n + j] += (variance * gain[i] - total) * gain[j]
    for i in range(n):
        for j in range(i):
            P[i * n + j] = 0.5 * (P[i * n + j] + P[j * n + i])
            P[j * n + i] = P[i * n + j]


@native
def follow_covariance(t: Array, x: Array, y: Array, own: FollowingMemory) -> None:
    """A step whose gain follows the covariance."""
    n, u = own.n, at(x, own.nz)
    if own.started:
        predict(u, own)
        spread(n, own.A, own.Q, own.P, own.W)
    else:
        if measured(own.nz, x) == 0:
            for k in range(own.no):
                y[k] = x[0] - x[0]
            return
        for k in range(n * n):
            own.P[k] = own.P0[k]
        own.started = True
    for k in range(own.nz):
        if isfinite(x[k]):
            correct(n, x[k], at(own.H, k * n), own.R[k], own.x, own.P, own.W)
    show(u, y, own)


@native
def fixed_gain(t: Array, x: Array, y: Array, own: SteadyMemory) -> None:
    """A step with the gain L; it starts with all measurements, at x̂ = S z.

    A measurement that is missing counts as the one expected.
    """
    n, nz, u, state, new = own.n, own.nz, at(x, own.nz), own.x, own.new
    if not own.started:
        if measured(nz, x) < nz:
            nothing = 0.0
            for k in range(nz):
                nothing += x[k] - x[k]
            for k in range(own.no):
                y[k] = nothing
            return
        for i in range(n):
            state[i] = 0.0
            for k in range(nz):
                state[i] += own.S[i * nz + k] * x[k]
        own.started = True
    else:
        predict(u, own)
        for i in range(n):
            new[i] = state[i]
        for k in range(nz):
            expected = 0.0
            for j in range(n):
                expected += own.H[k * n + j] * state[j]
            if isfinite(x[k]):
                for i in range(n):
                    new[i] += own.L[i * nz + k] * (x[k] - expected)
        for i in range(n):
            state[i] = new[i]
    show(u, y, own)


@verb
class Kalman(PeriodicStage):
    """The best linear estimate from measurements z and inputs u, at every tick.

    A, Q         how the states, named in `states`, go on in a period, and what disturbs them
    H            a row for each measurement: {name: ({state: weight}, standard deviation)}
    B            {input: {state: weight}}: what the mean input of a period adds
    spread       {state: standard deviation before anything is measured}
    outputs      {name: {state or input: weight}}; all states where it is left out
    orders       {name: k} of measurements, inputs and outputs that are derivative k of one motion:
                 from them the delays follow
    steady       the gain is always that of the Riccati equation: a fraction of the work. It
                 waits for all measurements to start, and takes one that is missing for the one
                 expected. Otherwise the gain follows the covariance, from the first sample on and
                 through dropouts.
    """

    def __init__(
        self,
        period: Any,
        states: Sequence[str],
        A: Any,
        Q: Any,
        H: Mapping[str, tuple[Mapping[str, float], float]],
        *,
        B: Mapping[str, Mapping[str, float]] | None = None,
        spread: Mapping[str, float] | None = None,
        outputs: Mapping[str, Mapping[str, float]] | None = None,
        orders: Mapping[str, int] | None = None,
        steady: bool = False,
    ) -> None:
        self.period, self.states, self.steady = positive(period, "the period"), tuple(states), steady
        B, n = B or {}, len(self.states)
        outputs = outputs or {name: {name: 1.0} for name in self.states}
        self.measurements = tuple(H)
        if not H:
            raise ModelError("a filter needs a measurement")
        self.inputs, self.outputs = (*H, *B), tuple(outputs)
        self.A, self.Q = design.square(A, n, "A"), design.covariance_matrix(design.square(Q, n, "Q"))
        self.H = design.weights([row for row, _ in H.values()], self.states)
        self.B = design.weights(list(B.values()), self.states).T
        both = design.weights(list(outputs.values()), (*self.states, *B))
        self.C, self.D = both[:, :n], both[:, n:]
        self.deviations = np.array([positive(s, f"the noise of {k}") for k, (_, s) in H.items()])
        self.start = design.spreads(spread or {}, self.states)
        self.gain, self.covariance = design.steady_gain(self.A, self.Q, self.H, self.deviations)
        self.delays = design.delays(self, dict(orders or {}))

    @property
    def errors(self) -> dict[str, float]:
        """{state: standard deviation of its error} once the filter has settled."""
        return dict(zip(self.states, np.sqrt(np.diag(self.covariance)).tolist(), strict=True))

    def response(self) -> Array:
        """The impulse response once the filter has settled."""
        return design.response(self)

    def step(self) -> tuple[Any, Any]:
        """The step with a fixed gain, or with one that follows the covariance."""
        numbers: dict[str, Any] = {"n": len(self.states), "nz": len(self.measurements)}
        numbers |= {"nu": self.B.shape[1], "no": len(self.outputs)}
        for name in "ABHCD":
            numbers[name] = np.ravel(getattr(self, name))
        if self.steady:
            S: Any = np.linalg.pinv(self.H)
            return fixed_gain, SteadyMemory(**numbers, L=self.gain.ravel(), S=S.ravel())
        P0 = np.diag(self.start**2).ravel()
        memory = FollowingMemory(**numbers, Q=self.Q.ravel(), R=self.deviations**2, P0=P0)
        return follow_covariance, memory
