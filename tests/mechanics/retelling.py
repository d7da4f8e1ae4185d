"""The same mechanism told in another way: what must not change the dynamics, or only by a factor.

Speeds keep their names.
"""

import dataclasses
import math

import numpy as np
import oracle

import hapsis as hs


class Told:
    """The facts of a model, to be told otherwise.

    `factor` and `signs` (-1 for joints told backwards) are between our efforts and the model's.
    """

    def __init__(self, model, draw):
        self.of, self.draw = model, draw
        self.facts, self.gravity = list(model.facts), model.gravity
        self.factor, self.signs = 1.0, {}

    def remade(self, change):
        """Puts every fact through `change`, which gives one fact or several."""
        self.facts = [new for fact in self.facts for new in _listed(change(fact))]

    def place(self):
        """Somewhere, as a matrix."""
        at, rpy = ([self.draw.uniform(-s, s) for _ in range(3)] for s in (1, 3))
        return oracle.placed(self.of, hs.Frame(at, rpy))

    def model(self):
        return hs.Model(self.facts, gravity=self.gravity, parameters=self.of.parameters)

    def arranged(self, model, x, kind="speeds"):
        """The columns of x, in the order of the first model, in that of ours, with our signs."""
        theirs, names = list(getattr(self.of, kind)), getattr(model, kind)
        signs = [self.signs.get(n.removesuffix(".v"), 1.0) for n in names]
        return x[..., [theirs.index(n) for n in names]] * np.array(signs)


def _listed(facts):
    return facts if isinstance(facts, list) else [facts]


def remade(model, change, **more):
    """The model with every fact put through `change`; its inertias may become impossible."""
    given = {"gravity": model.gravity, "parameters": model.parameters, **more}
    return hs.Model([change(fact) for fact in model.facts], physical=False, **given)


def frame_of(H):
    """The Frame of a 4 x 4 matrix."""
    R, p = H[:3, :3], H[:3, 3]
    level = math.hypot(R[0, 0], R[1, 0])
    pitch = math.atan2(-R[2, 0], level)
    if level < 1e-9:  # straight up or down: all of the rest is roll
        return hs.Frame(p, (math.atan2(-R[1, 2], R[1, 1]), pitch, 0.0))
    return hs.Frame(p, (math.atan2(R[2, 1], R[2, 2]), pitch, math.atan2(R[1, 0], R[0, 0])))


def turned(told):
    """The whole world moved and turned, gravity with it."""
    G, model = told.place(), told.of

    def end(x):
        if not str(x).startswith("world"):
            return x
        return hs.End("world", frame_of(G @ oracle.placed(model, model.frame(x)[1])))

    def change(fact):
        if not isinstance(fact, hs.Joint):
            return fact
        return dataclasses.replace(fact, first=end(fact.first), second=end(fact.second))

    told.remade(change)
    told.gravity = G[:3, :3] @ np.array(told.gravity)


def heavier(told):
    """All masses, armatures and losses times a number."""
    factor = told.draw.uniform(0.5, 3.0)

    def times(x):
        return f"{factor!r} * ({x})" if isinstance(x, hs.Formula) else factor * x

    def change(fact):
        if isinstance(fact, hs.Joint):
            losses = ("armature", "damping", "friction")
            return dataclasses.replace(fact, **{n: times(getattr(fact, n)) for n in losses})
        inertia = tuple(map(times, fact.inertia))
        return dataclasses.replace(fact, mass=times(fact.mass), inertia=inertia)

    told.remade(change)
    told.factor *= factor


def shuffled(told):
    """The facts in another order."""
    told.draw.shuffle(told.facts)


