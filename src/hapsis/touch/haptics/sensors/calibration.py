"""Constants of a sensor from a record beside a reference, with their errors.

The reference is taken as exact and the sensor as noisy: what the sensor shows is fitted as a
function of the reference, and not the other way round, which would pull every gain towards zero.
Errors are those of white noise; a record that does not excite a constant says so.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hapsis.errors import ModelError, SolveError, check_known
from hapsis.touch.haptics.conditioning.stage import Array, array

NULL = 1e-9  # of the largest singular value: a direction that the record does not determine
PART = 1e-3  # of such a direction: constants with less have no part in it


@dataclass(frozen=True, eq=False)
class Calibration:
    """The constants of a sensor or actuator from a record, with their errors.

    values      {constant: value}
    errors      {constant: standard error}; infinite where the record does not tell
    covariance  of the values, in their order
    noise       {channel: standard deviation of what it shows}
    residual    [sample, channel], what is shown less what the values say
    unclear     what the record does not excite, in words
    """

    values: Mapping[str, float]
    errors: Mapping[str, float]
    covariance: Array
    noise: Mapping[str, float]
    residual: Array
    unclear: tuple[str, ...]
    model: Any = None  # the sensor or actuator with these values

    @property
    def sensor(self) -> Any:
        """The sensor with these constants; an error where one of them is unclear."""
        if self.unclear:
            raise SolveError("; ".join(self.unclear), remedy="record a richer motion")
        return self.model

    def __getitem__(self, name: str) -> float:
        check_known(name, self.values, "there is no constant {}", expected=", ".join(self.values))
        return self.values[name]

    def __str__(self) -> str:
        wide = max(map(len, self.values))
        lines = [f"{n:<{wide}}  {x:12.6g} ± {self.errors[n]:.2g}" for n, x in self.values.items()]
        return "\n".join([*lines, *self.unclear])


@dataclass(frozen=True, eq=False)
class Fit:
    """Coefficients by least squares; of a line y = a · x + b they are (a, b)."""

    coefficients: Array
    covariance: Array
    noise: float
    residual: Array
    blind: NDArray[np.bool_]  # for each coefficient whether the record says nothing of it

    def inverse(self) -> "Fit":
        """x = k y + o of a line y = a x + b: k = 1/a, o = -b/a."""
        a, b = self.coefficients
        blind = bool(self.blind.any()) or a == 0.0
        k = 0.0 if blind else 1.0 / a
        slopes = np.array([[-k * k, 0.0], [b * k * k, -k]])  # ∂(k, o)/∂(a, b)
        covariance = slopes @ self.covariance @ slopes.T
        both = np.array([blind, blind])
        return Fit(np.array([k, -b * k]), covariance, self.noise, self.residual, both)


def record(shown: Any, reference: Any, channels: Any, quantities: Any) -> tuple[Array, Array]:
    """Rows where everything is there, as columns; at least three more than unknowns."""
    tables = []
    columns = (shown, channels, "what is shown"), (reference, quantities, "the reference")
    for x, names, what in columns:
        table = array(x, what)
        table = table[:, None] if table.ndim == 1 else table
        if table.ndim != 2 or table.shape[1] != len(names):
            raise ModelError(
                f"{what} has shape {table.shape}", expected=f"{len(names)} columns ({', '.join(names)})"
            )
        tables.append(table)
    raw, truth = tables
    if len(raw) != len(truth):
        raise ModelError(f"{len(raw)} samples are shown, the reference has {len(truth)}")
    good = np.isfinite(raw).all(1) & np.isfinite(truth).all(1)
    least = truth.shape[1] + 4
    if good.sum() < least:
        raise SolveError(f"only {good.sum()} samples are complete", expected=f"{least} or more")
    return raw[good], truth[good]


def line(truth: Array, shown: Array) -> Fit:
    """A line through a record, in well-scaled columns."""
    middle = truth.mean(0)
    scale = np.abs(truth - middle).max(0)
    wide = np.abs(truth).max(0)
    still = scale <= NULL * np.maximum(wide, np.finfo(float).tiny)
    scale = np.where(still, np.where(wide > 0.0, wide, 1.0), scale)
    X = np.hstack([np.where(still, 0.0, (truth - middle) / scale), np.ones((len(truth), 1))])
    U, s, Vt = np.linalg.svd(X, full_matrices=False)
    seen = s > NULL * s[0]
    inverse = np.where(seen, 1.0 / np.where(seen, s, 1.0), 0.0)
    scaled = Vt.T @ (inverse * (U.T @ shown))
    residual = shown - X @ scaled
    free = len(shown) - int(seen.sum())
    noise = float(np.sqrt(residual @ residual / free))
    covariance = noise**2 * (Vt.T * inverse**2) @ Vt
    # back from scaled columns about their middle
    back = np.diag([*(1.0 / scale), 1.0])
    back[-1, :-1] = -middle / scale
    blind = np.zeros(len(scaled), bool)
    if not seen.all():
        null = Vt[~seen]
        blind = np.abs(null).max(0) > PART
        blind[-1] = bool((np.abs(null @ back[-1]) > PART).any())
    return Fit(back @ scaled, back @ covariance @ back.T, noise, residual, blind)


def calibration(names: Any, fit: Fit, noise: Any, quantities: Any, model: Any) -> Calibration:
    """A fit by the names of its constants; `model` is the sensor or actuator with them."""
    names, blind = list(names), np.asarray(fit.blind, bool)
    sigma = np.sqrt(np.maximum(np.diag(fit.covariance), 0.0))
    errors = {n: float("inf") if b else float(s) for n, b, s in zip(names, blind, sigma, strict=True)}
    unclear: tuple[str, ...] = ()
    if blind.any():
        listed = ", ".join(n for n, b in zip(names, blind, strict=True) if b)
        unclear = (
            f"the record does not tell {listed}: {', '.join(quantities)} must vary more, each in its own way",
        )
    values = {n: float(v) for n, v in zip(names, fit.coefficients, strict=True)}
    residual = fit.residual.reshape(len(fit.residual), -1)
    return Calibration(values, errors, fit.covariance, noise, residual, unclear, model)
