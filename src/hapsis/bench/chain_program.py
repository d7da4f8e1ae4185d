"""Programs to compile: recursions along a chain of bodies, as long as one wants."""

import math
import random
from typing import Any

import numpy as np

from hapsis.compiler.ir.functions.function import Function, Port
from hapsis.compiler.ir.graph.expr import Expr
from hapsis.compiler.ir.graph.graph import Graph

OPERATIONS_PER_LINK = 195


def chain(operations: int, seed: int = 1) -> Function:
    """A Function of about so many operations: forces along a chain of turning bodies.

    Out: each link's velocity and acceleration from those before it. In: force and moment back to
    the base. The recursion of inverse dynamics, with random geometry, so nothing simplifies away.
    """
    links = max(1, round(operations / OPERATIONS_PER_LINK))
    graph, draw = Graph(), random.Random(seed)
    names = ("q", "v", "a")
    q, v, a = ([Expr(graph, graph.symbol(f"{n}[{i}]")) for i in range(links)] for n in names)
    turns, velocities, efforts = [], [], []
    w, dw, dv = _vector(0.0, 0.0, 0.0), _vector(0.0, 0.0, 0.0), _vector(0.0, 0.0, 9.81)
    for i in range(links):
        turn, arm = _turn(q[i], draw), _random(draw, 0.3)
        dv = turn @ (dv + np.cross(dw, arm) + np.cross(w, np.cross(w, arm)))
        w, dw = turn @ w, turn @ dw
        dw = dw + _vector(w[1] * v[i], -w[0] * v[i], a[i])
        w = w + _vector(0.0, 0.0, v[i])
        turns.append((turn, arm))
        velocities.append((w, dw, dv))
    force, moment = _vector(0.0, 0.0, 0.0), _vector(0.0, 0.0, 0.0)
    for (turn, arm), (w, dw, dv) in zip(reversed(turns), reversed(velocities), strict=True):
        mass, centre, inertia = 1.0 + draw.random(), _random(draw, 0.1), _random(draw, 1.0)
        own = (dv + np.cross(dw, centre) + np.cross(w, np.cross(w, centre))) * mass
        momentum = w * inertia
        moment = moment + dw * inertia + np.cross(w, momentum) + np.cross(centre, own)
        force = force + own
        efforts.append(moment[2])
        force = turn.T @ force
        moment = turn.T @ moment + np.cross(arm, force)
    inputs = zip(names, (q, v, a), strict=True)
    ports = [Port(n, (links,), tuple(x.ref for x in xs)) for n, xs in inputs]
    refs = tuple(effort.ref for effort in reversed(efforts))
    return Function.of("chain", graph, ports, [Port("tau", (links,), refs)])


def _vector(*xs: Any) -> Any:
    return np.array(xs, dtype=object)


def _random(draw: random.Random, size: float) -> Any:
    return _vector(*(size * draw.uniform(0.2, 1.0) for _ in range(3)))


def _turn(angle: Expr, draw: random.Random) -> Any:
    """A turn about z after a fixed tilt about x."""
    tilt = draw.uniform(0.2, 1.2)
    c, s = math.cos(tilt), math.sin(tilt)
    ca, sa = np.cos(angle), np.sin(angle)
    return np.array([[ca, sa * c, sa * s], [-sa, ca * c, ca * s], [0.0, -s, c]], dtype=object)
