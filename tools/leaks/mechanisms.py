"""Mechanisms with every kind of joint, force, constraint and drive; their numbers are alike."""

from typing import Any

import hapsis as hs
from hapsis.mechanics.model.frames import Frame


def law_of(k: float) -> Any:
    """A law with a number of its own in a closure, and one as a parameter."""
    return lambda q, v, c=1.0: -k * q - c * v


def body(name: str, **more: Any) -> Any:
    """A body whose numbers are all alike, so that one of them may be taken for another."""
    frames = {"tip": Frame((1.0, 0.0, 0.0)), "top": Frame((0.0, 0.5, 1.0), (0.0, 0.3, 0.0))}
    return hs.Body(name, 1.0, (0.5, 0.0, 0.1), (1.0, 1.0, 1.0, 0.1, 0.0, 0.0), frames, **more)


def chain() -> Any:
    """Joints of many kinds, with all forces on axes."""
    names = ("Revolute", "Prismatic", "Helical", "Cylindrical", "Universal", "Ball", "Planar", "Free")
    facts: list[Any] = []
    for k, name in enumerate(names[:3]):
        parent = hs.WORLD if not k else f"b{k - 1}.tip"
        more = {"pitch": 1.0} if name == "Helical" else {}
        numbers = {"armature": 1.0, "damping": 1.0, "friction": 1.0, "limits": (-1.0, 1.0), **more}
        facts += [body(f"b{k}"), getattr(hs, name)(f"j{k}", parent, f"b{k}", "z", **numbers)]
    facts += [
        hs.JointSpring("js", "j0", 1.0, 1.0, 1.0),
        hs.Friction("fr", "j1", 1.0, 1.0, 1.0, 1.0, 0.01),
        hs.Stop("st", "j0", 1.0, 1.0, -1.0, 1.0),
        hs.Tendon("te", {"j0": 1.0, "j1": 1.0}, 1.0, 1.0, 1.0, True),
        hs.JointForce("jf", "j0", law_of(1.0)),
        hs.Sensor("sensor", "imu", "b2.tip"),
    ]
    return facts, {"parameters": {"a": 1.0, "b": 1.0}, "gravity": (0.0, 0.0, -1.0)}


def open_joints() -> Any:
    """The other joints, and forces between bodies."""
    facts: list[Any] = [
        body("b0"),
        hs.Cylindrical("j0", hs.WORLD, "b0", "x", armature=1.0, damping=1.0),
        body("b1"),
        hs.Universal("j1", "b0.tip", "b1", armature=1.0, damping=1.0),
        body("b2"),
        hs.Ball("j2", "b1.top", "b2", damping=1.0),
        hs.Spring("sp", hs.WORLD.at(1.0, 1.0, 0.0), "b1.tip", 1.0, 1.0, 1.0),
        hs.Bushing("bu", "b0.top", "b2.tip", (1.0,) * 6, (1.0,) * 6),
        hs.Link("li", "b0.tip", "b2.tip", law_of(2.0)),
        hs.Wrench("wr", "b2.tip", (1.0, 1.0, 1.0), (1.0, 0.0, 1.0), "world"),
    ]
    return facts, {"gravity": (0.0, 0.0, -1.0)}


def in_time() -> Any:
    """Laws where functions of time are expected: their numbers are constants there."""
    grow = hs.law(lambda t, k=1.0: 1.0 + k * t)
    facts: list[Any] = [
        body("b0"),
        hs.Prismatic("j0", hs.WORLD, "b0", "x"),
        body("b1"),
        hs.Prismatic("j1", hs.WORLD, "b1", "x"),
        hs.Drive("drive", "j0", grow),
        hs.Gear("gear", "j0", "j1", 1.0, offset=grow),
        hs.Wrench("wrench", "b1", hs.law(lambda t, k=1.0: (k * t, 1.0, t))),
        hs.Contact(
            "hill",
            ("b0", hs.Sphere(1.0)),
            (hs.WORLD, hs.Heightfield(hs.law(lambda x, y, k=1.0: k * x))),
            hs.Linear(1.0, 1.0),
        ),
    ]
    return facts, {}


def other_joints() -> Any:
    """Joints of several axes and welds, a tree that turns one round, frames in frames, all sensors."""
    turned = Frame((1.0, 0.0, 0.5), (0.0, 0.0, 1.0))
    facts: list[Any] = [
        body("b0"),
        hs.Planar("j0", hs.WORLD, "b0", "z", damping=1.0, limits={"Tx": (-1.0, 1.0)}),
        body("b1"),
        hs.Chain("j1", hs.End("b0.tip", turned), "b1", "Tx Ry Rx", armature=1.0, friction=1.0),
        body("b2"),
        hs.Weld("j2", "b2.top", ("b1.top", Frame((0.5, "a", 0.0)))),
        body("b3"),
        hs.Revolute("j3", "b3.top", ("b2", Frame((1.0, 1.0, 0.0), (1.0, 0.0, 0.0))), "x", damping=1.0),
        hs.Spring(
            "sp", ("b0.top", Frame((1.0, 0.0, 0.0))), ("b3.tip", Frame(("a", 0.0, 1.0))), 1.0, 1.0, 0.5
        ),
        hs.Body("world", frames={"post": Frame((1.0, 1.0, 1.0))}),
        hs.Spring("rope", "world.post", "b2.tip", 1.0, 0.0, 1.0),
    ]
    for kind in ("pose", "velocity", "acceleration", "imu"):
        facts.append(hs.Sensor(f"s.{kind}", kind, ("b3.tip", Frame((1.0, 0.0, 0.0)))))
    facts += [hs.Sensor("s.effort", "effort", "j3"), hs.Sensor("s.reaction", "reaction", "j2")]
    return facts, {"parameters": {"a": 1.0}, "poses": {"rest": {"j3": 1.0, "j1.Tx": "a"}}}


def controlled() -> Any:
    """Controllers, traced with a state and sampled; drives by tables, by rates and from outside."""
    curve = hs.interpolated([0.0, 1.0, 1.0, 2.0, 1.0], 0.0, 0.5, "cubic")

    def hold(s: Any, gain: Any = 1.0, time: Any = 1.0, i: Any = hs.LawState(1.0)) -> Any:
        error = curve(s.t) - s["j0"]
        return {"j0": gain * error + i, "j1": gain * s["j1.v"]}, {"i": error / time}

    facts: list[Any] = []
    for k in range(5):
        facts += [body(f"b{k}"), hs.Revolute(f"j{k}", f"b{k - 1}.tip" if k else hs.WORLD, f"b{k}", "y")]
    facts += [
        hs.Controller("hold", hold),
        hs.Controller("sampled", lambda s: {"j1": -s["j1"]}, rate=100.0, efforts=("j1",)),
        hs.Drive("d2", "j2", curve),
        hs.Drive("d3", "j3", velocity="a * t"),
        hs.Drive("d4", "j4", "input", tracking=1.0),
        hs.JointForce("table", "j1", lambda q, v, k=1.0: k * curve(q) - v),
    ]
    return facts, {"parameters": {"a": 1.0}}


BASES = (chain, open_joints, in_time, other_joints, controlled)
