"""A six-bar linkage drawn in CAD: saved as STEP, joined where its holes are, weighed, tabled, held by a hand.

The drawing needs build123d, pip install 'hapsis[cad]'; what follows goes on without it with the saved model.
"""

import importlib.util
import math
import sys
import tempfile
import warnings
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
F = meeting(E, 120, G, 100)[:2] if False else meeting(G, 100, E, 120)


def draw(path):
    """Draws the parts where they are when the crank is at 0.8 rad, and writes them to a STEP file."""
    import build123d as cad

    up = (cad.Align.CENTER, cad.Align.CENTER, cad.Align.MIN)

    def rounded(solid, top=True):
        return cad.fillet(solid.edges().group_by(cad.Axis.Z)[-1 if top else 0], EDGE)

    def plate(points, z, thick=THICK):
        """A plate around the circles at the ends of a link, with a rounded edge above."""
        circles = cad.Sketch() + [cad.Pos(*p) * cad.Circle(END) for p in points]
        return rounded(cad.extrude(cad.Pos(0, 0, z) * cad.make_hull(circles.edges()), thick))

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


def designed(folder):
    """The model of the drawing: parts weighed as steel, joints where they share an axis."""
    draw(Path(folder) / "six_bar.step")
    parts = hs.load_cad(Path(folder) / "six_bar.step", density=7850)
    drawn = hs.drawn_joints(parts, ground="base")
    print(drawn)
    model = hs.mate(drawn.parts, drawn.joints, ground="base", drawn=True, independent=["base crank"])
    for part in drawn.parts.values():
        print(part)
    return model


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        model = designed(folder)
        hs.save(model, "/tmp/six.yaml")
        import os; print(os.path.getsize("/tmp/six.yaml"), os.path.getsize(folder+"/six_bar.step"))
        print(model.coordinates, [c.name for c in model.cuts], hs.assemble(model).report)
