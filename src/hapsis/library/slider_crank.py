"""The slider-crank."""

import math
from typing import Annotated

import hapsis as hs
from hapsis.compiler.ir.functions.limits import Limits, NotNegative
from hapsis.compiler.ir.functions.verbs import verb

Angle = Annotated[float, Limits(-1e3, 1e3)]


@verb
def slider_crank(
    r: float = 0.1,
    l: float = 0.3,
    *,
    crank_mass: NotNegative = 0.2,
    coupler_mass: NotNegative = 0.3,
    slider_mass: NotNegative = 0.5,
    angle: Angle = math.pi / 6,
) -> hs.Model:
    """A crank of radius r and a coupler of length l > r that pushes a slider along x.

    The mechanism stands upright in x and z; `crank` is counted from x towards z, and `start` is
    closed at `angle`:

        slider = r cos crank + sqrt(l² - r² sin² crank)

    Crank and coupler are slender rods. The masses (crank_mass,
    coupler_mass, slider_mass, kg) are ours; 0 makes a part massless.
    """
    if not 0.0 < r < l:
        raise hs.ModelError(
            f"a slider-crank with r = {r:g} and l = {l:g} does not go round",
            expected="0 < r < l",
            remedy="make the coupler longer",
        )
    angle = float(angle)
    up, along = f"r * sin({angle!r})", f"r * cos({angle!r})"
    return hs.Model(
        hs.Rod("crank", length="r", mass=crank_mass),
        hs.Rod("coupler", length="l", mass=coupler_mass),
        hs.Body("slider", mass=slider_mass, shapes=(hs.Box(("r / 2", "r / 3", "r / 3")),)),
        hs.Revolute("crank", hs.WORLD, "crank", axis="-y"),
        hs.Revolute("coupler", "crank.end", "coupler", axis="-y"),
        hs.Prismatic("slider", hs.WORLD, "slider", axis="x"),
        hs.Revolute("pin", "coupler.end", "slider", axis="-y"),
        parameters={"r": r, "l": l},
        poses={
            "start": {
                "crank": angle,
                "coupler": f"-({angle!r}) - asin({up} / l)",
                "slider": f"{along} + sqrt(l^2 - ({up})^2)",
            }
        },
        independent=["crank"],
    )
