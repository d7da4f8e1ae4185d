"""Kalman filters: the state of a linear model from everything that measures it.

    x = A x + B u + w,  z = H x + noise          w has covariance Q, each z its own deviation

Reference: R. E. Kalman, A new approach to linear filtering and prediction problems, Journal of
Basic Engineering 82, 1960.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from scipy.linalg import solve_discrete_are

from hapsis.errors import ModelError, SolveError, near
from hapsis.touch.haptics.conditioning import layout
from hapsis.touch.haptics.conditioning.stage import SMALL, Array, Stage, array, positive

SLOW = 1e-3  # of the slowest of its rates: a low frequency
MOST = 100_000  # samples of a response


class Kalman(Stage):
    """The best linear estimate from measurements z and inputs u, at every tick.

    A, Q         how the states, named in `states`, go on in a period, and what disturbs them
    H            a row for each measurement: {name: ({state: weight}, standard deviation)}
    B            {input: {state: weight}}: what the mean input of a period adds
    spread       {state: standard deviation before anything is measured}
    outputs      {name: {state or input: weight}}; all states where it is left out
    orders       {name: k} of measurements, inputs and outputs that are derivative k of one motion:
                 from them the delays follow
    steady       the gain is that of the Riccati equation for good: a fraction of the work. It
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
        self.period, self.states, self.steady = (positive(period, "the period"), tuple(states), steady)
        self.code = layout.STEADY if steady else layout.KALMAN
        B, n = B or {}, len(self.states)
        outputs = outputs or {name: {name: 1.0} for name in self.states}
        self.measurements = tuple(H)
        if not H:
            raise ModelError("a filter needs a measurement")
        self.inputs, self.outputs = (*H, *B), tuple(outputs)
        self.A, self.Q = _square(A, n, "A"), _covariance(_square(Q, n, "Q"))
        self.H = _table([row for row, _ in H.values()], self.states)
        self.B = _table(list(B.values()), self.states).T
        both = _table(list(outputs.values()), (*self.states, *B))
        self.C, self.D = both[:, :n], both[:, n:]
        self.deviations = np.array([positive(s, f"the noise of {k}") for k, (_, s) in H.items()])
        spread = spread or {}
        _known(spread, self.states)
        self.start = np.array([positive(spread.get(s, 1.0), f"the spread of {s}") for s in states])
        self.gain, self.covariance = self._solved()
        self._orders = dict(orders or {})
        self.delays = self._delays()
        self.constants, self.memory = self._packed(), 1 + 2 * n + len(B) + 2 * n * n + n

    @property
    def errors(self) -> dict[str, float]:
        """{state: standard deviation of its error} once the filter has settled."""
        return dict(zip(self.states, np.sqrt(np.diag(self.covariance)).tolist(), strict=True))

    def response(self) -> Array:
        """Its answer to an impulse, once settled."""
        F, G = self._closed()
        slowest = float(np.abs(np.linalg.eigvals(F)).max())
        count = 4 + int(np.log(SMALL) / np.log(slowest)) if slowest < 1.0 else MOST
        h, s = np.zeros((min(count, MOST), len(self.outputs), len(self.inputs))), G
        for k in range(len(h)):
            h[k] = np.hstack([self.C, self.D]) @ s
            s = F @ s
        return h

    def _closed(self) -> tuple[Array, Array]:
        """(x̂, u) of this tick by those of the tick before, and by the sample."""
        n, nz, nu = len(self.states), len(self.measurements), self.B.shape[1]
        rest = np.eye(n) - self.gain @ self.H
        F, G = np.zeros((n + nu, n + nu)), np.zeros((n + nu, nz + nu))
        F[:n, :n], F[:n, n:] = rest @ self.A, 0.5 * rest @ self.B
        G[:n, :nz], G[:n, nz:], G[n:, nz:] = self.gain, 0.5 * rest @ self.B, np.eye(nu)
        return F, G

    def _solved(self) -> tuple[Array, Array]:
        """The gain and the covariance after a measurement, of the settled filter."""
        R = np.diag(self.deviations**2)
        H = self.H / self.deviations[:, None]  # in units of their noise
        try:
            P = solve_discrete_are(self.A.T, H.T, self.Q, np.eye(len(H)))
        except (np.linalg.LinAlgError, ValueError):
            raise SolveError(
                "the filter does not settle: no gain keeps its errors bounded",
                remedy="measure what drifts, or leave that state out",
            ) from None
        gain = np.linalg.solve(self.H @ P @ self.H.T + R, self.H @ P).T
        rest = np.eye(len(P)) - gain @ self.H
        return gain, rest @ P @ rest.T + gain @ R @ gain.T

    def _delays(self) -> dict[str, float]:
        """Phase at a low frequency, of the outputs whose order is known, in seconds."""
        (F, G), period = self._closed(), positive(self.period, "the period")
        rates = -np.log(np.clip(np.abs(np.linalg.eigvals(F)), 1e-300, 1 - 1e-15)) / period
        w = SLOW * float(rates.min())
        z = np.exp(-1j * w * period)
        sample = np.array(
            [(1j * w) ** self._orders[name] if name in self._orders else 0.0 for name in self.inputs]
        )
        found = np.linalg.solve(np.eye(len(F)) - z * F, G @ sample)
        y = np.hstack([self.C, self.D]) @ found
        wanted = {name: (1j * w) ** self._orders[name] for name in self.outputs if name in self._orders}
        late = {
            name: float(-np.angle(y[k] / wanted[name]) / w)
            for k, name in enumerate(self.outputs)
            if name in wanted
        }
        return late or {name: float("nan") for name in self.outputs}

    def _packed(self) -> Array:
        sizes = [len(self.states), len(self.measurements), self.B.shape[1], len(self.outputs)]
        common = [sizes, self.A, self.B, self.H, self.C, self.D]
        if self.steady:
            own = [self.gain, np.linalg.pinv(self.H)]
        else:
            own = [self.Q, self.deviations**2, np.diag(self.start**2)]
        return np.concatenate([np.ravel(part) for part in (*common, *own)])


def _known(names: Iterable[str], states: Sequence[str]) -> None:
    for name in names:
        if name not in states:
            raise ModelError(f'there is no state "{name[:60]}"{near(name, states)}')


def _square(x: Any, n: int, what: str) -> Array:
    found = array(x, what)
    if found.shape != (n, n) or not np.isfinite(found).all():
        raise ModelError(f"{what} has shape {found.shape}", expected=f"finite numbers, ({n}, {n})")
    return found


def _covariance(Q: Array) -> Array:
    least = float(np.linalg.eigvalsh(0.5 * (Q + Q.T)).min())
    if not np.allclose(Q, Q.T) or least < -1e-9 * np.abs(Q).max():
        raise ModelError("Q is no covariance", expected="symmetric, no negative eigenvalue")
    return 0.5 * (Q + Q.T)


def _table(rows: Sequence[Mapping[str, float]], names: Sequence[str]) -> Array:
    """Weights by name as a matrix."""
    found = np.zeros((len(rows), len(names)))
    for i, row in enumerate(rows):
        for name, weight in row.items():
            if name not in names:
                raise ModelError(
                    f'there is no "{str(name)[:60]}"{near(str(name), names)}', expected=", ".join(names)
                )
            found[i, list(names).index(name)] = weight
    return found
