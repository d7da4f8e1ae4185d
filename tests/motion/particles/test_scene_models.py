"""A Model among particles: momentum, energy, weights, and motions known otherwise."""

from itertools import combinations

import numpy as np
import pytest

import hapsis as hs
from hapsis.motion.particles.scenes import scene_model

P = hs.particles
FACES = (("left", "-y", -0.005), ("right", "y", 0.005))


def lattice(name, count, side, mass, stiffness, damping=0.0):
    """A cube of springs between neighbours."""
    ticks = np.linspace(-0.5, 0.5, count) * side
    points = np.array([(x, y, z) for x in ticks for y in ticks for z in ticks])
    near = 1.45 * side / (count - 1)
    ends = [
        (i, j) for i, j in combinations(range(len(points)), 2) if np.linalg.norm(points[i] - points[j]) < near
    ]
    rest = [np.linalg.norm(points[i] - points[j]) for i, j in ends]
    masses = np.full(len(points), mass / len(points))
    return P.ParticleObject(name, points, masses, P.Connectors.of(ends, rest, stiffness, damping))


def free_box():
    """A box that nothing holds, without gravity."""
    box = hs.Body.box("box", (0.2, 0.2, 0.2), mass=2.0)
    return hs.Model(box, hs.Free("free", "world", "box"), gravity=(0, 0, 0))


def momenta(result, model, cube, row):
    """Linear and angular momentum of the box and of the particles about the world's origin."""
    x, v = result["cube.points"][row], result["cube.velocities"][row]
    q = np.array([result[name][row] for name in model.coordinates])
    u = np.array([result[name][row] for name in model.speeds])
    twist = np.ravel(hs.compile(hs.velocity(model, "box"))(q, u))
    p, R = hs.compile(hs.pose(model, "box"))(q)
    R = np.reshape(R, (3, 3))
    inertia = R @ (2.0 * 0.04 / 6.0 * np.eye(3)) @ R.T
    linear = cube.masses @ v + 2.0 * twist[3:]
    angular = cube.masses @ np.cross(x, v) + 2.0 * np.cross(p, twist[3:]) + inertia @ twist[:3]
    return np.concatenate([linear, angular])


SCENES = {
    "anchored": (
        P.solid("cube", hs.shapes.box(0.1, 0.1, 0.1), mass=0.5, stiffness=500, damping=0.3).at(0.15, 0, 0),
        P.Anchor("cube", [0, 1, 2, 3], to="box"),
    ),
    "touching": (
        P.solid("cube", hs.shapes.box(0.1, 0.1, 0.1), mass=0.5, stiffness=5000, damping=1).at(0, 0, 0.17),
        P.BodyContact(20000, 1.0, friction=0.5),
    ),
}


@pytest.mark.parametrize("kind", SCENES)
@pytest.mark.parametrize("seed", [1, 2])
def test_momentum_is_kept_and_energy_is_explained(kind, seed):
    random = np.random.default_rng(seed)
    cube, fact = SCENES[kind]
    cube = cube.moving((random.normal(), random.normal(), -1.0), random.normal(size=3))
    model = free_box()
    drifts = []
    for error in (1e-5, 1e-7):
        scene = P.Scene(model, cube, fact, step=P.EnergyStep(error=error))
        result = hs.simulate(scene, 0.3, every=0.1)
        assert result.success
        change = momenta(result, model, cube, -1) - momenta(result, model, cube, 0)
        assert np.abs(change).max() < (1e-11 if error > 1e-6 else 1e-12)
        account = result["energy"] + result["dissipated"] - result["work"]
        drifts.append(np.abs(account - account[0]).max())
        assert np.ptp(result["free.vz"]) > 0.05  # the body is moved
    assert drifts[1] < 0.1 * drifts[0]
    assert drifts[1] < 2e-3 * result["dissipated"][-1]


