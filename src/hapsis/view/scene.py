"""Scenes: what the player shows, in plain arrays, checked when it is made."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from hapsis.errors import Error, near
from hapsis.view.colours import rgb
from hapsis.view.film.drawing_check import checked_drawing
from hapsis.view.page_text import plain
from hapsis.view.series import numbers, times
from hapsis.view.shape_tables import checked, vector
from hapsis.view.skins import Skin, checked_skin


@dataclass(frozen=True, eq=False)
class Drawn:
    """A body as it is drawn: its shapes, fixed in its frame.

    shapes   plain tables, see `hapsis.view.shape_tables`
    color    "#rrggbb" or three numbers from 0 to 1; by default one from a calm set
    trail    the point whose path is drawn, in the body's frame
    """

    name: str
    shapes: Sequence[Mapping[str, Any]] = ()
    color: str | Sequence[float] | None = None
    trail: Sequence[float] = (0.0, 0.0, 0.0)


@dataclass(frozen=True, eq=False)
class Arrows:
    """A vector that moves: a force at a point, both in the world; zero or NaN draws nothing."""

    name: str
    points: Any  # (F, 3)
    vectors: Any  # (F, 3)
    unit: str = "N"


@dataclass(frozen=True, eq=False)
class Scene:
    """A motion to look at.

    times    (F,)         s, never decreasing
    poses    (F, nb, 7)   x y z qw qx qy qz of each body in the world
    bodies   nb × Drawn
    arrows   drawn when the reader asks for them
    series   {name: (F,) values}, plotted below; `units` are by the same names
    notes    a few words for the reader
    up       the direction that is up on the screen
    shown    names of series that are plotted at first; without it the first three
    drawing  what is drawn instead of the shapes of the bodies: a table as `hapsis.mechanics.drawing`
             gives it, whose bodies are found among these by name
    skins    surfaces that deform
    """

    title: str
    times: Any
    bodies: Sequence[Drawn]
    poses: Any
    arrows: Sequence[Arrows] = ()
    series: Mapping[str, Any] = field(default_factory=dict)
    units: Mapping[str, str] = field(default_factory=dict)
    notes: str = ""
    up: Sequence[float] = (0.0, 0.0, 1.0)
    shown: Sequence[str] | None = None
    drawing: Mapping[str, Any] | None = None
    skins: Sequence[Skin] = ()


def checked_scene(given: Scene | Mapping[str, Any]) -> Scene:
    """The scene with arrays of floats, unit quaternions and checked shapes, or an error."""
    scene = _from_table(given) if isinstance(given, Mapping) else given
    if not isinstance(scene, Scene):
        raise Error(f"{type(given).__name__} is not a scene", expected="a hapsis.view.Scene")
    moments = times(scene.times)
    bodies = [_body(body) for body in scene.bodies]
    poses = _poses(scene.poses, len(moments), bodies, moments)
    arrows = [_arrows(arrow, len(moments)) for arrow in scene.arrows]
    series = {str(name): numbers(values, name) for name, values in scene.series.items()}
    for name, values in series.items():
        if len(values) != len(moments):
            raise Error(f"{len(values)} values for {len(moments)} times", where=f'"{plain(name)}"')
    for name in scene.units:
        if name not in series:
            raise Error(f'there is no series "{plain(name)}"{near(name, series)}', where="units")
    for name in scene.shown or ():
        if name not in series:
            raise Error(f'there is no series "{plain(name)}"{near(str(name), series)}', where="shown")
    skins = [checked_skin(skin, len(moments)) for skin in scene.skins]
    up = vector(scene.up, 3, "up")
    with np.errstate(over="ignore"):
        if not 0 < np.linalg.norm(up) < np.inf:
            raise Error("up has no direction", where="up")
    return replace(
        scene,
        times=moments,
        bodies=bodies,
        poses=poses,
        arrows=arrows,
        series=series,
        skins=skins,
        up=up / np.linalg.norm(up),
        drawing=None if scene.drawing is None else checked_drawing(scene.drawing, [b.name for b in bodies]),
    )


def _from_table(table: Mapping[str, Any]) -> Scene:
    known = list(Scene.__dataclass_fields__)
    for name in table:
        if name not in known:
            raise Error(
                f'a scene has no "{plain(name)}"{near(str(name), known)}',
                expected=f"some of {', '.join(known)}",
            )
    for name in ("title", "times", "bodies", "poses"):
        if name not in table:
            raise Error(f'the scene has no "{name}"')
    return Scene(**table)


def _body(body: Drawn) -> Drawn:
    if not isinstance(body, Drawn):
        raise Error(f"{type(body).__name__} is not a body", expected="a hapsis.view.Drawn")
    where = f'body "{plain(body.name)}"'
    shapes = [checked(shape, f"{where}, shape {k}") for k, shape in enumerate(body.shapes, 1)]
    color = None if body.color is None else rgb(body.color, where)
    return replace(body, shapes=shapes, color=color, trail=vector(body.trail, 3, where))


def _poses(given: Any, count: int, bodies: list[Drawn], moments: np.ndarray) -> np.ndarray:
    """Poses with unit quaternions whose signs never jump, so that between frames one can turn."""
    poses = _table(given, (count, len(bodies), 7), "poses")
    with np.errstate(over="ignore"):
        norms = np.linalg.norm(poses[:, :, 3:], axis=2)
    bad = np.argwhere(~(np.isfinite(poses).all(axis=2) & (norms > 1e-9) & np.isfinite(norms)))
    if len(bad):
        frame, body = bad[0]
        raise Error(
            f"the pose at t = {moments[frame]:.6g} s is not a pose",
            where=f'body "{plain(bodies[body].name)}"',
            expected="finite numbers and a quaternion w x y z that is not zero",
        )
    turned = poses[:, :, 3:] / norms[:, :, None]
    dots = np.einsum("fbk,fbk->fb", turned[1:], turned[:-1])
    signs = np.cumprod(np.where(dots < 0, -1.0, 1.0), axis=0)
    turned[1:] *= signs[:, :, None]
    return np.concatenate([poses[:, :, :3], turned], axis=2)


def _arrows(arrow: Arrows, count: int) -> Arrows:
    if not isinstance(arrow, Arrows):
        raise Error(f"{type(arrow).__name__} is no arrow", expected="a hapsis.view.Arrows")
    where = f'arrows "{plain(arrow.name)}"'
    points = _table(arrow.points, (count, 3), f"{where}, points")
    vectors = _table(arrow.vectors, (count, 3), f"{where}, vectors")
    # an arrow that does not exist now has no length
    known = np.isfinite(np.hstack([points, vectors])).all(axis=1, keepdims=True)
    points, vectors = np.where(known, points, 0.0), np.where(known, vectors, 0.0)
    return replace(arrow, points=points, vectors=vectors)


def _table(values: Any, shape: tuple[int, ...], where: str) -> np.ndarray:
    try:
        array = np.array(values, dtype=float)
    except (TypeError, ValueError, OverflowError):
        raise Error("the values are not real numbers", where=where) from None
    if array.size == 0 and 0 in shape:
        return np.zeros(shape)
    if array.shape != shape:
        raise Error(f"the shape is {array.shape}", where=where, expected=f"{shape}")
    return array
