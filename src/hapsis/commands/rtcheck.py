"""`hapsis rtcheck`: what rates this machine holds, as text, picture or JSON."""

import json
import sys
import warnings
from collections.abc import Sequence
from typing import Any

from hapsis.commands.report_layout import wrapped
from hapsis.errors import Notice, one_line
from hapsis.touch.realtime.baseline_loops import Block, joined
from hapsis.touch.realtime.rtcheck import NAMES, RATES, Check, Checked, rtcheck
from hapsis.view.page import suffix_of

BAR = 40  # letters of the longest
EDGES = (0, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000)  # microseconds


def run(
    rates: Sequence[float], seconds: float, core: int | None, as_json: bool, save: str, blocks: bool
) -> bool:
    """Whether every rate is held; measures and prints. `blocks`: the terminal can show block characters."""
    if save:
        suffix_of(save, (".svg", ".html", ".png"))  # before the long part
    if as_json:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", Notice)
            checked = rtcheck(rates or RATES, seconds, core=core)
        notes = [str(w.message) for w in caught if issubclass(w.category, Notice)]
        numbers = checked.numbers() | ({"notices": notes} if notes else {})
        print(json.dumps(numbers, indent=2, allow_nan=False))
        if save:
            checked.histogram().save(save)
        return checked.good
    checked = _watched(rates or RATES, seconds, core)
    report(checked, "█" if blocks else "#")
    if save:
        print(f"wrote {one_line(str(checked.histogram().save(save)))}")
    return checked.good


def _watched(rates: Sequence[float], seconds: float, core: int | None) -> Checked:
    """The measurement, with its progress shown if the output is a terminal."""
    if not sys.stdout.isatty():
        return rtcheck(rates, seconds, core=core)
    from rich.console import Console

    with Console().status("measuring") as status:
        return rtcheck(rates, seconds, core=core, progress=lambda text: status.update(text))


def report(checked: Checked, letter: str) -> None:
    """The machine, a table and bars for each rate, what could be better, the verdict."""
    from rich.console import Console

    console = Console(highlight=False, width=100)
    for fact in checked.facts:
        print(wrapped(f"  {fact.name}", fact.value, 19))
    granted = [name for name, line in checked.granted._asdict().items() if not line]
    print(wrapped("  granted", ", ".join(granted) or "nothing", 19))
    for check in checked.checks:
        print(f"\n{check.rate:g} per second, lateness in microseconds")
        console.print(_table(check))
        console.print(_bars(check, letter))
        if check.ratio is not None:
            print(f"p99 of ours is {check.ratio:.2f} times that of the loop in C, block by block")
    print()
    for line in checked.lines:
        print(f"better: {one_line(line)}")
    for check in checked.checks:
        print(f"verdict: {check.verdict}")


def _table(check: Check) -> Any:
    from rich.table import Table

    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for title in ("loop", *NAMES, "ticks", "misses", "skips", "longest run"):
        table.add_column(title, justify="left" if title == "loop" else "right")
    for name, blocks in check.blocks.items():
        whole = joined(blocks)
        late = (f"{1e6 * x:.1f}" for x in whole.percentiles)
        rest = (len(whole.late), whole.misses, whole.skips, whole.longest)
        table.add_row("ours" if name == "ours" else "C", *late, *map(str, rest))
    return table


def _bars(check: Check, letter: str) -> Any:
    """How many ticks were how late, each loop a column; bars are on a logarithmic scale."""
    from rich.table import Table

    counts = {name: counted(joined(blocks)) for name, blocks in check.blocks.items()}
    used = [k for k in range(len(EDGES)) if any(row[k] for row in counts.values())]
    most = max(max(row) for row in counts.values())
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column("from", justify="right")
    table.add_column("ours")
    if "c" in counts:
        table.add_column("C")
    for k in range(used[0], used[-1] + 1) if used else ():
        cells = [bar(row[k], most, letter, BAR if len(counts) == 1 else BAR // 2) for row in counts.values()]
        table.add_row(str(EDGES[k]), *cells)
    return table


def counted(block: Block) -> list[int]:
    """Ticks from each edge to the next; the last has all that are later."""
    microseconds = [max(0, int(x) // 1000) for x in block.late]
    counts = [0] * len(EDGES)
    for late in microseconds:
        counts[sum(late >= edge for edge in EDGES) - 1] += 1
    return counts


def bar(count: int, most: int, letter: str, longest: int) -> str:
    """A bar whose length is the logarithm of a count, and the count."""
    if count == 0:
        return ""
    length = 1 + round((longest - 1) * (count.bit_length() - 1) / max(1, most.bit_length() - 1))
    return f"{letter * length} {count}"
