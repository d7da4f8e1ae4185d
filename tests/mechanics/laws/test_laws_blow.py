"""Laws of blows: no ground pulls, no point goes in, momentum balances, energy never grows."""

import itertools

import numpy as np
import pytest

import hapsis as hs
from hapsis.mechanics.formalisms.constraints.blow import blow
from hapsis.mechanics.formalisms.constraints.impact import Foot
from hapsis.mechanics.formalisms.constraints.partition import Partition
from hapsis.mechanics.formalisms.constraints.row_names import constraint_names

STATES = 300
CLOSE = 1e-11  # of the speeds before


def thrown(count, legs, size, draw):
    """A body with points, or with points on legs; its points, and the poses of the base of its joints."""
    frames = {f"h{k}": (*draw.uniform(-size, size, 2), draw.uniform(-0.5, 0.0) * size) for k in range(count)}
    inertia = tuple(np.array([0.1, 0.12, 0.15]) * size**2)
    facts = [hs.Body("b", mass=1.0, inertia=inertia, frames=frames), hs.Free("f", hs.WORLD, "b")]
    for k in range(count if legs else 0):
        axis = tuple(draw.uniform(-1, 1, 3))
        shape = dict(inertia=tuple(0.1 * x for x in inertia), frames={"foot": (0, 0, -0.3 * size)})
        facts.append(hs.Body(f"l{k}", mass=draw.uniform(0.05, 1.0), com=(0, 0, -0.1 * size), **shape))
        facts.append(hs.Revolute(f"j{k}", f"b.h{k}", f"l{k}", axis=axis))
    return hs.Model(*facts, gravity=(0, 0, 0)), [f"l{k}.foot" if legs else f"b.h{k}" for k in range(count)]


def states(model, size, draw):
    """Random poses and speeds."""
    for _ in range(STATES):
        q = draw.uniform(-0.5, 0.5, len(model.coordinates))
        q[3:7] += [1.0, 0.0, 0.0, 0.0]
        q[3:7] /= np.linalg.norm(q[3:7])
        v = draw.normal(size=len(model.speeds)) * 10.0 ** draw.uniform(-1, 1)
        v[3:6] *= size
        yield q, v


def by_all_cases(M, J, v):
    """The speeds after a blow without restitution and friction: the case in which all is as it should be."""
    W, count = np.linalg.solve(M, J.T), len(J)
    for some in itertools.chain(*(itertools.combinations(range(count), k) for k in range(count + 1))):
        S, lam = list(some), np.zeros(count)
        lam[S] = np.linalg.solve((J @ W)[np.ix_(S, S)], -(J @ v)[S])
        if lam.min() >= 0.0 and (J @ (v + W @ lam)).min() >= -1e-10 * np.abs(J @ v).max():
            return v + W @ lam
    raise AssertionError("no case is possible")