def test_an_object_that_is_all_anchored_is_part_of_the_body():
    cube = lattice("cube", 2, 0.1, 0.8, 100.0).at(0.2, 0.1, 0.0)
    bar = hs.Body.box("bar", (0.4, 0.05, 0.05), mass=1.0)
    model = hs.Model(bar, hs.Revolute("hinge", "world", "bar", "y"))
    scene = P.Scene(model, cube, P.Anchor("cube", range(8), to="bar"), step=P.EnergyStep(error=1e-9))
    result = hs.simulate(scene, 0.6, {"hinge": 0.3}, every=0.6)
    # anchored where they lie at the start: the hinge is turned there
    c, s = np.cos(0.3), np.sin(0.3)
    local = cube.points @ np.array([[c, 0, s], [0, 1, 0], [-s, 0, c]])
    m = 0.1
    com = local.mean(axis=0)
    I = np.zeros((3, 3))
    for r in local - com:
        I += m * (r @ r * np.eye(3) - np.outer(r, r))
    lump = hs.Body("lump", mass=0.8, com=tuple(com), inertia=I)
    facts = [lump, hs.Weld("weld", "bar", "lump")]
    heavier = model + facts
    rigid = hs.simulate(heavier, 0.6, {"hinge": 0.3}, every=0.6)
    assert result["hinge"][-1] == pytest.approx(rigid["hinge"][-1], abs=1e-5)
    assert abs(result["hinge"][-1] - 0.3) > 0.3


@pytest.mark.slow
def test_a_gripper_lifts_a_sponge_and_feels_its_weight():
    palm = hs.Body.box(
        "palm", (0.06, 0.14, 0.02), mass=0.3, frames={"l": (0, 0.05, -0.03), "r": (0, -0.05, -0.03)}
    )
    fingers = [hs.Body.box(name, (0.05, 0.01, 0.036), mass=0.05) for name in ("left", "right")]

    def height(t):
        return 0.05 + 0.05 * (1.0 - hs.cos(np.pi * hs.minimum(hs.maximum(t - 0.4, 0.0), 0.6) / 0.6))

    model = hs.Model(
        palm,
        fingers,
        hs.Prismatic("lift", "world", "palm", "z"),
        hs.Prismatic("left_slide", "palm.l", "left", "-y"),
        hs.Prismatic("right_slide", "palm.r", "right", "y"),
        hs.Drive("lifting", joint="lift", position=height),
    )
    sponge = lattice("sponge", 3, 0.04, 0.02, 50, 0.3).at(0, 0, 0.02)
    scene = P.Scene(
        model,
        sponge,
        P.Floor(200, 0.5, friction=0.5),
        P.BodyContact(500, 0.5, friction=0.8, bodies=("left", "right")),
        step=P.EnergyStep(longest=1e-3),
    )
    result = hs.simulate(scene, 1.4, inputs={"left_slide": 1.5, "right_slide": 1.5}, every=0.05)
    assert result.success
    assert result["sponge.z"][-1] - 0.02 == pytest.approx(0.1, abs=2e-3)
    # each finger carries half of the weight by friction, and squeezes with its effort
    for name, side in (("left", 1.0), ("right", -1.0)):
        assert result[f"{name}.load"][-1] == pytest.approx((0.0, side * 1.5, -0.02 * 9.81 / 2), abs=5e-3)
    # the drive carries all
    assert result["lifting.effort"][-1] == pytest.approx(0.42 * 9.81, rel=1e-3)
    account = result["energy"] + result["dissipated"] - result["work"]
    assert np.abs(account - account[0]).max() < 1e-2 * result["work"][-1]
    # without friction, between flat faces without edges, it stays
    faces = [(name, hs.Plane(normal, at=(0, y, 0))) for name, normal, y in FACES]
    slippery = P.Scene(
        model, sponge, P.Floor(200, 0.5), P.BodyContact(500, 0.5, bodies=faces), step=scene.step
    )
    left = hs.simulate(slippery, 1.4, inputs={"left_slide": 1.5, "right_slide": 1.5}, every=0.1)
    assert left["sponge.z"][-1] == pytest.approx(0.02, abs=2e-3)


