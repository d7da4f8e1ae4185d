"""Controllers, events and laws that read by name, in motion: against the same written by coordinates."""

import pickle

import numpy as np
import pytest
from shared_models import four_bar, library

import hapsis as hs

METHODS = [{}, *({"method": m} for m in ("order8", "order5", "stiff"))]
METHODS += [{"method": m, "step": 1e-3} for m in ("rk4", "euler", "symplectic")]


def arm(*facts):
    return hs.Model(
        hs.Body("a", mass=1.0, com=(0, 0, -0.5), inertia=(0.1, 0.1, 0.01), frames={"end": (0, 0, -1)}),
        hs.Body("b", mass=0.7, com=(0, 0, -0.4), inertia=(0.1, 0.1, 0.01), frames={"tip": (0.1, 0, -0.8)}),
        hs.Revolute("j", hs.WORLD, "a", axis="y", damping=0.2),
        hs.Revolute("k", "a.end", "b", axis="y", damping=0.2),
        hs.Sensor("gyro", "imu", "b.tip"),
        *facts,
    )


def tip(s):
    """x, z, x velocity of the tip and its angular velocity, by coordinates."""
    both, w = s["j"] + s["k"], s["j.v"] + s["k.v"]
    x = -hs.sin(s["j"]) + 0.1 * hs.cos(both) - 0.8 * hs.sin(both)
    z = -hs.cos(s["j"]) - 0.1 * hs.sin(both) - 0.8 * hs.cos(both)
    vx = -hs.cos(s["j"]) * s["j.v"] - (0.1 * hs.sin(both) + 0.8 * hs.cos(both)) * w
    return x, z, vx, w


def by_name(s, gain=3.0):
    return {"j": -gain * s["b.tip.x"] - s["b.tip.vx"], "k": s["b.tip.z"] - 0.3 * s["gyro.wy"]}


def by_coordinates(s, gain=3.0):
    x, z, vx, w = tip(s)
    return {"j": -gain * x - vx, "k": z - 0.3 * w}


def both(**options):
    return [arm(hs.Controller("c", law, **options)) for law in (by_name, by_coordinates)]


START = {"j": 0.4, "k.v": 1.0}


@pytest.mark.parametrize("options", METHODS, ids=lambda o: o.get("method", "auto"))
def test_a_controller_that_reads_a_frame_is_the_one_written_by_coordinates(options):
    named, written = (hs.simulate(m, until=1.0, start=START, every=0.01, **options) for m in both())
    for name in ("j", "k", "k.v", "c.j", "energy", "work"):
        assert np.abs(named[name] - written[name]).max() < 1e-8 * (1 + np.abs(written[name]).max()), name
    limit = 1e-6 if options.get("method") not in ("euler", "symplectic") else 1e-2
    assert named.energy_drift < limit  # its work is counted


def test_a_sampled_controller_reads_the_same_names_as_numbers():
    math = {name: getattr(np, name) for name in ("sin", "cos")}

    def written(s):
        both, w = s["j"] + s["k"], s["j.v"] + s["k.v"]
        sin, cos = math["sin"], math["cos"]
        x = -sin(s["j"]) + 0.1 * cos(both) - 0.8 * sin(both)
        z = -cos(s["j"]) - 0.1 * sin(both) - 0.8 * cos(both)
        vx = -cos(s["j"]) * s["j.v"] - (0.1 * sin(both) + 0.8 * cos(both)) * w
        return {"j": -3.0 * x - vx, "k": z - 0.3 * w}

    one, two = (
        hs.simulate(arm(hs.Controller("c", law, rate=100, efforts=("j", "k"))), until=0.5, start=START)
        for law in (by_name, written)
    )
    assert np.abs(one["j"] - two["j"]).max() < 1e-9 and one["c.j"][0] != 0.0

    def wrong(s):
        return {"j": s["j.a"]}

    with pytest.raises(hs.ModelError, match=r'^controller "c": "j.a" is an acceleration'):
        hs.simulate(arm(hs.Controller("c", wrong, rate=100, efforts=("j",))), until=0.5)


