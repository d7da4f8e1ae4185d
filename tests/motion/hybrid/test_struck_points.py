"""Several points that hit at once: none is pulled, more than four are refused."""

import numpy as np
import pytest

import hapsis as hs


def struck(count):
    """Balls beside each other on sliders, which all hit at one moment, and what the impact names."""
    facts = []
    for k in range(count):
        facts += [hs.Body(f"b{k}", mass=1.0 + k), hs.Prismatic(f"z{k}", hs.WORLD, f"b{k}", axis="z")]
    model = hs.Model(*facts, gravity=(0, 0, 0))
    points = [f"b{k}" for k in range(count)]
    blow = hs.Event(
        "blow",
        when=lambda s: s.since - 0.1,
        rising=True,
        during="flight",
        to="then",
        then=hs.impact(points, restitution=0.5),
    )
    return hs.Hybrid({"flight": model, "then": model}, [blow]), model


@pytest.mark.parametrize("seed", range(3))
def test_each_of_four_is_struck_for_itself(seed):
    """Balls that come down bounce with half their speed; those that rise are left alone."""
    hybrid, model = struck(4)
    v = np.random.default_rng(seed).uniform(-1, 1, 4)
    run = hs.simulate(hybrid, 0.2, dict(zip(model.speeds, v.tolist(), strict=True)))
    after = [run[name][-1] for name in model.speeds]
    assert after == pytest.approx(np.where(v < 0, -0.5 * v, v).tolist(), abs=1e-12)
    normal = [run.events[0].impulses[f"b{k} impact.z"] for k in range(4)]
    wanted = np.where(v < 0, -1.5 * v, 0.0) * np.arange(1, 5)
    assert normal == pytest.approx(wanted.tolist(), abs=1e-12)


def test_five_are_refused():
    hybrid, _ = struck(5)
    with pytest.raises(hs.ModelError, match="5 points that nothing holds in one impact; expected at most 4"):
        hs.simulate(hybrid, 0.2)


@pytest.mark.parametrize("friction", [None, 0.3])
def test_a_body_lands_in_every_pose(friction):
    """A ball that turns by exactly a quarter from one bounce to the next: no speed of its own is upward."""
    ball = hs.Model(hs.Body("ball", mass=1.0, inertia=(0.1, 0.1, 0.1)), hs.Free("f", hs.WORLD, "ball"))
    bounce = hs.impact("ball", restitution=1.0, friction=friction)
    hybrid = hs.Hybrid(
        {"flight": ball}, [hs.Event("bounce", when=hs.height("ball"), falling=True, then=bounce)]
    )
    fall = np.sqrt(2 / 9.81)
    turn = np.pi / 2 / (2 * fall)
    start = {"f.z": 1.0, "f.qw": np.cos(turn * fall / 2), "f.qy": -np.sin(turn * fall / 2), "f.wy": turn}
    run = hs.simulate(hybrid, until=4 * fall, start=start, tolerance=1e-10)
    assert run.status == "done" and len(run.events) == 2
    assert run["f.z"][-1] == pytest.approx(1.0, abs=1e-9)


@pytest.mark.parametrize(("friction", "across"), [(None, ()), (0.5, (0.4, 0.0))])
def test_four_corners_share_a_load(friction, across):
    """A plate that lands flat: all corners have the same load."""
    corners = {f"c{k}": (x, y, 0) for k, (x, y) in enumerate([(1, 1), (1, -1), (-1, 1), (-1, -1)])}
    body = hs.Body("b", mass=1.0, inertia=(1, 1, 1), frames=corners)
    model = hs.Model(body, hs.Chain("f", hs.WORLD, "b", "Tx Tz Ry"), gravity=(0, 0, 0))
    points = [f"b.{name}" for name in corners]
    act = hs.impact(points, 0.5, friction=friction)
    lands = hs.Event("lands", lambda s: s.since - 0.1, rising=True, during="flight", to="then", then=act)
    hybrid = hs.Hybrid({"flight": model, "then": model}, [lands])
    for along in (0.0, *across):
        run = hs.simulate(hybrid, 0.2, {"f.Tz.v": -1.0, "f.Tx.v": along})
        assert run["f.Tz.v"][-1] == pytest.approx(0.5, abs=1e-12)
        assert run["f.Tx.v"][-1] == pytest.approx(0.0, abs=1e-12)
        given = run.events[0].impulses
        assert [given[f"{p} impact.z"] for p in points] == pytest.approx([0.375] * 4, abs=1e-12)
        if friction is not None:
            assert [given[f"{p} impact.x"] for p in points] == pytest.approx([-along / 4] * 4, abs=1e-12)


