"""Three-vectors as tuples, over any scalar: numbers or expressions.

Tuples and not arrays: a formalism creates a hundred thousand of them, and an array of three objects
costs ten times as much as a tuple. The graph eliminates known zeros, so nothing here tests for them.
"""

from typing import Any

Vector = tuple[Any, ...]  # always three


def add(a: Vector, b: Vector) -> Vector:
    """a + b."""
    return a[0] + b[0], a[1] + b[1], a[2] + b[2]


def sub(a: Vector, b: Vector) -> Vector:
    """a - b."""
    return a[0] - b[0], a[1] - b[1], a[2] - b[2]


def neg(a: Vector) -> Vector:
    """-a."""
    return -a[0], -a[1], -a[2]


def scaled(k: Any, a: Vector) -> Vector:
    """k a."""
    return k * a[0], k * a[1], k * a[2]


def dot(a: Vector, b: Vector) -> Any:
    """a · b."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def cross(a: Vector, b: Vector) -> Vector:
    """a × b."""
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])