def test_a_plane_of_the_world_is_a_floor():
    cube = P.solid("cube", hs.shapes.box(0.1, 0.1, 0.1), mass=0.5, stiffness=2000, damping=5)
    cube = cube.at(0, 0, 0.06).moving((0.5, 0, -0.5))
    still = hs.Model(
        hs.Body("world", shapes=(hs.Plane(),)),
        hs.Body.box("other", (0.1, 0.1, 0.1), mass=1.0),
        hs.Prismatic("slide", "world", "other", "x"),
    )
    step = P.EnergyStep(error=1e-7)
    floor = P.Scene(cube, P.Floor(2000, 3.0, friction=0.4), step=step)
    plane = P.Scene(still, cube, P.BodyContact(2000, 3.0, friction=0.4, bodies="world"), step=step)
    a, b = (hs.simulate(scene, 0.2, every=0.02) for scene in (floor, plane))
    for name in ("cube.x", "cube.z", "cube.vx"):
        assert b[name] == pytest.approx(a[name], abs=2e-6)
    assert b["dissipated"][-1] == pytest.approx(a["dissipated"][-1], rel=1e-4)


def test_a_loop_carries_particles():
    """A four-bar with a lump of particles on its coupler, and with the same lump as a body."""
    model = hs.library.n_four_bar(1)
    body = next(name for name in model.bodies if name != "world")
    cube = lattice("cube", 2, 0.05, 0.4, 50.0)
    scene = P.Scene(model, cube, P.Anchor("cube", range(8), to=body), step=P.EnergyStep(error=1e-8))
    result = hs.simulate(scene, 0.3, every=0.1)
    assert result.success
    state = hs.assemble(model)
    p, R = hs.compile(hs.pose(model, body))(np.array(state.q))
    local = (cube.points - np.ravel(p)) @ np.reshape(R, (3, 3))
    com = local.mean(axis=0)
    I = sum(0.05 * (r @ r * np.eye(3) - np.outer(r, r)) for r in local - com)
    lump = hs.Body("lump", mass=0.4, com=tuple(com), inertia=I)
    facts = [lump, hs.Weld("weld", body, "lump")]
    heavier = model + facts
    rigid = hs.simulate(heavier, 0.3, state, every=0.1)
    for name in model.coordinates:
        assert result[name][-1] == pytest.approx(rigid[name][-1], abs=1e-4)


def test_a_loop_with_a_rod_that_has_no_mass_moves_as_alone():
    """The mass matrix of the tree of this slider-crank is singular, what moves it is not."""
    model = hs.Model(
        hs.Body("crank", mass=1.0, com=(0.1, 0, 0), inertia=(0.01, 0.01, 0.01), frames={"pin": (0.2, 0, 0)}),
        hs.Body("rod", frames={"end": (0.5, 0, 0)}),
        hs.Body("slider", mass=0.5),
        hs.Revolute("turn", hs.WORLD, "crank", axis="-y"),
        hs.Revolute("knee", "crank.pin", "rod", axis="-y"),
        hs.Prismatic("slide", hs.WORLD, "slider", axis="x"),
        hs.Revolute("wrist", "rod.end", "slider", axis="-y"),
        poses={"start": {"turn": 1.0, "knee": -1.34, "slide": 0.58}},
        independent=["turn"],
    )
    far = P.ParticleObject("far", [[9.0, 9, 9]], [1.0], held=(0,))
    start = {"turn.v": 3.0}
    alone = hs.simulate(model, 0.5, start, every=0.1)
    result = hs.simulate(P.Scene(model, far, step=P.EnergyStep(error=1e-9)), 0.5, start, every=0.1)
    assert result.success
    for name in model.coordinates:
        assert result[name] == pytest.approx(alone[name], abs=1e-5)
        assert np.ptp(result[name]) > 0.1


