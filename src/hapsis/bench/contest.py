"""What several benchmarks share: contenders that enter, take turns and end, and cells of tables."""

import math
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from hapsis.bench.rivals import Missing
from hapsis.bench.work_precision import LEVELS, Outcome, cost_at, limit

Row = dict[str, Any]
ROUNDS = 4  # turns of every contender
LONGEST, REPEATED = 1.5, 0.4  # seconds of a run at most, and of one that has all turns, not two


def entered(make: Callable[[], Any], notes: list[str]) -> Any:
    """A contender, or None and a note that says why it cannot take part."""
    try:
        return make()
    except Missing as problem:
        notes.append(str(problem))
        return None


def all_entered(makers: Sequence[Callable[[], Any]], notes: list[str]) -> list[Any]:
    """The contenders that can take part, and a note for each of the others."""
    return [peer for make in makers if (peer := entered(make, notes)) is not None]


def readable(
    names: Sequence[str], read: Callable[[str, Path], Any], folder: Path, notes: list[str]
) -> Iterator[Any]:
    """What `read` gives for each name, and a note for each that needs a package of robots."""
    for name in names:
        case = read(name, folder)
        if case is None:
            notes.append(f"{name} is left out: example-robot-data is not installed")
        else:
            yield case


@contextmanager
def closing(peers: list[Any]) -> Iterator[list[Any]]:
    """The contenders, closed at the end whatever happens."""
    try:
        yield peers
    finally:
        for peer in peers:
            peer.close()


@contextmanager
def own_cache(folder: Path) -> Iterator[None]:
    """A cache of our own, so that nothing of ours is warm by accident; rivals keep theirs."""
    before = os.environ.get("HAPSIS_CACHE")
    os.environ["HAPSIS_CACHE"] = str(folder / "cache")
    try:
        yield
    finally:
        os.environ.pop("HAPSIS_CACHE")
        if before is not None:
            os.environ["HAPSIS_CACHE"] = before


def again(points: list[Row], rounds: int) -> None:
    """More turns for all runs, one more for long ones; the shortest time stays."""
    for turn in range(rounds):
        for point in points:
            if turn == 0 or point["seconds"] < REPEATED:
                run = point["go"]()
                for time in ("seconds", "besides"):
                    if time in point:
                        point[time] = min(point[time], getattr(run, time))
    for point in points:
        del point["go"]


def finest(ends: list[Outcome]) -> list[Outcome]:
    """The result of a method at its finest setting, and the limit extrapolated from its last two."""
    if len(ends) > 1 and ends[-1].steps > ends[-2].steps:
        return [ends[-1], limit(*ends[-2:])]
    return ends[-1:]


def finite(figures: Row) -> Row:
    """The figures, None in place of what is not finite."""
    return {name: x if math.isfinite(x) else None for name, x in figures.items()}


def curve(points: list[Row], until: float) -> list[tuple[float, float]]:
    """Error and cost per simulated second of each run."""
    return [(math.inf if p["error"] is None else p["error"], p["seconds"] / until) for p in points]


def costs(points: list[Row], until: float) -> dict[str, float | None]:
    """The cost per simulated second of each level of error."""
    return {f"{level:.0e}": cost_at(level, curve(points, until)) for level in LEVELS}


def cell(value: float | None, unit: float, width: int) -> str:
    """A number in a column, three digits; a dot where there is none."""
    if value is None:
        return f"{'·':>{width}}"
    x = value / unit
    return f"{x:{width}.3g}" if abs(x) < 1e3 else f"{x:{width}.0f}"


def ratio_lines(table: Row, title: str, widths: tuple[int, int]) -> list[str]:
    """How many times faster we are: per case and figure, a ratio for each rival."""
    if not table:
        return []
    lines = [title]
    for name, rows in table.items():
        for what, ratios in rows.items():
            values = "   ".join(f"{rival} {ratio:.3g}" for rival, ratio in ratios.items())
            lines.append(f"  {name:{widths[0]}}{what:{widths[1]}}{values or 'reached by no rival'}")
    return [*lines, ""]
