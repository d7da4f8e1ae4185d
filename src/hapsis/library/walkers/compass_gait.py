"""The compass gait: two legs that walk down a slope by themselves."""

import math

import hapsis as hs
from hapsis.compiler.ir.functions.verbs import verb
from hapsis.library.walkers.walker_parts import SLOPE, check_slope, hip, leg, standing, steps

STEEPEST = 0.2


@verb
def compass_gait(slope: float = math.radians(3)) -> "hs.Hybrid":
    """Goswami's compass: a hip of 10 kg and two legs of 5 kg, in a plane, without motors.

    One phase, `stance`: the foot of the leg `stance` is pinned to the ground, z = 0, and gravity is tilted
    by the slope, so that it walks along +x. At the heel strike the other foot hits the ground without
    bouncing, the old one leaves, and the legs exchange their names. Straight legs scuff in the middle of a
    step, which is ignored. A motion ends where it `falls`: where the standing leg leans by
    60°.

        slope      of the ground, rad, down along +x
        length     of the legs, m
        b          from the hip to the mass of a leg, m
        hip_mass   of the hip, kg
        leg_mass   of each leg, a point, kg
        g          m/s²

    `stance` and `swing` are angles from the normal of the slope, rad; the angle of the source, from the true
    vertical, is -(angle + slope). `start` is just after a heel strike, near the gait of the slope. Up to
    4.39° each step is like the one before; then they are alternately long and short, and beyond 5.03° no
    two are alike.
    Reference: [Goswami].
    """
    check_slope(slope, STEEPEST)
    third = "slope^(1/3)"
    alpha = f"({third} * (0.715166 + 0.0121449 * {third}) + 0.0345287 * slope)"
    stance_speed = f"({third} * (3.83124 - 0.991964 * {third}) - 3.84328 * slope)"
    swing_speed = f"({third} * (4.27241 - 4.98819 * {third}) - 9.92556 * slope)"
    scale = "sqrt(g / 9.81 / length)"
    walker = hs.Model(
        hip("hip_mass"),
        leg("stance", "leg_mass", "-b"),
        leg("swing", "leg_mass", "-b"),
        gravity=SLOPE,
        parameters={"slope": slope, "length": 1.0, "b": 0.5, "hip_mass": 10.0, "leg_mass": 5.0, "g": 9.81},
        poses={
            "start": standing(f"-{alpha}", alpha, f"{scale} * {stance_speed}", f"{scale} * {swing_speed}")
        },
        page=hs.Page(
            parameters={
                "slope": (0.01, 0.09, "rad"),
                "leg_mass": (1.0, 10.0, "kg"),
                "hip_mass": (1.0, 20.0, "kg"),
            },
            outputs=["stance", "energy"],
            follow=True,
        ),
        independent=("stance", "swing"),
    )
    return hs.Hybrid(phases={"stance": walker.pinned("stance.foot")}, events=steps())
