"""What the action is made of: every length, mass, spring and felt, in one place.

Points are (x, y) in mm in the drawn pose, in which all coordinates are zero: x from the player to the
strings, y up, the origin at the balance point of the key. Masses are in g, all else in SI units.

No full set of a real action is public. These are values of our own for a note in the middle of a modern
grand: sizes as in the trade (key dip, blow, let-off and drop of technicians; hammer of 8 to 10 g; head
130 mm from its pivot; felt of the hammer of C4 as measured for string models), the rest chosen until the
action regulates, feels and repeats like one. It is not a measurement of any instrument.
"""

from typing import NamedTuple

Point = tuple[float, float]

GRAVITY = 9.81  # m/s²


class Part(NamedTuple):
    """A moving part: pivot, mass, centre of mass, inertia about it, and the friction of its pivot.

    The friction is -T tanh(ω / ω_s): T in N m and ω_s in rad/s; of the damper N and m/s.
    """

    parent: str
    pivot: Point  # mm
    mass: float  # g
    com: Point  # mm
    inertia: float  # kg m²
    friction: float
    smooth: float


PARTS = {
    "key": Part("world", (0.0, 0.0), 115.0, (-18.5, 8.0), 2.2033e-3, 0.0145, 0.004),
    "whippen": Part("world", (172.0, 60.0), 9.5, (122.0, 62.0), 1.10e-5, 0.0012, 0.05),
    "jack": Part("whippen", (87.0, 57.0), 3.0, (83.0, 76.0), 1.30e-6, 0.0002, 0.05),
    # the friction of the lever is that of a hinge pinned tight: it keeps the hammer from jumping when
    # it leaves the back check
    "lever": Part("whippen", (135.0, 94.0), 5.5, (121.0, 100.0), 4.00e-6, 0.055, 0.5),
    "hammer": Part("world", (74.6, 124.0), 0.0, (0.0, 0.0), 6.44e-6, 0.0009, 0.05),  # masses: see below
    "damper": Part("world", (225.0, 0.0), 40.0, (225.0, 0.0), 1e-5, 0.03, 0.002),
}

# the hammer in its own frame: the first axis along the shank, turned by -19.3 degrees in the drawn pose
SHANK_TURN = -19.3  # degrees
HEAD, SHANK = 6.1, 3.5  # g
HEAD_AT, SHANK_AT = (130.0, 12.0), (55.0, 0.0)  # mm

FINGER = (-225.0, 0.0)  # where the finger presses, mm
KEY_END = (225.0, 0.0)  # lifts the damper
LEAD_AT = (-150.0, 8.0)  # where more lead would go into the key, mm
DAMPER_LIFT = 4.5  # mm the key's end rises before it meets the damper


class Spring(NamedTuple):
    """A spring on a part against the whippen, and the felt that stops it at home (coordinate zero)."""

    preload: float  # N m
    stiffness: float  # N m/rad
    stop: float  # N m/rad
    loss: float  # s/rad


SPRINGS = {"jack": Spring(0.0152, 0.02, 60.0, 0.05), "lever": Spring(0.038, 0.10, 80.0, 0.05)}


class Felt(NamedTuple):
    """A cushion: K dᵖ, and how it loses energy.

    damping     c, s/m: the force is K dᵖ (1 + c ḋ)
    hysteresis  ε, with time τ: the force is K (dᵖ - ε h), τ ḣ = dᵖ - h
    start       h of the action at rest, mᵖ
    """

    stiffness: float  # K, N/mᵖ
    power: float
    damping: float = 0.0
    hysteresis: float = 0.0
    time: float = 1.5e-3  # s
    friction: float = 0.0  # μ
    start: float = 0.0


# Felt and leather with memory: stiff to a blow, soft to a push, and hardly any bounce. Without it a hammer
# that comes back from the string before the jack has left jumps from the knuckle and strikes twice.
FELTS = {
    "pilot": Felt(8.33e8, 2.0, hysteresis=0.88, friction=0.15, start=1.06539e-8),
    "jack_knuckle": Felt(6.67e8, 2.0, hysteresis=0.88, friction=0.20, start=4.43413e-10),
    "lever_knuckle": Felt(6.67e8, 2.0, hysteresis=0.88, friction=0.20, start=8.01449e-9),
    "drop": Felt(1.5e8, 2.0, damping=1.0, friction=0.15),
    "let_off": Felt(1.0e8, 2.0, damping=1.0, friction=0.20),
    "string": Felt(4.5e9, 2.5, damping=0.15),
    "rest_rail": Felt(3.0e5, 1.5, damping=3.0),
    "check": Felt(1.0e4, 1.0, damping=10.0, friction=0.70),
    "bed": Felt(4.0e10, 3.0, damping=2.0),
    "back_rail": Felt(3.0e5, 1.5, damping=0.5),
    "damper_key": Felt(8.0e4, 1.5, damping=9.0),
    "damper_string": Felt(1.0e5, 1.5, damping=9.0),
}
SLIP = 4e-3  # m/s: the slip at which friction is nearly full ...
SLOPE = 10.0  # N s/m: ... and the most it grows with the slip, so that steps stay stable
BRISTLE = 1e4  # N/m: of the back check, which must hold the hammer for as long as the key is down

# coordinates of the action at rest, rad, of the damper m, with these screws
REST = {
    "whippen": -6.206e-4, "jack": -2.534e-4, "lever": -9.186e-5, "hammer": -2.4088e-3, "damper": -2.488e-4,
}  # fmt: skip

# screws that a technician turns: heights in mm
PILOT_HEIGHT = 36.842  # top of the pilot
BUTTON_HEIGHT = 71.170  # lower face of the let-off button
DROP_HEIGHT = 112.236  # lower end of the drop screw

STRING_HEIGHT = 172.0
DIP = 9.6  # mm of the finger until the felt under the key front
BACK_RAIL = 0.131  # mm that the felt under the key's rear end stands up
BACK_RAIL_AT = (215.0, 0.0)

# (ends of a flat face, or centre and radius of a round one), mm
HEEL = ((99.5, 36.7), (121.5, 36.7))  # of the whippen, on the pilot
PILOT = ((109.5, 0.0), 6.0)  # its height is the screw's
JACK_TOP = ((84.158, 105.929), (88.855, 106.117))
JACK_TOE = ((69.0, 63.0), 2.0)
LEVER_TOP = ((64.0, 106.166), (108.0, 106.166))
KNUCKLE = ((88.472, 110.666), 4.5)
DROP_SCREW = ((72.0, 0.0), 2.5)
STRIKE_POINT = (213.159, 126.336)  # top of the hammer head
REST_FACE = ((93.476, 117.390), (192.575, 82.686))  # lower side of the shank
REST_RAIL = ((159.799, 79.860), 11.0)
CHECK_FACE = ((214.634, 75.698), (223.576, 104.334))  # on the key
TAIL = ((185.778, 72.352), 20.0)  # of the hammer