def halved(told):
    """One body as two, welded together in some place."""
    draw, value, where = told.draw, told.of.value, told.place()
    name, part, R = draw.choice(list(told.of.bodies)), draw.uniform(0.2, 0.8), where[:3, :3]

    def change(body):
        if body.name != name:
            return body
        I = np.zeros((3, 3))
        for (i, j), x in zip(oracle.PAIRS, body.inertia, strict=True):
            I[i, j] = I[j, i] = (1 - part) * value(x)
        I, com = R.T @ I @ R, [value(x) for x in body.com]
        other = hs.Body(
            "half",
            (1 - part) * value(body.mass),
            R.T @ (com - where[:3, 3]),
            [I[i, j] for i, j in oracle.PAIRS],
        )
        inertia = [part * value(x) for x in body.inertia]
        rest = dataclasses.replace(body, mass=part * value(body.mass), inertia=inertia)
        ends = ["half", (name, frame_of(where))]
        draw.shuffle(ends)
        return draw.sample([hs.Weld("w_half", *ends), rest, other], 3)

    told.remade(change)


def backwards(told):
    """Some joints of one degree with their ends exchanged: their coordinates change sign."""

    def change(fact):
        can = isinstance(fact, hs.Revolute | hs.Prismatic | hs.Helical | hs.Weld)
        if not can or told.draw.random() < 0.4:
            return fact
        told.signs[fact.name] = -1.0
        return dataclasses.replace(fact, first=fact.second, second=fact.first)

    told.remade(change)


def adorned(told):
    """A body without mass welded somewhere, and one put between a joint and what it held."""
    somewhere = told.draw.choice(["world", *told.of.bodies])
    chosen = told.draw.choice(list(told.of.joints))
    told.facts.append(hs.Body("nothing"))
    told.facts.append(hs.Weld("w_nothing", (somewhere, (0.1, 0.2, 0.3)), "nothing"))

    def change(fact):
        if fact.name != chosen:
            return fact
        between = dataclasses.replace(fact, second="between")
        return [between, hs.Weld("w_between", "between", fact.second), hs.Body("between")]

    told.remade(change)


WAYS = (turned, heavier, halved, backwards, adorned, shuffled)


def retold(model, draw, ways=WAYS):
    """The model told in these other ways."""
    told = Told(model, draw)
    for way in ways:
        way(told)
    return told


def absolute(model):
    """The model with inline ends given on their bodies, not on a frame of theirs."""

    def end(x):
        return hs.End(*model.frame(x)) if isinstance(x.frame, hs.Frame) else x

    def change(fact):
        if not isinstance(fact, hs.Joint):
            return fact
        return dataclasses.replace(fact, first=end(fact.first), second=end(fact.second))

    return remade(model, change)


def changed(model, name, value):
    """The model with the number that a parameter of this name stands for changed."""
    if name in model.parameters:
        return remade(model, lambda fact: fact, parameters={**model.parameters, name: value})
    head, *rest = name.split(".")
    axis = "xyz".find(rest[-1]) if len(rest[-1]) == 1 else -1

    def put(vector, k):
        return tuple(value if i == k else x for i, x in enumerate(vector))

    if head == "gravity":
        return remade(model, lambda fact: fact, gravity=put(model.gravity, axis))

    def change(fact):
        if fact.name != head:
            return fact
        if len(rest) == 1:  # mass, armature, ...
            return dataclasses.replace(fact, **{rest[0]: value})
        if rest[0] == "com":
            return dataclasses.replace(fact, com=put(fact.com, axis))
        if rest[0] == "inertia":
            k = ("xx", "yy", "zz", "xy", "xz", "yz").index(rest[1])
            return dataclasses.replace(fact, inertia=put(fact.inertia, k))
        if isinstance(fact, hs.Joint):  # an inline end
            end = getattr(fact, rest[0])
            frame = hs.Frame(put(end.frame.at, axis), end.frame.rpy)
            return dataclasses.replace(fact, **{rest[0]: hs.End(end.body, frame)})
        frame = fact.frames[rest[0]]
        frames = {**fact.frames, rest[0]: hs.Frame(put(frame.at, axis), frame.rpy)}
        return dataclasses.replace(fact, frames=frames)

    return remade(model, change)
