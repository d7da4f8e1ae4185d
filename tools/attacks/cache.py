"""Entries of the cache that are damaged, exchanged, foreign, cut or not files at all: code and derivations.

Whatever lies in the folder, compiled functions return the numbers of the interpreter.
"""

import json
import os
import random
import shutil
import stat
import subprocess
import sys
import tempfile
import time
from functools import cache
from pathlib import Path
from typing import Any

import hapsis as hs
from attacks.mutation import ROOT, flipped
from attacks.soundness import demand
from attacks.table import Attack, Case
from hapsis.compiler.backends.llvm import small_functions
from hapsis.compiler.ir.graph.graph import Graph

FACTORS, X = (2.0, 3.0, 777.0, -0.5), 0.5
ACTIONS = ("flip", "cut", "grow", "empty", "exchange", "foreign", "folder", "link", "pipe", "open", "remove")
ACTIONS += ("leftover", "closed")
PROCESSES, PAUSE = (2, 4, 8), 0.005  # s between two rounds of damage


def functions() -> list[hs.Function]:
    """Functions that differ in one number, with elementary functions that are entries of their own."""
    x = hs.symbol("x", graph=Graph())
    return [hs.Function("f", {"x": x}, {"y": hs.sin(x) * k + hs.exp(x)}) for k in FACTORS]


def model() -> hs.Model:
    """A model whose equations are kept by its structure."""
    return hs.Model(hs.Rod("arm", 0.5, 2.0), hs.Revolute("hinge", hs.WORLD, "arm", "y", damping=0.1))


@cache
def right() -> list[float]:
    """The numbers of the interpreter."""
    effort = hs.compile(hs.inverse_dynamics(model()), "python")([X], [X], [X])
    return [*(float(f(X)) for f in functions()), float(effort[0])]


def numbers() -> list[float]:
    """The numbers of the compiled functions."""
    effort = hs.compile(hs.inverse_dynamics(model()))([X], [X], [X])
    return [*(float(hs.compile(f)(X)) for f in functions()), float(effort[0])]


@cache
def sound() -> dict[str, bytes]:
    """The entries that these functions leave in an empty cache."""
    with tempfile.TemporaryDirectory() as folder:
        compiled(Path(folder))
        return {path.name: path.read_bytes() for path in (Path(folder) / "objects").iterdir()}


def compiled(folder: Path) -> list[float]:
    """The numbers of the compiled functions, with the cache in this folder."""
    before = os.environ.get("HAPSIS_CACHE")
    os.environ["HAPSIS_CACHE"] = str(folder)
    try:
        small_functions.elementary_address.cache_clear()
        return numbers()
    finally:
        if before is None:
            del os.environ["HAPSIS_CACHE"]
        else:
            os.environ["HAPSIS_CACHE"] = before


def case(draw: random.Random) -> Case:
    """What is done to entries, as JSON: [action, number of an entry, seed]."""
    count = draw.choice((1, 2, 5, 20))
    steps = [(draw.choice(ACTIONS), draw.randrange(100), draw.randrange(2**30)) for _ in range(count)]
    return Case(json.dumps(steps).encode(), "json")


def damage(folder: Path, action: str, number: int, seed: int) -> None:
    """Does something to an entry of the folder."""
    draw, names = random.Random(seed), sorted(sound())
    path = folder / names[number % len(names)]
    content = path.read_bytes() if path.is_file() and not path.is_symlink() else b""
    if action != "open" and (path.is_symlink() or path.exists()):
        shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink()
    match action:
        case "flip":
            path.write_bytes(flipped(content, draw))
        case "cut":
            path.write_bytes(content[: draw.randrange(1 + len(content))])
        case "grow":
            path.write_bytes(content + draw.randbytes(draw.choice((1, 8, 100))))
        case "empty":
            path.write_bytes(b"")
        case "exchange":
            path.write_bytes(sound()[draw.choice(names)])
        case "foreign":
            path.write_bytes(
                draw.choice((b"\x7fELF" + draw.randbytes(500), b"hapsis object 2\n" + bytes(64)))
            )
        case "folder":
            path.mkdir()
        case "link":
            path.symlink_to(draw.choice((folder / draw.choice(names), Path("nowhere"), folder)))
        case "pipe":
            os.mkfifo(path, 0o600)
        case "open":
            if path.is_file() and not path.is_symlink():
                path.chmod(0o666)
        case "leftover":
            (folder / f"new-{seed}").write_bytes(content)
        case "closed":
            path.write_bytes(content)
            path.chmod(0)
        case _:
            pass  # it is removed
    if path.is_file() and not path.is_symlink() and action not in ("open", "closed"):
        path.chmod(0o600)


def filled(place: Path) -> Path:
    """A cache in a folder of its own, with sound entries."""
    shutil.rmtree(place / "cache", ignore_errors=True)
    objects = place / "cache" / "objects"
    objects.mkdir(parents=True, mode=0o700)
    for name, content in sound().items():
        (objects / name).write_bytes(content)
        (objects / name).chmod(stat.S_IRUSR | stat.S_IWUSR)
    return objects


def read(case: Case, place: Path) -> list[float]:
    """The numbers with the damaged cache, and again with what is then in it."""
    objects = filled(place)
    for step in json.loads(case.data):
        damage(objects, *step)
    return compiled(place / "cache") + compiled(place / "cache")


def read_together(case: Case, place: Path) -> list[float]:
    """The numbers of processes that use one cache at a time, full or empty, while its entries are damaged."""
    objects, draw = filled(place), random.Random(case.data)
    if draw.random() < 0.5:
        for path in objects.iterdir():
            path.unlink()
    environment = {**os.environ, "HAPSIS_CACHE": str(place / "cache")}
    environment["PYTHONPATH"] = os.pathsep.join([str(ROOT / "src"), str(ROOT / "tools")])
    program = "import warnings; warnings.simplefilter('ignore'); from attacks import cache; cache.tell()"
    children = [
        subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True, env=environment)
        for _ in range(draw.choice(PROCESSES))
    ]
    steps = [step for step in json.loads(case.data) if step[0] not in ("folder", "pipe", "link")]
    while any(child.poll() is None for child in children):
        for step in steps:
            try:
                damage(objects, *step)
            except OSError:
                pass  # another process was quicker
        time.sleep(PAUSE)
    numbers: list[float] = []
    for child in children:
        out, _ = child.communicate()
        demand(child.returncode == 0, f"a process ended with {child.returncode}")
        numbers += map(float, out.split())
    return numbers


def tell() -> None:
    """Prints the numbers of the compiled functions, five times."""
    for _ in range(5):
        small_functions.elementary_address.cache_clear()
        print(*map(repr, numbers()))


def judge(numbers: Any, case: Case, draw: random.Random, place: Path) -> None:
    """Every number is the interpreter's, to rounding of a fused operation."""
    demand(len(numbers) % len(right()) == 0 and len(numbers) > 0, "numbers are missing")
    wrong = [x for k, x in enumerate(numbers) if not abs(x - right()[k % len(right())]) <= 1e-12 * abs(x)]
    demand(not wrong, f"wrong numbers: {wrong[:4]}")


ATTACKS = [Attack("entries", case, read, judge), Attack("processes", case, read_together, judge)]
