"""Seeing: SVG plots and the self-contained 3-D player; takes arrays, names and shapes only.

Every page is one file: no library, no outside request, nothing run but its own hashed script.
Left out on purpose: mechanisms. Bodies are described here by shapes and plain numbers.
"""

from hapsis.view.players import Player, player
from hapsis.view.plots import Plot, curves, plot
from hapsis.view.scene import Arrows, Drawn, Scene

__all__ = ["Arrows", "Drawn", "Player", "Plot", "Scene", "curves", "player", "plot"]
