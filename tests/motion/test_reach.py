"""Inverse kinematics: poses made from coordinates are found again, and what cannot be is said."""

import math
import time
import warnings

import numpy as np
import pytest

import hapsis as hs
from hapsis.motion.analysis.targets import logarithm, slope_of_logarithm

PI = math.pi


def panda():
    """The frames and limits of a Franka arm, from its published table."""
    rows = [
        (0, 0.333, 0, -2.8973, 2.8973),
        (0, 0, -PI / 2, -1.7628, 1.7628),
        (0, 0.316, PI / 2, -2.8973, 2.8973),
        (0.0825, 0, PI / 2, -3.0718, -0.0698),
        (-0.0825, 0.384, -PI / 2, -2.8973, 2.8973),
        (0, 0, PI / 2, -0.0175, 3.7525),
        (0.088, 0, PI / 2, -2.8973, 2.8973),
    ]
    facts, below = [], "world"
    for k, (a, d, twist, low, high) in enumerate(rows, 1):
        at = hs.Frame((a, -d * math.sin(twist), d * math.cos(twist)), (twist, 0, 0))
        facts += [
            hs.Body(f"link{k}", mass=1.0),
            hs.Revolute(f"j{k}", (below, at), f"link{k}", limits=(low, high)),
        ]
        below = f"link{k}"
    hand = hs.Body("hand", frames={"tool": (0, 0, 0.1)})
    return hs.Model(*facts, hand, hs.Weld("flange", ("link7", (0, 0, 0.107)), "hand"))


def general(seed, limits=None):
    """Six axes in any directions."""
    rng = np.random.default_rng(seed)
    facts, below = [], "world"
    for k in range(6):
        at = hs.Frame(tuple(rng.uniform(-0.4, 0.4, 3)), tuple(rng.uniform(-3, 3, 3)))
        facts += [
            hs.Body(f"b{k}", mass=1.0, frames={"tip": (0.1, 0.2, 0.1)}),
            hs.Revolute(f"j{k}", (below, at), f"b{k}", axis="xyz"[k % 3], limits=limits),
        ]
        below = f"b{k}"
    return hs.Model(facts)


def balls():
    """Two ball joints, one of them from the outside in, and a slide between them."""
    return hs.Model(
        hs.Rod("upper", 0.4, 1.0),
        hs.Rod("lower", 0.3, 1.0),
        hs.Body("slide"),
        hs.Ball("shoulder", hs.WORLD.at(0, 0, 1), "upper"),
        hs.Prismatic("reach", "upper.end", "slide", axis="x", limits=(0, 0.5)),
        hs.Ball("wrist", "lower.end", "slide"),
    )


def floating():
    base = hs.Body("base", mass=3.0, frames={"camera": hs.Frame((0.1, 0, 0.2), (0.3, 0.2, 0.1))})
    limits = {"z": (-0.5, 3.0)}
    return hs.Model(base, hs.Free("base", hs.WORLD.at(0, 1, 0), "base", limits=limits))


def gantry():
    """Three slides, a screw and a wrist: axes of every kind."""
    return hs.Model(
        hs.Body("beam"), hs.Body("cart"), hs.Body("nut"),
        hs.Body("tool", frames={"tip": (0, 0, 1)}),
        hs.Chain("table", hs.WORLD, "beam", "Tx Ty", limits={"Tx": (0, 5), "Ty": (-2, 2)}),
        hs.Prismatic("z", "beam", "cart", axis="z", limits=(-1, 0)),
        hs.Universal("wrist", "cart", "nut", limits={"Rx": (-1.2, 1.2), "Ry": (-1.2, 1.2)}),
        hs.Helical("screw", "nut", "tool", axis="z", pitch=0.01),
    )  # fmt: skip


def planar(limits=None):
    return hs.Model(
        hs.Rod("upper", 0.5, 1.0),
        hs.Rod("lower", 0.3, 1.0),
        hs.Revolute("shoulder", hs.WORLD, "upper", axis="z"),
        hs.Revolute("elbow", "upper.end", "lower", axis="z", limits=limits),
    )


ARMS = {
    "panda": (panda(), "hand.tool"),
    "general 1": (general(1), "b5.tip"),
    "general 2": (general(2), "b5.tip"),
    "limited 3": (general(3, (-2.0, 2.0)), "b5.tip"),
    "limited 4": (general(4, (-2.5, 1.5)), "b5.tip"),
    "balls": (balls(), "lower"),
    "floating": (floating(), "base.camera"),
    "gantry": (gantry(), "tool.tip"),
    "planar": (planar((-2.5, 2.5)), "lower.end"),
}


