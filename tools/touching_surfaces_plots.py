"""Draws the pictures of docs/touching_surfaces.md anew.

python tools/touching_surfaces_plots.py
"""

import numpy as np
from page_pictures import Pictures

import hapsis as hs
from hapsis.view import Plot, curves

PICTURES = Pictures("touching_surfaces")
RATE = 10_000


def stroked() -> tuple[hs.haptics.NurbsBody, np.ndarray, np.ndarray]:
    """A surface, a probe that is led over it, and the outputs of a step for each place of the probe."""
    x, y = np.meshgrid(np.linspace(0.0, 0.1, 6), np.linspace(0.0, 0.1, 6), indexing="ij")
    net = np.stack([x, y, 0.016 * np.sin(31.4 * x) * np.sin(31.4 * y)], axis=2)
    body = hs.haptics.NurbsBody(hs.haptics.NurbsSurface(net))
    t = np.linspace(0.0, 1.0, RATE)
    height = 0.012 - 0.006 * np.sin(np.pi * t) ** 0.5
    probe = np.column_stack([0.05 - 0.04 * np.cos(np.pi * t), 0.05 + 0.03 * np.sin(4 * np.pi * t), height])
    step = hs.haptics.SurfaceStep(body, 1 / RATE, stiffness=1500.0, friction=0.3)
    state, rows = step.start, []
    for place in probe:
        state, values = step(state, place)
        rows.append(list(values.values()))
    return body, probe, np.array(rows)


def seen(points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Points obliquely from above, heights doubled, in mm."""
    x, y, z = 1000.0 * np.moveaxis(points, -1, 0)
    return x + 0.4 * y, 2.0 * z + 0.8 * y


@PICTURES.add
def traced() -> Plot:
    """The surface, the way of the probe, and that of the proxy on the surface."""
    body, probe, out = stroked()
    fine, gap = np.linspace(0.0, 1.0, 41), np.full((1, 3), np.nan)
    lines = []
    for a in np.linspace(0.0, 1.0, 9):
        lines += [np.array([body.at(0, a, b)[0] for b in fine]), gap]
        lines += [np.array([body.at(0, b, a)[0] for b in fine]), gap]
    proxy = np.where(out[:, 7:8] == 1.0, out[:, 3:6], np.nan)
    parts = {"surface": np.concatenate(lines), "probe": probe[::20], "proxy": proxy[::20]}
    sides = {name: seen(points) for name, points in parts.items()}
    across = {name: x for name, (x, _) in sides.items()}
    return curves(across, {name: z for name, (_, z) in sides.items()}, "x + 0.4 y, mm", "2 z + 0.8 y, mm")


@PICTURES.add
def force() -> Plot:
    """The force on the hand along the way."""
    _, _, out = stroked()
    table = {f"along {axis}": out[::20, k] for k, axis in enumerate("xyz")}
    return curves(np.arange(RATE)[::20] / RATE, table, "time, s", "force on the hand, N")


if __name__ == "__main__":
    PICTURES.write()
