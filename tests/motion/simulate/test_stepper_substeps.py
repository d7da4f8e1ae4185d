"""Substeps that a step chooses by itself, and inputs that go evenly from step to step."""

import pickle

import numpy as np
import pytest
from samples import sample

import hapsis as hs

pytestmark = pytest.mark.filterwarnings("ignore::hapsis.errors.Notice")


def ball(law, mass=0.02, friction=None, *facts):
    return hs.Model(
        hs.Body("ball", mass, inertia=(1e-3 * mass,) * 3),
        hs.Prismatic("z", hs.WORLD, "ball", axis="z"),
        hs.Contact("floor", ("ball", hs.Sphere(0.01)), hs.WORLD.plane("z"), law, friction),
        *facts,
    )


@pytest.mark.parametrize(("method", "part"), [("rk4", 0.9), ("euler", 0.2)])
def test_the_number_follows_from_the_stiffness(method, part):
    """A linear contact: ω = √(k / m), and h ω is at most the part that the method resolves."""
    for k in (1e2, 1e4, 1e6):
        model = ball(hs.Linear(k))
        step = hs.stepper(model, 1e-3, start={"z": 0.05}, substeps="auto", method=method)
        wanted = int(np.ceil(1e-3 * np.sqrt(k / 0.02) / part - 1e-6))
        assert step.options["substeps"] == max(1, wanted)
        assert f"{wanted} of" in step.notes[0] and 'contact "floor"' in step.notes[0]
        assert step.notes[0] in str(hs.explain(step))
        assert pickle.loads(pickle.dumps(step)).notes == step.notes


def test_deeper_and_harder_needs_more():
    """A stiffness that grows with the depth, damping, friction under load, stops, loops."""
    law = hs.HuntCrossley(1e7, damping=0.5)

    def count(model, depth=1e-4, start=None, **options):
        step = hs.stepper(model, 1e-3, start=start, substeps="auto", depth=depth, **options)
        return step.options["substeps"]

    depths = [count(ball(law), depth, {"z": 0.05}) for depth in (1e-5, 1e-4, 1e-3)]
    assert depths == sorted(depths) and depths[0] < depths[2]
    free = hs.Model(
        hs.Body("ball", 0.02, inertia=(2e-5,) * 3),
        hs.Free("j", hs.WORLD, "ball"),
        hs.Contact("floor", ("ball", hs.Sphere(0.01)), hs.WORLD.plane("z"), hs.Linear(1e4), 0.3),
    )
    slides = [count(free, depth, {"j.z": 0.03}) for depth in (1e-6, 1e-4, 1e-3)]
    assert slides[0] < slides[1] < slides[2]  # the friction of a larger normal force
    crank = hs.library.slider_crank()
    assert count(crank) == 1
    slider = "slider"
    stop = hs.Stop("stop", slider, 1e7, 10.0, high=float(hs.assemble(crank)[slider]) + 0.01)
    assert count(hs.Model(crank, stop)) > 3


@pytest.mark.parametrize("rate", [1000, 4000, 10_000])
def test_impacts_are_resolved(rate):
    """The rebound after a random impact, against a run whose steps adapt."""
    draw = np.random.default_rng(rate)
    for _ in range(sample(4, 60)):
        law = hs.HuntCrossley(10.0 ** draw.uniform(4, 8), 1.5, damping=draw.uniform(0.0, 0.6))
        if draw.random() < 0.4:
            law = hs.Felt(
                10.0 ** draw.uniform(6, 8), 2.5, draw.uniform(0.0, 0.8), 10.0 ** draw.uniform(-4, -2)
            )
        model, speed = ball(law, float(draw.uniform(0.005, 0.1))), float(draw.uniform(0.2, 2.0))
        start = {"z": 0.011, "z.v": -speed}
        result = hs.simulate(model, 0.1, start, every=1e-3)
        depth = max(1e-6, -float(hs.simulate(model, 0.02, start, every=2e-6)["floor.gap"].min()))
        step = hs.stepper(model, 1.0 / rate, start=start, substeps="auto", depth=depth)
        f = hs.compile(step)
        state = f()
        for _ in range(round(0.05 * rate) - 1):
            state = f(*state[: len(state)])
        there = np.interp(0.05, result.t, result["z.v"])
        assert abs(state.v[0] - there) < 0.01 * speed


