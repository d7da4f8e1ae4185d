"""The line between two points, along which springs and links act."""

from typing import Any

from hapsis.compiler.ir.graph.elementary_functions import sqrt
from hapsis.mechanics.algebra.vectors import dot, scaled
from hapsis.mechanics.model.forces.force import Scene

TINY = 1e-30  # m²; keeps the direction of a line without length finite


class Line:
    """The line from `first` to `second`: its length, the rate of the length, and a tension along it."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        d, u = scene.between()
        self.length = sqrt(dot(d, d) + TINY)
        self.direction = scaled(1.0 / self.length, d)
        self.rate = dot(self.direction, u)

    def pull(self, tension: Any) -> None:
        """Applies a tension, which pulls both ends together."""
        self.scene.pull(scaled(tension, self.direction), -tension * self.rate)
        self.scene.signal("force", tension)
        self.scene.signal("length", self.length)
