"""Feet that push, stick, slide and lift: beside pinned feet, by hand, and by the laws of friction."""

import pickle

import numpy as np
import pytest
from samples import sample

import hapsis as hs

CORNERS = [(0.3, 0.2), (0.3, -0.2), (-0.3, 0.2), (-0.3, -0.2)]


def block(height=0.1, mass=2.0, size=1.0):
    frames = {f"c{k}": (size * x, size * y, -height) for k, (x, y) in enumerate(CORNERS)}
    inertia = tuple(mass * size**2 * x for x in (0.05, 0.1, 0.15))
    return hs.Model(hs.Body("b", mass=mass, inertia=inertia, frames=frames), hs.Free("f", hs.WORLD, "b"))


FEET = [f"b.c{k}" for k in range(4)]
LYING = np.array([0, 0, 0.1, 1.0, 0, 0, 0])


def walker(random, scale=1.0, planar=False):
    """A random trunk with two legs of two parts, in a random pose, with feet on z = 0; at rest or moving."""
    joints = ("y",) * 4 if planar else tuple(random.choice(["x", "y", "z"], 4))
    mass = 10.0 ** random.uniform(-2, 2)
    names = ["trunk", "thigh1", "shank1", "thigh2", "shank2"]
    masses = {n: mass * random.uniform(0.3, 2) for n in names}
    coms = {n: scale * random.normal(size=3) * 0.2 for n in names}
    inertia = {n: mass * scale**2 * random.uniform(0.05, 0.1, 3) for n in names}

    def made(frames):
        base = hs.Chain("base", hs.WORLD, "trunk", "Tx Tz Ry") if planar else None
        return hs.Model(
            *(
                hs.Body(n, mass=masses[n], com=tuple(coms[n]), inertia=tuple(inertia[n]),
                        frames={"foot": tuple(frames[n])} if n in frames else {})
                for n in names
            ),
            base or hs.Free("base", hs.WORLD, "trunk"),
            hs.Revolute("hip1", "trunk", hs.End("thigh1"), axis=joints[0]),
            hs.Revolute("knee1", hs.End("thigh1", (0, 0, -scale)), "shank1", axis=joints[1]),
            hs.Revolute("hip2", "trunk", hs.End("thigh2"), axis=joints[2]),
            hs.Revolute("knee2", hs.End("thigh2", (0, 0, -scale)), "shank2", axis=joints[3]),
        )  # fmt: skip

    first = made({})
    q = random.normal(size=len(first.coordinates)) * 0.6
    if not planar:
        q[3:7] /= np.linalg.norm(q[3:7])
    frames = {}
    for name in ("shank1", "shank2"):
        at = hs.compile(hs.pose(first, name))(q)
        here = np.asarray(at.p) + scale * random.normal(size=3)
        here[2] = 0.0
        if planar:
            here[1] = 0.0
        frames[name] = np.asarray(at.R).T @ (here - np.asarray(at.p))
    return made(frames), q


def held_speeds(model, q, random):
    """Random speeds with which the rows of all constraints are kept."""
    J = np.asarray(hs.compile(hs.constraints(model))(q, np.zeros(len(model.speeds))).J)
    rank = np.linalg.matrix_rank(J)
    Z = np.linalg.svd(J)[2][rank:].T
    return Z @ random.normal(size=Z.shape[1])


@pytest.mark.parametrize("seed", range(sample(6, 200)))
def test_it_agrees_with_pinned_feet_where_their_reactions_are_inside_the_limits(seed):
    random = np.random.default_rng(seed)
    scale, planar = 10.0 ** random.uniform(-2, 2), seed % 3 == 0
    model, q = walker(random, scale, planar)
    feet = ["shank1.foot", "shank2.foot"]
    free = hs.complementarity(model, feet, friction=2.0, touching=1e-6 * scale)
    both = model.pinned(feet[0], name="one").pinned(feet[1], name="two")
    dynamics = hs.compile(hs.forward_dynamics(both))
    rows, weight = hs.compile(hs.constraints(both)), sum(b.mass for b in model.bodies.values()) * 9.81
    axes = [0, 2] if planar else [0, 1, 2]
    for attempt in range(20):
        v = np.sqrt(scale) * held_speeds(both, q, random)
        tau = random.normal(size=len(v)) * weight * scale
        if attempt % 2:  # forces inside the limits, and efforts for which they are the reactions
            a, _ = dynamics(q, v, tau)
            given = np.abs(random.normal(size=(2, 1))) * weight * np.array([[1.0, 1.0, 1.0]])
            given[:, :2] *= random.uniform(-1.9, 1.9, size=(2, 2))
            tau = hs.compile(hs.inverse_dynamics(model))(q, v, a) - rows(q, v).J.T @ given[:, axes].ravel()
        a, lam = dynamics(q, v, tau)
        forces = np.zeros((2, 3))
        forces[:, axes] = np.asarray(lam).reshape(2, -1)
        solution = free(q, v, tau)
        laws(solution, 2.0, weight)
        if forces[:, 2].min() > 0 and (np.abs(forces[:, :2]).max(axis=1) < 2.0 * forces[:, 2]).all():
            assert set(solution.states.values()) == {"stick"}
            assert solution.unique or solution.others  # with much friction other motions may be possible
            size = max(np.abs(a).max(), 9.81 / scale)
            assert np.abs(solution.a - a).max() < 1e-9 * size
            got = np.array([foot.force for foot in solution.feet.values()])
            assert np.abs(got - forces).max() < 1e-9 * max(weight, np.abs(forces).max())
        else:
            assert attempt % 2 == 0
            assert set(solution.states.values()) != {"stick"}


