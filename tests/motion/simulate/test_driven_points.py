"""Drives of points: a point goes where the drive says, with the force that a slide along the axis needs."""

import pickle
import re

import numpy as np
import pytest
from samples import sample

import hapsis as hs
from hapsis.errors import ModelError
from hapsis.mechanics.drawing.drawing import drawing

WAY = "0.004 * (1 - cos(20 * t)) - 0.001 * t"


def way(t):
    return 0.004 * (1.0 - np.cos(20.0 * t)) - 0.001 * t


def key(*facts, **settings):
    """The key of a piano: its finger is 225 mm before the balance, and goes down with larger angles."""
    return hs.Model(
        hs.Body(
            "key",
            mass=0.115,
            com=(-0.0306, 0.008, 0.0),
            inertia=(1e-4, 2.135e-3, 2.135e-3),
            frames={"finger": (-0.225, 0.0, 0.0), "high": (-0.2, 0.03, 0.01), "end": (0.2, 0.0, 0.0)},
        ),
        hs.Revolute("key", hs.WORLD, "key", axis="z", damping=2e-3),
        hs.JointSpring("back", "key", stiffness=1.5),
        *facts,
        gravity=(0.0, -9.81, 0.0),
        **settings,
    )


def hammer():
    """What the key carries and moves freely."""
    return [hs.Rod("hammer", length=0.1, mass=0.02), hs.Revolute("hammer", "key.end", "hammer", axis="z")]


def slide(at, point="key.finger"):
    """The same drive by other means: a massless plate that slides along -y, on which the point stays."""
    return [
        hs.Body("plate"),
        hs.Prismatic("down", hs.WORLD.at(*at), "plate", axis="-y"),
        hs.OnSurface("touch", point, "plate", surface=lambda x, y, z: y),
        hs.Drive("slide", "down", position=WAY),
    ]


def test_the_key_of_a_piano():
    """x = 225 mm sin θ, downwards; F = τ / (225 mm cos θ)."""
    model = key(*hammer(), hs.Drive("key", point="key.finger", along="-y", position=WAY))
    result = hs.simulate(model, until=0.4)
    x, angle = way(result.t), np.arcsin(way(result.t) / 0.225)
    assert np.abs(result["key"] - angle).max() < 1e-15
    assert np.abs(-result["key.finger.y"] - x).max() < 1e-15
    turned = key(*hammer(), hs.Drive("motor", "key", position=lambda t: hs.asin(WAY_OF(t) / 0.225)))
    other = hs.simulate(turned, until=0.4)
    force = other["motor.effort"] / (0.225 * np.cos(angle))
    assert np.abs(result["key.effort"] - force).max() < 1e-9
    assert result.unit("key.effort") == "N" and result.energy_drift < 1e-6


def WAY_OF(t):
    return 0.004 * (1.0 - hs.cos(20.0 * t)) - 0.001 * t


@pytest.mark.parametrize("point, at", [("finger", (-0.225, 0.0, 0.0)), ("high", (-0.2, 0.03, 0.01))])
def test_as_a_slide_on_which_the_point_stays(point, at):
    """By a constraint and a driven slide instead: the same motion, the same force in N."""
    led = key(*hammer(), hs.Drive("hand", point=f"key.{point}", along="-y", position=WAY))
    by_rows = key(*hammer(), *slide(at, f"key.{point}"))
    one, other = (hs.simulate(m, until=0.3, tolerance=1e-9) for m in (led, by_rows))
    for name in ("key", "key.v", "hammer", "hammer.v"):
        assert np.abs(one[name] - other[name]).max() < 1e-6 * max(1.0, np.abs(one[name]).max())
    assert np.abs(one["hand.effort"] - other["slide.effort"]).max() < 1e-5 * np.abs(one["hand.effort"]).max()


