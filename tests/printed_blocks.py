"""The blocks that the pages of the documentation print, by what they are, and how they are run.

python      a block marked so; those of a page are one program
commands    lines that begin with `$ `, `hapsis ` or `./run hapsis `, with what they print below them
signatures  lines that begin with `hs.`: how a verb is called
other       everything else: output, files, code of other languages
"""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

from children import PATIENCE

ROOT = Path(__file__).resolve().parents[1]
PAGES = [
    ROOT / "README.md",
    *sorted((ROOT / "docs").glob("*.md")),
    *sorted((ROOT / "docs/verbs").glob("*.md")),
]
COMMAND = re.compile(r"^(?:\$ |(?=hapsis |\./run hapsis ))(.*)$")
NUMBER = re.compile(r"(?<![\w.])[-+]?\d[\d.]*(?:e[-+]?\d+)?(?!\w)")


class Block(NamedTuple):
    """A block of a page: its kind, the line at which it begins, its text."""

    page: str
    line: int
    kind: str
    text: str

    @property
    def name(self):
        """The page and how the first line begins: how tests name it."""
        return self.page, self.text.strip().splitlines()[0][:60].strip()


def blocks(path):
    """All blocks of a page, in order."""
    page = path.relative_to(ROOT).as_posix()
    found, fence, lines, first = [], None, [], 0
    text = path.read_text(encoding="utf-8").splitlines()
    for number, line in enumerate([*text, ""], 1):
        mark = re.match(r"^ *```(\{?[\w-]*)", line)
        if fence is not None:
            if mark:
                found.append((first, fence, lines))
                fence, lines = None, []
            else:
                lines.append(line)
        elif mark:
            if lines:
                found.append((first, "indented", lines))
            fence, lines, first = mark[1] or "text", [], number + 1
        elif line.startswith("    ") and (lines or not (text[number - 2].strip() if number > 1 else "")):
            first = first if lines else number
            lines.append(line[4:])
        elif lines and not line.strip() and number < len(text) and text[number].startswith("    "):
            lines.append("")
        elif lines:
            found.append((first, "indented", lines))
            lines = []
    return [Block(page, at, _kind(fence, rows), "\n".join(rows)) for at, fence, rows in found if any(rows)]


def _kind(fence, lines):
    if fence == "python":
        return "python"
    if fence.startswith("{"):
        return "directive"
    if fence in ("indented", "sh", "text") and any(map(COMMAND.match, lines)):
        return "commands"
    if fence == "indented" and lines[0].startswith("hs."):
        return "signatures"
    return "other"


def program(path):
    """The blocks of a page marked python, in order, each on its own lines."""
    lines = [""] * len(path.read_text(encoding="utf-8").splitlines())
    for block in blocks(path):
        if block.kind == "python":
            rows = block.text.splitlines()
            lines[block.line - 1 : block.line - 1 + len(rows)] = rows
    return "\n".join(lines) + "\n"


def commands(block):
    """(command, what is printed below it) of a block; a remark after two spaces is left out."""
    pairs = []
    for line in block.text.splitlines():
        if match := COMMAND.match(line):
            pairs.append((re.sub(r"\s{2,}#.*$", "", match[1]), []))
        elif pairs:
            pairs[-1][1].append(line)
    return [(command, "\n".join(lines).strip()) for command, lines in pairs]


def environment(home, cache=None):
    """The variables of a process with an empty home folder; `cache` has what other pages compiled."""
    home.mkdir(exist_ok=True)
    keep = ("PATH", "LANG", "LC_ALL", "TMPDIR", "SYSTEMROOT")
    known = {name: os.environ[name] for name in keep if name in os.environ}
    known |= {"HOME": str(home), "PYTHONPATH": str(ROOT / "src"), "BROWSER": "true", "MPLBACKEND": "agg"}
    return known | ({} if cache is None else {"HAPSIS_CACHE": str(cache)})


def ran(command, folder, variables):
    """The finished process of a command as it is printed: `hapsis ...`, `./run hapsis ...`, `python ...`."""
    words = shlex.split(command.removeprefix("./run "))
    words[:1] = [sys.executable, "-m", "hapsis"] if words[0] == "hapsis" else [sys.executable]
    return subprocess.run(
        words, cwd=folder, env=variables, capture_output=True, text=True, timeout=PATIENCE, check=False
    )


def alike(printed, shown, folders):
    """Whether what a command shows is what the page prints, whatever the numbers; `...` is any lines."""
    for folder in folders:
        shown = shown.replace(str(folder), "FOLDER")
    pattern = [re.escape(part.strip()).replace("\\#", "\\S+") for part in _plain(printed).split("...")]
    return re.fullmatch(r"[\s\S]*".join(pattern), _plain(shown)) is not None


def _plain(text):
    text = NUMBER.sub("#", re.sub(r"(FOLDER|~)[^\s:]*", "FOLDER", text))
    return re.sub(r"\s+", " ", text).strip()
