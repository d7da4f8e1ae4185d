"""The roller racer: a seat on wheels that goes ahead by steering alone."""

import hapsis as hs
from hapsis.compiler.ir.functions.verbs import verb


@verb
def roller_racer(swing: float = 0.6, rate: float = 5.0) -> hs.Model:
    """Two bodies hinged to each other, each on an axle whose wheels do not slip: 4 coordinates, 2 rows.

    The rider swings the handle by `swing` rad at `rate` rad/s and does nothing else; that drives the seat on,
    from rest and faster and faster, as nothing slows it down. `seat` is the middle of the rear axle and its
    heading.

        d1, d2                   m, from the rear axle to the hinge and from the hinge to the front axle
        seat_mass, seat_I        kg and kg m² of seat and rider, about the rear axle's middle
        handle_mass, handle_I    of the handle, about the front axle's middle
        swing, rate
    """
    seat = hs.Box((0.45, 0.25, 0.06), at=(0.15, 0, 0.15), material="red felt")
    bar = hs.Box((0.04, 0.4, 0.04), at=(0, 0, 0.4), material="steel")
    post = hs.Capsule(0.02, 0.4, at=(0, 0, 0.22))
    return hs.Model(
        hs.Body(
            "seat", "seat_mass", (0.1, 0, 0), ("seat_I",) * 3, {"hinge": ("d1", 0, 0)}, (seat, *_axle(0.3))
        ),
        hs.Body("handle", "handle_mass", inertia=("handle_I",) * 3, shapes=(post, bar, *_axle(0.2))),
        hs.Planar("seat", hs.WORLD, "seat"),
        hs.Revolute("handle", "seat.hinge", ("handle", hs.Frame(("-d2", 0, 0)))),
        hs.KnifeEdge("rear axle", "seat"),
        hs.KnifeEdge("front axle", "handle"),
        hs.Drive("rider", "handle", position="swing * sin(rate * t)"),
        parameters={
            **{"d1": 0.6, "d2": 0.15, "seat_mass": 40.0, "seat_I": 2.0, "handle_mass": 2.0, "handle_I": 0.1},
            **{"swing": swing, "rate": rate},
        },
        independent=("seat.Tx",),
        poses={"start": dict.fromkeys(("seat.Tx", "seat.Ty", "seat.Rz", "handle"), 0.0)},
    )


def _axle(width: float) -> tuple[hs.Cylinder, ...]:
    """Two small wheels."""
    flat = (1.5707963267948966, 0, 0)
    return tuple(hs.Cylinder(0.05, 0.03, at=hs.Frame((0, y, 0.05), flat)) for y in (-width / 2, width / 2))
