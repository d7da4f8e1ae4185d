"""Ways around obstacles: an attractor draws a robot, virtual obstacles fill the places where it stands still.

A local minimum is where the robot stops before its goal. A ball is put there, on the side of the goal, and
the next attempt goes around it; balls that meet fill the trap [Joukhadar, section 5.2].
"""

from typing import Any, NamedTuple

import numpy as np

from hapsis.compiler.ir.functions.verbs import verb
from hapsis.errors import ModelError, SolveError, check_known
from hapsis.mechanics.model.shapes.shapes import Sphere
from hapsis.mechanics.model.values.numbers import real
from hapsis.motion.particles.scenes.body_contact import BodyContact
from hapsis.motion.particles.scenes.scene import Scene
from hapsis.motion.simulate.run.run_options import run_options

OPTIONS = run_options(own=Scene.methods)
ROWS = 20  # of a piece


class Way(NamedTuple):
    """A way that was found.

    t, points   (n,), (n, 3)  the centre of the robot over time
    minima      (k, 3)  where it stood still, one for each virtual obstacle
    scene       with the virtual obstacles
    result      of the last look, from which a run can go on
    """

    t: Any
    points: Any
    minima: Any
    scene: Scene
    result: Any

    def __repr__(self) -> str:
        return f"Way({self.t[-1]:.3g} s, {len(self.points)} points, {len(self.minima)} minima)"


@verb
def find_way(
    scene: Scene,
    robot: str,
    goal: str,
    *,
    radius: float,
    stiffness: float,
    near: float = 0.02,
    slow: float = 0.01,
    span: float = 0.5,
    most: int = 400,
) -> Way:
    """The way of a robot to its goal, with virtual obstacles where it gets stuck.

        way = hs.particles.find_way(scene, "robot", "robot goal", radius=0.2, stiffness=500)

    scene        the robot, its attractor and obstacles
    robot, goal  objects; the goal is the virtual double that `attractor` gives
    radius       of virtual obstacles, m
    stiffness    λ of virtual obstacles, N/m
    near         how far from its goal it may end, m
    slow         m/s below which it stands still
    span         s between two looks
    most         looks
    """
    for name in (robot, goal):
        check_known(name, scene.objects, "the scene has no object {}")
    size, end = real(radius, "radius"), scene.objects[goal].center
    for what, value in (("radius", size), ("span", span), ("stiffness", stiffness), ("near", near)):
        if not real(value, what) > 0.0:
            raise ModelError(f"{what} is {value:g}", expected="a positive number")
    if real(slow, "slow") < 0.0:
        raise ModelError(f"slow is {slow:g}", expected="a number that is not negative")
    if type(most) is not int or most < 1:
        raise ModelError(f"most is {most!r:.60}", expected="a whole number, 1 or more")
    t, points, minima = [np.zeros(1)], [scene.objects[robot].center[None]], list[Any]()
    result: Any = None
    for look in range(most):
        result = scene.simulated(
            (look + 1) * span, result, options=OPTIONS, every=span / ROWS, progress=False, title=""
        )
        place = np.stack([result[f"{robot}.{c}"] for c in "xyz"], axis=1)
        t.append(result.t[1:])
        points.append(place[1:])
        if float(np.linalg.norm(place[-1] - end)) < near:
            return Way(np.concatenate(t), np.concatenate(points), np.array(minima), scene, result)
        moved = float(np.abs(place - place[-1]).max())
        if moved < slow * span:
            minima.append(place[-1])
            scene = scene + _ball(place[-1], end, size, real(stiffness, "stiffness"), robot, len(minima))
    raise SolveError(
        f'"{robot[:60]}" did not come to its goal in {most} looks, with {len(minima)} virtual obstacles',
        remedy="give larger virtual obstacles (radius=...), or more looks (most=...)",
    )


def _ball(place: Any, goal: Any, size: float, stiffness: float, robot: str, k: int) -> BodyContact:
    """A virtual obstacle before a robot that stands still, a little to one side, so that it has to choose."""
    way = (goal - place) / np.linalg.norm(goal - place)
    side = np.cross((0.0, 0.0, 1.0), way)
    center = place + 0.5 * size * way + 0.05 * size * side
    shape = Sphere(size, at=tuple(map(float, center)))
    return BodyContact(stiffness, bodies=(shape,), objects=robot, name=f"virtual obstacle {k}")
