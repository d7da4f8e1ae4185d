"""Gaps of all pairs of shapes: continuous, with the sign of the distance, forces their gradient."""

import itertools

import numpy as np
import pytest
from samples import sample
from scipy.spatial.transform import Rotation
from touching_cases import CONVEX, LENGTHS, by_gradient, compiled, distance, moved, pushes, separation, solid

PAIRS = [p for p in itertools.combinations_with_replacement(CONVEX, 2) if by_gradient(*p)]
PAIRS.remove(("segment", "segment"))  # two lines never overlap
FINE, REFINED = 800, 3
SEARCHED = 1e-5


def random_sizes(kind, numbers):
    """Lengths up to 1, and down to a twentieth of that."""
    return np.exp(numbers.uniform(np.log(0.05), 0.0, LENGTHS[kind]))


class Path:
    """A motion of the first solid past the second: t from 0 to 1, both ways and turns even."""

    def __init__(self, first, second, numbers, flat):
        self.function = compiled(first, second)
        self.sizes = np.concatenate([[1.0], *(random_sizes(kind, numbers) for kind in (first, second))])
        self.way = numbers.normal(size=3) * 0.3
        self.p = numbers.normal(size=3) * 0.1 - 0.5 * self.way
        self.R, self.turn = Rotation.random(random_state=numbers), numbers.normal(size=3) * 0.6
        if flat:  # faces, axes and edges that are nearly parallel
            quarter = Rotation.from_euler("xyz", numbers.integers(0, 4, 3) * np.pi / 2)
            self.R = Rotation.from_rotvec(numbers.normal(size=3) * 0.03) * quarter
            self.turn = numbers.normal(size=3) * 0.06

    def at(self, t):
        """V and dV/dt by the forces."""
        turns = Rotation.from_rotvec(t[:, None] * self.turn) * self.R
        x = np.hstack([self.p + t[:, None] * self.way, turns.as_quat()[:, [3, 0, 1, 2]]])
        y = np.tile([0.0, 0, 0, 1, 0, 0, 0], (len(t), 1))
        found = self.function(x, y, np.tile(self.sizes, (len(t), 1)))
        moment = found.wrench[:, 3:] - np.cross(x[:, :3], found.wrench[:, :3])
        return found.V, -(found.wrench[:, :3] @ self.way + moment @ self.turn)

    def worst(self, low=0.0, high=1.0, count=FINE):
        """Where energy and work of the forces differ most, by how much; and the usual difference."""
        t = np.linspace(low, high, count + 1)
        V, rate = self.at(t)
        h = t[1] - t[0]
        # by Simpson's rule where the energy is smooth, from the midpoints
        middle = self.at(t[:-1] + 0.5 * h)[1]
        off = np.abs(np.diff(V) - (rate[1:] + 4.0 * middle + rate[:-1]) * h / 6.0)
        k = int(np.argmax(off))
        return t[k], t[k + 1], off[k], float(np.median(off)), V.max()


@pytest.mark.parametrize("flat", [False, True])
@pytest.mark.parametrize(("first", "second"), PAIRS)
def test_force_is_the_gradient_of_a_continuous_energy(first, second, flat):
    """On random ways past each other; kinks are left out by looking closer: jumps would stay."""
    numbers, touched = np.random.default_rng(20), 0
    for _ in range(sample(12, 300)):
        path = Path(first, second, numbers, flat)
        low, high, off, usual, largest = path.worst()
        if largest == 0.0:
            continue
        touched += 1
        assert usual <= 1e-9 * largest
        for _ in range(REFINED):
            low, high, off, _, _ = path.worst(low, high, 100)
        assert off <= 1e-7 * largest
    assert touched >= 2


@pytest.mark.parametrize(("first", "second"), PAIRS)
def test_solids_touch_where_they_meet(first, second):
    """The sign of the gap is that of the distance, by an oracle that searches all directions."""
    numbers, counts = np.random.default_rng(21), [0, 0]
    for _ in range(sample(15, 500)):
        R = Rotation.random(2, random_state=numbers).as_matrix()
        a, b = (
            solid(kind, numbers.normal(size=3) * 0.3, random_sizes(kind, numbers), turn)
            for kind, turn in zip((first, second), R, strict=True)
        )
        apart, n = separation(a, b)
        a = moved(a, (numbers.uniform(-0.03, 0.03) - apart) * n)  # just touching, or just not
        found, expected = pushes(a, b).gap.min(), distance(a, b)
        if abs(expected) > SEARCHED:
            counts[expected < 0.0] += 1
            assert (found < 0.0) == (expected < 0.0)
            # not further apart, and not deeper, than they are
            assert found <= expected + SEARCHED if expected > 0.0 else found >= expected - SEARCHED
    assert min(counts) >= 1
