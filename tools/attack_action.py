"""Random felts, stops, bristles and driven grounds at all scales: does an energy account ever not close?

    python tools/attack_action.py                 40 of each kind
    python tools/attack_action.py touches 0 200   seeds 0 to 199 of one kind
    python tools/attack_action.py --replay touches:17

A line for each seed that breaks a law: kinetic + potential + stored + lost - given is constant, no loss
falls, and the same of a run that goes on from a Result. The exit status is 1 if there is one.
"""

import random
import sys
import warnings
from typing import Any

import numpy as np
from attacks.seeds import Kinds, exit_status

import hapsis as hs

CLOSE = 3e-5  # of the energy that the motion turns over; laws with a jump are located, not followed
ROWS = 300
SIZE = 40  # seeds of each kind


def sums(result: hs.Result, ending: str) -> Any:
    """All columns with an ending, added."""
    return sum((result[n] for n in result.names if n.endswith(ending)), np.zeros(len(result.t)))


def broken(model: hs.Model, start: dict[str, float], until: float, **options: Any) -> list[str]:
    """The laws that a run of the model breaks, in words; none where it is refused or gives up."""
    options |= {"every": until / ROWS, "losses": True, "tolerance": 1e-11}
    try:
        whole = hs.simulate(model, until, start, **options)
        half = hs.simulate(model, 0.5 * until, start, **options)
        rest = hs.simulate(model, until, half, **options)
    except hs.Error:
        return []
    if not (whole.success and half.success and rest.success):
        return []
    scale = whole["kinetic"].max() + np.abs(np.diff(sums(whole, ".work"))).sum()
    scale += np.abs(np.diff(whole["potential"])).sum() + 1e-300
    found: list[str] = []
    for name, run in (("a run", whole), ("what goes on", rest)):
        kept = run["energy"] + sums(run, ".stored") + sums(run, ".loss") - sums(run, ".work")
        if not np.ptp(kept) <= CLOSE * scale:
            found.append(f"the account of {name} is open by {np.ptp(kept) / scale:.2g}")
        if not np.diff(sums(run, ".loss")).min() >= -CLOSE * scale:
            found.append(f"what {name} has lost comes back")
        if not sums(run, ".stored").min() >= -CLOSE * scale:
            found.append(f"{name} has stored less than nothing")
    return found


def law_of(draw: random.Random, k: float, w: float, size: float) -> Any:
    """A law of contact with about the stiffness k at a depth of `size`, for motions of w rad/s."""
    p = draw.choice([1.0, 0.5, 1.5, 2.5, 4.0])
    steep = k / size ** (p - 1.0)
    return draw.choice(
        [
            hs.Felt(steep, p, draw.choice([0.0, 0.3, 0.9, 0.999]), 10 ** draw.uniform(-3, 0) / w),
            hs.HuntCrossley(steep, p, damping=draw.choice([0.0, 0.3]) / (10.0 * size * w)),
            hs.Linear(k, draw.choice([0.0, 0.1]) * k / w),
        ]
    )


def felts(seed: int) -> list[str]:
    """A mass that is pressed into felt again and again, for long: stops on one side or two, or a contact."""
    draw = random.Random(seed)
    size, mass, w = 10 ** draw.uniform(-6, 3), 10 ** draw.uniform(-6, 3), 10 ** draw.uniform(-1, 3.5)
    law = law_of(draw, mass * w * w, w, 0.1 * size)
    pull = draw.choice([0.0, 0.3, 3.0]) * mass * w * w * 0.1 * size
    push = f"{pull} * sin({w * draw.uniform(0.1, 2.0)} * t) - {pull}"
    kind = draw.choice(["one", "two", "contact"])
    felt: Any = hs.Contact("c", "b", hs.WORLD.plane("x"), law)
    if kind != "contact":
        felt = hs.Stop("c", "x", low=0.0, high=0.5 * size if kind == "two" else None, law=law)
    model = hs.Model(
        hs.Body("b", mass=mass, inertia=(mass * size**2,) * 3),
        hs.Prismatic("x", hs.WORLD, "b", axis="x"),
        hs.Wrench("pull", "b", force=(push, 0, 0)),
        felt,
        gravity=(0, 0, 0),
    )
    start = {"x": 0.1 * size, "x.v": -0.1 * size * w * draw.choice([0.1, 1.0, 3.0])}
    return broken(model, start, 80.0 * np.pi / w)


def touches(seed: int) -> list[str]:
    """A body that falls, turns and rubs on a ground that stands, turns, rocks or shakes."""
    draw = random.Random(seed)
    size, mass, time = 10 ** draw.uniform(-5, 2.5), 10 ** draw.uniform(-5, 3), 10 ** draw.uniform(-2, 1)
    g, w = size / time**2, 30.0 / time
    k = mass * w * w
    shapes = [hs.Sphere(size), hs.Box((size, size, size)), hs.Box((2 * size, size, 0.3 * size))]
    mu = draw.choice([0.0, 0.2, 0.9, 3.0])
    frictions = [
        hs.Coulomb(mu, bristle=k * draw.choice([0.1, 1.0, 5.0])),
        hs.Coulomb(mu, mu + 0.3, speed=1e-2 * size / time, bristle=k),
        hs.Coulomb(mu, speed=1e-2 * size / time, slope=0.3 * mass * w),
    ]
    grounds: dict[str, Any] = {
        "turns": (hs.Revolute("s", hs.WORLD, "table", axis="z"), f"{1.0 / time} * t"),
        "rocks": (hs.Revolute("s", hs.WORLD, "table", axis="y"), f"0.2 * sin({2.0 / time} * t)"),
        "shakes": (
            hs.Prismatic("s", hs.WORLD, "table", axis=(1, 2, 3)),
            f"{0.3 * size} * sin({3 / time} * t)",
        ),
    }
    ground = draw.choice(["stands", *grounds])
    facts: list[Any] = []
    if ground != "stands":
        joint, motion = grounds[ground]
        facts = [hs.Body("table", mass=20 * mass, inertia=(20 * mass * size**2,) * 3), joint]
        facts += [hs.Drive("d", "s", position=motion)]
    below: Any = hs.WORLD if ground == "stands" else "table"
    model = hs.Model(
        hs.Body("b", mass=mass, inertia=tuple(mass * size**2 * x for x in (0.1, 0.12, 0.15))),
        hs.Free("j", hs.WORLD, "b"),
        *facts,
        hs.Contact(
            "c", ("b", draw.choice(shapes)), (below, hs.Plane("z")), law_of(draw, k, w, 0.01 * size),
            draw.choice(frictions), mapped=draw.choice([None, True]),
        ),
        gravity=(0.2 * g, 0, -g),
    )  # fmt: skip
    start = {f"j.w{x}": draw.uniform(-2, 2) / time for x in "xyz"}
    start |= {"j.z": 1.2 * size, "j.vx": draw.uniform(-1, 1) * size / time}
    method = draw.choice([None, None, "order5", "stiff"])
    return broken(model, start, 6.0 * time, **({} if method is None else {"method": method}))


KINDS: Kinds = {"felts": felts, "touches": touches}


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    sys.exit(exit_status(sys.argv[1:], KINDS, dict.fromkeys(KINDS, SIZE)))
