"""Methods of runs of scenes: orders, closed forms, one account of energy, agreement, refusals."""

import dataclasses

import numpy as np
import pytest
from random_particles import random_object

import hapsis as hs
from hapsis.motion.particles.runs import simulate_scene

P = hs.particles
SPACE = (0.0, 0.0, 0.0)
OTHERS = ("implicit", "order5", "order8")


def pair(damping, **more):
    points = [(0, 0, 0), (1.1, 0, 0)]
    springs = P.Connectors.of([(0, 1)], 1.0, 100.0, damping, **more)
    return P.Scene(P.ParticleObject("pair", points, [1, 1], springs), gravity=SPACE)


def pair_error(damping, **options):
    """The largest error of the distance over one second against the closed form."""
    result = hs.simulate(pair(damping), until=1.0, every=0.05, **options)
    assert result.success
    w, zeta, t = np.sqrt(200.0), damping / np.sqrt(200.0), result.t
    wd = w * np.sqrt(1 - zeta**2)
    exact = 0.1 * np.exp(-zeta * w * t) * (np.cos(wd * t) + zeta * w / wd * np.sin(wd * t))
    gap = result["pair.1"][:, 0] - result["pair.0"][:, 0] - 1.0
    return np.abs(gap - exact).max()


@pytest.mark.parametrize("damping", [0.0, 5.0])
@pytest.mark.parametrize(
    ("method", "step", "order"), [("implicit", 2e-3, 2), ("order5", 2e-2, 5), ("order8", 5e-2, 8)]
)
def test_orders(method, step, order, damping):
    errors = [pair_error(damping, method=method, step=step / k) for k in (1, 2, 4 if order < 8 else 2)]
    assert np.log2(errors[0] / errors[1]) > order - 0.4
    if order < 8:
        assert np.log2(errors[1] / errors[2]) > order - 0.4


@pytest.mark.parametrize("method", ["order5", "order8"])
def test_they_come_near_the_precision_of_numbers(method):
    assert pair_error(5.0, method=method, tolerance=1e-13) < 2e-12
    assert pair_error(5.0, method=method, tolerance=1e-7) > 1e-10


def drop(**floor):
    cube = P.solid("cube", hs.shapes.box(0.1, 0.1, 0.1), mass=0.5, stiffness=2000, damping=5)
    return P.Scene(
        cube.moving((0.5, 0, 0), (3, 1, 0)).at(0, 0, 0.09), P.Floor(stiffness=2000, damping=2, **floor)
    )


def balance(result):
    total = result["energy"] + result["dissipated"] - result["work"]
    return np.abs(total - total[0]).max()


@pytest.mark.parametrize("method", OTHERS)
def test_the_account_closes(method):
    """What is there, what was taken and what came from outside: only what a run calls created is missing."""
    step = {"step": 2e-4} if method == "implicit" else {}
    result = hs.simulate(drop(), until=0.3, method=method, **step)
    assert result.success and result["dissipated"][-1] > 0.05
    assert balance(result) < 1e-3
    assert np.isclose(balance(result), result.energy_drift * np.ptp(result["potential"]), rtol=1.0, atol=2e-4)


def test_all_methods_agree():
    """A bar of a material, clamped and bent by its weight: one motion, nearer with shorter steps."""
    bar = P.solid("bar", hs.shapes.box(1.0, 0.1, 0.1), material="rubber", cells=(4, 1, 1))
    scene = P.Scene(bar.holding(*np.flatnonzero(bar.points[:, 0] < -0.499).tolist()))
    run = dict(until=0.2, every=0.05)
    reference = hs.simulate(scene, **run, method="order8", tolerance=1e-11)["bar.points"]
    for limit, options in {
        1e-8: dict(method="order5", tolerance=1e-9),
        1e-5: dict(step=2e-5, method="symplectic"),
        2e-4: dict(step=1e-3, method="implicit"),
        1.2e-5: dict(step=2.5e-4, method="implicit"),
    }.items():
        assert np.abs(hs.simulate(scene, **run, **options)["bar.points"] - reference).max() < limit, options


def test_a_stiff_bar_in_long_steps():
    """A cantilever of steel: implicit steps 500 times as long as those of "energy", the same motion."""
    bar = P.solid("bar", hs.shapes.box(1.0, 0.05, 0.05), material="steel", cells=(8, 1, 1))
    scene = P.Scene(bar.holding(*np.flatnonzero(bar.points[:, 0] < -0.499).tolist()))
    explicit = hs.simulate(scene, until=0.01, every=1e-3)
    implicit = hs.simulate(scene, until=0.01, every=1e-3, method="implicit", step=5e-4)
    assert implicit.success and implicit.report["rejected"] == 0
    assert explicit.report["steps"] > 50 * implicit.report["steps"]
    sag = np.abs(explicit["bar.z"]).max()
    assert sag > 2e-5 and np.abs(implicit["bar.z"] - explicit["bar.z"]).max() < 0.02 * sag