def anywhere(model, rng):
    """Coordinates within the limits."""
    low, high = model.limits.T
    low, high = np.where(np.isfinite(low), low, -PI), np.where(np.isfinite(high), high, PI)
    return rng.uniform(low, high)


def inside(model, q):
    low, high = model.limits.T
    return ((low <= q) & (q <= high)).all()


def placed(model, frame):
    return hs.compile(hs.pose(model, frame))


def off(found, wanted):
    """Metres and radians between two poses; the chord of the angle."""
    return np.linalg.norm(found.p - wanted.p), np.linalg.norm(found.R - wanted.R) / math.sqrt(2)


def found_again(model, frame, count):
    """How many of random poses are reached, each checked by the pose itself."""
    rng, place = np.random.default_rng(7), placed(model, frame)
    reached = 0
    for _ in range(count):
        target = place(anywhere(model, rng))
        try:
            state = hs.reach(model, frame, target)
        except hs.SolveError as error:
            assert inside(model, error.nearest.q)
            continue
        reached += 1
        assert inside(model, state.q) and (state.v == 0).all()
        assert max(off(place(state.q), target)) <= 1.01e-9
        assert max(state.report.position_error, state.report.rotation_error) <= 1e-9
    return reached


def test_poses_of_arms_are_found_again():
    count, rates = 200, {}
    for name, (model, frame) in ARMS.items():
        clock = time.process_time()
        rates[name] = found_again(model, frame, count) / count
        milliseconds = 1e3 * (time.process_time() - clock) / count
        print(f"{name:10} {rates[name]:7.1%} {milliseconds:6.2f} ms")
    print(f"all        {np.mean(list(rates.values())):7.1%}")
    assert np.mean(list(rates.values())) >= 0.99
    assert min(rates.values()) >= 0.98


def test_positions_alone():
    model, frame = ARMS["panda"]
    rng, place = np.random.default_rng(3), placed(model, frame)
    for _ in range(30):
        whole = place(anywhere(model, rng))
        state = hs.reach(model, frame, whole.p)
        assert np.linalg.norm(place(state.q).p - whole.p) <= 1e-9
        assert state.report.rotation_error is None
        assert hs.reach(model, frame, whole, position_only=True) == state


@pytest.mark.parametrize("bend", [1, -1])
def test_both_branches_of_a_planar_arm(bend):
    model = planar()
    rng = np.random.default_rng(0)
    for _ in range(20):
        x, y = rng.uniform(0.25, 0.75) * np.array(
            [math.cos(a := rng.uniform(-PI, PI)), math.sin(a)]
        )
        c = (x * x + y * y - 0.34) / 0.3
        elbow = bend * math.acos(c)
        shoulder = a - math.atan2(0.3 * math.sin(elbow), 0.5 + 0.3 * c)
        start = {"elbow": 0.8 * elbow, "shoulder": shoulder + 0.2}
        state = hs.reach(model, "lower.end", (x, y, 0), start=start)
        assert np.allclose(state.q, [shoulder, elbow], atol=1e-7)


def test_a_limit_chooses_the_branch():
    for limits in ((0.0, 3.0), (-3.0, 0.0)):
        model = planar(limits)
        for start in (-1.0, 1.0):
            state = hs.reach(model, "lower.end", (0.2, 0.5, 0), start={"elbow": start})
            assert limits[0] <= state["elbow"] <= limits[1]


@pytest.mark.parametrize("short", [0.0, 1e-12, 1e-9, 1e-6, 1e-3])
def test_stretched_arms(short):
    """The Jacobian is singular at the solution, or nearly."""
    model = planar()
    for angle in (0.0, 1.0, 3.0):
        r = 0.8 - short
        target = (r * math.cos(angle), r * math.sin(angle), 0)
        for start in (None, {"elbow": 0.5}, {"shoulder": -2.0, "elbow": 2.0}):
            state = hs.reach(model, "lower.end", target, start=start)
            assert state.report.position_error <= 1e-9
    model, frame = ARMS["panda"]
    q = np.clip(model.zero, *model.limits.T)  # stretched, elbow at its limit
    state = hs.reach(model, frame, placed(model, frame)(q), start={"j2": 1.0, "j4": -2.0})
    assert max(state.report.position_error, state.report.rotation_error) <= 1e-9


