"""Series of a scene as a page keeps them: what the pixels of a plot can show, extremes kept."""

from typing import Any

import numpy as np

from hapsis.view import decimation as thinning
from hapsis.view.film.store import Store
from hapsis.view.page_text import plain
from hapsis.view.scene import Scene

COLUMNS = (100, 800)  # pixel columns of a plot: the fewest and the most
BYTES = 600_000  # that all series together should need
NOISE = 1e-12  # of the largest value of a unit: a signal that varies less is drawn flat


def packed_series(scene: Scene, store: Store) -> list[dict[str, Any]]:
    """{name, unit, times, values, middle, half, noise} of each; a value is middle + half * number.

    Numbers are in single precision: 6e-8 of the range of the series. Times are those since the first.
    """
    columns = int(np.clip(BYTES / (32 * max(1, len(scene.series))), *COLUMNS))
    largest: dict[str, float] = {}
    for name, values in scene.series.items():
        unit = scene.units.get(name, "")
        size = float(np.max(np.abs(values), where=np.isfinite(values), initial=0.0))
        largest[unit] = max(largest.get(unit, 0.0), size)
    return [_series(scene, name, columns, largest, store) for name in scene.series]


def _series(scene: Scene, name: str, columns: int, largest: dict[str, float], store: Store) -> dict[str, Any]:
    values, unit = scene.series[name], scene.units.get(name, "")
    finite = values[np.isfinite(values)]
    low, high = (float(finite.min()), float(finite.max())) if len(finite) else (0.0, 0.0)
    middle, half = low / 2 + high / 2, high / 2 - low / 2
    if len(finite) == len(values) and not half:
        indices = np.unique([0, len(values) - 1])
    else:
        indices = thinning.along(scene.times, values, columns)
    # a gap is a NaN between two points
    runs = thinning.runs(indices, values)
    t = [np.append(scene.times[run], scene.times[run[-1]]) for run in runs]
    y = [np.append((values[run] - middle) / (half or 1.0), np.nan) for run in runs]
    return {
        "name": plain(name, 60),
        "unit": plain(unit, 20),
        "times": store.add(np.concatenate(t) - scene.times[0] if t else [], "f4"),
        "values": store.add(np.concatenate(y) if y else [], "f4"),
        "middle": middle,
        "half": half,
        "noise": NOISE * largest[unit],
    }
