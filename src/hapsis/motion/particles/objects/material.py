"""Materials of deformable objects: modulus, Poisson's ratio, density, damping, limits."""

from dataclasses import replace
from typing import Any

from hapsis.compiler.ir.functions.verbs import verb
from hapsis.compiler.ir.graph.immutable import frozen
from hapsis.errors import ModelError, check_known
from hapsis.mechanics.model.values.numbers import described, real


@verb
@frozen
class Material:
    """An elastic, isotropic material, from which the stiffness of cells follows.

    E         Young's modulus, Pa
    poisson   Poisson's ratio, above -1 and below 1/2
    density   kg/m³
    damping   time τ, s: a vibration of frequency ω has the damping ratio τ ω / 2
    plastic   strain in traction beyond which it flows, the yield stress over E; 0: never
    breaking  strain in traction beyond which it tears; 0: never
    """

    E: float
    poisson: float = 0.25
    density: float | None = None
    damping: float = 0.0
    plastic: float = 0.0
    breaking: float = 0.0

    def __post_init__(self) -> None:
        for name in ("E", "poisson", "damping", "plastic", "breaking"):
            object.__setattr__(self, name, real(getattr(self, name), f"Material: {name}"))
        if self.density is not None:
            object.__setattr__(self, "density", real(self.density, "Material: density"))
        for name, value in (("E", self.E), ("density", self.density)):
            if value is not None and not value > 0.0:
                raise ModelError(f"Material: {name} is {value:g}", expected="a positive number")
        if not -1.0 < self.poisson < 0.5:
            raise ModelError(
                f"Material: poisson is {self.poisson:g}", expected="a number above -1 and below 0.5"
            )
        for name in ("damping", "plastic", "breaking"):
            if getattr(self, name) < 0.0:
                raise ModelError(f"Material: {name} is {getattr(self, name):g}", expected="0 or more")

    @property
    def mu(self) -> float:
        """Lamé's second modulus, that of shear, Pa."""
        return self.E / (2.0 * (1.0 + self.poisson))

    @property
    def lam(self) -> float:
        """Lamé's first modulus, Pa."""
        return self.E * self.poisson / ((1.0 + self.poisson) * (1.0 - 2.0 * self.poisson))


# usual values; nearly incompressible ones with a ratio that small meshes can follow
MATERIALS = {
    "steel": Material(210e9, 0.30, 7850.0),
    "aluminium": Material(70e9, 0.33, 2700.0),
    "brass": Material(100e9, 0.34, 8500.0),
    "concrete": Material(30e9, 0.20, 2400.0),
    "wood": Material(11e9, 0.35, 600.0),
    "bone": Material(17e9, 0.30, 1900.0),
    "nylon": Material(2.7e9, 0.39, 1140.0),
    "rubber": Material(5e6, 0.45, 1100.0),
    "silicone": Material(0.5e6, 0.45, 1100.0),
    "foam": Material(50e3, 0.10, 40.0),
    "gelatine": Material(10e3, 0.45, 1000.0),
}


def material_of(material: Any, where: str, **changes: Any) -> Material:
    """A Material, also by its name, with the numbers that are not None changed."""
    if isinstance(material, str):
        check_known(
            material, MATERIALS, "there is no material {}", where=where, expected=", ".join(sorted(MATERIALS))
        )
        material = MATERIALS[material]
    if not isinstance(material, Material):
        raise ModelError(f"{where}: material must be a Material or its name, not {described(material)}")
    changed = {name: value for name, value in changes.items() if value is not None}
    return replace(material, **changed) if changed else material
