"""The tables of `hapsis bench contacts`."""

from hapsis.bench.contest import Row, cell, ratio_lines

COLUMNS = {  # heading: figure, what one unit of the column is, width
    "us/step": ("step_s", 1e-6, 9),
    "ms": ("seconds", 1e-3, 9),
    "first ms": ("first_s", 1e-3, 10),
    "steps": ("steps", 1.0, 7),
    "iter/step": ("iterations_per_step", 1.0, 11),
    "residual": ("residual", 1.0, 10),
    "overlap mm": ("penetration", 1e-3, 12),
    "creep mm/s": ("creep", 1e-3, 12),
    "energy J": ("energy_growth", 1.0, 10),
}


def line(row: Row) -> str:
    """One scene in a line: the cheapest run of each contender that keeps the bounds."""
    parts = []
    for name, one in row["best"].items():
        if one is None:
            parts.append(f"{name} never in bounds")
        else:
            parts.append(f"{name} {1e3 * one['seconds']:.3g} ms ({one['setting']}, {1e3 * one['step']:g} ms)")
    return f"{row['scene']:12}" + ", ".join(parts)


def text(result: Row) -> str:
    """All tables."""
    lines: list[str] = []
    for row in result["scenes"]:
        lines += [*_scene(row), ""]
    title = (
        "times faster than each rival: within the bounds, with no more overlap and creep than ours, "
        "and at equal steps whatever they are"
    )
    lines += ratio_lines(result["times_faster"], title, (12, 11))
    return "\n".join([*lines, *(f"note: {note}" for note in result["notes"])]).rstrip()


def _scene(row: Row) -> list[str]:
    """The runs of one scene."""
    units = {"penetration": ("overlap", "mm"), "creep": ("creep", "mm/s")}
    bounds = ", ".join(f"{units[k][0]} {1e3 * x:g} {units[k][1]}" for k, x in row["bounds"].items())
    lines = [f"{row['scene']}: {row['until']:g} s, bodies: {row['parts']}; allowed: {bounds}"]
    head = "".join(f"{name:>{width}}" for name, (_, _, width) in COLUMNS.items())
    lines.append(f"{'':25}{head}  in bounds")
    for one in row["runs"]:
        name = f"{one['contender']} {one['setting']} {1e3 * one['step']:g} ms"
        cells = "".join(cell(one[key], unit, width) for key, unit, width in COLUMNS.values())
        verdict = "yes" if one["within"] else "no" if one["ended"] else "no, another outcome"
        lines.append(f"  {name:23}{cells}  {verdict}")
    return [*lines, line(row)]
