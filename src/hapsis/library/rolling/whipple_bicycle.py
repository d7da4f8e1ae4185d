"""Whipple's bicycle: two knife-edge wheels, a frame with its rider, and a front fork, as they ride."""

import math

import hapsis as hs
from hapsis.compiler.ir.functions.verbs import verb
from hapsis.errors import check_known
from hapsis.mechanics.model.fact import Fact
from hapsis.mechanics.model.shapes.shapes import Shape
from hapsis.mechanics.model.values.numbers import real

# of the benchmark: x forward, z down, from the point where the rear wheel touches
BENCHMARK = {
    **{"w": 1.02, "c": 0.08, "lam": math.pi / 10},
    **{"rR": 0.3, "mR": 2.0, "IRxx": 0.0603, "IRyy": 0.12},
    **{"xB": 0.3, "zB": -0.9, "mB": 85.0, "IBxx": 9.2, "IBxz": 2.4, "IByy": 11.0, "IBzz": 2.8},
    **{"xH": 0.9, "zH": -0.7, "mH": 4.0, "IHxx": 0.05892, "IHxz": -0.00756, "IHyy": 0.06, "IHzz": 0.00708},
    **{"rF": 0.35, "mF": 3.0, "IFxx": 0.1405, "IFyy": 0.28},
}
STILL = ("place.Tx", "place.Ty", "place.Rz", "lean", "pitch", "steer", "rear", "front")
HEAD = "0.95"  # m, from the ground along the steering axis, where the fork is hinged
AT = f"w + c - {HEAD} * sin(lam)", f"{HEAD} * cos(lam)"  # that place, forward and up


@verb
def whipple_bicycle(speed: float = 5.0, *, belt: bool = False, **values: float) -> hs.Model:
    """A bicycle whose rider does nothing, rolling without slip: 9 coordinates, 6 rows, 3 degrees of freedom.

    `lean` is to the right and `steer` to the right, as in the reference; `rear` and `front` are the wheels,
    which roll forwards with positive speeds. `place` is the rear hub and its heading, `pitch` follows.
    `start` rides straight at `speed`, m/s. Between 4.29 and 6.02 m/s the benchmark stays upright by itself.

        w, c, lam               wheel base and trail, m; tilt of the steering axis, rad
        rR mR IRxx IRyy         rear wheel: radius, mass, inertias across and about its axle
        xB zB mB IBxx ...       frame with rider: centre of mass, z down from the ground; mass; inertias
        xH zH mH IHxx ...       fork with handlebar
        rF mF IFxx IFyy         front wheel

    With `belt` it rides on a wide belt that runs backwards at `speed`, and stays where it is. Other
    `values` of these numbers make another bicycle. Reference: [Meijaard], whose letters these are.
    """
    for name in values:
        check_known(name, BENCHMARK, "a bicycle has no {}")
    forward, up = AT
    speed = real(speed, "the speed of a bicycle")
    given = {name: real(x, f'"{name}" of a bicycle') for name, x in values.items()}
    tilted, numbers = (0, "-lam", 0), {**BENCHMARK, **given}
    return hs.Model(
        hs.Body("heading"),
        hs.Body("leaning"),
        hs.Body(
            "frame",
            "mB",
            ("xB", 0, "-zB - rR"),
            ("IBxx", "IByy", "IBzz", 0, "-IBxz", 0),
            {"head": hs.Frame((forward, 0, f"{up} - rR"), tilted)},
            _frame_and_rider(numbers),
        ),
        hs.Body(
            "fork",
            "mH",
            (f"xH - ({forward})", 0, f"-zH - {up}"),
            ("IHxx", "IHyy", "IHzz", 0, "-IHxz", 0),
            {"head": hs.Frame(rpy=tilted), "axle": (f"w - ({forward})", 0, f"rF - {up}")},
            _fork(numbers),
        ),
        _wheel("rear", "R"),
        _wheel("front", "F"),
        hs.Chain("place", hs.WORLD, "heading", "Tx Ty Tz Rz"),
        hs.Revolute("lean", "heading", "leaning", axis="x"),
        hs.Revolute("pitch", "leaning", "frame", axis="y"),
        hs.Revolute("rear", "frame", "rear", axis="y"),
        hs.Revolute("steer", "frame.head", "fork.head", axis="-z"),
        hs.Revolute("front", "fork.axle", "front", axis="y"),
        hs.Rolling("rear contact", "rear", "belt" if belt else hs.WORLD, "rR"),
        hs.Rolling("front contact", "front", "belt" if belt else hs.WORLD, "rF"),
        *(_belt(speed) if belt else ()),
        parameters=numbers,
        independent=("lean", "steer", "rear"),
        poses={
            "start": {
                **dict.fromkeys(STILL, 0.0),
                "place.Tz": "rR",
                "place.Tx.v": 0.0 if belt else speed,
                **({"belt": 0.0} if belt else {}),
                "rear.v": f"{speed!r} / rR",
                "front.v": f"{speed!r} / rF",
            }
        },
    )


def _frame_and_rider(of: dict[str, float]) -> tuple[Shape, ...]:
    """Tubes from the rear hub to the head of the fork, and somebody on them."""
    head = (of["w"] + of["c"] - 0.95 * math.sin(of["lam"]), 0.95 * math.cos(of["lam"]) - of["rR"])
    pedals, seat, back = (0.45 * of["w"], 0.0), (0.3 * of["w"], 0.62), (0.55 * of["w"], 1.1)
    tubes = [((0.0, 0.0), pedals), (pedals, head), (seat, head), (pedals, seat), ((0.0, 0.0), seat)]
    body = [(seat, back, 0.13), (back, (head[0] - 0.03, head[1] + 0.1), 0.04), (seat, pedals, 0.06)]
    skull = hs.Sphere(0.12, at=(back[0] + 0.06, 0, back[1] + 0.24))
    return (*(_bar(a, b, 0.02) for a, b in tubes), *(_bar(*part) for part in body), skull)


def _fork(of: dict[str, float]) -> tuple[Shape, ...]:
    """The fork from the axle to the handlebar, from its head."""
    s, c = math.sin(of["lam"]), math.cos(of["lam"])
    axle = (0.95 * s - of["c"], of["rF"] - 0.95 * c)
    bar = hs.Capsule(0.015, 0.45, at=hs.Frame((-0.1 * s, 0, 0.1 * c), (math.pi / 2, 0, 0)))
    return _bar(axle, (-0.1 * s, 0.1 * c), 0.02), bar


def _bar(a: tuple[float, float], b: tuple[float, float], radius: float) -> hs.Capsule:
    """A tube between two points of the middle plane, (forward, up)."""
    line = hs.Segment.between((a[0], 0.0, a[1]), (b[0], 0.0, b[1]))
    return hs.Capsule(radius, line.length, at=line.at)


def _belt(speed: float) -> tuple[Fact, ...]:
    """What runs backwards under the wheels."""
    place = hs.Prismatic("belt", hs.WORLD, "belt", axis="x")
    return hs.Body("belt"), place, hs.Drive("belt motor", "belt", velocity=-speed)


def _wheel(name: str, letter: str) -> hs.Body:
    across = f"I{letter}xx"
    tyre = hs.Cylinder(f"r{letter}", f"0.12 * r{letter}", at=hs.Frame(rpy=(math.pi / 2, 0, 0)))
    return hs.Body(name, f"m{letter}", inertia=(across, f"I{letter}yy", across), shapes=(tyre,))
