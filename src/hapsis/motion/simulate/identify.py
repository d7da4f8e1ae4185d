"""The verb `identify`: parameters from a recorded motion, with their errors."""

from collections.abc import Iterable, Mapping, Sequence
from os import PathLike
from typing import Any

import numpy as np

from hapsis.compiler.ir.functions.limits import Count
from hapsis.compiler.ir.functions.progress_bar import Bar
from hapsis.compiler.ir.functions.verbs import verb
from hapsis.errors import ModelError, check_known, near
from hapsis.mechanics.model.model import Model
from hapsis.mechanics.model.model_warnings import tell_warnings
from hapsis.mechanics.model.result import Result
from hapsis.mechanics.model.state import Start
from hapsis.mechanics.model.values.numbers import described, real
from hapsis.motion.simulate.identification.observations import Observations
from hapsis.motion.simulate.identification.parameter_search import Identified, ParameterSearch
from hapsis.motion.simulate.identification.residuals import Efforts, Fit, Motions, has_efforts
from hapsis.motion.simulate.run.run_options import MOST_STEPS, TOLERANCE, derivative_options

__all__ = ["Identified", "identify"]

Array = np.ndarray[Any, np.dtype[np.float64]]
LEAST = 1e-6  # of its first value: the lower bound of a mass and the like
POSITIVE = {
    "mass",
    "xx",
    "yy",
    "zz",
    "stiffness",
    "damping",
    "friction",
    "armature",
    "coulomb",
    "static",
    "viscous",
    "length",
    "radius",
    "mu",
    "power",
}
FITS = ("efforts", "motion")


@verb
def identify(
    model: Model,
    data: Result | Mapping[str, Any] | str | PathLike[str],
    parameters: str | Iterable[str] | Mapping[str, float],
    *,
    start: Start | None = None,
    columns: Iterable[str] | None = None,
    inputs: Mapping[str, Any] | None = None,
    noise: float | Mapping[str, float] | None = None,
    bounds: Mapping[str, tuple[float, float]] | None = None,
    fit: str | None = None,
    iterations: Count = 100,
    method: str = "auto",
    step: float | None = None,
    tolerance: float = TOLERANCE,
    most_steps: int = MOST_STEPS,
    longest_step: float | None = None,
    progress: bool | None = None,
) -> Identified:
    """The values of parameters with which a model fits recorded data best.

    data        {"t": times, "hinge": values, ...}, a Result, or a .csv or .npz file
    parameters  names, or {name: first guess}; starts ("hinge") are allowed where motions are fitted
    columns     what is compared; all of a table, of a Result or file all coordinates
    start       where the motion starts, at the first time, as for `simulate`
    inputs      as for `simulate`; "elbow.effort" in the data is one already
    noise       standard deviation, of all columns or {column: number}; else from the residuals
    bounds      {name: (low, high)}; masses, inertias, stiffness and the like keep their sign
    fit         "efforts": by inverse dynamics, the default where every coordinate has a position,
                speed, acceleration and effort; "motion": by simulation
    iterations  steps of the search, at most
    method      as for `sensitivities`, as are step, tolerance, most_steps and longest_step; for
                motions only
    progress    a bar with the time that is left at most, on standard error; by default on terminals,
                after a second

    Errors are those of least squares for independent noise in the compared columns. Weights by
    residuals are found in rounds.
    """
    if not isinstance(model, Model):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise ModelError(f"identify takes a Model, not {described(model)}")
    tell_warnings(model)
    seen = Observations(data)
    names, guesses = _names(parameters)
    if fit not in (None, *FITS):
        raise ModelError(
            f'there is no fit "{str(fit)[:60]}"{near(str(fit), FITS)}', expected=" or ".join(FITS)
        )
    with Bar(progress, "identifying", bound=True) as bar:
        if fit == "efforts" or (fit is None and has_efforts(model, seen)):
            _refuse(columns=columns, start=start, inputs=inputs, step=step, longest_step=longest_step)
            _refuse(method=method if method != "auto" else None)
            _refuse(tolerance=tolerance if tolerance != TOLERANCE else None)
            _refuse(most_steps=most_steps if most_steps != MOST_STEPS else None)
            fitted: Fit = Efforts(model, seen, names)
        else:
            chosen = None if columns is None else [columns] if isinstance(columns, str) else [*columns]
            options = derivative_options(method, step, tolerance, most_steps, longest_step)
            fitted = Motions(model, seen, names, chosen, start, inputs, options)
        x = np.array([guesses.get(n, v) for n, v in zip(names, fitted.start, strict=True)])
        low, high = _bounds(names, x, bounds)
        search = ParameterSearch(fitted, names, len(seen.t), low, high, int(iterations), bar)
        return search.run(x, _noise(noise, fitted.columns), model)


def _names(parameters: Any) -> tuple[list[str], dict[str, float]]:
    if isinstance(parameters, str):
        parameters = [parameters]
    if not isinstance(parameters, Iterable):
        raise ModelError(f"parameters must be names, or {{name: first guess}}, not {described(parameters)}")
    guesses: dict[str, float] = {}
    if isinstance(parameters, Mapping):
        guesses = {str(n): real(x, f'the first guess of "{n}"') for n, x in parameters.items()}
    names = [str(name) for name in parameters]
    if not names:
        raise ModelError("parameters names nothing to identify")
    if len(set(names)) < len(names):
        raise ModelError("parameters names something twice")
    return names, guesses


def _bounds(
    names: Sequence[str], x: Array, bounds: Mapping[str, tuple[float, float]] | None
) -> tuple[Array, Array]:
    low, high = np.full(len(x), -np.inf), np.full(len(x), np.inf)
    for name in bounds or {}:
        check_known(name, names, "bounds name {}, which is not to be identified")
    for k, name in enumerate(names):
        if bounds and name in bounds:
            low[k], high[k] = (float(side) for side in bounds[name])
            if not low[k] <= x[k] <= high[k]:
                raise ModelError(
                    f'"{name[:60]}" starts at {x[k]:g}, outside its bounds {low[k]:g} and {high[k]:g}'
                )
        elif name.rpartition(".")[2] in POSITIVE and x[k] > 0.0:
            low[k] = LEAST * x[k]
    return low, high


def _noise(given: Any, columns: Sequence[str]) -> dict[str, float] | None:
    if given is None:
        return None
    table = dict(given) if isinstance(given, Mapping) else dict.fromkeys(columns, given)
    for name in columns:
        check_known(name, table, "noise has no value for the column {}")
    noise = {name: real(table[name], f'the noise of "{name}"') for name in columns}
    for name, x in noise.items():
        if not x > 0.0:
            raise ModelError(f'the noise of "{name}" must be positive, not {x:g}')
    return noise


def _refuse(**options: Any) -> None:
    for name, value in options.items():
        if value is not None:
            raise ModelError(f"{name} has no meaning where efforts are fitted", remedy='fit="motion"')
