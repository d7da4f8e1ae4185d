"""`hapsis share`: a page that computes the motion of a model."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from hapsis.commands.files import loaded
from hapsis.commands.json_report import Report
from hapsis.commands.report_layout import print_lines
from hapsis.commands.simulate import pairs
from hapsis.errors import Error, one_line
from hapsis.live.share import share
from hapsis.view.page import open_page


def run(
    file: str,
    out: str,
    opened: bool,
    options: Mapping[str, Any],
    base: str,
    physical: bool,
    report: Report | None = None,
) -> None:
    """Writes the page to `out` if that is given, and opens it if `opened`; `options` are those of `share`,
    start and near as texts NAME=VALUE."""
    if not out and not opened:
        raise Error("--no-open without --out leaves nothing to do", remedy="add --out page.html")
    model = loaded(file, base, physical)
    if report is None:
        print_lines("warning", model.warnings)
    given = {name: value for name, value in options.items() if value not in (None, "")}
    for name in ("start", "near"):
        if name in given:
            given[name] = pairs(model, given[name], f"--{name}")
    page = share(model, out or None, **{"title": Path(file).stem, **given})
    path = Path(out) if out else page.show()
    size = path.stat().st_size
    if report is not None:
        report |= {"page": str(path), "bytes": size, "warnings": model.warnings}
    else:
        print(f"{'wrote' if out else 'shown:'} {one_line(str(path))}, {size / 1e6:.2g} MB")
    if out and opened:
        open_page(path)
