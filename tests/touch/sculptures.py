"""Bodies of NURBS faces for tests."""

import numpy as np

import hapsis as hs

CIRCLE = np.array([(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1), (1, 0)], float)
CIRCLE_WEIGHTS = np.array([1, 0.5**0.5] * 4 + [1])
CIRCLE_KNOTS = [0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 4]
ARC_KNOTS = [0, 0, 0, 1, 1, 2, 2, 2]


def face(points, **rest):
    """A surface with this control net."""
    return hs.haptics.NurbsSurface(points, **rest)


def sheet(rng, count=6, size=0.1, height=0.02, **rest):
    """A bicubic sheet over a square, with random heights."""
    grid = np.linspace(0.0, size, count)
    x, y = np.meshgrid(grid, grid, indexing="ij")
    return face(np.stack([x, y, height * rng.standard_normal((count, count))], axis=2), **rest)


def box_faces(sizes):
    """Six bilinear faces of a box about the origin, normals outwards."""
    half = 0.5 * np.array(sizes)
    faces = []
    for axis in range(3):
        for sign in (1.0, -1.0):
            u, v = np.eye(3)[(axis + 1) % 3], np.eye(3)[(axis + 2) % 3]
            if sign < 0.0:
                u, v = v, u
            corners = [[sign * np.eye(3)[axis] + a * u + b * v for b in (-1, 1)] for a in (-1, 1)]
            faces.append(face(np.array(corners) * half, degrees=(1, 1), name=f"{'xyz'[axis]} {sign:+.0f}"))
    return faces


def box(sizes):
    """A box about the origin."""
    return hs.haptics.NurbsBody(*box_faces(sizes))


def turned(profile, weights, knots):
    """A curve (distance from z, z) turned about z, of degree 2."""
    r, z = np.transpose(profile)
    points = np.stack(
        [np.multiply.outer(CIRCLE[:, 0], r), np.multiply.outer(CIRCLE[:, 1], r), np.ones((9, 1)) * z], axis=2
    )
    return face(
        points,
        degrees=(2, 2),
        knots=(CIRCLE_KNOTS, knots),
        weights=np.multiply.outer(CIRCLE_WEIGHTS, weights),
    )


def sphere(radius):
    """A sphere about the origin, with two poles and a seam."""
    return turned(radius * CIRCLE[[6, 7, 0, 1, 2]], CIRCLE_WEIGHTS[:5], ARC_KNOTS)


def torus(big, small):
    """A torus about z, closed along u and v."""
    return turned(small * CIRCLE + (big, 0.0), CIRCLE_WEIGHTS, CIRCLE_KNOTS)


def tube(radius, length):
    """The mantle of a cylinder along z from 0, closed along u."""
    r = radius * CIRCLE
    points = np.stack([np.column_stack([r, np.full(9, z)]) for z in (0.0, length)], axis=1)
    weights = np.column_stack([CIRCLE_WEIGHTS, CIRCLE_WEIGHTS])
    return face(points, degrees=(2, 1), knots=(CIRCLE_KNOTS, [0, 0, 1, 1]), weights=weights)
