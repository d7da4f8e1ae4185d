"""Corners of a car: a suspension with the world as its chassis, mirrored and put on a car.

Every place is a hard point and every number that has a side is a parameter, so that the right
corner is the left one with other parameters: those that have one y in their name change sign.

Links lie along the y axis of their own frames, and turn by a little to where they start. So their
equations are those of straight rods; and axes follow each other such that many are parallel: the
carrier turns first about the last axis of the link that it hangs from, and last about the wheel's.
"""

from dataclasses import replace
from typing import Any

import hapsis as hs
from hapsis.library import hard_points as points
from hapsis.library.double_wishbone import CARRIER, LOWER, UPPER
from hapsis.library.double_wishbone import POINTS as WISHBONE_POINTS
from hapsis.library.five_link_suspension import CARRIER as FIVE_LINK_CARRIER
from hapsis.library.five_link_suspension import LINKS
from hapsis.library.five_link_suspension import POINTS as FIVE_LINK_POINTS
from hapsis.library.hard_points import distance, offset, parameters, place
from hapsis.mechanics.model.structure.flattening import Part

CARRIER_MASS = (0.014, 0.742, 0.318)  # m, ahead of and below the wheel's centre
CARRIER_INERTIA = {"xx": 0.062, "yy": 0.048, "zz": 0.055, "xy": 0.004, "xz": -0.003, "yz": 0.005}
STRUT_STIFFNESS, STRUT_DAMPING = 35e3, 2.5e3  # N/m, N s/m
TRACK_ROD, BAR = 1.2, 1.8  # kg, a track rod and half an anti-roll bar
BAR_POINTS = {
    "bar.inner": (-0.30, 0.30, 0.36),
    "bar.outer": (-0.06, 0.59, 0.36),
    "drop_link_foot": (-0.056, 0.582, 0.15),
}
OUTWARD = {"outward.y": 1.0}  # which way is out; the other way on the right


def wishbones(preload: float) -> hs.Model:
    """A front left corner between two wishbones, its track rod a body: 8 coordinates.

    The points are those of `double_wishbone`; the track rod hangs from the world, not from a rack.
    """
    outer = {n: f"{n}.outer" for n in ("lower", "upper", "track_rod")}
    hinged = {"lower": LOWER, "upper": UPPER}
    start = {n: _rise(n) for n in hinged} | _turned("track_rod")
    start |= {"carrier.Rx": f"-({_rise('lower')})", "carrier.Rz": 0.0, "carrier.Ry": 0.0}
    return hs.Model(
        *(_wishbone(n, mass) for n, mass in hinged.items()),
        _rod("track_rod", TRACK_ROD),
        _carrier(outer, CARRIER),
        *(hs.Revolute(n, place(f"{n}.inner"), n, axis="x") for n in hinged),
        hs.Universal("track_rod", place("track_rod.inner"), "track_rod", axes=("x", "z")),
        hs.Chain("carrier", "lower.end", "carrier.lower", "Rx Rz Ry"),
        *points.wheel(),
        hs.Ball("upper cut", "upper.end", "carrier.upper"),
        hs.Ball("track_rod cut", "track_rod.end", "carrier.track_rod"),
        _strut("lower", _out("lower.inner", "strut_foot")),
        parameters=_parameters(WISHBONE_POINTS, preload),
        poses={"start": {**start, "wheel": 0.0}},
        independent=["lower", "wheel"],
    )


def five_links(preload: float) -> hs.Model:
    """A left corner on the five links of `five_link_suspension`: 14 coordinates."""
    start = {name: angle for n in LINKS for name, angle in _turned(n).items()}
    start |= {f"carrier.{n}": f"-({start[f'lower_front.{n}']})" for n in ("Rz", "Rx")}
    cut = [hs.Ball(f"{n} cut", f"{n}.end", f"carrier.{n}") for n in LINKS if n != "lower_front"]
    return hs.Model(
        *(_rod(n, mass) for n, mass in LINKS.items()),
        _carrier({n: f"{n}.outer" for n in LINKS}, FIVE_LINK_CARRIER),
        *(hs.Universal(n, place(f"{n}.inner"), n, axes=("x", "z")) for n in LINKS),
        hs.Chain("carrier", "lower_front.end", "carrier.lower_front", "Rz Rx Ry"),
        *points.wheel(),
        *cut,
        _strut("lower_rear", distance("lower_rear.inner", "strut_foot")),
        parameters=_parameters(FIVE_LINK_POINTS, preload),
        poses={"start": {**start, "carrier.Ry": 0.0, "wheel": 0.0}},
        independent=["lower_front.Rx", "wheel"],
    )


def with_bar(corner: hs.Model) -> hs.Model:
    """The corner of five links with half an anti-roll bar: one coordinate and one row more.

    The half turns about y; a drop link, a `Distance`, leads from its arm to the lower rear link.
    """
    out = distance("lower_rear.inner", "drop_link_foot")
    half = [
        points.link("bar", BAR, "bar.inner", "bar.outer"),
        hs.Revolute("bar", place("bar.inner"), "bar", axis="y"),
        hs.Distance(
            "drop link",
            "bar.end",
            ("lower_rear", hs.Frame((0.0, f"outward.y * {out}", 0.0))),
            length=distance("bar.outer", "drop_link_foot"),
        ),
    ]
    return hs.Model(
        corner,
        half,
        parameters={**corner.parameters, **parameters(BAR_POINTS)},
        poses={"start": {**corner.poses["start"], "bar": 0.0}},
    )