@pytest.mark.parametrize("seed", range(4))
def test_friction_holds_one_and_not_another(seed):
    """Balls that hit at one moment and do not feel each other get what each of them gets alone."""
    draw, count, mu, e = np.random.default_rng(seed), 2 + seed % 2, 0.4, (0.0, 0.6)[seed % 2]
    facts = []
    for k in range(count):
        facts += [hs.Body(f"b{k}", mass=10.0 ** draw.uniform(-2, 2))]
        facts += [hs.Chain(f"j{k}", hs.WORLD, f"b{k}", "Tx Ty Tz")]
    model = hs.Model(*facts, gravity=(0, 0, 0))
    act = hs.impact([f"b{k}" for k in range(count)], e, friction=mu)
    blow = hs.Event("blow", lambda s: s.since - 0.1, rising=True, during="flight", to="then", then=act)
    v = draw.uniform(-1, 1, (count, 3)) * [[10.0 ** -(k % 2)] * 2 + [1.0] for k in range(count)]
    v[:, 2] = -np.abs(v[:, 2]) - 0.3
    start = dict(zip(model.speeds, v.ravel().tolist(), strict=True))
    run = hs.simulate(hs.Hybrid({"flight": model, "then": model}, [blow]), 0.2, start)
    after = np.array([run[name][-1] for name in model.speeds]).reshape(count, 3)
    across = np.linalg.norm(v[:, :2], axis=1)
    left = np.maximum(0.0, 1.0 - mu * (1.0 + e) * -v[:, 2] / across)
    assert 0.0 in left and left.max() > 0.0
    assert np.allclose(after, np.column_stack([v[:, :2] * left[:, None], -e * v[:, 2]]), rtol=0, atol=1e-12)


@pytest.mark.parametrize(
    ("speed", "sticks"), [(0.3, {True}), (1.0, {True}), (3.0, {False}), (-2.0, {False, True})]
)
def test_a_point_sticks_or_slides_with_all_its_friction(speed, sticks):
    """A body on three legs of its own: at none there is slip with less friction than there may be."""
    mu = 0.15
    legs = [(f"l{k}", (np.cos(a), np.sin(a), 0)) for k, a in enumerate((0.3, 2.2, 4.5))]
    top = {f"h{k}": at for k, (_, at) in enumerate(legs)}
    facts = [hs.Body("b", mass=2.0, inertia=(0.4, 0.5, 0.6), frames=top), hs.Free("f", hs.WORLD, "b")]
    for k, (name, _) in enumerate(legs):
        facts += [hs.Body(name, mass=0.5, inertia=(0.02, 0.02, 0.01), frames={"foot": (0, 0, -0.5)})]
        facts += [hs.Universal(f"j{k}", f"b.h{k}", name, axes=("x", "y"))]
    model, points = hs.Model(*facts, gravity=(0, 0, 0)), [f"{name}.foot" for name, _ in legs]
    act = hs.impact(points, friction=mu)
    blow = hs.Event("blow", lambda s: s.since - 0.01, rising=True, during="flight", to="then", then=act)
    start = {
        "f.vz": -1.0,
        "f.vx": speed,
        "f.wz": 0.8 * speed,
        "f.wx": 0.1,
        "j0.Rx.v": 0.3,
        "j1.Ry.v": -0.5 * speed,
    }
    run = hs.simulate(hs.Hybrid({"flight": model, "then": model}, [blow]), 0.02, start, tolerance=1e-11)
    [event] = run.events
    rows = np.flatnonzero(run.t == event.time)
    q, before, after = (
        np.array([run[name][k] for name in names])
        for names, k in ((model.coordinates, rows[0]), (model.speeds, rows[0]), (model.speeds, rows[-1]))
    )
    J = np.vstack([np.asarray(hs.compile(hs.jacobian(model, p))(q))[3:] for p in points])
    impulse = np.array([event.impulses.get(f"{p} impact.{x}", 0.0) for p in points for x in "xyz"])
    M = hs.compile(hs.mass_matrix(model))(q)
    assert np.abs(M @ (after - before) - J.T @ impulse).max() < 1e-12 * np.abs(M @ before).max()
    assert after @ M @ after <= before @ M @ before
    kinds = set()
    for u, (x, y, z) in zip((J @ after).reshape(-1, 3), impulse.reshape(-1, 3), strict=True):
        slips, used = np.hypot(*u[:2]), np.hypot(x, y)
        assert u[2] > -1e-12 and z >= 0.0 and used <= mu * z + 1e-12
        assert slips < 1e-10 or used > mu * z - 1e-10
        kinds.add(bool(slips < 1e-10))
    assert kinds == sticks


