"""BodyContact: particles that touch the shapes of bodies of the scene's Model."""

from collections.abc import Sequence
from typing import Any

from hapsis.compiler.ir.functions.verbs import verb
from hapsis.compiler.ir.graph.immutable import frozen
from hapsis.errors import ModelError
from hapsis.mechanics.model.shapes.shapes import Shape
from hapsis.mechanics.model.shapes.surfaces import Surface
from hapsis.mechanics.model.values.numbers import real


@verb
@frozen
class BodyContact:
    """Contact of particles with shapes of bodies: F = -(λ d + μ ḋ) n inside, the opposite on the body.

        hs.particles.BodyContact(2000, damping=1, friction=0.8, bodies=("left finger", "right finger"))

    stiffness   λ, N/m of each particle
    damping     μ, N s/m
    friction    of what slides, times the normal force
    static      of what sticks, at least that; the same if not given
    bodies      their names, (body, shape) or Surfaces; shapes alone stand in the world and need no
                Model; all bodies with shapes, and the world, if not given
    margin      by which the shapes are grown, m: a distance of safety, or the radius of a wheel
    objects     names of the objects that touch; all if not given
    pulls       whether the damper may pull a particle back that leaves; else the force ends at zero
    name        of the contact
    """

    stiffness: float
    damping: float = 0.0
    friction: float = 0.0
    static: float | None = None
    bodies: Sequence[Any] = ()
    objects: Sequence[str] = ()
    margin: float = 0.0
    pulls: bool = False
    name: str = "body contact"

    def __post_init__(self) -> None:
        where = f'contact "{str(self.name)[:60]}"'
        for field in ("stiffness", "damping", "friction", "margin"):
            value = real(getattr(self, field), f"{where}: {field}")
            if value < 0.0:
                raise ModelError(
                    f"{field} is {value:g}", where=where, expected="a number that is not negative"
                )
            object.__setattr__(self, field, value)
        static = self.friction if self.static is None else real(self.static, f"{where}: static")
        if static < self.friction:
            raise ModelError(
                f"static friction {static:g} is below the kinetic one, {self.friction:g}", where=where
            )
        object.__setattr__(self, "static", static)
        for field in ("bodies", "objects"):
            value = getattr(self, field)
            single = isinstance(value, str | Shape | Surface)
            object.__setattr__(self, field, (value,) if single else tuple(value))

    @property
    def law(self) -> tuple[float, ...]:
        """λ, μ, whether it pulls, static and kinetic friction, margin."""
        assert self.static is not None
        return self.stiffness, self.damping, float(self.pulls), self.static, self.friction, self.margin

    @property
    def in_world(self) -> bool:
        """Whether it needs no Model."""
        return bool(self.bodies) and all(isinstance(side, Shape) for side in self.bodies)
