"""Random models of every kind that many runs are made of, with numbers in which the runs differ."""

from typing import Any, NamedTuple

import numpy as np
from shared_models import four_bar

import hapsis as hs


class Case(NamedTuple):
    """A model, what its runs differ in, options of `simulate`, and a signal to measure."""

    model: Any
    over: dict[str, Any]
    options: dict[str, Any]
    signals: tuple[str, ...]


def chain(n, seed):
    """A chain of bodies with joints of several kinds, springs and damping."""
    draw = np.random.default_rng(seed)
    facts, last = [], "world"
    for k in range(n):
        name = f"b{k}"
        inertia = 0.02 + 0.05 * draw.random(3)
        inertia = (inertia[0], inertia[1], 0.9 * (inertia[0] + inertia[1]))
        facts.append(
            hs.Body(name, mass=0.5 + draw.random(), com=tuple(0.2 * draw.normal(size=3)), inertia=inertia)
        )
        end = hs.End(last, hs.Frame(at=tuple(0.3 * draw.normal(size=3))))
        kind = draw.integers(4)
        if kind == 0:
            facts.append(hs.Ball(f"j{k}", end, name))
        elif kind == 1:
            facts.append(hs.Prismatic(f"j{k}", end, name, axis="x"))
            facts.append(hs.JointSpring(f"s{k}", f"j{k}", stiffness=40.0, damping=0.5))
        else:
            facts.append(hs.Revolute(f"j{k}", end, name, axis=tuple(draw.normal(size=3)), damping=0.1))
        last = name
    facts.append(
        hs.Spring("pull", hs.End(last, hs.Frame(at=(0.1, 0.2, 0.0))), "world", stiffness=30.0, length=0.3)
    )
    return hs.Model(*facts)


def bouncing(radius=0.1):
    """A ball on a floor."""
    return hs.Model(
        hs.Body("ball", mass=1.0, inertia=(0.1, 0.1, 0.1)),
        hs.Prismatic("z", "world", "ball", axis="z"),
        hs.Contact("floor", (hs.End("ball"), hs.Sphere(radius)), ("world", hs.Plane("z"))),
    )


def case(seed, count=7):
    """A random case: an open chain, a loop, events, a contact; explicit, implicit and fixed steps."""
    draw = np.random.default_rng(seed)
    kind = ("chain", "loop", "event", "contact", "stiff", "fixed")[seed % 6]
    if kind == "loop":
        over = {"A": draw.uniform(0.2, 1.2, count), "rocker.mass": draw.uniform(0.2, 1.0, count)}
        return Case(four_bar(crank=draw.uniform(0.1, 0.2)), over, {}, ("D", "C.reaction.fx"))
    if kind == "contact":
        over = {"z": draw.uniform(0.11, 0.3, count), "ball.mass": draw.uniform(0.5, 2.0, count)}
        return Case(bouncing(), over, {}, ("z", "z.v", "floor.force"))
    model = chain(1 + seed % 4, seed)
    speed = model.speeds[0]
    over = {speed: draw.uniform(-0.8, 0.8, count), "b0.mass": draw.uniform(0.3, 2.0, count)}
    options: dict[str, Any] = {"stiff": {"method": "stiff"}, "fixed": {"step": 2e-3}}.get(kind, {})
    if kind == "event":
        options = {"events": [hs.Event("slow", lambda s: s[speed] - 0.1, stop=bool(seed % 4))]}
    return Case(model, over, options, (speed, "energy", "j0.reaction.fz", "b0.x"))
