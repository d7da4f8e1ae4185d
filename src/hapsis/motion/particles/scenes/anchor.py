"""Anchor: particles that a body of the scene's Model carries."""

from collections.abc import Sequence
from typing import Any

from hapsis.compiler.ir.functions.verbs import verb
from hapsis.compiler.ir.graph.immutable import frozen
from hapsis.errors import ModelError

WORLD = "world"


@verb
@frozen
class Anchor:
    """Particles that are fixed to a body, as they lie at the start; the forces on them act on the body.

        hs.particles.Anchor("ligament", [0], to="femur")

    Their masses become part of the body, so that energy and momentum are kept and no stiff spring is needed.

    object      the name of an object of the scene
    particles   their numbers in the object
    to          a body of the scene's Model, or "world"
    """

    object: str
    particles: Sequence[int]
    to: str = WORLD

    def __post_init__(self) -> None:
        where = f'anchor of "{str(self.object)[:60]}"'
        numbers: list[int] = []
        given: Any = self.particles
        try:
            numbers = [int(k) for k in given]
            exact = all(k == number for k, number in zip(given, numbers, strict=True))
        except (TypeError, ValueError, OverflowError):
            exact = False
        if not exact or not numbers or min(numbers) < 0:
            raise ModelError(
                "particles are not numbers of particles", where=where, expected="as in [0, 1, 2]"
            )
        if not isinstance(self.to, str) or not self.to:  # pyright: ignore[reportUnnecessaryIsInstance]
            raise ModelError("it needs the name of a body", where=where)
        super().__setattr__("particles", tuple(dict.fromkeys(numbers)))

    @property
    def name(self) -> str:
        """What it is called in errors."""
        return f"anchor of {self.object} to {self.to}"