def test_steps_longer_than_a_vibration():
    """They take its energy, say so, and count it; the centre goes on."""
    thing = pair(0.0).objects["pair"].moving((0, 1, 0))
    result = hs.simulate(P.Scene(thing, gravity=SPACE), until=20.0, method="implicit", step=0.5)
    assert result.success and any("implicit steps took" in each for each in result.warnings)
    lost = result.report["lost_by_steps"]
    assert 0.45 < lost < 0.5 + 1e-9 and np.isclose(lost, result["dissipated"][-1])
    assert balance(result) < 1e-9
    assert np.isclose(result["pair.y"][-1], 20.0)


SOFT = P.Material(1e5, 0.3, 1000.0)


@pytest.mark.parametrize(("spin", "step"), [(50.0, 0.2), (20.0, 0.01), (0.0, 1.0)])
def test_long_implicit_steps_create_no_energy(spin, step):
    """A ball that turns by radians a step, and one whose particles fly in all directions."""
    ball = P.solid("b", hs.Sphere(0.1), material=SOFT, cells=2).moving(spin=(0, 0, spin))
    if not spin:
        speeds = 3.0 * np.random.default_rng(1).normal(size=ball.points.shape)
        ball = dataclasses.replace(ball, velocities=speeds)
    result = hs.simulate(P.Scene(ball, gravity=SPACE), until=60 * step, method="implicit", step=step)
    assert result.success and result["energy"].max() < 1.001 * result["energy"][0]
    assert balance(result) < 1e-3 * result["energy"][0]


@pytest.mark.parametrize("step", [0.01, 0.05])
def test_long_implicit_steps_on_a_floor_create_no_energy(step):
    cube = P.solid("cube", hs.shapes.box(0.1, 0.1, 0.1), mass=0.5, stiffness=2000, damping=5)
    scene = P.Scene(cube.at(0, 0, 0.3, rpy=(0.3, 0.5, 0)), P.Floor(2000, friction=0.4))
    result = hs.simulate(scene, until=2.0, method="implicit", step=step)
    assert result.success and result["energy"].max() < result["energy"][0] * (1.0 + 1e-9)


def test_what_turns_of_implicit_steps_lose():
    """By 0.2 rad a step 8 % of the angular momentum in 100 steps, by 0.02 rad 0.01 % in 1000."""
    ball = P.solid("b", hs.Sphere(0.1), material=SOFT, cells=2).moving(spin=(0, 0, 20))
    for step, lost in ((0.01, 0.083), (0.001, 1.4e-4)):
        result = hs.simulate(P.Scene(ball, gravity=SPACE), until=1.0, method="implicit", step=step)
        x, v = (result[f"b.{what}"] for what in ("points", "velocities"))
        turn = np.einsum("n,tn->t", ball.masses, np.cross(x - x.mean(axis=1, keepdims=True), v)[..., 2])
        assert np.isclose(1.0 - turn[-1] / turn[0], lost, rtol=0.05)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_implicit_steps_of_random_objects(seed):
    """Connectors of every kind: momentum is kept, and the motion is that of order 8."""
    scene = P.Scene(random_object(seed), gravity=SPACE)
    thing = scene.objects["thing"]
    result = hs.simulate(scene, until=0.1, every=0.02, method="implicit", step=2e-4)
    near = hs.simulate(scene, until=0.1, every=0.02, method="order8", tolerance=1e-10)
    assert result.success and near.success
    v = result["thing.velocities"]
    momentum = np.einsum("n,tnc->tc", thing.masses, v)
    assert np.abs(momentum - momentum[0]).max() < 1e-12 * thing.mass * max(1.0, np.abs(v).max())
    assert np.abs(result["thing.points"] - near["thing.points"]).max() < 1e-5


@pytest.mark.parametrize("ratio", [0.5, 0.99, 1.01, 1.5])
def test_friction_of_implicit_steps(ratio):
    """What sticks does not creep in long steps, what slides has the acceleration of Coulomb's law."""
    angle = np.radians(20)
    normal = np.array([np.sin(angle), 0, np.cos(angle)])
    thing = P.ParticleObject("thing", [tuple(-9.81 * np.cos(angle) / 1e4 * normal)], [1.0])
    floor = P.Floor(stiffness=1e4, damping=200, friction=np.tan(angle) / ratio, normal=tuple(normal))
    result = hs.simulate(P.Scene(thing, floor), until=1.0, every=0.1, step=1e-2, method="implicit")
    pull = 9.81 * np.sin(angle) * (1 - 1 / ratio) if ratio > 1 else 0.0
    way = np.linalg.norm(result["thing.points"][-1, 0] - result["thing.points"][0, 0])
    assert np.isclose(way, 0.5 * pull, rtol=1e-6, atol=1e-12)


def test_implicit_steps_that_follow_the_energy():
    scene = P.Scene(*drop(friction=0.4).facts, step=P.EnergyStep(error=1e-6))
    result = hs.simulate(scene, until=0.3, method="implicit")
    near = hs.simulate(scene, until=0.3)
    assert result.success and result.report["rejected"] > 0 and result.energy_drift < 2e-3
    assert np.isclose(result["cube.x"][-1], near["cube.x"][-1], rtol=2e-2)
    assert np.allclose(result["cube.z"], near["cube.z"], atol=3e-4)


