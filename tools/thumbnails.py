"""Small pictures of the examples and the tasks, for the index pages.

python tools/doc_pictures.py thumbnails          needs chromium

Those of the library are taken by tools/scene_pictures.py.
"""

import contextlib
import io
import runpy
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import doc_pictures

import hapsis as hs
from hapsis.commands.show import still

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "docs" / "_static" / "thumbnails"
WIDTH, HEIGHT = 400, 300
LARGEST = 24_000  # bytes
WITHOUT = (
    "example_08_shared_page",
    "example_09_many_runs",
    "task_c_export",
    "task_haptic_wall",
    "task_own_law",
    "task_sweep",
)  # a picture says nothing there
# only the mechanism, without controls
BARE = """(() => {
  for (const name of ["heading", "corner", "transport", "numbers", "scales"])
    document.getElementById(name).style.display = "none";
  document.getElementById("app").style.gridTemplate = '"stage" 1fr / 1fr';
  document.getElementById("fit").click();
})()"""


def programs() -> Iterator[tuple[str, Any, str]]:
    """What examples and tasks leave behind: a motion as a player, else their model at rest."""
    for path in [
        *sorted((ROOT / "examples").glob("*.py")),
        *sorted((ROOT / "examples" / "tasks").glob("*.py")),
    ]:
        name = f"{'task' if path.parent.name == 'tasks' else 'example'}_{path.stem}"
        if name in WITHOUT:
            continue
        # a program may leave another folder behind as the current one
        with contextlib.redirect_stdout(io.StringIO()), contextlib.chdir("."):
            names = runpy.run_path(str(path))
        if shown := subject(names):
            yield name, *shown


def subject(names: dict[str, Any]) -> tuple[Any, str] | None:
    """The last motion of a program, three tenths on its way, or its last model."""
    motions = [x for x in names.values() if isinstance(x, hs.Result) and x.scene]
    models = [x for x in names.values() if isinstance(x, hs.Model)]
    if motions:
        t = motions[-1].t
        return motions[-1].player(), f"#t={t[0] + 0.3 * (t[-1] - t[0]):.4g}"
    return (still(models[-1], "model"), "") if models else None


def take(window: Any, name: str, player: Any, moment: str) -> None:
    """Writes one picture."""
    page = window.open(player.save(f"{name}.html"), WIDTH, HEIGHT, hash=moment)
    page.value(BARE)
    for _ in range(6):
        page.settle()
    raw = page.picture()
    page.close()
    content = doc_pictures.small(window, raw, LARGEST)
    (FOLDER / f"{name}.png").write_bytes(content)
    print(f"{name}.png  {len(content)} bytes", flush=True)


def main() -> None:
    """Takes all pictures."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        with doc_pictures.opened_browser() as window:
            for name, player, moment in programs():
                take(window, name, player, moment)