@pytest.mark.parametrize("point, at", [("finger", (-0.225, 0.0, 0.0)), ("high", (-0.2, 0.03, 0.01))])
def test_the_hand_is_at_the_point(point, at):
    """Bearings carry what they carry if the force acts at the point: no torque about the axis."""
    led = key(*hammer(), hs.Drive("hand", point=f"key.{point}", along="-y", position=WAY))
    by_rows = key(*hammer(), *slide(at, f"key.{point}"))
    one, other = (hs.simulate(m, until=0.3, tolerance=1e-9) for m in (led, by_rows))
    for name in ("key.reaction", "hammer.reaction"):
        assert np.abs(one[name] - other[name]).max() < 1e-4 * np.abs(other[name]).max()
    bearing = 1.5 * one["key"] + 2e-3 * one["key.v"]  # spring and damper act on the joint
    assert np.abs(one["key.reaction"][:, 2] + bearing).max() < 1e-9
    small = hs.linearize(led, outputs=["key.reaction"])
    assert np.isfinite(small.C).all()


def test_several_joints_by_a_slide():
    """Where two joints move the point the drive is refused, and a slide does it."""
    arm = [
        hs.Rod("upper", length=0.3, mass=0.5),
        hs.Rod("lower", length=0.3, mass=0.4),
        hs.Revolute("shoulder", hs.WORLD, "upper", axis="z", damping=0.02),
        hs.Revolute("elbow", "upper.end", "lower", axis="z", damping=0.02),
    ]
    with pytest.raises(ModelError, match=r'drives the point "lower.end", which 2 coordinates move: .*slide'):
        hs.Model(arm, hs.Drive("hand", point="lower.end", along="-y", position=0.0))
    led = hs.Model(
        arm,
        hs.Body("plate"),
        hs.Prismatic("down", hs.WORLD, "plate", axis="-y"),
        hs.OnSurface("touch", "lower.end", "plate", surface=lambda x, y, z: y),
        hs.Drive("hand", "down", position="0.1 + 0.05 * sin(5 * t)"),
        gravity=(0.0, -9.81, 0.0),
        poses={"start": {"shoulder": -0.4, "elbow": 0.2}},
    )
    result = hs.simulate(led, until=0.5)
    assert np.abs(-result["lower.end.y"] - 0.1 - 0.05 * np.sin(5.0 * result.t)).max() < 1e-9


def drawn(seed):
    """A random hinge or slide, either way round, on a turning base or the world, and a random axis."""
    rng = np.random.default_rng(seed)

    def unit():
        n = rng.normal(size=3)
        return tuple(n / np.linalg.norm(n))

    def place():
        return hs.Frame(tuple(rng.uniform(-0.3, 0.3, 3)), tuple(rng.uniform(-1, 1, 3)))

    point = tuple(rng.uniform(-0.3, 0.3, 3))
    ends = [("base", place()), ("tool", place())]
    make = hs.Prismatic if seed % 3 == 2 else hs.Revolute
    first, second = ends[:: 1 if seed % 2 else -1]
    facts = [
        hs.Body("base", mass=2.0, inertia=(0.1, 0.2, 0.15)),
        hs.Body("tool", mass=1.0, com=(0.1, 0.0, 0.05), inertia=(0.03, 0.02, 0.04), frames={"tip": point}),
        hs.Revolute("turn", hs.WORLD, "base", axis=unit(), damping=0.1),
        make("lead", first, second, axis=unit(), damping=0.1),
    ]
    facts += [hs.Drive("lock", "turn", position=0.2)] if seed % 4 < 2 else []
    return facts, unit(), ("base", place())


@pytest.mark.filterwarnings("ignore:the simulation did not succeed")  # where the point is at its reach
@pytest.mark.parametrize("seed", range(sample(24, 400)))
def test_the_point_goes_where_the_drive_says(seed):
    """Random joints, frames and axes: the way is that of the tree's own kinematics, the power balances."""
    facts, along, frame = drawn(seed)
    drive = hs.Drive("hand", point="tool.tip", along=along, frame=frame, position="0.003 * sin(9 * t)")
    try:
        model = hs.Model(facts, drive)
        result = hs.simulate(model, until=0.2, every=1e-3, tolerance=1e-10, watchdog=False)
    except ModelError as error:  # the point hardly moves along that axis
        assert "does not move along that axis" in str(error) or "reach" in str(error)
        return
    if result.status != "done":
        return
    rows, q = hs.compile(relative(model, frame)), np.stack([result[n] for n in model.coordinates], axis=1)
    places, zero = rows(np.ascontiguousarray(q)), np.array(rows(np.zeros(len(model.coordinates))))
    assert np.abs((places - zero) @ np.array(along) - 0.003 * np.sin(9.0 * result.t)).max() < 1e-12
    # the work of its force, less what dampers take, is the change of energy
    loss = 0.1 * (result["turn.v"] ** 2 + result["lead.v"] ** 2)
    power = result["hand.effort"] * 0.027 * np.cos(9.0 * result.t) - loss
    done = np.concatenate([[0.0], np.cumsum(0.5 * (power[1:] + power[:-1])) * 1e-3])
    change = result["energy"] - result["energy"][0]
    assert np.abs(done - change).max() < 1e-4 * max(np.abs(change).max(), 0.2 * np.abs(power).max())


