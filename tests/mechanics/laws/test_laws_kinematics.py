"""Laws of motion without forces: poses, velocities, accelerations, Jacobians, momentum."""

import random

import numpy as np
import oracle
import pytest
import trees
from hypothesis import given, settings
from trees import STENCIL, WEIGHTS, close, numbers

import hapsis as hs


def frames(model, draw):
    """A few frames of a model by name."""
    bodies = [draw.choice(list(model.bodies)) for _ in range(2)]
    return {bodies[0], f"{bodies[1]}.a", f"{bodies[1]}.b"}


@pytest.mark.parametrize("chunk", range(4))
def test_kinematics_on_random_trees(chunk):
    for seed in range(chunk * 12, (chunk + 1) * 12):
        draw = random.Random(seed)
        model = trees.planar(draw) if seed % 4 == 0 else trees.model(draw, most=7)
        if not model.speeds:
            continue
        q, v, a = trees.states(model, draw, 2)
        motion = oracle.Motion(model, q, v, a)
        for frame in sorted(frames(model, draw)):
            check(model, frame, motion)


def check(model, frame, motion):
    """Everything about one frame, in the world's axes and in its own."""
    q, v, a = motion.q, motion.v, motion.a
    H = motion.frame(frame)[0]
    p, R = numbers(hs.pose(model, frame), q)
    close(p, H[:, :3, 3])
    close(R, H[:, :3, :3])
    V, A, J = motion.velocity(frame), motion.acceleration(frame), motion.jacobian(frame)
    close(numbers(hs.velocity(model, frame), q, v), V)
    close(numbers(hs.acceleration(model, frame), q, v, a), A)
    close(numbers(hs.jacobian(model, frame), q), J)
    close(np.einsum("sij,sj->si", J, v), V)
    dJ = numbers(hs.jacobian_rate(model, frame), q, v)
    close(np.einsum("sij,sj->si", dJ, v) + np.einsum("sij,sj->si", J, a), A)
    check_rate(model, frame, q, v, dJ)
    # in the frame's own axes
    both = np.zeros((len(q), 6, 6))
    both[:, :3, :3] = both[:, 3:, 3:] = H[:, :3, :3].transpose(0, 2, 1)
    own = {"axes": "frame"}
    close(numbers(hs.velocity(model, frame, **own), q, v), np.einsum("sij,sj->si", both, V))
    close(numbers(hs.acceleration(model, frame, **own), q, v, a), np.einsum("sij,sj->si", both, A))
    close(numbers(hs.jacobian(model, frame, **own), q), both @ J)
    check_rate(model, frame, q, v, numbers(hs.jacobian_rate(model, frame, **own), q, v), **own)


def check_rate(model, frame, q, v, dJ, **own):
    """The rate of a Jacobian by differences along the motion."""
    h = 4e-3
    times = h * STENCIL[:, None, None]
    path = q + times * oracle.rates(model, q, v)
    J = numbers(hs.jacobian(model, frame, **own), path.reshape(len(STENCIL) * len(q), -1))
    J = J.reshape(len(STENCIL), len(q), *J.shape[1:])
    close(np.einsum("t,tsij->sij", WEIGHTS, J) / h, dJ, J, gate=1e-9)


@given(trees.models(most=5))
@settings(max_examples=12)
def test_a_pose_changes_by_its_velocity(drawn):
    """Exactly, by differentiating the formulas of the pose along q̇."""
    model, draw = drawn
    q, v, _ = trees.states(model, draw, 2)
    frame = sorted(frames(model, draw))[0]
    dq = numbers(hs.coordinate_rates(model), q, v)
    f = hs.pose(model, frame)
    dp, dR = numbers(f.jvp("q"), q, dq) if model.coordinates else numbers(f, q)
    V = numbers(hs.velocity(model, frame), q, v)
    R = numbers(f, q).R
    if not model.coordinates:
        dp, dR = 0 * dp, 0 * dR
    close(dp, V[:, 3:])
    close(oracle.twist(V[:, :3], V[:, 3:])[:, :3, :3] @ R, dR)


