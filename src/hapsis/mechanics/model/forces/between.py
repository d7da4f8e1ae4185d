"""Forces along the line between two points: what springs and links share."""

from typing import Any

from hapsis.compiler.ir.functions import sqrt
from hapsis.mechanics.algebra.vectors import dot, neg, scaled, sub
from hapsis.mechanics.model.forces.force import Scene, Spot

TINY = 1e-30  # m²; keeps the direction of a line without length finite


class Line:
    """The line from a spot to another: its length, the rate of that, and pulls along it."""

    def __init__(self, scene: Scene, first: Spot, second: Spot) -> None:
        self.scene, self.first, self.second = scene, first, second
        d = sub(second.p, first.p)
        self.length = sqrt(dot(d, d) + TINY)
        self.direction = scaled(1.0 / self.length, d)
        self.rate = dot(self.direction, sub(second.u, first.u))

    def pull(self, tension: Any) -> None:
        """Draws both ends together."""
        force = scaled(tension, self.direction)
        self.scene.push(self.first, force)
        self.scene.push(self.second, neg(force))
        self.scene.signal("force", tension)
        self.scene.signal("length", self.length)