def stepped(step, rows, count):
    """The states of a step called with a row of inputs each time."""
    f = hs.compile(step)
    size = len(step.outputs)
    state, states = None, []
    for k in range(count):
        row = {name: values[k] for name, values in rows.items()}
        known = {} if state is None else dict(zip((p.name for p in step.outputs[:size]), state, strict=True))
        names = {port.name for port in step.inputs}
        state = f(**{n: x for n, x in known.items() if n in names}, **row)
        states.append(state)
    return states


@pytest.mark.parametrize("substeps", [1, 3])
def test_efforts_go_evenly_from_step_to_step(substeps):
    """Against a run with a table of the same efforts, whose steps are the same: to rounding."""
    draw, dt = np.random.default_rng(5), 2e-3
    model = hs.Model(
        hs.Rod("upper", length=0.5, mass=1.0),
        hs.Rod("lower", length=0.4, mass=0.7),
        hs.Revolute("shoulder", hs.WORLD, "upper", axis="y", damping=0.1),
        hs.Revolute("elbow", "upper.end", "lower", axis="y"),
    )
    count = 100
    efforts = {name: draw.normal(size=count) for name in ("shoulder", "elbow")}
    step = hs.stepper(model, dt, inputs=list(efforts), hold="linear", substeps=substeps)
    assert [port.name for port in step.outputs] == ["q", "v", "z", "t"]
    last = stepped(step, efforts, count)[-1]
    times = dt * np.arange(count + 1)
    tables = {name: (times, np.append(0.0, values)) for name, values in efforts.items()}
    result = hs.simulate(model, count * dt, inputs=tables, method="rk4", step=dt / substeps)
    for k, name in enumerate(model.coordinates):
        assert last.q[k] == pytest.approx(result[name][-1], rel=1e-9)
    assert [*last.z] == [efforts[name][-1] for name in ("shoulder", "elbow")]
    held = stepped(hs.stepper(model, dt, inputs=list(efforts), substeps=substeps), efforts, count)[-1]
    assert abs(held.q[0] - last.q[0]) > 1e-7


@pytest.mark.parametrize("method", ["rk4", "euler"])
def test_accelerations_of_drives_go_evenly_too(method):
    """A motion with an even jerk is met exactly within the step: the drive feels m a on the way."""
    model = hs.Model(
        hs.Body("cart", 2.0, inertia=(1, 1, 1)),
        hs.Prismatic("x", hs.WORLD, "cart", axis="x"),
        hs.Prismatic("y", "cart", "load", axis="x"),
        hs.Body("load", 1.0, inertia=(1, 1, 1)),
        hs.JointSpring("s", "y", 400.0, 1.0),
        hs.Drive("hand", "x", position="input", acceleration="input"),
    )
    names = ["hand.position", "hand.velocity", "hand.acceleration"]
    dt, count = 5e-3, 40
    t = dt * np.arange(1, count + 1)
    rows = dict(zip(names, (t**3, 3 * t**2, 6 * t), strict=True))
    errors = []
    for hold in ("zero", "linear"):
        step = hs.stepper(
            model, dt, inputs=names, outputs=["hand.force"], hold=hold, method=method, substeps=4
        )
        state = stepped(step, rows, count)[-1]
        result = hs.simulate(model, t[-1], inputs={"hand.position": lambda t: t**3})
        errors.append(abs(state.q[1] - result["y"][-1]))
    assert errors[1] < 0.2 * errors[0] if method == "rk4" else errors[1] < errors[0] + 1e-6


def test_what_is_asked_wrongly_is_said():
    model = ball(hs.Linear(1e4))
    for options, text in (
        ({"substeps": "many"}, 'substeps is "many"'),
        ({"substeps": 1.5}, "substeps is 1.5"),
        ({"hold": "first"}, 'no hold "first"'),
        ({"depth": 0.0, "substeps": "auto"}, "depth is 0 m"),
    ):
        with pytest.raises(hs.Error, match=text):
            hs.stepper(model, 1e-3, start={"z": 0.05}, **options)
    with pytest.raises(hs.SolveError, match=r"would need .* substeps"):
        hs.stepper(ball(hs.Linear(1e13)), 1e-3, start={"z": 0.05}, substeps="auto")


def test_steps_without_them_are_as_before():
    """No state more, no operation more."""
    model = hs.library.slider_crank()
    plain, held = (hs.stepper(model, 1e-3, inputs=["crank"], **o) for o in ({}, {"hold": "zero"}))
    assert plain.cost() == held.cost() and not plain.notes
    assert [port.name for port in plain.outputs] == ["q", "v", "t"]


