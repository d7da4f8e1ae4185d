"""Random scenes in steps with contacts: how far energy grows and momentum is missed, and what is unsolved.

python tools/contact_step_campaign.py [COUNT] [FIRST]   # 1000 scenes if not given; prints the worst of each

Three in four are free bodies of all shapes and of masses and sizes over nine decades that are thrown, in
heaps and alone, above the ground and in space; the others are chains that fall onto it. Nothing drives them.
Energies are relative to that of the motion; those of chains to the square of their step, by which forces
along curved ways wobble.
"""

import sys
import warnings
from collections import Counter
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests" / "motion"))

import contact_scenes as scenes

STEPS = 200
NAMES = ("energy of bodies", "energy of chains", "momentum", "residual")


def free_bodies(seed: int) -> tuple[str, dict[str, float]]:
    """The status of a scene of bodies, and what it breaks."""
    draw = np.random.default_rng([seed, 1])
    one = scenes.scene(draw, ground=seed % 3 > 0)
    result = one.run(STEPS)
    linear, _ = scenes.momenta(one, result)
    mass = sum(one.masses.values())
    given = np.outer(result.t, [0.0, 0.0, -one.gravity * mass * one.ground])
    for contact in one.model.contacts.values():
        first, second = ("world" in repr(side) for side in (contact.first, contact.second))
        given += (float(second) - float(first)) * result[f"{contact.name}.impulse"]
    speed = max(np.abs(result[f"{name}.velocity"]).max() for name in one.bodies)
    missed = np.abs(linear - linear[0] - given).max() / max(mass * speed, np.abs(given).max())
    figures = {"energy of bodies": scenes.growth(one, result), "momentum": float(missed)}
    return result.status, figures | {"residual": result.report["residual"]}


def chain(seed: int) -> tuple[str, dict[str, float]]:
    """The same of a chain, which starts above the ground."""
    for trial in range(100):
        one = scenes.mechanism(np.random.default_rng([seed, 4, trial]))
        result = one.run(STEPS)
        inside = any(result[f"{name}.points"][0] > 0 for name in one.contacts)
        if not inside and (result.success or result.t[-1] > 0.0):
            break  # else it starts inside the ground
    square = one.step**2 * one.gravity / one.size
    figures = {"energy of chains": scenes.growth(one, result) / square}
    return result.status, figures | {"residual": result.report["residual"]}


def main() -> None:
    """Runs the scenes and prints the worst."""
    warnings.simplefilter("ignore")
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    first = int(sys.argv[2]) if len(sys.argv) > 2 else 0
    seeds = range(first, first + count)
    rows = {seed: chain(seed) if seed % 4 == 3 else free_bodies(seed) for seed in seeds}
    print(dict(Counter(status for status, _ in rows.values())))
    for name in NAMES:
        values = {seed: figures[name] for seed, (_, figures) in rows.items() if name in figures}
        worst = max(values, key=lambda seed: values[seed])
        print(f"{name}: worst {values[worst]:.3g} in scene {worst} of {len(values)}")


if __name__ == "__main__":
    main()
