"""Mechanisms that a hand can hold, for tests and tools: with the frame, the kind of grasp, and their cuts."""

from typing import Any, NamedTuple

import hapsis as hs

SIX = ("mx", "my", "mz", "fx", "fy", "fz")


class Held(NamedTuple):
    """A mechanism, the frame it is held by, the kind of grasp, and the joints that close its loops."""

    model: Any
    frame: str
    kind: str
    cuts: tuple[str, ...] = ()


def crank():
    """A crank, as in the first figure of the reference."""
    model = hs.Model(
        hs.Rod("crank", length=0.1, mass=0.2),
        hs.Revolute("turn", hs.WORLD, "crank", axis="y"),
        poses={"start": {"turn": 0.4}},
    )
    return Held(model, "crank.end", "point")


def slider_crank():
    """Held at the crank pin."""
    return Held(hs.library.slider_crank(), "crank.end", "point", ("pin",))


def four_bar():
    """Held by its coupler, with the axes."""
    return Held(
        hs.Model(*_bars(), poses={"start": {"A": 0.3, "B": 0.4, "D": 1.25}}), "coupler.mid", "full", ("C",)
    )


def two_loops():
    """A four-bar that pulls a second loop by its coupler."""
    more = (
        hs.Rod("link", length=0.45, mass=0.3),
        hs.Rod("lever", length=0.3, mass=0.2),
        hs.Revolute("E", "coupler.mid", "link", axis="y"),
        hs.Revolute("G", hs.WORLD.at(0.1, 0.0, 0.4), "lever", axis="y"),
        hs.Revolute("F", "link.end", "lever.end", axis="y"),
    )
    start = {"A": 0.3, "B": 0.4, "D": 1.25, "E": -2.0, "G": 0.3}
    return Held(hs.Model(*_bars(), *more, poses={"start": start}), "coupler.mid", "point", ("C", "F"))


def six_joints():
    """An arm with six joints, held by its last link."""
    facts, before = [], hs.WORLD
    for k, axis in enumerate("zyyxyx"):
        end = {"end": (0.05 * (k % 2), 0.0, 0.2)}
        body = hs.Body(
            f"l{k}", mass=1.0 - 0.1 * k, com=(0.05, 0.02, 0.1), inertia=(0.01, 0.012, 0.008), frames=end
        )
        facts += [body, hs.Revolute(f"j{k}", before, f"l{k}", axis=axis)]
        before = f"l{k}.end"
    start = {f"j{k}": x for k, x in enumerate((0.1, 0.4, 0.7, -0.3, 0.5, 0.2))}
    return Held(hs.Model(*facts, poses={"start": start}), "l5.end", "full")


def redundant():
    """A four-bar with a third bar that is not needed."""
    return Held(hs.library.redundant_four_bar(), "coupler", "full", ("right cut", "middle cut"))


def platform():
    """A body on six legs, held by the platform."""
    return Held(hs.library.stewart(), "platform", "full", tuple(f"ball{k}" for k in range(1, 7)))


def loose():
    """A body without a joint: its axes are a quaternion."""
    body = hs.Body("tool", mass=0.4, com=(0.02, 0.0, 0.05), inertia=(1e-3, 2e-3, 1.5e-3))
    return Held(hs.Model(body, hs.Free("tool", hs.WORLD, "tool")), "tool", "full")


def flopping():
    """A double pendulum, held by its first link."""
    facts = (
        hs.Rod("upper", length=0.3, mass=0.5),
        hs.Rod("lower", length=0.2, mass=0.3),
        hs.Revolute("shoulder", hs.WORLD, "upper", axis="y"),
        hs.Revolute("elbow", "upper.end", "lower", axis="y"),
    )
    return Held(hs.Model(*facts, poses={"start": {"elbow": 0.7}}), "upper.end", "point")


def limited():
    """Two links whose limits are a few degrees from the start, held at the end."""
    facts = (
        hs.Rod("upper", length=0.3, mass=0.5),
        hs.Rod("lower", length=0.2, mass=0.3),
        hs.Revolute("shoulder", hs.WORLD, "upper", axis="y", limits=(-0.03, 0.05)),
        hs.Revolute("elbow", "upper.end", "lower", axis="y", limits=(1.15, 1.22)),
    )
    return Held(hs.Model(*facts, poses={"start": {"elbow": 1.2}}), "lower.end", "point")


