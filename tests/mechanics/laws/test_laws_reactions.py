"""Laws of what joints carry and what sensors read; of parameters that can be identified."""

import random

import numpy as np
import oracle
import pytest
import trees
from hypothesis import given, settings
from trees import close, numbers

import hapsis as hs


@pytest.mark.parametrize("chunk", range(3))
def test_reactions_on_random_trees(chunk):
    for seed in range(chunk * 20, (chunk + 1) * 20):
        draw = random.Random(seed + 100)
        model = trees.model(draw, most=6)
        q, v, a = trees.states(model, draw, 2)
        motion = oracle.Motion(model, q, v, a)
        free = motion.efforts(passive=False) - motion.of_speeds("armature") * a
        for joint in draw.sample(list(model.joints), min(3, len(model.joints))):
            found = numbers(hs.reaction(model, joint), q, v, a)
            close(found, motion.reaction(joint))
            check_axis(model, model.joints[joint], motion, found, free)


def test_rows_between_coordinates_leave_reactions_alone():
    """Of every joint, welds too: a gear acts as efforts, which the motion already holds."""
    checked = 0
    for seed in range(300, 330):
        draw = random.Random(seed)
        model = trees.model(draw, most=5)
        held = draw.choice(list(model.bodies))
        model += [hs.Body("plate", 0.3, com=(0.1, 0, 0.2)), hs.Weld("bolt", held, "plate")]
        single = [joint for joint in model.moving if isinstance(joint, hs.Revolute | hs.Prismatic)]
        if len(single) < 2:
            continue
        first, second = draw.sample(single, 2)
        geared = model + hs.Gear("mesh", *first.coordinates, *second.coordinates, ratio=2.0)
        q, v, a = trees.states(model, draw, 2)
        for joint in ("bolt", *draw.sample(list(model.joints), 2)):
            alone = numbers(hs.reaction(model, joint), q, v, a)
            close(numbers(hs.reaction(geared, joint), q, v, a, np.array([[0.3], [-1.0]])), alone)
        checked += 1
    assert checked > 5


def check_axis(model, joint, motion, wrench, free):
    """The component along the axis of a joint is the effort, less armature and losses."""
    if not isinstance(joint, hs.Revolute | hs.Prismatic | hs.Helical):
        return
    (step,) = joint.steps
    axis = np.array(step.axis)
    moment, force = wrench[:, :3] @ axis, wrench[:, 3:] @ axis
    along = {"R": moment, "P": force, "H": moment + model.value(step.pitch) * force}[step.kind]
    # the axis goes through the origin of the first end, or is parallel to one that does
    close(along, free[:, list(model.speeds).index(f"{joint.name}.v")], wrench)


@given(trees.models(most=5))
@settings(max_examples=10)
def test_newton_and_euler_for_one_body(drawn):
    """What the joints of a body bring, with its weight, is what its masses need."""
    model, draw = drawn
    q, v, a = trees.states(model, draw, 2)
    motion = oracle.Motion(model, q, v, a)
    body = draw.choice(list(model.bodies))
    total, scale = np.zeros((2, 6)), [np.zeros(1)]
    for joint in model.joints.values():
        ends = model.frame(joint.first)[0], model.frame(joint.second)[0]
        if body in ends:
            wrench = numbers(hs.reaction(model, joint.name), q, v, a)
            H = motion.frame(joint.first)[0]
            n, f = (np.einsum("sij,sj->si", H[:, :3, :3], x) for x in np.split(wrench, 2, axis=1))
            n = n + np.cross(H[:, :3, 3], f)
            total += (1.0 if ends[1] == body else -1.0) * np.concatenate([n, f], 1)
            scale += [n, f]
    Q = motion.pushes(body)
    six = oracle.vectors(Q)
    close(total, np.concatenate([2 * six[:, :3], six[:, 3:]], -1), *scale)


def test_a_weld_carries_what_hangs_from_it_also_backwards():
    arm = hs.Body("arm", 1.0, (0.5, 0, 0), (0.1, 0.1, 0.1))
    tool = hs.Body("tool", 0.5, (0, 0, 0.1), (0.01, 0.02, 0.02))
    for weld in (
        hs.Weld("w", ("arm", hs.Frame((1, 0, 0), (0, 0.5, 0))), "tool"),
        hs.Weld("w", "tool", ("arm", hs.Frame((1, 0, 0), (0, 0.5, 0)))),
    ):
        model = hs.Model(arm, tool, hs.Revolute("j", hs.WORLD, "arm", axis="y"), weld)
        q, v, a = trees.states(model, 1, 2)
        motion = oracle.Motion(model, q, v, a)
        close(numbers(hs.reaction(model, "w"), q, v, a), motion.reaction("w"))
        close(numbers(hs.reaction(model, "j"), q, v, a), motion.reaction("j"))
    still = hs.Model(arm, hs.Weld("w", hs.WORLD.at(0, 0, 1), "arm"))
    none = np.zeros((1, 0))
    wrench = numbers(hs.reaction(still, "w"), none, none, none)
    close(wrench, [[0, -0.5 * 9.81, 0, 0, 0, 9.81]])


