"""Shapes by short calls, as `hs.shapes.box(0.1, 0.2, 0.3)`."""

from typing import Any

from hapsis.mechanics.model.shapes.shapes import Box, Capsule, Cylinder, Ellipsoid, Sphere

__all__ = ["box", "capsule", "cylinder", "ellipsoid", "sphere"]


def box(x: float, y: float, z: float, **options: Any) -> Box:
    """A box with edges of the lengths `x`, `y`, `z`, m; `options` of shapes: at, color, material."""
    return Box((x, y, z), **options)


def sphere(radius: float, **options: Any) -> Sphere:
    """A ball of that `radius`, m; `options` of shapes: at, color, material."""
    return Sphere(radius, **options)


def cylinder(radius: float, length: float, **options: Any) -> Cylinder:
    """A cylinder of that `radius` and `length` along z, m; `options` of shapes: at, color, material."""
    return Cylinder(radius, length, **options)


def capsule(radius: float, length: float, **options: Any) -> Capsule:
    """A cylinder along z with two half balls of that `radius`; `length` is without them, m.

    options  of shapes: at, color, material
    """
    return Capsule(radius, length, **options)


def ellipsoid(a: float, b: float, c: float, **options: Any) -> Ellipsoid:
    """An ellipsoid with the semi-axes `a`, `b`, `c`, m; `options` of shapes: at, color, material."""
    return Ellipsoid((a, b, c), **options)
