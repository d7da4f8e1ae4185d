"""Programs on contacts: every law, every pair of shapes, many bodies, events, loops that touch."""

from itertools import combinations_with_replacement
from typing import Any

import numpy as np

import hapsis as hs
from bits import program
from bits.scenes import cart, four_bar


def solid(name: str, shape: Any, mass: float = 1.0, size: float = 0.1) -> list[Any]:
    """A body that moves freely."""
    inertia = 0.4 * mass * size**2
    return [hs.Body(name, mass=mass, inertia=(inertia,) * 3, shapes=[shape]), hs.Free(name, hs.WORLD, name)]


@program("contacts.laws")
def laws():
    """Hunt and Crossley, linear, felt, a law of one's own: impacts on a wall."""

    def foam(gap, rate, soft=2e3, hard=1e5, thickness=0.004):
        return soft * hs.maximum(-gap, 0.0) + hard * hs.maximum(-gap - thickness, 0.0)

    kinds = {
        "hunt": hs.HuntCrossley(1e7, restitution=0.5),
        "linear": hs.Linear(1e5, damping=50),
        "foam": foam,
        "felt": hs.Felt(4.5e9, power=2.5, hysteresis=0.4, time=2e-4),
    }
    outputs = {}
    for name, law in kinds.items():
        model = cart(hs.Contact("wall", "block", hs.WORLD.plane("x"), law=law))
        for method in ("order8", "order5", "stiff"):
            outputs[f"{name} {method}"] = hs.simulate(
                model, until=0.05, start={"x": 1e-3, "x.v": -0.5}, every=1e-3, method=method
            )
    drag = hs.Coulomb(mu=0.5, static=0.7, speed=1e-3)
    return outputs | {"drag": np.array([drag(10.0, (x, 0.0, 0.0))[0] for x in (1e-4, 1e-3, 5e-3, 1.0)])}


@program("contacts.bouncing_ball")
def bouncing_ball():
    """A ball that bounces, slips and spins, with events of its own and a stop."""
    model = hs.Model(
        hs.Body("ball", mass=0.2, inertia=(2e-4,) * 3, shapes=[hs.Sphere(0.05)]),
        hs.Free("ball", hs.WORLD, "ball"),
        hs.Contact(
            "floor",
            hs.Surface("ball"),
            hs.WORLD.plane("z"),
            law=hs.HuntCrossley(1e6, restitution=0.8),
            friction=0.3,
        ),
    )
    events = [
        hs.Event("low", lambda s: s["floor.gap"] - 0.1, falling=True),
        hs.Event("gone", lambda s: s["ball.x"] - 1.2, rising=True, stop=True),
    ]
    start = {"ball.z": 0.5, "ball.vx": 1.0}
    settings = {"start": start, "every": 0.01, "events": events}
    return {
        "order8": hs.simulate(model, until=2.0, **settings),
        "order5": hs.simulate(model, until=1.0, method="order5", **settings),
        "rk4": hs.simulate(model, until=0.6, step=1e-5, **settings),
        "euler": hs.simulate(model, until=0.6, step=1e-5, method="euler", watchdog=False, **settings),
    }


@program("contacts.shapes")
def shapes():
    """Gaps and forces of every pair of shapes, at places where they overlap."""
    kinds = {
        "sphere": hs.Sphere(0.1),
        "capsule": hs.Capsule(0.06, 0.3),
        "box": hs.Box((0.3, 0.2, 0.2)),
        "cylinder": hs.Cylinder(0.1, 0.3),
        "segment": hs.Segment(0.2),
    }
    outputs = {}
    for first, second in combinations_with_replacement(kinds, 2):
        if first == second == "segment":
            continue
        contact = hs.Contact("c", hs.Surface("a"), hs.Surface("b"), law=hs.Linear(1e3), friction=0.4)
        model = hs.Model(solid("a", kinds[first]), solid("b", kinds[second]), contact)
        draw = np.random.default_rng(len(outputs))
        q = draw.normal(size=(50, 14)) * np.tile([0.1, 0.1, 0.1, 1, 1, 1, 1], 2)
        v = draw.normal(size=(50, 12))
        outputs[f"{first} {second}"] = hs.compile(hs.inverse_dynamics(model))(q, v, np.zeros((50, 12)))
    return outputs


