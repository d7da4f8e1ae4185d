"""Outlines of plates in Node: the hull of the bores, whatever way they lie."""

import json
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest
from scipy.spatial import ConvexHull

import hapsis.view

WEB = Path(hapsis.view.__file__).parent / "web"
NODE = shutil.which("node")
PROGRAM = """
import {{ build }} from "esbuild";
const entryPoints = ["src/scene/outlines.ts"];
const result = await build({{ entryPoints, bundle: true, write: false, format: "esm" }});
const text = Buffer.from(result.outputFiles[0].text).toString("base64");
const {{ hull }} = await import("data:text/javascript;base64," + text);
console.log(JSON.stringify({sets}.map((points) => hull(points))));
"""


@pytest.mark.skipif(NODE is None, reason="no node")
@pytest.mark.skipif(
    not (WEB / "node_modules" / "esbuild").is_dir(), reason="no node_modules: npm ci in view/web"
)
def test_the_hull_is_that_of_another_program_also_of_points_in_line():
    assert NODE
    rng = np.random.default_rng(3)
    clouds = [rng.uniform(-1, 1, (rng.integers(3, 9), 2)) * 10.0 ** rng.integers(-3, 3) for _ in range(40)]
    lines = []
    for _ in range(60):
        angle, size = rng.choice([0.0, np.pi / 2, rng.uniform(0, 7)]), 10.0 ** rng.integers(-3, 3)
        way = size * np.array([np.cos(angle), np.sin(angle)])
        stations = rng.permutation([0.0, 1.0, *rng.uniform(0.1, 0.9, rng.integers(0, 3))])
        lines.append(stations[:, None] * way + size * 1e-8 * rng.standard_normal((len(stations), 2)))
    sets = [points.tolist() for points in (*clouds, *lines)]
    text = PROGRAM.format(sets=json.dumps(sets))
    command = [NODE, "--input-type=module", "-e", text]
    answer = subprocess.run(command, cwd=WEB, capture_output=True, text=True, check=True, timeout=120)
    hulls = [np.array(points) for points in json.loads(answer.stdout)]
    for points, corners in zip(clouds, hulls, strict=False):
        (x, y), (u, v) = corners.T, np.roll(corners, -1, axis=0).T
        area = 0.5 * abs((x * v - y * u).sum())
        assert area == pytest.approx(ConvexHull(points).volume, rel=1e-3)
    for points, corners in zip(lines, hulls[len(clouds) :], strict=True):
        length = max(np.linalg.norm(a - b) for a in points for b in points)
        assert len(corners) == 2
        assert np.linalg.norm(corners[0] - corners[1]) == pytest.approx(length, rel=1e-6)