def test_a_start_straight_away_from_the_target_gets_loose():
    # the arm points at the target and beyond it: the gradient is zero, and it is no minimum
    state = hs.reach(planar(), "lower.end", (0.5, 0, 0))
    assert state.report.position_error <= 1e-9 and state.report.tries == 2


def test_half_a_turn_away():
    model = floating()
    state = hs.reach(model, "base", hs.Frame((0, 1, 0), (PI, 0, 0)))
    assert state.report.rotation_error <= 1e-9
    assert math.isclose(abs(state["base.qx"]), 1)


def test_already_there_comes_back_unchanged():
    for model, frame in ARMS.values():
        q = anywhere(model, np.random.default_rng(5))
        start = hs.State(model.coordinates, model.speeds, q)
        state = hs.reach(model, frame, placed(model, frame)(q), start=start)
        assert state == start and state.report.iterations == 0 and state.report.tries == 1


def test_near_starts_give_near_answers_and_no_whole_turns():
    model, frame = ARMS["panda"]
    rng, place = np.random.default_rng(2), placed(model, frame)
    low, high = model.limits.T
    for _ in range(30):
        q = anywhere(model, rng)
        near = np.clip(q + rng.uniform(-0.05, 0.05, 7), low, high)
        state = hs.reach(model, frame, place(near), start=q)
        assert state.report.tries == 1 and np.abs(state.q - q).max() < 0.6
    model, frame = ARMS["general 1"]
    place, q = placed(model, frame), rng.uniform(-PI, PI, 6)
    for _ in range(10):
        state = hs.reach(model, frame, place(anywhere(model, rng)), start=q + 20)
        assert np.abs(state.q - q - 20).max() <= PI + 1e-9


def test_held_coordinates_keep_their_bits():
    model, frame = ARMS["panda"]
    rng, place = np.random.default_rng(9), placed(model, frame)
    for _ in range(10):
        q = anywhere(model, rng)
        state = hs.reach(model, frame, place(q), start={"j3": q[2]}, held=["j3"])
        assert state["j3"] == q[2]
    model, frame = ARMS["balls"]
    q = anywhere(model, rng)
    start = {"reach": q[4]}
    state = hs.reach(model, frame, placed(model, frame)(q), start=start, held="reach")
    assert state["reach"] == q[4]
    model = floating()
    turn = dict(zip(model.coordinates, (0, 0, 0, 0.5, 0.5, 0.5, 0.5), strict=True))
    names = [f"base.q{a}" for a in "wxyz"]
    state = hs.reach(model, "base.camera", (0.2, 2, 1), start=turn, held=["base.x", *names])
    assert [state[n] for n in names] == [0.5] * 4 and state["base.x"] == 0
    assert hs.reach(model, "base", (0, 1, 0), held="base").report.iterations == 0


def test_what_does_not_move_the_frame_stays():
    arm = planar()
    both = hs.Model(arm.prefixed("left"), arm.prefixed("right"))
    start = {"left.shoulder": 0.123, "left.elbow": -4.5}
    state = hs.reach(both, "right.lower.end", (0.1, -0.6, 0), start=start)
    assert state["left.shoulder"] == 0.123 and state["left.elbow"] == -4.5
    assert state.report.position_error <= 1e-9


def test_starts_in_every_way():
    model = hs.Model(planar((0, 3)), poses={"start": {"elbow": 1.0, "shoulder.v": 2.0}})
    place = placed(model, "lower.end")

    def found(start, q):
        return hs.reach(model, "lower.end", place(np.array(q)), start=start).report.iterations == 0

    assert found(None, [0, 1]) and found({"shoulder": 2}, [2, 1]) and found([2, 2], [2, 2])
    assert found({"elbow": -1, "elbow.v": 3}, [0, 0])  # put inside its limits
    assert found(hs.State(model.coordinates, model.speeds, [1, 2]), [1, 2])


def test_the_size_of_the_model_does_not_matter():
    for size in (1e-3, 1.0, 1e3):
        model = hs.Model(
            hs.Rod("upper", 0.5 * size, 1.0), hs.Rod("lower", 0.3 * size, 1.0),
            hs.Universal("shoulder", hs.WORLD, "upper", axes=("y", "z")),
            hs.Revolute("elbow", "upper.end", "lower", axis="z"), physical=False,
        )  # fmt: skip
        target = size * np.array([0.3, 0.2, 0.35])
        state = hs.reach(model, "lower.end", target, tolerance=1e-10 * size)
        assert state.report.iterations < 40 and state.report.position_error <= 1e-10 * size


