"""The action of a key with hammer, as planar bodies with felts: accelerations and forces at four poses.

The numbers at the poses come from two programs written apart, one with absolute angles and a mass matrix in
closed form, one with relative angles and Jacobians by differences. Points are in m in the drawn pose, in
which all coordinates are zero.
"""

import hapsis as hs

PIVOTS = {
    "key": (0.0, 0.0),
    "whippen": (0.172, 0.06),
    "jack": (0.087, 0.057),
    "lever": (0.135, 0.094),
    "hammer": (0.0746, 0.124),
    "damper": (0.225, 0.0),
    "world": (0.0, 0.0),
}
# parent, mass, mass centre, inertia about it, friction and its speed
PARTS = {
    "key": ("world", 0.115, (-0.0306, 0.008), 0.00225 - 0.115 * (0.0306**2 + 0.008**2), 0.0115, 0.004),
    "whippen": ("world", 0.0095, (0.122, 0.062), 1.1e-5, 0.0012, 0.05),
    "jack": ("whippen", 0.003, (0.083, 0.076), 1.3e-6, 0.0002, 0.05),
    "lever": ("whippen", 0.0055, (0.121, 0.1), 4e-6, 0.02, 0.5),
    "hammer": (
        "world", 0.011, (0.174078, 0.097254),
        0.0001387 - 0.011 * (0.099478**2 + 0.026746**2), 0.0018, 0.05,
    ),
    "damper": ("world", 0.04, (0.225, 0.0), 1e-5, 0.03, 0.002),
}  # fmt: skip
SPRINGS = {"jack": (-0.014, 0.02, 60.0), "lever": (-0.047, 0.1, 80.0)}  # preload, stiffness, stop
LEVER_TOP = ("lever", (0.064, 0.106166), (0.108, 0.106166))
KNUCKLE = ("hammer", (0.088472, 0.110666), 0.0045)
# segment or plane (height, normal), circle, K, p, c, mu
FELTS = {
    "pilot": (
        ("whippen", (0.0995, 0.0367), (0.1215, 0.0367)), ("key", (0.1095, 0.03087), 0.006), 1e8, 2, 2, 0.15,
    ),
    "jack-knuckle": (("jack", (0.084158, 0.105929), (0.088855, 0.106117)), KNUCKLE, 8e7, 2, 2, 0.2),
    "lever-knuckle": (LEVER_TOP, KNUCKLE, 8e7, 2, 2, 0.2),
    "drop": (LEVER_TOP, ("world", (0.072, 0.1146), 0.0025), 1.5e8, 2, 1, 0.15),
    "let-off": (("world", 0.07107, "-y"), ("jack", (0.069, 0.063), 0.002), 1e8, 2, 1, 0.2),
    "string": (("world", 0.172, "-y"), ("hammer", (0.213159, 0.126336), 0.0), 4.5e9, 2.5, 0.15, 0.0),
    "rest-rail": (
        ("hammer", (0.093476, 0.11739), (0.192575, 0.082686)), ("world", (0.159799, 0.07986), 0.011),
        3e5, 1.5, 3, 0.0,
    ),
    "check": (
        ("key", (0.214634, 0.075698), (0.223576, 0.104334)), ("hammer", (0.185778, 0.072352), 0.02),
        1e4, 1, 10, 0.7,
    ),
    "bed": (("world", -0.0096, "y"), ("key", (-0.225, 0.0), 0.0), 4e10, 3, 2, 0.0),
    "back-rail": (("world", 0.000131, "y"), ("key", (0.215, 0.0), 0.0), 3e5, 1.5, 0.5, 0.0),
    "damper-key": (("damper", 0.0045, "-y"), ("key", (0.225, 0.0), 0.0), 8e4, 1.5, 9, 0.0),
    "damper-string": (("world", 0.0, "y"), ("damper", (0.225, 0.0), 0.0), 1e5, 1.5, 9, 0.0),
}  # fmt: skip
NAMES = ("key", "whippen", "jack", "lever", "hammer", "damper")
# q, v, accelerations of all but the key, normal forces, force of the finger on a key that moves evenly
POSES = {
    "drawn": (
        (0, 0, 0, 0, 0, 0), (0, 0, 0, 0, 0, 0), (-1055.46, -4286.46, -6915.24, -77.3949, -9.81),
        {"pilot": 2.89, "back-rail": 0.449809}, 0.823221,
    ),
    "let-off": (
        (0.036675, -0.063164, 0.01868, 0.006261, 0.318317, 0.003447),
        (0.04447, -0.09296, 0.57673, 0.14591, 0.30622, 0.01),
        (2.26424, -19.4693, -13.6061, -29.1265, -0.0101276),
        {
            "pilot": 3.72312, "jack-knuckle": 0.521158, "drop": 0.790352, "let-off": 0.918409,
            "damper-key": 0.421992,
        },
        2.07131,
    ),
    "falling into the check": (
        (0.0435, -0.0735, 0.12, 0.05, 0.23, 0.0055), (0, 0, 0.5, 0.3, -5, 0),
        (-4504.93, 380.324, 32274.8, 4789.11, -9.81),
        {"pilot": 7.43194, "lever-knuckle": 3.94217, "check": 5.65276, "bed": 0.250864}, 10.4472,
    ),
    "no contact": (
        (0.02, -0.05, 0.08, 0.07, 0.3, 0), (0, -3, 8, -1, 2, 0),
        (1397.19, -8534.08, -8859.45, -93.0652, -9.81), {}, -0.154231,
    ),
}  # fmt: skip


def local(part, point):
    """A point of the drawn pose in the frame of a part."""
    x, y = PIVOTS[part]
    return (point[0] - x, point[1] - y, 0.0)


def face(part, *where):
    """A segment between two points, or a plane at a height."""
    if isinstance(where[0], tuple):
        return part, hs.Segment.between(*(local(part, end) for end in where))
    return (part, hs.Frame(local(part, (PIVOTS[part][0], where[0])))), hs.Plane(where[1])


def circle(part, center, radius):
    """A ball, which is a circle in the plane."""
    return (part, hs.Frame(local(part, center))), hs.Sphere(radius)


def planar_action(mapped=None):
    """The model of all parts, springs, stops and felts."""
    facts = []
    for name, (parent, mass, com, inertia, friction, speed) in PARTS.items():
        facts.append(hs.Body(name, mass, local(name, com), (inertia,) * 3))
        place = hs.End(parent, hs.Frame(local(parent, PIVOTS[name])))
        make, axis = (hs.Prismatic, "y") if name == "damper" else (hs.Revolute, "z")
        facts.append(make(name, place, name, axis=axis))
        facts.append(hs.Friction(f"{name} friction", name, friction, smooth=speed))
    for name, (preload, k, stop) in SPRINGS.items():
        facts.append(hs.JointSpring(f"{name} spring", name, k, rest=preload / k))
        facts.append(hs.Stop(f"{name} stop", name, low=0.0, law=hs.HuntCrossley(stop, 1.0, 0.05)))
    for name, (flat, ball, K, p, c, mu) in FELTS.items():
        speed, slope = (3e-3, 100.0) if name == "check" else (4e-3, 10.0)
        friction = hs.Coulomb(mu, speed=speed, slope=slope) if mu else None
        law = hs.HuntCrossley(K, float(p), float(c))
        facts.append(hs.Contact(name, circle(*ball), face(*flat), law=law, friction=friction, mapped=mapped))
    return hs.Model(*facts, gravity=(0.0, -9.81, 0.0))