@pytest.mark.parametrize("method", ["order8", "order5", "stiff"])
def test_an_event_at_a_frame_is_the_event_of_the_formula(method):
    model = arm()
    when = {
        "by name": lambda s: s["b.tip.z"] + 1.2,
        "by coordinates": lambda s: tip(s)[1] + 1.2,
        "turns": lambda s: s["gyro.wy"],
        "turns by coordinates": lambda s: tip(s)[3],
        "energy": lambda s: s["energy"] + 2.0,
        "sum": lambda s: s["kinetic"] + s["potential"] + 2.0,
    }
    result = hs.simulate(model, until=4.0, start={"j": 1.5}, events=when, method=method)
    times = {name: np.array([e.time for e in result.events if e.name == name]) for name in when}
    names = list(when)
    for one, two in zip(names[::2], names[1::2], strict=True):
        assert len(times[one]) >= 1 and times[one] == pytest.approx(times[two], abs=1e-9)
    with pytest.raises(hs.ModelError, match=r'"j.a" is an acceleration'):
        hs.simulate(model, until=0.1, events={"a": lambda s: s["j.a"]})


def four_bar_with(law, **more):
    damper = hs.JointSpring("brake", "A", stiffness=0.0, damping=0.05)
    return four_bar(damper, hs.Controller("c", law), **more)


def test_loops_read_frames_at_the_closed_pose():
    """A four-bar: the end of the coupler by name, and by the coordinates of the rocker beyond the cut."""

    def named(s):
        return {"A": -2.0 * s["coupler.end.x"] - 0.1 * s["coupler.end.vz"]}

    def written(s):
        end = 0.2 * hs.cos(s["A"]) + 0.5 * hs.cos(s["A"] + s["B"])  # along x where angles are zero
        rate = 0.2 * hs.cos(s["A"]) * s["A.v"] + 0.5 * hs.cos(s["A"] + s["B"]) * (s["A.v"] + s["B.v"])
        return {"A": -2.0 * end + 0.1 * rate}

    near = {"B": -0.9, "D": -1.9}
    one, two = (
        hs.simulate(
            four_bar_with(law),
            until=1.0,
            start={"A": 0.5},
            near=near,
            events={"low": lambda s: s["coupler.end.z"] - 0.3},
        )
        for law in (named, written)
    )
    assert one.success and np.abs(one["A"] - two["A"]).max() < 1e-8
    assert np.abs(one["coupler.end.x"] - one["rocker.end.x"]).max() < 1e-9
    assert one.energy_drift < 1e-6


def test_results_have_frames_and_sensors_by_the_names_that_laws_read():
    model = arm(hs.Sensor("place", "pose", "b.tip"), hs.Sensor("moves", "velocity", "b.tip"))
    result = hs.simulate(model, until=0.5, start=START, every=0.05)
    q = np.stack([result["j"], result["k"]], axis=1)
    v = np.stack([result["j.v"], result["k.v"]], axis=1)
    a = np.stack([result["j.a"], result["k.a"]], axis=1)
    p, R = hs.compile(hs.pose(model, "b.tip"))(q)
    V = hs.compile(hs.velocity(model, "b.tip"))(q, v)
    assert np.allclose(result["b.tip.position"], p, atol=1e-13)
    assert np.allclose(result["b.tip.R"], R, atol=1e-13) and np.allclose(
        result["b.tip.z"], p[:, 2], atol=1e-13
    )
    assert np.allclose(result["b.tip.speed"], np.linalg.norm(V[:, 3:], axis=1), atol=1e-13)
    assert np.allclose(result["place.p"], p, atol=1e-13) and np.allclose(result["moves"], V, atol=1e-13)
    measured = hs.compile(hs.measurements(model))(q, v, a)
    assert np.allclose(result["gyro"], measured.gyro, atol=1e-12)
    assert np.array_equal(result["gyro.ax"], result["gyro"][:, 3])
    assert {"place.p", "place.R", "moves", "gyro"} <= set(result.names)
    units = {"b.tip.x": "m", "b.tip.wy": "rad/s", "gyro.ax": "m/s²", "gyro.wx": "rad/s", "moves.vx": "m/s"}
    assert {name: result.unit(name) for name in units} == units
    assert "b.tip.x" in result and "b.tup.x" not in result
    many = hs.simulate(model, until=0.5, start={**START, "j": np.array([0.4, 0.5])}, every=0.05)
    assert np.allclose(many["b.tip.x"][0], result["b.tip.x"], atol=1e-9)


