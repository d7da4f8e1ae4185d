"""A probe on NURBS bodies: no pop-through, friction, forces without jumps, passivity, loops."""

from itertools import pairwise

import numpy as np
import pytest
import sculptures

import hapsis as hs

RATE, STIFFNESS, SLIP = 10_000, 2000.0, 2.0
DT = 1.0 / RATE
FORCE, PROXY, GAP, CONTACT, FACE, SLIDING, ENERGY = slice(0, 3), slice(3, 6), 6, 7, 8, 11, 12


def touch(body, friction=0.0):
    return hs.haptics.SurfaceStep(body, DT, stiffness=STIFFNESS, friction=friction, slip=SLIP)


def played(step, way):
    """The outputs of the step along a way, a row for each tick."""
    y, y_new, none, out = step.start.copy(), step.start.copy(), np.zeros(1), np.zeros((len(way), 13))
    for x, row in zip(np.ascontiguousarray(way), out, strict=True):
        step.kernel(y, x, none, y_new, row)
        y, y_new = y_new, y
    return out


def line(*corners, speed=0.5):
    """A way along straight lines at a speed."""
    parts = [np.array(corners[:1], float)]
    for a, b in pairwise(corners):
        count = int(np.ceil(np.linalg.norm(np.subtract(b, a)) / (speed * DT)))
        parts.append(a + np.arange(1, count + 1)[:, None] / count * np.subtract(b, a))
    return np.concatenate(parts)


def random_way(rng, size, count=2500):
    """A random closed way about the origin, up to about 1 m/s."""
    t = np.linspace(0.0, 2 * np.pi, count)
    waves = [(np.sin(k * t), np.cos(k * t)) for k in (1, 2, 3)]
    return size * sum(
        np.outer(s, a) + np.outer(c, b)
        for (s, c), (a, b) in zip(waves, rng.normal(size=(3, 2, 3)), strict=True)
    )


def check_laws(way, out):
    """The force follows the probe and the slip speed; the hand gets no more than a sampled spring leaks.

    F = k (c - x) is held while the probe goes on by dx. Then F dx = E - E' + k dx² / 2, with the energy E' of
    the spring when c has not followed yet; c only takes energy away. So the work on the hand is at most the
    energy that the spring has lost and the sum of k dx² / 2.
    """
    dx, force = np.diff(way, axis=0), out[:, FORCE]
    jumps = np.linalg.norm(np.diff(force, axis=0), axis=1)
    assert (jumps <= STIFFNESS * (np.linalg.norm(dx, axis=1) + SLIP * DT) + 1e-9).all()
    work = np.cumsum((force[:-1] * dx).sum(axis=1))
    leak = np.cumsum(0.5 * STIFFNESS * (dx**2).sum(axis=1))
    assert (work + out[1:, ENERGY] <= leak + 1e-12).all()
    assert out[0, ENERGY] == 0.0


@pytest.mark.parametrize("friction", [0.0, 0.6])
def test_a_thin_plate_is_never_popped_through(friction):
    """Pressed from above through a plate of 1 mm, up to 5 mm deep, and back, at 0.5 m/s in all directions."""
    rng = np.random.default_rng(0)
    step = touch(sculptures.box([0.1, 0.1, 0.001]), friction)
    for _ in range(40):
        way = rng.normal(size=3)
        way[2] = -abs(way[2]) - 0.3
        start = np.array([*rng.uniform(-0.02, 0.02, 2), 0.0005 + rng.uniform(1e-4, 2e-3)])
        end = start + 0.005 / np.linalg.norm(way) * way
        points = line(start, end, end + np.array([0.01, 0.0, 0.0]), start)
        out = played(step, points)
        behind = points[:, 2] < 0.0005 - 1e-12
        assert (out[behind, CONTACT] == 1.0).all() and (out[behind, FACE] == 4.0).all()
        assert out[:, 2].min() >= -1e-9 and np.abs(out[~behind][-1, FORCE]).max() < 1e-9
        deep = STIFFNESS * (0.0005 - points[behind, 2])
        assert np.allclose(out[behind, 2], deep, atol=1e-9)
        check_laws(points, out)