def test_far_away_on_slides_is_near():
    state = hs.reach(floating(), "base", hs.Frame((4000, -3000, 2), (1, 1, 1)))
    assert state.report.tries == 1 and state.report.iterations < 25


def test_poses_in_every_way():
    model, frame = ARMS["panda"]
    q = np.array([0.1, 0.2, 0.3, -1.0, 0.2, 1.0, 0.4])
    p, R = pair = placed(model, frame)(q)
    whole = np.eye(4)
    whole[:3, 3], whole[:3, :3] = p, R
    rpy = (math.atan2(R[2, 1], R[2, 2]), -math.asin(R[2, 0]), math.atan2(R[1, 0], R[0, 0]))
    poses = [pair, (p, R), [p.tolist(), R.tolist()], whole, whole.tolist()]
    found = [hs.reach(model, frame, pose) for pose in (*poses, hs.Frame(tuple(p), rpy))]
    assert all(np.allclose(state.q, found[0].q, atol=1e-8) for state in found)
    rough = (p, np.round(R, 8))  # no rotation to the last digit
    assert hs.reach(model, frame, rough).report.rotation_error <= 1e-9


def test_forces_drives_and_sensors_are_no_hindrance():
    more = [
        hs.Spring("spring", hs.WORLD, "lower.end", stiffness=10.0),
        hs.Drive("motor", "elbow", position=0.3),
        hs.Sensor("tip", "pose", "lower.end"),
    ]
    model = planar() + more
    assert hs.reach(model, "lower.end", (0.3, 0.4, 0)).report.position_error <= 1e-9


def test_formulas():
    rod = hs.Body("rod", mass=1.0, frames={"end": ("2 * a", 0, 0)})
    model = hs.Model(rod, hs.Revolute("j", hs.WORLD, "rod"), parameters={"a": 0.25})
    target = hs.Frame(("a - a", "2 * a", 0), (0, 0, "pi / 2"))
    assert math.isclose(hs.reach(model, "rod.end", target)["j"], PI / 2)


def test_the_same_seed_the_same_answer():
    model, frame = ARMS["limited 3"]
    place, rng = placed(model, frame), np.random.default_rng(1)
    for _ in range(5):
        target = place(anywhere(model, rng))
        assert hs.reach(model, frame, target, seed=4) == hs.reach(model, frame, target, seed=4)


def failure(*args, **more):
    with pytest.raises(hs.SolveError) as caught:
        hs.reach(*args, **more)
    assert "\n" not in str(caught.value)
    return caught.value


def test_out_of_reach_says_how_far():
    error = failure(planar(), "lower.end", (2.0, 0, 0))
    assert str(error).startswith('frame "lower.end" does not get there: 1.2 m remain')
    assert math.isclose(error.nearest.report.position_error, 1.2, rel_tol=1e-9)
    assert np.allclose(error.nearest.q, 0, atol=1e-4) and error.nearest.report.tries == 20
    assert "limit" not in str(error)


def test_out_of_reach_names_the_limits():
    model = planar((0.5, 2.5))
    error = failure(model, "lower.end", (0, 0.79, 0))
    assert "at its limit: elbow; move the pose or those limits" in str(error)
    assert error.nearest.report.at_limit == ("elbow",)
    assert error.nearest["elbow"] == 0.5
    reachable = math.sqrt(0.34 + 0.3 * math.cos(0.5))
    assert math.isclose(error.nearest.report.position_error, 0.79 - reachable, rel_tol=1e-6)
    free = failure(floating(), "base", (0, 0, 9.0))
    assert "6 m remain" in str(free) and "at its limit: base.z" in str(free)


def test_out_of_the_plane_the_angle_is_told():
    model = planar()
    p = placed(model, "lower.end")([0.5, 0.7]).p
    tilted = hs.Frame(tuple(p), (0.3, 0, 1.2))
    error = failure(model, "lower.end", tilted)
    assert " m and 0.3 rad remain" in str(error)
    assert np.allclose(error.nearest.q, [0.5, 0.7], atol=1e-5)
    state = hs.reach(model, "lower.end", tilted, position_only=True)
    assert state.report.position_error <= 1e-9


