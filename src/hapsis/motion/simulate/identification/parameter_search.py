"""The search for the values of parameters that fit data best, and how well the data determine them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from hapsis.compiler.ir.functions.progress_bar import Bar
from hapsis.compiler.ir.functions.verbs import verb
from hapsis.errors import ModelError, SolveError, check_known
from hapsis.mechanics.model.checks.changed_values import with_values
from hapsis.mechanics.model.model import Model
from hapsis.mechanics.model.result import Result
from hapsis.motion.simulate.identification.residuals import Fit
from hapsis.motion.solvers.linear.least_squares import Solution, least_squares, within

Array = np.ndarray[Any, np.dtype[np.float64]]
NULL = 1e-6  # of the largest singular value: a direction that the data do not determine
PART = 1e-3  # of such a direction: parameters with less have no part in it
SLOW = 1e-12  # of the sum of squares: what gains less is not worth a step
ROUNDS = 3  # of weights by residuals


@verb
@dataclass(frozen=True, eq=False)
class Identified:
    """The identified values of parameters, with their standard errors.

    values      {name: value}
    errors      {name: standard error}; infinite where the data do not determine it
    covariance  of the values, in their order
    noise       {column: standard deviation}, given or from the residuals
    residual    {column: model minus data}
    condition   of the problem with columns of like size: digits lost
    unclear     which parameters cannot be told apart, in words
    iterations  steps of the search
    model       with the values in it; None where a name has no one place in the model
    result      the motion with the values, where one was simulated
    """

    values: Mapping[str, float]
    errors: Mapping[str, float]
    covariance: Array
    noise: Mapping[str, float]
    residual: Mapping[str, Array]
    condition: float
    unclear: tuple[str, ...]
    iterations: int
    model: Model | None
    result: Result | None

    def __getitem__(self, name: str) -> float:
        check_known(name, self.values, "{} was not asked for")
        return self.values[name]

    def __str__(self) -> str:
        wide = max(map(len, self.values))
        lines = [f"{n:<{wide}}  {x:12.6g} ± {self.errors[n]:.2g}" for n, x in self.values.items()]
        return "\n".join([*lines, *self.unclear])


class ParameterSearch:
    """Weighted least squares in units in which all unknowns matter alike."""

    def __init__(
        self, fit: Fit, names: Sequence[str], rows: int, low: Array, high: Array, iterations: int, bar: Bar
    ) -> None:
        self.fit, self.names, self.low, self.high = fit, names, low, high
        self.bar, self.tried, self.most = bar, 0, ROUNDS * (iterations + 1)
        bar.expect(0, self.most, "tries")
        self.iterations, self.taken = iterations, 0
        self.last: tuple[bytes, Any] = b"", None
        if rows * len(fit.columns) < len(names):
            raise ModelError(f"{rows * len(fit.columns)} numbers cannot determine {len(names)} parameters")

    def at(self, x: Array) -> tuple[Array, Array]:
        """Residuals and slopes, computed once for each x."""
        if self.last[0] != x.tobytes():
            self.last = x.tobytes(), self.fit.at(x)
            self.tried += 1
            self.bar.reached(min(self.tried, self.most))
        return self.last[1]

    def run(self, x: Array, noise: Mapping[str, float] | None, model: Model) -> Identified:
        """The best values."""
        r, J = self.at(x)
        if not np.isfinite(r).all():
            raise SolveError(
                "the model cannot be computed with the first values", remedy="give better ones, {name: value}"
            )
        sigma = self._sigma(r, noise)
        for _ in range(1 if noise else ROUNDS):
            solution = self._solved(x, sigma)
            x, before = solution.x, sigma
            self.taken += solution.iterations
            r, J = self.at(x)
            sigma = self._sigma(r, noise)
            if np.allclose(sigma, before, rtol=1e-3):
                break
        return self._identified(x, r, J, sigma, model)

    def _sigma(self, r: Array, noise: Mapping[str, float] | None) -> Array:
        if noise is not None:
            return np.array([noise[name] for name in self.fit.columns])
        free = max(1.0, r.shape[1] - len(self.names) / len(r))
        sigma = np.sqrt(np.square(r).sum(axis=1) / free)
        return np.where(sigma > 0.0, sigma, np.max(sigma, initial=0.0) or 1.0)

    def _solved(self, x: Array, sigma: Array) -> Solution:
        J = self._weighted(self.at(x)[1], sigma)
        sizes = np.linalg.norm(J, axis=0)
        unit = 1.0 / np.where(sizes > 0.0, sizes, 1.0)
        return least_squares(
            lambda x: (self.at(x)[0] / sigma[:, None]).ravel(),
            lambda x: self._weighted(self.at(x)[1], sigma) * unit,
            x,
            retract=lambda x, d: np.clip(x + unit * d, self.low, self.high),
            room=lambda x: tuple(  # pyright: ignore[reportArgumentType]
                side / unit for side in within(self.low, self.high)(x)
            ),
            slow=SLOW,
            iterations=self.iterations,
        )

    @staticmethod
    def _weighted(J: Array, sigma: Array) -> Array:
        return (J / sigma[:, None, None]).reshape(-1, J.shape[-1])

    def _identified(self, x: Array, r: Array, J: Array, sigma: Array, model: Model) -> Identified:
        values = dict(zip(self.names, x.tolist(), strict=True))
        covariance, errors, condition, unclear = judged(self._weighted(J, sigma), self.names)
        columns = self.fit.columns
        return Identified(
            values=values,
            errors=dict(zip(self.names, errors.tolist(), strict=True)),
            covariance=covariance,
            noise=dict(zip(columns, sigma.tolist(), strict=True)),
            residual=dict(zip(columns, r, strict=True)),
            condition=condition,
            unclear=unclear,
            iterations=self.taken,
            result=self.fit.result(x),
            model=with_values(model, {n: v for n, v in values.items() if not _is_start(n, model)}),
        )


def judged(J: Array, names: Sequence[str]) -> tuple[Array, Array, float, tuple[str, ...]]:
    """Covariance, standard errors, condition, and in words what the slopes cannot tell apart."""
    sizes = np.linalg.norm(J, axis=0)
    unit = 1.0 / np.where(sizes > 0.0, sizes, 1.0)
    _, s, V = np.linalg.svd(J * unit, full_matrices=False)
    seen = s > NULL * max(float(s[0]), 1e-300)
    part = V[seen] / s[seen][:, None]
    covariance = unit[:, None] * (part.T @ part) * unit
    hidden = V[~seen]
    linked = np.abs(hidden.T @ hidden) > PART * PART
    errors = np.where(linked.diagonal(), np.inf, np.sqrt(np.diag(covariance)))
    condition = float(s[0] / s[-1]) if s[-1] > 0.0 else float("inf")
    return covariance, errors, condition, tuple(_unclear(linked, names))


def _unclear(linked: Any, names: Sequence[str]) -> list[str]:
    """One sentence for each set of parameters that no datum tells apart."""
    sentences: list[str] = []
    left = [k for k in range(len(names)) if linked[k, k]]
    while left:
        group, more = {left[0]}, {left[0]}
        while more:
            more = {j for k in more for j in left if linked[k, j]} - group
            group |= more
        left = [k for k in left if k not in group]
        quoted = ", ".join(f'"{names[k]}"' for k in sorted(group))
        sentences.append(
            f"the data tell {quoted} together, not apart"
            if len(group) > 1
            else f"nothing in the data depends on {quoted}"
        )
    return sentences


def _is_start(name: str, model: Model) -> bool:
    return name.startswith("start:") or (
        name in (*model.coordinates, *model.speeds) and name not in model.parameters
    )
