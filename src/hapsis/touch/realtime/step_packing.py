"""A step as the loop calls it: one vector of states in and out, one of inputs, one of outputs."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from hapsis.compiler.ir.functions.function import Function
from hapsis.compiler.ir.graph.expr import symbols
from hapsis.compiler.ir.graph.graph import Graph
from hapsis.errors import ModelError, near
from hapsis.motion.simulate.equations.parameter_inputs import with_parameter_inputs

STATES = ("q", "v", "z", "t")


class Tick(NamedTuple):
    """(y, u, live) -> y_new, out, and the names of what is in them.

    start    y at the start; live parameters start with `values`
    """

    function: Function
    start: Any
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    rest: Any  # the inputs at the start
    live: tuple[str, ...]
    values: Any


def tick_of(step: Function, live: Sequence[str] | str = ()) -> Tick:
    """What `hs.stepper` returned, packed for the loop; `live` names parameters that may change,
    "all" of them if it says so."""
    if not _is_step(step):
        raise ModelError("a loop takes what hs.stepper returns")
    if isinstance(live, str):
        live = tuple(step.parameters) if live == "all" else (live,)
    for name in live:
        if name not in step.parameters:
            raise ModelError(
                f'the step has no parameter "{str(name)[:60]}"{near(str(name), step.parameters)}'
            )
    values = np.array([step.parameters[name] for name in live] or [0.0])
    whole = with_parameter_inputs(step, live)
    ports = {port.name: port for port in whole.inputs}
    graph = Graph()
    states = [name for name in STATES if name in ports]
    y = symbols("y", sum(len(ports[n].refs) for n in states), kind="coordinate", graph=graph)
    inputs = [name for name in ports if name not in (*STATES, "theta")]
    u, theta = symbols("u", max(1, len(inputs)), graph=graph), symbols("live", len(values), graph=graph)
    known = {**_split(y, states, ports), **dict(zip(inputs, u, strict=False)), "theta": theta}
    found = dict(zip([p.name for p in whole.outputs], whole(**{n: known[n] for n in ports}), strict=True))
    outputs = [name for name in found if name not in states]
    for name in outputs:
        if len(_listed(found[name])) != 1:
            raise ModelError(f'the output "{name[:60]}" is a vector; a loop takes numbers')
    function = Function(
        "tick",
        {"y": y, "u": u, "live": theta},
        {
            "y_new": [x for name in states for x in _listed(found[name])],
            "out": [_listed(found[name])[0] for name in outputs] or [y[0] * 0.0],
        },
    )
    start = np.concatenate([np.atleast_1d(ports[name].stand_in) for name in states])
    rest = np.array([float(ports[name].stand_in) for name in inputs] or [0.0])
    return Tick(function, start, tuple(inputs), tuple(outputs), rest, tuple(live), values)


def _split(y: Any, states: Sequence[str], ports: Any) -> dict[str, Any]:
    found: dict[str, Any] = {}
    place = 0
    for name in states:
        part = y[place : place + len(ports[name].refs)]
        found[name] = part if ports[name].shape else part[0]
        place += len(part)
    return found


def _listed(x: Any) -> list[Any]:
    return list(x) if hasattr(x, "__len__") else [x]


def _is_step(step: Any) -> bool:
    """Whether this is a Function that gives the states and the time it takes, after a step."""
    if not isinstance(step, Function):
        return False
    inputs, outputs = ({p.name: p.shape for p in ports} for ports in (step.inputs, step.outputs))
    states = {name: inputs[name] for name in STATES if name in inputs}
    return "t" in states and states == {name: outputs.get(name) for name in states}
