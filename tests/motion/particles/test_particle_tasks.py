"""Tasks of robots by particles: goals, ways, rest, grasps, ligaments, against what is known of them."""

import dataclasses

import numpy as np
import pytest

import hapsis as hs

P = hs.particles


def robot_of():
    """A box that moves freely."""
    return P.solid("robot", hs.shapes.box(0.4, 0.3, 0.2), mass=2, stiffness=3000, damping=30)


def weightless(*facts):
    return P.Scene(*facts, gravity=(0, 0, 0), step=P.EnergyStep(relative=1e-5))


def test_an_attractor_brings_place_and_orientation():
    robot = robot_of()
    goal = robot.at(1, 0.5, 0, rpy=(0, 0, 1.2))
    pull = P.attractor(robot, goal, stiffness=40, damping=10)
    result = hs.simulate(weightless(robot, pull), 12.0, every=0.5)
    assert result["robot.points"][-1] == pytest.approx(goal.points, abs=0.01)
    # four springs, whose ends are not in a plane
    ends = [int(fact.first.split(".")[1]) for fact in pull if isinstance(fact, P.LinearSpring)]
    a, b, c, d = robot.points[ends]
    assert abs(np.cross(b - a, c - a) @ (d - a)) > 1e-3
    flat = P.ParticleObject("flat", [(0, 0, 0), (1, 0, 0), (0, 1, 0), (1, 1, 0)], np.ones(4))
    with pytest.raises(hs.ModelError, match="in a plane"):
        P.attractor(flat, flat.at(1, 0, 0), stiffness=1)


@pytest.mark.parametrize("path", ["line", 1.5])
def test_torsion_springs_keep_the_way(path):
    robot = robot_of()
    goal = robot.at(1, 0.5, 0)
    facts = P.attractor(robot, goal, stiffness=20, damping=8, path=path, guide=4000.0)
    floor = P.Floor(20000, 50, at=(0, 0, -0.1))  # the arc is on the ground
    scene = P.Scene(robot, facts, floor, step=P.EnergyStep(relative=1e-5))
    result = hs.simulate(scene, 6.0, every=0.1)
    spring = next(fact for fact in facts if isinstance(fact, P.TorsionSpring))
    k = int(spring.center.split(".")[1])
    x, a, b = result[spring.center], robot.points[k], goal.points[k]
    assert np.linalg.norm(x[-1] - b) < 0.02
    way = (b - a) / np.linalg.norm(b - a)
    off = np.linalg.norm(x - a - np.outer((x - a) @ way, way), axis=1)
    if path == "line":
        assert off.max() < 0.01
        return
    # an arc that turns by φ over the chord s has the radius s / 2 sin(φ/2)
    s = np.linalg.norm(b - a)
    radius = 0.5 * s / np.sin(0.5 * path)
    assert off.max() == pytest.approx(radius * (1.0 - np.cos(0.5 * path)), rel=0.05)


def test_a_passive_arm_follows_its_tool():
    facts, before = [], "world"
    for k, (axis, length) in enumerate(zip("zyyx", (0.3, 0.4, 0.35, 0.1), strict=True)):
        body = hs.Body.cylinder(
            f"l{k}", 0.04, length, mass=2.0, at=(0, 0, length / 2), frames={"end": (0, 0, length)}
        )
        facts += [body, hs.Revolute(f"j{k}", before, f"l{k}", axis)]
        before = f"l{k}.end"
    model = hs.Model(*facts, hs.JointSpring("motor", "j1", 100.0))
    arm = P.passive_arm(model, damping=2.0)
    assert not arm.forces and arm.gravity_vector == (0, 0, 0)
    start = {"j1": 0.4, "j2": 0.6}
    goal = np.array([0.35, 0.3, 0.6])
    pull = P.tool_attractor(arm, "l3.end", goal, stiffness=300, size=0.01, start=start)
    result = hs.simulate(P.Scene(arm, pull), 10.0, start, every=0.1)
    # the values of the joints, sent out at each step, bring a real arm there
    q = np.array([result[f"j{k}"][-1] for k in range(4)])
    p, _ = hs.compile(hs.pose(model, "l3.end"))(q)
    assert np.ravel(p) == pytest.approx(goal, abs=5e-3)
    assert np.abs(np.diff(result["j1"])).max() < 0.5  # no jump
    with pytest.raises(hs.ModelError, match="positive"):
        P.passive_arm(model, damping=0.0)


