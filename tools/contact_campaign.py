"""Random scenes of two objects that collide: what contacts do to energy, momentum and angular momentum.

python tools/contact_campaign.py [COUNT]     # 1000 scenes if not given; prints the worst of each
"""

import sys
import warnings
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests" / "motion" / "particles"))

from test_touch_laws import FREE, momenta, random_object
from touch_shapes import P

import hapsis as hs


def colliding(seed: int) -> Any:
    """Two objects that fly at each other."""
    rng = np.random.default_rng(seed)
    sides = []
    for name, x in (("a", -0.12), ("b", 0.12)):
        thing = random_object(name, rng).at(x, *rng.uniform(-0.06, 0.06, 2), rpy=rng.uniform(-3, 3, 3))
        speed = (-np.sign(x) * rng.uniform(0.2, 3), *rng.uniform(-0.5, 0.5, 2))
        sides.append(thing.moving(speed, rng.uniform(-5, 5, 3)))
    friction, damping = rng.choice([0, 0.3, 1.0]), rng.choice([0, 1e3, 1e5])
    law = P.Touch(bedding=10 ** rng.uniform(6.5, 9), damping=damping, friction=friction)
    return P.Scene(*sides, law, gravity=FREE)


def collide(seed: int) -> tuple[str, float, float, float, float]:
    """Status, drift, relative errors of momentum and angular momentum, energy that came from nothing."""
    scene = colliding(seed)
    result = hs.simulate(scene, until=0.2, every=0.01)
    before, after = momenta(scene, result, 0), momenta(scene, result, -1)
    moved = float(scene.masses @ np.linalg.norm(scene.velocities, axis=1))
    first, last = result["energy"][0], result["energy"].max()
    errors = [float(np.abs(q - p).max()) / moved for p, q in zip(before, after, strict=True)]
    return result.status, result.energy_drift, errors[0], errors[1], (last - first) / first


def main() -> None:
    """Runs the scenes and prints the worst."""
    warnings.simplefilter("ignore")
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    rows = [collide(seed) for seed in range(count)]
    statuses = [row[0] for row in rows]
    print({status: statuses.count(status) for status in sorted(set(statuses))})
    for k, name in enumerate(("drift", "momentum", "angular momentum", "energy gained"), 1):
        values = [row[k] for row in rows]
        print(f"{name}: worst {max(values):.3g} in scene {int(np.argmax(values))}")


if __name__ == "__main__":
    main()
