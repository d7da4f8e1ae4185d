"""Laws of drawings on random models: finite, complete, ends on their frames, alike at every scale."""

import dataclasses
import json

import forces
import numpy as np
import pytest
import trees
from samples import sample

import hapsis as hs
from hapsis.mechanics.algebra.quaternions import matrix
from hapsis.mechanics.drawing.drawing import drawing
from hapsis.mechanics.drawing.mates import constant
from hapsis.mechanics.drawing.placement import frame_pose, placement
from hapsis.mechanics.model.forces.link import Link
from hapsis.mechanics.model.forces.spring import Spring

COUNT = sample(40, 400)
MAKERS = {
    "trees": lambda seed: trees.model(seed),
    "planar": lambda seed: trees.planar(seed),
    "forces": lambda seed: forces.model(seed),
    "floating": lambda seed: forces.floating(seed),
}
LENGTHS = ("radius", "length", "width", "depth", "gap", "bore", "size", "inner", "pitch")


def state(model, seed):
    """Random coordinates, with unit quaternions."""
    rng = np.random.default_rng(seed)
    q = dict(zip(model.coordinates, rng.uniform(-0.7, 0.7, len(model.coordinates)), strict=True))
    for joint in model.joints.values():
        if any(step.kind in ("ball", "free") for step in joint.steps):
            four = joint.coordinates[-4:]
            unit = rng.standard_normal(4)
            q |= dict(zip(four, unit / np.linalg.norm(unit), strict=True))
    return np.array(list(q.values()))


def samples():
    for name, make in MAKERS.items():
        for seed in range(COUNT):
            yield pytest.param(make, seed, id=f"{name}{seed}")


def heavy(model):
    """The bodies that have a mass; what has none may be a part of a joint."""
    return [name for name, body in model.bodies.items() if model.value(body.mass) > 0.0]


@pytest.mark.parametrize(("make", "seed"), list(samples()))
def test_drawings_of_random_models(make, seed):
    model = make(seed)
    q = state(model, seed)
    table = drawing(model, q)
    json.dumps(table, allow_nan=False)
    assert [body["name"] for body in table["bodies"]] == list(model.bodies)
    assert table["size"] > 0.0 and table["notices"] == []
    _every_heavy_part_is_seen(model, table)
    # the ends of lines lie on their frames, at the start and in any other pose
    for other in (q, state(model, seed + 1000)):
        _ends_are_on_frames(model, table, placement(model, other))


def _every_heavy_part_is_seen(model, table):
    from hapsis.mechanics.drawing.sketch import Sketch

    part = Sketch(model, state(model, 0)).parts.of
    seen = {body["name"] for body in table["bodies"] if body["shapes"]}
    for name in heavy(model):
        if part[name] != "world":  # held by welds
            assert part[name] in seen, name


def _ends_are_on_frames(model, table, poses):
    names = ["world", *model.bodies]
    facts = {f.name: f for f in (*model.forces.values(), *model.constraints.values())}
    for line in table["connections"]:
        fact = facts[line["name"]]
        if not isinstance(fact, Spring | Link | hs.Distance):
            continue
        for end, of in zip(line["ends"], (fact.first, fact.second), strict=True):
            pose = poses[names[end["body"] + 1]]
            body, frame = model.frame(of)
            expected = (poses[body] @ frame_pose(model, frame)).p
            scale = max(1.0, float(np.abs(expected).max()))
            np.testing.assert_allclose(pose.p + pose.R @ np.array(end["at"]), expected, atol=1e-12 * scale)


@pytest.mark.parametrize("seed", range(20))
def test_random_models_have_lines_at_all(seed):
    """The generator gives springs or links, or the law above would say nothing."""
    kinds = {type(f).__name__ for k in range(10) for f in forces.model(10 * seed + k).forces.values()}
    assert {"Spring", "Tendon", "Bushing"} & kinds


