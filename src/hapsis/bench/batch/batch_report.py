"""The tables of `hapsis bench batch`, and how many times faster many runs at once are."""

from hapsis.bench.contest import Row, cell, ratio_lines

OURS = "ours"
LEVELS = ("1e-03", "1e-06", "1e-09")


def cheapest(row: Row, level: str, clock: str = "cost") -> dict[str, float]:
    """Per contender the lowest cost of a run with that error."""
    best: dict[str, float] = {}
    for method in row["methods"]:
        cost = method[clock][level]
        if cost is not None:
            best[method["contender"]] = min(cost, best.get(method["contender"], cost))
    return best


def times_faster(result: Row, clock: str = "cost") -> Row:
    """Per mechanism, error and rival: the rival's lowest cost over ours, by wall or by processor time."""
    table: Row = {}
    for row in result["cases"]:
        for level in LEVELS:
            best = cheapest(row, level, clock)
            ours = best.pop(OURS, None)
            if ours is not None:
                table.setdefault(row["name"], {})[level] = {name: x / ours for name, x in best.items()}
    return table


def line(row: Row) -> str:
    """One mechanism in a line: microseconds of a run with an error of 1e-6."""
    parts = [f"{name} {1e6 * x:.3g}" for name, x in cheapest(row, LEVELS[1]).items()]
    return f"{row['name']}: {row['runs']} runs; µs per run at 1e-6 rad: {', '.join(parts)}"


def report(result: Row) -> str:
    """All tables."""
    lines: list[str] = []
    for row in result["cases"]:
        title = f"{row['name']}: {row['runs']} runs of {row['until']:g} s"
        lines.append(f"{title}; the reference is sure to {row['doubt']:.0e} rad")
        head = "".join(f"{'at ' + level:>11}" for level in LEVELS)
        lines.append(f"{'µs per run':38}{head}   finest")
        for method in row["methods"]:
            costs = "".join(cell(method["cost"][level], 1e-6, 11) for level in LEVELS)
            finest = min(point["error"] for point in method["points"])
            lines.append(f"  {method['contender'] + ', ' + method['method']:36}{costs}{finest:9.0e}")
        lines.append("")
    title = "times faster than the rival, at equal error"
    lines += ratio_lines(result["times_faster"], title, (18, 9))
    lines += ratio_lines(result["times_faster_cpu"], f"{title}, by processor time of all threads", (18, 9))
    return "\n".join([*lines, *(f"note: {note}" for note in result["notes"])]).rstrip()
