"""Checks of constraint rows: that they can be satisfied, are not identically zero, are linear in speeds."""

from typing import Any

import numpy as np

from hapsis.compiler.backends.interpreter import evaluate
from hapsis.compiler.ir.functions.function import Function
from hapsis.compiler.ir.graph.expr import Expr
from hapsis.errors import ModelError
from hapsis.mechanics.formalisms.constraints.constant_rows import check_constant
from hapsis.mechanics.formalisms.tree.tree import Tree
from hapsis.mechanics.model.derived import derived
from hapsis.mechanics.model.store.kept import forms_by_values

BENT = 1e-9  # of the largest slope; slopes that change more with the speeds are not constant
SPEEDS = (1e-2, 1.0, 1.0, 30.0, 1e3)  # m/s or rad/s; speeds at which slopes are compared


def is_asked(tree: Tree, time: Expr | None, name: str, row: Expr, v: Any = None) -> bool:
    """Whether a row depends on coordinates (a speed row: on speeds); else it must be identically zero."""
    key = (is_asked, tree.condensed, tree.links.kept, name)
    return derived(tree.links.model, key, lambda: _is_asked(tree, time, name, row, v))


def _is_asked(tree: Tree, time: Expr | None, name: str, row: Expr, v: Any) -> bool:
    inputs = {"q": tree.q} if v is None else {"q": tree.q, "v": v}
    inputs = {**inputs, **({} if time is None else {"t": time})}
    f = Function("row", inputs, {"h": row})
    if _live(f, "q" if v is None else "v"):
        return True
    if _live(f, "q") or (time is not None and _live(f, "t")):
        what = "coordinate" if v is None else "speed"
        raise ModelError(f'the row "{name[:80]}" can never be met: no {what} changes it')
    check_constant(name, float(evaluate(f, _flat(f))[0]), v is not None)
    return False


def check_linear(tree: Tree, time: Expr | None, name: str, row: Expr, v: Any, noun: str = "row") -> None:
    """Raises an error for a speed row, or what `noun` calls it, whose slopes depend on the speeds."""
    inputs = {"q": tree.q, "v": v, **({} if time is None else {"t": time})}
    slopes = Function("row", inputs, {"s": row}).jacobian("s", "v")
    if not _live(slopes, "v"):
        return
    forms_by_values(tree.links.model).add(name)
    if _are_constant(slopes, tree):
        return
    raise ModelError(
        f'the {noun} "{name[:80]}" is not linear in the speeds',
        remedy="write it as a sum of speeds times functions of coordinates and time",
    )


def _are_constant(slopes: Function, tree: Tree) -> bool:
    """Whether slopes are numerically the same at any speeds as at rest."""
    draw = np.random.default_rng(0)
    compared = False
    for speed in SPEEDS:
        x = _flat(slopes)
        x[: tree.n_q] = draw.uniform(0.2, 1.0, tree.n_q)
        at_rest = evaluate(slopes, x)
        x[tree.n_q : tree.n_q + tree.n_v] = speed * draw.uniform(-1.0, 1.0, tree.n_v)
        moving = evaluate(slopes, x)
        if np.isfinite(at_rest).all():  # else the row is undefined at this pose
            compared = True
            if not np.abs(moving - at_rest).max() <= BENT * max(1.0, np.abs(at_rest).max()):
                return False
    return compared


def _live(f: Function, port: str) -> bool:
    """Whether any output depends on the input of that name."""
    refs = next(p.refs for p in f.inputs if p.name == port)
    return bool({ref >> 2 for ref in refs} & set(f.live))


def _flat(f: Function) -> Any:
    """The flat argument of a Function: all inputs zero, parameters at their values."""
    count = sum(len(port.refs) for port in f.inputs)
    return np.array([0.0] * count + list(f.parameters.values()))
