"""`hapsis share`: a page that computes the motion of a model."""

from pathlib import Path

from hapsis.commands.files import loaded
from hapsis.commands.report_layout import print_lines
from hapsis.errors import Error, one_line
from hapsis.live.share import share
from hapsis.view.page import open_page


def run(
    file: str, out: str, opened: bool, rate: float, parameters: list[str] | None, base: str, physical: bool
) -> None:
    """Writes the page to `out` if that is given, and opens it if `opened`."""
    if not out and not opened:
        raise Error("--no-open without --out leaves nothing to do", remedy="add --out page.html")
    model = loaded(file, base, physical)
    print_lines("warning", model.warnings)
    page = share(model, rate=rate, parameters=parameters, title=Path(file).stem)
    path = page.save(out) if out else page.show()
    size = path.stat().st_size / 1e6
    print(f"{'wrote' if out else 'shown:'} {one_line(str(path))}, {size:.2g} MB")
    if out and opened:
        open_page(path)
