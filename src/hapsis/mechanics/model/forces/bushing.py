"""A bushing: springs and dampers in all six directions between two frames.

With θ the rotation vector from the first frame to the second and d the offset of their origins,
both in the first frame's axes, it stores the energy ½ θᵀKθ + ½ dᵀKd. The moment of this potential is

    m = -(Kθ + ½ θ × Kθ + β θ × (θ × Kθ))          β = 1/φ² - (1 + cos φ) / (2 φ sin φ)

so the elastic part conserves energy for any rotation of less than half a turn.
"""

from typing import Any

from hapsis.compiler.ir.functions.verbs import verb
from hapsis.compiler.ir.graph.elementary_functions import atan2, cos, sin, sqrt, where
from hapsis.compiler.ir.graph.immutable import frozen
from hapsis.mechanics.algebra.rotations import Matrix, product, transposed
from hapsis.mechanics.algebra.vectors import Vector, add, cross, dot, neg, scaled, sub
from hapsis.mechanics.model.forces.force import Force, Scene
from hapsis.mechanics.model.two_ended import TwoEnded
from hapsis.mechanics.model.values.values import AsSix

SIX = ("rx", "ry", "rz", "x", "y", "z")
TINY = 1e-30
SMALL = 1e-2  # rad²; below it β by its series


@verb
@frozen
class Bushing(TwoEnded, Force, type_name="bushing", noun="bushing", not_negative=("stiffness", "damping")):
    """Springs and dampers in six directions; stiffness and damping are (rx, ry, rz, x, y, z), first's axes.

    Signals: NAME.force and NAME.moment on the second end, three numbers each, in first's axes.
    """

    stiffness: AsSix
    damping: AsSix = (0.0,) * 6

    def __post_init__(self) -> None:
        super().__post_init__()
        self._make_vectors("stiffness", "damping", count=6)

    def act(self, scene: Scene) -> None:
        """Acts at the origin of the second end."""
        first, second = scene.spot("first"), scene.spot("second")
        axes = Matrix(first.R)
        k, c = scene.numbers("stiffness", SIX), scene.numbers("damping", SIX)
        # the point of the first body that coincides with the second's origin, and its velocity
        arm = sub(second.p, first.p)
        there = first._replace(p=second.p, u=add(first.u, cross(first.w, arm)))
        d, u = axes.down(arm), axes.down(sub(second.u, there.u))
        w = axes.down(sub(second.w, first.w))
        theta = rotation_vector(product(transposed(first.R), second.R))
        elastic_moment, elastic_force = _each(k[:3], theta), _each(k[3:], d)
        moment = neg(add(turning_moment(theta, elastic_moment), _each(c[:3], w)))
        force = neg(add(elastic_force, _each(c[3:], u)))
        f, m = axes.up(force), axes.up(moment)
        scene.push(second, f, m)
        scene.push(there, neg(f), neg(m))
        scene.signal("force", force)
        scene.signal("moment", moment)
        stored = 0.5 * (dot(elastic_moment, theta) + dot(elastic_force, d))
        scene.store(stored, dot(_each(c[:3], w), w) + dot(_each(c[3:], u), u))


def _each(k: Any, x: Vector) -> Vector:
    return k[0] * x[0], k[1] * x[1], k[2] * x[2]


def rotation_vector(R: Any) -> Vector:
    """Axis times angle of a rotation of less than half a turn."""
    s = (0.5 * (R[2][1] - R[1][2]), 0.5 * (R[0][2] - R[2][0]), 0.5 * (R[1][0] - R[0][1]))
    sine = sqrt(dot(s, s) + TINY)
    angle = atan2(sine, 0.5 * (R[0][0] + R[1][1] + R[2][2] - 1.0))
    return scaled(angle / sine, s)


def turning_moment(theta: Vector, elastic: Vector) -> Vector:
    """The gradient of ½ θᵀKθ with respect to a small rotation of the second frame."""
    square = dot(theta, theta)
    near = square < SMALL
    safe = where(near, 1.0, square)
    angle = sqrt(safe)
    exact = 1.0 / safe - (1.0 + cos(angle)) / (2.0 * angle * sin(angle))
    series = 1.0 / 12.0 + square * (1.0 / 720.0 + square * (1.0 / 30240.0 + square / 1209600.0))
    beta = where(near, series, exact)
    half = cross(theta, elastic)
    return add(elastic, add(scaled(0.5, half), scaled(beta, cross(theta, half))))
