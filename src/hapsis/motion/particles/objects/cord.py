"""Cord: what pulls between two particles when it is taut; ligaments are chains of it."""

from typing import Any

import numpy as np

from hapsis.compiler.ir.functions.float_array import float_array
from hapsis.compiler.ir.functions.verbs import verb
from hapsis.compiler.ir.graph.immutable import frozen
from hapsis.errors import ModelError
from hapsis.mechanics.model.values.numbers import real
from hapsis.motion.particles.objects.particle_object import ParticleObject


@verb
@frozen
class Cord:
    """A spring that only pulls, F = k l₀ (ε - τ) at the strain ε, and softer below 2 τ: F = k l₀ ε² / 4τ.

        hs.particles.Cord("ligament.3", 2e5, toe=0.03, first="femur end.0", second="tibia end.0")

    name        of the cord; its tension is the column NAME.tension
    stiffness   k, N/m where it is taut
    damping     N s/m while it is taut
    rest        l₀, m; the distance at the start if not given
    toe         τ, the strain from which it would be taut if it were stiff at once
    first, second   the particles, OBJECT.NUMBER
    """

    name: str
    stiffness: float
    damping: float = 0.0
    rest: float | None = None
    toe: float = 0.0
    first: str = ""
    second: str = ""

    def __post_init__(self) -> None:
        if not isinstance(self.name, str) or not self.name:  # pyright: ignore[reportUnnecessaryIsInstance]
            raise ModelError("a cord needs a name")
        where = f'cord "{self.name[:60]}"'
        for field in ("stiffness", "damping", "toe"):
            value = real(getattr(self, field), f"{where}: {field}")
            if value < 0.0:
                raise ModelError(
                    f"{field} is {value:g}", where=where, expected="a number that is not negative"
                )
            object.__setattr__(self, field, value)
        if self.rest is not None:
            rest = real(self.rest, f"{where}: rest")
            if not rest > 0.0:
                raise ModelError(f"rest is {rest:g}", where=where, expected="a positive length, m")
            object.__setattr__(self, "rest", rest)

    @property
    def ends(self) -> tuple[str, str]:
        """Both particles."""
        return self.first, self.second

    def tension(self, length: Any) -> Any:
        """The force at a length without damping, N; `rest` must be given."""
        if self.rest is None:
            raise ModelError("its length at rest is that of a scene", where=f'cord "{self.name[:60]}"')
        strain = np.asarray(length, dtype=float) / self.rest - 1.0
        soft = 0.25 * strain**2 / self.toe if self.toe > 0.0 else strain
        taut = np.where(strain < 2.0 * self.toe, soft, strain - self.toe)
        return np.where(strain > 0.0, self.stiffness * self.rest * taut, 0.0)


@verb
def ligament(
    name: str,
    points: Any,
    *,
    mass: float,
    stiffness: float,
    length: float | None = None,
    damping: float = 0.0,
    toe: float = 0.03,
) -> list[Any]:
    """A chain of cords along points: particles of equal masses, and the cords "NAME 1", "NAME 2", ...

        facts = hs.particles.ligament("acl", points, mass=0.005, stiffness=2e5, length=0.032)

    name        of the object, and of the cords before their numbers
    points      (n, 3)  m from one insertion to the other
    mass        kg of all
    stiffness   N/m of all; each part is as many times stiffer
    length      m of all when it is just not taut; the way along the points if not given
    damping     N s/m of all
    toe         strain, see `Cord`
    """
    rows = float_array(points)
    if rows is None or not np.isfinite(rows).all() or rows.ndim != 2 or rows.shape[1] != 3 or len(rows) < 2:
        raise ModelError(f'"{str(name)[:60]}" needs at least two points in rows of 3 numbers')
    steps = np.linalg.norm(np.diff(rows, axis=0), axis=1)
    if not (steps > 0.0).all():
        raise ModelError(f'two points of "{str(name)[:60]}" that follow each other are the same')
    total = float(steps.sum()) if length is None else real(length, f'"{str(name)[:60]}": length')
    weight = real(mass, f'"{str(name)[:60]}": mass')
    parts = len(steps)
    facts: list[Any] = [ParticleObject(name, rows, np.full(len(rows), weight / len(rows)))]
    for k in range(parts):
        ends = {"first": f"{name}.{k}", "second": f"{name}.{k + 1}"}
        facts.append(Cord(f"{name} {k + 1}", parts * stiffness, parts * damping, total / parts, toe, **ends))
    return facts
