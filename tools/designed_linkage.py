"""Writes examples/models/six_bar.yaml anew: the linkage of example 43 with few triangles. Needs build123d.

python tools/designed_linkage.py
"""

import dataclasses
import runpy
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "src")]

import hapsis as hs  # noqa: E402

COARSE, TURN = 0.3, 0.45  # mm and rad, of triangles
TARGET = ROOT / "examples" / "models" / "six_bar.yaml"


def coarse(file: Path) -> dict[str, Any]:
    """{label: (vertices in m, triangles)} of the parts of a STEP file."""
    from hapsis.mechanics.formats.design.step_worker import leaves

    meshes: dict[str, Any] = {}
    for leaf in leaves(str(file))[0]:
        points, triangles = leaf.tessellate(COARSE, TURN)
        vertices = np.round([[p.X * 1e-3, p.Y * 1e-3, p.Z * 1e-3] for p in points], 6)
        meshes[leaf.label] = vertices, [list(map(int, t)) for t in triangles]
    return meshes


def main() -> None:
    """Draws, loads, joins and writes."""
    example = runpy.run_path(str(ROOT / "examples" / "43_designed_linkage.py"), run_name="drawing")
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "six_bar.step"
        example["draw"](file)
        model = example["joined"](file)
        meshes = coarse(file)
    bodies = []
    for body in model.bodies.values():
        if body.name in meshes:
            color = body.shapes[0].color
            shape = hs.TriangleMesh(*meshes[body.name], color=color)
            body = dataclasses.replace(body, shapes=(shape,))
        bodies.append(body)
    hs.save(
        hs.Model(
            *bodies,
            *model.joints.values(),
            gravity=model.gravity,
            poses=model.poses,
            independent=model.independent,
        ),
        TARGET,
    )
    print(TARGET, TARGET.stat().st_size)


if __name__ == "__main__":
    main()
