"""What rolls on planes and surfaces, told twice: as a model, and as the same model told in another way.

The laws: the body touches and does not enter the ground; the body at the spot stands still; along a run
the gap and the slip stay zero and the energy stays what it is; and the motion does not depend on where
the world's origin is, how the body's frame lies in the body, which joint carries it, or the order of facts.
"""

import random
from typing import Any, NamedTuple

import numpy as np

import hapsis as hs
from rolling_laws.grounds import Form, Ground, form_of, ground_of, quaternion, rpy, turn_of

Array = Any
CLOSE = 1e-9  # of sizes and speeds
FOLLOWED = 1e-6  # at the end of a run, of the size
KEPT = 1e-7  # of the energy that moves


class Case(NamedTuple):
    """A body with its mass in the axes of its rolling frame, where it is, and how it moves."""

    form: Form
    ground: Ground
    mass: float
    com: Array
    inertia: Array
    place: Array  # of the rolling frame, seen from the ground's frame
    turn: Array
    spin: Array  # angular velocity, in the ground's axes
    gravity: Array  # in the ground's axes


class Told(NamedTuple):
    """One way to say it: the frame of the ground, that of the form on the body, and the joint."""

    at: Array
    turn: Array
    offset: Array  # of the rolling frame on the body
    tilt: Array
    chain: bool
    order: int


def case_of(draw: random.Random) -> Case:
    """A random body on a random ground, touching it."""
    size = 10 ** draw.uniform(-6, 3)
    form = form_of(draw, size)
    ground = ground_of(draw, form)
    n, turn = ground.normal(ground.spot), turn_of(draw)
    place = ground.spot - turn @ form.support(turn.T @ n)
    mass, axes = 10 ** draw.uniform(-3, 3), turn_of(draw)
    moments = [draw.uniform(0.25, 0.45) for _ in range(3)]
    inertia = mass * size**2 * axes @ np.diag(moments) @ axes.T
    com = size * np.array([draw.uniform(-0.2, 0.2) for _ in range(3)])
    g = 10 ** draw.uniform(-1, 2)
    gravity = g * np.array([draw.uniform(-0.5, 0.5), draw.uniform(-0.5, 0.5), -1.0])
    spin = np.sqrt(g / size) * np.array([draw.uniform(-1, 1) for _ in range(3)])
    return Case(form, ground, mass, com, inertia, place, turn, spin, gravity)


def plain_of() -> Told:
    """The plainest way."""
    return Told(np.zeros(3), np.eye(3), np.zeros(3), np.eye(3), False, 0)


def told_of(draw: random.Random, size: float) -> Told:
    """Another way."""
    at, offset = (np.array([draw.uniform(-2, 2) * size for _ in range(3)]) for _ in range(2))
    return Told(at, turn_of(draw), offset, turn_of(draw), draw.random() < 0.4, draw.randrange(1, 10**6))


def model_of(case: Case, told: Told) -> hs.Model:
    """The case as a model; poses have where it starts."""
    com = told.offset + told.tilt @ case.com
    I = told.tilt @ case.inertia @ told.tilt.T
    inertia = (I[0, 0], I[1, 1], I[2, 2], I[0, 1], I[0, 2], I[1, 2])
    wheel = hs.Frame(tuple(told.offset.tolist()), rpy(told.tilt))
    ground = hs.WORLD.at(*told.at.tolist(), rpy=rpy(told.turn))
    joint = hs.Chain("b", hs.WORLD, "b", "Tx Ty Tz Rz Ry Rx") if told.chain else hs.Free("b", hs.WORLD, "b")
    more: dict[str, Any] = {}
    facts: list[Any] = [hs.Body("b", case.mass, tuple(com.tolist()), tuple(map(float, inertia)))]
    if case.ground.surface is not None:
        more = {"surface": case.ground.surface, "spot": "spot"}
        facts += [hs.Body("mark"), hs.Chain("spot", ground, "mark", "Tx Ty Tz")]
    facts += [joint, hs.Rolling("roll", ("b", wheel), ground, **case.form.arguments, **more)]
    if told.order:
        random.Random(told.order).shuffle(facts)
    gravity = tuple((told.turn @ case.gravity).tolist())
    return hs.Model(*facts, gravity=gravity)


