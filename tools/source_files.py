"""Every source file with the first line of its docstring, as a page of the documentation.

    python tools/source_files.py            # prints the page
    python tools/source_files.py FILE       # writes it there; docs/conf.py does so before it builds

Packages come in the order data passes through them, which is also the order of ARCHITECTURE.md.
"""

import ast
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "src" / "hapsis"
ORDER = ("", "mechanics/formats", "mechanics/model", "mechanics/algebra", "mechanics/formalisms")
ORDER += ("compiler/ir", "compiler/passes", "compiler/backends", "compiler/elementary", "compiler/native")
ORDER += ("motion/solvers", "motion/analysis", "motion/simulate")
ORDER += ("touch/realtime", "touch/haptics", "touch/recording", "view", "library", "commands", "bench")
HEAD = """\
# Source files

Every file of `src/hapsis` with its own first line; made by `tools/source_files.py`.
"""


def first_line(path: Path) -> str:
    """The first line of a module's docstring; an error where there is none."""
    text = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))
    if not text:
        raise SystemExit(f"{path.relative_to(ROOT)} has no docstring")
    line = text.splitlines()[0].rstrip(".")
    return "".join(f"\\{c}" if c in "<>|*_[]" else c for c in line)


def rank(folder: str) -> tuple[int, str]:
    """The place of a folder on the page."""
    prefixes = [k for k, start in enumerate(ORDER) if start and (folder + "/").startswith(start + "/")]
    return (prefixes[0] if prefixes else 0 if not folder else len(ORDER), folder)


def page() -> str:
    """The whole page, in Markdown."""
    folders: dict[str, list[Path]] = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        if path.name != "__main__.py":
            folders.setdefault(path.parent.relative_to(PACKAGE).as_posix().strip("."), []).append(path)
    parts = [HEAD]
    for folder in sorted(folders, key=rank):
        rows = {path.name: first_line(path) for path in folders[folder]}
        parts.append(f"\n## `{folder or 'hapsis'}/`\n\n{rows.pop('__init__.py')}.\n")
        if rows:
            table = "".join(f"| `{name}` | {text} |\n" for name, text in rows.items())
            parts.append(f"\n| file | what it holds |\n|---|---|\n{table}")
    return "".join(parts)


if __name__ == "__main__":
    if len(sys.argv) > 1:
        Path(sys.argv[1]).write_text(page(), encoding="utf-8")
    else:
        print(page(), end="")
