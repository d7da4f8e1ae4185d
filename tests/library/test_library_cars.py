"""The two cars: they close, they stand, they are the same seen in a mirror, and what they cost."""

from functools import cache

import numpy as np
import pytest
from scipy.linalg import null_space

import hapsis as hs
from hapsis import library

CARS = ("car", "five_link_car")
CORNERS = ("front_left", "front_right", "rear_left", "rear_right")
# coordinates, rows; each corner of five links: 14 coordinates and 12 rows, with half an anti-roll
# bar 15 and 13; each of wishbones: 8 and 6; chassis, rack and steering wheel, whose gear is a row
SIZES = {"car": (6 + 2 + 2 * 8 + 2 * 14, 1 + 2 * 6 + 2 * 12), "five_link_car": (6 + 1 + 4 * 15, 4 * 13)}
ENDS = tuple(f".{end}.{axis}" for end in ("inner", "outer") for axis in "xyz")
MOBILITY = 6 + 4 * 2  # the chassis; travel and spin of each wheel; the steering is driven
# operations of one call for the mass matrix and the bias together, and for inverse dynamics, all
# with springs: about what is told of generated equations of other cars with so many joints
ROWS = {"car": 2795, "five_link_car": 4589}  # operations of h, J and γ
MOST = {"car": (16_500, 4_500), "five_link_car": (19_000, 4_500)}


@cache
def car(name):
    return getattr(library, name)()


@cache
def compiled(name, verb):
    return hs.compile(getattr(hs, verb)(car(name)))


def start(name):
    pose = car(name).pose("start")
    return np.array([pose[n] for n in car(name).coordinates])


def anywhere(name, rng, size=0.3):
    """Positions, speeds and accelerations around the start, loops open."""
    q = start(name)
    return q + rng.uniform(-size, size, len(q)), rng.normal(size=len(q)), rng.normal(size=len(q))


def moved(model, rng):
    """The independent coordinates and their speeds, not too far away."""
    lead = model.independent
    where = {n: rng.uniform(-0.06, 0.06) for n in lead} | {"chassis.Rz": 2.0, "chassis.Tx": 5.0}
    return where | {f"{n}.v": rng.normal() for n in lead}


@pytest.mark.parametrize("name", CARS)
def test_it_closes(name):
    model = car(name)
    coordinates, rows = SIZES[name]
    assert len(model.coordinates) == coordinates and len(model.independent) == MOBILITY
    assert abs(compiled(name, "constraints")(start(name), 0 * start(name)).h).max() < 1e-15
    report = hs.assemble(model).report
    assert report.rows == report.rank == rows and report.redundant == ()
    assert report.mobility == MOBILITY == coordinates - rows - len(model.drives)
    assert report.gap <= 1e-12 and report.independent == model.independent


@pytest.mark.parametrize("name", CARS)
def test_it_stays_closed_when_it_travels_and_steers(name):
    model, rng = car(name), np.random.default_rng(5)
    model = model.replace("steering", position=1.5 if name == "car" else 0.012)
    given = moved(model, rng)
    given |= {n: 0.0 for n in given if n.startswith("front") and not n.endswith(".v")}
    state = hs.assemble(model, given)
    assert state.report.gap <= 1e-12 and state.report.mobility == MOBILITY
    assert all(state[n] == x for n, x in given.items() if not n.endswith(".v"))
    rows = compiled(name, "constraints")(state.q, state.v)
    assert abs(rows.J @ state.v).max() < 1e-12
    # both front wheels turn to the left; those travel nowhere, so that it is seen in one angle
    for side in ("left", "right"):
        angle = f"front_{side}.carrier.Rz"
        assert 0.05 < state[angle] - model.pose("start")[angle] < 0.3
    if name == "car":
        assert np.isclose(state["rack"], 1.5 * 0.05 / (2 * np.pi), rtol=1e-12)