def relative(model, frame):
    """(q) -> the place of the tip in the axes of the frame, by the tree's own kinematics."""
    from hapsis.compiler.ir.functions.function import Function
    from hapsis.mechanics.formalisms.tree.posed_tree import posed_tree
    from hapsis.mechanics.formalisms.tree.relative_kinematics import Path

    tree = posed_tree(model)
    of, seen = tree.placed("tool.tip"), tree.placed(hs.End(*frame), "seen")
    return Function("place", {"q": tree.q}, {"p": list(Path(tree, of, seen).origin())})


@pytest.mark.parametrize("method", ["rk4", "euler"])
@pytest.mark.parametrize("point", ["finger", "high"])
@pytest.mark.parametrize("way_of", ["tracked", "sampled", "all"])
def test_steps_lead_the_point(way_of, point, method):
    """In a step too, with all kinds of inputs; a massless key is not felt, an even way of a slide neither."""
    given = {"tracked": {"tracking": 400.0}, "sampled": {"velocity": "input"}, "all": {}}[way_of]
    drive = hs.Drive("key", point=f"key.{point}", along="-y", position="input", **given)
    model = key(*hammer(), drive)
    f = hs.stepper(
        model, 1e-4, inputs=drive.inputs, outputs=["key.force", "key.effort", f"key.{point}.y"], method=method
    )
    step, state = hs.compile(f), {port.name: port.stand_in for port in f.inputs}
    t = np.arange(1, 1001) * 1e-4
    levels = way(t), 0.08 * np.sin(20.0 * t) - 0.001, 1.6 * np.cos(20.0 * t)
    if way_of == "sampled":
        state["z"] = np.array([0.0, -0.001])
    rows = []
    for row in zip(*levels, strict=True):
        made = step(**state | dict(zip(drive.inputs, row, strict=False)))
        told = dict(zip([p.name for p in f.outputs], made, strict=True))
        state |= {n: x for n, x in told.items() if n in state}
        rows.append([float(told[n]) for n in ("key.force", "key.effort", f"key.{point}.y")])
    force, effort, y = np.array(rows).T
    assert np.array_equal(force, -effort)
    late = 2.0 / 400.0 if way_of == "tracked" else 0.0
    zero = 0.03 if point == "high" else 0.0
    close = 4e-4 if way_of == "tracked" else 1e-13
    some = t > 0.06
    assert np.abs(zero - y - way(t - late))[some].max() < close
    by_time = hs.Drive("key", point=f"key.{point}", along="-y", position=WAY)
    wanted = hs.simulate(key(*hammer(), by_time), until=0.1, every=1e-4)["key.effort"][1:]
    if way_of != "tracked":
        small = 0.02 if method == "rk4" else 0.05
        assert np.abs(effort - wanted).max() < small * np.abs(wanted - wanted.mean()).max()


def test_it_starts_where_it_is():
    """The way of the start is the default of the input, the state of the filter and the first position."""
    for given in ({"tracking": 100.0}, {"velocity": "input"}):
        model = key(hs.Drive("key", point="key.high", along="-y", position="input", **given))
        inputs = model.drives["key"].inputs
        f = hs.stepper(model, 1e-3, inputs=inputs, outputs=["key.high.y"], start={"key": 0.02})
        there = 0.03 - (0.03 * np.cos(0.02) - 0.2 * np.sin(0.02))
        assert float(f.defaults["key.position"]) == pytest.approx(there, abs=1e-15)
        assert hs.compile(f)()[-1] == pytest.approx(0.03 - there, abs=1e-12)
    model = key(hs.Drive("key", point="key.high", along="-y", position="input", tracking=100.0))
    result = hs.simulate(model, until=0.01, start={"key.tracked": there}, inputs={"key.position": there})
    assert np.abs(result["key"] - 0.02).max() < 1e-12


