"""The Stewart platform: six legs that grow and shrink."""

import math

import hapsis as hs
from hapsis.compiler.ir.functions.verbs import verb

# angles of the ends of the legs, degrees: pairs on the base, shifted pairs on the platform
BASE = (-10, 10, 110, 130, 230, 250)
PLATFORM = (-50, 50, 70, 170, 190, 290)


@verb
def stewart() -> hs.Model:
    """A platform on six legs: 24 coordinates, six loops, six degrees of freedom.

    Each leg is a tube on a universal joint `gimbal1` ... and a piston that slides in it; its
    coordinate `leg1` ... is the length between the two joints. The platform has six coordinates of
    its own, `platform.Tx` ... `platform.Rz`; ball joints between pistons and platform close the
    loops. The six lengths lead. In `start` the platform is level above the middle of the base.

        base_radius, platform_radius   of the circles of joints, m
        height                         of the platform in `start`, m

    Tubes of 1 kg, pistons of .5 kg, a platform of 5 kg: values of our own. Reference: [Stewart].
    """
    disc = hs.Cylinder("platform_radius", 0.02)
    rings = {f"joint{k}": _ring("platform_radius", PLATFORM[k - 1]) for k in range(1, 7)}
    inertia = ("5 * platform_radius^2 / 4",) * 2 + ("5 * platform_radius^2 / 2",)
    facts = [
        hs.Body("platform", 5.0, inertia=inertia, frames=rings, shapes=(disc,)),
        hs.Chain("platform", hs.WORLD, "platform", "Tx Ty Tz Rx Ry Rz"),
    ]
    start: dict[str, float | str] = {f"platform.{s}": 0.0 for s in "Tx Ty Tz Rx Ry Rz".split()}
    start["platform.Tz"] = "height"
    for k in range(1, 7):
        facts += _leg(k)
        start |= _leaning(k)
    return hs.Model(
        *facts,
        *(hs.Ball(f"ball{k}", f"piston{k}", f"platform.joint{k}") for k in range(1, 7)),
        parameters={"base_radius": 0.4, "platform_radius": 0.25, "height": 0.5},
        poses={"start": start},
        independent=[f"leg{k}" for k in range(1, 7)],
    )


def _ring(radius: str, degrees: float) -> tuple[str, str, float]:
    """A place on a circle about z."""
    angle = math.radians(degrees)
    return f"{radius} * {math.cos(angle)!r}", f"{radius} * {math.sin(angle)!r}", 0.0


def _leg(k: int) -> list[hs.Body | hs.Joint]:
    """Tube and piston, both along z; the piston's origin is its upper end."""
    tube, piston = f"tube{k}", f"piston{k}"
    return [
        hs.Body(
            tube,
            1.0,
            (0, 0, 0.15),
            (0.0076, 0.0076, 0.0004),
            shapes=(hs.Cylinder(0.02, 0.3, at=(0, 0, 0.15)),),
        ),
        hs.Body(
            piston,
            0.5,
            (0, 0, -0.15),
            (0.0038, 0.0038, 0.0001),
            shapes=(hs.Cylinder(0.012, 0.3, at=(0, 0, -0.15)),),
        ),
        hs.Universal(f"gimbal{k}", hs.WORLD.at(*_ring("base_radius", BASE[k - 1])), tube),
        hs.Prismatic(f"leg{k}", tube, piston),
    ]


def _leaning(k: int) -> dict[str, str]:
    """Where leg k is in `start`: Rx(a) Ry(b) takes z to (sin b, -sin a cos b, cos a cos b)."""
    foot, head = _ring("base_radius", BASE[k - 1]), _ring("platform_radius", PLATFORM[k - 1])
    x, y = (f"({head[i]} - ({foot[i]}))" for i in (0, 1))
    return {
        f"gimbal{k}.Rx": f"atan2(-{y}, height)",
        f"gimbal{k}.Ry": f"atan2({x}, sqrt({y}^2 + height^2))",
        f"leg{k}": f"sqrt({x}^2 + {y}^2 + height^2)",
    }