@pytest.mark.parametrize("name", CARS)
def test_other_hard_points_close_as_well(name):
    model, rng = car(name), np.random.default_rng(6)
    # points at the ends of links; the lower rear link has others on it that must stay there
    moves = {
        n: x + rng.uniform(-0.02, 0.02)
        for n, x in hs.constraints(model).parameters.items()
        if n.endswith(ENDS) and ".bar." not in n and ".lower_rear." not in n
    }
    assert len(moves) > 40
    other = model.replace(parameters={**model.parameters, **moves})
    pose = other.pose("start")
    q = np.array([pose[n] for n in other.coordinates])
    assert not np.array_equal(q, start(name))
    assert abs(compiled(name, "constraints")(q, 0 * q, p=moves).h).max() < 1e-15


@pytest.mark.parametrize("name", CARS)
def test_what_it_is_made_of(name):
    model = car(name)
    masses = {n: model.value(b.mass) for n, b in model.bodies.items()}
    links = 2 * 2.903 + 2 * 2.639 + 5.278
    corners = {"wishbones": 3 + 2 + 1.2 + 6 + 15, "five": links + 5.278 + 15}
    both = 2 * corners["wishbones"] + 2 * corners["five"] + 2.0
    total = {"car": both, "five_link_car": 4 * (corners["five"] + 1.8)}[name] + 1250 + 4
    assert np.isclose(sum(masses.values()), total, rtol=1e-14)
    assert 1300 < total < 1500 and all(mass > 0 for mass in masses.values())
    for body in ("chassis", *(f"{corner}.carrier" for corner in CORNERS)):
        inertia, com = (
            [model.value(x) for x in getattr(model.bodies[body], field)] for field in ("inertia", "com")
        )
        assert len(inertia) == 6 and all(inertia) and all(com)
        assert len({abs(x) for x in inertia}) == 6
    # the chassis feels all of it
    M = compiled(name, "mass_matrix")(start(name))
    assert np.allclose(np.diag(M)[:3], total, rtol=1e-14)


@pytest.mark.parametrize("name", CARS)
def test_mass_matrix_bias_and_inverse_dynamics_agree(name):
    rng = np.random.default_rng(8)
    M, c, tau = (compiled(name, verb) for verb in ("mass_matrix", "bias", "inverse_dynamics"))
    for _ in range(5):
        q, v, a = anywhere(name, rng)
        matrix, found = M(q), tau(q, v, a)
        assert np.allclose(matrix @ a + c(q, v), found, rtol=1e-12, atol=1e-12 * abs(found).max())
        assert np.array_equal(matrix, matrix.T) and np.linalg.eigvalsh(matrix)[0] > 1e-4


def mirror(model):
    """P with P q the pose seen in a mirror, and the parameters of the car seen in it.

    Left and right change places; what moves along y or turns about x or z goes the other way.
    Corners are images of each other, chassis and steering column of their own kind.
    """
    names = model.coordinates
    P = np.zeros((len(names), len(names)))
    for k, n in enumerate(names):
        left, right = n.replace("_left", "_right"), n.replace("_right", "_left")
        same = n.endswith((".Tx", ".Tz", ".Ry", ".wheel", ".bar"))
        P[names.index(left if left != n else right), k] = 1.0 if same else -1.0
    numbers = hs.inverse_dynamics(model).parameters
    own = [n for n in numbers if n.startswith(("chassis.", "steering_wheel."))]
    return P, {n: -numbers[n] for n in own if n.endswith((".y", ".xy", ".yz"))}


@pytest.mark.parametrize("name", CARS)
def test_seen_in_a_mirror_it_needs_mirrored_efforts(name):
    rng = np.random.default_rng(9)
    P, p = mirror(car(name))
    assert np.array_equal(P @ P, np.eye(len(P))) and "chassis.com.y" in p
    M, tau = compiled(name, "mass_matrix"), compiled(name, "inverse_dynamics")
    assert np.allclose(P @ start(name), start(name), rtol=0, atol=1e-15)
    for _ in range(3):
        q, v, a = anywhere(name, rng)
        found = tau(P @ q, P @ v, P @ a, p=p)
        assert np.allclose(found, P @ tau(q, v, a), rtol=1e-12, atol=1e-12 * abs(found).max())
        assert np.allclose(M(P @ q, p=p), P @ M(q) @ P, rtol=1e-12, atol=1e-10)
        # the car itself is not its own image
        assert not np.allclose(tau(P @ q, P @ v, P @ a), found, rtol=1e-6)


