"""Random impacts of two solids in space: sizes, poses, speeds and stiffness, and what they keep."""

import itertools
from dataclasses import dataclass

import numpy as np
from scipy.spatial.transform import Rotation

import hapsis as hs

SHAPES = {
    "box": (hs.Box((0.5, 0.4, 0.3)), ("size.x", "size.y", "size.z")),
    "cylinder": (hs.Cylinder(0.2, 0.5), ("radius", "length")),
    "capsule": (hs.Capsule(0.15, 0.5), ("radius", "length")),
    "segment": (hs.Segment(0.6), ("length",)),
    "sphere": (hs.Sphere(0.25), ("radius",)),
}
PAIRS = [
    pair
    for pair in itertools.combinations_with_replacement(SHAPES, 2)
    if pair != ("segment", "segment")  # two lines have no inside
]
LAWS = {
    "hunt": lambda k, loss: hs.HuntCrossley(k, damping=loss),
    "linear": lambda k, loss: hs.Linear(k, damping=loss),
}
KEPT = 1e-6  # of the energy
MOMENTA = 1e-9


@dataclass(frozen=True)
class Impact:
    """Where and how two solids start, and their numbers; lengths are about 0.1 to 1 m."""

    start: dict
    parameters: dict
    until: float


def scene(first, second, law, copies=1, mapped=None):
    """Two free bodies that may touch, and `copies` of them far apart."""
    facts = []
    for k in range(copies):
        name = f"{k}" if k else ""
        facts += [
            hs.Body(f"a{name}", mass=1.0, inertia=(0.02, 0.03, 0.025)),
            hs.Body(f"b{name}", mass=2.0, inertia=(0.05, 0.04, 0.06)),
            hs.Free(f"A{name}", hs.WORLD, f"a{name}"),
            hs.Free(f"B{name}", hs.WORLD, f"b{name}"),
            hs.Contact(
                f"c{name}",
                (f"a{name}", SHAPES[first][0]),
                (f"b{name}", SHAPES[second][0]),
                law=law,
                mapped=mapped,
            ),
        ]
    return hs.Model(*facts, gravity=(0, 0, 0))


def random_impact(first, second, numbers, loss=0.0):
    """A throw of the first at the second, 0.1 to 10 m/s, 1e4 to 1e8 N/m, sides 1 to 1:20."""
    parameters, reach = {}, []
    for side, kind in (("first", first), ("second", second)):
        names = SHAPES[kind][1]
        sizes = np.exp(numbers.uniform(np.log(0.05), 0.0, len(names)))
        sizes *= 0.6 / sizes.max()
        parameters |= {f"c.{side}.{name}": float(x) for name, x in zip(names, sizes, strict=True)}
        reach.append(float(sizes.sum()))
    speed = float(np.exp(numbers.uniform(np.log(0.1), np.log(10.0))))
    # and at least so stiff that nothing goes through what is thinnest
    stiffness = float(np.exp(numbers.uniform(np.log(1e4), np.log(1e8))))
    thin = min(parameters.values())
    parameters["c.stiffness"] = max(stiffness, speed * speed / thin**2)
    if loss:
        parameters["c.damping"] = loss
    turns = Rotation.random(2, random_state=numbers)
    velocity = turns[0].inv().apply([speed, 0.0, 0.0])
    start = {
        "A.x": -sum(reach),
        "B.y": 0.2 * reach[1] * numbers.normal(),
        "B.z": 0.2 * reach[1] * numbers.normal(),
    }
    for name, turn in zip("AB", turns.as_quat(), strict=True):
        start |= {f"{name}.q{x}": float(v) for x, v in zip("xyzw", turn, strict=True)}
        start |= {f"{name}.w{x}": float(0.5 * speed * numbers.normal()) for x in "xyz"}
    start |= {f"A.v{x}": float(v) for x, v in zip("xyz", velocity, strict=True)}
    return Impact(start, parameters, 2.0 * sum(reach) / speed)


def run(model, impact, copies=1, **options):
    """The result of an impact; further copies rest far away from each other."""
    start, parameters = dict(impact.start), dict(impact.parameters)
    for k in range(1, copies):
        start |= {f"A{k}.x": 100.0 * k, f"B{k}.x": 100.0 * k + 50.0}
        mine = {n: v for n, v in impact.parameters.items() if n.startswith("c.")}
        parameters |= {f"c{k}{n[1:]}": v for n, v in mine.items()}
    return hs.simulate(model, until=impact.until, start=start, parameters=parameters, **options)


def momentum(model, result, row):
    """Linear momentum, and angular momentum about the origin, of all bodies."""
    total = np.zeros(6)
    for name, body in (("A", model.bodies["a"]), ("B", model.bodies["b"])):
        p, v, w, q = (
            np.array([result[f"{name}.{x}"][row] for x in names])
            for names in (("x", "y", "z"), ("vx", "vy", "vz"), ("wx", "wy", "wz"), ("qx", "qy", "qz", "qw"))
        )
        turn, m = Rotation.from_quat(q), body.mass
        spin = turn.apply(np.array(body.inertia[:3]) * w)
        total += np.concatenate([m * turn.apply(v), np.cross(p, m * turn.apply(v)) + spin])
    return total


@dataclass(frozen=True)
class Kept:
    """What an impact changed, relative: energy at most and at the end, momenta."""

    touched: bool
    energy: float
    gained: float
    momenta: float
    deepest: float
    drift: float
    success: bool


def kept(model, result):
    """What one run kept."""
    kinetic, total = result["kinetic"], result["kinetic"] + result["potential"]
    before, after = momentum(model, result, 0), momentum(model, result, -1)
    scale = np.abs(before).max()
    return Kept(
        touched=any(event.name == "c.touch" for event in result.events) or result["c.gap"].min() < 0.0,
        energy=float(np.abs(total / kinetic[0] - 1.0).max()),
        gained=float((total / kinetic[0] - 1.0).max()),
        momenta=float(np.abs(after - before).max() / scale),
        deepest=-float(result["c.gap"].min()),
        drift=result.energy_drift,
        success=result.success,
    )
