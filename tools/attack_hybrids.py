"""Random hybrids: do runs and steps follow event loops of their own, impacts dense matrices, swaps poses?

    python tools/attack_hybrids.py                 20 of each kind
    python tools/attack_hybrids.py balls 0 200     seeds 0 to 199 of one kind
    python tools/attack_hybrids.py --replay balls:17

A line for each seed that breaks a law. The exit status is 1 if there is one.
"""

import random
import sys
import warnings
from math import inf, sqrt
from typing import Any

import numpy as np
from attacks.seeds import Kinds, exit_status
from hybrid_laws.machines import machines

import hapsis as hs

CLOSE = 2e-6  # of the size of the motion
EXACT = 1e-7  # the same, of steps of balls
INSTANT = 1e-7  # s: bounces that follow each other faster are over
SIZE = 20  # seeds of each kind


class Ball:
    """A ball over a floor that may have an edge, in closed form."""

    def __init__(self, draw: random.Random, size: float, g: float) -> None:
        self.g, self.time = g, sqrt(size / g)
        self.z, self.w = draw.uniform(0.1, 1.0) * size, draw.uniform(-0.5, 0.5) * size / self.time
        self.u, self.e = draw.uniform(0.0, 1.0) * size / self.time, draw.choice([0.6, 0.8, 1.0])
        self.edge = draw.choice([inf, draw.uniform(0.2, 3.0) * size])

    def moved(self, until: float) -> tuple[float, float] | None:
        """Its place at a time; None where its bounces come to an end before."""
        t, z, w = 0.0, self.z, self.w
        while True:
            pause = (w + sqrt(w * w + 2.0 * self.g * z)) / self.g
            rest = until - t
            if pause > rest or self.u * (t + pause) >= self.edge:
                return self.u * until, z + w * rest - 0.5 * self.g * rest**2
            t, z, w = t + pause, 0.0, self.e * (self.g * pause - w)
            if 2.0 * w / self.g < INSTANT:
                return None


def balls(seed: int) -> list[str]:
    """Balls that bounce beside each other, some at one moment, some over an edge: a run and steps of it.

    Steps are short or long, with many bounces in one. Where bounces come to an end, both say so.
    """
    draw = random.Random(seed)
    size, g = 10 ** draw.uniform(-6, 3), 10 ** draw.uniform(-1, 3)
    every = [Ball(draw, size, g) for _ in range(draw.randint(1, 3))]
    if len(every) > 1 and draw.random() < 0.4:  # bounce at the same moments
        every[1].z, every[1].w, every[1].e = every[0].z, every[0].w, every[0].e
    facts: list[Any] = []
    events: list[hs.Event] = []
    start: dict[str, float] = {}
    for k, ball in enumerate(every):
        name = f"b{k}"
        facts += [hs.Body(name, mass=10 ** draw.uniform(-6, 3)), hs.Chain(name, hs.WORLD, name, "Tx Tz")]
        only = [] if ball.edge == inf else [lambda s, n=name, x=ball.edge: s[f"{n}.x"] < x]
        blow = draw.choice(
            [
                hs.impact(name, restitution=ball.e),
                hs.reset({f"{name}.Tz.v": lambda s, n=name, e=ball.e: -e * s[f"{n}.Tz.v"]}),
            ]
        )
        events.append(hs.Event(name, when=hs.height(name), falling=True, only=only, then=[blow]))
        start |= {f"{name}.Tz": ball.z, f"{name}.Tz.v": ball.w, f"{name}.Tx.v": ball.u}
    hybrid = hs.Hybrid({"flight": hs.Model(*facts, gravity=(0, 0, -g))}, events)
    time = sqrt(size / g)
    dt, until = draw.choice([0.003, 0.01, 0.05, 0.4]) * time, draw.uniform(0.5, 6.0) * time
    count = max(round(until / dt), 1)
    ends = [ball.moved(count * dt) for ball in every]
    run = hs.simulate(hybrid, count * dt, start, tolerance=1e-11)
    step = hs.compile(hs.stepper(hybrid, dt, start=start, outputs=["status"]))
    state = step()
    for _ in range(count - 1):
        state = step(state.q, state.v, state.z, state.t)
    places = {"a run": [run[n][-1] for n in hybrid.coordinates], "steps": state.q}
    if None in ends:
        told = {"a run": run.status, "steps": hybrid.ending(state.z).partition(":")[0]}
        found = [
            f"{what} of bounces without end: {x or 'success'}" for what, x in told.items() if x != "zeno"
        ]
        wanted = np.asarray(places["a run"])
    else:
        found = [] if run.success and not state.status else [f"{run.message}; {hybrid.ending(state.z)}"]
        wanted = np.array([x for end in ends if end for x in end])
    for what, q in places.items():
        off = np.abs(np.asarray(q) - wanted).max() / size
        if not off <= EXACT:
            found.append(f"{what} of {len(every)} balls with dt {dt / time:g} end {off:.2g} off")
    return found


