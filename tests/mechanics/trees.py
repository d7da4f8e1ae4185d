"""Random models for the laws: any topology, any order of facts, joints met backwards, all kinds.

Everything is drawn from a `random.Random`, so that a seed makes the same model again and
`st.randoms(use_true_random=False)` of Hypothesis can shrink it.
"""

import math
import random

import numpy as np
import oracle
from hypothesis import strategies as st

import hapsis as hs
from hapsis.compiler.backends.interpreter import evaluate

LETTERS = ("x", "y", "z", "-x", "-y", "-z")
CHAINS = ("Tx Ty Rz", "Rz Tx Ry", "Ry Rx", "Rx Ry Rx", "Rx", "Rz Tx", "Tx Ty Tz", "Ty")
KINDS = (
    "Revolute",
    "Revolute",
    "Revolute",
    "Revolute",
    "Prismatic",
    "Prismatic",
    "Helical",
    "Cylindrical",
    "Universal",
    "Planar",
    "Ball",
    "Free",
    "Weld",
    "Chain",
)
PLAIN = tuple(kind for kind in KINDS if kind not in ("Ball", "Free"))  # no quaternions
SINGLE = ("Revolute", "Prismatic", "Helical")  # one degree
WORST = 1e6  # the largest condition number of a scaled mass matrix that tells anything

STENCIL = np.arange(-3.0, 4.0)  # central differences of sixth order
WEIGHTS = np.array([-1.0, 9.0, -45.0, 0.0, 45.0, -9.0, 1.0]) / 60.0


class Maker:
    """The parts of one random model, and the parameters its formulas need."""

    def __init__(self, draw, formulas=0.12):
        self.draw, self.formulas, self.parameters = draw, formulas, {}

    def chance(self, p):
        return self.draw.random() < p

    def value(self, x):
        """x, or a formula of the model's parameters that has this value."""
        if x == 0.0 or not self.chance(self.formulas):
            return x
        if self.parameters and self.chance(0.4):
            name = self.draw.choice(list(self.parameters))
            return f"{name} + ({x!r} - {self.parameters[name]!r})"
        name = f"p{len(self.parameters)}"
        form = self.draw.randrange(4)
        if form == 1:
            self.parameters[name] = (x - 0.25) / 2
            return f"2 * {name} + 0.25"
        if form == 2 and x > 0:
            self.parameters[name] = math.sqrt(x)
            return f"{name}^2"
        if form == 3 and abs(x) < 1:
            self.parameters[name] = math.asin(x)
            return f"sin({name})"
        self.parameters[name] = x
        return name

    def vector(self, size=0.5):
        """Three lengths, with exact zeros among them, all zero at times, or tiny."""
        zeros = self.draw.choice((0.0, 0.3, 0.6, 1.0))
        scale = size if self.chance(0.95) else 1e-8
        return tuple(
            0.0 if self.chance(zeros) else self.value(scale * self.draw.uniform(-1, 1)) for _ in range(3)
        )

    def angles(self):
        """Roll, pitch, yaw: none, quarter turns, tiny ones, or any."""
        form = self.draw.randrange(8)
        if form < 3:
            return (0.0, 0.0, 0.0)
        if form < 5:
            return tuple(self.draw.randrange(-2, 3) * math.pi / 2 for _ in range(3))
        if form == 5:
            return (0.0, 0.0, self.value(self.draw.uniform(-3, 3)))
        scale = 1.0 if self.chance(0.9) else 1e-7
        return tuple(self.value(scale * self.draw.uniform(-3, 3)) for _ in range(3))

    def frame(self):
        return hs.Frame(self.vector(), self.angles())

    def axis(self):
        form = self.draw.randrange(6)
        if form < 4:
            return self.draw.choice(LETTERS)
        axis = [self.draw.uniform(-1, 1) for _ in range(3)]
        if form == 5:  # almost or exactly along a letter
            k = self.draw.randrange(3)
            axis = [1e-7 * x if self.chance(0.3) else 0.0 for x in axis]
            axis[k] = self.draw.choice((2.0, -0.5))
        if math.hypot(*axis) < 0.1:
            return "z"
        return tuple(axis)

    def body(self, name, massless=False):
        """A sum of point masses, so that it can exist; frames `a` and `b`."""
        frames = {"a": self.frame(), "b": self.vector()}
        if massless:
            return hs.Body(name, frames=frames)
        scale = self.draw.choice((0.2, 0.5, 1.0))
        form = self.draw.randrange(4)
        if form == 0:  # mirrored points: exact zeros in the inertia and no offset
            corner = [scale * self.draw.uniform(0.2, 1) for _ in range(3)]
            points = [(s * x, t * y, s * t * z) for x, y, z in [corner] for s in (1, -1) for t in (1, -1)]
            masses = [self.draw.uniform(0.2, 1)] * 4
            turned = np.diag(np.cov(np.array(points).T, bias=True)) * 4 * masses[0]
            xx, yy, zz = (float(turned.sum() - x) for x in turned)
            com, inertia = self.vector(0.3), (xx, yy, zz)
            return hs.Body(name, 4 * masses[0], com, tuple(map(self.value, inertia)), frames)
        points = np.array([[scale * self.draw.uniform(-1, 1) for _ in range(3)] for _ in range(5)])
        points += scale * 0.5 * np.array([[1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, 0, 1], [0, 0, 0]])
        masses = np.array([self.draw.uniform(0.2, 1) for _ in range(5)])
        mass, com = masses.sum(), masses @ points / masses.sum()
        moments = (points - com).T * masses @ (points - com)
        I = np.trace(moments) * np.eye(3) - moments
        inertia = [I[0, 0], I[1, 1], I[2, 2], I[0, 1], I[0, 2], I[1, 2]]
        return hs.Body(
            name,
            self.value(float(mass)),
            tuple(self.value(float(x)) for x in com),
            tuple(self.value(float(x)) for x in inertia),
            frames,
        )

    def end(self, body):
        """A place on a body or on the world, in one of the ways to say it."""
        form = self.draw.randrange(5)
        if body == "world":
            return (
                hs.WORLD,
                "world",
                "world.anchor",
                hs.End("world", "anchor"),
                hs.WORLD.at(*self.vector(), self.angles()),
            )[form]
        return (body, f"{body}.a", hs.End(body, "b"), (body, self.frame()), (f"{body}.b", self.frame()))[form]

    def joint(self, kind, name, first, second, losses=True):
        some = {}
        for field in ("armature", "damping", "friction") if losses else ():
            if self.chance(0.25):
                some[field] = self.value(self.draw.uniform(0.05, 0.5))
        ends = name, self.end(first), self.end(second)
        if kind == "Chain":
            return hs.Chain(*ends, self.draw.choice(CHAINS), **some)
        if kind == "Planar":
            return hs.Planar(*ends, normal=self.draw.choice("xyz"), **some)
        if kind == "Universal":
            pair = self.draw.choice([("x", "y"), ("z", "-x"), ("y", (1.0, 0.4, -0.3))])
            return hs.Universal(*ends, axes=pair, **some)
        if kind in ("Ball", "Free", "Weld"):
            return getattr(hs, kind)(*ends, **some)
        if kind == "Helical":
            some["pitch"] = self.value(self.draw.choice((0.0, 0.1, -0.35)))
        return getattr(hs, kind)(*ends, axis=self.axis(), **some)


