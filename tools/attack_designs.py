"""Spoils STEP files line by line: is a part ever weighed wrongly, without a word? Needs build123d.

    python tools/attack_designs.py           150 spoiled files
    python tools/attack_designs.py 40 60     those of seeds 40 to 59

A line for each file of which a part is lost or weighs something else than in the whole file, although it was
read without an error or a notice; the exit status is 1 if there is one. Changed numbers are no error.
One process reads all files, as OpenCASCADE takes seconds to load; `hs.load_cad` takes one for each.
"""

import json
import random
import re
import select
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "src")]

from hapsis.mechanics.formats.design import step_reader, step_worker  # noqa: E402

LONGEST = 30.0  # s
SAME = 1e-9  # of a volume
SERVE = """
import os, sys
sys.path.insert(0, os.path.dirname(sys.argv[1]))
import step_worker
told = os.fdopen(os.dup(1), "w")
for line in sys.stdin:
    file, out, log = line.rstrip().split("|")
    handle = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    os.dup2(handle, 1), os.dup2(handle, 2), os.close(handle)
    try:
        step_worker.main(file, out)
        word = "read"
    except BaseException:
        word = "refused"
    sys.stdout.flush()
    print(word, file=told, flush=True)
"""


class Reader:
    """The process that reads; it is started again where OpenCASCADE ends it."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.process = folder, self._start()

    def parts(self, text: str) -> list[dict[str, Any]] | None:
        """What is known of the parts of a file, or None where it is refused."""
        file, out, log = (self.folder / name for name in ("spoiled.step", "out.json", "log"))
        file.write_text(text)
        assert self.process.stdin is not None and self.process.stdout is not None
        print(f"{file}|{out}|{log}", file=self.process.stdin, flush=True)
        waited = select.select([self.process.stdout], [], [], LONGEST)[0]
        word = self.process.stdout.readline().strip() if waited else ""
        if not word:
            self.end()
            self.process = self._start()
        if word != "read" or step_reader.MISREAD.search(log.read_bytes()):
            return None
        told = json.loads(out.read_text())
        parts = told["parts"]
        return None if told["empty"] or not parts or any(map(step_reader.unweighable, parts)) else parts

    def end(self) -> None:
        """Ends the process."""
        self.process.kill()
        self.process.wait()

    def _start(self) -> Any:
        command = [sys.executable, "-c", SERVE, str(step_worker.__file__)]
        return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def whole(folder: Path) -> str:
    """The text of an assembly of a link with two holes and a pin in another assembly."""
    import build123d as cad

    hole = cad.Cylinder(4, 10)
    link = cad.Box(200, 20, 10) - cad.Pos(-90, 0, 0) * hole - cad.Pos(90, 0, 0) * hole
    pin = cad.Cylinder(4, 30)
    link.label, pin.label = "link", "pin"
    pin.location = cad.Location((0, 20, 0), (90, 0, 0))
    inner = cad.Compound(label="inner", children=[pin])
    inner.location = cad.Location((100, 0, 50), (0, 0, 90))
    cad.export_step(cad.Compound(label="all", children=[link, inner]), str(folder / "whole.step"))
    return (folder / "whole.step").read_text()


def spoiled(text: str, seed: int) -> tuple[str, str]:
    """A file with a line or some lines spoiled, and how."""
    draw, lines = random.Random(seed), text.split("\n")
    at = draw.choice([k for k, line in enumerate(lines) if line.startswith("#")])
    kind = draw.choice(["dropped", "reference", "character", "twice", "type", "cut"])
    what = f"{kind}: {lines[at][:60]}"
    if kind == "reference":
        found = draw.choice(list(re.finditer(r"#\d+", lines[at])))
        lines[at] = lines[at][: found.start()] + f"#{draw.randint(1, 3000)}" + lines[at][found.end() :]
    elif kind == "character":
        k = draw.randrange(len(lines[at]))
        lines[at] = lines[at][:k] + draw.choice("#(),;'$*") + lines[at][k + 1 :]
    elif kind == "twice":
        lines.insert(at, lines[at])
    elif kind == "type":
        lines[at] = re.sub(r"= ([A-Z_0-9]+)", lambda word: word[0][:-1], lines[at])
    else:
        del lines[at : at + (1 if kind == "dropped" else draw.randint(2, 200))]
    return "\n".join(lines), what


def difference(parts: list[dict[str, Any]], wanted: list[dict[str, Any]]) -> str:
    """What is wrong with parts, or nothing."""
    if len(parts) != len(wanted):
        return f"{len(parts)} parts instead of {len(wanted)}"
    for part, other in zip(parts, wanted, strict=True):
        if abs(part["volume"] - other["volume"]) > SAME * other["volume"]:
            return f"{other['label']} of {part['volume']:.6g} mm³ instead of {other['volume']:.6g}"
    return ""


def main(arguments: list[str]) -> int:
    """Spoils and reads; 1 if a part was weighed wrongly."""
    first, end = (int(x) for x in arguments) if len(arguments) == 2 else (0, 150)
    told: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as name:
        text, reader = whole(Path(name)), Reader(Path(name))
        wanted = reader.parts(text)
        assert wanted is not None
        for seed in range(first, end):
            file, what = spoiled(text, seed)
            parts = reader.parts(file)
            wrong = "" if parts is None else difference(parts, wanted)
            told["refused" if parts is None else "wrong" if wrong else "the same"] += 1
            if wrong:
                print(f"{seed}: {what}: {wrong}", flush=True)
        reader.end()
    print(dict(told))
    return int(told["wrong"] > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