def mechanism(draw: random.Random) -> tuple[hs.Model, dict[str, float], float]:
    """A body and a link of any size in space, with a start; and its size."""
    size, mass = 10 ** draw.uniform(-5, 2.5), 10 ** draw.uniform(-5, 3)

    def body(name: str, share: float) -> hs.Body:
        com = tuple(draw.uniform(-0.2, 0.2) * size for _ in range(3))
        inertia = tuple(share * mass * size**2 * x for x in (0.1, 0.12, 0.15))
        frames = {n: tuple(draw.uniform(-1, 1) * size for _ in range(3)) for n in ("tip", "top")}
        return hs.Body(name, mass=share * mass, com=com, inertia=inertia, frames=frames)

    joint = draw.choice([hs.Ball("j", "a.tip", "b.top"), hs.Revolute("j", "a.tip", "b.top", axis=(1, 2, 3))])
    facts = [body("a", 1.0), body("b", draw.choice([1.0, 1e-3, 1e3])), hs.Free("f", hs.WORLD, "a"), joint]
    model = hs.Model(*facts, gravity=(0, 0, 0))
    start = {n: draw.uniform(-1, 1) for n in model.speeds}
    start |= {f"f.v{x}": draw.uniform(-1, 1) * size for x in "xyz"}
    return model, start, size


def impacts(seed: int) -> list[str]:
    """An impact in space with any other point held, by a dense system with multipliers."""
    draw = random.Random(seed)
    model, start, size = mechanism(draw)
    e, mu = draw.choice([0.0, 0.5, 1.0]), draw.choice([None, 0.0, 0.3, 100.0])
    held = draw.choice([None, None, "a.top"])
    after = model if held is None else model.pinned(held)
    blow = hs.Event(
        "blow", when=lambda s: s.since - 0.01, rising=True, during="free", to="then",
        then=[hs.impact("b.tip", restitution=e, friction=mu)],
    )  # fmt: skip
    run = hs.simulate(hs.Hybrid({"free": model, "then": after}, [blow]), 0.02, start, tolerance=1e-10)
    if not run.events:
        return [f"there is no impact: {run.message}"]
    at = np.flatnonzero(run.t == run.events[0].time)
    q = np.array([run[n][at[0]] for n in model.coordinates])
    before, then = (np.array([run[n][k] for n in model.speeds]) for k in (at[0], at[-1]))
    M = np.asarray(hs.compile(hs.mass_matrix(model))(q))
    J = np.asarray(hs.compile(hs.jacobian(model, "b.tip"))(q))[3:]
    H = np.zeros((0, len(before)))
    if held is not None:
        H = np.asarray(hs.compile(hs.jacobian(model, held))(q))[3:]
    found: list[str] = []
    impulse = np.array([run.events[0].impulses.get(f"b.tip impact.{x}", 0.0) for x in "xyz"])
    kinetic = [0.5 * v @ M @ v for v in (before, then)]
    scale = sqrt(2.0 * kinetic[0])
    unit = np.linalg.norm(list(run.events[0].impulses.values())) + 1e-300
    if kinetic[1] > kinetic[0] * (1.0 + 1e-9):
        found.append(f"energy grows by {kinetic[1] / kinetic[0] - 1:.2g}")
    if impulse[2] < -1e-9 * unit:
        found.append("the ground pulls")
    if np.hypot(*impulse[:2]) > (mu or 0.0) * impulse[2] + 1e-7 * unit:
        found.append("the impulse is outside of the cone of friction")
    came, goes = J[2] @ before, J[2] @ then
    if mu is not None and came < 0.0 and goes < -e * came and _gains(M, J, H, before, e):
        e = max(goes / -came, 0.0)  # as much as energy allows
    wanted = _struck(M, J, H, before, e, impulse)
    off = np.linalg.cholesky(M).T @ (then - wanted)
    if not np.linalg.norm(off) <= CLOSE * scale:
        found.append(f"speeds are {np.linalg.norm(off) / scale:.2g} off")
    inside = mu is not None and np.hypot(*impulse[:2]) < 0.999 * mu * impulse[2]
    if inside and not np.abs(J[:2] @ then).max() <= CLOSE * size:
        found.append("it slides, though friction could hold it")
    if abs(run.events[0].loss - (kinetic[0] - kinetic[1])) > 1e-7 * kinetic[0]:
        found.append("the loss is not that of the kinetic energy")
    return found


