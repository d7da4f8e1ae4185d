"""The simplest walker: a mass on two massless legs."""

import hapsis as hs
from hapsis.compiler.ir.functions.verbs import verb
from hapsis.library.walkers.walker_parts import SLOPE, check_slope, hip, leg, standing, steps

STEEPEST = 0.03


@verb
def simplest_walker(slope: float = 0.009) -> "hs.Hybrid":
    """Garcia's walker: a unit mass at the hip and feet of 1e-10 of it, on legs without mass.

    As `compass_gait`, with the masses of the legs at their feet, so small that the swinging leg does not
    move the hip. Time is in units of √(length / g), both 1.

        slope       of the ground, rad, down along +x
        length      of the legs
        hip_mass    of the hip
        foot_mass   of each foot
        g           gravity

    `stance` and `swing` are angles from the normal of the slope, rad; the angles of the source are
    θ = -stance and φ = swing - stance. `start` is just after a heel strike, near the gait with long steps.
    Up to a slope of 0.0151 it is stable, then steps double; beyond 0.019 nothing walks for long.
    Reference: [Garcia].
    """
    check_slope(slope, STEEPEST)
    third = "slope^(1/3)"
    alpha = f"(0.970878 * {third} - 0.181793 * slope)"
    speed = f"(sqrt(g / length) * (1.01464 * {third} - 1.24573 * slope))"
    walker = hs.Model(
        hip("hip_mass"),
        leg("stance", "foot_mass", "-length"),
        leg("swing", "foot_mass", "-length"),
        gravity=SLOPE,
        parameters={"slope": slope, "length": 1.0, "hip_mass": 1.0, "foot_mass": 1e-10, "g": 1.0},
        poses={"start": standing(f"-{alpha}", alpha, speed, f"{speed} * cos(2 * {alpha})")},
        page=hs.Page(parameters={"slope": (0.001, 0.019, "rad")}, outputs=["stance", "energy"], follow=True),
        independent=("stance", "swing"),
    )
    return hs.Hybrid(phases={"stance": walker.pinned("stance.foot")}, events=steps())