def laws(solution, mu, weight):
    """Signs, complementarity, the limits of friction, and that friction gives no energy."""
    size = max(weight, *(np.abs(foot.force).max() for foot in solution.feet.values()))
    fast = max(*(np.abs(foot.acceleration).max() for foot in solution.feet.values()), 9.81)
    for foot in solution.feet.values():
        force, a = foot.force, foot.acceleration
        assert force[2] >= 0 and a[2] >= -1e-8 * fast
        assert abs(force[2] * a[2]) <= 1e-8 * size * fast
        assert np.abs(force[:2]).max() <= mu * force[2] * (1 + 1e-9) + 1e-9 * size
        assert force[:2] @ foot.velocity[:2] <= 1e-12 * size
        if np.abs(foot.velocity[:2]).max() < 1e-6:
            assert (force[:2] * a[:2] <= 1e-8 * size * fast).all()
            if foot.state == "slide" and force[2] > 1e-9 * size:
                k = int(np.argmax(np.abs(a[:2])))
                assert abs(abs(force[k]) - mu * force[2]) < 1e-8 * size


@pytest.mark.parametrize("seed", range(sample(20, 200)))
def test_a_block_pulled_anywhere_keeps_the_laws(seed):
    random = np.random.default_rng(seed)
    mass, size, mu = 10.0 ** random.uniform(-3, 3), 10.0 ** random.uniform(-2, 2), random.uniform(0, 1.5)
    feet = hs.complementarity(block(0.3 * size, mass, size), FEET, friction=mu, touching=1e-6 * size)
    q = LYING.copy()
    q[2] = 0.3 * size
    seen = set()
    for _ in range(30):
        tau = mass * 9.81 * random.normal(size=6) * np.array([0.3 * size] * 3 + [0.5] * 3)
        v = np.zeros(6) if random.uniform() < 0.7 else np.array([0, 0, 0, *random.normal(size=2), 0])
        solution = feet(q, v, tau)
        laws(solution, mu, mass * 9.81)
        seen |= set(solution.states.values())
        total = sum(foot.force for foot in solution.feet.values())
        gravity = np.array([0, 0, -9.81 * mass])
        assert np.allclose(mass * solution.a[3:], tau[3:] + total + gravity, rtol=0, atol=1e-8 * mass * 9.81)
    assert "lift" in seen and "slide" in seen


@pytest.mark.parametrize("degrees", [0, 5, 20, 30, 44])
def test_a_slope_holds_what_friction_can(degrees):
    """CASES: it sticks iff tan α ≤ μ; at 30° with μ = 0.4 it begins with 1.5067163155 m/s²."""
    angle = np.radians(degrees)
    ground = hs.WORLD.at(0, 0, 0, rpy=(0, angle, 0))
    q = np.array([0.1 * np.sin(angle), 0, 0.1 * np.cos(angle), np.cos(angle / 2), 0, np.sin(angle / 2), 0])
    for mu in (0.05, 0.2, 0.4, 0.6, 1.0):
        solution = hs.complementarity(block(), FEET, friction=mu, ground=ground)(q)
        expected = max(0.0, 9.81 * (np.sin(angle) - mu * np.cos(angle)))
        assert abs(solution.a[3] - expected) < 1e-9
        assert set(solution.states.values()) == {"stick" if np.tan(angle) <= mu else "slide"}
        if (degrees, mu) == (30, 0.4):
            assert abs(solution.a[3] - 1.5067163155) < 1e-9


def test_a_cube_tips_before_it_slides_iff_friction_is_above_one():
    cube = hs.Model(
        hs.Body("b", mass=1.0, inertia=(1 / 6,) * 3, frames={f"c{k}": (x, y, -0.5) for k, (x, y) in
                enumerate([(0.5, 0.5), (0.5, -0.5), (-0.5, 0.5), (-0.5, -0.5)])}),
        hs.Free("f", hs.WORLD, "b"),
    )  # fmt: skip
    q = np.array([0, 0, 0.5, 1.0, 0, 0, 0])
    for mu, push in ((0.9, 9.81 * 0.95), (1.1, 9.81 * 1.05)):
        solution = hs.complementarity(cube, FEET, friction=mu)(q, tau=[0, 0, 0, push, 0, 0])
        turned = abs(solution.a[1]) > 1e-6
        assert turned == (mu > 1.0)
        assert ("lift" in solution.states.values()) == (mu > 1.0)


