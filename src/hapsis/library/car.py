"""Two whole cars: a chassis that moves freely, a rack that steers, four corners."""

import hapsis as hs
from hapsis.compiler.ir.functions.verbs import verb
from hapsis.library.corners import five_links, pair, steered, tyre, wishbones, with_bar
from hapsis.mechanics.model.fact import Fact
from hapsis.mechanics.model.structure.flattening import Part

CHASSIS, RACK, STEERING_WHEEL = 1250.0, 4.0, 2.0  # kg
# m and kg·m², xx, yy, zz, xy, xz, yz about the mass centre; the driver sits on the left
CHASSIS_MASS = (-1.30, 0.015, 0.54)
CHASSIS_INERTIA = (480.0, 1750.0, 1950.0, 9.0, -35.0, 4.0)
WHEELBASE = 2.7  # m
COLUMN = hs.Frame((-0.75, 0.37, 0.95), (0.0, 0.45, 0.0))  # its x runs forwards and down
RACK_PER_TURN = 0.05  # m of rack for a turn of the steering wheel
BAR_STIFFNESS = 900.0  # N·m/rad, of a whole anti-roll bar
AXLES = ("front", "rear")
MOTIONS = "Tx Ty Tz Rz Ry Rx"  # of the chassis: place, then yaw, pitch and roll


@verb
def car(tyres: bool = False) -> hs.Model:
    """A car with double wishbones in front and five links behind: 52 coordinates, 37 rows.

    The chassis has six degrees of freedom, each corner two, its travel and the spin of its wheel.
    The steering wheel turns the rack by a `Gear`, and the rack moves both front track rods. A drive
    holds `steering_wheel` at 0: give it another motion to steer, positive to the left.

    `start` is closed, and the struts carry the car in it if something carries the wheels: with
    `tyres` that is one point of contact each, on the ground z = 0. Hard points are those of
    `double_wishbone` and `five_link_suspension`, as parameters of each corner, such as
    `rear_left.track_rod.outer.z`; all other values are our own.
    """
    steering = [
        hs.Body("steering_wheel", STEERING_WHEEL, inertia=(0.04, 0.022, 0.022)),
        hs.Revolute("steering_wheel", ("chassis", COLUMN), "steering_wheel", axis="-x"),
        hs.Gear("steering gear", "steering_wheel", "rack", f"{RACK_PER_TURN!r} / (2 * pi)"),
        hs.Drive("steering", "steering_wheel", position=0.0),
    ]
    facts = [*steering, *(_tyres(0.01581, 0.01504) if tyres else [])]
    return _car(wishbones(preload=0.1512), five_links(preload=0.1270), facts, ["steering_wheel"])


@verb
def five_link_car(tyres: bool = False) -> hs.Model:
    """A car on five links at each wheel, with anti-roll bars: 67 coordinates, 52 rows.

    As `car`, with or without `tyres`, but without a steering wheel: the drive holds the `rack`. The
    halves of an anti-roll bar turn on the chassis, led by drop links; a spring between them resists
    what they turn apart.
    """
    bars = [
        hs.Tendon(
            f"{axle}_bar",
            {f"{axle}_left.bar": 1.0, f"{axle}_right.bar": -1.0},
            stiffness=BAR_STIFFNESS,
            slack=False,
        )
        for axle in AXLES
    ]
    drive = hs.Drive("steering", "rack", position=0.0)
    facts = [drive, *bars, *(_tyres(0.01628, 0.01511) if tyres else [])]
    front, rear = (with_bar(five_links(preload)) for preload in (0.1382, 0.1274))
    return _car(front, rear, facts, [])


def _car(front: hs.Model, rear: hs.Model, facts: list[Fact], turning: list[str]) -> hs.Model:
    """Chassis, rack and four corners; the front track rods hang from the rack."""
    chassis = [f"chassis.{motion}" for motion in MOTIONS.split()]
    zeros = dict.fromkeys([*chassis, "rack", *turning], 0.0)
    base = Part((*_chassis(), *_rack()), {"wheelbase": WHEELBASE}, {"start": zeros}, (*chassis,))
    left, right = pair(front, "front", "chassis")
    corners = [steered(left, "rack.left"), steered(right, "rack.right")]
    return hs.Model(base, corners, pair(rear, "rear", "chassis.rear"), facts)


def _chassis() -> list[Fact]:
    """The body that all else hangs from: its origin on the ground, below the front axle."""
    hull = hs.Box((4.2, 1.2, 0.4), at=hs.Frame((-1.35, 0.0, 0.6)))
    cabin = hs.Box((2.1, 1.1, 0.5), at=hs.Frame((-1.6, 0.0, 1.05)))
    frames = {"rear": ("-wheelbase", 0.0, 0.0)}
    body = hs.Body("chassis", CHASSIS, CHASSIS_MASS, CHASSIS_INERTIA, frames, shapes=(hull, cabin))
    return [body, hs.Chain("chassis", hs.WORLD, "chassis", MOTIONS)]


def _rack() -> list[Fact]:
    """The steering rack, along y, with the inner ends of the front track rods."""
    left, right = ([f"front_{s}.track_rod.inner.{a}" for a in "xyz"] for s in ("left", "right"))
    (x, y, z), (x2, y2, z2) = left, right
    frames = {"left": (0.0, y, 0.0), "right": (f"{x2} - {x}", y2, f"{z2} - {z}")}
    body = hs.Body("rack", RACK, frames=frames)
    return [body, hs.Prismatic("rack", ("chassis", hs.Frame((x, 0.0, z))), "rack", axis="y")]


def _tyres(*pressed: float) -> list[hs.Contact]:
    """The four tyres, pressed in by so much in front and behind as the car stands."""
    return [
        tyre(f"{axle}_{side}", depth)
        for axle, depth in zip(AXLES, pressed, strict=True)
        for side in ("left", "right")
    ]
