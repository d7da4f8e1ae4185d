"""Mechanisms with loops, closed states of them, and their motion by plain linear algebra."""

from typing import NamedTuple

import numpy as np
import oracle
from shared_models import library
from trees import numbers

import hapsis as hs

RANK = 1e-9  # of the largest singular value
LIBRARY = (
    "andrews",
    "bricard",
    "double_wishbone",
    "five_link_suspension",
    "redundant_four_bar",
    "scissor_lift",
    "slider_crank",
    "stewart",
    "three_bar",
)
SKEW = (0.36, -0.48, 0.8)
JOINTS = {
    "revolute": lambda a, b: hs.Revolute("j", a, b, axis=SKEW),
    "prismatic": lambda a, b: hs.Prismatic("j", a, b, axis="x"),
    "helical": lambda a, b: hs.Helical("j", a, b, axis="z", pitch=0.1),
    "cylindrical": lambda a, b: hs.Cylindrical("j", a, b, axis=SKEW),
    "universal": lambda a, b: hs.Universal("j", a, b),
    "planar": lambda a, b: hs.Planar("j", a, b, normal="y"),
    "ball": lambda a, b: hs.Ball("j", a, b),
    "weld": lambda a, b: hs.Weld("j", a, b),
    "distance": lambda a, b: hs.Distance("j", a, b, 0.7),
    "growing distance": lambda a, b: hs.Distance("j", a, b, lambda t: 0.7 + 0.1 * hs.sin(t + 0.3)),
}


def pair(kind, *facts):
    """Two bodies, one on the other's slide, tied once more: the tie closes a loop."""
    bodies = [
        hs.Body(
            n,
            mass=1.0 + k,
            com=(0.1, 0, 0.05),
            inertia=(0.2, 0.3, 0.25, 0.01, 0.02, -0.01),
            frames={"f": hs.Frame((0.1, 0.2, -0.3 + k), (0.4, -0.2, 0.9))},
        )
        for k, n in enumerate("ab")
    ]
    return hs.Model(
        *bodies,
        hs.Free("fa", hs.WORLD.at(0.3, 0, 0), "a"),
        hs.Free("fb", "b", hs.WORLD),
        JOINTS[kind]("a.f", "b.f"),
        *facts,
    )


def welded_eye():
    """The agile eye with welds in the place of driven coordinates: arms without mass, 6 rows too
    many."""
    model = library.agile_eye()
    held = {drive.joint: model.value(drive.position) for drive in model.drives.values()}
    facts = [fact for fact in model.facts if fact.family != "drives"]
    for k, fact in enumerate(facts):
        if fact.family == "joints" and fact.name in held:
            body, frame = model.frame(fact.first)
            rpy = [held[fact.name] * (axis == fact.axis) for axis in "xyz"]
            facts[k] = hs.Weld(fact.name, (body, hs.Frame(frame.at, rpy)), fact.second)
    start = {n: x for n, x in model.poses["start"].items() if n not in held}
    return hs.Model(
        *facts, parameters=model.parameters, poses={"start": start}, independent=model.independent
    )


def rolling(axis="y"):
    """A wheel of its own that rolls, with a rod hinged to its middle."""
    wheel = hs.Body("wheel", mass=2.0, com=(0.02, 0.01, 0.0), inertia=(0.1, 0.2, 0.12))
    return hs.Model(
        wheel,
        hs.Rod("rod", 0.8, 1.0),
        hs.Free("w", hs.WORLD, "wheel"),
        hs.Universal("hang", "wheel", "rod", axes=("y", "z")),
        hs.Rolling("roll", "wheel", hs.WORLD.at(0, 0, 0.1, rpy=(0.1, 0.2, 0)), 0.3, axis=axis),
        poses={"start": {"w.qw": 0.9, "w.qx": 0.2, "w.qy": 0.3, "w.qz": 0.1, "w.z": 0.4}},
    )


def rolling_form(**form):
    """The same with another form: a tyre or an ellipsoid."""
    return rolling().replace("roll", **form)


def on_a_hill():
    """A tyre on a smooth hill; the point of contact has coordinates of its own."""
    model = rolling()
    hill = hs.Rolling(
        "roll",
        "wheel",
        hs.WORLD.at(0, 0, 0.1, rpy=(0.1, 0.2, 0)),
        0.3,
        tube=0.05,
        surface=lambda x, y, z, height=0.2: z - height * hs.cos(x + 0.5 * y),
        spot="spot",
    )
    facts = [fact for fact in model.facts if fact.name != "roll"]
    place = hs.WORLD.at(0, 0, 0.1, rpy=(0.1, 0.2, 0))
    spot = [hs.Body("mark"), hs.Chain("spot", place, "mark", "Tx Ty Tz")]
    start = {**model.pose("start"), "spot.Tz": 0.1}
    return hs.Model(*facts, *spot, hill, poses={"start": start})


def geared():
    """A gear, a row of the user's and a row of speeds between coordinates of three rods."""
    rods = [hs.Rod(n, 0.5 + k / 10, 1.0 + k) for k, n in enumerate("abcd")]
    return hs.Model(
        *rods,
        hs.Revolute("A", hs.WORLD, "a", axis="y", damping=0.1, armature=0.02),
        hs.Revolute("B", "a.end", "b", axis="z"),
        hs.Revolute("C", "b.end", "c", axis="y"),
        hs.Revolute("D", hs.WORLD.at(1, 0, 0), "d", axis="x"),
        hs.Gear("gear", "A", "C", 1.5, 0.2),
        hs.Constraint(
            "mine",
            lambda s: s["B"] - 0.3 * hs.sin(s["A"]) - 0.1 * s.t,
            lambda s: s["D.v"] - (0.2 + s["B"]) * s["A.v"],
        ),
    )


