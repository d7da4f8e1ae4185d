"""The same mechanism told in another way: what must not change the dynamics, or only by a factor.

Each function gives the other model; speeds keep their names. `Told` carries the sign and the factor
between the efforts of the two.
"""

import dataclasses
import math
from dataclasses import dataclass, field

import numpy as np
import oracle

import hapsis as hs


@dataclass
class Told:
    """A model that says the same as another: with signs of joints, and a factor of all efforts."""

    model: hs.Model
    factor: float = 1.0
    signs: dict = field(default_factory=dict)  # joint -> -1 for those told backwards

    def arranged(self, of, x, kind="speeds"):
        """The columns of x, in the order of the model `of`, in our order and with our signs."""
        theirs = list(getattr(of, kind))
        names = getattr(self.model, kind)
        signs = [self.signs.get(n.removesuffix(".v"), 1.0) for n in names]
        return x[..., [theirs.index(n) for n in names]] * np.array(signs)


def remade(model, change, **more):
    """The model with every fact put through `change`, which gives one fact or several."""
    facts = []
    for fact in model.facts:
        new = change(fact)
        facts += new if isinstance(new, list) else [new]
    given = {"gravity": model.gravity, "parameters": model.parameters, **more}
    return hs.Model(facts, physical=model.physical, **given)


def with_numbers(model, frame):
    """A Frame without formulas."""
    return hs.Frame([model.value(x) for x in frame.at], [model.value(x) for x in frame.rpy])


def frame_of(H):
    """The Frame of a 4 x 4 matrix."""
    R, p = H[:3, :3], H[:3, 3]
    pitch = math.atan2(-R[2, 0], math.hypot(R[0, 0], R[1, 0]))
    if math.hypot(R[0, 0], R[1, 0]) < 1e-9:
        # straight up or down: all of the rest is roll
        return hs.Frame(p, (math.atan2(-R[1, 2] * 1.0, R[1, 1]), pitch, 0.0))
    return hs.Frame(p, (math.atan2(R[2, 1], R[2, 2]), pitch, math.atan2(R[1, 0], R[0, 0])))


def turned(told, draw):
    """The whole world moved and turned, gravity with it."""
    model = told.model
    G = oracle.placed(model, hs.Frame([draw.uniform(-1, 1) for _ in range(3)],
                                      [draw.uniform(-3, 3) for _ in range(3)]))  # fmt: skip

    def end(x):
        body, frame = model.frame(x)
        if body != "world":
            return x
        return hs.End("world", frame_of(G @ oracle.placed(model, frame)))

    def change(fact):
        if not isinstance(fact, hs.Joint):
            return fact
        return dataclasses.replace(fact, first=end(fact.first), second=end(fact.second))

    gravity = G[:3, :3] @ np.array(model.gravity)
    return dataclasses.replace(told, model=remade(model, change, gravity=gravity))


def heavier(told, draw):
    """All masses, armatures and losses times a number."""
    factor = draw.uniform(0.5, 3.0)

    def times(x):
        return f"{factor!r} * ({x})" if isinstance(x, hs.Formula) else factor * x

    def change(fact):
        if isinstance(fact, hs.Joint):
            losses = ("armature", "damping", "friction")
            return dataclasses.replace(fact, **{n: times(getattr(fact, n)) for n in losses})
        inertia = tuple(map(times, fact.inertia))
        return dataclasses.replace(fact, mass=times(fact.mass), inertia=inertia)

    return dataclasses.replace(
        told, model=remade(told.model, change), factor=told.factor * factor
    )


def shuffled(told, draw):
    """The facts in another order."""
    model, facts = told.model, list(told.model.facts)
    draw.shuffle(facts)
    other = hs.Model(facts, gravity=model.gravity, parameters=model.parameters)
    return dataclasses.replace(told, model=other)


def halved(told, draw):
    """One body as two, welded together in some place."""
    model = told.model
    name = draw.choice(list(model.bodies))
    part = draw.uniform(0.2, 0.8)
    value, body = model.value, model.bodies[name]
    where = oracle.placed(model, hs.Frame([draw.uniform(-1, 1) for _ in range(3)],
                                          [draw.uniform(-3, 3) for _ in range(3)]))  # fmt: skip
    R = where[:3, :3]
    I = np.zeros((3, 3))
    for (i, j), x in zip(oracle.PAIRS, body.inertia, strict=True):
        I[i, j] = I[j, i] = (1 - part) * value(x)
    I = R.T @ I @ R
    com = R.T @ (np.array([value(x) for x in body.com]) - where[:3, 3])
    other = hs.Body(f"{name}_half", (1 - part) * value(body.mass), com,
                    [I[i, j] for i, j in oracle.PAIRS])  # fmt: skip
    weld = [hs.Weld(f"{name}_weld", (name, frame_of(where)), other.name)]
    if draw.random() < 0.5:
        weld = [hs.Weld(f"{name}_weld", other.name, (name, frame_of(where)))]

    def change(fact):
        if fact is not body:
            return fact
        inertia = [part * value(x) for x in body.inertia]
        rest = dataclasses.replace(body, mass=part * value(body.mass), inertia=inertia)
        return [*weld, rest, other] if draw.random() < 0.5 else [rest, other, *weld]

    return dataclasses.replace(told, model=remade(model, change))


def backwards(told, draw):
    """The joints of one degree with their ends exchanged: their coordinates change sign."""
    signs = dict(told.signs)

    def change(fact):
        if not isinstance(fact, hs.Joint) or draw.random() < 0.4:
            return fact
        if not isinstance(fact, hs.Revolute | hs.Prismatic | hs.Helical | hs.Weld):
            return fact
        signs[fact.name] = -signs.get(fact.name, 1.0)
        return dataclasses.replace(fact, first=fact.second, second=fact.first)

    model = remade(told.model, change)
    return dataclasses.replace(told, model=model, signs=signs)


def adorned(told, draw):
    """A body without mass welded somewhere, and one put between a joint and what it held."""
    model = told.model
    name = draw.choice(["world", *model.bodies])
    extra = [hs.Body("nothing"), hs.Weld("w_nothing", (name, (0.1, 0.2, 0.3)), "nothing")]
    chosen = draw.choice(list(model.joints))

    def change(fact):
        if fact.name != chosen:
            return fact
        held = fact.second
        return [
            dataclasses.replace(fact, second="between"),
            hs.Weld("w_between", "between", held),
            hs.Body("between"),
        ]

    other = remade(model, change)
    return dataclasses.replace(told, model=other + extra)


WAYS = (turned, heavier, shuffled, halved, backwards, adorned)


def retold(model, draw, ways=WAYS):
    """The model told in other ways, one after the other."""
    told = Told(model)
    for way in ways:
        told = way(told, draw)
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

    return remade(model.replace(physical=False), change)
