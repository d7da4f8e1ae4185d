"""Draws every force and contact law of docs/forces.md anew, from the laws themselves.

python tools/law_plots.py

Forces are asked at states, or move a mechanism; the curves are what comes back. A test compares.
"""

import sys
from pathlib import Path
from typing import Any

import numpy as np
from page_pictures import Pictures

ROOT = Path(__file__).resolve().parent.parent
PICTURES = Pictures("laws")
sys.path[:0] = [str(ROOT / "src")]

import hapsis as hs  # noqa: E402
from hapsis.mechanics.formalisms.dynamics.state_rates import signals  # noqa: E402
from hapsis.view import Plot, curves  # noqa: E402

START: Any = hs.LawState(0.0)
HEAVY = 1e9  # kg: a body that nothing here can disturb


def slider(*facts: Any, mass: float = 1.0) -> hs.Model:
    """A block on a line, and forces; no gravity."""
    block = hs.Body("block", mass=mass, inertia=(mass, mass, mass))
    return hs.Model(block, hs.Prismatic("x", hs.WORLD, "block", axis="x"), *facts, gravity=(0, 0, 0))


def told(model: hs.Model, name: str, q: Any, v: Any, **more: Any) -> Any:
    """A signal of a model of one coordinate at positions and speeds."""
    function = signals(model)
    q, v = np.broadcast_arrays(np.asarray(q, float), np.asarray(v, float))
    outputs = hs.compile(function)(q[:, None].copy(), v[:, None].copy(), **more)
    return dict(zip((port.name for port in function.outputs), outputs, strict=True))[name]


def swung(force: Any, name: str, amplitudes: Any, period: float = 1.0) -> dict[str, Any]:
    """{amplitude: (x, signal)} while a heavy block swings: a loop for each amplitude."""
    pairs: dict[str, Any] = {}
    stiffness = HEAVY * (2 * np.pi / period) ** 2
    model = slider(hs.JointSpring("swing", "x", stiffness=stiffness), force, mass=HEAVY)
    for size in amplitudes:
        start = {"x.v": size * 2 * np.pi / period}
        result = hs.simulate(model, until=1.25 * period, start=start, every=period / 400)
        pairs[f"{1000 * size:g} mm"] = result["x"], result[name]
    return pairs


def struck(laws: dict[str, Any], speed: float, mass: float, until: float) -> dict[str, Any]:
    """{name: (depth, force)} of a ball that hits a wall."""
    pairs: dict[str, Any] = {}
    for name, law in laws.items():
        model = slider(hs.Contact("tip", "block", hs.WORLD.plane("x"), law=law), mass=mass)
        start = {"x": 1e-6, "x.v": -speed}
        result = hs.simulate(model, until=until, start=start, every=until / 500)
        touching = result["tip.gap"] < 0
        pairs[name] = -result["x"][touching], result["tip.force"][touching]
    return pairs


def loops(pairs: dict[str, Any], xlabel: str, ylabel: str) -> Plot:
    """Curves of which each has its own x."""
    x, y = ({name: pair[k] for name, pair in pairs.items()} for k in (0, 1))
    return curves(x, y, xlabel, ylabel)


# forces -------------------------------------------------------------------------------------------


@PICTURES.add
def spring() -> Plot:
    """Tension over length."""
    model = slider(hs.Spring("s", hs.WORLD, "block", stiffness=200, damping=20, length=0.3))
    x = np.linspace(0.1, 0.5, 81)
    rates = {"at rest": 0.0, "growing at 0.5 m/s": 0.5, "shrinking at 0.5 m/s": -0.5}
    table = {name: told(model, "s.force", x, v) for name, v in rates.items()}
    return curves(x, table, "length, m", "tension, N")


@PICTURES.add
def link() -> Plot:
    """A law of one's own between two points."""

    def band(length, rate, stiffness=200.0, slack=0.3):
        return stiffness * hs.maximum(length - slack, 0.0)

    x = np.linspace(0.1, 0.5, 81)
    model = slider(hs.Link("band", hs.WORLD, "block", law=band))
    return curves(x, {"rubber band": told(model, "band.force", x, 0)}, "length, m", "tension, N")


@PICTURES.add
def joint_spring() -> Plot:
    """Effort over position."""
    model = slider(hs.JointSpring("s", "x", stiffness=200, damping=20, rest=0.1))
    x = np.linspace(-0.2, 0.4, 61)
    speeds = {"at rest": 0.0, "at 0.5 m/s": 0.5, "at -0.5 m/s": -0.5}
    table = {name: told(model, "s.effort", x, v) for name, v in speeds.items()}
    return curves(x, table, "position, m", "effort, N")