def held():
    """A free body with two legs: one foot pinned, one hinged on another body, a knife edge below."""
    limbs = ("left", "right", "toe", "stone")
    trunk = hs.Body("trunk", 5.0, (0.02, 0.0, 0.1), (0.3, 0.2, 0.1), frames={"edge": (0.1, 0, -0.3)})
    return hs.Model(
        trunk,
        *(hs.Body(n, 1.0, (0.25, 0, 0), (0.01, 0.03, 0.03), {"end": (0.5, 0, 0)}) for n in limbs),
        hs.Free("base", hs.WORLD, "trunk"),
        hs.Ball("hip", "trunk", "left"),
        hs.Universal("other", ("trunk", (0, 0.2, 0)), "right", axes=("x", "y")),
        hs.Ball("ankle", "right.end", "toe"),
        hs.Revolute("tilt", hs.WORLD.at(1, 0, 0), "stone", axis="y"),
        hs.Pinned("pin", "left.end", hs.WORLD.at(0.3, 0, 0, rpy=(0.2, 0.1, 0))),
        hs.Hinged("hinge", ("toe", hs.Frame((0.2, 0, 0), (0.1, 0.4, 0.2))), "stone.end", axis=(0, 0.6, 0.8)),
        hs.KnifeEdge("edge", "trunk.edge", along=(1, 0, 0.2)),
    )


MECHANISMS = {
    **{name: getattr(hs.library, name) for name in LIBRARY},
    "n four-bars": lambda: library.n_four_bar(3),
    "agile eye": welded_eye,
    "rolling wheel": rolling,
    "rolling ball": lambda: rolling(None),
    "rolling tyre": lambda: rolling_form(tube=0.1),
    "rolling ellipsoid": lambda: rolling_form(radius=None, semi_axes=(0.3, 0.2, 0.25)),
    "on a hill": on_a_hill,
    "geared": geared,
    "held feet": held,
    **{kind: lambda kind=kind: pair(kind) for kind in JOINTS},
}


class Closed(NamedTuple):
    """A closed state, its motion, and what was used to compute it."""

    q: np.ndarray
    v: np.ndarray
    tau: np.ndarray
    a: np.ndarray
    lam: np.ndarray
    J: np.ndarray
    gamma: np.ndarray
    drift: np.ndarray


def assembled(model, seed):
    """A closed pose: independent coordinates a little elsewhere, or anywhere if there are none."""
    draw = np.random.default_rng(seed)
    if model.independent:
        start = hs.assemble(model)
        moved = {n: start[n] + 0.1 * draw.uniform(-1, 1) for n in model.independent}
        return hs.assemble(model, moved if seed else None).q
    if "start" not in model.poses:
        values = draw.uniform(-1, 1, len(model.coordinates)).tolist()
        start = dict(zip(model.coordinates, values, strict=True))
        model = model.replace(poses={"start": start})
    return hs.assemble(model).q


def one(function, *inputs, **more):
    """The outputs of a Function at one state, by the interpreter; the time is zero."""
    given = [np.asarray(x, float)[None] for x in inputs]
    for port in function.inputs[len(inputs) :]:
        given.append(np.asarray(more.get(port.name, port.stand_in), float).reshape(1, -1))
    found = numbers(function, *given)
    return found[0] if isinstance(found, np.ndarray) else type(found)(*(x[0] for x in found))


KNOWN = {}  # by model: its Functions, written once


def written(model):
    """Rows, mass matrix and bias of a model."""
    if id(model) not in KNOWN:
        KNOWN[id(model)] = model, (hs.constraints(model), hs.mass_matrix(model), hs.bias(model))
    return KNOWN[id(model)][1]


def closed(model, seed):
    """A closed state with random efforts; a and the smallest lam from a basis of free motions."""
    draw = np.random.default_rng(seed + 50)
    q, n = assembled(model, seed), len(model.speeds)
    rows, mass_matrix, bias = written(model)
    J, drift = one(rows, q, np.zeros(n)).J, drifts(rows, q, n)
    free, tau = draw.normal(size=n), draw.normal(size=n)
    v = free - np.linalg.pinv(J, rcond=RANK) @ (J @ free + drift)
    gamma = one(rows, q, v).gamma
    M, c = one(mass_matrix, q), one(bias, q, v)
    U, s, V = np.linalg.svd(J)
    rank = int((s > RANK * s[0]).sum())
    still = -V[:rank].T @ ((U[:, :rank].T @ gamma) / s[:rank])
    Z = V[rank:].T
    a = still + Z @ np.linalg.solve(Z.T @ M @ Z, Z.T @ (tau - c - M @ still))
    lam = np.linalg.pinv(J.T, rcond=RANK) @ (M @ a + c - tau)
    return Closed(q, v, tau, a, lam, J, gamma, drift)


def drifts(rows, q, n, h=1e-5):
    """The rates of the rows where nothing moves, by differences; none of ours has rows of speeds
    that change with time."""
    if not any(port.name == "t" for port in rows.inputs):
        return np.zeros(rows.outputs[0].shape)
    after, before = (one(rows, q, np.zeros(n), t=t).h for t in (h, -h))
    return (after - before) / (2 * h)


def opened(model):
    """The tree of a model alone: bodies and the joints that move."""
    cut = {joint.name for joint in model.cuts}
    facts = [f for f in model.facts if f.family == "bodies" or f.family == "joints"]
    facts = [f for f in facts if f.family == "bodies" or f.name not in cut]
    return hs.Model(*facts, gravity=model.gravity, parameters=model.parameters)


def motion(model, state):
    """How the bodies move, by the oracle."""
    return oracle.Motion(opened(model), state.q[None], state.v[None], state.a[None])
