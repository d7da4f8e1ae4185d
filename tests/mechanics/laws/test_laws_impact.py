"""Laws of impacts: momentum, the rates of rows after them, energy; random trees and all kinds of rows."""

import random
from itertools import pairwise

import numpy as np
import pytest
import trees
from closed_states import MECHANISMS, RANK, assembled, drifts, one, written
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from trees import close

import hapsis as hs
from hapsis.mechanics.formalisms.constraints.impact import Foot, impact
from hapsis.mechanics.formalisms.constraints.row_names import constraint_names
from hapsis.motion.analysis.assembly.loop_numbers import Loops
from hapsis.motion.analysis.assembly.reduce import best_partition

DRAWS = st.randoms(use_true_random=False)


def caught(model, q, v, e=(), feet=(), mu=()):
    """What the Function says at one state, with restitution {row: e}."""
    part = best_partition(Loops(model), q)
    names = tuple(dict(e))
    f = impact(model, part, names, feet)
    return one(f, q, v, e=list(dict(e).values()), mu=list(mu))


def rowed(draw):
    """A random tree caught by some rows: pulled strings, gears, rows of speeds; with a state."""
    tree = trees.model(draw, most=4, kinds=trees.KINDS, massless=False)
    assume(len(tree.speeds) >= 2)
    facts, bodies = [], [name for name in tree.bodies if name != "world"]
    for k in range(draw.randint(1, 2)):
        at = hs.WORLD.at(*(draw.uniform(-1, 1) for _ in range(3)))
        facts.append(hs.Distance(f"string{k}", (draw.choice(bodies), (0.3, 0.2, k)), at, 1.3))
    pair, slope = draw.sample(tree.speeds, 2), draw.uniform(-2, 2)

    def speeds(s, pair=tuple(pair), slope=slope):
        return s[pair[0]] - (slope + hs.sin(s[tree.coordinates[0]])) * s[pair[1]]

    if draw.random() < 0.5:
        facts.append(hs.Constraint("rate", speeds=speeds))
    q, v, _ = trees.states(tree, draw, 1)
    model = hs.Model(*tree.facts, *facts, parameters=tree.parameters)
    try:
        written(model)
    except hs.ModelError:  # a string to a point that never moves
        assume(False)
    return model, q[0], v[0]


def matrices(model, q):
    """M and J."""
    rows, mass_matrix, _ = written(model)
    return one(mass_matrix, q), one(rows, q, np.zeros(len(model.speeds))).J


def energy(M, v):
    """Of the speeds v."""
    return v @ M @ v / 2


def well_posed(M, J):
    """Whether plain linear algebra tells anything."""
    sizes = np.linalg.svd(J, compute_uv=False)
    return len(J) < len(M) and sizes[-1] > 1e-3 * sizes[0] and np.linalg.cond(M) < 1e5


@settings(max_examples=25)
@given(DRAWS)
def test_as_by_the_system_of_multipliers(draw):
    """[P, -Jᵀ; J, 0] (v⁺; Λ) = (P v⁻; -e J v⁻), solved by NumPy."""
    model, q, v = rowed(draw)
    M, J = matrices(model, q)
    assume(well_posed(M, J))
    e, n, m = draw.choice((0.0, 0.3, 1.0)), len(M), len(J)
    after = caught(model, q, v, dict.fromkeys(constraint_names(model), e))
    K = np.block([[M, -J.T], [J, np.zeros((m, m))]])
    x = np.linalg.solve(K, np.concatenate([M @ v, -e * (J @ v)]))
    scale = max(1.0, np.linalg.cond(K) * 1e-4)
    close(after.v, x[:n], v, gate=1e-11 * scale)
    close(after.lam, x[n:], M @ v, gate=1e-11 * scale)
    assert after.share == pytest.approx(1.0, abs=1e-9)


@settings(max_examples=25)
@given(DRAWS)
def test_momentum_rates_and_energy(draw):
    """P (v⁺ - v⁻) = Jᵀ Λ, J v⁺ = -share e J v⁻ row by row, and no energy is added."""
    model, q, v = rowed(draw)
    M, J = matrices(model, q)
    assume(well_posed(M, J))
    names = constraint_names(model)
    e = {name: draw.choice((0.0, 0.5, 1.0, draw.random())) for name in names}
    after = caught(model, q, v, e)
    close(M @ (after.v - v), J.T @ after.lam, M @ v, J.T * after.lam, gate=1e-12)
    close(J @ after.v, -after.share * np.array(list(e.values())) * (J @ v), J * v, J * after.v, gate=1e-11)
    assert energy(M, after.v) <= energy(M, v) * (1 + 1e-11)
    assert 0.0 <= after.share <= 1.0
    if len(set(e.values())) == 1:
        assert after.share == pytest.approx(1.0, abs=1e-9)


