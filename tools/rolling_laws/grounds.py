"""Random bodies that roll, and what they roll on: their geometry in numpy, apart from that of the models."""

import random
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np

import hapsis as hs

Array = Any


class Form(NamedTuple):
    """The arguments of a `Rolling` that say its form, and its support S(n) in its own axes."""

    arguments: Mapping[str, Any]
    support: Callable[[Array], Array]
    least: float  # its smallest radius of curvature at most, for what it may lie in
    size: float


class Ground(NamedTuple):
    """A function of a place that is zero on the ground, as numpy and as a surface; None is a plane."""

    value: Callable[[Array], float]
    normal: Callable[[Array], Array]
    surface: Any
    spot: Array  # a point of it


def form_of(draw: random.Random, size: float) -> Form:
    """A circle, a tyre, a ball or an ellipsoid of about that size."""
    kind = draw.choice(["circle", "tyre", "ball", "ellipsoid"])
    r = size * draw.uniform(0.5, 1.0)
    if kind == "ball":
        return Form({"radius": r, "axis": None}, lambda n: -r * n, r, r)
    if kind == "ellipsoid":
        halves = r * np.array([draw.uniform(0.6, 1.0) for _ in range(3)])

        def lowest(n: Array) -> Array:
            return -(halves**2) * n / np.linalg.norm(halves * n)

        return Form({"semi_axes": tuple(halves.tolist())}, lowest, r * 0.36, r)
    a = np.array([draw.uniform(-1, 1) for _ in range(3)])
    a /= np.linalg.norm(a)
    tube = 0.0 if kind == "circle" else r * draw.uniform(0.1, 0.5)

    def rim(n: Array) -> Array:
        across = n - (n @ a) * a
        return -r * across / np.linalg.norm(across) - tube * n

    return Form({"radius": r, "axis": tuple(a.tolist()), "tube": tube}, rim, r, r + tube)


def _sphere(draw: random.Random, size: float, least: float) -> Ground:
    """A ball from outside or from inside, touched anywhere."""
    R, out = size * draw.uniform(8.0, 20.0), draw.choice([1.0, -1.0])
    R = R if out > 0 else max(R, 3.0 * least)
    scale = draw.choice([1.0, 1e-3, 1e3])
    way = np.array([draw.gauss(0, 1) for _ in range(3)])
    way = draw.choice([way / np.linalg.norm(way), np.array([0, 0, 1.0]), np.array([0, 0, -1.0])])

    def surface(x: Any, y: Any, z: Any) -> Any:
        return scale * out * (x * x + y * y + z * z - R * R) / (2 * R)

    return Ground(
        lambda p: out * (np.linalg.norm(p) - R), lambda p: out * p / np.linalg.norm(p), surface, R * way
    )


def _waves(draw: random.Random, size: float, least: float) -> Ground:
    """A hilly ground, flat enough for what lies in it; perhaps upside down."""
    k, h = 1.0 / (size * draw.uniform(4.0, 10.0)), 0.0
    h, up = 0.3 * size * draw.uniform(0.2, 1.0), draw.choice([1.0, 1.0, -1.0])

    def surface(x: Any, y: Any, z: Any) -> Any:
        return up * (z - h * hs.sin(k * x) * hs.cos(k * y))

    def slope(p: Array) -> Array:
        s, c = np.sin(k * p[:2]), np.cos(k * p[:2])
        return up * np.array([-h * k * c[0] * c[1], h * k * s[0] * s[1], 1.0])

    def value(p: Array) -> float:
        return up * (p[2] - h * np.sin(k * p[0]) * np.cos(k * p[1])) / np.linalg.norm(slope(p))

    x, y = (draw.uniform(-1, 1) * size for _ in range(2))
    spot = np.array([x, y, h * np.sin(k * x) * np.cos(k * y)])
    return Ground(value, lambda p: slope(p) / np.linalg.norm(slope(p)), surface, spot)


def ground_of(draw: random.Random, form: Form) -> Ground:
    """A plane, a ball or hills."""
    kind = draw.choice(["plane", "plane", "sphere", "waves"])
    if kind != "plane":
        return {"sphere": _sphere, "waves": _waves}[kind](draw, form.size, form.least)
    up = np.array([0.0, 0.0, 1.0])
    spot = np.array([draw.uniform(-3, 3) * form.size, draw.uniform(-3, 3) * form.size, 0.0])
    return Ground(lambda p: p[2], lambda p: up, None, spot)


def turn_of(draw: random.Random) -> Array:
    """Any rotation."""
    q = np.array([draw.gauss(0, 1) for _ in range(4)])
    return rotation(q / np.linalg.norm(q))


def rotation(q: Array) -> Array:
    """The matrix of a quaternion w x y z."""
    w, x, y, z = q
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )


def quaternion(R: Array) -> Array:
    """The quaternion w x y z of a matrix."""
    K = np.array(
        [
            [R.trace(), R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]],
            [R[2, 1] - R[1, 2], 2 * R[0, 0] - R.trace(), R[0, 1] + R[1, 0], R[0, 2] + R[2, 0]],
            [R[0, 2] - R[2, 0], R[0, 1] + R[1, 0], 2 * R[1, 1] - R.trace(), R[1, 2] + R[2, 1]],
            [R[1, 0] - R[0, 1], R[0, 2] + R[2, 0], R[1, 2] + R[2, 1], 2 * R[2, 2] - R.trace()],
        ]
    )
    return np.linalg.eigh(K)[1][:, -1]


def rpy(R: Array) -> tuple[float, float, float]:
    """The angles of a matrix Rz Ry Rx."""
    return (
        float(np.arctan2(R[2, 1], R[2, 2])),
        float(np.arctan2(-R[2, 0], np.hypot(R[2, 1], R[2, 2]))),
        float(np.arctan2(R[1, 0], R[0, 0])),
    )
