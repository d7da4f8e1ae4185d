"""Makes the live pages of docs/gallery.md: each of its programs writes one.

python tools/gallery.py FOLDER          also done by docs/conf.py, into the folder of the HTML that is built

A page whose program and sources have not changed is kept.
"""

import hashlib
import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "gallery.md"
SOURCES = ROOT / "src" / "hapsis"


def programs(page: Path = PAGE) -> dict[str, str]:
    """{name of the live page: program that writes it}; the first block of the page is a part of each."""
    text = page.read_text(encoding="utf-8")
    first, *blocks = re.findall(r"^```python\n(.*?)^```", text, flags=re.S | re.M)
    names = [re.findall(r'"(\w+)\.html"', block) for block in blocks]
    if any(len(own) != 1 for own in names):
        raise SystemExit(f"{page}: each block must write one page")
    return {own[0]: first + block for own, block in zip(names, blocks, strict=True)}


def sources_key() -> str:
    """A number that changes when any source changes."""
    key = hashlib.sha256()
    for path in sorted(SOURCES.rglob("*")):
        if "node_modules" not in path.parts and path.suffix in (".py", ".js", ".html", ".css"):
            key.update(path.relative_to(SOURCES).as_posix().encode() + path.read_bytes())
    return key.hexdigest()


def write(folder: Path) -> list[str]:
    """Writes the pages that are missing or old, and returns the names of all."""
    folder.mkdir(parents=True, exist_ok=True)
    every, sources = programs(), sources_key()

    def kept_or_made(entry: tuple[str, str]) -> None:
        name, program = entry
        key, kept = hashlib.sha256((sources + program).encode()).hexdigest(), folder / f".{name}.key"
        if (folder / f"{name}.html").exists() and kept.exists() and kept.read_text() == key:
            return
        make(name, folder)
        kept.write_text(key)

    with ThreadPoolExecutor(min(4, os.cpu_count() or 1)) as pool:
        list(pool.map(kept_or_made, every.items()))
    return [*every]


def make(name: str, folder: Path) -> None:
    """Writes one page."""
    program = programs()[name]
    paths = [str(SOURCES.parent), os.environ.get("PYTHONPATH", "")]
    variables = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, paths))}
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=folder,
        env=variables,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise RuntimeError(f'the page "{name}" of the gallery: {done.stderr.strip().splitlines()[-1]}')


def finished(app: Any, problem: Exception | None) -> None:
    """Sphinx has written its pages: the live ones come beside them."""
    if problem is None and app.builder.format == "html":
        write(Path(app.outdir) / "gallery")


def script(app: Any, name: str, template: str, context: Any, tree: Any) -> None:
    """The page of the gallery gets the script that shows live pages in it."""
    if name == "gallery":
        app.add_js_file("gallery.js", **{"data-pages": " ".join(programs())})


if __name__ == "__main__":
    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    print("\n".join(write(Path(sys.argv[1]))))
