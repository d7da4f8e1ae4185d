"""Laws that read frames, sensors and forces by name, on random trees, against the oracle's motion."""

import random

import numpy as np
import oracle
import pytest
import trees
from samples import sample
from trees import close, numbers

import hapsis as hs

SEEDS = range(sample(24, 400))
FRAME = {
    **{letter: lambda m, k=k: m.p[:, k] for k, letter in enumerate(("x", "y", "z"))},
    **{letter: lambda m, k=k: m.u[:, k] for k, letter in enumerate(("vx", "vy", "vz"))},
    **{letter: lambda m, k=k: m.w[:, k] for k, letter in enumerate(("wx", "wy", "wz"))},
    "speed": lambda m: np.linalg.norm(m.u, axis=1),
}
VECTORS = {"position": "p", "velocity": "u", "angular_velocity": "w"}


class Seen:
    """The motion of a frame by the oracle."""

    def __init__(self, motion, frame):
        H, V = motion.frame(frame)[0], motion.velocity(frame)
        self.p, self.R, self.w, self.u = H[:, :3, 3], H[:, :3, :3], V[:, :3], V[:, 3:]


def random_tree(seed):
    """A model with speeds, some states of it, its motion by the oracle, and what draws more."""
    draw = random.Random(seed)
    while True:
        model = trees.planar(draw) if seed % 4 == 0 else trees.model(draw, most=6)
        plain = [name for name in model.coordinates if name in model.plain and f"{name}.v" in model.speeds]
        if plain:
            break
    q, v, a = trees.states(model, draw, 3)
    return model, draw.choice(plain), (q, v, a), oracle.Motion(model, q, v, a), draw


def needed(model, states):
    function = hs.inverse_dynamics(model)
    time = [np.zeros((len(states[0]), 1))] if any(port.name == "t" for port in function.inputs) else []
    return numbers(function, *states, *time)


def check_effort(model, fact, joint, effort, states):
    """The force adds just this effort on a coordinate: inverse dynamics needs so much less."""
    before, after = needed(model, states), needed(model + fact, states)
    expected = before.copy()
    expected[:, model.speeds.index(f"{joint}.v")] -= effort
    close(after, expected, effort, gate=1e-11)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_law_that_reads_a_frame_gets_the_motion_of_the_frame(seed):
    model, joint, states, motion, draw = random_tree(seed)
    body = draw.choice(list(model.bodies))
    frame = draw.choice((body, f"{body}.a", f"{body}.b", "world.anchor"))
    seen, axis = Seen(motion, frame), np.array([draw.uniform(-1, 1) for _ in range(3)])
    weights = {name: draw.uniform(-1, 1) for name in FRAME}
    effort = sum(weight * FRAME[name](seen) for name, weight in weights.items())
    vector = draw.choice(list(VECTORS))
    effort = effort + getattr(seen, VECTORS[vector]) @ axis + seen.R[:, 0, 1] + seen.R[:, 2, 0]

    def law(s, gain=1.0):
        total = sum(weight * s[f"{frame}.{name}"] for name, weight in weights.items())
        R = s[f"{frame}.R"]
        return gain * (total + sum(s[f"{frame}.{vector}"] * axis) + R[0, 1] + R[2, 0])

    kind = draw.randrange(3)
    if kind == 0:
        check_effort(
            model, hs.Controller("c", lambda s, gain=1.0: {joint: law(s, gain)}), joint, effort, states
        )
    elif kind == 1:
        fact = hs.JointForce("c", joint, lambda position, speed, s: law(s) + 0.5 * position - speed)
        place = model.coordinates.index(joint)
        more = 0.5 * states[0][:, place] - states[1][:, model.speeds.index(f"{joint}.v")]
        check_effort(model, fact, joint, effort + more, states)
    else:
        force = np.outer(effort, axis)
        fact = hs.Wrench("c", frame, force=lambda t, s: law(s) * axis)
        tau = needed(model, states) - np.einsum("sij,si->sj", motion.jacobian(frame)[:, 3:], force)
        close(needed(model + fact, states), tau, force, gate=1e-11)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_law_that_reads_sensors_and_forces_gets_their_formulas(seed):
    model, joint, states, motion, draw = random_tree(seed)
    frame, stiffness, damping = f"{draw.choice(list(model.bodies))}.a", 30.0, 4.0
    kinds = {"place": "pose", "moves": "velocity", "gyro": "imu"}
    model += [hs.Sensor(name, kind, frame) for name, kind in kinds.items()]
    seen = Seen(motion, frame)
    readings = {
        "place.y": seen.p[:, 1],
        "moves.wz": seen.w[:, 2],
        "moves.vx": seen.u[:, 0],
        "gyro.wy": np.einsum("sij,si->sj", seen.R, seen.w)[:, 1],
        "rope.length": (length := np.linalg.norm(seen.p - (0, 0, 5), axis=1)),
        "floor.gap": (gap := seen.p[:, 2] - 0.3),
    }
    rate = np.einsum("si,si->s", seen.p - (0, 0, 5), seen.u) / length
    readings["rope.force"] = stiffness * (length - 0.4) + damping * rate
    depth = -gap
    readings["floor.force"] = np.where(depth > 0, np.maximum(0, 1e3 * depth - 7.0 * seen.u[:, 2]), 0.0)
    readings["floor.push.z"] = readings["floor.force"]
    names = draw.sample(list(readings), 5)
    weights = [draw.uniform(-1, 1) for _ in names]
    forces = [
        hs.Spring("rope", hs.WORLD.at(0, 0, 5), frame, stiffness=stiffness, damping=damping, length=0.4),
        hs.Contact("floor", frame, hs.WORLD.plane("z", at=(0, 0, 0.3)), law=hs.Linear(1e3, 7.0)),
    ]
    reader = hs.Controller("c", lambda s: {joint: sum(w * s[n] for w, n in zip(weights, names, strict=True))})
    facts = [reader, *forces]
    draw.shuffle(facts)  # what is read acts first, whatever the order
    effort = sum(w * readings[n] for w, n in zip(weights, names, strict=True))
    after, expected = needed(model + facts, states), needed(model + forces, states)
    expected[:, model.speeds.index(f"{joint}.v")] -= effort
    close(after, expected, effort, gate=1e-10)


