"""Inverse kinematics: poses made from coordinates are found again, within the limits."""

import math
import time

import numpy as np
import pytest
from reach_arms import ARMS, PI, anywhere, floating, inside, off, placed, planar

import hapsis as hs
from hapsis.motion.analysis.inverse_kinematics.ik_target import logarithm, slope_of_logarithm


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


@pytest.mark.slow
def test_poses_of_arms_are_found_again():
    rates = {}
    for name, (model, frame) in ARMS.items():
        count = 200 if "general" in name or "limited" in name or name == "panda" else 60
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
        x, y = rng.uniform(0.25, 0.75) * np.array([math.cos(a := rng.uniform(-PI, PI)), math.sin(a)])
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
            hs.Rod("upper", 0.5 * size, 1.0),
            hs.Rod("lower", 0.3 * size, 1.0),
            hs.Universal("shoulder", hs.WORLD, "upper", axes=("y", "z")),
            hs.Revolute("elbow", "upper.end", "lower", axis="z"),
            physical=False,
        )
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
