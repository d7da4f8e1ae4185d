"""Random solids that fall, flow, tear and touch, from micrometres to kilometres: energy comes from nowhere,
free ones keep their momentum, and a run that goes on is one run."""

from typing import Any

import numpy as np

import hapsis as hs

P = hs.particles
G = 9.81
SIDES = (0.5, 1.5)


def random_material(rng: Any, size: float) -> Any:
    """As stiff as 300 to 10 000 times its own weight."""
    density = 10.0 ** rng.uniform(2, 4)
    E = density * G * size * 10.0 ** rng.uniform(2.5, 4)
    damping = float(rng.choice([0.0, 0.02])) * np.sqrt(size / G)
    plastic = rng.choice([None, 0.01, 0.05])
    breaking = rng.choice([None, 0.1, 0.3])
    limits = {k: float(v) for k, v in (("plastic", plastic), ("breaking", breaking)) if v is not None}
    if len(limits) == 2 and limits["breaking"] < limits["plastic"]:
        del limits["breaking"]
    return P.Material(E, float(rng.uniform(-0.3, 0.45)), density, damping=damping, **limits)


def random_solid(name: str, rng: Any, size: float) -> Any:
    """A box, a ball, a hull or a cylinder, of a material or with springs, spinning."""
    shapes = [
        lambda: hs.Box(tuple(size * rng.uniform(*SIDES, 3))),
        lambda: hs.Sphere(size * 0.5),
        lambda: hs.Cylinder(0.4 * size, size),
        lambda: hs.Hull((size * rng.normal(size=(7, 3)) * 0.5).tolist()),
    ]
    kind = int(rng.integers(len(shapes)))
    shape = shapes[kind]()
    cells = {} if kind == 3 else {"cells": int(rng.integers(1 if kind == 0 else 2, 4))}
    if rng.random() < 0.6:
        law: dict[str, Any] = {"material": random_material(rng, size)}
    else:
        mass = 1000.0 * size**3
        stiffness = mass * G / size * 10.0 ** rng.uniform(1.5, 3)
        law = {"mass": mass, "stiffness": stiffness, "damping": float(rng.choice([0.0, 0.01])) * stiffness}
        law["damping"] *= np.sqrt(size / G)
    thing = P.solid(name, shape, **law, **cells)
    speed = np.sqrt(G * size)
    return thing.at(*-thing.center).moving(
        speed * rng.uniform(-1, 1, 3), speed / size * rng.uniform(-2, 2, 3)
    )


def account(result: Any) -> tuple[float, float]:
    """The largest part of the energy exchanged that nothing explains, and that came from nothing."""
    total = result["energy"] + result["dissipated"] - result["work"]
    parts = [float(np.ptp(result[name])) for name in ("potential", "dissipated", "work")]
    scale = max(*parts, float(result["kinetic"].max())) or 1.0
    gained = result["energy"] - result["work"]
    return float(np.abs(total - total[0]).max()) / scale, float((gained - gained[0]).max()) / scale


def broken_laws(result: Any, limit: float = 2e-3) -> list[str]:
    """What holds for every run: a status that is told, energies that are explained."""
    broken = []
    if not result.success:
        broken.append(f"{result.status}: {result.message}")
    unexplained, gained = account(result)
    if unexplained > limit:
        broken.append(f"{unexplained:.2g} of the energy is unexplained, status {result.status}")
    if gained > limit:
        broken.append(f"{gained:.2g} of the energy came from nothing")
    if not all(np.isfinite(result[name]).all() for name in result.names):
        broken.append("not finite")
    return broken