def mirrored(corner: hs.Model) -> hs.Model:
    """The other side's corner: y turns round in points (`.y`) and in inertias (`.xy`, `.yz`)."""
    turned = (".y", ".xy", ".yz")
    values = {n: -x if n.endswith(turned) else x for n, x in corner.parameters.items()}
    return corner.replace(parameters=values)


def pair(corner: hs.Model, axle: str, on: str) -> list[Any]:
    """The Parts AXLE_left and AXLE_right: both corners of an axle, on a place of the chassis."""
    left, right = f"{axle}_left", f"{axle}_right"
    return [corner.prefixed(left, on=on), mirrored(corner).prefixed(right, on=on)]


def steered(corner: Part, rack: str) -> Part:
    """The corner with its track rod on a place of the rack."""
    facts = (
        replace(fact, first=rack)
        if isinstance(fact, hs.Universal) and fact.name.endswith(".track_rod")
        else fact
        for fact in corner.facts
    )
    return replace(corner, facts=tuple(facts))


def tyre(corner: str, pressed: float) -> hs.Contact:
    """A tyre on the ground z = 0, pressed in so far in `start`: one point, with friction."""
    return hs.Contact(
        f"{corner}.tyre",
        (f"{corner}.wheel", hs.Sphere(points.WHEEL_RADIUS + pressed)),
        hs.WORLD.plane("z"),
        law=hs.Linear(stiffness=2.2e5, damping=500.0),
        friction=hs.Coulomb(0.9, speed=0.1),
    )


def _parameters(hard: dict[str, points.Point], preload: float) -> dict[str, float]:
    """Hard points, six inertia numbers of the carrier, and by how much the strut is pressed."""
    inertia = {f"carrier_inertia.{n}": x for n, x in CARRIER_INERTIA.items()}
    places = parameters({**hard, "carrier_mass": CARRIER_MASS})
    return {**places, **inertia, **OUTWARD, "preload": preload}


def _rod(name: str, mass: float) -> hs.Body:
    """A slender rod along its y axis from the inner hard point to the outer one."""
    length = distance(f"{name}.inner", f"{name}.outer")
    across = f"{mass / 12!r} * {length}^2"
    out = f"outward.y * {length}"
    return hs.Body(name, mass, (0, f"{out} / 2", 0), (across, 0, across), {"end": (0, out, 0)})


def _turned(name: str) -> dict[str, str]:
    """The angles about x and z that point the y axis from the inner hard point to the outer one."""
    x, y, z = (f"({d})" for d in offset(f"{name}.inner", f"{name}.outer"))
    length = distance(f"{name}.inner", f"{name}.outer")
    return {f"{name}.Rx": f"atan({z} / {y})", f"{name}.Rz": f"-asin(outward.y * {x} / {length})"}


def _wishbone(name: str, mass: float) -> hs.Body:
    """A slender link in the plane of x, its hinge, and y; its inertia is m/12 (d·d 1 - d dᵀ)."""
    inner, outer = f"{name}.inner", f"{name}.outer"
    x, y = f"({offset(inner, outer)[0]})", f"(outward.y * {_out(inner, outer)})"
    part = f"{mass / 12!r}"
    inertia = (
        f"{part} * {y}^2",
        f"{part} * {x}^2",
        f"{part} * ({x}^2 + {y}^2)",
        f"-{part} * {x} * {y}",
        0.0,
        0.0,
    )
    return hs.Body(name, mass, (f"{x} / 2", f"{y} / 2", 0.0), inertia, {"end": (x, y, 0.0)})


def _rise(name: str) -> str:
    """The angle about x by which a link points upwards."""
    _, y, z = (f"({d})" for d in offset(f"{name}.inner", f"{name}.outer"))
    return f"atan({z} / {y})"


def _out(start: str, end: str) -> str:
    """How far apart two hard points are, seen along x."""
    _, y, z = offset(start, end)
    return f"sqrt(({y})^2 + ({z})^2)"


def _carrier(places: dict[str, str], mass: float) -> hs.Body:
    """The wheel carrier with six inertia numbers and its own mass centre."""
    frames = {frame: offset("wheel_center", point) for frame, point in places.items()}
    inertia = tuple(f"carrier_inertia.{n}" for n in CARRIER_INERTIA)
    return hs.Body("carrier", mass, offset("wheel_center", "carrier_mass"), inertia, frames)


def _strut(on: str, out: str) -> hs.Spring:
    """Spring and damper from `strut_top` to a place so far out on a link."""
    foot = (on, hs.Frame((0.0, f"outward.y * {out}", 0.0)))
    rest = f"{distance('strut_top', 'strut_foot')} + preload"
    return hs.Spring("strut", place("strut_top"), foot, STRUT_STIFFNESS, STRUT_DAMPING, rest)
