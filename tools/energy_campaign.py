"""Energy that came from nothing in random scenes of particles: it never grows without cause.

    python tools/energy_campaign.py [COUNT]       # 1000 scenes if not given; prints a line for each kind
    python tools/energy_campaign.py --draw        # the same, and the figure of docs/particle_steps.md

Three kinds in turn: networks of all connectors on a floor; solids of springs or materials that fall, flow,
tear and rub, from micrometres to kilometres; two solids that collide. The number of a scene is the most that
kinetic and potential energy and what was dissipated ever gained over the start and the work from outside,
over the energy that was exchanged.
"""

import sys
import warnings
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "src"), str(ROOT / "tools"), str(ROOT / "tests" / "motion" / "particles")]

from contact_campaign import colliding  # noqa: E402
from particle_laws import networks, solids  # noqa: E402

import hapsis as hs  # noqa: E402

KINDS = ("network", "fall", "collision")
TOLD = ("contact too deep", "objects overlap")  # the run says so, and the energy let go counts as dissipated


def scene_of(seed: int) -> tuple[Any, float]:
    """A scene and how long it runs, s."""
    kind = seed % 3
    if kind == 0:
        net = networks.Network(seed)
        return net.scene, 0.3 * net.time
    if kind == 1:
        scene, span, _ = solids.falling(seed)
        return scene, 2.0 * span
    return colliding(seed), 0.1


def gained(seed: int) -> tuple[str, str, float, float]:
    """Kind, status, the energy that came from nothing, and that without what was dissipated, relative."""
    scene, span = scene_of(seed)
    result = hs.simulate(scene, span, every=span / 50)
    stored = result["energy"] - result["work"]
    total = stored + result["dissipated"]
    exchanged = max(
        *(float(np.ptp(result[name])) for name in ("potential", "dissipated", "work")),
        float(result["kinetic"].max()),
    )
    parts = [float((x - x[0]).max()) / exchanged for x in (total, stored)]
    return KINDS[seed % 3], result.status, parts[0], parts[1]


def figure(rows: Any) -> Any:
    """How many scenes gained more than that."""
    import hapsis.view as view

    levels = np.logspace(-16, -2, 57)
    table = {
        kind: np.array([max(0.5, sum(row[2] > level for row in rows if row[0] == kind)) for level in levels])
        for kind in KINDS
    }
    title = f"Energy from nothing in {len(rows)} random scenes"
    return view.curves(
        levels, table, "of the energy exchanged", "scenes with more", title=title, logarithmic="xy"
    )


def main() -> None:
    """Runs the scenes, prints the worst of each kind."""
    warnings.simplefilter("ignore")
    numbers = [int(x) for x in sys.argv[1:] if x.isdecimal()]
    rows = [gained(seed) for seed in range(numbers[0] if numbers else 1000)]
    for kind in KINDS:
        own = [(k, row) for k, row in enumerate(rows) if row[0] == kind]
        statuses = sorted({row[1] for _, row in own})
        worst = max(own, key=lambda pair: pair[1][2])
        print(
            f"{kind}: {len(own)} scenes, { ({s: sum(row[1] == s for _, row in own) for s in statuses}) }, "
            f"at most {worst[1][2]:.2e} from nothing (scene {worst[0]}), "
            f"{max(row[3] for _, row in own):.2e} without what was dissipated"
        )
    if "--draw" in sys.argv:
        figure(rows).save(ROOT / "docs" / "_static" / "particles" / "energy.svg")


if __name__ == "__main__":
    main()