@PICTURES.add
def joint_force() -> Plot:
    """A law of one's own on a coordinate."""

    def motor(position, speed, stall=2.0, free=30.0):
        return stall * (1.0 - speed / free)

    v = np.linspace(-10, 40, 51)
    model = slider(hs.JointForce("motor", "x", law=motor))
    return curves(v, {"motor": told(model, "motor.effort", 0, v)}, "speed, rad/s", "effort, N m")


@PICTURES.add
def friction_speed() -> Plot:
    """Dry friction that slides steadily."""
    facts: dict[str, dict[str, Any]] = {
        "coulomb 2": {"coulomb": 2.0},
        "and static 3": {"coulomb": 2.0, "static": 3.0},
        "and viscous 10": {"coulomb": 2.0, "static": 3.0, "viscous": 10.0},
    }
    v = np.linspace(-0.06, 0.06, 401)
    v = v[v != 0]
    table = {}
    for name, fields in facts.items():
        fact = hs.Friction("f", "x", **fields)
        # sliding steadily, the bend is where its rate is zero
        limit = fact.coulomb + (fact.static - fact.coulomb) * np.exp(-((v / fact.stribeck) ** 2))
        bend = np.sign(v) * limit * fact.stick / fact.coulomb
        table[name] = -told(slider(fact), "f.effort", 0, v, z=bend[:, None])
    return curves(v, table, "speed, m/s", "force against the motion, N")


@PICTURES.add
def friction_stick() -> Plot:
    """Dry friction to and fro, below and above what breaks it loose."""
    force = hs.Friction("f", "x", coulomb=2.0, static=3.0)
    pairs = swung(force, "f.effort", (5e-5, 2e-4, 5e-4), period=2.0)
    pairs = {name: (x, -F) for name, (x, F) in pairs.items()}
    return loops(pairs, "position, m", "force against the motion, N")


@PICTURES.add
def stop() -> Plot:
    """Effort over position, at two limits."""
    model = slider(hs.Stop("s", "x", stiffness=1e4, damping=100, low=-0.1, high=0.1))
    x = np.linspace(-0.115, 0.115, 461)
    speeds = {"at rest": 0.0, "at 0.5 m/s": 0.5}
    table = {name: told(model, "s.effort", x, v) for name, v in speeds.items()}
    return curves(x, table, "position, m", "effort, N")


@PICTURES.add
def bushing() -> Plot:
    """Moments over a turn about an axis that is none of its own."""
    stiffness = (10, 20, 30, 1e4, 1e4, 1e4)
    model = hs.Model(
        hs.Body("block", mass=1.0, inertia=(1, 1, 1)),
        hs.Revolute("turn", hs.WORLD, "block", axis=(1, 1, 0)),
        hs.Bushing("b", hs.WORLD, "block", stiffness=stiffness),
    )
    angle = np.linspace(-3.0, 3.0, 241)
    moment = told(model, "b.moment", angle, 0)
    table = {f"m{axis}": moment[:, k] for k, axis in enumerate("xyz")}
    return curves(angle, table, "turn about (1, 1, 0), rad", "moment, N m")


@PICTURES.add
def wrench() -> Plot:
    """A force over time."""

    def push(t):
        return (5 * hs.sin(6 * t), hs.where(t < 0.5, 4.0, 0.0), 0)

    model = slider(hs.Wrench("push", "block", force=push))
    t = np.linspace(0, 1, 401)
    force = told(model, "push.force", np.zeros_like(t), 0, t=t)
    return curves(t, {"x": force[:, 0], "y": force[:, 1]}, "time, s", "force, N")


@PICTURES.add
def tendon() -> Plot:
    """Tension over a joint's turn."""
    model = slider(hs.Tendon("t", {"x": 0.02}, stiffness=5000, damping=200, length=0.01))
    q = np.linspace(0, 1.5, 301)
    speeds = {"at rest": 0.0, "at 2 rad/s": 2.0, "at -2 rad/s": -2.0}
    table = {name: told(model, "t.force", q, v) for name, v in speeds.items()}
    return curves(q, table, "joint, rad", "tension, N")


@PICTURES.add
def controller() -> Plot:
    """The same law traced and sampled."""

    def law(s, kp=100.0, kd=8.0):
        return {"x": kp * (0.1 - s["x"]) - kd * s["x.v"]}

    pairs: dict[str, Any] = {}
    for name, more in {"traced": {}, "sampled at 20 Hz": {"rate": 20, "efforts": "x"}}.items():
        model = slider(hs.Controller("hold", law, **more))
        result = hs.simulate(model, until=1.0, every=0.0025)
        pairs[name] = result.t, result["hold.x"]
    return loops(pairs, "time, s", "effort, N")


# contacts -----------------------------------------------------------------------------------------


@PICTURES.add
def linear() -> Plot:
    """Impacts at 1 m/s."""
    laws = {f"damping {c:g}": hs.Linear(1e5, damping=c) for c in (0.0, 50.0, 150.0)}
    return loops(struck(laws, 1.0, 0.2, 0.006), "depth, m", "force, N")


