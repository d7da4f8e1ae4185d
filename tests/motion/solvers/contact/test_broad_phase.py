"""The pairs whose balls are near, along a motion, against all pairs tried one by one."""

import numpy as np
import pytest

from hapsis.motion.solvers.contact.geometry.broad_phase import Sweep, candidates
from hapsis.motion.solvers.contact.geometry.solids import BOX, CAPSULE, HEIGHTFIELD, PLANE, SPHERE
from tests.motion.solvers.contact.solid_scenes import NO_SIZE, Solid, memory, random_rotation, random_solid


def scene(draw, count, spread):
    kinds = draw.choice([SPHERE, BOX, CAPSULE], count)
    solids = [random_solid(draw, k, 0.5)._replace(p=spread * draw.uniform(-1, 1, 3)) for k in kinds]
    grounds = [Solid(PLANE, NO_SIZE, random_rotation(draw)), Solid(HEIGHTFIELD, NO_SIZE)]
    for ground in grounds[: int(draw.integers(3))]:
        solids.insert(int(draw.integers(len(solids) + 1)), ground)
    return memory(*solids)


def near(solids, margins, a, b):
    """Whether a pair is near, one by one."""
    poses, bounds = solids.poses.reshape(-1, 12), solids.bounds
    if bounds[a] > 1e200:
        a, b = b, a
    way, reach = poses[a, 9:] - poses[b, 9:], bounds[a] + margins[a] + margins[b]
    if solids.kinds[b] == HEIGHTFIELD:
        return True
    if solids.kinds[b] == PLANE:
        return poses[b, :9].reshape(3, 3)[:, 2] @ way <= reach
    return np.linalg.norm(way) <= reach + bounds[b]


@pytest.mark.parametrize("seed", range(12))
def test_near_pairs_along_a_motion(seed):
    draw = np.random.default_rng(seed)
    solids = scene(draw, int(draw.integers(1, 40)), draw.uniform(0.5, 4))
    n = solids.count
    table, pairs = -np.ones((n, n), np.int64), []
    for a in range(n):
        for b in range(a + 1, n):
            if min(solids.bounds[a], solids.bounds[b]) < 1e200 and draw.random() < 0.8:
                table[a, b] = table[b, a] = len(pairs)
                pairs.append((a, b))
    sweep, found, margins = Sweep(count=n), np.zeros(len(pairs), np.int64), draw.uniform(0, 0.1, n)
    stretch = np.array([1.0, 1.0, 1.0])
    for step in range(8):
        if step == 4:
            stretch[draw.integers(3)] = 5.0  # another axis becomes the widest
        solids.poses.reshape(n, 12)[:, 9:] += 0.05 * draw.normal(size=(n, 3))
        solids.poses.reshape(n, 12)[:, 9:] *= stretch ** (step == 4)
        count = candidates(solids, margins, sweep, table.ravel(), found)
        expected = [k for k, (a, b) in enumerate(pairs) if near(solids, margins, a, b)]
        assert sorted(found[:count]) == expected


def test_machine_code_and_python_agree():
    solids = scene(np.random.default_rng(2), 12, 1.0)
    n = solids.count
    table = np.arange(n * n)
    results = []
    for run in (candidates, candidates.python):
        found = np.zeros(n * n, np.int64)
        results.append((run(solids, np.full(n, 0.1), Sweep(count=n), table, found), found))
    assert results[0][0] == results[1][0] > 0
    assert np.array_equal(results[0][1], results[1][1])
