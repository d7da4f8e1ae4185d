"""Names that follow from the name of a coordinate or a speed: `elbow.v`, `elbow.a`, `elbow.effort`.

A coordinate `elbow` has the speed `elbow.v`. Speeds of quaternion joints have names of their own,
`base.wx`; what belongs to them is `base.wx.a` and `base.wx.effort`.
"""

# the columns of a Result that belong to the whole model: no coordinate or speed has these names
RESULT_NAMES = ("t", "energy", "kinetic", "potential", "work")


def speed_name(coordinate: str) -> str:
    """`elbow.v` of the coordinate `elbow`."""
    return f"{coordinate}.v"


def coordinate_name(speed: str) -> str:
    """`elbow` of `elbow.v`; `base.wx` of `base.wx`, which is the rate of no coordinate."""
    return speed.removesuffix(".v")


def acceleration_name(speed: str) -> str:
    """`elbow.a` of `elbow.v`; `base.wx.a` of `base.wx`."""
    return f"{coordinate_name(speed)}.a"


def effort_name(speed: str) -> str:
    """`elbow.effort` of `elbow.v`; `base.wx.effort` of `base.wx`."""
    return f"{coordinate_name(speed)}.effort"


def drive_effort_name(drive: str) -> str:
    """`motor.effort` of the drive `motor`."""
    return f"{drive}.effort"


def without_effort(name: str) -> str:
    """`elbow` of `elbow.effort`, and of `elbow` itself: users may write either."""
    return name.removesuffix(".effort")