@pytest.mark.parametrize("name", MECHANISMS)
def test_loops_gears_and_rolling(name):
    """Rows may be redundant, bodies massless, rows move: v⁺ by a basis of free motions, Λ of least norm."""
    model = MECHANISMS[name]()
    rows, *_ = written(model)
    for seed in range(2):
        q, draw = assembled(model, seed), np.random.default_rng(seed)
        (M, J), v = matrices(model, q), draw.normal(size=len(model.speeds))
        drift = drifts(rows, q, len(v))
        after = caught(model, q, v)
        U, s, V = np.linalg.svd(J)
        rank = int((s > RANK * s[0]).sum())
        w = -V[:rank].T @ ((U[:, :rank].T @ drift) / s[:rank])
        Z = V[rank:].T
        held = {model.speeds.index(f"{d.joint}.v") for d in model.drives.values()}
        if not held:
            close(after.v, w + Z @ np.linalg.solve(Z.T @ M @ Z, Z.T @ M @ (v - w)), v, gate=1e-8)
            close(M @ (after.v - v), J.T @ after.lam, M @ v, J.T * after.lam, gate=1e-9)
            close(after.lam, np.linalg.pinv(J.T, rcond=RANK) @ (M @ (after.v - v)), gate=1e-7)
        close(J @ after.v, -drift, J * after.v, J * v, gate=1e-9)


def walker(foot_mass):
    """Two legs and a hip in the plane, the first foot caught by the ground."""
    legs = [hs.Body(f"foot{k}", foot_mass) for k in range(2)]
    return hs.Model(
        hs.Body("hip", 1.0),
        *legs,
        hs.Chain("base", hs.WORLD, "hip", "Tx Tz"),
        hs.Revolute("one", "hip", ("foot0", (0, 0, 1.0)), axis="y"),
        hs.Revolute("two", "hip", ("foot1", (0, 0, 1.0)), axis="y"),
        hs.Constraint("foot", speeds=pinned),
    )


def pinned(s):
    """The velocity of a foot 1 m below the hip, in the axes of the world."""
    angle, rate = s["one"], s["one.v"]
    return [s["base.Tx.v"] - hs.cos(angle) * rate, s["base.Tz.v"] + hs.sin(angle) * rate]


def leg(angle):
    """From a foot to the hip."""
    return np.array([np.sin(angle), np.cos(angle)])


def along(angle):
    """The velocity of the hip about a foot, per rad/s; of a foot about the hip, the opposite."""
    return np.array([np.cos(angle), -np.sin(angle)])


def cross(r, x):
    """The moment about y."""
    return r[1] * x[0] - r[0] * x[1]


@pytest.mark.parametrize("foot", [0.3, 1e-3, 1e-10])
def test_feet_without_mass(foot):
    """As by hand: the hip turns about the new foot, and the other foot keeps its moment about the hip."""
    draw = random.Random(4)
    model = walker(foot)
    for _ in range(20):
        q = np.array([draw.uniform(-0.5, 0.5) for _ in model.coordinates])
        v = np.array([draw.uniform(-1, 1) for _ in model.speeds])
        at = {name: k for k, name in enumerate(model.coordinates)}
        after = caught(model, q, v)
        M, J = matrices(model, q)
        close(M @ (after.v - v), J.T @ after.lam, gate=1e-12)
        close(J @ after.v, np.zeros(len(J)), gate=1e-12)
        # moments about the new foot of all, about the hip of the swinging leg
        a, b = q[at["one"]], q[at["two"]]
        hip = v[[at["base.Tx"], at["base.Tz"]]]
        u = v[at["two"]]
        r2 = leg(a) - leg(b)
        before = cross(leg(a), hip) + foot * cross(r2, hip - along(b) * u)
        about_hip = foot * cross(-leg(b), hip - along(b) * u)
        hip_after = along(a) * after.v[at["one"]]
        u_after = after.v[at["two"]]
        close(before, cross(leg(a), hip_after) + foot * cross(r2, hip_after - along(b) * u_after), gate=1e-12)
        close(about_hip / foot, cross(-leg(b), hip_after - along(b) * u_after), gate=1e-12)


