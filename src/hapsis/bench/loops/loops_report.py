"""The tables of `hapsis bench loops`, and how many times faster we are than each rival."""

from typing import Any

from hapsis.bench.contest import Row, cell, ratio_lines

OURS, CLASSIC = "ours", ("rk4", "RK4", "RK4 stabilised")
LEVELS = ("1e-03", "1e-06", "1e-09")
GOAL = {"step_s": 4e-6, "gap": 1e-12, "energy_error": 1e-7}  # of ours on the four-bar, rk4 at 1e-3


def best(case: Row, chosen: Any) -> dict[str, float]:
    """Per contender the lowest figure of its methods that move as they should."""
    lowest: dict[str, float] = {}
    for row in case["methods"]:
        value = chosen(row)
        if value is not None and row["agrees"]:
            lowest[row["contender"]] = min(value, lowest.get(row["contender"], value))
    return lowest


def times_faster(result: Row) -> Row:
    """Per case and rival: its cost over ours, per step of the classic method and at equal error."""
    table: Row = {}
    for case in result["cases"]:
        costs = {"per step": best(case, lambda x: x["step_s"] if x["method"] in CLASSIC else None)}
        for level in LEVELS:
            costs[level] = best(case, lambda x, level=level: x["cost"][level])
        for what, values in costs.items():
            ours = values.pop(OURS, None)
            if ours is not None:
                ratios = {name: value / ours for name, value in values.items()}
                table.setdefault(case["name"], {})[what] = ratios
    return table


def goal(result: Row) -> Row:
    """The goals of ours on the four-bar and the figures reached; empty where it did not run."""
    for case in result["cases"]:
        for row in case["methods"]:
            if (case["name"], row["contender"], row["method"]) == ("four-bar", OURS, "rk4"):
                figures = {"step_s": row["step_s"], **row["at"]}
                return {
                    name: {"asked": most, "found": figures[name], "met": figures[name] <= most}
                    for name, most in GOAL.items()
                }
    return {}


def text(result: Row) -> str:
    """All tables."""
    lines: list[str] = []
    for case in result["cases"]:
        lines += [*_case(case), ""]
    title = "times faster than each rival: a step of Runge-Kutta's classic method, an equal error"
    lines += [*ratio_lines(result["times_faster"], title, (14, 10)), *_goal(result["goal"])]
    return "\n".join([*lines, *(f"note: {note}" for note in result["notes"])]).rstrip()


def _case(case: Row) -> list[str]:
    """The methods of one case."""
    parts = f"coordinates: {case['coordinates']}, rows of loops: {case['rows']}"
    title = f"{case['name']}: {case['until']:g} s, {parts}"
    sure = f"; the reference is sure to {case['doubt']:.0e}"
    met = "" if case["nearest"] is None else f", a rival comes within {case['nearest']:.0e}"
    lines = [title + sure + met]
    costs = "".join(f"{'at ' + level:>11}" for level in LEVELS)
    head = f"{'step':>9}{'us/step':>9}{'gap':>9}{'energy J':>10}{'error':>9}"
    lines.append(f"{'':27}{head}{costs} ms/s  accelerations")
    for row in case["methods"]:
        at = row["at"]
        line = f"  {row['contender'] + ' ' + row['method']:25}{_setting(row)}"
        line += f"{cell(row['step_s'], 1e-6, 9)}{_small(at['gap'], 9)}"
        line += f"{_small(at['energy_error'], 10)}{_small(at['error'], 9)}"
        line += "".join(cell(row["cost"][level], 1e-3, 11) for level in LEVELS)
        verdict = "" if row["agrees"] else "  not the same motion"
        lines.append(f"{line}      {_small(row['deviation'], 13)}{verdict}")
    besides = [row["besides_s"] for row in case["methods"] if row["contender"] == OURS]
    if besides:
        lines.append(f"  ours, besides, not counted: {1e3 * max(besides):.2g} ms of a run for its samples")
    return lines


def _setting(row: Row) -> str:
    """The step, or the number of steps where it adapts."""
    if row["method"].startswith("order"):
        return f"{str(row['at']['steps']) + ' steps':>9}"
    return f"{row['shown']:9.0e}"


def _goal(rows: Row) -> list[str]:
    """The goals and the figures reached, in one line."""
    if not rows:
        return []
    names = {"step_s": "s per step", "gap": "m of gap", "energy_error": "J"}
    figures = (f"{row['found']:.1e} {names[name]} ({row['asked']:.0e} asked)" for name, row in rows.items())
    return [f"four-bar, ours rk4: {', '.join(figures)}", ""]


def _small(value: float | None, width: int) -> str:
    return f"{'·':>{width}}" if value is None else f"{value:{width}.0e}"
