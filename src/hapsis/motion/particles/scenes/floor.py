"""Floor: a plane on which particles rest, slide and bounce."""

import numpy as np

from hapsis.compiler.ir.functions.verbs import verb
from hapsis.compiler.ir.graph.immutable import frozen
from hapsis.errors import ModelError
from hapsis.mechanics.model.values.numbers import real
from hapsis.mechanics.model.values.values import AsVector, numbers_of


@verb
@frozen
class Floor:
    """A plane that pushes out what is behind it: particles, or with `bedding` surfaces.

    Each particle has the force -(λ d + μ ḋ) at the height d < 0. Facets have λ V + μ dV/dt, V the volume
    between them and the plane, so that a polyhedron rolls smoothly.

    stiffness   λ, N/m of each particle
    bedding     λ, N/m³ of facets, instead
    damping     μ, N s/m of a particle, or N s/m³ of facets
    friction    of what slides, times the normal force
    static      of what sticks, at least that; the same if not given
    normal, at  of the plane
    pulls       whether the damper may pull a particle back that leaves; else the force ends at zero
    name        of the floor
    """

    stiffness: float = 0.0
    damping: float = 0.0
    friction: float = 0.0
    static: float | None = None
    normal: AsVector = (0.0, 0.0, 1.0)
    at: AsVector = (0.0, 0.0, 0.0)
    pulls: bool = False
    name: str = "floor"
    bedding: float = 0.0

    def __post_init__(self) -> None:
        where = f'floor "{str(self.name)[:60]}"'
        for field in ("stiffness", "bedding", "damping", "friction"):
            value = real(getattr(self, field), f"{where}: {field}")
            if value < 0.0:
                raise ModelError(
                    f"{field} is {value:g}", where=where, expected="a number that is not negative"
                )
            object.__setattr__(self, field, value)
        if (self.stiffness > 0.0) == (self.bedding > 0.0):
            raise ModelError(
                "a floor has a stiffness (N/m, of particles) or a bedding (N/m³, of facets)", where=where
            )
        static = self.friction if self.static is None else real(self.static, f"{where}: static")
        if static < self.friction:
            raise ModelError(
                f"static friction {static:g} is below the kinetic one, {self.friction:g}", where=where
            )
        normal = np.array(numbers_of(self.normal, f"{where}: normal"))
        size = float(np.linalg.norm(normal))
        if not 0.0 < size < np.inf:
            raise ModelError("its normal has no direction", where=where)
        object.__setattr__(self, "static", static)
        object.__setattr__(self, "normal", tuple((normal / size).tolist()))
        object.__setattr__(self, "at", numbers_of(self.at, f"{where}: at"))

    @property
    def numbers(self) -> tuple[float, ...]:
        """Its row of the memory, see `planes`."""
        assert self.static is not None
        law = (self.stiffness, self.damping, float(self.pulls), self.static, self.friction)
        return (*self.normal, *self.at, *law)
