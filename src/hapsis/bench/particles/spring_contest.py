"""What a second of a vibrating lattice costs at equal energy error: Hapsis, MuJoCo and Warp."""

from itertools import product
from typing import Any

import numpy as np

from hapsis.bench.particles.spring_contenders import Lattice, Mover, energies, mujoco, ours, warp
from hapsis.bench.rivals import Missing

SPAN, ROWS = 0.5, 26  # s, states that are compared
LONGEST = SPAN / (ROWS - 1)  # s: the first step that is tried; each next one is half as long
HALVINGS = 9
TARGETS = (1e-2, 1e-3, 1e-4)  # largest error of the energy, over the energy
ROUNDS = 3

CONTENDERS = {
    "Hapsis, symplectic": lambda: ours("symplectic"),
    "Hapsis, order8": lambda: ours("order8"),
    "MuJoCo flex, Euler": lambda: mujoco("Euler"),
    "MuJoCo flex, RK4": lambda: mujoco("RK4"),
    "Warp on the CPU, float32": lambda: warp("float32"),
    "Warp on the CPU, float64": lambda: warp("float64"),
}


def contest(rows: int) -> dict[str, Any]:
    """For each contender and target: the step, its error, and seconds for a second of motion."""
    lattice = vibrating(rows)
    table: dict[str, Any] = {}
    missing: list[str] = []
    for name, mover in CONTENDERS.items():
        try:
            table[name] = _costs(lattice, mover())
        except Missing as error:
            missing.append(str(error))
    sizes = {"particles": len(lattice.x), "connectors": len(lattice.ends)}
    return {**sizes, "targets": TARGETS, "costs": table, "missing": sorted(set(missing))}


def contest_report(result: dict[str, Any]) -> str:
    """The table as text: milliseconds of computing for a second of motion."""
    head = "".join(f"{target:>14g}" for target in result["targets"])
    lines = [
        f"{result['particles']} particles, {result['connectors']} springs that vibrate freely: ms for 1 s of "
        "motion whose energy is wrong by at most",
        f"{'':26}{head}",
    ]
    for name, costs in result["costs"].items():
        cells = [f"{1e3 * c['seconds']:14.2f}" if c else f"{'-':>14}" for c in costs]
        lines.append(f"{name:26}{''.join(cells)}")
    return "\n".join(lines + result["missing"])


def vibrating(rows: int) -> Lattice:
    """A cube of rows³ particles, each connected to its 26 neighbours, with random velocities."""
    x = np.array(list(product(range(rows), repeat=3)), dtype=float)
    number = {tuple(place): k for k, place in enumerate(x.astype(int).tolist())}
    ends = [
        (k, number[other])
        for place, k in number.items()
        for way in product((-1, 0, 1), repeat=3)
        if way > (0, 0, 0) and (other := tuple(p + w for p, w in zip(place, way, strict=True))) in number
    ]
    table = np.array(ends)
    rest = np.linalg.norm(x[table[:, 0]] - x[table[:, 1]], axis=1)
    v = 0.5 * np.random.default_rng(1).normal(size=x.shape)
    return Lattice(x, v, table, rest, np.linspace(0.0, SPAN, ROWS))


def _costs(lattice: Lattice, move: Mover) -> list[dict[str, float] | None]:
    """The longest of the steps whose energy is good enough, and its cost, for each target."""
    costs: list[dict[str, float] | None] = []
    for halving in range(HALVINGS):
        step = LONGEST / 2**halving
        motion = move(lattice, step)
        energy = energies(lattice, motion)
        error = float(np.abs(energy / energy[0] - 1.0).max())
        reached = [target for target in TARGETS[len(costs) :] if error <= target]
        if reached:
            best = min([motion.seconds, *(move(lattice, step).seconds for _ in range(ROUNDS - 1))])
            costs += [{"step": step, "error": error, "seconds": best / SPAN}] * len(reached)
        if len(costs) == len(TARGETS):
            return costs
    return costs + [None] * (len(TARGETS) - len(costs))
