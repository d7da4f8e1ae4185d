"""The step of a scene for loops: what hands feel, the account of energy and momentum, the bound of a tick."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import hapsis as hs
from hapsis.motion.particles.scenes.scene_memory import scene_memory
from hapsis.motion.solvers.particles.energy_step import begin

P = hs.particles
TOOL = tuple(f"tool.{c}.position" for c in "xyz")
FELT = tuple(f"tool.{c}.force" for c in "xyz")
ACCOUNT = ("energy", "dissipated", "work", "created", "steps", "behind")


def cube(**more):
    options = {"mass": 0.5, "stiffness": 2000, "damping": 5} | more
    return P.solid("cube", hs.shapes.box(0.1, 0.1, 0.1), **options)


def path(step, places):
    """The ends of steps along places of the tool."""
    x = v = t = None
    ends = []
    for place in places:
        end = step(x, v, t, **dict(zip(TOOL, place, strict=True)))
        x, v, t = end.x, end.v, end.t
        ends.append(end)
    return ends


@settings(max_examples=8, deadline=None)
@given(st.integers(0, 2**31))
def test_work_of_the_hand_is_force_times_way_and_momentum_is_its_impulse(seed):
    rng = np.random.default_rng(seed)
    probe = P.Probe(
        "tool", radius=0.02, stiffness=rng.uniform(100, 3000), damping=rng.uniform(0, 3), friction=0.4
    )
    dt = 1e-3
    scene = P.Scene(cube(damping=rng.uniform(0, 5)), probe, gravity=(0, 0, 0))
    step = hs.stepper(scene, dt, inputs=TOOL, outputs=(*FELT, *ACCOUNT), substeps=1000)
    phase, height = rng.uniform(0, 6, 2), rng.uniform(0.06, 0.069)
    turns = np.arange(60) * 0.02
    waves = (0.01 * np.sin(turns + phase[0]), 0.01 * np.sin(turns + phase[1]), height - 0.03 * turns * 0.2)
    ends = path(step, np.stack(waves, 1))
    assert ends[-1].outputs["behind"] == 0.0
    forces = np.array([[end.outputs[name] for name in FELT] for end in ends])
    assert np.abs(forces).max() > 0.05
    ways = np.diff(np.stack(waves, 1), axis=0)
    work = -np.sum(forces[1:] * ways)
    assert ends[-1].outputs["work"] - ends[0].outputs["work"] == pytest.approx(work, rel=1e-9, abs=1e-14)
    momentum = scene.masses @ ends[-1].v
    np.testing.assert_allclose(momentum, -dt * forces.sum(0), rtol=1e-9, atol=1e-12)
    created = sum(end.outputs["created"] for end in ends)
    first, last = ({name: end.outputs[name] for name in ACCOUNT} for end in (ends[0], ends[-1]))
    balance = sum(s * (last[n] - first[n]) for n, s in (("energy", 1), ("dissipated", 1), ("work", -1)))
    assert balance == pytest.approx(created - ends[0].outputs["created"], abs=1e-12)
    moved = max(abs(last["work"]), last["energy"])
    assert abs(created) < 0.01 * moved


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 2**31))
def test_the_force_of_a_probe_is_the_slope_of_its_energy(seed):
    rng = np.random.default_rng(seed)
    solid = cube()
    points = solid.points + rng.normal(0, 0.004, solid.points.shape)
    body = P.ParticleObject("cube", points, solid.masses, facets=solid.facets)
    at = rng.uniform(-0.08, 0.08, 3)
    probe = P.Probe("tool", radius=0.03, stiffness=500, at=at)
    memory = scene_memory(P.Scene(body, probe, gravity=(0, 0, 0)), [0.0])
    begin(memory)
    force, felt = np.array(memory.force), np.array(memory.hands.next_force[:3])

    def energy(shift):
        memory.x[:] = points.ravel() + shift
        begin(memory)
        return float(memory.potential)

    way = rng.normal(size=points.size)
    h = 1e-7
    slope = (energy(h * way) - energy(-h * way)) / (2 * h)
    assert slope == pytest.approx(-force @ way, rel=1e-4, abs=1e-6)
    np.testing.assert_allclose(felt, -force.reshape(-1, 3).sum(0), atol=1e-12)


def test_a_probe_in_the_middle_of_a_closed_surface_is_inside_and_of_an_open_one_is_not():
    solid = cube()
    for facets, touched in ((solid.facets, True), (solid.facets[2:], False)):
        body = P.ParticleObject("cube", solid.points, solid.masses, facets=facets)
        probe = P.Probe("tool", radius=0.01, stiffness=500, at=(0.001, 0.002, 0.03))
        scene = P.Scene(body, probe, gravity=(0, 0, 0))
        end = hs.stepper(scene, 1e-5, outputs=["tool.depth", "tool.z.force"])()
        # the nearest face is the upper one, 0.02 away
        assert (end.outputs["tool.depth"] > 0) == touched
        if touched:
            assert end.outputs["tool.depth"] == pytest.approx(0.03, rel=1e-3)
            assert end.outputs["tool.z.force"] == pytest.approx(500 * 0.03, rel=1e-3)


def test_what_the_bound_leaves_undone_is_told():
    stiff = P.Scene(cube(stiffness=2e6), P.Probe("tool", radius=0.01, stiffness=100, at=(1, 1, 1)))
    step = hs.stepper(stiff, 1e-3, inputs=TOOL, outputs=("behind", "steps"), substeps=3)
    ends = path(step, [(1, 1, 1)] * 20)
    assert ends[-1].outputs["behind"] > 1e-3
    assert ends[-1].t + ends[-1].outputs["behind"] == pytest.approx(20e-3, rel=1e-12)
    assert all(end.outputs["steps"] <= 3 for end in ends)
    enough = hs.stepper(stiff, 1e-3, inputs=TOOL, outputs=("behind",), substeps=1000)
    assert path(enough, [(1, 1, 1)] * 3)[-1].outputs["behind"] == 0.0


def test_without_hands_steps_follow_the_run():
    scene = P.Scene(cube().at(0, 0, 0.06), P.Floor(stiffness=5000, damping=2, friction=0.3))
    step = hs.stepper(scene, 1e-3, outputs=["cube.z", "cube.vz"])
    x = v = t = None
    for _ in range(100):
        end = step(x, v, t)
        x, v, t = end.x, end.v, end.t
    result = hs.simulate(scene, until=0.1)
    assert end.outputs["cube.z"] == pytest.approx(result["cube.z"][-1], abs=2e-6)
    step.reset()
    again = step()
    first = hs.stepper(scene, 1e-3, outputs=["cube.z", "cube.vz"])()
    assert np.array_equal(again.x, first.x)


def test_a_grab_holds_its_particle_at_its_place():
    scene = P.Scene(cube(), P.Grab("hand", 400, 4, particle="cube.7"), gravity=(0, 0, 0))
    names = [f"hand.{c}.position" for c in "xyz"]
    step = hs.stepper(scene, 1e-3, inputs=names, outputs=["hand.x.force", "cube.x"])
    x = v = t = None
    for k in range(3000):
        place = [0.05 + 0.1 * min(1.0, k / 500), 0.05, 0.05]
        end = step(x, v, t, **dict(zip(names, place, strict=True)))
        x, v, t = end.x, end.v, end.t
    np.testing.assert_allclose(end.x[7], [0.15, 0.05, 0.05], atol=1e-3)
    assert end.outputs["hand.x.force"] == pytest.approx(0.0, abs=0.1)


def test_a_loop_gives_what_calls_give():
    probe = P.Probe("tool", radius=0.02, stiffness=500, damping=1, friction=0.3)
    scene = P.Scene(cube(), probe, gravity=(0, 0, 0))
    tick = hs.stepper(scene, 1e-3, inputs=TOOL, outputs=FELT)
    hand = hs.haptics.SimulatedHand(
        aim=[0.0, 0.0, 0.06], mass=0.05, damping=2.0, stiffness=300.0, axes=["x", "y", "z"]
    )
    loop = hs.realtime.Loop(tick, rate=1000, paced=False, guard={"passive": False, "slew": 1e6})
    report = loop.connect(hand).run(0.1).report()
    assert report.ticks == 100 and np.ptp(report["tool.z.force"]) > 0.1
    places = np.stack([report[name] for name in TOOL], 1)
    tick.reset()
    ends = path(tick, places)
    for name in FELT:
        assert [end.outputs[name] for end in ends] == list(report[name])


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"inputs": ["tol.x.position"]}, 'no "tol.x.position" \\(did you mean "tool.x.position"'),
        ({"outputs": ["tool.fw"]}, 'no "tool.fw"'),
        ({"start": {"x": 1}}, "begins where its objects are"),
        ({"method": "euler"}, "no step of particles"),
        ({"hold": "linear"}, "leave out hold"),
    ],
)
def test_errors(options, words):
    scene = P.Scene(cube(), P.Probe("tool", radius=0.02, stiffness=500))
    with pytest.raises(hs.Error, match=words):
        hs.stepper(scene, 1e-3, **options)


def test_impossible_hands():
    with pytest.raises(hs.Error, match="radius is 0"):
        P.Probe("tool", radius=0, stiffness=1)
    with pytest.raises(hs.Error, match="holds no particle"):
        P.Grab("hand", 1.0)
    with pytest.raises(hs.Error, match="no number 99"):
        P.Scene(cube(), P.Grab("hand", 1.0, particle="cube.99"))
    with pytest.raises(hs.Error, match="below the kinetic one"):
        P.Probe("tool", radius=1, stiffness=1, friction=0.5, static=0.1)


def test_inputs_that_cannot_be_are_named():
    with pytest.raises(hs.Error, match=r'takes no "tool.x.position": it has no hand.*add a Probe or a Grab'):
        hs.stepper(P.Scene(cube()), 1e-3, inputs=TOOL)
    scene = P.Scene(cube(), P.Probe("tool", radius=0.01, stiffness=100))
    with pytest.raises(hs.Error, match=r'takes no "tool.x"'):
        hs.stepper(scene, 1e-3, inputs=["tool.x"])
    step = hs.stepper(scene, 1e-3, inputs=TOOL)
    for value in ("a", float("nan"), True):
        with pytest.raises(hs.Error, match=r"tool\.x\.position must be"):
            step(**{TOOL[0]: value})
    assert step.failures == 0


def test_a_material_that_is_not_known_lists_those_that_are():
    with pytest.raises(hs.Error, match=r'no material "jelly".*gelatine'):
        P.solid("cube", hs.shapes.box(0.1, 0.1, 0.1), material="jelly")


def test_forces_that_a_tick_takes_over_are_those_of_the_state():
    """Without dampers and friction, forces depend on places alone: a step that computes them again and one
    that goes on move alike, also where pushes, gravity, springs and the hand change in between."""
    probe = P.Probe("tool", radius=0.02, stiffness=500, at=(0, 0, 0.07))
    scene = P.Scene(cube(damping=0), probe, P.Floor(3000, at=(0, 0, -0.055)))
    steps = [hs.stepper(scene, 1e-3, inputs=TOOL, outputs=("energy", "work", "created")) for _ in range(2)]
    states = [(None, None, None), (None, None, None)]
    account = []
    for k in range(60):
        for n, step in enumerate(steps):
            if n == 1:
                step.tick.known = False
            if k == 20:
                step.memory.push[:3], step.memory.gravity[2] = (0.5, 0, 0), -3.0
            if k == 40:
                step.memory.gain[0] = 2.0
            end = step(*states[n], **{TOOL[2]: 0.07 - 4e-4 * k})
            states[n] = end.x, end.v, end.t
        if k > 40:
            account.append([end.outputs[name] for name in ("energy", "work", "created")])
    for a, b in zip(*states, strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-9, atol=1e-12)
    energy, work, created = np.array(account).T
    assert np.ptp(work) > 1e-3
    np.testing.assert_allclose(np.diff(energy), np.diff(work) + created[1:], atol=1e-12)


def test_a_state_from_elsewhere_has_forces_of_its_own():
    scene = P.Scene(cube().moving((0, 0, 0), (1, 2, 3)), P.Floor(3000, at=(0, 0, -0.051)))
    fresh, used = (hs.stepper(scene, 1e-3) for _ in range(2))
    end = used()
    for _ in range(4):
        end = used(end.x, end.v, end.t)
    used.memory.h = fresh.memory.h
    moved = scene.points + np.random.default_rng(0).normal(0, 0.002, scene.points.shape)
    assert np.array_equal(used(moved, t=0.0).x, fresh(moved, t=0.0).x)


def forgetful_scenes():
    """A ball of clay that flows, and a cube that slides on another."""
    clay = P.Material(E=1e5, poisson=0.4, density=1500, damping=2e-3, plastic=0.02, breaking=0.3)
    ball = P.solid("ball", hs.shapes.sphere(0.05), material=clay, cells=2).at(0, 0, 0.05)
    yield P.Scene(ball.moving((0, 0, -3)), P.Floor(stiffness=2e4, damping=5))
    law = {"bedding": 1e6, "damping": 3e3, "friction": 0.5}
    low = cube(stiffness=2e4).at(0, 0, 0.0501)
    high = low.named("high").at(0.01, 0.02, 0.1).moving((0.3, 0, 0))
    yield P.Scene(low, high, P.Floor(**law), P.Touch(**law))


@pytest.mark.parametrize("scene", list(forgetful_scenes()))
def test_reset_and_a_call_from_the_start_forget_what_flowed_and_what_touches(scene):
    step = hs.stepper(scene, 1e-3, outputs=["energy", "dissipated"], substeps=1000)
    runs = []
    for again in (step.reset, lambda: None, lambda: None):
        end = step()
        for _ in range(14):
            end = step(end.x, end.v, end.t)
        assert end.outputs["dissipated"] > 0.0
        runs.append(np.append(end.x, end.outputs["dissipated"]))
        again()
    assert np.array_equal(runs[0], runs[1]) and np.array_equal(runs[0], runs[2])
