"""A six-bar linkage drawn in CAD: joined where its holes are, weighed, its DH table, and held by a hand.

The drawing needs build123d, pip install 'hapsis[cad]'; without it the rest goes on with the saved model.
"""

import importlib.util
import math
import tempfile
from pathlib import Path

import numpy as np

import hapsis as hs

THICK, STEP = 8.0, 9.0  # mm: of a link, from one layer of links to the next
END, BOSS, PIN, EDGE = 13.0, 10.0, 6.0, 1.5  # radii of ends of links, bosses, pins and rounded edges
A, D, G = (0.0, 0.0), (160.0, 0.0), (-120.0, 60.0)  # pivots on the base


def meeting(p, r, q, s):
    """The point at the distance r from p and s from q, on the left of the way from p to q."""
    d = math.dist(p, q)
    x = (r * r - s * s + d * d) / (2 * d)
    y = math.sqrt(r * r - x * x)
    e, f = (q[0] - p[0]) / d, (q[1] - p[1]) / d
    return p[0] + x * e - y * f, p[1] + x * f + y * e


B = (50 * math.cos(0.8), 50 * math.sin(0.8))
C = meeting(B, 140, D, 100)
E = meeting(B, math.hypot(70, 60), C, math.hypot(70, 60))  # the corner of the coupler
F = meeting(G, 100, E, 120)


def draw(path):
    """Draws the parts where they are when the crank is at 0.8 rad, and writes them to a STEP file."""
    import build123d as cad

    up = (cad.Align.CENTER, cad.Align.CENTER, cad.Align.MIN)

    def rounded(solid):
        return cad.fillet(solid.edges().group_by(cad.Axis.Z)[-1], EDGE)

    def plate(points, z, thick=THICK):
        """A plate around circles at its ends, with a rounded edge above."""
        if len(points) == 2:  # a slot, whose sides touch both circles exactly
            (x, y), (u, v) = points
            turn = math.degrees(math.atan2(v - y, u - x))
            slot = cad.SlotCenterToCenter(math.dist(*points), 2 * END)
            outline = cad.Location(((x + u) / 2, (y + v) / 2, z), (0, 0, turn)) * slot
        else:
            circles = cad.Sketch() + [cad.Pos(*p) * cad.Circle(END) for p in points]
            outline = cad.Pos(0, 0, z) * cad.make_hull(circles.edges())
        return rounded(cad.extrude(outline, thick))

    def disc(p, z, height, radius):
        return cad.Pos(*p, z) * cad.Cylinder(radius, height, align=up)

    def link(name, color, layer, holes, pins):
        """A plate with holes, and with pins that stand on bosses and reach into the next layer."""
        z = layer * STEP
        solid = plate(holes + pins, z)
        for p in pins:
            solid += disc(p, z + THICK, STEP - THICK, BOSS) + disc(p, z + THICK, STEP, PIN)
        for p in holes:
            solid -= disc(p, z, THICK, PIN)
        solid.label, solid.color = name, cad.Color(color)
        return solid

    base = plate([A, D, G], -10.0, 9.0)
    for p, height in ((A, 1.0), (D, 1.0), (G, 10.0)):
        base += disc(p, -1.0, height, BOSS) + disc(p, -1.0, height + THICK, PIN)
    base.label, base.color = "base", cad.Color("slategray")
    parts = [
        base,
        link("crank", "firebrick", 0, [A], [B]),
        link("rocker", "seagreen", 0, [D], [C]),
        link("coupler", "goldenrod", 1, [B, C], [E]),
        link("lever", "steelblue", 1, [G], [F]),
        link("arm", "mediumpurple", 2, [E, F], []),
    ]
    cad.export_step(cad.Compound(label="six-bar", children=parts), str(path))


def joined(file):
    """The model of the drawing: parts weighed as of steel, joints where they share an axis."""
    drawn = hs.drawn_joints(hs.load_cad(file, density=7850), ground="base")
    print(drawn)
    drawn.parts["arm"] = drawn.parts["arm"].anchored({"grip": (F[0] / 1000, F[1] / 1000, 0.026)})
    facts = drawn.parts, drawn.joints
    return hs.mate(*facts, ground="base", drawn=True, independent=["base crank"], gravity=(0, -9.81, 0))


def main():
    """Draws, joins, weighs, and lets a hand lead the linkage once around."""
    if importlib.util.find_spec("build123d"):
        with tempfile.TemporaryDirectory() as folder:
            draw(Path(folder) / "six_bar.step")
            model = joined(Path(folder) / "six_bar.step")
    else:
        model = hs.load(Path(__file__).parent / "models" / "six_bar.yaml")
    for body in model.bodies.values():
        print(f"{body.name:8} {1000 * body.mass:7.2f} g")
    print(hs.assemble(model).report)
    print(hs.dh_table(model, "arm.grip"))

    rate = 4000
    tick = hs.haptics.grasp(
        model, "crank.crank coupler", 1 / rate, kind="point", reactions=["rocker coupler"]
    )
    print(tick.notes[0])
    t = np.linspace(0.0, 2.0, 800)
    angle = 0.8 + 2 * np.pi * (t / 2) ** 3 * (10 - 15 * (t / 2) + 6 * (t / 2) ** 2)  # once around
    way = np.stack([0.05 * np.cos(angle), 0.05 * np.sin(angle), 0 * t + 0.0085], axis=1)
    hand = hs.haptics.SimulatedHand(motion=(t, way), axes=["Tx", "Ty", "Tz"])
    loop = hs.realtime.Loop(tick, rate, paced=False, guard={"passive": False}).connect(hand)
    report = loop.run(2.0).report()
    felt = np.sqrt(sum(report[f"wrench.{axis}"] ** 2 for axis in ("fx", "fy", "fz")))
    pin = np.sqrt(sum(report[f"rocker coupler.reaction.{axis}"] ** 2 for axis in ("fx", "fy", "fz")))
    print(f"the hand feels up to {felt.max():.2f} N, a pin bears up to {pin.max():.2f} N")
    print(f"the lever swings by {math.degrees(np.ptp(report['base lever'])):.1f} degrees")
    return model


if __name__ == "__main__":
    main()