@pytest.mark.parametrize("given", [{"tracking": 100.0}, {"velocity": "input"}, {}])
def test_equilibrium_with_the_input_of_the_start(given):
    """All kinds of drives stand at the position that is given, and a run from there stays there."""
    for place in ({"point": "key.high", "along": "-y"}, {"joint": "key"}):
        model = key(*hammer(), hs.Drive("hand", position="input", **place, **given))
        state = hs.equilibrium(model, inputs={"hand.position": 0.006})
        angle = dict(zip(state.coordinates, state.q, strict=True))["key"]
        held = hs.equilibrium(key(*hammer()), start={"key": angle}, held=["key"])
        arm = 1.0 if "joint" in place else 0.2 * np.cos(angle) + 0.03 * np.sin(angle)
        wanted = held.report.efforts["key held.effort"] / arm
        assert state.report.efforts["hand.effort"] == pytest.approx(wanted, rel=1e-9)
        if "joint" in place:
            assert angle == pytest.approx(0.006, abs=1e-15)
        else:
            assert 0.2 * np.sin(angle) - 0.03 * (np.cos(angle) - 1.0) == pytest.approx(0.006, abs=1e-15)
        result = hs.simulate(model, until=0.1, start=state, inputs={"hand.position": 0.006})
        assert max(np.ptp(result["key"]), np.ptp(result["hammer"])) < 1e-9
        small = hs.linearize(model, state, inputs=["hand.position"], outputs=["hand.effort"])
        assert np.isfinite(small.D).all()


def test_other_numbers_of_the_model():
    """Parameters change where the point is, at the start too."""
    drive = hs.Drive("key", point=("key", ("-l", 0.0, 0.0)), along="-y", position="0.005 * cos(9 * t)")
    model = key(drive, parameters={"l": 0.225})
    for length in (0.225, 0.1):
        state = hs.equilibrium(model, parameters={"l": length})
        assert state.q[0] == pytest.approx(np.arcsin(0.005 / length), abs=1e-15)
        run = hs.simulate(model, until=0.1, parameters={"l": length})
        assert np.abs(run["key"] - np.arcsin(0.005 * np.cos(9.0 * run.t) / length)).max() < 1e-15


def test_it_is_a_fact_like_others(tmp_path):
    drive = hs.Drive("key", point="key.finger", along=(0, -1, 0), position="input", tracking=100.0)
    model = key(drive)
    hs.save(model, tmp_path / "m.yaml")
    for copy in (hs.load(tmp_path / "m.yaml"), pickle.loads(pickle.dumps(model))):
        assert copy.drives["key"] == model.drives["key"] and copy.joints["key"] == model.joints["key"]
    part = hs.Model(model.prefixed("left", on=hs.WORLD.at(0.1, 0.2, 0.0, rpy=(0.0, 0.0, 0.3))))
    one, other = (
        hs.simulate(m, until=0.1, inputs={f"{n}.position": 0.003})
        for m, n in (
            (model, "key"),
            (part.replace(gravity=(9.81 * np.sin(0.3), -9.81 * np.cos(0.3), 0)), "left.key"),
        )
    )
    assert np.abs(one["key"] - other["left.key"]).max() < 1e-12
    assert np.abs(one["key.effort"] - other["left.key.effort"]).max() < 1e-9
    with pytest.raises(ModelError, match='drive "key": URDF cannot hold a Drive'):
        hs.save(hs.Model(hs.Rod("key", 0.2, 0.1), hs.Revolute("key", hs.WORLD, "key"), hs.Drive(
            "key", point="key.end", along="y", position=0.0)), tmp_path / "m.urdf")  # fmt: skip


def test_it_is_drawn_without_a_motor():
    plain, led = (
        str(drawing(key(*facts)))
        for facts in ((), (hs.Drive("key", point="key.finger", along="-y", position="input", tracking=9.0),))
    )
    by_motor = str(drawing(key(hs.Drive("key", "key", position="input", tracking=9.0))))
    assert plain == led and "motor" in by_motor and "motor" not in led


