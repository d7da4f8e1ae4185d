"""Solids at rest on each other: how many points they touch at, and that tiny motions do not change them."""

import numpy as np
import pytest

from hapsis.motion.solvers.contact.geometry.solids import BOX, CAPSULE, CYLINDER, HULL, PLANE
from tests.motion.solvers.contact.solid_scenes import CUBE, NO_SIZE, Solid, points_of, rotation

DEPTH = 1e-4
ALONG_Y, ALONG_X = rotation([1, 0, 0], np.pi / 2), rotation([0, 1, 0], np.pi / 2)
ABOUT_X, ABOUT_Y = rotation([1, 0, 0], np.pi / 4), rotation([0, 1, 0], np.pi / 4)
UPRIGHT, YAW = np.eye(3), rotation([0, 0, 1], 0.3)
SIDE = (1.0, 1.0, 1.0)
ROD, FLOOR, BLOCK = (0.3, 1.0, 0.0), Solid(PLANE, NO_SIZE), Solid(BOX, SIDE)


def on(kind, size, R, x, y, z, corners=None):
    return Solid(kind, np.array(size), R, np.array([x, y, z - DEPTH]), corners)


# what rests, what it rests on, how many points
CASES = {
    "box on box": (on(BOX, SIDE, UPRIGHT, 0, 0, 1), BLOCK, 4),
    "turned box on box": (on(BOX, SIDE, YAW, 0, 0, 1), BLOCK, 8),
    "edge on box": (on(BOX, SIDE, ABOUT_X, 0, 0, 0.5 + 0.5**0.5), BLOCK, 2),
    "edge on edge": (on(BOX, SIDE, ABOUT_X, 0, 0, 2**0.5), Solid(BOX, SIDE, ABOUT_Y), 1),
    "box on plane": (on(BOX, SIDE, YAW, 0, 0, 0.5), FLOOR, 4),
    "cylinder on plane": (on(CYLINDER, ROD, YAW, 0, 0, 0.5), FLOOR, 8),
    "lying cylinder on plane": (on(CYLINDER, ROD, ALONG_Y, 0, 0, 0.3), FLOOR, 2),
    "capsule on plane": (on(CAPSULE, ROD, ALONG_Y, 0, 0, 0.3), FLOOR, 2),
    "cylinder on box": (on(CYLINDER, ROD, YAW, 0.1, 0, 1), BLOCK, 8),
    "cylinder over an edge": (on(CYLINDER, ROD, UPRIGHT, 0.45, 0.1, 1), BLOCK, 7),
    "lying cylinder on box": (on(CYLINDER, ROD, ALONG_Y, 0, 0.2, 0.8), BLOCK, 2),
    "cylinder on cylinder": (on(CYLINDER, ROD, UPRIGHT, 0.1, 0, 1), Solid(CYLINDER, ROD), 8),
    "cylinders side by side": (on(CYLINDER, ROD, ALONG_Y, 0, 0.2, 0.6), Solid(CYLINDER, ROD, ALONG_Y), 2),
    "crossed cylinders": (on(CYLINDER, ROD, ALONG_Y, 0, 0.2, 0.6), Solid(CYLINDER, ROD, ALONG_X), 1),
    "cap on a side": (on(CYLINDER, ROD, UPRIGHT, 0, 0, 0.8), Solid(CYLINDER, (0.3, 2, 0), ALONG_Y), 2),
    "capsule on box": (on(CAPSULE, ROD, ALONG_Y, 0, 0.2, 0.8), BLOCK, 2),
    "parallel capsules": (on(CAPSULE, ROD, ALONG_Y, 0, 0.2, 0.6), Solid(CAPSULE, ROD, ALONG_Y), 2),
    "capsule beside a cylinder": (on(CAPSULE, ROD, ALONG_Y, 0, 0.2, 0.6), Solid(CYLINDER, ROD, ALONG_Y), 2),
    "hull on plane": (on(HULL, NO_SIZE, YAW, 0, 0, 0.5, CUBE), FLOOR, 4),
    "hull on box": (on(HULL, NO_SIZE, YAW, 0, 0, 1, CUBE), BLOCK, 8),
    "hull on hull": (on(HULL, NO_SIZE, YAW, 0, 0, 1, CUBE), Solid(HULL, NO_SIZE, corners=CUBE), 8),
    "hull on cylinder": (on(HULL, NO_SIZE, YAW, 0, 0, 1, CUBE), Solid(CYLINDER, ROD), 8),
}


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("scale", [1e-6, 1.0, 1e3])
def test_points_at_rest(name, scale):
    a, b, count = CASES[name]
    a, b = (
        solid._replace(
            size=scale * np.array(solid.size),
            p=scale * solid.p,
            corners=None if solid.corners is None else scale * solid.corners,
        )
        for solid in (a, b)
    )
    points = points_of(a, b, 1e-3 * scale)
    assert len(points) == count
    assert np.abs(points[:, 6] + DEPTH * scale).max() < 1e-9 * scale
    assert np.abs(points[:, 3:6] - [0, 0, 1]).max() < 1e-9
    assert np.ptp(points[:, 2]) < 1e-9 * scale


@pytest.mark.parametrize("name", CASES)
def test_tiny_motions_move_the_points_little(name):
    a, b, count = CASES[name]
    still = points_of(a, b, 1e-3)
    draw = np.random.default_rng(2)
    for _ in range(20):
        R = rotation(draw.normal(size=3), 1e-8 * draw.normal())
        points = points_of(a._replace(R=R @ a.R, p=a.p + 1e-8 * draw.normal(size=3)), b, 1e-3)
        assert len(points) == count
        apart = np.linalg.norm(points[:, None, :3] - still[None, :, :3], axis=2)
        assert apart.min(axis=0).max() < 1e-6 and apart.min(axis=1).max() < 1e-6


def test_the_points_of_a_turned_box_are_the_corners_of_the_common_area():
    for angle in np.linspace(0.05, 1.5, 30):
        points = points_of(on(BOX, SIDE, rotation([0, 0, 1], angle), 0, 0, 1), BLOCK, 1e-3)
        order = np.argsort(np.arctan2(points[:, 1], points[:, 0]))
        x, y = points[order, 0], points[order, 1]
        shoelace = 0.5 * abs(x @ np.roll(y, -1) - y @ np.roll(x, -1))
        area = 1.0 - 4 * _corner_area(angle)
        assert len(points) == 8
        assert abs(shoelace - area) < 1e-6


def _corner_area(angle):
    """The area of each of the four corners of a unit square that stick out of one turned by an angle."""
    # a side of the square is the hypotenuse h of one such triangle and a leg of each of two others
    h = 1.0 / (1.0 + np.cos(angle) + np.sin(angle))
    return 0.5 * h * np.cos(angle) * h * np.sin(angle)