def test_grown_obstacles_keep_their_distance_and_traps_are_filled():
    robot = P.solid("robot", hs.shapes.box(0.2, 0.2, 0.2), mass=2, stiffness=3000, damping=20)
    pull = P.attractor(robot, robot.at(3, 0, 0), stiffness=10, damping=8)
    walls = [
        hs.Box((0.1, 1.0, 1.0), at=(1.5, 0, 0)),
        hs.Box((0.8, 0.1, 1.0), at=(1.15, 0.5, 0)),
        hs.Box((0.8, 0.1, 1.0), at=(1.15, -0.5, 0)),
    ]
    scene = weightless(robot, pull, P.BodyContact(2000, 10, bodies=walls, margin=0.1))
    stuck = hs.simulate(scene, 10.0, every=0.5)
    assert stuck["robot.x"][-1] == pytest.approx(1.25, abs=0.03)  # half of it and 0.1 before the wall
    way = P.find_way(scene, "robot", "robot goal", radius=0.25, stiffness=500, near=0.3)
    assert len(way.minima) >= 1
    assert np.linalg.norm(way.points[-1] - (3, 0, 0)) < 0.3
    # the distance of safety, less what the springs of contacts give
    for wall in walls:
        half, at = 0.5 * np.array(wall.size), np.array([float(x) for x in wall.at.at])
        gap = np.linalg.norm(np.maximum(np.abs(way.points - at) - half, 0.0), axis=1)
        assert gap.min() > 0.08
    with pytest.raises(hs.SolveError, match="larger virtual obstacles"):
        P.find_way(scene, "robot", "robot goal", radius=0.02, stiffness=10, most=15)


def test_a_chain_settles_on_its_catenary():
    n, length, span = 41, 1.2, 1.0
    points = np.array([(x, 0, 0) for x in np.linspace(0, span, n)])
    springs = P.Connectors.of([(i, i + 1) for i in range(n - 1)], length / (n - 1), 2e5, 1.0)
    chain = P.ParticleObject("chain", points, np.full(n, 0.01), springs, held=(0, n - 1))
    rest = P.settle(P.Scene(chain), tolerance=1e-5)
    # 2 a sinh(span / 2a) = length, sag = a (cosh(span / 2a) - 1)
    low, high = 0.1, 10.0
    for _ in range(80):
        a = 0.5 * (low + high)
        low, high = (a, high) if 2 * a * np.sinh(span / 2 / a) > length else (low, a)
    assert -rest.object("chain")[:, 2].min() == pytest.approx(a * (np.cosh(span / 2 / a) - 1.0), rel=2e-3)
    assert np.abs(rest.forces).max() < 1e-5 * 9.81 * 0.01 * n * 10


def rover(height):
    """A chassis on six wheels, each a particle as far from the ground as its radius."""
    places = [(x, y) for x in (-0.5, 0.0, 0.5) for y in (-0.35, 0.35)]
    points = [(x, y, 0.0) for x, y in places] + [(0.0, 0.0, 0.3), (0.4, 0.0, 0.25), (-0.4, 0.0, 0.25)]
    ends = [(i, j) for i in range(9) for j in range(i + 1, 9)]
    rest = [float(np.linalg.norm(np.subtract(points[i], points[j]))) for i, j in ends]
    masses = [1.0] * 6 + [3.0] * 3
    body = P.ParticleObject("rover", points, masses, P.Connectors.of(ends, rest, 4000, 40)).at(0, 0, 1.2)
    ground = hs.Heightfield(height)
    wheels = P.BodyContact(8000, 40, bodies=ground, margin=0.15)
    return P.Scene(body, wheels)