@program("contacts.ground")
def ground():
    """A box and a ball on ground that is a grid and a function."""
    grid = 0.05 * np.random.default_rng(5).uniform(size=(12, 12))
    lands = {
        "grid": hs.WORLD.heightfield(grid, start=(-1, -1), step=(0.2, 0.2)),
        "function": hs.WORLD.heightfield(lambda x, y: 0.03 * hs.sin(5 * x) * hs.cos(4 * y)),
    }
    outputs = {}
    for name, land in lands.items():
        for kind, shape in (("ball", hs.Sphere(0.1)), ("box", hs.Box((0.2, 0.2, 0.1)))):
            law = hs.HuntCrossley(1e5, restitution=0.4)
            model = hs.Model(
                solid("b", shape), hs.Contact("land", hs.Surface("b"), land, law=law, friction=0.5)
            )
            settings = {"start": {"b.z": 0.2, "b.vx": 0.5}, "tolerance": 1e-6}
            outputs[f"{name} {kind}"] = hs.simulate(model, until=0.3, every=0.01, **settings)
    return outputs


@program("contacts.pile")
def pile():
    """Sphere, box and capsule fall on a floor and on each other."""
    names = ("ball", "box", "pill")
    firm = hs.HuntCrossley(stiffness=1e5, restitution=0.4)
    pairs = (("ball", "box"), ("ball", "pill"), ("pill", "box"))
    model = hs.Model(
        solid("ball", hs.Sphere(0.1), 1.0, 0.1),
        solid("box", hs.Box((0.3, 0.3, 0.2)), 3.0, 0.15),
        solid("pill", hs.Capsule(0.06, 0.3), 1.0, 0.12),
        [hs.Contact(f"{n} floor", hs.Surface(n), hs.WORLD.plane("z"), law=firm, friction=0.5) for n in names],
        [hs.Contact(f"{a} {b}", hs.Surface(a), hs.Surface(b), law=firm, friction=0.5) for a, b in pairs],
    )
    start = {"box.z": 0.12, "ball.x": 0.05, "ball.z": 0.4, "pill.x": 0.3, "pill.z": 0.3}
    return {"result": hs.simulate(model, until=0.4, start=start, method="order5", tolerance=1e-6, every=0.01)}


@program("contacts.mapped")
def mapped():
    """Many balls that share one kernel, with a broad phase."""
    names = [f"b{k}" for k in range(6)]
    firm = hs.HuntCrossley(stiffness=1e4, restitution=0.6)
    pairs = [(a, b) for k, a in enumerate(names) for b in names[k + 1 :]]
    model = hs.Model(
        [solid(name, hs.Sphere(0.1)) for name in names],
        [hs.Contact(f"{n} floor", hs.Surface(n), hs.WORLD.plane("z"), law=firm, friction=0.3) for n in names],
        [hs.Contact(f"{a} {b}", hs.Surface(a), hs.Surface(b), law=firm) for a, b in pairs],
    )
    start = {}
    for k, name in enumerate(names):
        start |= {f"{name}.x": 0.15 * (k % 3), f"{name}.y": 0.02 * k, f"{name}.z": 0.15 + 0.25 * (k // 3)}
    return {
        "order5": hs.simulate(model, until=0.3, start=start, method="order5", tolerance=1e-6, every=0.01),
        "rk4": hs.simulate(model, until=0.1, start=start, step=1e-4, every=0.01),
    }


@program("contacts.loop")
def loop():
    """The rocker of a four-bar hits a stop and a wall."""
    stop = hs.Stop("stop", "D", stiffness=500.0, damping=2.0, low=-9.0, high=1.9)
    tip = hs.Contact(
        "tip",
        ("rocker", hs.Frame((0.4, 0, 0))),
        hs.WORLD.plane("x", at=(0.3, 0, 0)),
        friction=0.3,
        law=hs.HuntCrossley(stiffness=1e5, restitution=0.5),
    )
    return {
        "stop": hs.simulate(four_bar(stop), until=1.0, start={"A": 0.3}, every=0.02),
        "wall": hs.simulate(four_bar(tip), until=1.0, start={"A": 0.3}, every=0.02),
    }