def accelerations(name, q, v, p):
    """All accelerations, loops closed and steering held: M a + c = Jᵀ lam, J a + gamma = 0."""
    model = car(name)
    M, c, rows = (compiled(name, verb) for verb in ("mass_matrix", "bias", "constraints"))
    J, gamma = held(model, rows(q, v).J), np.append(rows(q, v).gamma, 0.0)
    K = np.block([[M(q, p=p), J.T], [J, np.zeros((len(J), len(J)))]])
    return np.linalg.solve(K, np.concatenate([-c(q, v, p=p), -gamma]))[: len(q)]


def held(model, J):
    """The rows with one more, of the coordinate that is driven."""
    row = [float(n == model.drives["steering"].joint) for n in model.coordinates]
    return np.vstack([J, row])


@pytest.mark.parametrize("name", CARS)
def test_seen_in_a_mirror_it_moves_mirrored(name):
    model, rng = car(name), np.random.default_rng(10)
    P, p = mirror(model)
    state = hs.assemble(model, moved(model, rng))
    a = accelerations(name, state.q, state.v, {})
    image = accelerations(name, P @ state.q, P @ state.v, p)
    assert np.allclose(image, P @ a, rtol=1e-9, atol=1e-9 * abs(a).max())


@pytest.mark.parametrize("name", CARS)
def test_it_stands_on_its_tyres(name):
    """In `start` nothing pulls but the driver's weight on the left, and no tyre is off."""
    model = getattr(library, name)(tyres=True)
    assert model.coordinates == car(name).coordinates and len(model.contacts) == 4
    q = start(name)
    f = hs.compile(hs.bias(model))
    N = null_space(held(model, compiled(name, "constraints")(q, 0 * q).J))
    lead = [model.coordinates.index(n) for n in model.independent]
    S = N @ np.linalg.inv(N[lead])
    pull = dict(zip(model.independent, S.T @ f(q, 0 * q), strict=True))
    weight = 9.81 * sum(model.value(b.mass) for b in model.bodies.values())
    roll = 9.81 * 1250 * 0.015
    assert abs(abs(pull.pop("chassis.Rx")) - roll) < 0.1 * roll
    assert max(map(abs, pull.values())) < 0.002 * weight
    # without tyres it falls with all its weight
    falls = compiled(name, "bias")(q, 0 * q)[model.coordinates.index("chassis.Tz")]
    assert np.isclose(falls, weight, rtol=1e-12)


def test_anti_roll_bars_are_twisted_by_roll_only():
    left, right = "front_left.lower_front.Rx", "front_right.lower_front.Rx"
    for other, twisted in ((-0.05, False), (0.05, True)):  # both wheels up; one up, one down
        state = hs.assemble(car("five_link_car"), {left: 0.05, right: other})
        twist = state["front_left.bar"] - state["front_right.bar"]
        assert abs(twist) > 0.1 if twisted else abs(twist) < 1e-12


@pytest.mark.parametrize("name", CARS)
def test_what_it_costs_at_most(name):
    """Every mass, length and inertia is a run-time parameter of what is counted."""
    together, inverse = MOST[name]
    model = car(name)
    M, c, tau = hs.mass_matrix(model), hs.bias(model), hs.inverse_dynamics(model)
    assert M.cost().flops + c.cost().flops <= together
    assert tau.cost().flops <= inverse  # with its springs
    assert {"chassis.mass", "front_left.carrier.mass", "rear_right.lower_rear.mass"} < set(tau.parameters)
    assert len(tau.parameters) > 200
    assert hs.constraints(model).cost().flops <= ROWS[name]


@pytest.mark.parametrize("name", CARS)
def test_it_can_be_written_and_read_with_tyres(name, tmp_path):
    model = getattr(library, name)(tyres=True)
    hs.save(model, tmp_path / "model.yaml")
    assert hs.load(tmp_path / "model.yaml") == model
