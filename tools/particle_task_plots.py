"""Draws the pictures of docs/particle_tasks.md anew.

python tools/particle_task_plots.py
"""

import sys
from pathlib import Path
from typing import Any

import numpy as np
from page_pictures import Pictures

ROOT = Path(__file__).resolve().parent.parent
PICTURES = Pictures("particle_tasks")
sys.path[:0] = [str(ROOT / "src")]

import hapsis as hs  # noqa: E402
from hapsis.view.plots import Plot  # noqa: E402
from hapsis.view.series import Panel, Series  # noqa: E402

P = hs.particles
GENTLE = P.EnergyStep(relative=1e-5)


def _line(name: str, *rows: Any) -> Series:
    """A line through points (x, y), in parts."""
    parts = [np.vstack([np.asarray(row, float), (np.nan, np.nan)]) for row in rows]
    u, v = np.round(np.vstack(parts)[:-1], 4).T
    return Series(name, u, v)


def _outline(robot: Any, points: Any) -> Any:
    """The upper corners of a box that moved, seen from above."""
    top = np.flatnonzero(robot.points[:, 2] > robot.points[:, 2].max() - 1e-9)
    ends = [
        max(top, key=lambda k: a * robot.points[k, 0] + b * robot.points[k, 1])
        for a, b in ((1, 1), (-1, 1), (-1, -1), (1, -1), (1, 1))
    ]
    return points[ends][:, :2]


def _circle(x: float, y: float, radius: float) -> Any:
    angles = np.linspace(0.0, 2.0 * np.pi, 49)
    return np.stack([x + radius * np.cos(angles), y + radius * np.sin(angles)], axis=1)


@PICTURES.add
def attractor() -> Any:
    """The way of a box that an attractor draws to its goal, freely and along a line."""
    robot = P.solid("robot", hs.shapes.box(0.4, 0.3, 0.2), mass=2, stiffness=3000, damping=30)
    goal = robot.at(1, 0.5, 0, rpy=(0, 0, 1.2))
    pull = P.attractor(robot, goal, stiffness=40, damping=10)
    result = hs.simulate(P.Scene(robot, pull, gravity=(0, 0, 0), step=GENTLE), 8.0, every=0.05)
    x = result["robot.points"]
    boxes = [_outline(robot, x[k]) for k in (0, 12, 60)]
    lines = (
        _line("the robot", *boxes),
        _line("its centre", np.stack([result["robot.x"], result["robot.y"]], axis=1)),
        _line("the goal", _outline(robot, goal.points)),
    )
    return Plot((Panel(lines, "y, m"),), "", "x, m", equal=True)


def _half_circle(along: float, off: float, radius: float) -> Any:
    angles = np.linspace(0.0, np.pi, 33)
    return np.stack([along + radius * np.cos(angles), off + radius * np.sin(angles)], axis=1)


@PICTURES.add
def way_around() -> Any:
    """The way around a plate before which the robot stands still: a virtual ball fills the minimum."""
    robot = P.solid("robot", hs.shapes.box(0.2, 0.2, 0.2), mass=2, stiffness=3000, damping=20)
    pull = P.attractor(robot, robot.at(3, 0, 0), stiffness=10, damping=20)
    plate = hs.Cylinder(0.4, 0.1, at=hs.Frame((1.5, 0, 0), (0, np.pi / 2, 0)))
    wall = P.BodyContact(2000, 10, bodies=plate, margin=0.1)
    scene = P.Scene(robot, pull, wall, gravity=(0, 0, 0), step=GENTLE)
    way = P.find_way(scene, "robot", "robot goal", radius=0.25, stiffness=500, near=0.3)

    def seen(x: Any) -> Any:
        """x, and the distance from the line to the goal."""
        return np.stack([x[:, 0], np.hypot(x[:, 1], x[:, 2])], axis=1)

    side = np.array([(1.45, 0), (1.45, 0.4), (1.55, 0.4), (1.55, 0)])
    kept = np.array([(1.35, 0), (1.35, 0.4), (1.45, 0.5), (1.55, 0.5), (1.65, 0.4), (1.65, 0)])
    u, r = seen(way.minima).T
    passed = np.flatnonzero(way.points[:, 0] > 2.0)[0]
    lines = (
        _line("plate, and its margin", side, kept),
        _line("the robot's centre", seen(way.points)[: passed + 1]),
        Series("where it stood still", np.round(u, 4), np.round(r, 4), scattered=True),
        _line("virtual ball", _half_circle(u[0] + 0.125, 0.0, 0.25)),
    )
    return Plot((Panel(lines, "from the line to the goal, m"),), "", "x, m", equal=True)


