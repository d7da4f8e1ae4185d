"""Seeing: SVG plots and the self-contained 3-D player; takes arrays, names and shapes only.

Every page is one file: no library, no outside request, nothing run but its own hashed script.
Left out on purpose: mechanisms. Bodies are described here by shapes and plain numbers.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from hapsis.view.players import Player, player
    from hapsis.view.plots import Plot, curves, maps, phases, plot
    from hapsis.view.scene import Arrows, Drawn, Scene
    from hapsis.view.skins import Skin

__all__ = ["Arrows", "Drawn", "Player", "Plot", "Scene", "Skin", "curves", "maps", "phases", "player", "plot"]
_WHERE = {
    "Player": "players",
    "player": "players",
    "Plot": "plots",
    "Skin": "skins",
    "curves": "plots",
    "maps": "plots",
    "phases": "plots",
    "plot": "plots",
}


def __getattr__(name: str) -> Any:
    """A name, imported on first use: most runs draw nothing."""
    if name not in __all__:
        raise AttributeError(f"module 'hapsis.view' has no attribute {name!r}")
    value = getattr(import_module(f"hapsis.view.{_WHERE.get(name, 'scene')}"), name)
    globals()[name] = value
    return value
