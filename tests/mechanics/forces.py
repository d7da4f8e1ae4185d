"""Random forces and contacts for the laws: every kind of them, on random places of random trees.

Numbers are such that all of them matter: stiffnesses of some tens, sizes like those of the trees.
"""

import random

import numpy as np
import trees
from hypothesis import strategies as st

import hapsis as hs

FRESH, SOFT, HELD = hs.LawState(0.1), hs.LawState(0.05), hs.LawState(0.2)
SPHERES = ("point", "sphere", "sphere")
SOLIDS = (*SPHERES, "capsule", "segment", "box", "cylinder")


def hardening(length, rate, k=20.0, c=0.7):
    """A law of two numbers, for anything."""
    return k * length * length * length / (1.0 + length * length) + c * rate


def maxwell(length, rate, k=15.0, time=0.3, pull=HELD):
    """A spring in line with a damper: its pull is a state."""
    return pull + 0.1 * rate, {"pull": k * rate - pull / time}


def humming(length, rate, t, size=3.0):
    """A law that knows the time."""
    return size * hs.sin(2.0 * t) * length - 0.2 * rate


def rubber(gap, rate, stiffness=40.0, set_in=SOFT):
    """A contact law with a state; pushes only."""
    depth = hs.maximum(-gap, 0.0)
    push = hs.maximum(stiffness * (depth - 0.3 * set_in) - 2.0 * rate * depth, 0.0)
    return push, {"set_in": (depth - set_in) / 0.4}


def gum(normal, slip, width=0.2):
    """Friction by a law of one's own."""
    speed = hs.sqrt(sum(x * x for x in slip) + 1e-12)
    return [-0.3 * normal * x / (width + speed) for x in slip]


LAWS = (hardening, maxwell, humming)
ROUGH = (
    hs.Coulomb(0.4, speed=0.1, slope=3.0),
    hs.Coulomb(0.4, bristle=40.0),
    hs.Coulomb(0.3, 0.5, 0.1, bristle=20.0),
)