def start_of(case: Case, told: Told, model: hs.Model) -> dict[str, float]:
    """Where it starts, with the speeds of a body whose material point at the spot stands still."""
    R = told.turn @ case.turn @ told.tilt.T  # of the body in the world
    p = told.at + told.turn @ case.place - R @ told.offset
    roll, pitch, yaw = rpy(R)
    angles = {"b.Rz": yaw, "b.Ry": pitch, "b.Rx": roll}
    turned = angles if told.chain else dict(zip(("b.qw", "b.qx", "b.qy", "b.qz"), quaternion(R), strict=True))
    named = dict(zip(("b.Tx", "b.Ty", "b.Tz") if told.chain else ("b.x", "b.y", "b.z"), p, strict=True))
    start: dict[str, float] = {n: float(x) for n, x in {**named, **turned}.items()}
    if case.ground.surface is not None:
        start |= {f"spot.T{a}": float(x) for a, x in zip("xyz", case.ground.spot, strict=True)}
    q = np.array([start[n] for n in model.coordinates])
    w = told.turn @ case.spin
    u = np.cross(w, p - told.at - told.turn @ case.ground.spot)
    slots = [k for k, n in enumerate(model.speeds) if n.startswith("b.")]
    J = np.asarray(hs.compile(hs.jacobian(model, "b"))(q))[:, slots]
    v = np.linalg.lstsq(J / _units(J), np.concatenate([w, u]), rcond=None)[0] / _units(J)
    return start | {model.speeds[k]: float(x) for k, x in zip(slots, v, strict=True)}


def _units(J: Array) -> Array:
    return np.linalg.norm(J, axis=0)


def seen(told: Told, model: hs.Model, run: hs.Result, k: int) -> tuple[Array, Array]:
    """The place and the axes of the rolling frame from the ground's, at a row of a run."""
    q = np.array([run[n][k] for n in model.coordinates])
    p, R = (np.asarray(x) for x in hs.compile(hs.pose(model, "b"))(q))
    return told.turn.T @ (p + R @ told.offset - told.at), told.turn.T @ R @ told.tilt


def broken(case: Case, told: Told, run: hs.Result, model: hs.Model) -> list[str]:
    """The laws of one run that do not hold, in words."""
    found: list[str] = []
    size, moves = case.form.size, np.ptp(run["potential"]) + np.max(run["kinetic"])
    if not np.ptp(run["energy"]) <= KEPT * moves:
        found.append(f"energy changes by {np.ptp(run['energy']) / moves:.2g}")
    speed = hs.compile(hs.velocity(model, "b"))
    for k in (0, len(run.t) // 2, -1):
        p, R = seen(told, model, run, k)
        spot = p + R @ case.form.support(R.T @ np.array([0, 0, 1.0]))
        if case.ground.surface is not None:
            spot = np.array([run[f"spot.T{a}"][k] for a in "xyz"])
            off = p + R @ case.form.support(R.T @ case.ground.normal(spot)) - spot
            if not np.abs(off).max() <= CLOSE * size:
                found.append(f"the spot is {np.abs(off).max() / size:.2g} off the lowest point")
        if not abs(case.ground.value(spot)) <= CLOSE * size:
            found.append(f"the gap is {case.ground.value(spot) / size:.2g}")
        q, v = (np.array([run[n][k] for n in names]) for names in (model.coordinates, model.speeds))
        w, u = np.split(np.asarray(speed(q, v)), 2)
        origin = np.asarray(hs.compile(hs.pose(model, "b"))(q)[0])
        slip = u + np.cross(w, told.at + told.turn @ spot - origin)
        if not np.abs(slip).max() <= CLOSE * (np.abs(u).max() + np.abs(w).max() * size):
            found.append(f"it slips with {np.abs(slip).max():.2g} m/s")
    return found


def rolls(seed: int) -> list[str]:
    """One body on one ground, told in two ways."""
    draw = random.Random(seed)
    case = case_of(draw)
    size, g = case.form.size, float(np.linalg.norm(case.gravity))
    until = draw.uniform(0.3, 1.5) * np.sqrt(size / g)
    ends: list[tuple[Array, Array]] = []
    found: list[str] = []
    for told in (plain_of(), told_of(draw, size)):
        model = model_of(case, told)
        start = start_of(case, told, model)
        try:
            run = hs.simulate(model, until, start, every=until / 4, tolerance=1e-10)
        except hs.Error as error:
            return [*found, f"{'chain' if told.chain else 'free'}: {error}"]
        if not run.success:
            found.append(f"a run ends: {run.message}")
            continue
        found += broken(case, told, run, model)
        ends.append(seen(told, model, run, -1))
    if len(ends) == 2:
        off = np.abs(ends[0][0] - ends[1][0]).max() / size, np.abs(ends[0][1] - ends[1][1]).max()
        if not max(off) <= FOLLOWED:
            found.append(f"told in another way it ends {max(off):.2g} off")
    return found
