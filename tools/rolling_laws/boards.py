"""What rolls on a board that swings, slides or is driven: nothing slips, and the energy account closes."""

import random
from typing import Any

import numpy as np

import hapsis as hs
from rolling_laws.grounds import form_of, quaternion, turn_of

Array = Any
CLOSE = 1e-9  # of sizes and speeds
KEPT = 3e-7  # of the energy that moves
UP = np.array([0.0, 0.0, 1.0])


def boards(seed: int) -> list[str]:
    """One body on one board."""
    draw = random.Random(seed)
    size, g = 10 ** draw.uniform(-5, 3), 10 ** draw.uniform(-1, 2)
    form, mass, rate = form_of(draw, size), 10 ** draw.uniform(-3, 3), np.sqrt(g / size)
    inertia = tuple(mass * size**2 * draw.uniform(0.3, 0.45) for _ in range(3))
    com = tuple(draw.uniform(-0.2, 0.2) * size for _ in range(3))
    top = hs.Frame(
        (0.0, 0.0, draw.uniform(-1, 1) * size), (draw.uniform(-0.3, 0.3), draw.uniform(-0.3, 0.3), 0)
    )
    kind = draw.choice([hs.Revolute, hs.Prismatic])
    facts: list[Any] = [
        hs.Body("board", 5 * mass, inertia=tuple(5 * mass * size**2 * x for x in (2, 2, 3))),
        hs.Body("b", mass, com, inertia),
        kind("j", hs.WORLD, "board", axis=draw.choice(["x", "y", "z", (1, 2, 3)])),
        hs.Free("f", hs.WORLD, "b"),
        hs.Rolling("roll", "b", ("board", top), **form.arguments),
    ]
    way = (0.3 if kind is hs.Revolute else size, draw.uniform(0.5, 2.0) * rate)
    if draw.random() < 0.7:
        facts.append(hs.Drive("d", "j", position=f"{way[0]} * sin({way[1]} * t)"))
    random.Random(seed).shuffle(facts)
    model = hs.Model(*facts, gravity=(0, 0, -g))
    # where it touches at the start: the board is at zero, or its drive is
    p, R = (np.asarray(x) for x in hs.compile(hs.pose(model, hs.End("board", top)))(_zero(model)))
    turn = turn_of(draw)
    spot = p + R @ np.array([draw.uniform(-1, 1) * size, draw.uniform(-1, 1) * size, 0.0])
    centre = spot - turn @ form.support(turn.T @ (R @ UP))
    start = dict(
        zip(("f.x", "f.y", "f.z", "f.qw", "f.qx", "f.qy", "f.qz"), (*centre, *quaternion(turn)), strict=True)
    )
    start |= {f"f.w{a}": draw.uniform(-1, 1) * rate for a in "xyz"}
    until = draw.uniform(0.3, 1.0) / rate
    run = hs.simulate(model, until, start, every=until / 4, tolerance=1e-10, losses=True)
    if not run.success:
        return [f"a run ends: {run.message}"]
    found: list[str] = []
    kept = run["energy"] - (run["d.work"] if model.drives else 0.0)
    moves = np.max(run["kinetic"]) + np.ptp(run["potential"])
    if not np.ptp(kept) <= KEPT * moves:
        found.append(f"the account is open by {np.ptp(kept) / moves:.2g}")
    for k in (0, len(run.t) // 2, -1):
        found += _slips(model, run, k, form, top)
    return found


def _zero(model: hs.Model) -> Array:
    return np.array([1.0 if n.endswith(".qw") else 0.0 for n in model.coordinates])


def _slips(model: hs.Model, run: hs.Result, k: int, form: Any, top: hs.Frame) -> list[str]:
    """A gap or a slip at a row of the run, of material points by the kinematics of both bodies."""
    q, v = (np.array([run[n][k] for n in names]) for names in (model.coordinates, model.speeds))
    (p, R), (c, A) = (
        [np.asarray(x) for x in hs.compile(hs.pose(model, end))(q)] for end in (hs.End("board", top), "b")
    )
    n = R @ UP
    spot = c + A @ form.support(A.T @ n)
    gap = n @ (spot - p) / form.size
    found = [f"the gap is {gap:.2g}"] if not abs(gap) <= CLOSE else []
    at: list[Array] = []
    for end, origin in ((hs.End("board", top), p), ("b", c)):
        w, u = np.split(np.asarray(hs.compile(hs.velocity(model, end))(q, v)), 2)
        at.append(u + np.cross(w, spot - origin))
    fast = np.abs(np.concatenate(at)).max() + form.size * np.abs(v[-6:-3]).max()
    slip = np.abs(at[0] - at[1]).max() / fast
    return found if slip <= CLOSE else [*found, f"it slips by {slip:.2g} of its speed"]