def test_the_world_and_what_is_welded_to_it_stand_still():
    facts = [
        hs.Rod("a", 1, 1),
        hs.Rod("b", 0.5, 1, frames={"tip": hs.Frame((1, 2, 3), (0, 0, 1))}),
        hs.Revolute("j", hs.WORLD.at(0, 0, 1), "a"),
        hs.Weld("w", hs.WORLD.at(1, 0, 0), "b"),
        hs.Body("world", frames={"peg": hs.Frame((0, 1, 0), (0.3, 0, 0))}),
    ]
    model = hs.Model(facts)
    q, v, a = trees.states(model, 3, 2)
    motion = oracle.Motion(model, q, v, a)
    for frame in ("world", "world.peg", "b", "b.tip"):
        p, R = numbers(hs.pose(model, frame), q)
        close(p, motion.frame(frame)[0][:, :3, 3])
        close(R, motion.frame(frame)[0][:, :3, :3])
        for axes in ("world", "frame"):
            close(numbers(hs.velocity(model, frame, axes=axes), q, v), np.zeros((2, 6)))
            close(numbers(hs.acceleration(model, frame, axes=axes), q, v, a), np.zeros((2, 6)))
            close(numbers(hs.jacobian(model, frame, axes=axes), q), np.zeros((2, 6, 1)))
            close(numbers(hs.jacobian_rate(model, frame, axes=axes), q, v), np.zeros((2, 6, 1)))


def test_wrong_names_are_told():
    model = hs.Model(hs.Rod("arm", 1, 1), hs.Revolute("j", hs.WORLD, "arm"))
    for f in (hs.velocity, hs.acceleration, hs.jacobian, hs.jacobian_rate):
        with pytest.raises(hs.ModelError, match=r'axes "wrld" are not known.*world or frame'):
            f(model, "arm", axes="wrld")
    for f in (hs.pose, hs.velocity, hs.acceleration, hs.jacobian, hs.jacobian_rate):
        with pytest.raises(hs.ModelError, match='there is no frame "endd" of body "arm"'):
            f(model, "arm.endd")


@pytest.mark.parametrize("chunk", range(3))
def test_centre_of_mass_and_momentum(chunk):
    for seed in range(chunk * 15, (chunk + 1) * 15):
        draw = random.Random(seed + 300)
        model = trees.model(draw, most=7)
        q, v, a = trees.states(model, draw, 2)
        motion = oracle.Motion(model, q, v, a)
        moving = motion.moving()
        if not any(P[3, 3] for P in moving.values()):
            with pytest.raises(hs.ModelError, match="nothing that moves has mass"):
                hs.momentum(model)
            continue
        close(numbers(hs.center_of_mass(model), q), motion.center())
        close(numbers(hs.momentum(model), q, v), motion.momentum())


@given(trees.models(most=4, kinds=trees.PLAIN, weight=False, losses=False))
@settings(max_examples=8)
def test_a_floating_tree_keeps_its_momentum(drawn):
    """With no efforts and no weight momentum stays; with weight it grows by it."""
    inner, draw = drawn
    base = [hs.Body("base", 2.0, (0.1, 0, 0), (0.3, 0.2, 0.4)), hs.Free("float", hs.WORLD, "base")]
    arm = inner.prefixed("arm", on=("base", (0.1, 0.2, 0.3)))
    weight = np.array((0.5, -1.0, -9.81))
    for gravity in (0 * weight, weight):
        model = hs.Model(base, arm, gravity=gravity)
        q, v, _ = trees.states(model, draw, 2)
        a = numbers(hs.forward_dynamics(model), q, v, 0 * v)
        h = hs.momentum(model)
        dq = numbers(hs.coordinate_rates(model), q, v)
        rate = numbers(h.jvp("q", "v"), q, v, dq, a)
        mass = sum(P[3, 3] for P in oracle.Motion(model, q).moving().values())
        M = numbers(hs.mass_matrix(model), q)
        worst = max(1.0, trees.condition(M).max() / 30)
        expected = np.concatenate([0 * weight, mass * gravity])
        terms = numbers(h, q, v), np.einsum("sij,sj->si", M, a)
        close(rate, np.tile(expected, (2, 1)), *terms, gate=1e-12 * worst)