def model(draw, most=10, kinds=KINDS, losses=True, formulas=0.12, massless=True, reorder=True, weight=True):
    """A random tree of 1 to `most` bodies. Without `reorder` facts come parents first."""
    if isinstance(draw, int):
        draw = random.Random(draw)
    maker = Maker(draw, formulas)
    n = min(draw.randint(1, most) for _ in range(3))  # small ones more often
    names = [f"b{k}" for k in range(n)]
    branching = draw.choice((0.0, 0.3, 1.0))
    flat = maker.chance(0.15)  # all turns about z: axes stay parallel
    bodies, joints = [], []
    for k, name in enumerate(names):
        parent = k - 1 if not maker.chance(branching) else draw.randrange(-1, k)
        ends = [names[parent] if parent >= 0 else "world", name]
        if maker.chance(0.4):
            ends.reverse()
        bodies.append(maker.body(name, massless and maker.chance(0.15)))
        kind = draw.choice(kinds)
        if flat and kind == "Revolute":
            z = draw.choice(("z", "z", "-z"))
            joints.append(hs.Revolute(f"j{k}", *ends, axis=z, damping=maker.value(0.1)))
        else:
            joints.append(maker.joint(kind, f"j{k}", *ends, losses=losses))
    bodies.append(hs.Body("world", frames={"anchor": maker.frame()}))
    facts = [*bodies, *joints]
    if reorder:
        draw.shuffle(facts)
    gravity = draw.choice(((0, 0, -9.81), (0, 0, 0), (1.5, -7.0, 3.0), (0, 9.0, 0)))
    parameters = {**maker.parameters, "unused": 1.0}
    made = hs.Model(facts, gravity=gravity if weight else (0, 0, 0), parameters=parameters)
    return regular(made, draw)