def test_the_same_in_steppers_linearizations_equilibria_and_exports():
    models = both()
    steps = [hs.compile(hs.stepper(m, 1e-3, start=START, outputs=["b.tip.x", "c.j"])) for m in models]
    one, two = (step() for step in steps)
    for x, y in zip(one, two, strict=True):
        assert np.allclose(x, y, rtol=0, atol=1e-12)
    rest = [hs.equilibrium(m, start={"j": 0.1}) for m in models]
    assert rest[0]["j"] == pytest.approx(rest[1]["j"], abs=1e-9)
    linear = [hs.linearize(m, x, outputs=["b.tip.x", "b.tip.vx"]) for m, x in zip(models, rest, strict=True)]
    assert np.allclose(linear[0].A, linear[1].A, atol=1e-7)
    assert np.allclose(linear[0].C[1], linear[0].C[0] @ linear[0].A, atol=1e-7)  # the rate of the first
    q, v, tau = [0.3, -0.2], [0.5, 1.0], [0.0, 0.0]
    texts = [hs.source(hs.forward_dynamics(m), "python") for m in models]
    spaces = [{}, {}]
    for text, space in zip(texts, spaces, strict=True):
        exec(text, space)
    known = [hs.compile(hs.forward_dynamics(m))(q, v, tau) for m in models]
    assert np.allclose(*known, atol=1e-11)
    followed = [
        hs.follow(m, {"j": lambda t: 0.2 * hs.sin(t), "k": lambda t: 0.1 * t}, until=1.0) for m in models
    ]
    assert np.allclose(followed[0]["j.effort"], followed[1]["j.effort"], atol=1e-10)
    assert np.allclose(followed[0]["b.tip.x"], followed[1]["b.tip.x"], atol=1e-13)


def test_what_is_kept_belongs_to_the_names_that_are_read():
    """The same law of another frame, of another sensor: nothing kept is taken for it."""

    def run(name):
        model = arm(hs.Controller("c", lambda s: {"j": s[name]}))
        return hs.simulate(model, until=0.3, start=START)["j"][-1]

    names = ["b.tip.x", "b.tip.z", "a.end.x", "gyro.wy", "b.tip.x", "b.tip.speed"]
    first = [run(name) for name in names]
    assert first == [run(name) for name in names] and len(set(first)) == len(names) - 1
    model = both()[0]
    copy = pickle.loads(pickle.dumps(model))
    one, two = (hs.simulate(m, until=0.3, start=START) for m in (model, copy))
    assert np.array_equal(one["j"], two["j"]) and copy == model


def test_a_law_that_reads_the_force_of_a_contact():
    """A ball on a spring-loaded table: the table gives way by the force that it feels."""
    law = hs.Linear(2e4, 30.0)

    def build(law_of_table):
        return hs.Model(
            hs.Body("ball", mass=1.0, inertia=(0.01, 0.01, 0.01), shapes=[hs.Sphere(0.1)]),
            hs.Prismatic("z", hs.WORLD, "ball", axis="z"),
            hs.Contact("floor", hs.Surface("ball"), hs.WORLD.plane("z"), law=law),
            law_of_table,
        )

    def formula(s):
        depth = 0.1 - s["z"]
        force = hs.where(depth > 0, hs.maximum(0.0, 2e4 * depth - 30.0 * s["z.v"]), 0.0)
        return {"z": 0.5 * force}

    named = build(hs.Controller("c", lambda s: {"z": 0.5 * s["floor.force"]}))
    pushed = build(hs.Controller("c", lambda s: {"z": 0.5 * s["floor.push"][2]}))
    one, two, three = (
        hs.simulate(m, until=0.6, start={"z": 0.3}, every=0.01)
        for m in (named, build(hs.Controller("c", formula)), pushed)
    )
    assert np.abs(one["z"] - two["z"]).max() < 1e-7 and np.abs(one["z"] - three["z"]).max() < 1e-9
    assert one["c.z"].max() > 10.0 and one.energy_drift < 1e-6


def test_models_without_what_a_law_reads_are_refused():
    model = arm(
        hs.Spring("rope", hs.WORLD, "b.tip", stiffness=1.0),
        hs.JointForce("f", "j", lambda q, v, s: s["rope.force"] + s["gyro.wy"]),
    )
    for name in ("rope", "gyro"):
        with pytest.raises(hs.ModelError, match='joint force "f" refers to it'):
            model.without(name)
    with pytest.raises(hs.ModelError, match="cannot get a prefix"):
        model.prefixed("left")


def test_the_library_reads_its_frames():
    """Every frame of every mechanism of the library, where it stands, by the pose of the body."""
    for name in ("slider_crank", "stewart", "governor"):
        model = getattr(library, name)()
        body = next(b for b in model.bodies.values() if b.frames)
        frame = f"{body.name}.{next(iter(body.frames))}"
        q = np.array([hs.assemble(model).q]) if model.cuts or model.constraints else np.array([model.zero])
        p, _ = hs.compile(hs.pose(model, frame))(q)
        from hapsis.mechanics.formalisms.tree.frame_signals import frame_signal

        x = hs.compile(frame_signal(model, f"{frame}.position"))(q, np.zeros((1, len(model.speeds))))
        assert np.allclose(x, p, atol=1e-12)
