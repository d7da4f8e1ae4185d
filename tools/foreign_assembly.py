"""Reads assemblies in STEP that are not ours, and says what `hs.load_cad` and `hs.drawn_joints` make of them.

python tools/foreign_assembly.py FILE.stp ...          needs build123d

Tried with as1-oc-214.stp and as1-tu-203.stp, the assembly AS1 of the CAx Interoperability Forum (cax-if.org)
as two programs write it: they are in the npm package occt-import-js 0.0.23 (LGPL-2.1, folder
test/testfiles/cax-if), the second one also in Debian's gmsh-doc 4.8.4 (GPL-2+).
"""

import math
import sys
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "src")]

import hapsis as hs  # noqa: E402

DENSITY = 7850.0


def main(files: list[str]) -> None:
    """Prints parts, masses, anchors, joints and mobility of each file."""
    for file in files:
        parts = hs.load_cad(file, density=DENSITY)
        total = math.fsum(part.mass for part in parts.values())
        print(f"{file}: {len(parts)} parts, {total:.6g} kg")
        for part in parts.values():
            print(f"  {part.name}: {part.mass:.6g} kg, {len(part.rounds)} holes and shafts")
        drawn = hs.drawn_joints(parts)
        print("  joints:", dict(Counter(type(joint).__name__ for joint in drawn.joints)))
        model = hs.mate(drawn.parts, drawn.joints, ground=drawn.ground, drawn=True)
        print(f"  bodies {len(model.bodies)}, coordinates {len(model.coordinates)}")


if __name__ == "__main__":
    main(sys.argv[1:])
