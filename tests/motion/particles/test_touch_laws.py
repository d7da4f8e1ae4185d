"""Laws of contact between objects: momentum, energy, rest, friction, what is refused and what is reported."""

import warnings
from typing import Any

import numpy as np
import pytest
from touch_shapes import P, ball, box, hull, pyramid, quiet, wheel

import hapsis as hs

FREE = (0.0, 0.0, 0.0)


def random_object(name: str, rng: Any) -> Any:
    makers = [
        lambda: box(name, *rng.uniform(0.05, 0.15, 3), stiffness=1e5, damping=float(rng.choice([0, 20]))),
        lambda: ball(name, rng.uniform(0.05, 0.1), level=1, stiffness=2e4),
        lambda: pyramid(name, 0.12, 0.1, stiffness=1e5),
        lambda: wheel(name, 0.06, 0.05, 10, stiffness=5e4),
        lambda: hull(name, rng.normal(size=(8, 3)) * 0.05, stiffness=1e5),
    ]
    thing = makers[rng.integers(len(makers))]()
    return thing.at(*-thing.center)


def momenta(scene: Any, result: Any, row: int) -> tuple[Any, Any]:
    x, v = (
        np.concatenate([result[f"{name}.{what}"][row] for name in scene.objects])
        for what in ("points", "velocities")
    )
    p = scene.masses[:, None] * v
    return p.sum(axis=0), np.cross(x, p).sum(axis=0)


@pytest.mark.parametrize("seed", range(12))
def test_collisions_of_free_objects_keep_momentum_and_account_for_energy(seed: int) -> None:
    rng = np.random.default_rng(seed)
    a, b = random_object("a", rng), random_object("b", rng)
    a = a.at(-0.12, *rng.uniform(-0.03, 0.03, 2), rpy=rng.uniform(-3, 3, 3))
    b = b.at(0.12, *rng.uniform(-0.03, 0.03, 2), rpy=rng.uniform(-3, 3, 3))
    a = a.moving((rng.uniform(0.5, 2), 0.1, 0), rng.uniform(-3, 3, 3))
    b = b.moving((-rng.uniform(0.5, 2), 0, 0.1), rng.uniform(-3, 3, 3))
    law = P.Touch(
        bedding=10 ** rng.uniform(7, 8.5), damping=rng.choice([0, 1e4]), friction=rng.choice([0, 0.5])
    )
    scene = P.Scene(a, b, law, gravity=FREE)
    result = hs.simulate(scene, until=0.3, every=0.01)
    before, after = momenta(scene, result, 0), momenta(scene, result, -1)
    moved = float(scene.masses @ np.linalg.norm(scene.velocities, axis=1))
    assert result["touch.force"].max() > 0.0
    assert result["touch.force"].min() >= 0.0
    assert np.abs(after[0] - before[0]).max() < 1e-12 * moved
    assert np.abs(after[1] - before[1]).max() < 1e-12 * moved
    assert result.energy_drift < 1e-4
    assert np.diff(result["dissipated"]).min() > -1e-6 * result["energy"][0]


def settled(mass: float = 1.0, bedding: float = 1e8, area: float = 0.01) -> float:
    return mass * 9.81 / (bedding * area)


def test_a_cube_at_rest_on_a_floor_has_the_depth_of_its_weight() -> None:
    floor = P.Floor(bedding=1e7, damping=3e4, friction=0.5)
    cube = box("c", 0.1, 0.1, 0.1, stiffness=5e4, damping=40)
    result = quiet(P.Scene(cube.at(0, 0, 0.05), floor), 0.5, every=0.1)
    assert result["floor.force"][-1] == pytest.approx(9.81, rel=1e-4)
    assert result["floor.volume"][-1] * 1e7 == pytest.approx(9.81, rel=1e-3)
    assert settled(bedding=1e7) < result["floor.depth"][-1] < 2.0 * settled(bedding=1e7)  # corners bend
    assert result.unit("floor.volume") == "m^3"


