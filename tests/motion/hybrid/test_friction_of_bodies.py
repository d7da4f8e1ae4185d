"""Impacts with friction of several points of one body, against all modes of a planar impact tried in turn."""

import itertools

import numpy as np
import pytest

import hapsis as hs

SOON = 1e-3
PLANAR = "Tx Tz Ry"


def bar(points):
    frames = {name: (x, 0, -0.1) for name, x in points.items()}
    body = hs.Body("bar", mass=1.0, inertia=(0.05, 0.05, 0.05), frames=frames)
    return hs.Model(body, hs.Chain("r", hs.WORLD, "bar", PLANAR), gravity=(0, 0, 0))


def blow(model, points, friction, start, after=None):
    """Impulses (x, z) by point, speeds after the blow, its loss, and J, M and the speeds before."""
    now = {"when": lambda s: s.since - SOON, "rising": True, "during": "p", "to": "q"}
    event = hs.Event("x", **now, then=hs.impact(list(points), friction=friction))
    hybrid = hs.Hybrid({"p": model, "q": after or model}, [event])
    run = hs.simulate(hybrid, 2 * SOON, start, tolerance=1e-12)
    assert run.status == "done", run.message
    rows = np.flatnonzero(run.t == run.events[0].time)
    q, before, speeds = (
        np.array([run[name][k] for name in names])
        for names, k in ((model.coordinates, rows[0]), (model.speeds, rows[0]), (model.speeds, rows[-1]))
    )
    M = np.asarray(hs.compile(hs.mass_matrix(model))(q))
    J = np.vstack([np.asarray(hs.compile(hs.jacobian(model, p))(q))[[3, 5]] for p in sorted(points)])
    given = run.events[0].impulses
    ends = "impact" if after is None else "pin"
    link = " " if after is None else "."
    impulses = np.array([given[f"{p}{link}{ends}.{x}"] for p in sorted(points) for x in "xz"])
    return impulses, speeds, run.events[0].loss, (M, J, before)


