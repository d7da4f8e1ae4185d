"""Random drops, throws and spins of pairs of shapes, and whether a run felt what it should have.

The reference is the motion without the force: the same model with a contact so soft that it does
nothing, its gap asked at 20 000 equal times. Where that gap is negative there is a contact, which
is expected to give the impulse J = ∫ k d^1.5 dt at least in part.
"""

from dataclasses import dataclass
from functools import cache
from itertools import product

import numpy as np

import hapsis as hs
from hapsis.mechanics.algebra.contact_geometry.solid_pairs import PAIRS

THIN = {"point", "segment"}  # two of these never overlap
GROUND = {"plane", "heightfield"}
KINDS = sorted(pair for pair in PAIRS if not set(pair) <= THIN)
MOTIONS = ("drop", "throw", "spin")
ROWS = 20_000
SOFT = 1e-200  # N/m^1.5
FELT = 0.02  # of the impulse that the motion without force would get
SLIGHT = 1e-6  # of the speed: impulses below are left aside


def shape(kind):
    """A shape of unit size; None for a point."""
    return {
        "point": None,
        "sphere": hs.Sphere(1.0),
        "segment": hs.Segment(1.0),
        "capsule": hs.Capsule(1.0, 1.0),
        "box": hs.Box((1.0, 1.0, 1.0)),
        "cylinder": hs.Cylinder(1.0, 1.0),
    }[kind]


def sizes(kind, length, draw):
    """The dimensions of a shape of about that size, by name."""
    some = lambda: float(length * draw.uniform(0.3, 1.0))  # noqa: E731
    names = {
        "sphere": ["radius"],
        "segment": ["length"],
        "capsule": ["radius", "length"],
        "box": ["size.x", "size.y", "size.z"],
        "cylinder": ["radius", "length"],
    }
    return {name: some() for name in names.get(kind, [])}


def ground(kind, place):
    """The other side, fixed in the world at that place."""
    if kind == "plane":
        return hs.WORLD.plane("z", at=(0.0, 0.0, place[0]))
    if kind == "heightfield":
        return hs.WORLD.heightfield(lambda x, y: 0.1 * hs.sin(x) * hs.cos(y))
    return hs.WORLD.at(*place), shape(kind)


@cache
def model(first, second, motion, many):
    """A model of one body and of one fixed solid, or of four, three of which are far away."""
    places = [(k * -3e4, 0.0, 0.0) for k in range(4 if many else 1)]
    mover = hs.Frame((1.0, 0.0, 0.0)) if motion == "spin" else hs.Frame()
    mine = ("a", mover) if shape(first) is None else (("a", mover), shape(first))
    facts = [hs.Body("a", mass=1.0, inertia=(1.0, 1.0, 1.0))]
    for k, place in enumerate(places):
        facts.append(hs.Contact(f"hit{k}", mine, ground(second, place), law=hs.HuntCrossley(1.0)))
    if motion == "spin":
        joint, gravity = hs.Revolute("j", hs.WORLD.at(1.0, 0.0, 0.0), "a", axis="y"), (0.0, 0.0, 0.0)
    else:
        joint, gravity = hs.Free("j", hs.WORLD, "a"), (0.0, 0.0, -9.81 if motion == "drop" else 0.0)
    return hs.Model(*facts, joint, gravity=gravity)


@cache
def known(*kind):
    """The parameters that such a model has; of a shape that only turns in a plane some are not used."""
    return frozenset(hs.forward_dynamics(model(*kind)).parameters)