@pytest.mark.parametrize("speed", [2.0, 5.0, 20.0])
def test_a_thin_plate_is_met_at_any_speed(speed):
    """At 1 kHz a probe moves by up to 20 mm in a tick, wherever on its way the ticks are: it is stopped."""
    rng = np.random.default_rng(5)
    step = hs.haptics.SurfaceStep(sculptures.box([0.1, 0.1, 0.001]), 1e-3, stiffness=STIFFNESS, slip=SLIP)
    for _ in range(20):
        height = 0.05 + rng.random() * speed * 1e-3 - speed * 1e-3 * np.arange(round(0.1 / (speed * 1e-3)))
        out = played(step, np.stack([0.01 + 0 * height, 0 * height, height], axis=1))
        behind = height < 0.0005
        assert (out[behind, CONTACT] == 1.0).all() and (out[behind, FACE] == 4.0).all()
        assert (out[~behind, FORCE] == 0.0).all() and out[behind, 2].min() > 0.0


@pytest.mark.parametrize("speed", [1.0, 10.0])
def test_fast_probes_drag_nothing(speed):
    """Free there is no force, and along a face without friction none along it, at five times `slip`."""
    step, depth = touch(sculptures.box([4.0, 4.0, 0.1])), 0.002
    points = line((-1.9, 0.0, 0.15), (1.9, 0.3, 0.06), speed=speed)
    out = played(step, points)
    assert (out[:, FORCE] == 0.0).all() and (out[:, ENERGY] == 0.0).all()
    points = line((-1.9, 0.0, 0.06), (-1.9, 0.0, 0.05 - depth), (1.9, 1.0, 0.05 - depth), speed=speed)
    out = played(step, points)
    check_laws(points, out)
    last = out[-1000:] if speed == 1.0 else out[-200:]
    assert np.abs(last[:, :2]).max() < 1e-9 and np.abs(last[:, 2] - STIFFNESS * depth).max() < 1e-9


def test_friction_sticks_within_the_cone_and_slides_at_its_rim():
    mu, depth = 0.5, 0.002
    body = sculptures.box([0.1, 0.1, 0.1])
    away = np.array([0.6, 0.8, 0.0])
    start = np.array([0.01, -0.02, 0.05 - depth])
    points = line(start + np.array([0, 0, 0.003]), start, start + 0.01 * away, start - 0.01 * away, speed=0.1)
    out = played(touch(body, mu), points)
    first = int(np.flatnonzero((points == start).all(axis=1))[0])
    aside = (points[first:] - start) @ away
    sideways, across = out[first:, FORCE] @ away, out[first:, 2]
    assert np.allclose(across, STIFFNESS * depth, atol=1e-9)
    stuck = np.arange(len(aside)) < np.argmax(aside > mu * depth - 1e-9)
    assert np.allclose(sideways[stuck], -STIFFNESS * aside[stuck], atol=1e-9)
    assert (out[first:][stuck, SLIDING] == 0.0).all()
    turn = int(np.argmax(aside))
    moving = np.flatnonzero(~stuck)[1 : turn - stuck.sum()]
    assert np.allclose(sideways[moving], -mu * STIFFNESS * depth, atol=1e-5)
    assert (out[first:][moving, SLIDING] == 1.0).all()
    assert abs(sideways[-1] - mu * STIFFNESS * depth) < 1e-5
    assert (np.abs(sideways) <= mu * across + 1e-9).all()


@pytest.mark.parametrize("friction", [0.0, 0.4])
def test_random_ways_keep_the_laws(friction):
    """Over edges, corners, seams, poles, rims; the gap of a free probe that is near is that of a search."""
    rng = np.random.default_rng(1)
    bodies = [
        sculptures.box([0.1, 0.06, 0.03]),
        *(
            hs.haptics.NurbsBody(face)
            for face in (
                sculptures.sphere(0.05),
                sculptures.torus(0.05, 0.02),
                sculptures.tube(0.03, 0.1),
                sculptures.sheet(rng),
            )
        ),
    ]
    for body in bodies:
        touched = 0.0
        for _ in range(3):
            way = random_way(rng, 0.02) + body.faces[0].points.mean(axis=(0, 1))
            out = played(touch(body, friction), way)
            check_laws(way, out)
            touched += out[:, CONTACT].sum()
            for k in np.flatnonzero(out[:, CONTACT] == 0.0)[::20]:
                distance = body.nearest(way[k]).distance
                assert distance > 0.01 or abs(out[k, GAP] - distance) < 1e-9
        assert touched > 100


