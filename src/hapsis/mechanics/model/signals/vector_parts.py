"""The names of the numbers of a vector, a wrench or the row of a sensor: `floor.push.z`, `imu.ax`."""

from collections.abc import Mapping
from typing import Any

WRENCH = ("mx", "my", "mz", "fx", "fy", "fz")
SIXES = {  # of six numbers, by their unit
    "rad/s, m/s": ("wx", "wy", "wz", "vx", "vy", "vz"),
    "rad/s, m/s²": ("wx", "wy", "wz", "ax", "ay", "az"),
    "rad/s², m/s²": ("dwx", "dwy", "dwz", "ax", "ay", "az"),
}


def part_names(count: int, unit: str = "") -> tuple[str, ...]:
    """The names of so many numbers; 0, 1, ... where they have none."""
    if count == 6:
        return SIXES.get(unit, WRENCH)
    return tuple("xyz") if count == 3 else tuple(map(str, range(count)))


def part_of(columns: Mapping[str, Any], units: Mapping[str, str], name: str, axes: int = 1) -> Any:
    """One number of a vector by its name, for every row; None where there is none of that name.

    axes   how many axes of the columns count rows: times, or runs and times
    """
    head, _, last = name.rpartition(".")
    if not head or head not in columns or columns[head].ndim <= axes:
        return None
    rows = columns[head].reshape(*columns[head].shape[:axes], -1)
    names = part_names(rows.shape[-1], units.get(head, ""))
    return rows[..., names.index(last)] if last in names else None
