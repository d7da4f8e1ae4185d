"""Kane's equations of random trees with drives, pins, blades and generalized speeds, by dense linear algebra.

Mass matrix, bias and rows come from the model, all else from numpy: speeds that the rows and drives
allow, accelerations with multipliers, and what generalized speeds of any size make of them.
"""

import random
from typing import Any

import numpy as np

import hapsis as hs
from hapsis.mechanics.formalisms.constraints.row_names import constraint_names
from hapsis.mechanics.model.units import coordinate_units, speed_units

Array = Any
CLOSE = 1e-8
WORST = 1e4  # the condition number above which nothing is compared


def tree_of(draw: random.Random, size: float) -> hs.Model:
    """Two to four bodies on joints of many kinds."""
    facts: list[Any] = []
    for k in range(draw.randint(2, 4)):
        mass = draw.uniform(0.5, 2.0)
        com, tip, top = (tuple(draw.uniform(-0.5, 0.5) * size for _ in range(3)) for _ in range(3))
        inertia = tuple(mass * size**2 * draw.uniform(0.1, 0.18) for _ in range(3))
        facts.append(hs.Body(f"b{k}", mass, com, inertia, frames={"tip": tip, "top": top}))
        below = f"b{draw.randrange(k)}.tip" if k else hs.WORLD
        kinds = [hs.Revolute, hs.Prismatic, hs.Universal, hs.Cylindrical, hs.Ball]
        kind = draw.choice([*kinds, hs.Free, hs.Planar] if not k else kinds)
        axis = {"axis": draw.choice("xyz")} if kind in (hs.Revolute, hs.Prismatic, hs.Cylindrical) else {}
        facts.append(kind(f"j{k}", below, f"b{k}.top", **axis))
    return hs.Model(*facts)


def tied(draw: random.Random, model: hs.Model, size: float) -> hs.Model:
    """The model with drives and rows of speeds, so that something is left free."""
    plain = [n.removesuffix(".v") for n in model.speeds if n.removesuffix(".v") in model.coordinates]
    driven = draw.sample(plain, min(len(plain), draw.randint(0, 2)))
    for k, name in enumerate(driven):
        a, b = draw.uniform(-1, 1), draw.uniform(1, 3)
        unit = coordinate_units(model)[model.coordinates.index(name)]
        wave = f"{a * unit} + {0.3 * unit} * sin({b} * t)"
        how: dict[str, Any] = {"position": wave} if draw.random() < 0.7 else {"velocity": a * unit}
        model = model + hs.Drive(f"d{k}", name, **how)
    left = len(model.speeds) - len(driven)
    if left > 2 and draw.random() < 0.6:
        end = draw.choice([n for n in model.bodies if n != "world"])
        edge = hs.KnifeEdge("edge", f"{end}.tip", along=draw.choice("xy"))
        model = model + (hs.Pinned("pin", f"{end}.tip") if left > 4 and draw.random() < 0.5 else edge)
    return model


def combined(draw: random.Random, model: hs.Model) -> hs.Model:
    """The model with combinations of any size, functions among them."""
    units = dict(zip(model.speeds, speed_units(model), strict=True))
    for k, name in enumerate(draw.sample(model.speeds, draw.randint(0, len(model.speeds)))):
        scale, other = 10 ** draw.uniform(-9, 9), draw.choice(model.speeds)
        factor = 0.0 if other == name else 0.4 * draw.uniform(-1, 1) * units[name] / units[other]
        if factor == 0.0 or draw.random() < 0.6:
            table = {name: scale, **({other: scale * factor} if factor else {})}
            model = model + hs.Speed(f"u{k}", table)
            continue
        model = model + hs.Speed(
            f"u{k}",
            lambda s, n=name, o=other, c=scale, f=factor: (
                c * (s[n] + f * hs.cos(0.3 + s.t) * s[o] + 0.1 * s.t)
            ),
        )
    return model


def one(function: hs.Function, *values: Any, t: float) -> Any:
    """A Function at a state and a time."""
    timed = {"t": t} if any(port.name == "t" for port in function.inputs) else {}
    return hs.compile(function)(*values, **timed)