def test_a_joint_of_several_steps_carries_its_wrench_at_its_first_end():
    block = hs.Body("block", 1.0, (0.1, 0.2, 0.3), (0.2, 0.3, 0.4))
    for make in (hs.Planar, hs.Cylindrical, hs.Universal, hs.Ball, hs.Free):
        for ends in (("world.peg", "block"), ("block", "world.peg")):
            peg = hs.Body("world", frames={"peg": hs.Frame((0.1, 0, 0.2), (1, 0, 0))})
            other = [hs.Body("c", 1.0, inertia=(1, 1, 1)), hs.Revolute("k", "block", "c")]
            model = hs.Model(block, peg, make("j", *ends), other)
            q, v, a = trees.states(model, 1, 2)
            close(numbers(hs.reaction(model, "j"), q, v, a), oracle.Motion(model, q, v, a).reaction("j"))


def test_a_joint_that_is_not_there():
    model = hs.Model(hs.Rod("arm", 1, 1), hs.Revolute("elbow", hs.WORLD, "arm"))
    with pytest.raises(hs.ModelError, match=r'there is no joint "elbw".*elbow'):
        hs.reaction(model, "elbw")


@pytest.mark.parametrize("chunk", range(3))
def test_sensors_on_random_trees(chunk):
    for seed in range(chunk * 10, (chunk + 1) * 10):
        draw = random.Random(seed + 400)
        model = trees.model(draw, most=5)
        maker = trees.Maker(draw, formulas=0.0)
        places = [draw.choice(list(model.bodies)) for _ in range(4)]
        ends = [
            places[0],
            f"{places[1]}.a",
            (places[2], maker.frame()),
            "world.anchor",
            hs.WORLD.at(0.1, 0.2, 0.3, (1, 2, 3)),
            f"{places[3]}.b",
        ]
        sensors = [
            hs.Sensor(f"{kind}{k}", kind, end)
            for kind in ("pose", "velocity", "acceleration", "imu")
            for k, end in enumerate(draw.sample(ends, 3))
        ]
        for joint in draw.sample(list(model.joints), min(2, len(model.joints))):
            if model.joints[joint].coordinates:
                sensors += [hs.Sensor(f"e_{joint}", "effort", joint)]
            sensors += [hs.Sensor(f"r_{joint}", "reaction", joint)]
        model = model + sensors
        q, v, a = trees.states(model, draw, 2)
        f = hs.measurements(model)
        found = dict(zip((p.name for p in f.outputs), numbers(f, q, v, a), strict=True))
        check_sensors(model, sensors, oracle.Motion(model, q, v, a), found)


def check_sensors(model, sensors, motion, found):
    tau = motion.efforts()
    names = list(model.speeds)
    for sensor in sensors:
        name = sensor.name
        if sensor.kind == "pose":
            H = motion.frame(sensor.on)[0]
            close(found.pop(f"{name}.p"), H[:, :3, 3])
            close(found.pop(f"{name}.R"), H[:, :3, :3])
        elif sensor.kind == "effort":
            slots = [names.index(s) for s in model.joints[sensor.on].speeds]
            close(found.pop(name), tau[:, slots], tau)
        elif sensor.kind == "reaction":
            close(found.pop(name), motion.reaction(sensor.on))
        elif sensor.kind == "imu":
            down = motion.frame(sensor.on)[0][:, :3, :3].transpose(0, 2, 1)
            V, A = motion.velocity(sensor.on), motion.acceleration(sensor.on)
            felt = A[:, 3:] - np.array(model.gravity)
            both = [np.einsum("sij,sj->si", down, x) for x in (V[:, :3], felt)]
            close(found.pop(name), np.concatenate(both, 1))
        else:
            close(found.pop(name), getattr(motion, sensor.kind)(sensor.on))
    assert not found


