"""Touch and Medium: what facets of objects do to each other, and what surrounds them."""

from typing import Any

from hapsis.compiler.ir.functions.verbs import verb
from hapsis.compiler.ir.graph.immutable import frozen
from hapsis.errors import ModelError
from hapsis.mechanics.model.values.numbers import described, real


def positive(value: Any, where: str, field: str) -> float:
    """A number above zero, or the error that names it."""
    number = real(value, f"{where}: {field}")
    if not number > 0.0:
        raise ModelError(f"{field} is {number:g}", where=where, expected="a positive number")
    return number


def not_negative(value: Any, where: str, field: str) -> float:
    """A number that is not negative, or the error that names it."""
    number = real(value, f"{where}: {field}")
    if number < 0.0:
        raise ModelError(f"{field} is {number:g}", where=where, expected="a number that is not negative")
    return number


@verb
@frozen
class Touch:
    """Contact between the surfaces of objects, by the volume V in which their facets overlap.

    The force on parallel facets is λ V + μ dV/dt, at the centre of that volume, and its share of a corner
    λ ∫ d φ dA; it never pulls.

    bedding       λ, N/m³: force by volume
    damping       μ, N s/m³
    friction      of what slides, times the normal force
    static        of what sticks, at least that; the same if not given
    between       the names of two objects; of all objects if not given. One that names both comes first
    self_contact  whether facets of one object touch each other, too
    depth         m, the deepest contact; by default half of the thinner object
    name          of its columns NAME.force (normal, N), .volume (m³), .depth (m), .contacts
    """

    bedding: float
    damping: float = 0.0
    friction: float = 0.0
    static: float | None = None
    between: tuple[str, str] | None = None
    self_contact: bool = False
    depth: float | None = None
    name: str = "touch"

    def __post_init__(self) -> None:
        where = f'touch "{str(self.name)[:60]}"'
        object.__setattr__(self, "bedding", positive(self.bedding, where, "bedding"))
        for field in ("damping", "friction"):
            object.__setattr__(self, field, not_negative(getattr(self, field), where, field))
        static = self.friction if self.static is None else real(self.static, f"{where}: static")
        if static < self.friction:
            raise ModelError(
                f"static friction {static:g} is below the kinetic one, {self.friction:g}", where=where
            )
        object.__setattr__(self, "static", static)
        if self.depth is not None:
            object.__setattr__(self, "depth", positive(self.depth, where, "depth"))
        pair = self.between
        if pair is not None:
            names = tuple(pair) if isinstance(pair, list | tuple) else ()  # pyright: ignore[reportUnnecessaryIsInstance]
            if len(names) != 2 or not all(isinstance(name, str) for name in names):  # pyright: ignore
                raise ModelError(
                    f"between is {described(pair)}", where=where, expected="two names of objects"
                )
            object.__setattr__(self, "between", names)


@verb
@frozen
class Medium:
    """What surrounds objects: viscosity on facets that face their motion.

    A facet of area S whose centre has the velocity V has the force -k S (V·n) V / |V| (power 1, as in air
    at low speed) or -k S (V·n) V (power 2, as in liquids) where V·n > 0.

    viscosity  k: N s/m³ with power 1, N s²/m⁴ with power 2
    name       of the fact
    """

    viscosity: float
    power: int = 1
    name: str = "medium"

    def __post_init__(self) -> None:
        where = f'medium "{str(self.name)[:60]}"'
        object.__setattr__(self, "viscosity", not_negative(self.viscosity, where, "viscosity"))
        if self.power not in (1, 2) or isinstance(self.power, bool):
            raise ModelError(f"power is {described(self.power)}", where=where, expected="1 or 2")
