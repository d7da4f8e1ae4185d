"""Joints between objects of particles: revolute and prismatic, by linear, torsion and joint springs."""

import math
from typing import Any

from hapsis.compiler.ir.functions.verbs import verb
from hapsis.errors import ModelError
from hapsis.mechanics.model.values.numbers import described
from hapsis.motion.particles.objects.connectors import Connector, JointSpring, Pin, Slide


@verb
def revolute(
    name: str,
    first: tuple[str, str],
    second: tuple[str, str],
    *,
    stiffness: float,
    damping: float = 0.0,
    arms: tuple[str, str] | None = None,
    spring: float = 0.0,
    damper: float = 0.0,
    angle: float | None = None,
) -> list[Connector]:
    """A hinge: two particles of one object stay where two of another one are. Facts of a scene.

        hinge = hs.particles.revolute("hinge", ("base.4", "arm.0"), ("base.5", "arm.1"), stiffness=1e5)
        scene = hs.particles.Scene(base, arm, hinge)
        free = scene.switched("hinge", False)

    name                of the joint
    first, second       pairs of particles, OBJECT.NUMBER, which are at the same place: two points of the axis
    stiffness, damping  N/m and N s/m of the linear springs without length between them
    arms                particles of both objects off the axis, whose angle about it has a joint spring
    spring, damper      of that, N m/rad and N m s/rad
    angle               at rest, rad; that at the start if not given
    """
    where = f'joint "{str(name)[:60]}"'
    pairs = [_pair(first, where, "first"), _pair(second, where, "second")]
    if {*pairs[0]} & {*pairs[1]}:
        raise ModelError(f"{where}: first and second share a particle", expected="two points of an axis")
    parts: list[Connector] = [
        Pin(f"{name}.{k}", stiffness, damping, 0.0, first=a, second=b) for k, (a, b) in enumerate(pairs, 1)
    ]
    if arms is None:
        if spring or damper or angle is not None:
            raise ModelError(f"{where}: a spring about the axis needs arms")
        return parts
    a, b = _pair(arms, where, "arms")
    center, side = pairs[0][0], pairs[1][0]
    turn = JointSpring(f"{name}.angle", spring, damper, angle, first=a, center=center, second=b, side=side)
    return [*parts, turn]


@verb
def prismatic(
    name: str, rails: Any, sliders: Any, *, stiffness: float, damping: float = 0.0
) -> list[Connector]:
    """A slide: particles of one object stay on lines between particles of another one. Facts of a scene.

        rails = [("rail.0", "rail.4"), ("rail.0", "rail.4"), ("rail.2", "rail.6")]
        slide = hs.particles.prismatic("slide", rails, ["cart.0", "cart.4", "cart.2"], stiffness=50)

    name                of the joint
    rails               for each slider the two particles, OBJECT.NUMBER, that it stays between
    sliders             particles, OBJECT.NUMBER: two on one line slide and turn about it, a third one on
                        another line keeps them from turning
    stiffness, damping  N m/rad and N m s/rad of the torsion springs, whose angle at the slider is π
    """
    where = f'joint "{str(name)[:60]}"'
    lists = all(isinstance(each, tuple | list) for each in (rails, sliders))
    if not lists or len(rails) != len(sliders) or not len(sliders):
        raise ModelError(f"{where}: a rail for each slider is needed")
    return [
        Slide(f"{name}.{k}", stiffness, damping, math.pi, first=a, center=slider, second=b)
        for k, ((a, b), slider) in enumerate(
            zip([_pair(rail, where, "rails") for rail in rails], sliders, strict=True), 1
        )
    ]


def _pair(ends: Any, where: str, what: str) -> tuple[str, str]:
    if not (isinstance(ends, tuple | list) and len(ends) == 2 and all(isinstance(x, str) for x in ends)):
        raise ModelError(f"{where}: {what} is {described(ends)}", expected="two particles, OBJECT.NUMBER")
    return str(ends[0]), str(ends[1])