class Forcer(trees.Maker):
    """The forces of one random model."""

    def __init__(self, draw, made, outside=True, formulas=0.1):
        super().__init__(draw, formulas)
        self.made, self.parameters = made, dict(made.parameters)
        self.outside = outside  # whether anything may act from the world
        self.axes = [name.removesuffix(".v") for name in made.speeds if name.endswith(".v")]

    def size(self, low, high):
        return self.value(self.draw.uniform(low, high))

    def two(self):
        """Two ends, on two bodies or on one and the world."""
        bodies = list(self.made.bodies)
        if self.outside and (len(bodies) < 2 or self.chance(0.3)):
            bodies = [self.draw.choice(bodies), "world"]
        pair = self.draw.sample(bodies, 2)
        # never in one place at every pose: what is between them would have no direction
        apart = hs.Frame([self.draw.uniform(-0.5, 0.5) for _ in range(3)], self.angles())
        ends = [self.end(pair[0]), hs.End(pair[1], apart)]
        return self.draw.sample(ends, 2)

    def coordinate(self):
        return self.draw.choice(self.axes)

    def spring(self, name):
        sizes = self.size(5, 50), self.size(0, 3), self.size(0, 1)
        return hs.Spring(name, *self.two(), *sizes)

    def link(self, name):
        return hs.Link(name, *self.two(), self.draw.choice(LAWS))

    def bushing(self, name):
        stiffness = [self.size(1, 20) for _ in range(6)]
        damping = [self.size(0, 2) for _ in range(6)]
        return hs.Bushing(name, *self.two(), stiffness, damping)

    def wrench(self, name):
        on = self.end(self.draw.choice(list(self.made.bodies)))
        form, axes = self.draw.randrange(3), self.draw.choice(("world", "frame"))
        if form == 0:
            return hs.Wrench(name, on, ("3 * sin(2 * t)", 1.0, 0.0), (0.0, "t^2", 0.5), axes)
        if form == 1:
            return hs.Wrench(name, on, lambda t: (hs.cos(t), 2.0, t), axes=axes)
        return hs.Wrench(name, on, self.vector(5.0), self.vector(2.0), axes)

    def joint_spring(self, name):
        rest = self.draw.uniform(-1, 1)
        return hs.JointSpring(name, self.coordinate(), self.size(1, 50), self.size(0, 3), rest)

    def joint_force(self, name):
        return hs.JointForce(name, self.coordinate(), self.draw.choice(LAWS))

    def friction(self, name):
        low, speed = self.draw.uniform(0.5, 3), self.draw.uniform(0.2, 2.0)
        static = self.draw.choice((None, 1.4 * low))
        if self.chance(0.3):
            return hs.Friction(name, self.coordinate(), low, viscous=self.size(0, 1), smooth=speed)
        return hs.Friction(name, self.coordinate(), low, static, self.size(0, 1), speed, 0.02)

    def cushion(self, name):
        law = self.draw.choice((hs.HuntCrossley(20.0, 1.5, 0.3), hs.Felt(20.0, 2.0, 0.4, 0.3), rubber))
        return hs.Stop(name, self.coordinate(), low=-0.4, high=0.5, law=law)

    def stop(self, name):
        return hs.Stop(name, self.coordinate(), self.size(5, 40), self.size(0, 3), -0.4, 0.5)

    def tendon(self, name):
        names = self.draw.sample(self.axes, min(len(self.axes), self.draw.randint(1, 3)))
        arms = {n: self.value(self.draw.uniform(-1, 1)) for n in names}
        slack = self.chance(0.5)
        return hs.Tendon(name, arms, self.size(5, 30), self.size(0, 2), -0.2, slack)

    def controller(self, name):
        first, second = self.coordinate(), self.coordinate()
        if self.chance(0.4):
            return hs.Controller(name, lambda s: {}, rate=50.0, efforts=(first,))

        def law(s, gain=7.0, memory=FRESH):
            error = hs.sin(s.t) - s[second]
            return {first: gain * error + memory - s[f"{first}.v"]}, {"memory": 2.0 * error}

        return hs.Controller(name, law)

    def shape(self, kinds, end):
        """A solid of one of the kinds; None is a point."""
        # a formula may turn the place of a plane, but then not the plane on it
        turned = self.made.frame(end)[1].formula
        normals = ("z",) if turned else ("x", "-z", (1.0, 0.4, -0.3))
        kind, r, a = self.draw.choice(kinds), self.draw.uniform(0.2, 1), self.draw.uniform(0.3, 1)
        made = {
            "point": lambda: None,
            "sphere": lambda: hs.Sphere(self.value(r)),
            "capsule": lambda: hs.Capsule(r, a),
            "segment": lambda: hs.Segment(a),
            "cylinder": lambda: hs.Cylinder(r, a),
            "box": lambda: hs.Box((a, r, 0.5)),
            "plane": lambda: hs.Plane(self.draw.choice(normals)),
        }
        return made[kind]()

    def contact(self, name):
        ends = self.two()
        first = self.shape(SOLIDS, ends[0])
        others = ("plane", "plane", *SPHERES)
        if isinstance(first, hs.Sphere):
            others += ("capsule", "box", "cylinder")
        shapes = first, self.shape(others, ends[1])
        sides = [(e, s) if s else e for e, s in zip(ends, shapes, strict=True)]
        if self.chance(0.3):
            sides.reverse()
        law = self.draw.choice(
            (
                hs.Linear(self.size(10, 60), self.size(0, 3)),
                hs.Felt(30.0, 2.5, 0.4, 0.3),
                rubber,
                hs.HuntCrossley(self.size(10, 60), 1.5, self.size(0, 0.5)),
            )
        )
        friction = self.draw.choice(
            (None, 0.4, hs.Coulomb(0.3, speed=0.5), hs.Coulomb(0.3, 0.5, 0.1), gum, *ROUGH)
        )
        return hs.Contact(name, *sides, law, friction)


