"""`hapsis study`: makes a study, prints its facts and shows its page."""

import sys
from collections.abc import Callable
from pathlib import Path

from hapsis.commands.json_report import Report
from hapsis.commands.progress import Progress
from hapsis.commands.report_layout import print_table
from hapsis.errors import one_line
from hapsis.studies.catalogue import STUDIES, study
from hapsis.view.page import open_page, suffix_of


def run(name: str, out: str, opened: bool, data: str = "", report: Report | None = None) -> bool:
    """Prints the facts of a study, and whether they are as expected; without a name, all studies.

    The page is written to `out` if that is given, and opened if `opened`; `data` is a recording to study.
    """
    if not name:
        _list(report)
        return True
    if out:
        suffix_of(out, (".html",))
    parts = STUDIES[name].runs if name in STUDIES else 0
    with Progress(f"study {name}", parts, quiet=report is not None and not sys.stderr.isatty()) as progress:
        done = study(name, data=data or None, progress=_steps(progress))
    path = done.save(out) if out else done.show() if opened else None
    if report is not None:
        report |= {**done.report, "page": None if path is None else str(path)}
    else:
        print(done)
        if path is not None:
            print(f"{'wrote' if out else 'shown:'} {one_line(str(path))}")
    if out and opened:
        open_page(Path(out))
    return done.met


def _steps(progress: Progress) -> Callable[[str], None]:
    """Called before each run: the one before is then done."""
    begun = 0

    def begin(part: str) -> None:
        nonlocal begun
        if begun:
            progress.advance()
        begun += 1
        progress.begin(part)

    return begin


def _list(report: Report | None) -> None:
    if report is not None:
        report |= {"studies": {name: entry.asks for name, entry in STUDIES.items()}}
        return
    print_table("Studies", {name: entry.asks for name, entry in STUDIES.items()})