def planar(draw):
    """Many parallel axes, in a tree, some after a turn and some after a weld or a slide."""
    if isinstance(draw, int):
        draw = random.Random(draw)
    maker = Maker(draw)
    facts = []
    for k in range(draw.randint(2, 6)):
        parent = "world" if k == 0 else f"b{draw.randint(max(0, k - 2), k - 1)}"
        end = (parent, hs.Frame((0.3, draw.choice((0.0, 0.2)), 0.1), (0, 0, draw.choice((0, 1.0)))))
        ends = [end, f"b{k}"] if draw.random() < 0.7 else [f"b{k}", end]
        if draw.random() < 0.8:
            axis = draw.choice(("z", "z", "z", "-z", "x"))
            facts.append(hs.Revolute(f"j{k}", *ends, axis=axis, damping=0.1))
        else:
            kind = draw.choice(("Weld", "Prismatic", "Helical", "Cylindrical"))
            facts.append(maker.joint(kind, f"j{k}", "world" if k == 0 else parent, f"b{k}"))
        facts.append(maker.body(f"b{k}"))
    facts.append(hs.Body("world", frames={"anchor": maker.frame()}))
    draw.shuffle(facts)
    return hs.Model(facts, parameters=maker.parameters)


def regular(made, draw):
    """The model, with masses given to its massless bodies if it could not move without."""
    if not made.speeds:
        return made
    q, v, a = states(made, draw, 2)
    M = oracle.Motion(made, q, v, a).mass_matrix()
    if (condition(M) < WORST).all():
        return made
    maker = Maker(draw, formulas=0.0)
    for name, body in made.bodies.items():
        if body.mass == 0.0:
            full = maker.body(name)
            made = made.replace(name, mass=full.mass, com=full.com, inertia=full.inertia)
    return made


def condition(M):
    """The condition number of a mass matrix with its diagonal scaled to one."""
    d = np.sqrt(np.einsum("...ii->...i", M))
    with np.errstate(all="ignore"):
        scaled = M / d[..., :, None] / d[..., None, :]
    scaled[~np.isfinite(scaled)] = 0.0
    low, high = np.moveaxis(np.linalg.eigvalsh(scaled)[..., [0, -1]], -1, 0)
    return np.where(low > 0, high / np.maximum(low, 1e-300), np.inf)


def states(made, draw, count):
    """Arrays q, v, a of random states; quaternions of any length near one."""
    numbers = np.random.default_rng(draw if isinstance(draw, int) else draw.randrange(2**32))
    q = numbers.uniform(-2, 2, (count, len(made.coordinates)))
    for k, name in enumerate(made.coordinates):
        if name.endswith(".qw"):
            four = numbers.normal(size=(count, 4))
            four *= (numbers.uniform(0.5, 2, count) / np.linalg.norm(four, axis=1))[:, None]
            q[:, k : k + 4] = four
    v, a = numbers.normal(size=(2, count, len(made.speeds)))
    return q, v, a


def numbers(function, *inputs, p=None):
    """The outputs of a Function for arrays of states, by the interpreter and nothing before it."""
    inputs = [np.asarray(x, float) for x in inputs]
    stored = function.parameters
    if p:
        assert p.keys() <= stored.keys()
    parameters = np.array([*({**stored, **(p or {})}).values()])
    count = len(inputs[0])
    parts = [x.reshape(count, -1).T for x in inputs]
    parts.append(np.repeat(parameters[:, None], count, axis=1))
    flat = evaluate(function, np.concatenate(parts))
    outputs, start = [], 0
    for port in function.outputs:
        part = flat[start : start + len(port.refs)].T
        outputs.append(part.reshape(count, *port.shape))
        start += len(port.refs)
    return outputs[0] if len(outputs) == 1 else function.result(*outputs)


def close(found, expected, *terms, gate=1e-12):
    """Asserts that two arrays differ by no more than `gate` of the largest magnitude of all."""
    found, expected = np.asarray(found), np.asarray(expected)
    assert found.shape == expected.shape, (found.shape, expected.shape)
    largest = max(np.abs(x).max(initial=1e-3) for x in (found, expected, *terms))
    error = np.abs(found - expected).max(initial=0.0)
    assert error <= gate * largest, (float(error / largest), found, expected)


def models(**options):
    """A Hypothesis strategy of (model, draw): the model, and what to draw states from."""

    def made(draw):
        return model(draw, **options), draw

    return st.randoms(use_true_random=False).map(made)