def test_a_tree_stays_a_tree():
    """No row: the coordinate is imposed in closed form."""
    model = key(*hammer(), hs.Drive("key", point="key.finger", along="-y", position=WAY))
    assert not hs.partition(model).rows
    by_rows = key(*hammer(), *slide((-0.225, 0.0, 0.0)))
    steps = [hs.stepper(m, 1e-3, outputs=[f"{n}.effort"]) for m, n in ((model, "key"), (by_rows, "slide"))]
    led, rows = (step.cost().flops for step in steps)
    assert 2 * led < rows


WRONG = [
    ({"point": "key.finger", "along": "z"}, '"key" does not move along that axis'),
    ({"point": "key", "along": "y"}, '"key" does not move along that axis'),
    ({"point": "key.finger"}, "along no axis"),
    ({"along": "y"}, "it drives a joint by name, not None; name a joint, or give point and along"),
    ({"joint": "key", "along": "y"}, "which has no along"),
    ({"joint": "key", "point": "key.finger", "along": "y"}, "a joint and a point"),
    ({"point": "key.thumb", "along": "y"}, 'frame "thumb" of body "key"'),
    ({"point": "key.finger", "along": "up"}, 'not "up"'),
    ({"point": "key.finger", "along": "y", "frame": "key"}, "to itself|does not move against"),
]


@pytest.mark.parametrize("given, words", WRONG, ids=[str(k) for k in range(len(WRONG))])
def test_what_is_wrong_is_said(given, words):
    with pytest.raises(ModelError, match=words):
        key(hs.Drive("hand", position=0.0, **given))


def test_more_that_is_wrong_is_said():
    with pytest.raises(ModelError, match="a point is driven by its position"):
        hs.Drive("hand", point="key.finger", along="y", velocity=1.0)
    with pytest.raises(ModelError, match='both drive "key"'):
        key(hs.Drive("a", "key", position=0.0), hs.Drive("b", point="key.finger", along="y", position=0.0))
    with pytest.raises(ModelError, match="beyond the reach of its point"):
        hs.simulate(key(hs.Drive("a", point="key.finger", along="y", position=0.3)), until=0.1)
    with pytest.raises(ModelError, match='a joint and a drive are both called "hammer"'):
        key(*hammer(), hs.Drive("hammer", point="key.finger", along="y", position=0.0))
    screw = [hs.Body("nut", mass=1.0, inertia=(1, 1, 1)), hs.Helical("screw", hs.WORLD, "nut", pitch=0.01)]
    with pytest.raises(ModelError, match="expected a hinge or a slide"):
        hs.Model(screw, hs.Drive("a", point="nut", along="z", position=0.0))


@pytest.mark.filterwarnings("ignore:the simulation did not succeed")
@pytest.mark.parametrize("given", ["function", "samples", "tracked"])
@pytest.mark.parametrize("seed", range(sample(3, 30)))
def test_a_point_that_leaves_its_reach_is_named(seed, given):
    """The end of the reach is that of the circle of the point, whatever its place and the axis."""
    rng = np.random.default_rng(seed)
    at, angle, speed = rng.uniform(-0.3, 0.3, 2), rng.uniform(0.0, 6.0), float(rng.choice((-0.9, 0.9)))
    along = np.array([np.cos(angle), np.sin(angle)])
    levels = {"function": f"{speed!r} * t", "samples": "input", "tracked": "input"}
    more = {"samples": {"velocity": "input"}, "tracked": {"tracking": 300.0}}.get(given, {})
    drive = hs.Drive("hand", point=("key", (*at, 0.01)), along=(*along, 0.0), position=levels[given], **more)
    table = {"hand.position": ([0.0, 1.0], [0.0, speed]), "hand.velocity": ([0.0, 1.0], [speed, speed])}
    inputs = {name: table[name] for name in drive.inputs}
    result = hs.simulate(key(drive), until=1.0, inputs=inputs, progress=False)
    low, high = np.array([-1.0, 1.0]) * np.hypot(*at) - at @ along
    end = high if speed > 0.0 else low
    assert not result.success and "step too small" not in result.message
    words = r't = .*: drive "hand" leads the point "key" to (.*) m and on at (.*) m/s, .* from (.*) to (.*) m'
    found = re.fullmatch(words, result.message)
    assert found, result.message
    assert np.allclose([float(x) for x in found.groups()], [end, speed, low, high], rtol=0.02, atol=1e-6)
    assert float(found[1]) == pytest.approx(end, abs=2e-6)
