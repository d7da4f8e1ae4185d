"""Objects that touch themselves: like two objects, a folded strip, a ring squeezed flat."""

from dataclasses import replace
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from touch_shapes import P, box, quiet

import hapsis as hs

FREE = (0.0, 0.0, 0.0)


def joined(name: str, a: Any, b: Any) -> Any:
    """One object of two that nothing connects."""
    springs = P.Connectors.of(
        np.concatenate([each.springs.ends + k for each, k in ((a, 0), (b, len(a)))]),
        np.concatenate([each.springs.rest for each in (a, b)]),
        np.concatenate([each.springs.stiffness for each in (a, b)]),
        np.concatenate([each.springs.damping for each in (a, b)]),
    )
    both = [np.concatenate([getattr(each, what) for each in (a, b)]) for what in ("points", "masses")]
    facets = np.concatenate([a.facets, b.facets + len(a)])
    speeds = np.concatenate([a.velocities, b.velocities])
    return P.ParticleObject(name, *both, springs, facets=facets, velocities=speeds)


def momenta(scene: Any, result: Any, row: int) -> Any:
    x, p = result["strip.points"][row], scene.masses[:, None] * result["strip.velocities"][row]
    return np.concatenate([p.sum(axis=0), np.cross(x, p).sum(axis=0)])


def strip(speed: float) -> Any:
    """A long strip whose ends fly up, so that it folds."""
    thing = P.solid(
        "strip", hs.shapes.box(1, 0.1, 0.04), mass=1, stiffness=400, damping=0.5, cells=(20, 1, 1)
    )
    speeds = np.zeros((len(thing.points), 3))
    speeds[:, 2] = speed * np.abs(thing.points[:, 0]) / 0.5
    return replace(thing, velocities=speeds)


@pytest.mark.parametrize("own", [False, True])
def test_a_strip_folds_onto_itself_and_not_through(own: bool) -> None:
    thing = strip(8.0)
    law = P.Touch(bedding=1e8, damping=1e4, friction=0.3, self_contact=own)
    scene = P.Scene(thing, law, gravity=FREE)
    result = quiet(scene, 0.5, every=0.01)
    left, right = (thing.points[:, 0] < -0.499), (thing.points[:, 0] > 0.499)
    gap = (result["strip.points"][:, right, 0] - result["strip.points"][:, left, 0]).mean(axis=1).min()
    assert result["touch.contacts"][0] == 0.0  # neighbours do not touch
    if own:
        assert gap > 0.0 and result["touch.force"].max() > 10.0
    else:
        assert gap < -0.1 and result["touch.force"].max() == 0.0
    assert np.abs(momenta(scene, result, -1) - momenta(scene, result, 0)).max() < 1e-12
    assert result.energy_drift < 1e-4
    assert np.diff(result["dissipated"]).min() > -1e-6 * result["energy"][0]


def ring(count: int = 16, outer: float = 0.1, inner: float = 0.08, width: float = 0.04) -> Any:
    """A ring of blocks around y."""
    a = 2 * np.pi * np.arange(count) / count
    rows = [
        (r * np.cos(t), y, r * np.sin(t)) for y in (-width / 2, width / 2) for r in (inner, outer) for t in a
    ]
    points, facets, ends = np.array(rows), [], set()

    def at(side: int, out: int, k: int) -> int:
        return (2 * side + out) * count + k % count

    for k in range(count):
        for a0, b0, c0, d0 in (
            (at(0, 1, k), at(1, 1, k), at(1, 1, k + 1), at(0, 1, k + 1)),
            (at(0, 0, k), at(0, 0, k + 1), at(1, 0, k + 1), at(1, 0, k)),
            (at(0, 0, k), at(0, 1, k), at(0, 1, k + 1), at(0, 0, k + 1)),
            (at(1, 0, k), at(1, 0, k + 1), at(1, 1, k + 1), at(1, 1, k)),
        ):
            facets += [(a0, b0, c0), (a0, c0, d0)]
        block = [at(side, out, k + m) for side in (0, 1) for out in (0, 1) for m in (0, 1)]
        ends |= {tuple(sorted(pair)) for pair in combinations(block, 2)}
    table, faces = np.array(sorted(ends)), np.array(facets)
    corners = points[faces]
    volume = np.einsum("fc,fc->", corners[:, 0], np.cross(corners[:, 1], corners[:, 2]))
    faces = faces if volume > 0 else faces[:, [0, 2, 1]]
    rest = np.linalg.norm(points[table[:, 0]] - points[table[:, 1]], axis=1)
    masses = np.full(len(points), 1 / len(points))
    return P.ParticleObject("ring", points, masses, P.Connectors.of(table, rest, 2e3, 2.0), facets=faces)


@pytest.mark.parametrize("own", [False, True])
def test_a_ring_squeezed_flat_touches_itself(own: bool) -> None:
    thing = ring()
    speeds = np.zeros((len(thing.points), 3))
    speeds[:, 2] = -80.0 * thing.points[:, 2]
    law = P.Touch(bedding=1e9, damping=1e5, friction=0.3, self_contact=own)
    result = quiet(P.Scene(replace(thing, velocities=speeds), law, gravity=FREE), 0.15, every=0.001)
    gap = (result["ring.points"][:, 4, 2] - result["ring.points"][:, 12, 2]).min()
    if own:
        assert gap > -0.005 and result["touch.force"].max() > 100.0
    else:
        assert gap < -0.05


def test_parts_of_one_object_touch_like_two_objects() -> None:
    a = box("a", 0.1, 0.1, 0.1, stiffness=5e4).at(-0.07, 0, 0).moving((1, 0, 0), (0, 2, 1))
    b = box("b", 0.1, 0.08, 0.12, stiffness=5e4).at(0.07, 0.02, 0.03, rpy=(0.1, 0.2, 0.3)).moving((-1, 0, 0))
    law = P.Touch(bedding=1e8, damping=1e4, friction=0.5, self_contact=True)
    two = quiet(P.Scene(a, b, law, gravity=FREE), 0.1, every=0.01)
    one = quiet(P.Scene(joined("ab", a, b), law, gravity=FREE), 0.1, every=0.01)
    assert two["touch.force"].max() > 10.0
    both = np.concatenate([two["a.points"], two["b.points"]], axis=1)
    assert np.abs(one["ab.points"] - both).max() < 1e-7
