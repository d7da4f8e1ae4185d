"""The factor of a matrix of blocks solves the same equations as one without blocks, for any links."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hapsis.motion.solvers.contact.block_factor import factor, linked, plan, size_of, solve
from hapsis.motion.solvers.contact.contact_memory import SINGULAR, SOLVED, ContactScene
from hapsis.motion.solvers.contact.geometry.broad_phase import Sweep
from hapsis.motion.solvers.contact.geometry.solids import Solids


def nothing(*arrays):
    """A kernel that is never called."""


def scene_of(sizes, links):
    """A scene with blocks of these sizes, and touches that link them."""
    n = sum(sizes)
    scene = ContactScene(
        solids=Solids(count=1), sweep=Sweep(count=1), terms=nothing, drift=nothing,
        n_q=n, n_v=n, block_count=len(sizes), body_count=1, pair_count=1, support_count=1, matrix_size=1,
        jacobian_size=1, widest=1, touch_room=max(1, len(links)), factor_room=n * n, solids_count=1,
        block_first=np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64),
    )  # fmt: skip
    scene.touch_count = len(links)
    scene.touch_block[: 2 * len(links)] = np.ravel(links).astype(np.int64)
    return scene


def filled(scene, sizes, H):
    """Puts the blocks of H where the plan has them, by columns."""
    n, first = len(sizes), np.concatenate([[0], np.cumsum(sizes)])
    scene.H[:] = 0.0
    for i in range(n):
        for j in range(n):
            place = scene.slot[i * n + j]
            if place >= 0:
                block = H[first[i] : first[i + 1], first[j] : first[j + 1]]
                scene.H[place : place + block.size] = block.ravel(order="F")


@given(st.lists(st.integers(1, 7), min_size=1, max_size=8), st.integers(0, 2**32 - 1))
def test_it_solves_what_a_dense_solver_solves(sizes, seed):
    random = np.random.default_rng(seed)
    n = len(sizes)
    links = [(a, b) for a in range(n) for b in range(a) if random.uniform() < 0.4]
    scene = scene_of(sizes, links)
    assert plan(scene) == SOLVED and linked(scene)
    first = np.concatenate([[0], np.cumsum(sizes)])
    H = np.zeros((first[-1],) * 2)
    for a, b in [*links, *((k, k) for k in range(n))]:
        rows = np.r_[first[a] : first[a + 1], first[b] : first[b + 1]]
        part = random.normal(size=(len(rows), len(rows)))
        H[np.ix_(rows, rows)] += part @ part.T + 0.1 * np.eye(len(rows))
    filled(scene, sizes, H)
    b = random.normal(size=len(H))
    x = b.copy()
    assert factor(scene) == SOLVED
    solve(scene, x)
    assert np.allclose(H @ x, b, rtol=0, atol=1e-9 * max(1.0, np.linalg.cond(H) * 1e-3))
    assert [size_of(scene, k) for k in range(n)] == sizes


def test_a_matrix_that_is_not_definite_is_told():
    scene = scene_of([2, 2], [(0, 1)])
    assert plan(scene) == SOLVED
    filled(scene, [2, 2], np.diag([1.0, 1.0, 1.0, -1.0]))
    assert factor(scene) == SINGULAR


@pytest.mark.parametrize("count", [3, 8])
def test_a_chain_gets_no_fill(count):
    scene = scene_of([6] * count, [(k, k + 1) for k in range(count - 1)])
    assert plan(scene) == SOLVED
    assert scene.factor_size == 36 * (2 * count - 1)


def test_a_new_link_asks_for_a_new_plan():
    scene = scene_of([6, 6, 6], [(0, 1), (1, 2)])
    assert not linked(scene) and plan(scene) == SOLVED and linked(scene)
    scene.touch_block[:4] = [0, 2, 1, 2]
    assert not linked(scene)
