"""Models of many twins, and what reads a few twins often: how much longer do they take to compile?"""

import time
from collections.abc import Callable
from unittest import mock

import hapsis as hs
from hapsis.compiler.backends.llvm import registers
from hapsis.compiler.passes.packs import NONE

LONGER = 3.0  # times as long as without twins
SHORT = 0.5  # s that are not worth a complaint


def legs(count: int = 20) -> hs.Model:
    """A base with many equal legs."""
    places = {f"c{k}": (0.2 * k, 0.3 * (-1) ** k, 0.0) for k in range(count)}
    facts: list[object] = [
        hs.Body("base", 9.0, inertia=(1, 2, 3), frames=places),
        hs.Free("f", hs.WORLD, "base"),
    ]
    for k in range(count):
        at = f"base.c{k}"
        for j, axis in enumerate("xyy"):
            end = {"end": (0.0, 0.01 * (-1) ** k, -0.2 - 1e-6 * (k == 3))}
            facts.append(hs.Body(f"b{k}_{j}", 0.5, (0, 0, -0.1), (0.01, 0.01, 0.002), frames=end))
            facts.append(hs.Revolute(f"j{k}_{j}", at, f"b{k}_{j}", axis=axis))
            at = f"b{k}_{j}.end"
    return hs.Model(*facts)


def pendulums(count: int = 30) -> hs.Model:
    """Double pendulums side by side on a rail, each bound to the next by a spring."""
    places = {f"c{k}": (0.4 * k, 0, 0) for k in range(count)}
    facts: list[object] = [hs.Body("rail", 9.0, frames=places), hs.Prismatic("r", hs.WORLD, "rail", axis="x")]
    for k in range(count):
        for j in range(2):
            facts.append(hs.Body(f"b{k}_{j}", 1.0 + 0.01 * k, (0, 0, -0.3), frames={"end": (0, 0, -0.5)}))
            place = f"b{k}_0.end" if j else f"rail.c{k}"
            facts.append(hs.Revolute(f"j{k}_{j}", place, f"b{k}_{j}", axis="y"))
        if k:
            facts.append(hs.Spring(f"s{k}", f"b{k - 1}_1.end", f"b{k}_1.end", stiffness=3.0, length=0.3))
    return hs.Model(*facts)


def braid(count: int = 3000) -> hs.Function:
    """Two twins that a long program reads again and again, with other functions between."""
    x, y, out = hs.symbols("x", 4), [], []
    for k in range(2):
        a = x[2 * k]
        for _ in range(12):
            a = a * x[2 * k + 1] + a * a - x[2 * k]
        y.append(a)
    a, b = y
    for _ in range(count):
        one = y[0] * hs.sin(a)
        two = y[1] + hs.exp(b) * b
        a, b = y[0] + hs.cos(one) * one, y[1] * hs.tan(two)
        out += [one, two]
    return hs.Function("braid", {"x": x}, {"y": [*out, a, b]})


MADE: list[Callable[[], hs.Function]] = [
    braid,
    lambda: hs.inverse_dynamics(legs()),
    lambda: hs.mass_matrix(legs()),
    lambda: hs.forward_dynamics(legs()),
    lambda: hs.inverse_dynamics(pendulums()),
    lambda: hs.forward_dynamics(pendulums()),
    lambda: hs.inverse_dynamics(hs.library.n_four_bar(20)),
    lambda: hs.constraints(hs.library.n_four_bar(20)),
]


def seconds(f: hs.Function) -> float:
    """The time of this process that a Function takes to compile."""
    with mock.patch.dict("os.environ", {"HAPSIS_CACHE": ""}):
        begin = time.process_time()
        hs.compile(f, wait=True)
        return time.process_time() - begin


def ratio(made: Callable[[], hs.Function]) -> tuple[float, float]:
    """The times with and without twins, in seconds."""
    hs.compile(made(), wait=True)  # what is computed once for each process
    with mock.patch.object(registers, "twins", lambda function, width: NONE):
        without = seconds(made())
    return seconds(made()), without


def large(seed: int) -> list[str]:
    """One of them."""
    made = MADE[seed % len(MADE)]
    twice, once = ratio(made)
    if twice > LONGER * once and twice > SHORT:
        return [f"{made().name} of {len(made().live)} nodes takes {twice:.1f} s, without twins {once:.1f} s"]
    return []