@PICTURES.add
def hunt_crossley() -> Plot:
    """Impacts at 1 m/s."""
    laws = {f"restitution {e:g}": hs.HuntCrossley(1e7, restitution=e) for e in (1, 0.8, 0.5, 0.2)}
    return loops(struck(laws, 1.0, 0.2, 0.006), "depth, m", "force, N")


@PICTURES.add
def felt() -> Plot:
    """Impacts at three speeds."""
    pairs: dict[str, Any] = {}
    law = hs.Felt(stiffness=4.5e9, power=2.5, hysteresis=0.4, time=2e-4)
    for speed in (0.5, 1.0, 2.0):
        pairs |= struck({f"{speed:g} m/s": law}, speed, 2.97e-3, 0.004)
    return loops(pairs, "depth, m", "force, N")


@PICTURES.add
def own_law() -> Plot:
    """A soft layer on a hard one."""

    def foam(gap, rate, soft=2e3, hard=1e5, thickness=0.004):
        return soft * hs.maximum(-gap, 0.0) + hard * hs.maximum(-gap - thickness, 0.0)

    depth = np.linspace(-0.002, 0.006, 161)
    model = slider(hs.Contact("tip", "block", hs.WORLD.plane("x"), law=foam))
    force = told(model, "tip.force", -depth, 0)
    return curves(depth, {"foam on steel": force}, "depth, m", "force, N")


@PICTURES.add
def coulomb() -> Plot:
    """Friction over slip."""
    laws = {
        "mu 0.5": hs.Coulomb(0.5, speed=0.01),
        "mu 0.5, static 0.7": hs.Coulomb(0.5, static=0.7, speed=0.01),
    }
    v = np.linspace(-0.15, 0.15, 601)
    table = {}
    for name, law in laws.items():
        table[name] = [-law(1.0, (float(x), 0.0, 0.0))[0] for x in v]
    return curves(v, table, "slip, m/s", "force against the slip over normal force")


# laws with states ---------------------------------------------------------------------------------


@PICTURES.add
def motor() -> Plot:
    """Current after a voltage is switched on."""
    pairs: dict[str, Any] = {}
    for inductance in (1e-3, 2e-2):

        def law(position, speed, U=12.0, R=2.0, L=inductance, k=0.05, i=START):
            return k * i, {"i": (U - R * i - k * speed) / L}

        model = slider(hs.JointForce("motor", "x", law=law), mass=1e-3)
        result = hs.simulate(model, until=0.1, every=2.5e-4)
        pairs[f"{1e3 * inductance:g} mH"] = result.t, result["motor.i"]
    return loops(pairs, "time, s", "current, A")


@PICTURES.add
def filter() -> Plot:
    """An effort that follows slowly."""

    def law(position, speed, time=0.05, y=START):
        wanted = hs.where(position > 0.1, 1.0, 0.0)
        return y, {"y": (wanted - y) / time}

    result = hs.simulate(
        slider(hs.JointForce("slow", "x", law=law), mass=HEAVY), until=0.4, start={"x.v": 1.0}, every=1e-3
    )
    table = {"wanted": (result["x"] > 0.1) * 1.0, "given": result["slow.effort"]}
    return curves(result.t, table, "time, s", "effort, N")


@PICTURES.add
def tyre() -> Plot:
    """Side force over the way since the slip began."""

    def law(s, stiffness=5e4, relaxation=0.3, slip=START):
        u, v = s["along.v"], s["across.v"]
        return {"across": -stiffness * slip}, {"slip": (v - hs.abs(u) * slip) / relaxation}

    model = hs.Model(
        hs.Body("car", mass=HEAVY, inertia=(1, 1, 1)),
        hs.Body("frame"),
        hs.Prismatic("along", hs.WORLD, "frame", axis="x"),
        hs.Prismatic("across", "frame", "car", axis="y"),
        hs.Controller("tyre", law),
        gravity=(0, 0, 0),
    )
    result = hs.simulate(model, until=0.2, start={"along.v": 10.0, "across.v": 0.5}, every=5e-4)
    return curves(result["along"], {"tyre": -result["tyre.across"]}, "way, m", "side force, N")


@PICTURES.add
def hysteresis() -> Plot:
    """A wire rope, bent to and fro."""

    def wire(position, speed, k=400.0, limit=2e-3, z=START):
        return -k * z, {"z": speed - hs.abs(speed) * z / limit}

    pairs = swung(hs.JointForce("wire", "x", law=wire), "wire.effort", (0.002, 0.005, 0.01))
    return loops(pairs, "position, m", "effort, N")


def main() -> None:
    """Writes every picture."""
    PICTURES.write()


if __name__ == "__main__":
    main()