@dataclass
class Throw:
    """One random case."""

    kinds: tuple
    motion: str
    many: bool
    method: str
    tolerance: float
    seed: int

    def __post_init__(self):
        draw = np.random.default_rng(self.seed)
        self.model = model(*self.kinds, self.motion, self.many)
        length = 10.0 ** draw.uniform(-3.0, -0.7 if self.motion == "spin" else 1.0)
        other = float(np.clip(length * 10.0 ** draw.uniform(-1.0, 1.0), 1e-3, 10.0))
        if self.motion == "spin":
            other = min(other, 0.2)
        self.parameters, thick = {}, []
        for side, kind, size in (("first", self.kinds[0], length), ("second", self.kinds[1], other)):
            for name, value in sizes(kind, size, draw).items():
                thick += [value] if kind != "segment" else []
                for k in range(4 if self.many else 1):
                    self.parameters[f"hit{k}.{side}.{name}"] = value
        self.size = min(thick, default=length)
        self._move(draw, length + (0.0 if self.kinds[1] in GROUND else other))
        depth = self.size * 10.0 ** draw.uniform(-3.0, -1.0)
        self.stiffness = float(1.25 * self.speed**2 / depth**2.5)

    def _move(self, draw, reach):
        """The start, the speed at which it comes, and the time to look at."""
        if self.motion == "spin":
            self.speed = float(10.0 ** draw.uniform(-1.0, 2.0))
            angle, side = draw.uniform(0.5, np.pi), 1.0
            if self.kinds[1] in GROUND:  # from above
                angle, side = min(angle, 2.6), -1.0
            self.start = {"j": side * angle, "j.v": -side * self.speed}
            self.until = (angle + 2.0 * np.pi * draw.uniform(0.2, 2.0)) / self.speed
            return
        turn = draw.normal(size=4)
        turn /= np.linalg.norm(turn)
        aside = reach * draw.uniform(-0.4, 0.4, size=2)
        if self.motion == "drop":
            height = reach * draw.uniform(1.1, 2.0) + 10.0 ** draw.uniform(-1.0, 2.0)
            p, v = np.array([*aside, height]), np.zeros(3)
            self.speed = float(np.sqrt(2.0 * 9.81 * height))
            fall = np.sqrt(2.0 * (height + 3.0 * reach) / 9.81)
        else:
            self.speed = float(10.0 ** draw.uniform(-1.0, 2.0))
            way = draw.normal(size=3)
            way[2] = -abs(way[2]) - 0.3
            way /= np.linalg.norm(way)
            height = reach * draw.uniform(3.0, 30.0)
            p, v = -height * way + np.array([*aside, 0.0]), self.speed * way
            fall = (height + 3.0 * reach) / self.speed
        self.until = float(fall * draw.uniform(1.0, 2.0))
        w = draw.normal(size=3)
        w *= 10.0 ** draw.uniform(-1.0, 1.5) / np.linalg.norm(w) / fall * draw.integers(0, 2)
        names = ("x", "y", "z", "qw", "qx", "qy", "qz", "wx", "wy", "wz", "vx", "vy", "vz")
        values = (*p, *turn, *w, *(rotation(turn).T @ v))
        self.start = {f"j.{n}": float(x) for n, x in zip(names, values, strict=True)}

    def run(self, stiffness, every, **options):
        """The motion with a contact of that stiffness."""
        names = [f"hit{k}.stiffness" for k in range(4 if self.many else 1)]
        used = known(*self.kinds, self.motion, self.many)
        parameters = {n: x for n, x in self.parameters.items() if n in used}
        parameters |= dict.fromkeys(names, stiffness)
        return hs.simulate(
            self.model, self.until, self.start, parameters=parameters, every=every, watchdog=False, **options
        )

    def verdict(self):
        """What is wrong with the run; empty if it felt what it should have."""
        free = self.run(SOFT, self.until / ROWS, tolerance=1e-12, method="order8")
        gap = free["hit0.gap"]
        depth = np.maximum(-gap, 0.0)
        begins_inside = gap[0] <= 0.0
        impulse = self.stiffness * np.trapezoid(depth**1.5, free.t) / self.speed
        if begins_inside or impulse < SLIGHT:
            return "-"  # nothing is expected
        adaptive = {"method": self.method, "tolerance": self.tolerance, "most_steps": 2_000_000}
        touch = free.t[np.argmax(gap < 0.0)]
        self.until = min(self.until, float(touch + 2.0 * self.size / self.speed + 0.3 * (self.until - touch)))
        felt = self.run(self.stiffness, self.until / 100, **adaptive)
        told = [event.time for event in felt.events if event.name == "hit0.touch"]
        if not told:
            return f"no touch is told, {impulse:.1e} of the speed expected at t = {touch:.6g}: {felt.status}"
        if not abs(told[0] - touch) <= 2.0 * self.until / ROWS + 0.02 * touch * (self.tolerance > 1e-6):
            return f"touch at t = {told[0]:.9g}, not {touch:.9g}"
        forces = felt["hit0.force"].max()
        if not felt.energy_drift < np.inf:
            return "not finite"
        changed = speed_change(self, felt, free)
        if changed < FELT * min(impulse, 1.0) and forces == 0.0:
            return f"touched at t = {told[0]:.6g} and not felt: {changed:.1e} of {impulse:.1e}"
        return ""


def speed_change(throw, felt, free):
    """How much the velocity differs from that of the motion without force, in parts of the speed."""
    names = [n for n in throw.model.speeds]
    end = np.searchsorted(free.t, felt.t[-1])
    end = min(end, len(free.t) - 1)
    worlds = []
    for result, k in ((felt, -1), (free, end)):
        v = np.array([result[n][k] for n in names])
        if throw.motion != "spin":
            R = rotation([result[f"j.{n}"][k] for n in ("qw", "qx", "qy", "qz")])
            v = np.concatenate([R @ v[:3] * throw.size, R @ v[3:]])
        worlds.append(v)
    return float(np.abs(worlds[0] - worlds[1]).max() / throw.speed)


def rotation(q):
    """The matrix of a quaternion."""
    w, x, y, z = q
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )


def groups():
    """All pairs of shapes with all motions, written out and mapped where there is more than one."""
    for kinds, motion, many in product(KINDS, MOTIONS, (False, True)):
        if "heightfield" not in kinds or not (many or motion == "spin"):
            yield kinds, motion, many


def throws(group, count, seed=0):
    """So many random cases of a group, over all methods and tolerances."""
    draw = np.random.default_rng([seed, *map(ord, str(group))])
    for _ in range(count):
        method = str(draw.choice(["auto", "order8", "order5", "stiff"]))
        tolerance = float(draw.choice([1e-9, 1e-9, 1e-6, 1e-4]))
        yield Throw(*group, method, tolerance, int(draw.integers(1 << 40)))