def test_a_drive_does_the_work():
    """A carriage that is driven carries a mass on a spring: its effort times its speed is all the work."""
    cart = hs.Body.box("cart", (0.1, 0.1, 0.1), mass=1.0)
    model = hs.Model(
        cart,
        hs.Prismatic("slide", "world", "cart", "x"),
        hs.Drive("motor", joint="slide", position=lambda t: 0.1 * hs.sin(5.0 * t)),
        gravity=(0, 0, 0),
    )
    points = np.array([[0.0, 0, 0], [0.2, 0, 0]])
    mass = P.ParticleObject("mass", points, [0.1, 0.5], P.Connectors.of([(0, 1)], 0.2, 20.0))
    scene = P.Scene(model, mass, P.Anchor("mass", [0], to="cart"), step=P.EnergyStep(error=1e-8))
    result = hs.simulate(scene, 1.0, every=0.005)
    assert result["slide"] == pytest.approx(0.1 * np.sin(5.0 * result.t), abs=1e-9)
    # the mass at the end of the spring: x'' = -k/m (x - cart - 0.2), from rest
    w = np.sqrt(20.0 / 0.5)
    t = result.t
    known = 0.2 + 0.1 * (w**2 * np.sin(5 * t) - 5 * w * np.sin(w * t)) / (w**2 - 25.0)
    assert result["mass.1"][:, 0] == pytest.approx(known, abs=1e-4)
    effort = 1.1 * -2.5 * np.sin(5 * t) - 20.0 * (result["mass.1"][:, 0] - result["slide"] - 0.2)
    assert result["motor.effort"] == pytest.approx(effort, abs=2e-2)
    power = effort * 0.5 * np.cos(5 * t)
    work = np.concatenate([[0.0], np.cumsum(0.5 * (power[1:] + power[:-1]) * np.diff(t))])
    assert result["work"] == pytest.approx(work, abs=1e-3)


def test_a_run_goes_on_where_it_ended():
    cube, fact = SCENES["anchored"]
    scene = P.Scene(free_box(), cube.moving((0.5, 0.2, 0.1)), fact, step=P.EnergyStep(error=1e-8))
    whole = hs.simulate(scene, 0.4, every=0.2)
    first = hs.simulate(scene, 0.2, every=0.2)
    second = hs.simulate(scene, 0.4, first, every=0.2)
    assert second.t[0] == pytest.approx(0.2)
    for name in ("free.x", "free.y", "cube.x", "cube.vz"):
        assert second[name][-1] == pytest.approx(whole[name][-1], abs=1e-6)


def test_equations_of_a_scene_are_written_once(monkeypatch):
    """Runs of the same scene, also those that go on, share the equations of its Model with the particles."""
    cube, fact = SCENES["anchored"]
    scene = P.Scene(free_box(), cube.moving((0.5, 0.2, 0.1)), fact)
    first = hs.simulate(scene, 0.01)
    monkeypatch.setattr(scene_model, "_terms", None)
    monkeypatch.setattr(scene_model, "_with_masses", None)
    again = hs.simulate(scene, 0.01)
    assert np.array_equal(again["cube.points"][-1], first["cube.points"][-1])
    hs.simulate(scene, 0.02, first)
    with pytest.raises(TypeError):  # other masses are another model
        hs.simulate(P.Scene(free_box(), cube, P.Anchor("cube", [0], to="box")), 0.01)


def test_errors_name_what_is_wrong():
    cube = P.solid("cube", hs.shapes.box(0.1, 0.1, 0.1), mass=0.5, stiffness=500)
    model = free_box()
    cases = {
        "the scene has no Model": lambda: P.Scene(cube, P.Anchor("cube", [0], to="box")),
        'no object "ball"': lambda: P.Scene(model, cube, P.Anchor("ball", [0], to="box")),
        "no number 9": lambda: P.Scene(model, cube, P.Anchor("cube", [9], to="box")),
        'no body "bax"': lambda: hs.simulate(P.Scene(model, cube, P.Anchor("cube", [0], to="bax")), 1.0),
        "numbers of particles": lambda: P.Anchor("cube", ["a"], to="box"),
        "2 Models": lambda: P.Scene(model, free_box(), cube),
        "bodies to touch": lambda: P.Scene(cube, P.BodyContact(100.0)),
        "stiffness is -1": lambda: P.BodyContact(-1.0),
        "below the kinetic": lambda: P.BodyContact(1.0, friction=0.5, static=0.1),
        "a column": lambda: hs.simulate(P.Scene(model, cube.named("free")), 0.01),
        "cannot touch a ellipsoid": lambda: hs.simulate(
            P.Scene(model, cube, P.BodyContact(1.0, bodies=[("box", hs.Ellipsoid((0.1, 0.2, 0.3)))])), 0.1
        ),
        "has no step": lambda: hs.stepper(P.Scene(model, cube), 1e-3),
    }
    for text, call in cases.items():
        with pytest.raises(hs.Error) as error:
            call()
        assert text in str(error.value), (text, str(error.value))
