"""Watt's flyball governor, with stiff springs."""

import math

import hapsis as hs
from hapsis.compiler.ir.functions.verbs import verb


@verb
def governor() -> hs.Model:
    """A spinning shaft, two rods with a heavy ball at the tip of each, a slider between springs.

    A tree without loops, stiff: the springs are 8e5 N/m with 4e4 N s/m. `slider` is the height
    of the slider on the shaft; `left` and `right` are the angles of the rods below horizontal.
    `start` spins with one turn per second.

        length, section   of shaft and rods, square beams, m
        cube              edge of the slider, m
        density           of all three, kg/m³
        ball              mass at the tip of each rod, kg

    Reference: IFToMM library of computational benchmark problems, A05.
    """
    spring = {"stiffness": 8e5, "damping": 4e4, "length": "length / 2"}
    return hs.Model(
        _beam("shaft", upright=True),
        *(_beam(name) for name in ("right", "left")),
        *(hs.Body(f"{name} ball", "ball", shapes=(hs.Sphere(0.05),)) for name in ("right", "left")),
        hs.Body(
            "slider",
            "density * cube^3",
            inertia=("density * cube^5 / 6",) * 3,
            frames={"right": ("cube / 2", 0, 0), "left": ("-cube / 2", 0, 0)},
            shapes=(hs.Box(("cube",) * 3),),
        ),
        hs.Revolute("shaft", hs.WORLD, "shaft"),
        hs.Revolute("right", "shaft.right", "right", axis="y"),
        hs.Revolute("left", "shaft.left", "left", axis="y"),
        hs.Prismatic("slider", "shaft", "slider"),
        hs.Weld("right tip", "right.end", "right ball"),
        hs.Weld("left tip", "left.end", "left ball"),
        hs.Spring("right spring", "slider.right", "right.middle", **spring),
        hs.Spring("left spring", "slider.left", "left.middle", **spring),
        parameters={"length": 1.0, "section": 0.01, "cube": 0.1, "density": 3000.0, "ball": 5.0},
        poses={
            "start": {
                "shaft": 0.0,
                "shaft.v": "2 * pi",
                "right": "pi / 6",
                "left": "pi / 6",
                "slider": "length / 2",
            }
        },
    )


def _beam(name: str, upright: bool = False) -> hs.Body:
    """A square beam from its origin, along x or upright; the upright one carries the pivots."""
    along = "density * length * section^4 / 6"
    across = "density * length * section^2 * (length^2 + section^2) / 12"
    size, mass = ("length", "section", "section"), "density * length * section^2"
    if not upright:
        places = {"middle": ("length / 2", 0, 0), "end": ("length", 0, 0)}
        box = hs.Box(size, at=("length / 2", 0, 0))
        return hs.Body(name, mass, ("length / 2", 0, 0), (along, across, across), places, (box,))
    places = {
        "right": ("cube / 2", 0, "length"),
        "left": hs.Frame(("-cube / 2", 0, "length"), (0, 0, math.pi)),
    }
    box = hs.Box(size[::-1], at=(0, 0, "length / 2"))
    return hs.Body(name, mass, (0, 0, "length / 2"), (across, across, along), places, (box,))