@settings(max_examples=25)
@given(DRAWS)
def test_friction_limits_the_tangential_impulse(draw):
    """|Λ_t| <= μ Λ_n: sticking where that holds, else sliding just at the limit, and no energy is added."""
    maker = trees.Maker(draw, formulas=0.0)
    names = [f"b{k}" for k in range(draw.randint(1, 4))]
    model = hs.Model(
        *map(maker.body, names),
        hs.Chain("base", hs.WORLD, names[0], "Tx Ty Tz Rz Ry Rx"),
        *(
            maker.joint(draw.choice(("Revolute", "Ball", "Universal", "Prismatic")), f"j{k}", first, second)
            for k, (first, second) in enumerate(pairwise(names))
        ),
        hs.Constraint("foot", speeds=lambda s: [s["base.Tx.v"], s["base.Ty.v"], s["base.Tz.v"]]),
    )
    q, v, _ = (x[0] for x in trees.states(model, draw, 1))
    q[4] = 0.4 * draw.random()  # away from where Rz and Rx are one axis
    v[2] = -abs(v[2]) - 0.1
    M, J = matrices(model, q)
    assume(np.linalg.cond(M) < 1e5)
    names = constraint_names(model)
    mu, e = draw.choice((0.0, 0.2, 1.0, 5.0)), draw.choice((0.0, 0.5, 1.0))
    foot = Foot(names[2], names[:2])
    after = caught(model, q, v, {names[2]: e}, (foot,), (mu,))
    close(M @ (after.v - v), J.T @ after.lam, M @ v, J.T * after.lam, gate=1e-12)
    assert energy(M, after.v) <= energy(M, v) * (1 + 1e-11)
    t, n = np.hypot(*after.lam[:2]), after.lam[2]
    assert t <= mu * max(n, 0.0) + 1e-10 * np.abs(M @ v).max()
    if after.stick == 1.0:
        close((J @ after.v)[:2], np.zeros(2), v, gate=1e-11)
    elif after.stick > 0.0:
        close(t, mu * n, after.lam, gate=1e-10)


def test_a_ball_by_hand():
    """A ball with spin on the ground: it sticks as a rolling one, or slides with μ of the normal impulse."""
    model = hs.Model(
        hs.Body("ball", 2.0, inertia=(0.05, 0.05, 0.05)),
        hs.Chain("base", hs.WORLD, "ball", "Tx Tz Ry"),
        hs.Constraint("foot", speeds=lambda s: [s["base.Tx.v"] - 0.2 * s["base.Ry.v"], s["base.Tz.v"]]),
    )
    q, v, foot = np.zeros(3), np.array([1.0, -3.0, 2.0]), Foot("foot.v2", ("foot.v1",))
    for mu, e in ((5.0, 0.5), (0.05, 0.5), (0.0, 0.0)):
        after = caught(model, q, v, {"foot.v2": e}, (foot,), (mu,))
        normal = 2.0 * 3.0 * (1 + e)
        stuck = -(v[0] - 0.2 * v[2]) / (1 / 2.0 + 0.2**2 / 0.05)
        t = stuck if abs(stuck) <= mu * normal else np.sign(stuck) * mu * normal
        close(after.lam, [t, normal], gate=1e-14)
        close(after.v, [1.0 + t / 2, 3 * e, 2.0 - 0.2 * t / 0.05], gate=1e-14)


def test_what_is_refused():
    model = walker(1.0)
    part = best_partition(Loops(model), np.zeros(4))
    with pytest.raises(hs.ModelError, match=r'no constraint row "foot\.v3"'):
        impact(model, part, ("foot.v3",))
    free = hs.Model(*(f for f in model.facts if f.name != "foot"))
    with pytest.raises(hs.ModelError, match="nothing catches"):
        impact(free, part._replace(dependent=(), rows=()))
    fewer = part._replace(dependent=part.dependent[:1], rows=part.rows[:1])
    with pytest.raises(hs.ModelError, match="is redundant in this pose"):
        impact(model, fewer, (), (Foot(part.rows[1], ()),))