def larger(model, s):
    """The model with every length s times as long; its drawing must be s times as large."""

    def frame(f):
        return hs.Frame(tuple(s * model.value(x) for x in f.at), tuple(map(model.value, f.rpy)))

    def end(e):
        body, place = model.frame(e)
        return (body, frame(place))

    facts = []
    for body in (model.world, *model.bodies.values()):
        shapes = [_larger_shape(model, shape, s, frame) for shape in body.shapes]
        facts.append(
            dataclasses.replace(
                body,
                mass=model.value(body.mass),
                com=tuple(s * model.value(x) for x in body.com),
                inertia=tuple(s * s * model.value(x) for x in body.inertia),
                frames={n: frame(f) for n, f in body.frames.items()},
                shapes=tuple(shapes),
            )
        )
    for joint in model.joints.values():
        more = {"pitch": s * model.value(joint.pitch)} if hasattr(joint, "pitch") else {}
        plain = {"armature": 0.0, "damping": 0.0, "friction": 0.0, "limits": None}
        ends = {"first": end(joint.first), "second": end(joint.second)}
        facts.append(dataclasses.replace(joint, **ends, **plain, **more))
    for fact in (*model.forces.values(), *model.constraints.values()):
        if isinstance(fact, Spring | hs.Distance | hs.Bushing):
            ends = {"first": end(fact.first), "second": end(fact.second)}
            own = {"length": 1.0} if isinstance(fact, Spring | hs.Distance) else {}
            values = {
                n: model.value(getattr(fact, n)) for n in ("stiffness", "damping") if isinstance(fact, Spring)
            }
            facts.append(dataclasses.replace(fact, **ends, **own, **values))
        elif isinstance(fact, hs.Tendon):
            arms = {n: s * model.value(x) for n, x in fact.arms.items()}
            facts.append(dataclasses.replace(fact, arms=arms, stiffness=1.0, damping=0.0, length=0.0))
        elif isinstance(fact, hs.JointSpring):
            facts.append(dataclasses.replace(fact, stiffness=1.0, damping=0.0, rest=0.0))
    facts += [d for d in model.drives.values() if constant(d)]
    return hs.Model(*facts, gravity=model.gravity, physical=False, parameters=model.parameters)


def _larger_shape(model, shape, s, frame):
    sizes = {}
    for name in shape.not_negative:
        value = getattr(shape, name)
        sizes[name] = (
            tuple(s * model.value(x) for x in value) if isinstance(value, tuple) else s * model.value(value)
        )
    return dataclasses.replace(shape, at=frame(shape.at), **sizes)


def slid(model, q, s):
    """The coordinates of the larger model."""
    factors = {}
    for joint in model.joints.values():
        kinds = [step.kind for step in joint.steps]
        if "ball" in kinds or "free" in kinds:
            kinds = ["P"] * (len(joint.coordinates) - 4) + ["R"] * 4
        factors |= {n: s if kind == "P" else 1.0 for n, kind in zip(joint.coordinates, kinds, strict=True)}
    return q * np.array([factors[name] for name in model.coordinates])


def close(first, second, s, name=""):
    """Whether two tables are the same but for lengths, which are s times as long in the second."""
    if isinstance(first, dict):
        assert first.keys() == second.keys()
        for key in first:
            close(first[key], second[key], s, key)
    elif isinstance(first, list) and first and all(isinstance(x, float) for x in first):
        factor = 1.0 if name in ("q", "color", "up", "side", "other") else s
        scale = max(map(abs, first)) or 1.0
        a, b = np.array(first), np.array(second) / factor
        if name == "q":
            a, b = matrix(a), matrix(b)
        np.testing.assert_allclose(a, b, atol=3e-6 * max(scale, 0.05))
    elif isinstance(first, list):
        assert len(first) == len(second)
        for a, b in zip(first, second, strict=True):
            close(a, b, s, name)
    elif isinstance(first, float) and name in LENGTHS:
        np.testing.assert_allclose(first, second / s, rtol=1e-5)
    else:
        assert first == second, name


@pytest.mark.parametrize("s", [1e-6, 1e-3, 1e3])
@pytest.mark.parametrize("kind", ["trees", "planar", "forces"])
def test_larger_models_have_larger_drawings(kind, s):
    for seed in range(COUNT // 4):
        model = larger(MAKERS[kind](seed), 1.0)
        q = state(model, seed)
        close(drawing(model, q), drawing(larger(model, s), slid(model, q, s)), s)


@pytest.mark.parametrize(
    "name", ["four_bar", "andrews", "stewart", "double_wishbone", "agile_eye", "scissor_lift"]
)
@pytest.mark.parametrize("s", [1e-6, 1e3])
def test_library_models_look_alike_at_every_scale(name, s):
    import shared_models

    made = shared_models.four_bar() if name == "four_bar" else getattr(hs.library, name)()
    model = larger(made, 1.0)
    q = hs.assemble(made).q
    close(drawing(model, q), drawing(larger(model, s), slid(model, q, s)), s)