def test_measurements_are_those_of_the_single_functions():
    arm = hs.Rod("arm", 1.0, 2.0)
    model = hs.Model(
        arm,
        hs.Revolute("j", hs.WORLD, "arm", axis="y", damping=0.3, armature=0.1),
        hs.Sensor("where", "pose", "arm.end"),
        hs.Sensor("how", "velocity", "arm.end"),
        hs.Sensor("push", "effort", "j"),
        hs.Sensor("load", "reaction", "j"),
    )
    q, v, a = trees.states(model, 1, 3)
    f = hs.measurements(model)
    assert [port.name for port in f.outputs] == ["where.p", "where.R", "how", "push", "load"]
    found = numbers(f, q, v, a)
    pose = numbers(hs.pose(model, "arm.end"), q)
    close(found[0], pose.p)
    close(found[1], pose.R)
    close(found[2], numbers(hs.velocity(model, "arm.end"), q, v))
    close(found[3], numbers(hs.inverse_dynamics(model), q, v, a))
    close(found[4], numbers(hs.reaction(model, "j"), q, v, a))
    plate = hs.Model(
        hs.Body("plate", 1.0, (0.1, 0.2, 0), (1, 1, 1)),
        hs.Planar("p", hs.WORLD, "plate"),
        hs.Sensor("one", "effort", "p.Ty"),
        hs.Sensor("all", "effort", "p"),
    )
    q, v, a = trees.states(plate, 1, 3)
    one, both = numbers(hs.measurements(plate), q, v, a)
    close(both, numbers(hs.inverse_dynamics(plate), q, v, a))
    close(one, both[:, 1:2])
    with pytest.raises(hs.ModelError, match=r"no sensors.*hs.Sensor"):
        hs.measurements(hs.Model(arm, hs.Revolute("j", hs.WORLD, "arm")))


@pytest.mark.parametrize("chunk", range(2))
def test_efforts_are_linear_in_inertial_parameters(chunk):
    for seed in range(chunk * 15, (chunk + 1) * 15):
        draw = random.Random(seed + 700)
        model = trees.model(draw, most=5)
        if not model.speeds:
            continue
        q, v, a = trees.states(model, draw, 2)
        motion = oracle.Motion(model, q, v, a)
        Y = numbers(hs.regressor(model), q, v, a)
        pi = hs.inertial_parameters(model)
        assert Y.shape == (2, len(model.speeds), 10 * len(model.bodies)) and len(pi) == Y.shape[2]
        fields = "mass h.x h.y h.z I.xx I.yy I.zz I.xy I.xz I.yz".split()
        assert list(pi) == [f"{body}.{field}" for body in model.bodies for field in fields]
        expected = motion.efforts(passive=False) - motion.of_speeds("armature") * a
        values = np.array(list(pi.values()))
        close(Y @ values, expected, Y * values)
        for name in model.bodies:
            P = motion.masses(name)
            I = np.trace(P[:3, :3]) * np.eye(3) - P[:3, :3]
            moments = [I[i, j] for i, j in oracle.PAIRS]
            mine = [pi[f"{name}.{field}"] for field in fields]
            close(mine, [P[3, 3], *P[:3, 3], *moments])


@pytest.mark.parametrize("seed", range(3))
def test_base_parameters_reproduce_efforts(seed):
    model = trees.model(seed + 40, most=4, losses=False)
    base = hs.base_parameters(model, states=60, seed=seed)
    q, v, a = trees.states(model, seed, 5)
    Y = numbers(hs.regressor(model), q, v, a)
    pi = np.array(list(hs.inertial_parameters(model).values()))
    tau = oracle.Motion(model, q, v, a).efforts()
    kept = Y[:, :, list(base.columns)]
    close(kept @ (base.grouping @ pi), tau, Y * pi, gate=1e-9)
    assert base.names == tuple(np.array(list(hs.inertial_parameters(model)))[list(base.columns)])
    # each stands for itself, and none can be told from the others
    assert (base.grouping[:, list(base.columns)] == np.eye(len(base.columns))).all()
    assert np.linalg.matrix_rank(kept.reshape(-1, kept.shape[2])) <= len(base.columns)


def test_a_pendulum_has_three_base_parameters():
    arm = hs.Body("arm", 2.0, (0.4, 0.1, 0.3), (0.2, 0.3, 0.25, 0.01, 0.02, 0.03))
    model = hs.Model(arm, hs.Revolute("j", hs.WORLD, "arm", axis="y"))
    base = hs.base_parameters(model)
    assert set(base.names) == {"arm.I.yy", "arm.h.x", "arm.h.z"}
    still = hs.Model(arm, hs.Revolute("j", hs.WORLD, "arm", axis="y"), gravity=(0, 0, 0))
    assert hs.base_parameters(still).names == ("arm.I.yy",)
    fixed = hs.Model(arm, hs.Weld("j", hs.WORLD, "arm"))
    assert hs.base_parameters(fixed).names == ()