def test_plastic_springs_flow_in_implicit_steps():
    scene = pair(0.0, plastic=0.02)
    runs = [hs.simulate(scene, until=0.5, **how) for how in ({}, dict(method="implicit", step=1e-4))]
    assert runs[0]["dissipated"][-1] > 0.1
    assert np.isclose(runs[1]["dissipated"][-1], runs[0]["dissipated"][-1], rtol=1e-2)


def test_runs_go_on():
    scene = drop()
    for method in OTHERS:
        step = {"step": 1e-3} if method == "implicit" else {}
        half = hs.simulate(scene, until=0.1, every=0.05, method=method, **step)
        rest = hs.simulate(scene, until=0.2, every=0.05, start=half, method=method, **step)
        whole = hs.simulate(scene, until=0.2, every=0.05, method=method, **step)
        assert np.allclose(rest["cube.points"][-1], whole["cube.points"][-1], atol=1e-7)


def test_why():
    scene = pair(1.0)
    assert hs.simulate(scene, until=0.01).report["method"] == "energy"
    assert "no step is given" in hs.simulate(scene, until=0.01).report["why"]
    fixed = hs.simulate(scene, until=0.01, step=1e-3).report
    assert fixed["method"] == "symplectic" and "fixed step" in fixed["why"]
    asked = hs.simulate(scene, until=0.01, method="order8").report
    assert asked["method"] == "order8" and "asked" in asked["why"]


def test_why_names_the_method_with_longer_steps(monkeypatch):
    monkeypatch.setattr(simulate_scene, "MANY", 5)
    assert 'method="implicit"' in hs.simulate(pair(1.0), until=0.1).report["why"]
    touching = P.Scene(P.solid("a", hs.Sphere(0.1), mass=1, stiffness=100), P.Touch(1e6))
    assert "implicit" not in hs.simulate(touching, until=0.1).report["why"]


BALL = P.solid("ball", hs.shapes.sphere(0.05), mass=0.1, stiffness=500)
UNKNOWN = {
    "Touch": [P.Touch(bedding=1e6)],
    "Medium": [P.Medium(1.0)],
    "hand": [P.Grab("hand", particle="ball.0", stiffness=10)],
    "Floor with a bedding": [P.Floor(bedding=1e6)],
}


@pytest.mark.parametrize("method", OTHERS)
@pytest.mark.parametrize("what", UNKNOWN)
def test_unknown_facts_are_refused_by_name(method, what):
    with pytest.raises(hs.SolveError, match=f'"{method}" knows no {what}'):
        hs.simulate(P.Scene(BALL, *UNKNOWN[what]), until=0.1, method=method)


@pytest.mark.parametrize("method", OTHERS)
def test_models_are_refused(method):
    with pytest.raises(hs.SolveError, match="knows no scenes with a Model"):
        hs.simulate(P.Scene(BALL, hs.library.slider_crank()), until=0.1, method=method)


@pytest.mark.parametrize("method", ["order5", "order8"])
def test_forces_with_jumps_are_refused(method):
    with pytest.raises(hs.SolveError, match="knows no Floor with friction"):
        hs.simulate(drop(friction=0.1), until=0.1, method=method)
    with pytest.raises(hs.SolveError, match='flows or tears, "pair"'):
        hs.simulate(pair(1.0, breaking=0.1), until=0.1, method=method)


def test_schemes_and_budgets():
    scheme = P.Scene(BALL, step=P.EnergyStep(alpha=0.5))
    with pytest.raises(hs.SolveError, match="no alpha and beta"):
        hs.simulate(scheme, until=0.1, method="implicit")
    for method in OTHERS:
        with pytest.warns(hs.Notice, match="too many steps"):
            short = hs.simulate(pair(0.0), until=1.0, method=method, most_steps=3)
        assert not short.success and len(short.t) < 10_001


@pytest.mark.parametrize("heavy", [1.0, 1000.0])
def test_what_is_heavy_and_far_does_not_disturb_what_is_light(heavy):
    """A pair of grams vibrates as it does alone, beside a mass that falls."""
    springs = P.Connectors.of([(0, 1)], 1.0, 1.0)
    light = P.ParticleObject("light", [(0, 0, 0), (1.05, 0, 0)], [1e-3, 1e-3], springs)
    stone = P.ParticleObject("stone", [(100.0, 0, 0)], [heavy])
    result = hs.simulate(P.Scene(light, stone), until=2.0, every=0.02)
    gap = np.linalg.norm(result["light.1"] - result["light.0"], axis=1) - 1.0
    assert np.abs(gap - 0.05 * np.cos(np.sqrt(2000.0) * result.t)).max() < 1e-3
    assert result["stone.z"][-1] == pytest.approx(-0.5 * 9.81 * 4.0)