@pytest.mark.parametrize("friction", [False, True])
@pytest.mark.parametrize(("count", "legs", "size"), [(1, False, 1e-6), (2, False, 1.0), (3, True, 1e3)])
def test_nothing_is_pulled_goes_in_or_gains(count, legs, size, friction):
    draw = np.random.default_rng(count)
    model, points = thrown(count, legs, size, draw)
    whole, feet = model, []
    for point in points:
        whole = whole.pinned(point, name=f"{point} ground")
        feet.append(Foot(f"{point} ground.z", tuple(f"{point} ground.{x}" for x in "xy") if friction else ()))
    if friction and not legs:  # two points of one body: their distance is no row
        feet[1:] = [foot._replace(tangential=foot.tangential[:1]) for foot in feet[1:]]
    f = hs.compile(blow(whole, Partition((), ()), feet, friction))
    names, mass = constraint_names(whole), hs.compile(hs.mass_matrix(model))
    places = [hs.compile(hs.jacobian(model, point)) for point in points]
    for q, v in states(model, size, draw):
        e, mu = draw.choice([0.0, 0.4, 1.0]), draw.choice([0.0, 0.2, 1.0, 10.0])
        after, lam = f(q=q, v=v, e=[e] * count, **({"mu": [mu] * count} if friction else {}))
        M, rows = np.asarray(mass(q)), np.array([np.asarray(place(q))[3:] for place in places])
        at = dict(zip(names, lam, strict=True))
        impulses = np.array([[at[f"{point} ground.{x}"] for x in "xyz"] for point in points])
        unit, normal = np.abs(impulses).max() + 1e-300, impulses[:, 2]
        assert normal.min() >= -CLOSE * unit
        assert (np.hypot(*impulses.T[:2]) <= mu * normal + CLOSE * unit).all()
        goes, went = rows[:, 2] @ after, rows[:, 2] @ v
        assert goes.min() >= -CLOSE * np.abs(rows[:, 2] * after).sum(axis=1).max()
        gained = np.einsum("pik,pi->k", rows, impulses)
        parts = np.abs(M * (np.abs(after) + np.abs(v))).sum(axis=1)
        assert (np.abs(M @ (after - v) - gained) <= 1e-12 * parts).all()
        energies = [x @ M @ x for x in (v, after)]
        assert energies[1] <= energies[0] * (1.0 + 1e-11)
        if count == 1 and went[0] < 0 and not friction:
            assert goes[0] == pytest.approx(-e * went[0], rel=1e-9, abs=1e-12 * abs(went[0]))
        if e == 0.0 and (mu == 0.0 or not friction):
            off = np.linalg.cholesky(M).T @ (after - by_all_cases(M, rows[:, 2], v))
            assert np.linalg.norm(off) <= 1e-9 * np.sqrt(energies[0])


def test_four_corners_that_land_at_once():
    """Which corners share the load is not certain; that the block stops is."""
    corners = [(0.3, 0.2, 0), (0.3, -0.2, 0), (-0.3, 0.2, 0), (-0.3, -0.2, 0)]
    frames = {f"c{k}": corner for k, corner in enumerate(corners)}
    model = hs.Model(
        hs.Body("b", mass=2.0, inertia=(0.1, 0.2, 0.3), frames=frames), hs.Free("f", hs.WORLD, "b")
    )
    whole, feet = model, [Foot(f"g{k}.z", ()) for k in range(4)]
    for k in range(4):
        whole = whole.pinned(f"b.c{k}", name=f"g{k}")
    f = hs.compile(blow(whole, Partition((), ()), feet))
    q = [0, 0, 0, 1, 0, 0, 0]
    for e in (0.0, 0.5):
        after, lam = f(q=q, v=[0, 0, 0, 0.3, 0, -2.0], e=[e] * 4)
        assert after == pytest.approx([0, 0, 0, 0.3, 0, 2.0 * e], abs=1e-12)
        normal = np.array(lam)[[constraint_names(whole).index(foot.normal) for foot in feet]]
        assert normal.sum() == pytest.approx(4.0 * (1 + e)) and normal.min() >= -1e-12


@pytest.mark.parametrize("share", [1e-4, 1e-8, 1e-12])
@pytest.mark.parametrize("friction", [False, True])
def test_a_foot_of_next_to_no_mass_comes_up_as_it_should(share, friction):
    """Along the leg the foot meets the whole hip, across it next to nothing."""
    feet = dict(mass=share, com=(0, 0, -1.0), frames={"foot": (0, 0, -1.0)})
    model = hs.Model(
        hs.Body("hip", mass=1.0), hs.Body("left", **feet), hs.Body("right", **feet),
        hs.Chain("base", hs.WORLD, "hip", "Tx Tz"),
        hs.Revolute("l", "hip", "left", axis="y"), hs.Revolute("r", "hip", "right", axis="y"),
    ).pinned("right.foot", name="ground")  # fmt: skip
    foot = Foot("ground.z", ("ground.x",) if friction else ())
    f = hs.compile(blow(model, Partition((), ()), [foot], friction))
    q, v = [0.1, 0.98, -0.2, 0.2], [0.2, -0.1, 0.3, -0.4]
    after = f(q=q, v=v, e=[0.3], **({"mu": [0.5]} if friction else {})).v
    row = np.asarray(hs.compile(hs.jacobian(model, "right.foot"))(q))[[3, 5]]
    assert (row @ after)[1] == pytest.approx(-0.3 * (row @ v)[1], rel=1e-12)
    if friction:  # it sticks
        assert abs((row @ after)[0]) < 1e-12