def test_a_far_probe_finds_the_nearest_point_within_a_tick_per_leaf():
    rng = np.random.default_rng(3)
    for _ in range(4):
        body = hs.haptics.NurbsBody(sculptures.sheet(rng, height=0.03))
        for x in rng.uniform((0.0, 0.0, -0.08), (0.1, 0.1, 0.08), (5, 3)):
            out = played(touch(body), np.tile(x, (body.leaves.count + 1, 1)))
            assert abs(out[-1, GAP] - body.nearest(x).distance) < 1e-9


def test_a_seam_is_not_felt():
    """Around a tube, pressed 1 mm deep: the force is radial and constant, over the seam too."""
    body = hs.haptics.NurbsBody(sculptures.tube(0.03, 0.1))
    t = np.linspace(0.0, 4 * np.pi, 8000)
    circle = np.column_stack([0.029 * np.cos(t + 0.5), 0.029 * np.sin(t + 0.5), 0.05 + 0.01 * np.sin(3 * t)])
    way = np.concatenate([line(circle[0] * (1.1, 1.1, 1.0), circle[0]), circle])
    out = played(touch(body), way)[-len(circle) :]
    wanted = 0.001 * STIFFNESS * circle * (1, 1, 0) / 0.029
    assert np.abs(out[:, FORCE] - wanted).max() < 1e-6


def test_a_pole_is_not_felt():
    """Around a sphere along its seam, exactly through both poles, pressed 2 mm deep: the force is radial."""
    body = hs.haptics.NurbsBody(sculptures.sphere(0.05))
    t = np.linspace(0.0, 2 * np.pi, 6000)
    circle = 0.048 * np.column_stack([np.cos(t), 0.0 * t, np.sin(t)])
    way = np.concatenate([line(1.1 * circle[0], circle[0]), circle])
    out = played(touch(body), way)[-len(circle) :]
    assert np.abs(out[:, FORCE] - STIFFNESS * circle / 24.0).max() < 1e-6


def test_an_inner_edge_holds_the_proxy():
    """Behind floor and wall the proxy lies on the edge between them; behind one of them on that face."""
    floor = sculptures.face([[(x, y, 0.0) for y in (0.0, 0.1)] for x in (0.0, 0.1)], degrees=(1, 1))
    wall = sculptures.face([[(0.0, y, z) for z in (0.0, 0.1)] for y in (0.0, 0.1)], degrees=(1, 1))
    body = hs.haptics.NurbsBody(floor, wall)
    points = line((0.02, 0.05, 0.02), (-0.003, 0.05, 0.02), (-0.003, 0.05, -0.004), (0.02, 0.06, -0.004))
    out = played(touch(body), points)
    met = points[:, 0] < -1e-9
    met |= points[:, 2] < -1e-9
    assert (out[met, CONTACT] == 1.0).all()
    assert np.allclose(out[met, PROXY], np.maximum(points[met], (0.0, 0.0, 0.0)), atol=1e-9)
    check_laws(points, out)


def test_slipping_off_an_edge_takes_the_force_away_at_the_slip_speed():
    """4 mm under the top of a box, out through its side: the spring lets go within 4 mm / slip."""
    body = sculptures.box([0.1, 0.1, 0.1])
    points = line((0.04, 0.0, 0.06), (0.04, 0.0, 0.046), (0.06, 0.0, 0.046), speed=0.3)
    out = played(touch(body), points)
    check_laws(points, out)
    side = int(np.argmax(points[:, 0] > 0.05))
    assert out[side - 1, 2] == pytest.approx(STIFFNESS * 0.004)
    assert np.abs(out[side + round(0.004 / SLIP * RATE) + 1, FORCE]).max() == 0.0
    assert out[side + 5, 2] > 1.0