@pytest.mark.slow
def test_two_cubes_stand_on_one_another_without_creep() -> None:
    cube = box("a", 0.1, 0.1, 0.1, stiffness=2e4, damping=10)
    law = {"bedding": 1e7, "damping": 3e4, "friction": 0.5}
    scene = P.Scene(cube.at(0, 0, 0.05), cube.named("b").at(0.01, 0.02, 0.15), P.Floor(**law), P.Touch(**law))
    first = quiet(scene, 5.5, every=0.1)
    result = quiet(scene, 6.0, every=0.1, start=first)
    assert result["touch.force"][-1] == pytest.approx(9.81, rel=1e-3)
    for name in ("b.x", "b.y", "b.z", "a.x"):
        creep = np.ptp(result[name]) / 0.5
        assert creep < 1e-9, name


@pytest.mark.parametrize(("ratio", "sticks"), [(0.97, True), (1.03, False)])
def test_objects_stick_to_each_other_within_the_cone_of_friction(ratio: float, sticks: bool) -> None:
    mu = 0.5
    angle = np.arctan(mu * ratio)
    g = 9.81
    law = {"bedding": 1e7, "damping": 3e4}
    table = box("table", 0.3, 0.3, 0.1, mass=5.0).at(0, 0, -0.05).holding(*range(9))
    cube = box("cube", 0.1, 0.1, 0.1, stiffness=5e4, damping=40).at(0, 0, 0.05 - settled(bedding=1e7))
    down = (g * np.sin(angle), 0.0, -g * np.cos(angle))
    scene = P.Scene(table, cube, P.Touch(**law, friction=mu), gravity=down)
    result = quiet(scene, 0.6, every=0.02)
    gain = result["cube.vx"][-1] - result["cube.vx"][15]
    expected = 0.0 if sticks else g * (np.sin(angle) - mu * np.cos(angle)) * 0.3
    assert gain == pytest.approx(expected, rel=0.05, abs=1e-3)


@pytest.mark.parametrize(("x", "y", "turn"), [(7, 70, 0.51), (22, -37, -0.73), (60, -71, 0.0)])
def test_stacked_boxes_that_overlap_at_the_start_have_the_energy_of_their_faces(
    x: int, y: int, turn: float
) -> None:
    # λ/2 A d², and no strips along their sides
    a = P.solid("a", hs.shapes.box(0.1, 0.1, 0.1), mass=1.0, stiffness=2e4, damping=10)
    for deep in (1e-5, 1e-3):
        upper = a.named("b").at(1e-3 * x, 1e-3 * y, 0.1 - deep, rpy=(0, 0, turn))
        scene = P.Scene(a.holding(*range(9)), upper, P.Touch(1e7, damping=1e3), gravity=(0, 0, 0))
        result = hs.simulate(scene, until=0.01)
        assert result["touch.depth"][0] == pytest.approx(deep, rel=1e-6)
        assert result["potential"][0] == pytest.approx(5e6 * deep * result["touch.volume"][0], rel=1e-6)
        assert result.report["deepest"] < 0.05


def test_a_fast_bullet_does_not_pass_through_a_plate() -> None:
    plate = box("plate", 0.5, 0.5, 0.02, mass=5.0, stiffness=1e6, damping=20)
    bullet = ball("bullet", 0.01, level=1, mass=0.01, stiffness=1e5).at(0.05, 0.07, 0.5).moving((0, 0, -100))
    scene = P.Scene(plate, bullet, P.Touch(bedding=1e11), gravity=FREE)
    result = quiet(scene, 0.012, every=1e-4)
    assert result["bullet.vz"][-1] > 0.0
    assert result.report["deepest"] < 1.0


@pytest.mark.parametrize(("aside", "status"), [(0.05, "contacts unseen"), (0.3, "done")])
def test_a_fixed_step_that_jumps_over_a_plate_is_told(aside: float, status: str) -> None:
    """Nothing is near at its ends; a bullet that flies by is no trouble."""
    plate = box("plate", 0.5, 0.5, 0.02, mass=5.0, stiffness=1e4)
    bullet = ball("bullet", 0.01, level=1, mass=0.01, stiffness=1e3).at(aside, 0.07, 0.2).moving((0, 0, -400))
    scene = P.Scene(plate, bullet, P.Touch(bedding=1e9), gravity=FREE)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", hs.Notice)
        result = hs.simulate(scene, until=1e-3, step=1e-3, method="symplectic")
    assert result.status == status


