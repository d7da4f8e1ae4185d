"""Grids of cells with six faces that fill shapes and keep their symmetry.

The cube [-1, 1]³ becomes a ball by (x √(1 - y²/2 - z²/2 + y²z²/3), ...), a disc by (x √(1 - y²/2), ...).
"""

from typing import Any, NamedTuple

import numpy as np

from hapsis.mechanics.model.shapes.shapes import Box, Capsule, Cylinder, Ellipsoid, Shape, Sphere

Array = np.ndarray[Any, Any]


class Grid(NamedTuple):
    """Corners of cells, the cells, and which of them are odd, as on a chess board."""

    points: Array
    hexes: Array
    odd: Array


def grid(x: Array, y: Array, z: Array) -> Grid:
    """The cells between these coordinates."""
    points = np.stack(np.meshgrid(x, y, z, indexing="ij"), axis=-1).reshape(-1, 3)
    nx, ny, nz = len(x) - 1, len(y) - 1, len(z) - 1
    i, j, k = (a.ravel() for a in np.meshgrid(np.arange(nx), np.arange(ny), np.arange(nz), indexing="ij"))
    corners = [
        ((i + a) * (ny + 1) + j + b) * (nz + 1) + k + c for a in (0, 1) for b in (0, 1) for c in (0, 1)
    ]
    return Grid(points, np.stack(corners, axis=1), (i + j + k) % 2 == 1)


def ball(p: Array) -> Array:
    """The ball of radius 1 of the cube."""
    x, y, z = (p**2).T
    factor = [1 - y / 2 - z / 2 + y * z / 3, 1 - z / 2 - x / 2 + z * x / 3, 1 - x / 2 - y / 2 + x * y / 3]
    return p * np.sqrt(np.array(factor)).T


def disc(p: Array) -> Array:
    """The first two coordinates of the square as those of a disc of radius 1."""
    x, y = p[:, 0], p[:, 1]
    return np.column_stack([x * np.sqrt(1 - y**2 / 2), y * np.sqrt(1 - x**2 / 2), p[:, 2]])


def shape_grid(shape: Shape, cells: tuple[int, int, int]) -> Grid:
    """Cells along x, y, z of a shape in its own frame."""
    lines = [np.linspace(-1.0, 1.0, n + 1) for n in cells]
    if isinstance(shape, Capsule):
        return _capsule(float(shape.radius), float(shape.length), cells)
    cube = grid(*lines)
    if isinstance(shape, Box):
        return cube._replace(points=cube.points * [0.5 * float(x) for x in shape.size])
    if isinstance(shape, Sphere):
        return cube._replace(points=ball(cube.points) * float(shape.radius))
    if isinstance(shape, Ellipsoid):
        return cube._replace(points=ball(cube.points) * [float(x) for x in shape.semi_axes])
    assert isinstance(shape, Cylinder)
    r = float(shape.radius)
    return cube._replace(points=disc(cube.points) * [r, r, 0.5 * float(shape.length)])


def _capsule(radius: float, length: float, cells: tuple[int, int, int]) -> Grid:
    """Half of a ball's layers at each end, and between them those of a cylinder."""
    nx, ny, nz = cells
    cap = max(1, round(nx / 2))
    middle = max(1, nz - 2 * cap) if length > 0.0 else 0
    heights = [np.linspace(-2.0, -1.0, cap + 1), np.linspace(-1.0, 1.0, middle + 1)[1:]]
    if not middle:
        heights[1] = np.zeros(0)
    heights.append(np.linspace(1.0 if middle else -1.0, 2.0 if middle else 0.0, cap + 1)[1:])
    cube = grid(np.linspace(-1, 1, nx + 1), np.linspace(-1, 1, ny + 1), np.concatenate(heights))
    p = cube.points
    waist = 1.0 if middle else -1.0
    up, down = np.maximum(p[:, 2] - waist, 0.0), np.minimum(p[:, 2] + 1.0, 0.0)
    straight = p[:, 2] - up - down if middle else np.zeros(len(p))
    places = radius * ball(np.column_stack([p[:, 0], p[:, 1], up + down]))
    places[:, 2] += 0.5 * length * straight
    return cube._replace(points=places)


def sizes(shape: Shape) -> Array:
    """The lengths of a shape along its axes."""
    if isinstance(shape, Box):
        return np.array([float(x) for x in shape.size])
    if isinstance(shape, Ellipsoid):
        return 2.0 * np.array([float(x) for x in shape.semi_axes])
    r = float(shape.radius)  # pyright: ignore[reportAttributeAccessIssue]
    height = 2.0 * r
    if isinstance(shape, Cylinder):
        height = float(shape.length)
    elif isinstance(shape, Capsule):
        height += float(shape.length)
    return np.array([2.0 * r, 2.0 * r, height])
