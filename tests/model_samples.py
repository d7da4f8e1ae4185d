"""Models that together have every kind of fact, with every way to give its numbers and functions."""

from functools import cache

import numpy as np

import hapsis as hs


def _two(*facts, **settings):
    """Two pendulums side by side, a ball and a free body."""
    return hs.Model(
        hs.Body("world", frames={"hook": (0, 0, 2)}),
        hs.Body("a", mass=1.0, com=(0, 0, "-l / 2"), inertia=(0.1, 0.1, 0.01), frames={"tip": (0, 0, -1)}),
        hs.Revolute("j", hs.WORLD, "a", axis="y", limits=(-2, 2)),
        hs.Rod("b", 1.0, 1.0),
        hs.Revolute("k", hs.WORLD, "b", axis="y"),
        hs.Body("c", mass=2.0, inertia=(1.0, 1.0, 1.0), shapes=[hs.Sphere(0.1), hs.Box((0.1, 0.1, 0.1))]),
        hs.Free("c", hs.WORLD, "c"),
        *facts,
        parameters={"l": 1.0, "k": 10.0},
        poses={"start": {"j": "l / 5", "c.z": 0.3}},
        **settings,
    )


def _joints():
    kinds = {
        "prismatic": lambda n, a, b: hs.Prismatic(n, a, b, axis=(1, 0, 0)),
        "helical": lambda n, a, b: hs.Helical(n, a, b, axis="z", pitch=0.1),
        "cylindrical": lambda n, a, b: hs.Cylindrical(n, a, b),
        "universal": lambda n, a, b: hs.Universal(n, a, b),
        "planar": lambda n, a, b: hs.Planar(n, a, b),
        "ball": lambda n, a, b: hs.Ball(n, a, b),
        "chain": lambda n, a, b: hs.Chain(n, a, b, "Tx Rz"),
        "weld": lambda n, a, b: hs.Weld(n, a, b),
    }
    facts, last = [], "world"
    for k, (name, make) in enumerate(kinds.items()):
        body = f"b{k}"
        facts += [hs.Body(body, mass=1.0 + k, com=(0.1, 0, 0), inertia=(1, 1, 1)), make(name, last, body)]
        last = body
    return hs.Model(facts, hs.Distance("rod", "b0", "b7", length=lambda t: 1.0 + 0.1 * hs.sin(t)))


def _laws():
    factor = 2.0

    @hs.law
    def fading(x, v, stiffness=10.0, z=hs.LawState(0.1)):
        return -stiffness * x - factor * v + z, {"z": hs.sin(x) - z}

    return _two(
        hs.JointForce("f", "j", fading.using(stiffness="2 * k")),
        hs.Link("tie", "a.tip", "b", lambda length, rate, t, s=3.0: s * (length - 1.0) + hs.cos(t) * rate),
        hs.JointSpring("s", "k", stiffness="k", damping=0.1),
        hs.Friction("rub", "k", coulomb=0.1, viscous=0.01),
        hs.Stop("stop", "j", low=-1.0, high=1.0, stiffness=1e3),
        hs.Spring("spring", "a.tip", "c", stiffness=5.0, length=0.5),
        hs.Tendon("tendon", {"j": 0.1, "k": -0.2}, stiffness=100.0),
        hs.Bushing("bush", "c", "world", stiffness=(1, 2, 3, 4, 5, 6), damping=(0.1,) * 6),
        hs.Sensor("imu", "imu", "a.tip"),
        hs.Sensor("effort", "effort", "j"),
        hs.Gear("gear", "j", "k", ratio=2.0, offset=lambda t: 0.01 * t),
    )


def _functions_of_time():
    table = hs.interpolated(np.sin(np.linspace(0, 3, 31)), 0.0, 0.1, "cubic")
    return _two(
        hs.Drive("d", "k", position=lambda t, w=3.0: 0.1 * hs.sin(w * t)),
        hs.Drive("e", "j", position=table),
        hs.Wrench("w", "c", force=lambda t: (0, hs.sin(t), 20.0), moment=(0, "0.1 * t", 0)),
    )


def _controller():
    target = {"j": 0.5}

    def law(s, gain=20.0, sum=hs.LawState(0.0)):
        error = target["j"] - s["j"]
        return {"j": gain * error - s["j.v"] + sum + 0.1 * s.t}, {"sum": error}

    return _two(
        hs.Controller("c1", law, efforts="j"), hs.Controller("c2", lambda s: {"k": -s["k"] - 0.1 * s["k.v"]})
    )


def _rub(N, slip, mu=0.3):
    size = hs.sqrt(slip[0] ** 2 + slip[1] ** 2 + slip[2] ** 2 + 1e-4)
    return [-mu * N * s / size for s in slip]


def _contact():
    stiffness = 1e4
    return _two(
        hs.Contact(
            "own",
            ("c", hs.Sphere(0.2)),
            ("world", hs.Plane()),
            law=lambda gap, rate, d=10.0: hs.where(gap < 0, -stiffness * gap - d * rate, 0.0),
            friction=lambda N, slip: _rub(N, slip, 0.2),
        )
    )


def _contacts():
    ground = hs.Heightfield(lambda x, y: 0.1 * hs.sin(x) * hs.cos(y) - 0.2)
    return _two(
        hs.Contact("rub", hs.Surface("c", hs.Sphere(0.2)), ("world", hs.Plane()), friction=_rub),
        hs.Contact("ground", ("a.tip", hs.Sphere(0.1)), ("world", ground), friction=0.2),
        hs.Contact("felt", "b", ("world", hs.Plane()), law=hs.Felt(1e6, 2.5)),
        hs.Contact("linear", "a", ("world", hs.Box((1, 1, 0.1))), law=hs.Linear(1e4, 10.0)),
    )


def _constraints():
    return _two(
        hs.Constraint("c1", rows=lambda s: s["j"] - 2.0 * s["k"] - 0.1 * s.t),
        hs.Constraint("c2", speeds=lambda s: [s["c.vx"] - 0.1 * s["c.vy"]]),
        hs.OnSurface("on", "a.tip", "world", lambda x, y, z, r=1.0: x * x + y * y + z * z - r * r),
        hs.OnCurve("curve", "c", "world", lambda x, y, z: (y, z - 0.1 * hs.sin(x))),
        hs.Rolling("roll", "b", "world", radius=0.2),
    )


def _held():
    return _two(
        hs.Pinned("pin", "b"),
        hs.Hinged("hinge", "a.tip", "c", axis=(0.0, 0.6, 0.8)),
        hs.KnifeEdge("edge", "c", along="y", normal="x"),
        hs.NoSpin("level", "b"),
        hs.Speed("u1", {"j.v": 1.0, "k.v": 0.5}),
        hs.Speed("u2", lambda s: hs.cos(s["j"]) * s["c.vx"]),
    )


@cache
def models():
    """{name: model}; each is made once."""
    return {
        "joints": _joints(),
        "laws": _laws(),
        "functions of time": _functions_of_time(),
        "controller": _controller(),
        "contact": _contact(),
        "contacts": _contacts(),
        "constraints": _constraints(),
        "held": _held(),
    }