def _struck(M: Any, J: Any, H: Any, v: Any, e: float, impulse: Any) -> Any:
    """The speeds after an impact with these impulses across; where the ground would pull, without it."""
    p = M @ v + J[:2].T @ impulse[:2]
    rows = np.vstack([H, J[2:]])
    rates = np.zeros(len(rows))
    rates[-1] = -e * min(J[2] @ v, 0.0)
    W = np.linalg.solve(M, rows.T)
    free = np.linalg.solve(M, p)
    d = 1.0 / np.sqrt(np.einsum("ij,ji->i", rows, W))  # rows in units of their own
    lam = d * np.linalg.lstsq((rows @ W) * np.outer(d, d), d * (rates - rows @ free), rcond=None)[0]
    if lam[-1] >= 0.0:
        return free + W @ lam
    return v if not len(H) else v - W[:, :-1] @ np.linalg.solve(H @ W[:, :-1], H @ v)


def _gains(M: Any, J: Any, H: Any, v: Any, e: float) -> bool:
    """Whether energy would grow if a point stuck and came up with all of its restitution."""
    rows = np.vstack([H, J])
    rates = np.zeros(len(rows))
    rates[-1] = -e * J[2] @ v
    W = np.linalg.solve(M, rows.T)
    then = v + W @ np.linalg.lstsq(rows @ W, rates - rows @ v, rcond=None)[0]
    return bool(then @ M @ then > v @ M @ v)


def swaps(seed: int) -> list[str]:
    """Two equal bodies on any joints that change places: they have each other's motion, or it is refused."""
    draw = random.Random(seed)
    size = 10 ** draw.uniform(-5, 2.5)
    frames = {n: tuple(draw.uniform(-1, 1) * size for _ in range(3)) for n in ("top", "foot")}
    com = tuple(draw.uniform(-0.2, 0.2) * size for _ in range(3))
    legs = [
        hs.Body(n, mass=2.0, com=com, inertia=tuple(size**2 * x for x in (0.1, 0.12, 0.15)), frames=frames)
        for n in ("left", "right")
    ]
    root = draw.choice(["left", "left.foot", "left.top"])
    kinds = ["Tx Tz Ry", "Tx Ry", "Tx Tz", "Tx Ty Tz", "Tx Ty Tz Rz", "Ry"]
    ends = draw.choice([("left.top", "right.top"), ("left", "right"), ("left.top", "right.foot")])
    between = draw.choice([hs.Revolute, hs.Prismatic, hs.Ball, hs.Universal])
    facts: list[Any] = [hs.Chain("base", hs.WORLD, root, draw.choice(kinds))]
    if between in (hs.Revolute, hs.Prismatic):
        facts.append(between("j", *ends, axis="y"))
    else:
        facts.append(between("j", *ends))
    if draw.random() < 0.5:
        at = draw.choice([("hip", "hip"), ("hip.left", "hip.right")])
        hips = {
            "left": (0.0, 0.1 * size, 0.0),
            "right": tuple(draw.choice([0.0, 0.1]) * size for _ in range(3)),
        }
        hip = hs.Body("hip", mass=1.0, inertia=(size**2,) * 3, frames=hips)
        joints = [between(n, a, f"{n}.top") for n, a in zip(("left", "right"), at, strict=True)]
        facts = [hip, hs.Free("base", hs.WORLD, "hip"), *joints]
    model = hs.Model(*legs, *facts, gravity=(0, 0, 0))
    start = {n: draw.uniform(-1, 1) for n in model.speeds}
    change = hs.Event(
        "change", when=lambda s: s.since - 0.1, rising=True, during="one", to="two",
        then=hs.swap("left", "right"),
    )  # fmt: skip
    try:
        run = hs.simulate(hs.Hybrid({"one": model, "two": model}, [change]), 0.2, start)
    except hs.Error:
        return []
    if run.status == "contradiction":
        return []
    at = np.flatnonzero(run.t == run.events[0].time)
    sides = [
        [np.array([run[n][k] for n in names]) for names in (model.coordinates, model.speeds)]
        for k in (at[0], at[-1])
    ]
    for name, other in (("left", "right"), ("right", "left")):
        mine, its = (_motion(model, n, *side) for n, side in ((name, sides[1]), (other, sides[0])))
        off = np.abs((mine - its) / np.array([size] * 3 + [1.0] * 12 + [size] * 3)).max()
        if not off <= CLOSE:
            return [f'"{name}" has not got the motion of "{other}": {off:.2g}']
    return []


def _motion(model: hs.Model, frame: str, q: Any, v: Any) -> Any:
    """The pose and the velocity of a frame as numbers."""
    place, turn = hs.compile(hs.pose(model, frame))(q)
    return np.concatenate([np.ravel(place), np.ravel(turn), hs.compile(hs.velocity(model, frame))(q, v)])


KINDS: Kinds = {"balls": balls, "impacts": impacts, "swaps": swaps, "machines": machines}


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    sys.exit(exit_status(sys.argv[1:], KINDS, dict.fromkeys(KINDS, SIZE)))