def equations(seed: int) -> list[str]:
    """Kane's equations, momenta and reactions of one mechanism at t = 0."""
    draw, numbers = random.Random(seed), np.random.default_rng(seed)
    size = 10 ** draw.uniform(-4, 3)
    model = tied(draw, tree_of(draw, size), size)
    start = {
        n: draw.uniform(-1, 1) * u for n, u in zip(model.coordinates, coordinate_units(model), strict=True)
    }
    start = {n: x for n, x in start.items() if n.rpartition(".")[2] not in ("qw", "qx", "qy", "qz")}
    places = {d.joint for d in model.drives.values()}
    try:
        at = hs.assemble(model, {n: x for n, x in start.items() if n not in places})
    except hs.SolveError:  # a drive moves what a row of speeds holds
        return []
    units, n = np.array(speed_units(model)), len(model.speeds)
    slots = [model.speeds.index(f"{d.joint}.v") for d in model.drives.values()]
    rows = one(hs.constraints(model), at.q, np.zeros(n), t=0.0) if constraint_names(model) else None
    J = np.vstack([np.eye(n)[slots], rows.J * units / _size(rows.J * units) if rows else np.zeros((0, n))])
    _, sizes, V = np.linalg.svd(J)
    if len(J) >= n or (len(J) and sizes[-1] < sizes[0] / WORST):
        return []
    ways = [hs.simulate(model, 1e-9, at)[f"{model.speeds[k]}"][0] for k in slots] if slots else []
    right = np.concatenate([np.array(ways) / units[slots], np.zeros(len(J) - len(slots))])
    v = numbers.normal(size=n)
    v = (v - np.linalg.pinv(J) @ (J @ v - right)) * units
    return _compared(draw, model, at, v, V[len(J) :].T * units[:, None], numbers.normal(size=n))


def _size(J: Array) -> Array:
    return np.abs(J).max(axis=1, keepdims=True)


def _compared(draw: random.Random, model: hs.Model, at: Any, v: Array, Z: Array, push: Array) -> list[str]:
    """The laws that do not hold at a state with free motions Z."""
    units, M = np.array(speed_units(model)), one(hs.mass_matrix(model), at.q, t=0.0)
    tau = push * np.abs(M * units).max(axis=1)
    whole = combined(draw, model)
    try:
        names, lead = hs.generalized_speed_names(whole), hs.independent_speeds(whole, at)
    except hs.Error as error:
        return [] if "no independent combinations" in str(error) else [str(error)]
    u, Y, w = one(hs.generalized_speeds(whole), at.q, v, t=0.0)
    scaled = Y * units / _size(Y * units)
    if np.linalg.cond(scaled) > 1e3 or np.linalg.cond(Z.T @ M @ Z / np.abs(Z.T @ M @ Z).max()) > WORST:
        return []
    found: list[str] = []
    p = one(hs.generalized_momentum(whole), at.q, v, t=0.0)
    if not abs((u - w) @ p - v @ M @ v) <= CLOSE * abs(v @ M @ v):
        found.append(f"momenta are {abs((u - w) @ p / (v @ M @ v) - 1):.2g} off")
    equations = one(hs.kane_equations(whole, at=at), at.q, u[[names.index(x) for x in lead]], t=0.0)
    off = np.abs((equations.v - v) / units).max() / np.abs(v / units).max()
    if not off <= CLOSE:
        found.append(f"speeds are {off:.2g} off")
    rates = np.linalg.solve(equations.M, equations.B @ tau - equations.f)
    a = equations.B.T @ rates + equations.b
    c = one(hs.bias(model), at.q, v, t=0.0)
    work = (Z.T @ (M @ a + c - tau)) / np.abs(Z.T * np.abs(M @ a)).max()
    if not np.abs(work).max() <= CLOSE:
        found.append(f"free motions are {np.abs(work).max():.2g} out of balance")
    if not constraint_names(model) and not model.drives:
        return found
    known = hs.compile(hs.reduced_dynamics(model, at=at))(at.q, v, tau)
    off = np.abs((known.a - a) / units).max() / (np.abs(a / units).max() + 1e-12)
    return found if off <= CLOSE else [*found, f"accelerations are {off:.2g} off those of reduced dynamics"]