ON_BODIES = ("spring", "link", "bushing", "contact", "contact")
ON_AXES = ("joint_spring", "joint_force", "friction", "stop", "cushion", "tendon")
FROM_OUTSIDE = ("wrench", "controller")
KINDS = (*ON_BODIES, *ON_AXES, *FROM_OUTSIDE)
CONSERVATIVE = ("spring", "bushing", "joint_spring", "stop", "tendon")


def added(made, draw, most=5, kinds=None, outside=True):
    """The model with 1 to `most` forces of these kinds, all if none are given."""
    maker = Forcer(draw, made, outside)
    known = (*ON_BODIES, *(ON_AXES if maker.axes else ()), *(FROM_OUTSIDE if outside else ()))
    if not maker.axes:
        known = tuple(kind for kind in known if kind != "controller")
    known = [kind for kind in known if kinds is None or kind in kinds]
    if not outside and len(made.bodies) < 2:
        known = [kind for kind in known if kind not in ON_BODIES]
    facts = []
    for k in range(draw.randint(1, most) if known else 0):
        facts.append(getattr(maker, draw.choice(known))(f"f{k}"))
    return hs.Model(made, facts, parameters=maker.parameters)


def model(draw, most=5, forces=5, kinds=None, **options):
    """A random tree with random forces."""
    if isinstance(draw, int):
        draw = random.Random(draw)
    return added(trees.model(draw, most=most, **options), draw, forces, kinds)


def floating(draw, forces=5):
    """Bodies that hang together or not, nothing holds them, and only they act on each other."""
    if isinstance(draw, int):
        draw = random.Random(draw)
    maker = trees.Maker(draw, formulas=0.0)
    facts = [hs.Body("world", frames={"anchor": maker.frame()})]
    for k in range(draw.randint(2, 4)):
        facts.append(maker.body(f"b{k}"))
        loose = k == 0 or maker.chance(0.4)
        ends = ["world" if loose else f"b{draw.randrange(k)}", f"b{k}"]
        if maker.chance(0.4):
            ends.reverse()
        kind = "Free" if loose else draw.choice(trees.KINDS)
        facts.append(maker.joint(kind, f"j{k}", *ends, losses=False))
    made = hs.Model(facts, gravity=(0, 0, 0))
    inside = {
        name for joint in made.moving if "world" not in _ends(made, joint) for name in joint.coordinates
    }
    made = added(made, draw, forces, outside=False)
    for force in made.forces.values():
        assert set(getattr(force, "joints", {}).values()) <= inside
    return made


def _ends(made, joint):
    return {made.frame(end)[0] for end in (joint.first, joint.second)}


def known(made, draw, count):
    """q, v, a and what else Functions of the model may need: tau, t; see `values` for z and u."""
    q, v, a = trees.states(made, draw, count)
    numbers = np.random.default_rng(draw.randrange(2**32))
    found = {"q": q, "v": v, "a": a, "tau": numbers.normal(size=v.shape) * 5}
    return found | {"t": numbers.uniform(0, 3, count), "numbers": numbers}


def values(function, known, **more):
    """The outputs of a Function, its inputs by name; states of laws and held numbers are drawn."""
    count = len(known["q"])
    for port in function.inputs:
        if port.name == "near":
            known["near"] = np.ones((count, len(port.refs)))
        if port.name in ("z", "u") and port.name not in known:
            known[port.name] = known["numbers"].normal(size=(count, len(port.refs))) * 0.3
    inputs = [{**known, **more}[port.name] for port in function.inputs if port.name != "p"]
    return trees.numbers(function, *inputs)


def models(**options):
    """A Hypothesis strategy of (model, draw): the model, and what to draw states from."""
    return st.randoms(use_true_random=False).map(lambda draw: (model(draw, **options), draw))