def test_a_rover_finds_its_pose_on_hills():
    def height(x, y):
        return 0.2 * hs.sin(2.0 * x) * hs.cos(1.5 * y)

    scene = rover(height)
    rest = P.settle(scene, tolerance=5e-4)
    x = rest.object("rover")
    fine = np.linspace(-1.5, 1.5, 601)
    X, Y = np.meshgrid(fine, fine)
    ground = np.stack([X, Y, 0.2 * np.sin(2 * X) * np.cos(1.5 * Y)], axis=-1).reshape(-1, 3)
    feet = np.array([ground[np.linalg.norm(ground - wheel, axis=1).argmin()] for wheel in x[:6]])
    gaps = np.linalg.norm(x[:6] - feet, axis=1)
    up = (x[:6] - feet)[:, 2] / gaps
    # the wheels carry the weight by their normal forces, on the ground and not in it
    assert (np.maximum(0.15 - gaps, 0.0) * 8000 * up).sum() == pytest.approx(15 * 9.81, rel=0.05)
    assert (gaps > 0.13).all() and (gaps < 0.3).sum() >= 4


def test_fingertips_drawn_together_add_no_force():
    """Three fingers on a ball in space: springs between their tips squeeze it, and their sum is zero."""
    tips = 0.055 * np.array([(np.cos(a), np.sin(a), 0.0) for a in 2 * np.pi * np.arange(3) / 3])
    fingers = [
        P.ParticleObject(f"tip{k}", [tip], [0.02], velocities=[(0.1, 0.0, 0.05)])
        for k, tip in enumerate(tips)
    ]
    ball = hs.Model(
        hs.Body.sphere("ball", 0.05, mass=0.2), hs.Free("free", "world", "ball"), gravity=(0, 0, 0)
    )
    pairs = [(0, 1), (1, 2), (2, 0)]
    springs = [
        P.LinearSpring(f"squeeze{i}", 100.0, 0.5, 0.0, first=f"tip{i}.0", second=f"tip{j}.0")
        for i, j in pairs
    ]
    touch = P.BodyContact(2000, 2.0, friction=0.8)
    scene = P.Scene(ball, fingers, springs, touch, step=P.EnergyStep(relative=1e-7))
    start = {"free.u": 0.1} if "free.u" in ball.speeds else None
    result = hs.simulate(scene, 1.0, start, every=0.1)
    assert result.success
    v = np.stack([[result[f"tip{k}.v{c}"] for c in "xyz"] for k in range(3)])
    load = result["ball.load"]
    # at rest on each other all move together; the squeeze of each is large, their sum on the ball is none
    assert np.abs(load[-1]).max() < 0.05
    assert np.abs(v[:, :, -1] - v[:, :, -1].mean(axis=0)).max() < 0.02
    momentum = 0.02 * v.sum(axis=0)[:, -1]
    twist = np.ravel(
        hs.compile(hs.velocity(ball, "ball"))(
            np.array([result[n][-1] for n in ball.coordinates]),
            np.array([result[n][-1] for n in ball.speeds]),
        )
    )
    assert momentum + 0.2 * twist[3:] == pytest.approx((0.006, 0.0, 0.003), abs=1e-10)


@pytest.mark.slow
def test_a_hand_holds_a_ball_by_a_power_grasp():
    hand = hs.library.particles.three_finger_hand
    closed = hs.simulate(hand(), 0.6, every=0.2)
    assert hand().count == 170
    turned = hs.simulate(hand(upright=False), 2.6, closed, every=0.2)
    assert turned.success
    assert turned["ball.load"][-1] == pytest.approx((0.0, 0.0, -0.981), abs=0.05)
    assert abs(turned["free.z"][-1] - closed["free.z"][-1]) < 5e-3
    # what sticks is at rest: dampers of joints take nothing, steps are calm and none is made again
    still = turned.t > 1.6
    assert np.ptp(turned["dissipated"][still]) < 1e-8 > turned["kinetic"][still].max()
    assert turned.report["steps"] < 2.0 * 600
    assert turned.energy_drift < 1e-4 and turned.report["rejected"] < 0.01 * turned.report["steps"]
    dropped = hs.simulate(hand(upright=False, friction=0.0, torque=0.001), 1.2, closed, every=0.2)
    assert dropped["free.z"][-1] > 0.2  # down is up there


