"""Physical attractors: what is drawn to where it shall be [Joukhadar, section 5.1].

A virtual double stands at the goal; linear springs of length zero draw particles to those of the double. Four
that are not in one plane give the place and the orientation. A torsion spring between where a particle
starts, the particle and its goal keeps it on a line (the angle π) or, by the theorem of the inscribed angle,
on an arc of a circle.
"""

from itertools import combinations
from typing import Any

import numpy as np

from hapsis.compiler.ir.functions.verbs import verb
from hapsis.errors import ModelError
from hapsis.mechanics.model.values.numbers import real
from hapsis.mechanics.model.values.values import numbers_of
from hapsis.motion.particles.objects.connectors import LinearSpring, TorsionSpring
from hapsis.motion.particles.objects.particle_object import ParticleObject

FLAT = 1e-6  # of the size cubed: less volume is a plane
BEYOND = 0.25  # of the way: marks are so far before the start and behind the goal
MOST = 3.5  # rad by which an arc may turn


@verb
def attractor(
    robot: ParticleObject,
    goal: ParticleObject,
    *,
    stiffness: float,
    damping: float = 0.0,
    path: str | float | None = None,
    guide: float = 0.0,
    normal: Any = (0.0, 0.0, 1.0),
) -> list[Any]:
    """The facts that draw a robot to a goal: its virtual double, and springs of four particles.

        scene = hs.particles.Scene(robot, hs.particles.attractor(robot, robot.at(2, 1, 0), stiffness=50))

    goal       the robot moved to where it shall be; it is held there and called "NAME goal"
    stiffness, damping   of each linear spring, N/m and N s/m
    path       "line", or the angle of an arc in rad by which the way turns from start to goal, positive
               counter-clockwise about `normal`; free if not given
    guide      the stiffness of the torsion spring that keeps one of the four on its way, N m/rad: with
               50 times `stiffness` times the way squared it stays within about a thousandth of the way
    """
    if len(robot) != len(goal):
        raise ModelError(
            f'the goal of "{robot.name[:60]}" has {len(goal)} particles, not {len(robot)}',
            remedy="move the robot itself: robot.at(...)",
        )
    if not real(stiffness, "stiffness of an attractor") > 0.0:
        raise ModelError(f"stiffness of an attractor is {stiffness:g}", expected="a positive number")
    if path is None and real(guide, "guide") != 0.0:
        raise ModelError("guide is given, and path is not", remedy='give path="line", or an angle')
    four = apart(robot.points, robot.name)
    name = f"{robot.name} goal"
    double = ParticleObject(name, goal.points, goal.masses, held=tuple(range(len(goal))))
    facts: list[Any] = [double]
    for k in four:
        a, b = f"{robot.name}.{k}", f"{name}.{k}"
        facts.append(LinearSpring(f"{name} spring {k}", stiffness, damping, 0.0, first=a, second=b))
    if path is not None:
        facts += _guide(robot, goal, four[0], path, guide, normal)
    return facts


def apart(points: Any, name: str) -> tuple[int, ...]:
    """Four particles that are far from one plane."""
    points = np.asarray(points)
    chosen = [int(np.argmax(np.linalg.norm(points - points.mean(axis=0), axis=1)))]
    chosen.append(int(np.argmax(np.linalg.norm(points - points[chosen[0]], axis=1))))
    axis = points[chosen[1]] - points[chosen[0]]
    chosen.append(int(np.argmax(np.linalg.norm(np.cross(points - points[chosen[0]], axis), axis=1))))
    normal = np.cross(axis, points[chosen[2]] - points[chosen[0]])
    volumes = np.abs((points - points[chosen[0]]) @ normal)
    chosen.append(int(np.argmax(volumes)))
    size = max(float(np.linalg.norm(a - b)) for a, b in combinations(points[chosen], 2))
    if not volumes[chosen[3]] > FLAT * size**3:
        raise ModelError(
            f'the particles of "{name[:60]}" lie in a plane, and four that do not are needed',
            remedy="give it particles above the plane, or one spring yourself: hs.particles.LinearSpring",
        )
    return tuple(chosen)


def _guide(
    robot: ParticleObject, goal: ParticleObject, k: int, path: str | float, guide: float, normal: Any
) -> list[Any]:
    """Two marks beyond start and goal, on the line or on the circle, and the torsion spring that keeps to it.

    Seen from any point of an arc that turns by φ between the marks they are π - φ/2 apart.
    """
    turn = 0.0 if path == "line" else real(path, 'path, "line" or an angle')
    if not -MOST <= turn <= MOST:
        raise ModelError(f"path turns by {turn:g} rad", expected=f'"line", or from -{MOST:g} to {MOST:g}')
    if not real(guide, "guide") > 0.0:
        raise ModelError(f"guide is {guide:g}", expected="the stiffness of torsion springs, N m/rad")
    a, b = robot.points[k], goal.points[k]
    way = b - a
    size = float(np.linalg.norm(way))
    if not size > 0.0:
        raise ModelError(f'"{robot.name[:60]}" is at its goal, and there is no way to keep to')
    ends = a - BEYOND * way, b + BEYOND * way
    if turn != 0.0:
        ends = _on_circle(a, way, turn, np.array(numbers_of(normal, "normal")))
    name = f"{robot.name} way"
    marks = ParticleObject(name, np.array(ends), np.ones(2), held=(0, 1))
    angle = np.pi - 0.5 * abs(turn) * (1.0 + 2.0 * BEYOND)
    a, c, b = f"{name}.0", f"{robot.name}.{k}", f"{name}.1"
    return [marks, TorsionSpring(f"{name} spring", guide, 0.0, angle, first=a, center=c, second=b)]


def _on_circle(a: Any, way: Any, turn: float, normal: Any) -> tuple[Any, Any]:
    """The points of the circle before the start and behind the goal of an arc."""
    up = normal - (normal @ way) / (way @ way) * way
    if not float(np.linalg.norm(up)) > 0.0:
        raise ModelError("normal of the arc is along the way")
    up /= np.linalg.norm(up)
    side = np.cross(up, way)
    center = a + 0.5 * way + 0.5 * side / np.tan(0.5 * turn)
    r = a - center

    def turned(angle: float) -> Any:
        return center + np.cos(angle) * r + np.sin(angle) * np.cross(up, r)

    return turned(-BEYOND * turn), turned((1.0 + BEYOND) * turn)
