"""Forces of connectors: how many a second, how their cost grows, and a C loop of the same law beside it; then
scenes that keep up with the world, and a lattice that vibrates beside MuJoCo and Warp."""

import ctypes
import shutil
import subprocess
import tempfile
import time
from collections.abc import Sequence
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

from hapsis.bench.particles.scene_times import hand_times, tick_times, times_report
from hapsis.bench.particles.spring_contest import contest, contest_report
from hapsis.motion.particles.objects.connectors import Connectors
from hapsis.motion.particles.objects.particle_object import ParticleObject
from hapsis.motion.particles.scenes.scene import Scene
from hapsis.motion.particles.scenes.scene_memory import scene_memory
from hapsis.motion.solvers.particles.forces.connector_forces import spring_forces

ROWS = (5, 10, 22, 46)  # particles in a row of the lattice: 125 to 97 336
WORK = 2e6  # connectors in a round
MOVING = 5  # particles in a row of the lattice that vibrates
ROUNDS = 7  # of which the fastest counts


def run(quick: bool | None = None) -> dict[str, Any]:
    """Connectors a second for lattices of several sizes, native and in C, and what scenes cost."""
    hand, tick = (hand_times(0.1), tick_times(0.05)) if quick else (hand_times(), tick_times())
    motion = None if quick else contest(MOVING)
    return {**force_costs(ROWS[:2] if quick else ROWS), "hand": hand, "tick": tick, "contest": motion}


def force_costs(rows: Sequence[int] = ROWS) -> dict[str, Any]:
    """What one evaluation of forces costs by the number of particles, and the exponent of that."""
    with tempfile.TemporaryDirectory() as folder:
        rival = _rival(Path(folder))
        cases = [_case(each, rival) for each in rows]
    numbers, seconds = ([case[name] for case in cases] for name in ("particles", "seconds"))
    exponent = float(np.polyfit(np.log(numbers), np.log(seconds), 1)[0])
    return {"cases": cases, "exponent": exponent, "c": rival is not None}


def report(result: dict[str, Any]) -> str:
    """The figures as text."""
    lines = ["particles  connectors  M connectors/s   gcc -O3   of it"]
    for case in result["cases"]:
        rival = case["c_rate"]
        other = "        -       -" if rival is None else f"{rival / 1e6:9.1f} {case['rate'] / rival:7.2f}"
        lines.append(f"{case['particles']:9}  {case['connectors']:10}  {case['rate'] / 1e6:14.1f} {other}")
    lines.append(f"cost grows with the number of particles to the power {result['exponent']:.3f}")
    if not result["c"]:
        lines.append("gcc is not here: no C loop beside it")
    lines += ["", times_report(result["hand"], result["tick"])]
    if result["contest"]:
        lines += ["", contest_report(result["contest"])]
    return "\n".join(lines)


def lattice(rows: int) -> Scene:
    """A cube of rows³ particles, each connected to its 26 neighbours."""
    numbers = np.arange(rows**3).reshape(rows, rows, rows)
    places = np.array(list(product(range(rows), repeat=3)))
    ends: list[Any] = []
    for way in product((-1, 0, 1), repeat=3):
        if way > (0, 0, 0):
            other = places + way
            inside = ((other >= 0) & (other < rows)).all(axis=1)
            ends.append(np.stack([numbers[tuple(places[inside].T)], numbers[tuple(other[inside].T)]], 1))
    table = np.concatenate(ends)
    table = table[np.lexsort((table[:, 1], table[:, 0]))]
    points = places + 0.01 * np.random.default_rng(0).normal(size=places.shape)
    springs = Connectors.of(table, 1.0, 100.0, 1.0)
    return Scene(ParticleObject("lattice", points, np.ones(rows**3), springs))


def _case(rows: int, rival: Any) -> dict[str, Any]:
    memory = scene_memory(lattice(rows), [0.0])
    memory.v[:] = np.random.default_rng(1).normal(size=len(memory.v))
    count = int(memory.spring_count)
    native = spring_forces.ready(memory, memory.x, memory.v, memory.force)
    force, out = np.zeros_like(memory.force), np.zeros(2)
    tables = (memory.spring_ends, memory.spring_rest, memory.spring_stiffness, memory.spring_damping)
    arrays = [a.ctypes.data_as(ctypes.c_void_p) for a in (*tables, memory.x, memory.v, force, out)]
    calls = max(3, int(WORK / count))
    best, c_best = float("inf"), float("inf")
    for _ in range(ROUNDS):  # in turn, so that a busy machine slows both
        best = min(best, _seconds(native, calls))
        if rival is not None:
            c_best = min(c_best, _seconds(lambda: rival(ctypes.c_int64(count), *arrays), calls))
    if rival is not None:
        np.testing.assert_allclose(np.asarray(memory.force), force, rtol=1e-9, atol=1e-6)
    rate = count / c_best if rival is not None else None
    sizes = {"particles": int(memory.count), "connectors": count}
    return {**sizes, "seconds": best, "rate": count / best, "c_rate": rate}


def _seconds(call: Any, calls: int) -> float:
    begin = time.perf_counter()
    for _ in range(calls):
        call()
    return (time.perf_counter() - begin) / calls


def _rival(folder: Path) -> Any:
    """The C loop, compiled now; None without gcc."""
    compiler = shutil.which("gcc")
    if compiler is None:
        return None
    source, library = Path(__file__).with_name("spring_loop.c"), folder / "spring_loop.so"
    subprocess.run(
        [compiler, "-O3", "-shared", "-fPIC", "-o", str(library), str(source), "-lm"],
        check=True,
        capture_output=True,
    )
    return ctypes.CDLL(str(library)).spring_loop