def test_a_ligament_is_as_long_as_its_insertions_are_apart():
    scene = hs.library.particles.ligament_knee()
    result = hs.simulate(scene, 1.0, every=0.05)
    x, angle = result["ligament.points"], result["flexion"]
    length = np.linalg.norm(np.diff(x, axis=1), axis=2).sum(axis=1)
    a, b = np.array((-0.001, 0.006, 0.001)), np.array((0.010, -0.004, -0.022))
    c, s = np.cos(angle), np.sin(angle)
    moved = np.stack([c * b[0] + s * b[2], 0 * c + b[1], -s * b[0] + c * b[2]], axis=1)
    known = np.linalg.norm(moved - a, axis=1)
    assert length == pytest.approx(known, abs=1e-9)
    # all cords have the tension of the law, F = k l₀ g(ε)
    cord = scene.cords["ligament 2"]
    assert result["ligament 2.tension"] == pytest.approx(cord.tension(known / 4), rel=0.02, abs=0.5)
    assert result["ligament 2.tension"].max() > 300.0
    # virtual work: the moment of the ligament is -T dl/dφ; the rest of the effort is the shank's
    ahead = np.gradient(known, angle, edge_order=2)
    tension = cord.tension(known / 4)
    gravity = 3.0 * 9.81 * 0.15 * s
    acceleration = np.radians(60.0) * (np.pi / 2) ** 2 * np.cos(np.pi * result.t / 2)
    shank = (0.04 + 3.0 * 0.15**2) * acceleration
    effort = shank + gravity + tension * ahead
    assert result["motion.effort"][2:-2] == pytest.approx(effort[2:-2], abs=0.03)


def test_cords_never_push_and_keep_energy():
    facts = P.ligament(
        "cord", [(0, 0, 0), (0.1, 0, 0), (0.2, 0, 0)], mass=0.03, stiffness=1000, length=0.2, toe=0.05
    )
    moving = dataclasses.replace(
        facts[0], velocities=np.array([(0, 0, 0), (0, 0, 0), (1.0, 0.3, 0)]), held=(0,)
    )
    scene = P.Scene(moving, facts[1:], gravity=(0, 0, 0), step=P.EnergyStep(error=1e-9))
    result = hs.simulate(scene, 1.0, every=0.01)
    assert result["cord 1.tension"].min() == 0.0 < result["cord 1.tension"].max()
    assert np.ptp(result["energy"]) < 1e-6
    cord = facts[1]
    step = 1e-6
    lengths = np.linspace(0.09, 0.13, 200)
    stored = np.cumsum(cord.tension(lengths)) * (lengths[1] - lengths[0])
    assert stored[-1] > 0.0 and (cord.tension(lengths[lengths < 0.1]) == 0.0).all()
    slope = (cord.tension(0.13 + step) - cord.tension(0.13)) / step
    assert slope == pytest.approx(cord.stiffness, rel=1e-6)
    for wrong in ({"stiffness": -1.0}, {"stiffness": 1.0, "rest": 0.0}, {"stiffness": 1.0, "toe": np.nan}):
        with pytest.raises(hs.ModelError):
            P.Cord("c", **wrong)


def test_what_tore_does_not_settle():
    """Its particles fall, and the springs that are gone pull nothing: an error, and no notices of pieces."""
    thing = P.solid(
        "o", hs.shapes.box(0.1, 0.1, 0.1), mass=0.5, stiffness=200, damping=5, plastic=0.02, breaking=0.1
    )
    with pytest.raises(hs.SolveError, match="no equilibrium"):
        P.settle(P.Scene(thing.holding(1, 3, 5, 7)), most=15)
