"""The tables of `hapsis bench simulate`, and how many times faster we are than each rival."""

from hapsis.bench.contest import Row, cell, ratio_lines

OURS = "ours"
LEVELS = ("1e-03", "1e-06", "1e-09")
REST = {  # heading: figure, and what one unit of the column is
    "overlap mm": ("penetration", 1e-3),
    "sunk mm": ("sunk", 1e-3),
    "drift mm": ("drift", 1e-3),
    "tilt mrad": ("tilt", 1e-3),
    "mm/s": ("speed", 1e-3),
}


def cheapest(case: Row, level: str) -> dict[str, tuple[float, str]]:
    """Per contender the lowest cost of an error, and by which method; wrong ones take no part."""
    best: dict[str, tuple[float, str]] = {}
    for row in case["methods"]:
        cost = row["cost"][level]
        if cost is not None and row["agrees"]:
            candidate = cost, row["method"]
            best[row["contender"]] = min(candidate, best.get(row["contender"], candidate))
    return best


def times_faster(result: Row) -> Row:
    """Per case, error and rival: the rival's lowest cost over ours; empty without ours.

    For the pile it is the lowest of those whose boxes stand.
    """
    table: Row = {}
    for case in result["cases"]:
        for level in LEVELS:
            best = cheapest(case, level)
            ours = best.pop(OURS, None)
            if ours is not None:
                ratios = {name: cost / ours[0] for name, (cost, _) in best.items()}
                table.setdefault(case["name"], {})[level] = ratios
    standing: dict[str, float] = {}
    for row in result["pile"]:
        if row["stands"]:
            name = row["contender"]
            standing[name] = min(row["cost"], standing.get(name, row["cost"]))
    ours = standing.pop(OURS, None)
    if ours is not None:
        table["pile"] = {name: cost / ours for name, cost in standing.items()}
    return table


def text(result: Row) -> str:
    """All tables."""
    lines: list[str] = []
    for case in result["cases"]:
        lines += [*_case(case), ""]
    if result["pile"]:
        lines += [*_pile(result["pile"]), ""]
    title = "times faster than the best method of each rival, at equal error"
    ratios = {k: {"at rest": x} if k == "pile" else x for k, x in result["times_faster"].items()}
    lines += ratio_lines(ratios, title, (12, 9))
    return "\n".join([*lines, *(f"note: {note}" for note in result["notes"])]).rstrip()


def _case(case: Row) -> list[str]:
    """The methods of one case."""
    title = f"{case['name']}: {case['until']:g} s, joints: {case['speeds']}"
    lines = [f"{title}; the reference is sure to {case['doubt']:.0e}"]
    head = "".join(f"{'at ' + level:>11}" for level in LEVELS)
    lines.append(f"{'ms per simulated second':27}{head}   x real, 1e-03    us/step  slope  finest")
    for row in case["methods"]:
        costs = "".join(cell(row["cost"][level], 1e-3, 11) for level in LEVELS)
        errors = [p["error"] for p in row["points"] if p["error"] is not None]
        speed = cell(row["real_time"][LEVELS[0]], 1.0, 15)
        line = f"  {row['contender'] + ' ' + row['method']:25}{costs}{speed}"
        line += f"{cell(row['step_s'], 1e-6, 11)}{cell(row['slope'], 1.0, 7)}"
        lines.append(line + f"{min(errors, default=float('nan')):8.0e}{_verdict(row)}")
    return lines


def _verdict(row: Row) -> str:
    return "" if row["agrees"] else "  not the same motion"


def _pile(rows: list[Row]) -> list[str]:
    """How the pile rests, and what it costs."""
    head = "".join(f"{name:>12}" for name in REST)
    lines = ["pile: twelve boxes in three columns, two seconds"]
    lines.append(f"{'':33}{'ms/s':>9}{'us/step':>9}{head}  stands")
    for row in rows:
        name = f"{row['contender']} {row['method']} {row['setting']:g}"
        rest = "".join(cell(row["rest"][key], unit, 12) for key, unit in REST.values())
        cost = f"{cell(row['cost'], 1e-3, 9)}{cell(row['step_s'], 1e-6, 9)}"
        lines.append(f"  {name:31}{cost}{rest}  {'yes' if row['stands'] else 'no'}")
    return lines
