"""The mathematics of a Kalman filter before it runs: matrices from names, gain, response, delays."""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

import numpy as np

from hapsis.compiler.native import Array
from hapsis.errors import ModelError, SolveError, check_known
from hapsis.touch.haptics.conditioning.stage import SMALL, array, positive

SLOW = 1e-3  # of the slowest of its rates: a low frequency
MOST = 100_000  # samples of a response


class LinearEstimator(Protocol):
    """The matrices and names of a filter x̂ = A x̂ + B u + gain (z - H x̂), y = C x̂ + D u."""

    period: Any
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    A: Array
    B: Array
    C: Array
    D: Array
    H: Array
    gain: Array


def steady_gain(A: Array, Q: Array, H: Array, deviations: Array) -> tuple[Array, Array]:
    """The gain, and the covariance after a measurement, of the settled filter."""
    from scipy.linalg import solve_discrete_are

    R = np.diag(deviations**2)
    scaled = H / deviations[:, None]  # in units of their noise
    try:
        P = solve_discrete_are(A.T, scaled.T, Q, np.eye(len(scaled)))
    except (np.linalg.LinAlgError, ValueError):
        raise SolveError(
            "the filter does not settle: no gain keeps its errors bounded",
            remedy="measure what drifts, or leave that state out",
        ) from None
    gain = np.linalg.solve(H @ P @ H.T + R, H @ P).T
    rest = np.eye(len(P)) - gain @ H
    return gain, rest @ P @ rest.T + gain @ R @ gain.T


def closed_form(filter: LinearEstimator) -> tuple[Array, Array]:
    """F and G of the settled filter: (x̂, u) = F (x̂, u of the tick before) + G sample."""
    n, nz, nu = len(filter.A), len(filter.H), filter.B.shape[1]
    rest = np.eye(n) - filter.gain @ filter.H
    F, G = np.zeros((n + nu, n + nu)), np.zeros((n + nu, nz + nu))
    F[:n, :n], F[:n, n:] = rest @ filter.A, 0.5 * rest @ filter.B
    G[:n, :nz], G[:n, nz:], G[n:, nz:] = filter.gain, 0.5 * rest @ filter.B, np.eye(nu)
    return F, G


def response(filter: LinearEstimator) -> Array:
    """The impulse response of the settled filter: [sample, output, input]."""
    F, G = closed_form(filter)
    slowest = float(np.abs(np.linalg.eigvals(F)).max())
    count = 4 + int(np.log(SMALL) / np.log(slowest)) if slowest < 1.0 else MOST
    h, s = np.zeros((min(count, MOST), len(filter.outputs), len(filter.inputs))), G
    for k in range(len(h)):
        h[k] = np.hstack([filter.C, filter.D]) @ s
        s = F @ s
    return h


def delays(filter: LinearEstimator, orders: Mapping[str, int]) -> dict[str, float]:
    """The delay in seconds, by its phase at a low frequency, of each output whose order is known."""
    (F, G), period = closed_form(filter), filter.period
    rates = -np.log(np.clip(np.abs(np.linalg.eigvals(F)), 1e-300, 1 - 1e-15)) / period
    w = SLOW * float(rates.min())
    z = np.exp(-1j * w * period)
    sample = np.array([(1j * w) ** orders[name] if name in orders else 0.0 for name in filter.inputs])
    y = np.hstack([filter.C, filter.D]) @ np.linalg.solve(np.eye(len(F)) - z * F, G @ sample)
    exact = {name: (1j * w) ** orders[name] for name in filter.outputs if name in orders}
    late = {
        name: float(-np.angle(y[k] / exact[name]) / w)
        for k, name in enumerate(filter.outputs)
        if name in exact
    }
    return late or {name: float("nan") for name in filter.outputs}


def square(x: Any, n: int, what: str) -> Array:
    """A finite matrix of n rows and columns."""
    matrix = array(x, what)
    if matrix.shape != (n, n) or not np.isfinite(matrix).all():
        raise ModelError(f"{what} has shape {matrix.shape}", expected=f"finite numbers, ({n}, {n})")
    return matrix


def covariance_matrix(Q: Array) -> Array:
    """Q, exactly symmetric, or the error that it is no covariance."""
    least = float(np.linalg.eigvalsh(0.5 * (Q + Q.T)).min())
    if not np.allclose(Q, Q.T) or least < -1e-9 * np.abs(Q).max():
        raise ModelError("Q is no covariance", expected="symmetric, no negative eigenvalue")
    return 0.5 * (Q + Q.T)


def weights(rows: Sequence[Mapping[str, float]], names: Sequence[str]) -> Array:
    """Weights by name as a matrix."""
    matrix = np.zeros((len(rows), len(names)))
    for i, row in enumerate(rows):
        for name, weight in row.items():
            check_known(name, names, "there is no {}", expected=", ".join(names))
            matrix[i, list(names).index(name)] = weight
    return matrix


def spreads(spread: Mapping[str, float], states: Sequence[str]) -> Array:
    """The standard deviation of each state at the start, 1 where none is given."""
    for name in spread:
        check_known(name, states, "there is no state {}")
    return np.array([positive(spread.get(s, 1.0), f"the spread of {s}") for s in states])