@PICTURES.add
def rover() -> Any:
    """A chassis on six wheels that settles on hills, seen from the side."""
    places = [(x, y) for x in (-0.5, 0.0, 0.5) for y in (-0.35, 0.35)]
    points = [(x, y, 0.0) for x, y in places] + [(0.0, 0.0, 0.3), (0.4, 0.0, 0.25), (-0.4, 0.0, 0.25)]
    ends = [(i, j) for i in range(9) for j in range(i + 1, 9)]
    rest = [float(np.linalg.norm(np.subtract(points[i], points[j]))) for i, j in ends]
    body = P.ParticleObject("rover", points, [1.0] * 6 + [3.0] * 3, P.Connectors.of(ends, rest, 4000, 40))
    hills = hs.Heightfield(lambda x, y: 0.2 * hs.sin(2.0 * x) * hs.cos(1.5 * y))
    wheels = P.BodyContact(8000, 40, bodies=hills, margin=0.15)
    x = P.settle(P.Scene(body.at(0, 0, 1.2), wheels), tolerance=5e-4).object("rover")
    line = np.linspace(-1.7, 0.3, 61)
    near = x[:6:2]  # the wheels of one side
    across = float(near[:, 1].mean())
    ground = np.stack([line, 0.2 * np.sin(2 * line) * np.cos(1.5 * across)], axis=1)
    top = x[[8, 6, 7]][:, [0, 2]]
    lines = (
        _line("ground under these wheels", ground),
        _line("wheels", *[_circle(w[0], w[2], 0.15) for w in near]),
        _line("chassis", np.vstack([near[:, [0, 2]], top[::-1], near[:1, [0, 2]]])),
    )
    return Plot((Panel(lines, "z, m"),), "", "x, m", equal=True)


@PICTURES.add
def grasp() -> Any:
    """The three fingers close around the ball; then the hand is turned over."""
    hand = hs.library.particles.three_finger_hand
    closed = hs.simulate(hand(), 0.6, every=0.01)
    turned = hs.simulate(hand(upright=False), 1.6, closed, every=0.01)
    t = np.concatenate([closed.t, turned.t[1:]])

    def both(name: str, scale: float = 1.0) -> Any:
        return np.round(scale * np.concatenate([closed[name], turned[name][1:]]), 5)

    joints = tuple(Series(f"finger1.{k}", t, both(f"finger1.{k}")) for k in (1, 2, 3))
    load = np.concatenate([closed["ball.load"], turned["ball.load"][1:]])
    panels = (
        Panel(joints, "rad"),
        Panel((Series("height of the ball on the palm", t, both("free.z", 1000.0)),), "mm"),
        Panel(
            (Series("force of the skin on the ball, upwards from the palm", t, np.round(load[:, 2], 3)),), "N"
        ),
    )
    return Plot(panels, "", "time, s")


@PICTURES.add
def sponge() -> Any:
    """A Panda closes its fingers on a sponge, lifts it by 0.1 m and turns it."""
    scene = hs.library.particles.panda_sponge()
    result = hs.simulate(scene, 1.1, every=0.01)
    t = result.t
    load = result["left finger.load"] + result["right finger.load"]
    panels = (
        Panel((Series("height of the sponge", t, np.round(1e3 * result["sponge.z"], 1)),), "mm"),
        Panel((Series("the left finger from the middle", t, np.round(1e3 * result["left slide"], 2)),), "mm"),
        Panel(
            (
                Series("force of each pad", t, np.round(result["left touch.force"], 2)),
                Series("weight on both fingers, times ten", t, np.round(-10.0 * load[:, 2], 2)),
            ),
            "N",
        ),
    )
    return Plot(panels, "", "time, s")


@PICTURES.add
def ligament() -> Any:
    """Length and tension of the ligament of the knee over flexion."""
    scene = hs.library.particles.ligament_knee()
    result = hs.simulate(scene, 2.0, every=0.02)
    angle = np.degrees(result["flexion"])
    length = 1000.0 * np.linalg.norm(np.diff(result["ligament.points"], axis=1), axis=2).sum(axis=1)
    panels = (
        Panel((Series("length", angle, np.round(length, 4)),), "mm"),
        Panel((Series("tension", angle, np.round(result["ligament 2.tension"], 2)),), "N"),
    )
    return Plot(panels, "", "flexion, degrees")


if __name__ == "__main__":
    PICTURES.write()