def test_nothing_can_move_it():
    model = planar()
    for frame, held in (("world", ()), ("lower.end", ("elbow", "shoulder"))):
        error = failure(model, frame, (0.1, 0.2, 0.3), held=held)
        assert "nothing can move it" in str(error)
        there = placed(model, frame)(model.zero)
        assert hs.reach(model, frame, there, held=held).report.tries == 1


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"frame": "lower.edn"}, 'did you mean "end"'),
        ({"frame": 3}, "a frame is given by its name, not a int"),
        ({"pose": (1, 2)}, "shape"),
        ({"pose": (1, 2, math.nan)}, "must be finite"),
        ({"pose": "here"}, "must be numbers"),
        ({"pose": ((0, 0, 0), [[1, 0], [0, 1]])}, "shape"),
        ({"pose": ((0, 0, 0), [[1, 2], [0]])}, "rows of different lengths"),
        ({"pose": ((0, 0, 0), 2 * np.eye(3))}, "no rotation: its columns miss"),
        ({"pose": ((0, 0, 0), np.diag([1, 1, -1]))}, "reflection"),
        ({"pose": ((0, 0, 0), np.full((3, 3), np.inf))}, "must be finite"),
        ({"pose": np.eye(4).T + np.eye(4)[::-1] * 0.1}, "last row must be 0 0 0 1"),
        ({"pose": None}, "must be numbers"),
        ({"pose": (0.1, 0.2, 1 + 2j)}, "must be numbers"),
        ({"held": ("elbw",)}, 'held names "elbw".*did you mean "elbow"'),
        ({"held": 3}, "held must be names"),
        ({"start": {"elbw": 1}}, 'the start names "elbw".*did you mean "elbow"'),
        ({"start": {"elbow": math.nan}}, 'the start of "elbow" must be finite'),
        ({"start": [1.0, math.inf]}, 'the start of "elbow" must be finite'),
        ({"start": [1.0]}, "the start has shape"),
        ({"start": "zero"}, "the start must be numbers"),
        ({"start": hs.State(("a",), ("a.v",), [0])}, "another model"),
        ({"start": {"elbow": 4}, "held": ("elbow",)}, '"elbow" is held at 4, outside its limits'),
        ({"tolerance": 0}, "tolerance must be above zero"),
        ({"tolerance": math.nan}, "tolerance must be finite"),
        ({"tries": 0}, "tries must be a whole number"),
        ({"length": -1}, "length must be above zero"),
    ],
)
def test_mistakes_are_named(change, message):
    given = {"frame": "lower.end", "pose": (0.1, 0.2, 0), **change}
    with pytest.raises(hs.ModelError, match=message):
        hs.reach(planar((-3, 3)), given.pop("frame"), given.pop("pose"), **given)


def test_mistakes_with_quaternions_and_loops():
    with pytest.raises(hs.ModelError, match='part of the quaternion of "base"'):
        hs.reach(floating(), "base", (0, 0, 0), held=["base.qw"])
    with pytest.raises(hs.ModelError, match="quaternion of length zero"):
        hs.reach(floating(), "base", (0, 0, 0), start={"base.qw": 0})
    loop = planar() + hs.Revolute("close", "lower.end", hs.WORLD.at(0.4, 0, 0), axis="z")
    with pytest.raises(hs.ModelError, match='"close" closes a loop'):
        hs.reach(loop, "lower", (0, 0, 0))


def test_no_warnings_of_numpy():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for model, frame in ARMS.values():
            q = anywhere(model, np.random.default_rng(11))
            hs.reach(model, frame, placed(model, frame)(q))
            failure(model, frame, (50.0, 60.0, 70.0), tries=3)


def turned(turn):
    """The rotation by axis times angle."""
    angle = np.linalg.norm(turn)
    x, y, z = turn / angle if angle else turn
    K = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.eye(3) + math.sin(angle) * K + 2 * math.sin(angle / 2) ** 2 * K @ K


@pytest.mark.parametrize("angle", [0.0, 1e-12, 1e-5, 0.1, 2.0, 3.0, PI - 1e-3, PI - 1e-9])
def test_turns_come_back_from_their_matrices(angle):
    rng = np.random.default_rng(0)
    for axis in (*np.eye(3), *-np.eye(3), *rng.normal(size=(20, 3))):
        turn = angle * axis / np.linalg.norm(axis)
        assert np.allclose(logarithm(turned(turn)), turn, rtol=0, atol=1e-15 + 1e-15 * angle)
        if angle < 3.1:
            h = 1e-6
            columns = [
                logarithm(turned(d) @ turned(turn)) - logarithm(turned(-d) @ turned(turn))
                for d in h * np.eye(3)
            ]
            slope = np.array(columns).T / (2 * h)
            assert np.allclose(slope_of_logarithm(turn), slope, atol=1e-8)
    assert math.isclose(np.linalg.norm(logarithm(np.diag([1.0, -1, -1]))), PI)