def coulomb(M, J, v, mu):
    """The speeds of all planar impacts of which each point parts, sticks or slides to one side."""
    W, s, found = J @ np.linalg.solve(M, J.T), J @ v, []
    for modes in itertools.product("os+-", repeat=len(J) // 2):
        A, b = np.zeros_like(W), np.zeros(len(W))
        for p, mode in enumerate(modes):
            x, z = 2 * p, 2 * p + 1
            A[x, x], A[z, z] = 1.0, 1.0
            if mode == "o":
                continue
            A[z], b[z] = W[z], -s[z]
            if mode == "s":
                A[x], b[x] = W[x], -s[x]
            else:
                A[x, z] = mu if mode == "+" else -mu
        impulses = np.linalg.lstsq(A, b, rcond=1e-12)[0]
        u = s + W @ impulses
        fits = np.abs(A @ impulses - b).max() < 1e-10 and u[1::2].min() > -1e-10
        fits &= impulses[1::2].min() >= -1e-12
        fits &= bool((np.abs(impulses[::2]) <= mu * impulses[1::2] + 1e-12).all())
        signs = {"o": 0.0, "s": 0.0, "+": 1.0, "-": -1.0}
        fits &= all(signs[mode] * u[2 * p] >= -1e-12 for p, mode in enumerate(modes))
        if fits:
            found.append(v + np.linalg.solve(M, J.T @ impulses))
    return found


def test_both_feet_slide_with_all_their_friction():
    model = bar({"a": 0.5, "b": -0.5})
    for points in (["bar.a", "bar.b"], ["bar.b", "bar.a"]):
        impulses, speeds, loss, _ = blow(model, points, 0.3, {"r.Tz.v": -0.2, "r.Tx.v": 2.0})
        # the sum along is -0.3 · 0.2; it turns the bar by 0.1 · 0.06, which the normals take by 0.5 (a - b)
        assert impulses == pytest.approx([-0.0318, 0.106, -0.0282, 0.094], abs=1e-12)
        assert speeds == pytest.approx([1.94, 0.0, 0.0], abs=1e-12)
        assert loss == pytest.approx(0.5 * 4.04 - 0.5 * 1.94**2, abs=1e-12)


@pytest.mark.parametrize(("friction", "speed"), [(1.0, 0.15), (2.0, 0.3)])
def test_what_is_too_much_for_one_foot_the_other_holds(friction, speed):
    model = bar({"a": 0.5, "b": -0.5})
    impulses, speeds, _, _ = blow(model, ["bar.a", "bar.b"], friction, {"r.Tz.v": -0.2, "r.Tx.v": speed})
    assert speeds == pytest.approx([0.0, 0.0, 0.0], abs=1e-12)
    assert (np.abs(impulses[::2]) <= friction * impulses[1::2] + 1e-12).all()


@pytest.mark.parametrize("count", [2, 3])
def test_no_order_of_points_counts(count):
    """Random blows of two or three points are those of Coulomb, momentum is kept, energy does not grow."""
    draw = np.random.default_rng(count)
    model = bar(dict(zip("abc"[:count], (0.5, -0.5, 0.1), strict=False)))
    points = [f"bar.{name}" for name in "abc"[:count]]
    for k in range(8):
        mu = float(draw.choice([0.1, 0.3, 0.6, 1.0]))
        v = draw.uniform(-1, 1, 3)
        v[1] = -abs(v[1]) - k % 2
        start = {"r.Ry": 0.0 if k % 3 else draw.uniform(-0.5, 0.5)}
        start |= dict(zip(model.speeds, v.tolist(), strict=True))
        impulses, speeds, loss, (M, J, before) = blow(model, points, mu, start)
        scale = np.abs(M @ before).max()
        assert np.abs(M @ (speeds - before) - J.T @ impulses).max() < 1e-12 * scale
        assert loss >= 0.0
        gaps = [np.abs(speeds - each).max() for each in coulomb(M, J, before, mu)]
        assert min(gaps) < 1e-9
        again = blow(model, points[::-1], mu, start)
        assert np.abs(again[0] - impulses).max() < 1e-9 * scale and np.abs(again[1] - speeds).max() < 1e-11


def test_a_blow_does_not_depend_on_the_one_before():
    """A bent pair of bars is struck in the same way after a flat one as after a bent one."""
    inertia = (0.05, 0.05, 0.05)
    model = hs.Model(
        hs.Body("u", mass=1.0, inertia=inertia, frames={"a": (-0.5, 0, 0)}),
        hs.Body("w", mass=1.0, inertia=inertia, frames={"b": (0.5, 0, 0)}),
        hs.Chain("r", hs.WORLD, "u", PLANAR),
        hs.Revolute("h", "u", "w", axis="y"),
        gravity=(0, 0, 0),
    )
    bent = {"r.Ry": -0.6, "h": 1.2, "r.Tx.v": 1.0, "r.Tz.v": -1.0, "r.Ry.v": 0.3, "h.v": 0.2}
    now = {"when": lambda s: s.since - 0.1, "rising": True}
    then = hs.impact(["u.a", "w.b"], friction=0.5)
    hybrid = hs.Hybrid(
        {"p": model, "q": model},
        [
            hs.Event("hit", **now, during="p", to="q", then=then),
            hs.Event("back", **now, during="q", to="p", then=hs.reset(bent)),
        ],
    )
    blows = []
    for first in ({"r.Tz.v": -1.0, "r.Tx.v": 1.0}, bent):
        run = hs.simulate(hybrid, 0.35, first, tolerance=1e-12)
        blows.append([event for event in run.events if event.name == "hit"][1].impulses)
    assert blows[0] == pytest.approx(blows[1], abs=1e-9)
    for point in ("u.a", "w.b"):  # both slide to the same side
        x, z = (blows[0][f"{point} impact.{n}"] for n in "xz")
        assert x == pytest.approx(-0.5 * z, abs=1e-9) and z > 0.1


@pytest.mark.parametrize(("speed", "held"), [(0.08, True), (0.099, True), (-0.099, True), (0.101, False)])
def test_a_sole_is_held_as_far_as_friction_can(speed, held):
    """Heel and toe that the next phase pins: together they hold 0.5 · 0.2 N s."""
    model = bar({"a": 0.5, "b": -0.5})
    pinned = model.pinned("bar.a").pinned("bar.b")
    start = {"r.Tz.v": -0.2, "r.Tx.v": speed}
    if held:
        impulses, speeds, _, _ = blow(model, ["bar.a", "bar.b"], 0.5, start, pinned)
        assert speeds == pytest.approx([0.0, 0.0, 0.0], abs=1e-12)
        turn = 0.1 * speed
        assert impulses[::2].sum() == pytest.approx(-speed, abs=1e-12)
        assert impulses[1::2] == pytest.approx([0.1 + turn, 0.1 - turn], abs=1e-12)
        assert (np.abs(impulses[::2]) <= 0.5 * impulses[1::2] + 1e-12).all()
        return
    now = {"when": lambda s: s.since - SOON, "rising": True, "during": "p", "to": "q"}
    event = hs.Event("x", **now, then=hs.impact(["bar.a", "bar.b"], friction=0.5))
    run = hs.simulate(hs.Hybrid({"p": model, "q": pinned}, [event]), 2 * SOON, start)
    assert run.status == "contradiction" and "friction of the impact does not hold it" in run.message


@pytest.mark.parametrize("friction", [0.3, 0.6])
def test_a_point_that_parts_is_not_struck(friction):
    rod = hs.Body("rod", mass=1.0, inertia=(0.01, 0.01, 0.01), frames={"tip": (0.2, 0, -0.5)})
    model = hs.Model(rod, hs.Chain("r", hs.WORLD, "rod", PLANAR), gravity=(0, 0, 0))
    impulses, speeds, loss, _ = blow(model, ["rod.tip"], friction, {"r.Tz.v": 0.1, "r.Tx.v": 1.0})
    assert not impulses.any() and loss == 0.0
    assert speeds == pytest.approx([1.0, 0.1, 0.0], abs=1e-15)