def falling(seed: int) -> tuple[Any, float, float]:
    """A solid above a floor of springs or of facets, with friction, in air at times; a time, and its size."""
    rng = np.random.default_rng(seed)
    size = 10.0 ** rng.uniform(-6, 3)
    time = np.sqrt(size / G)
    thing = random_solid("thing", rng, size)
    low = float(thing.points[:, 2].min())
    weight = thing.mass * G
    stiffness = weight / size * 10.0 ** rng.uniform(1.5, 3)
    law: dict[str, Any] = {"friction": float(rng.choice([0.0, 0.3, 1.0]))}
    damping = stiffness * time * float(rng.choice([0.0, 0.02]))
    if rng.random() < 0.5:
        law |= {"stiffness": stiffness, "damping": damping}
    else:
        law |= {"bedding": 10 * stiffness / size**2, "damping": 10 * damping / size**2}
    facts: list[Any] = [P.Floor(**law)]
    if rng.random() < 0.3:
        facts.append(P.Medium(viscosity=float(0.2 * weight / (size**2 * np.sqrt(G * size)))))
    scene = P.Scene(thing.at(0, 0, 0.1 * size - low), facts, step=P.EnergyStep(relative=1e-6))
    return scene, 0.5 * time, size


def falls(seed: int) -> list[str]:
    """A solid that falls, in two runs."""
    scene, span, size = falling(seed)
    half = hs.simulate(scene, span, every=span / 10)
    if half.status in ("contact too deep", "objects overlap"):
        return []  # it is told
    broken = broken_laws(half)
    on = hs.simulate(scene, 2 * span, half, every=span / 10)
    if on.status in ("contact too deep", "objects overlap"):
        return broken
    broken += [f"further: {line}" for line in broken_laws(on)]
    if np.abs(on["thing.points"][0] - half["thing.points"][-1]).max() > 1e-12 * size:
        broken.append("a run that goes on starts elsewhere")
    jump = abs(on["energy"][0] - half["energy"][-1])
    if jump > 1e-9 * max(np.ptp(half["energy"]), np.abs(half["energy"]).max()):
        broken.append(f"the energy jumps by {jump:.2g} J where a run goes on")
    return broken


def free_flight(seed: int) -> list[str]:
    """Two solids joined by a hinge or a slide that is switched off on the way: momenta stay."""
    rng = np.random.default_rng(seed)
    size = 10.0 ** rng.uniform(-6, 3)
    time = np.sqrt(size / G)
    mass = 1000.0 * size**3
    k = mass * G / size * 10.0 ** rng.uniform(1.5, 3)
    more = {"mass": mass, "stiffness": k, "damping": 0.005 * k * time}
    a = P.solid("a", hs.Box((3.0 * size, size, size)), **more)
    b = P.solid("b", hs.Box((size, size, size)), **more)
    if rng.random() < 0.5:
        b = b.at(2.0 * size, 0, 0)
        joint = P.revolute("joint", ("a.4", "b.0"), ("a.6", "b.2"), stiffness=k, damping=0.005 * k * time)
    else:
        b = b.at(0, size, 0)
        joint = P.prismatic(
            "joint",
            [("a.2", "a.6")] * 2,
            ["b.0", "b.4"],
            stiffness=k * size**2,
            damping=0.005 * k * size**2 * time,
        )
    speed = np.sqrt(G * size)
    a = a.moving(speed * rng.uniform(-1, 1, 3), speed / size * rng.uniform(-1, 1, 3))
    scene = P.Scene(a, b, joint, gravity=(0, 0, 0), step=P.EnergyStep(relative=1e-7))
    on = hs.simulate(scene, 0.5 * time, every=0.1 * time)
    off = hs.simulate(scene.switched("joint", False), time, on, every=0.1 * time)
    broken = [*broken_laws(on, 1e-4), *(f"off: {line}" for line in broken_laws(off, 1e-4))]
    first = momenta(scene, on, 0)
    for name, result in (("on", on), ("off", off)):
        for kind, p, q, unit in zip(
            ("momentum", "angular momentum"), first, momenta(scene, result, -1), (1.0, size), strict=True
        ):
            error = np.abs(p - q).max() / (2 * mass * speed * unit)
            if error > 1e-10:
                broken.append(f"{name}: {kind} is wrong by {error:.2g}")
    return broken


def momenta(scene: Any, result: Any, row: int) -> tuple[Any, Any]:
    """Linear and angular momentum about the origin."""
    names = scene.objects
    x, v = (np.concatenate([result[f"{n}.{what}"][row] for n in names]) for what in ("points", "velocities"))
    p = scene.masses[:, None] * v
    return p.sum(axis=0), np.cross(x, p).sum(axis=0)