@pytest.mark.parametrize("power", [1.0, 1.5, 2.0, 2.5, 3.0])
def test_the_depth_follows_from_mass_and_speed(power):
    """Felts and balls, thrown or said to be fast: no depth is given, and the rebound is that of a run."""
    draw = np.random.default_rng(int(10 * power))
    for _ in range(sample(4, 40)):
        mass, speed = float(10.0 ** draw.uniform(-2.5, 0.0)), float(10.0 ** draw.uniform(-1.0, 1.0))
        deepest = float(10.0 ** draw.uniform(-3.5, -2.0))
        stiffness = 0.5 * mass * speed**2 * (power + 1.0) / deepest ** (power + 1.0)
        law = hs.HuntCrossley(stiffness, power, damping=0.0)
        if draw.random() < 0.5:
            law = hs.Felt(stiffness, power, draw.uniform(0.0, 0.6), 10.0 ** draw.uniform(-3, -2))
        model = ball(law, mass)
        start = {"z": 0.0101, "z.v": -speed}
        step = hs.stepper(model, 1e-3, start=start, substeps="auto")
        deep = float(step.notes[0].split(" ")[-2])
        assert deep >= max(1e-4, 0.99 * deepest) and deep < max(1.1e-4, 1.3 * deepest)
        f = hs.compile(step)
        state = f()
        for _ in range(99):
            state = f(*state[: len(state)])
        result = hs.simulate(model, 0.1, start, every=1e-3)
        # a linear law begins with a kink, which lies within a substep
        assert abs(state.v[0] - result["z.v"][-1]) < (0.03 if power == 1.0 else 0.01) * speed
        rest = hs.stepper(model, 1e-3, start={"z": 0.0101}, substeps="auto", speed=speed)
        assert rest.options["substeps"] == pytest.approx(step.options["substeps"], rel=0.05, abs=1)


def test_a_fall_counts_as_the_speed_at_its_end():
    """A ball dropped from a height, and one that is thrown with √(2 g h)."""
    law = hs.HuntCrossley(1e7, 2.5)
    height = 0.5
    dropped = hs.stepper(ball(law), 1e-3, start={"z": 0.01 + height}, substeps="auto")
    thrown = {"z": 0.0101, "z.v": -float(np.sqrt(2 * 9.81 * height))}
    other = hs.stepper(ball(law), 1e-3, start=thrown, substeps="auto")
    assert dropped.notes[0].split(" ")[-2] == other.notes[0].split(" ")[-2]
    with pytest.raises(hs.Error, match="speed is -1 m/s"):
        hs.stepper(ball(law), 1e-3, start={"z": 0.05}, speed=-1.0)


@pytest.mark.parametrize("power", [1.5, 2.5, 3.0])
def test_a_step_says_where_its_substeps_do_not_suffice(power):
    """The output "deepest": the depth over that where h √(F' / m) = 0.9; of a linear law there is none."""
    mass, count, deep = 0.02, 6, 3e-4
    stiffness = mass * (0.9 * count / 1e-3) ** 2 / (power * deep ** (power - 1.0))
    law = hs.HuntCrossley(stiffness, power, damping=0.0)
    outputs = ["deepest", "floor.gap.min"]
    step = hs.stepper(ball(law, mass), 1e-3, start={"z": 0.0101}, outputs=outputs, substeps=count)
    f = hs.compile(step)
    most = []
    for speed in (0.02, 5.0):
        state = f(v=[-speed])
        seen = []
        for _ in range(10):
            seen.append((float(state[-2]), float(state[-1])))
            state = f(*state[:-2])
        told, gaps = np.array(seen).T
        assert np.allclose(told, np.maximum(0.0, -gaps / deep), rtol=0.03)
        most.append(told.max())
    assert most[0] < 1.0 < most[1]
    start = {"z": 0.0101, "z.v": -5.0}
    enough = hs.compile(hs.stepper(ball(law, mass), 1e-3, start=start, outputs=outputs, substeps="auto"))
    state = enough()
    for _ in range(10):
        assert state.deepest <= 1.0
        state = enough(*state[:-2])
    linear = hs.stepper(ball(hs.Linear(1e3), mass), 1e-3, start=start, outputs=["deepest"])
    assert hs.compile(linear)(v=[-50.0]).deepest == 0.0
