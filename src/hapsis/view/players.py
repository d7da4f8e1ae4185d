"""The 3-D player: the verb `player`, and the Player it returns."""

import html
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hapsis.errors import Error
from hapsis.view import page
from hapsis.view.film.frame_interpolation import resampled
from hapsis.view.film.outlines_svg import film_svg, moments
from hapsis.view.film.scene_data import packed
from hapsis.view.scene import Scene, checked_scene

FRAMES = 2000  # kept of a long motion; in between the page interpolates
SCRIPTS = ("scene.js", "player.js")


@dataclass(frozen=True, eq=False)
class Player:
    """A motion as a page that plays it: one file, no server, no outside request.

    .html                the text          .save("x.html")     writes it
    .svg                 a flat picture that moves             .save("x.svg")
    .show()              opens it in the browser

    Pictures (PNG) and videos (WebM) are made by buttons of the page.
    """

    scene: Scene
    frames: int = FRAMES

    @property
    def html(self) -> str:
        """The page: scene, client and style in one text."""
        return page.page(
            self.scene.title or "Motion",
            page.client("player.html"),
            [page.client("player.css")],
            [page.client(name) for name in SCRIPTS],
            packed(resampled(self.scene, self.frames), self.scene),
        )

    @property
    def svg(self) -> str:
        """The motion as an SVG that moves: outlines, in the plane of a planar mechanism, no script."""
        return film_svg(resampled(self.scene, moments(self.scene)))

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Write the page, or with the ending .svg a picture that moves, and return the path."""
        suffix = page.suffix_of(path, (".html", ".svg"))
        return page.written(path, self.html if suffix == ".html" else self.svg)

    def show(self) -> Path:
        """Open the page in the browser, from a private temporary file whose path is returned."""
        return page.shown("motion.html", self.html)

    def _repr_html_(self) -> str:
        """The page in a frame of its own, for notebooks."""
        return (
            '<iframe width="100%" height="560" frameborder="0" sandbox="allow-scripts allow-downloads" '
            f'title="motion" srcdoc="{html.escape(self.html, quote=True)}"></iframe>'
        )

    def __repr__(self) -> str:
        return f"Player({len(self.scene.bodies)} bodies, {len(self.scene.times)} times)"


def player(scene: Scene | Mapping[str, Any], frames: int = FRAMES) -> Player:
    """A page that plays a motion in three dimensions.

    A motion of more than `frames` moments is resampled to that many, evenly spaced; an impact
    shorter than a frame then shows in the plots, which keep every extreme, but not in the
    arrows. Poses are stored in single precision: 1e-7 of their distance from the origin.
    """
    if not isinstance(frames, int) or frames < 2:
        raise Error(f"frames = {frames!r}", expected="a whole number from 2 on")
    return Player(checked_scene(scene), frames)
