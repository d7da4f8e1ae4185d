"""Andrews' squeezer: seven bodies in the plane, three loops, fast."""

import hapsis as hs
from hapsis.compiler.ir.functions.verbs import verb

LENGTHS = {
    "d": 0.028,
    "da": 0.0115,
    "e": 0.02,
    "ea": 0.01421,
    "rr": 0.007,
    "ra": 0.00092,
    "ss": 0.035,
    "sa": 0.01874,
    "sb": 0.01043,
    "sc": 0.018,
    "sd": 0.02,
    "ta": 0.02308,
    "tb": 0.00916,
    "u": 0.04,
    "ua": 0.01228,
    "ub": 0.00449,
    "zf": 0.02,
    "zt": 0.04,
    "fa": 0.01421,
}
A, B, C = (-0.06934, -0.00227, 0), (-0.03635, 0.03273, 0), (0.014, 0.072, 0)

# body: mass, inertia about its own z, centre of mass, its other points
BODIES = {
    "K1": (0.04325, 2.194e-6, ("ra", 0, 0), {"end": ("rr", 0, 0)}),
    "K2": (0.00365, 4.410e-7, ("-da", 0, 0), {"E": ("-d", 0, 0)}),
    "K3": (0.02373, 5.255e-6, ("sb", "-sa", 0), {"E": (0, "-ss", 0), "D": ("sd", "-sc", 0)}),
    "K4": (0.00706, 5.667e-7, (0, "ea - e", 0), {"E": (0, "-e", 0)}),
    "K5": (0.07050, 1.169e-5, ("ta", "tb", 0), {"end": ("zt", 0, 0)}),
    "K6": (0.00706, 5.667e-7, ("zf - fa", 0, 0), {"E": ("zf", 0, 0)}),
    "K7": (0.05498, 1.912e-5, ("-ub", "-ua", 0), {"end": (0, "-u", 0)}),
}
START = {
    "beta": -0.0617138900142764496,
    "theta": 0.0,
    "gamma": 0.4552798191630703803,
    "phi": 0.2226683901658858847,
    "delta": 0.4873649795438425502,
    "omega": -0.2226683901658858847,
    "epsilon": 1.2305474445498211925,
}


@verb
def andrews() -> hs.Model:
    """The squeezing mechanism of Andrews, driven by a constant torque, against a spring.

    Planar in x and y, without gravity; all hinges turn about z. K2, K3, K4 and K6 meet in the
    point E: three hinges there close the loops, and one degree of freedom is left. `start` is
    closed and at rest. Only the inertia about z matters; the others are those of a flat body.

    Reference: [Schiehlen]; [HairerWanner] chapter VII.
    """
    bodies = [
        hs.Body(name, mass, com, (inertia / 2, inertia / 2, inertia), points)
        for name, (mass, inertia, com, points) in BODIES.items()
    ]
    return hs.Model(
        *bodies,
        hs.Revolute("beta", hs.WORLD, "K1"),
        hs.Revolute("theta", "K1.end", "K2"),
        hs.Revolute("gamma", hs.WORLD.at(*B), "K3"),
        hs.Revolute("phi", "K5.end", "K4"),
        hs.Revolute("delta", hs.WORLD.at(*A), "K5"),
        hs.Revolute("omega", "K7.end", "K6"),
        hs.Revolute("epsilon", hs.WORLD.at(*A), "K7"),
        hs.Revolute("E3", "K2.E", "K3.E"),
        hs.Revolute("E4", "K2.E", "K4.E"),
        hs.Revolute("E6", "K2.E", "K6.E"),
        hs.Spring("spring", hs.WORLD.at(*C), "K3.D", stiffness=4530.0, length=0.07785),
        hs.Wrench("motor", "K1", moment=(0, 0, 0.033)),
        gravity=(0, 0, 0),
        parameters=LENGTHS,
        poses={"start": START},
        independent=["beta"],
    )