def test_other_constraints_are_kept_and_redundant_ones_do_no_harm():
    rail = lambda s: [s["f.vy"], 2 * s["f.vy"], s["f.wz"]]  # noqa: E731
    model = block() + hs.Constraint("rail", speeds=rail)
    solution = hs.complementarity(model, FEET, friction=0.3)(LYING, tau=[0, 0, 4, 10, 50, 0])
    assert abs(solution.a[4]) < 1e-12 and abs(solution.a[2]) < 1e-12
    assert abs(solution.a[3] - (10 - 0.3 * 2 * 9.81) / 2) < 1e-9


def test_feet_above_the_ground_have_no_force():
    q = LYING.copy()
    q[2] = 0.2
    solution = hs.complementarity(block(), FEET)(q)
    assert set(solution.states.values()) == {"apart"} and abs(solution.a[5] + 9.81) < 1e-12
    rising = hs.complementarity(block(), FEET)(LYING, [0, 0, 0, 0, 0, 0.1])
    assert set(rising.states.values()) == {"lift"} and abs(rising.a[5] + 9.81) < 1e-12


def test_it_takes_a_state_friction_by_name_and_survives_pickling():
    model = block()
    feet = hs.complementarity(model, FEET, friction={"b.c0": 0.5, "b.c1": 0.5})
    state = hs.State(model.coordinates, model.speeds, LYING)
    assert feet.friction["b.c3"] == 0.0
    again = pickle.loads(pickle.dumps(feet))
    assert np.array_equal(again(state).a, feet(LYING).a)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda m: hs.complementarity(m, ["b.c9"]), "c9"),
        (lambda m: hs.complementarity(m, []), "feet are"),
        (lambda m: hs.complementarity(m, ["b.c0", "b.c0"]), "each once"),
        (lambda m: hs.complementarity(m, FEET, friction=-1), "0 or more"),
        (lambda m: hs.complementarity(m, FEET, friction={"b.c7": 1}), "no foot"),
        (lambda m: hs.complementarity(m, FEET, touching=0), "more than 0"),
        (lambda m: hs.complementarity(m, FEET)([1, 2]), "7 finite numbers"),
        (lambda m: hs.complementarity(m, FEET)(LYING, [0, 0, 0, 0, 0, -1]), "comes nearer"),
        (lambda m: hs.complementarity(m, FEET)(LYING * [1, 1, 0.5, 1, 1, 1, 1]), "below the ground"),
        (lambda m: hs.complementarity(m + hs.Drive("d", "f.x", position=0.0), FEET), "drive"),
        (lambda m: hs.complementarity(m, FEET)("x"), "q must be numbers"),
        (lambda m: hs.complementarity(m, FEET)(LYING, None, "x"), "tau must be numbers"),
        (lambda m: hs.complementarity(block(mass=0.0), FEET)(LYING), "no mass"),
    ],
    ids=range(13),
)
def test_what_is_wrong_is_one_line(call, message):
    with pytest.raises(hs.Error, match=message) as problem:
        call(block())
    assert len(str(problem.value).splitlines()) == 1


def rod(friction, spin):
    """A leaning rod that slides on its tip with 1 m/s, and turns."""
    body = hs.Body("rod", mass=1.0, inertia=(0.01, 0.01, 0.01), frames={"tip": (0.2, 0, -0.5)})
    model = hs.Model(body, hs.Chain("rod", hs.WORLD, "rod", "Tx Tz Ry"))
    feet = hs.complementarity(model, ["rod.tip"], friction)
    return feet([0.0, 0.5, 0.0], [1.0 + 0.5 * spin, 0.2 * spin, spin])


def test_painleves_paradox_is_told():
    """The tip rises by b without a force and by A F with one; with much friction A is negative.

    Then a tip that would come nearer has no force, and one that would rise has two motions.
    """
    tip = 0.2 - 1.0 * 0.5  # the arm of the force (-μ, 1) of the ground
    A, b = 1.0 + 0.2 * tip / 0.01, 0.5 * 64.0 - 9.81
    assert A < 0.0 < b
    both = rod(1.0, 8.0)
    assert both.states == {"rod.tip": "lift"} and both.a[1] == pytest.approx(-9.81)
    [pressed] = both.others
    assert pressed[1] == pytest.approx(-b / A - 9.81) and not both.unique
    with pytest.raises(hs.SolveError, match="no forces of the feet meet all conditions"):
        rod(1.0, 0.0)
    one = rod(0.1, 8.0)
    assert one.unique and one.others == ()
