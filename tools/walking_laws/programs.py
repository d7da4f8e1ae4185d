"""Programs in C: random trees with laws and pins give the columns of a run; damaged files end in one line."""

import csv
import random
import subprocess
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

import hapsis as hs

FLAGS = "-std=c99 -Wall -Wextra -pedantic -Werror -O1 -ffp-contract=off -fsanitize=address,undefined".split()
CLOSE = 1e-5  # of the largest value of a column
WORDS = ["int", "main", "x y", "é", "t", "q", "NAN", "1x", "%s", "//", "??/", "a-b", "L" * 80, '"*/']
VALUES = [
    "nan",
    "inf",
    "1e999",
    "0x10",
    "1,5",
    "abc",
    "",
    "-",
    "é",
    "9" * 5000,
    "--1",
    "%s%n",
    "1d5",
    "-1e308",
]
DAMAGES = 12  # files of each program


def tree(draw: random.Random) -> tuple[hs.Model, dict[str, float]]:
    """One to three bodies on any joints, with a spring, a law with a state, or a pinned tip; its start."""
    facts: list[Any] = []
    ends = ["world"]
    for k in range(draw.randint(1, 3)):
        name, joint = f"{draw.choice(WORDS)}{k}", f"{draw.choice(WORDS)} j{k}"
        com = tuple(draw.uniform(-0.3, 0.3) for _ in range(3))
        facts.append(
            hs.Body(name, draw.uniform(0.1, 2.0), com, (0.1, 0.12, 0.15), frames={"tip": (0, 0, -0.8)})
        )
        at = draw.choice(ends)
        kind = draw.choice([hs.Revolute, hs.Prismatic, hs.Ball, hs.Universal])
        axis = {"axis": (draw.uniform(-1, 1), 1.0, 0.2)} if kind in (hs.Revolute, hs.Prismatic) else {}
        facts.append(kind(joint, hs.WORLD if at == "world" else f"{at}.tip", name, **axis))
        if kind is hs.Prismatic:
            facts.append(hs.JointSpring(f"s{k}", joint, stiffness=20.0))
        ends.append(name)
    model = hs.Model(*facts)
    plain = [n for n in model.coordinates if n in model.plain]
    what = draw.random()
    if what < 0.3 and len(model.speeds) > 3:
        return model.pinned(f"{ends[-1]}.tip"), {}
    if what < 0.7 and plain:
        model += [hs.Controller("law", _following(plain[0]))]
    return model, {n: draw.uniform(-0.4, 0.4) for n in plain}


def _following(name: str) -> Any:
    def law(s: Any, late: Any = hs.LawState(0.1)) -> Any:
        return {name: -2.0 * late - 0.3 * s[name]}, {"late": s[name] - late}

    return law


def programs(seed: int) -> list[str]:
    """The columns of a program, and what it says to damaged files."""
    draw = random.Random(seed)
    model, start = tree(draw)
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        files = hs.export_program(folder / "p", model, 1.0, start or None)
        sources = [str(path) for path in files if path.suffix == ".c"]
        subprocess.run(["gcc", *FLAGS, *sources, "-o", str(folder / "p"), "-lm"], check=True, timeout=120)
        found = _columns(folder, model, start)
        text = files[1].read_text(encoding="utf-8")
        for _ in range(DAMAGES):
            (folder / "p.in").write_bytes(damaged(draw, text))
            end = subprocess.run([folder / "p"], cwd=folder, capture_output=True, timeout=120, check=False)
            lines = end.stderr.strip().splitlines()
            if end.returncode not in (0, 1, 2) or len(lines) != (end.returncode > 0):
                found.append(f"a damaged file ends with {end.returncode}: {end.stderr[:200]!r}")
    return found


def _columns(folder: Path, model: hs.Model, start: dict[str, float]) -> list[str]:
    """What differs between the program and a run."""
    end = subprocess.run([folder / "p"], cwd=folder, check=False, timeout=120, capture_output=True)
    with open(folder / "p.csv", encoding="utf-8") as lines:
        rows = list(csv.reader(lines))
    table, own = np.array(rows[1:], float), [*model.coordinates, *model.speeds, "energy"]
    run = hs.simulate(model, 1.0, start or None, every=0.01, tolerance=1e-10)
    if end.returncode or not run.success:
        both = end.returncode == 1 and not run.success
        return [] if both else [f"it ends with {end.returncode}, a run with {run.status}"]
    size = max(np.abs(run[name]).max() for name in own[:-1])
    found: list[str] = []
    for name, values in zip(own, table.T[1:], strict=True):
        off = np.abs(values - run[name]).max() / (np.abs(run[name]).max() + size)
        if not off <= CLOSE:
            found.append(f'"{name}" is {off:.2g} off')
    return found


def damaged(draw: random.Random, text: str) -> bytes:
    """The text of a file with one line gone, twice, with another value, cut off, or with other bytes."""
    lines = text.splitlines()
    k, kind = draw.randrange(len(lines)), draw.randrange(6)
    words = lines[k].split()
    if kind == 0:
        del lines[k]
    elif kind == 1:
        lines.insert(k, lines[k])
    elif kind == 2 and len(words) > 1:
        lines[k] = " ".join([words[0], draw.choice(VALUES), *words[2:]])
    elif kind == 3:
        lines[k] = "y" * draw.choice([10, 300, 5000, 100_000]) + " 1.0"
    elif kind == 4:
        return "\n".join(lines)[: draw.randrange(len(text))].encode()
    data = bytearray("\n".join(lines).encode())
    for _ in range(draw.randint(1, 4) if kind == 5 else 0):
        data[draw.randrange(len(data))] = draw.randrange(256)
    return bytes(data)
