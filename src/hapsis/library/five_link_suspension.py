"""A front wheel on five links."""

import hapsis as hs
from hapsis.compiler.ir.functions.verbs import verb
from hapsis.library.hard_points import carrier, link, offset, parameters, place, strut, wheel

# x forward, y left, z up, m; the strut's points are ours
POINTS = {
    "lower_front.inner": (0.225, 0.306, 0.15),
    "lower_rear.inner": (-0.125, 0.306, 0.15),
    "upper_front.inner": (0.1, 0.451, 0.43),
    "upper_rear.inner": (-0.105, 0.451, 0.41),
    "track_rod.inner": (0.137083, 0.439, 0.205),
    "lower_front.outer": (0.04, 0.766, 0.15),
    "lower_rear.outer": (-0.01, 0.766, 0.15),
    "upper_front.outer": (-0.02, 0.6872, 0.45),
    "upper_rear.outer": (-0.06, 0.6872, 0.45),
    "track_rod.outer": (0.142083, 0.789, 0.185),
    "wheel_center": (0.0, 0.7875, 0.33),
    "carrier_mass": (0.0, 0.73, 0.33),
    "strut_top": (-0.045, 0.56, 0.65),
    "strut_foot": (-0.045, 0.626, 0.15),
}
LINKS = {
    "lower_front": 2.903,
    "lower_rear": 2.903,
    "upper_front": 2.639,
    "upper_rear": 2.639,
    "track_rod": 5.278,
}
CARRIER = 5.278  # kg


@verb
def five_link_suspension() -> hs.Model:
    """A wheel carrier held by five links: 14 coordinates, four loops, two degrees of freedom.

    The chassis is the world. Each link hangs from it in a universal joint and so cannot spin about
    itself; the carrier hangs from the lower front link and is cut from the four others, where ball
    joints close the loops. The two degrees are the travel (`lower_front.Rx` leads) and the spin of
    the wheel. All coordinates are zero in `start`, which is closed. Every hard point is three
    parameters, as `lower_front.outer.z`.

    Masses of links and carrier belong to the public hard points; inertia of the carrier, wheel
    (15 kg), spring (25 kN/m) and damper (1.5 kN s/m) are values of our own. Reference: [Paul]
    section 5.4.2 and [Samin] for the structure.
    """
    foot = {"strut": offset("lower_rear.inner", "strut_foot")}
    links = [
        link(n, mass, f"{n}.inner", f"{n}.outer", **(foot if n == "lower_rear" else {}))
        for n, mass in LINKS.items()
    ]
    hung = [hs.Universal(n, place(f"{n}.inner"), n, axes=("x", "z")) for n in LINKS]
    held = [hs.Ball(f"{n} cut", f"{n}.end", f"carrier.{n}") for n in LINKS if n != "lower_front"]
    return hs.Model(
        *links,
        carrier({n: f"{n}.outer" for n in LINKS}, "wheel_center", "carrier_mass", CARRIER),
        *hung,
        hs.Chain("carrier", "lower_front.end", "carrier.lower_front", "Rx Ry Rz"),
        *wheel(),
        *held,
        strut("lower_rear.strut"),
        parameters=parameters(POINTS),
        poses={"start": {name: 0.0 for name in _coordinates()}},
        independent=["lower_front.Rx", "wheel"],
    )


def _coordinates() -> list[str]:
    turns = [f"{n}.{axis}" for n in LINKS for axis in ("Rx", "Rz")]
    return [*turns, "carrier.Rx", "carrier.Ry", "carrier.Rz", "wheel"]