def test_a_body_with_rims_is_felt_from_both_sides_and_a_solid_from_outside():
    sheet = hs.haptics.NurbsBody(
        sculptures.face([[(x, y, 0.0) for y in (0, 0.1)] for x in (0, 0.1)], degrees=(1, 1))
    )
    assert played(touch(sheet), line((0.05, 0.05, 0.001), (0.05, 0.05, -0.002)))[-1, 2] == pytest.approx(4.0)
    assert played(touch(sheet), line((0.05, 0.05, -0.001), (0.05, 0.05, 0.002)))[-1, 2] == pytest.approx(-4.0)
    around = line((0.05, 0.05, 0.01), (0.15, 0.05, 0.01), (0.15, 0.05, -0.01), (0.05, 0.05, -0.01))
    assert not played(touch(sheet), around)[:, CONTACT].any()
    out = played(touch(sculptures.box([0.1, 0.1, 0.1])), line((0, 0, 0.04), (0, 0, 0.06)))
    assert not out[:, FORCE].any()


def test_a_loop_runs_it():
    rng = np.random.default_rng(2)
    body = hs.haptics.NurbsBody(sculptures.sheet(rng, height=0.005))
    t = np.arange(4000) * DT
    way = np.column_stack([0.05 + 0.03 * np.sin(9 * t), 0.05 + 0.03 * np.cos(9 * t), 0.01 - 0.03 * t])
    step = touch(body, 0.3)
    hand = hs.haptics.SimulatedHand(motion=(t, way), axes=("x", "y", "z"))
    loop = hs.realtime.Loop(step, rate=RATE, paced=False, guard={"passive": False}).connect(hand)
    report = loop.run(seconds=0.39).report()
    ours = np.column_stack([report[f"probe.{axis}.position"] for axis in "xyz"])
    out = played(step, ours)
    for k, name in enumerate(step.outputs):
        assert (report[name] == out[:, k]).all()
    assert report["probe.contact"].sum() > 500
    assert report.units["probe.x.force"] == "N" and report.units["probe.gap"] == "m"
    assert (report["hand.z.command"] == report["probe.z.force"])[1000:].all()


def test_a_hand_that_presses_comes_to_rest_under_the_guard():
    """A mass on a spring, led into a box: both springs in balance, at rest, and no fault of the guard."""
    t = np.linspace(0.0, 1.0, 201)
    height = 0.052 - 0.007 * np.sin(0.5 * np.pi * np.minimum(t / 0.2, 1.0)) ** 2
    motion = t, np.column_stack([0.01 + 0.0 * t, 0.0 * t, height])
    hand = hs.haptics.SimulatedHand(
        motion=motion, axes=("x", "y", "z"), mass=0.05, stiffness=500.0, damping=5.0
    )
    step = touch(sculptures.box([0.1, 0.1, 0.1]), 0.3)
    loop = hs.realtime.Loop(step, rate=RATE, paced=False).connect(hand).run(seconds=0.9)
    report = loop.report()
    rest = (500.0 * 0.045 + STIFFNESS * 0.05) / (500.0 + STIFFNESS)
    assert report["hand.z.position"][-1] == pytest.approx(rest, abs=1e-7)
    assert abs(report["hand.z.velocity"][-1]) < 1e-6 and not report["fault"].any()
    assert report["hand.z.command"][-1] == pytest.approx(STIFFNESS * (0.05 - rest), abs=1e-3)


def test_what_is_wrong_is_said():
    body = sculptures.box([0.1, 0.1, 0.1])
    for make, message in [
        (lambda: hs.haptics.SurfaceStep("box", DT, stiffness=1.0), "touches a NurbsBody, not a str$"),
        (
            lambda: hs.haptics.SurfaceStep({"box": body}, DT, stiffness=1.0),
            "not a dict; load_surfaces .* take one",
        ),
        (lambda: hs.haptics.SurfaceStep(body, DT, stiffness=0.0), "stiffness must be positive"),
        (
            lambda: hs.haptics.SurfaceStep(body, DT, stiffness=1.0, friction=-1.0),
            "friction must be zero or more",
        ),
        (lambda: hs.realtime.Loop(touch(body), rate=1000), "the step advances by 0.0001 s"),
        (lambda: hs.realtime.Loop(touch(body), rate=RATE, live="all"), "has no live parameters"),
    ]:
        with pytest.raises(hs.ModelError, match=message):
            make()
    other = hs.haptics.SurfaceStep(body, DT, stiffness=1.0)
    assert other.digest != touch(body).digest == touch(body).digest