BAR = {"a": (0.5, 0, -0.1), "b": (-0.5, 0, -0.1), "c": (0.1, 0.4, -0.1), "d": (0.2, -0.3, -0.1)}


def struck_body(points, friction, start, restitution=0.0, frames=BAR):
    """The impulses, the speeds after, and the loss of a body whose points hit at once."""
    body = hs.Body("bar", mass=1.0, inertia=(0.05, 0.05, 0.05), frames=frames)
    model = hs.Model(body, hs.Chain("r", hs.WORLD, "bar", "Tx Ty Tz Rx Ry Rz"), gravity=(0, 0, 0))
    act = hs.impact(points, restitution, friction=friction)
    blow = hs.Event("blow", lambda s: s.since - 0.01, rising=True, during="p", to="q", then=act)
    run = hs.simulate(hs.Hybrid({"p": model, "q": model}, [blow]), 0.02, start)
    return run.events[0], np.array([run[name][-1] for name in model.speeds])


@pytest.mark.parametrize(
    "points",
    [["bar.a", "bar.b"], ["bar.b", "bar.a"], ["bar.c", "bar.a", "bar.b"], ["bar.b", "bar.d", "bar.c"]],
)
@pytest.mark.parametrize("angle", [0.0, 0.7, 1.6])
def test_points_of_one_body_slide_each_with_its_own_friction(points, angle):
    """Along the line between two of them too, in any order; where friction is enough they stick."""
    ahead = np.array([np.cos(angle), np.sin(angle)])
    for speed, mu, left in ((2.0, 0.3, 2.0 - 0.3 * 0.2), (0.15, 1.0, 0.0)):
        start = {"r.Tz.v": -0.2, "r.Tx.v": speed * ahead[0], "r.Ty.v": speed * ahead[1]}
        event, v = struck_body(points, mu, start)
        impulse = np.array([[event.impulses[f"{p} impact.{x}"] for x in "xyz"] for p in points])
        across = np.linalg.norm(impulse[:, :2], axis=1)
        assert (
            impulse[:, 2].sum() == pytest.approx(0.2, abs=1e-9)
            and (across <= mu * impulse[:, 2] + 1e-9).all()
        )
        if left:  # turning about the vertical is small
            assert np.allclose(across, mu * impulse[:, 2], atol=1e-9)
            assert v[:2] @ ahead == pytest.approx(left, abs=2e-3)
        else:  # the body may still roll about the line between two of them
            turn = v[[3, 4, 5]]
            assert all(np.abs(v[:3] + np.cross(turn, BAR[p[-1]])).max() < 1e-7 for p in points)


def test_a_point_that_rises_is_not_struck():
    """Though friction could throw the body down onto it."""
    frames = {"tip": (0.2, 0, -0.5)}
    for friction in (None, 0.6, 3.0):
        event, v = struck_body(["bar.tip"], friction, {"r.Tx.v": 1.0, "r.Tz.v": 0.1}, 0.0, frames)
        assert event.loss == 0.0 and v[:3].tolist() == [1.0, 0.0, 0.1]


def test_a_blow_does_not_depend_on_one_before():
    """Two hinged bars: flat, their tips lie along one line; bent they do not."""
    tips = [
        hs.Body(n, 1.0, inertia=(0.02,) * 3, frames={"tip": (x, 0, 0)}) for n, x in (("u", -0.5), ("w", 0.5))
    ]
    model = hs.Model(
        *tips,
        hs.Chain("r", hs.WORLD, "u", "Tx Tz Ry"),
        hs.Revolute("h", "u", "w", axis="y"),
        gravity=(0, 0, 0),
    )
    bent = {"r.Ry": -0.57, "h": 1.22, "r.Tx.v": 1.0, "r.Tz.v": -1.0, "r.Ry.v": 0.0, "h.v": 0.0}
    act = hs.impact(["u.tip", "w.tip"], friction=0.5)
    blow = hs.Event("blow", lambda s: s.since - 0.1, rising=True, during="p", to="q", then=act)
    again = hs.Event("again", lambda s: s.since - 0.1, rising=True, during="q", to="p", then=hs.reset(bent))
    hybrid = hs.Hybrid({"p": model, "q": model}, [blow, again])
    after_flat = hs.simulate(hybrid, 0.35, {"r.Tx.v": 1.0, "r.Tz.v": -1.0}).events[2]
    alone = hs.simulate(hybrid, 0.15, {**bent, "r.Ry": -0.57, "h": 1.22}).events[0]
    assert after_flat.name == alone.name == "blow" and alone.loss > 0.0
    for name, x in alone.impulses.items():
        assert after_flat.impulses[name] == pytest.approx(x, abs=1e-9)
