"""A front wheel between two wishbones, with its steering."""

import hapsis as hs
from hapsis.compiler.ir.functions.verbs import verb
from hapsis.library.hard_points import carrier, distance, link, offset, parameters, place, strut, wheel

# x forward, y left, z up, m
POINTS = {
    "lower.inner": (0.0, 0.35, 0.20),
    "upper.inner": (-0.01, 0.45, 0.47),
    "lower.outer": (0.01, 0.74, 0.18),
    "upper.outer": (-0.02, 0.70, 0.46),
    "track_rod.inner": (0.13, 0.37, 0.24),
    "track_rod.outer": (0.14, 0.73, 0.23),
    "wheel_center": (0.0, 0.7875, 0.33),
    "carrier_mass": (0.0, 0.74, 0.33),
    "strut_top": (0.0, 0.52, 0.65),
    "strut_foot": (0.0, 0.60, 0.19),
}
COORDINATES = ("lower", "upper", "carrier.Rx", "carrier.Ry", "carrier.Rz", "wheel", "rack")
LOWER, UPPER, CARRIER, RACK = 3.0, 2.0, 6.0, 2.0  # kg


@verb
def double_wishbone() -> hs.Model:
    """Two wishbones on hinges along x, a carrier between them, a wheel, a rack that steers.

    The chassis is the world. The carrier hangs from the lower wishbone; the ball joint of the upper
    one and the track rod, a `Distance`, close the loops. A drive holds `rack` at 0: give it another
    motion to steer. Then two degrees of freedom are left, the travel (`lower` leads) and the spin
    of the wheel. All coordinates are zero in `start`, which is closed. Every hard point is three
    parameters, as `upper.outer.z`. All values are our own.
    """
    foot = {"strut": offset("lower.inner", "strut_foot")}
    rod = distance("track_rod.inner", "track_rod.outer")
    places = {n: f"{n}.outer" for n in ("lower", "upper", "track_rod")}
    return hs.Model(
        link("lower", LOWER, "lower.inner", "lower.outer", **foot),
        link("upper", UPPER, "upper.inner", "upper.outer"),
        carrier(places, "wheel_center", "carrier_mass", CARRIER),
        hs.Body("rack", RACK, shapes=(hs.Sphere(0.015),)),
        hs.Revolute("lower", place("lower.inner"), "lower", axis="x"),
        hs.Revolute("upper", place("upper.inner"), "upper", axis="x"),
        hs.Chain("carrier", "lower.end", "carrier.lower", "Rx Ry Rz"),
        *wheel(),
        hs.Prismatic("rack", place("track_rod.inner"), "rack", axis="y"),
        hs.Ball("upper cut", "upper.end", "carrier.upper"),
        hs.Distance("track rod", "rack", "carrier.track_rod", length=rod),
        hs.Drive("steering", "rack", position=0.0),
        strut("lower.strut"),
        parameters=parameters(POINTS),
        poses={"start": dict.fromkeys(COORDINATES, 0.0)},
        independent=["lower", "wheel"],
    )