def stopped():
    """The same with limits, and friction that sticks, in its joints."""
    model = flopping().model
    model = model.replace("elbow", limits=(-0.2, 0.9), friction=0.01).replace("shoulder", damping=0.01)
    return Held(model + hs.Friction("grease", "shoulder", coulomb=0.05, static=0.08), "upper.end", "point")


def chain():
    """A link that is held, and two that hang from it by balls."""
    inertia = (1e-4, 2e-4, 2e-4)
    links = [
        hs.Body(f"link{k}", mass=0.2, com=(0.05, 0, 0), inertia=inertia, frames={"end": (0.1, 0, 0)})
        for k in range(3)
    ]
    joints = (
        hs.Free("link0", hs.WORLD, "link0"),
        hs.Ball("first", "link0.end", "link1"),
        hs.Ball("second", "link1.end", "link2"),
    )
    return Held(hs.Model(*links, *joints), "link0", "full")


def hung_four_bar():
    """A four-bar that is held by its crank, with a pendulum at the coupler."""
    more = (hs.Rod("bob", length=0.2, mass=0.2), hs.Revolute("hook", "coupler.mid", "bob", axis="y"))
    start = {"A": 0.3, "B": 0.4, "D": 1.25, "hook": 1.0}
    return Held(hs.Model(*_bars(), *more, poses={"start": start}), "crank.end", "point", ("C",))


def _bars():
    return (
        hs.Rod("crank", length=0.2, mass=0.2),
        hs.Rod("coupler", length=0.5, mass=0.5),
        hs.Rod("rocker", length=0.4, mass=0.4),
        hs.Revolute("A", hs.WORLD, "crank", axis="y"),
        hs.Revolute("B", "crank.end", "coupler", axis="y"),
        hs.Revolute("D", hs.WORLD.at(0.45, 0, 0), "rocker", axis="y"),
        hs.Revolute("C", "coupler.end", "rocker.end", axis="y"),
    )


ALL = {
    f.__name__: f for f in (crank, slider_crank, four_bar, two_loops, six_joints, redundant, platform, loose)
}

# links of these move by themselves: they need a spring between hand and mechanism
LOOSE = {f.__name__: f for f in (flopping, stopped, chain, hung_four_bar)}
LIMITED = {"limited": limited}


def two_links():
    """A planar device: two links in the plane of x and z, and the frame of its handle."""
    return hs.Model(
        hs.Rod("upper", length=0.3, mass=0.4),
        hs.Rod("fore", length=0.3, mass=0.3),
        hs.Revolute("shoulder", hs.WORLD.at(0.1, 0.0, 0.15), "upper", axis="y"),
        hs.Revolute("elbow", "upper.end", "fore", axis="y"),
        poses={"start": {"shoulder": -0.5, "elbow": 1.2}},
    ), "fore.end"


def seven_joints():
    """A redundant master arm: shoulder, elbow and wrist with seven joints, and the frame of its handle."""
    facts, before = [], hs.WORLD.at(0.0, 0.1, 0.2)
    lengths, masses = (0.1, 0.1, 0.15, 0.15, 0.12, 0.05, 0.05), (1.2, 0.8, 0.8, 0.6, 0.5, 0.3, 0.2)
    for k, axis in enumerate("zyxyxyx"):
        length, mass = lengths[k], masses[k]
        inertia = (mass * length**2 / 12, mass * length**2 / 6, mass * length**2 / 6)
        body = hs.Body(
            f"m{k}", mass=mass, com=(length / 2, 0, 0), inertia=inertia, frames={"end": (length, 0, 0)}
        )
        facts += [body, hs.Revolute(f"w{k}", before, f"m{k}", axis=axis)]
        before = f"m{k}.end"
    start = {"w1": -0.4, "w3": 0.9, "w5": -0.5}
    return hs.Model(*facts, poses={"start": start}), "m6.end"