def test_contacts_that_get_too_deep_let_go_and_the_run_says_so() -> None:
    a = box("a", 0.1, 0.1, 0.1, stiffness=1e5).at(-0.1, 0.01, 0).moving((2, 0, 0))
    b = box("b", 0.1, 0.1, 0.1, stiffness=1e5).at(0.1, 0, 0.01).moving((-2, 0, 0))
    with pytest.warns(hs.Notice, match='"a" and "b" overlap'):
        result = hs.simulate(P.Scene(a, b, P.Touch(bedding=1e4), gravity=FREE), until=0.1)
    assert not result.success
    assert result.status == "contact too deep"
    assert result.energy_drift < 1e-4


@pytest.mark.parametrize("side", [1e-5, 1.0, 1e4])
def test_scales_from_micrometres_to_kilometres_bounce_alike(side: float) -> None:
    # the same motion in units of side, with a mass of side³ and forces that make each second alike
    def cube(name: str, x: float, v: float) -> Any:
        thing = box(name, side, side, side, mass=side**3, stiffness=4e3 * side**3, damping=0.0)
        return thing.at(x * side, 0.1 * v * side, 0.0).moving((v * side, 0, 0))

    law = P.Touch(bedding=1e3 * side, friction=0.3)
    result = quiet(P.Scene(cube("a", -0.6, 1.0), cube("b", 0.6, -1.0), law, gravity=FREE), 1.0, every=0.1)
    assert result["a.vx"][-1] / side == pytest.approx(-0.9, abs=0.1)
    assert result["a.x"][-1] / side == pytest.approx(-result["b.x"][-1] / side, abs=1e-9)


def test_bad_laws_are_refused_in_one_line() -> None:
    a = box("a", 0.1, 0.1, 0.1)
    for bad in (
        lambda: P.Touch(bedding=0.0),
        lambda: P.Touch(bedding=1e6, friction=-1),
        lambda: P.Touch(bedding=1e6, friction=0.5, static=0.4),
        lambda: P.Touch(bedding=1e6, between=("a",)),
        lambda: P.Touch(bedding=1e6, depth=0.0),
        lambda: P.Floor(),
        lambda: P.Floor(stiffness=1.0, bedding=1.0),
        lambda: P.Medium(viscosity=1.0, power=3),
        lambda: P.Scene(a, P.Touch(bedding=1e6, between=("a", "c"))),
        lambda: P.Scene(P.ParticleObject("n", np.zeros((1, 3)), [1.0]), P.Touch(bedding=1e6)),
        lambda: P.terrain("t", hs.shapes.box(1, 1, 1)),
    ):
        with pytest.raises(hs.Error) as error:
            bad()
        assert "\n" not in str(error.value)


@pytest.mark.parametrize("place", [(0.0, 0.0, 0.0), (0.03, 0.01, 0.02)])
def test_objects_that_lie_in_each_other_are_reported(place: tuple[float, float, float]) -> None:
    a = box("a", 0.1, 0.1, 0.1)
    scene = P.Scene(a, a.named("b").at(place), P.Touch(bedding=1e7), gravity=FREE)
    with pytest.warns(hs.Notice, match="too deep to touch"):
        result = hs.simulate(scene, until=0.01)
    assert result.status == "objects overlap"
    assert not result.success


@pytest.mark.parametrize("turned", [False, True])
def test_the_touch_that_names_both_comes_first_in_any_order(turned: bool) -> None:
    low = box("a", 0.1, 0.1, 0.1)
    laws = [P.Touch(bedding=1e6), P.Touch(bedding=1e7, between=("a", "b"), name="ab")]
    scene = P.Scene(
        low.holding(range(len(low))),
        low.named("b").at(0, 0, 0.099),
        laws[::-1] if turned else laws,
        gravity=FREE,
    )
    result = hs.simulate(scene, until=1e-4)
    assert result["ab.force"][0] == pytest.approx(100.0, rel=1e-3) and result["touch.force"][0] == 0.0
