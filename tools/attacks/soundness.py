"""Whether a model is possible, judged by its facts alone and not by the checks of the package."""

import dataclasses
import math
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from attacks.table import Impossible
from hapsis.mechanics.model.model import Model
from hapsis.mechanics.model.shapes.shapes import Shape
from hapsis.mechanics.model.values.formula import TIME, Formula

NOT_NEGATIVE = ("radius", "length", "size")  # of shapes


def parts(x: Any) -> Iterator[Any]:
    """Everything inside a model: tables, tuples and records, and what is in them."""
    pending = [x]
    while pending:
        x = pending.pop()
        yield x
        if isinstance(x, Mapping):
            pending.extend(x.values())
        elif isinstance(x, tuple):
            pending.extend(x)
        elif dataclasses.is_dataclass(x) and not isinstance(x, Formula):
            pending.extend(getattr(x, f.name) for f in dataclasses.fields(x))


def demand(sound: bool, text: str) -> None:
    """Impossible, with this text, where something is not sound."""
    if not sound:
        raise Impossible(text)


def check(model: Model) -> None:
    """Every number is finite, every mass, inertia, shape and limit possible, every name is there."""
    everything = list(parts((model.facts, model.poses, model.parameters, model.gravity)))
    demand(all(math.isfinite(x) for x in everything if isinstance(x, float)), "a number is not finite")
    for formula in everything:
        if isinstance(formula, Formula) and TIME not in formula.names:
            demand(math.isfinite(float(model.value(formula))), f"{formula} is not finite")
    for body in model.bodies.values():
        _check_body(model, body)
    for shape in everything:
        if isinstance(shape, Shape):
            lengths = [x for name in NOT_NEGATIVE for x in _values(model, getattr(shape, name, ()))]
            demand(all(x >= 0 for x in lengths), f"{shape} has a negative length")
    demand(len(model.zero) == len(model.coordinates) == len(model.limits), "coordinates are counted twice")
    demand(len(set(model.coordinates)) == len(model.coordinates), "coordinates share a name")
    demand(all(low <= high for low, high in model.limits), "a limit is empty")
    demand(bool(model.joints) or not model.bodies, "bodies without joints")
    demand(len(model.tree) >= len(model.bodies), "a body hangs on nothing")


def _check_body(model: Model, body: Any) -> None:
    mass, *numbers = map(model.value, (body.mass, *body.com, *body.inertia))
    demand(mass >= 0 and all(map(math.isfinite, (mass, *numbers))), f"mass of {body.name}")
    xx, yy, zz, xy, xz, yz = numbers[3:]
    inertia = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    low, middle, high = np.linalg.eigvalsh(inertia / (abs(inertia).max() or 1.0))
    demand(low >= -1e-8 and low + middle >= high - 1e-8, f"inertia of {body.name}")


def _values(model: Model, x: Any) -> list[float]:
    values = x if isinstance(x, tuple) else (x,)
    return [float(model.value(value)) for value in values]