def test_a_contact_among_many_tells_laws_its_gap_also_where_it_is_skipped():
    """Six balls are mapped and skipped far away; the one that is read is not."""
    floor = hs.WORLD.plane("z")
    law = hs.Linear(1e4, 10.0)
    facts = []
    for k in range(6):
        facts += [
            hs.Body(f"b{k}", mass=1.0, inertia=(0.1, 0.1, 0.1), shapes=[hs.Sphere(0.1)]),
            hs.Prismatic(f"z{k}", hs.WORLD.at(k, 0, 0), f"b{k}", axis="z"),
            hs.Contact(f"c{k}", hs.Surface(f"b{k}"), floor, law=law),
        ]
    start = {f"z{k}": 3.0 + k for k in range(6)}
    plain = hs.Model(*facts, hs.Controller("lift", lambda s: {"z2": 5.0 * (s["z2"] - 0.1)}))
    model = hs.Model(*facts, hs.Controller("lift", lambda s: {"z2": 5.0 * s["c2.gap"]}))
    one, two = (hs.simulate(m, until=0.5, start=start, method="order5") for m in (plain, model))
    assert np.abs(one["z2"] - two["z2"]).max() < 1e-9


def arm(*facts):
    return hs.Model(
        hs.Body("a", mass=1.0, com=(0, 0, -0.5), inertia=(0.1, 0.1, 0.01), frames={"tip": (0, 0, -1)}),
        hs.Revolute("j", hs.WORLD, "a", axis="y"),
        hs.Sensor("imu", "imu", "a.tip"),
        hs.Sensor("load", "reaction", "j"),
        hs.Sensor("motor", "effort", "j"),
        *facts,
    )


@pytest.mark.parametrize(
    ("name", "words"),
    {
        "j.a": "acceleration",
        "j.reaction": "constraint",
        "imu": "imu.wx",
        "imu.ax": "accelerations",
        "load": "a reaction",
        "motor": "an effort",
        "j.effort": "input of the run",
        "energy": "after all forces",
        "c.j": "its own result",
        "a.tipp.x": 'did you mean "a.tip.x"',
        "a.tip.q": "no signal",
        "spring.forc": 'did you mean "spring.force"',
        "": "no signal",
    }.items(),
)
def test_what_cannot_be_read_is_refused_in_one_line_that_names_the_law(name, words):
    spring = hs.Spring("spring", hs.WORLD.at(1, 0, 0), "a.tip", stiffness=1.0)
    with pytest.raises(hs.ModelError, match=r'^controller "c": "?') as error:
        hs.inverse_dynamics(arm(spring, hs.Controller("c", lambda s: {"j": s[name]})))
    assert words in str(error.value) and "\n" not in str(error.value) and str(error.value).count('"c":') == 1


def test_laws_that_need_each_other_are_named_with_what_they_read():
    facts = [
        hs.JointForce("a1", "j", lambda q, v, s: s["b1.effort"]),
        hs.JointForce("b1", "j", lambda q, v, s: s["c1.effort"]),
        hs.JointForce("c1", "j", lambda q, v, s: s["a1.effort"]),
    ]
    with pytest.raises(hs.ModelError) as error:
        hs.inverse_dynamics(arm(*facts))
    for words in (
        '"a1" reads "b1.effort"',
        '"b1" reads "c1.effort"',
        '"c1" reads "a1.effort"',
        "hs.LawState",
    ):
        assert words in str(error.value)


def test_laws_may_read_each_others_states():
    """Two filters in a ring: no result is needed before it is known."""

    def one(q, v, s, x=hs.LawState(0.3)):
        return x, {"x": s["two.y"] - x}

    def two(q, v, s, y=hs.LawState(0.1)):
        return y, {"y": -s["one.x"] - y}

    model = arm(hs.JointForce("one", "j", one), hs.JointForce("two", "j", two))
    result = hs.simulate(model, until=2.0)
    t = result.t
    decay = np.exp(-t)  # x' = y - x, y' = -x - y: a turning that fades
    assert np.abs(result["one.x"] - decay * (0.3 * np.cos(t) + 0.1 * np.sin(t))).max() < 1e-8
    assert np.abs(result["two.y"] - decay * (0.1 * np.cos(t) - 0.3 * np.sin(t))).max() < 1e-8
