"""A scissor lift of any number of stages."""

import math

import hapsis as hs
from hapsis.compiler.ir.functions.verbs import verb


@verb
def scissor_lift(n: int = 2, *, angle: float = math.pi / 6) -> hs.Model:
    """n pairs of crossed bars under a platform, n + 1 loops, one degree of freedom.

    In x and z, all hinges about y. In each stage bar `a` rises to the right and bar `b` to the
    left; `b` hangs on the middle of `a`. The left ends are pinned, the right ends ride on rollers:
    `roller` on the ground, `top roller` under the platform. `start` is closed, with the bars
    `angle` above the ground.

        length   of each bar, m

    Bars of 5 kg, rollers of 1 kg, a platform of 40 kg: values of our own.
    """
    if not isinstance(n, int) or not 1 <= n <= 5000:  # pyright: ignore[reportUnnecessaryIsInstance]
        raise hs.ModelError(f"a lift of {n!r} stages", expected="a whole number from 1")
    if not 0.0 < angle < math.pi / 2:
        raise hs.ModelError(f"bars {angle:g} rad above the ground", expected="0 to pi / 2")
    back = 2.0 * angle - math.pi  # from b to the a above it
    reach = f"length * {math.cos(angle)!r}"
    facts: list[hs.Body | hs.Joint] = []
    pins: list[hs.Joint] = [hs.Revolute("foot", "b1", "roller", axis="-y")]
    start: dict[str, float | str] = {}
    for k in range(1, n + 1):
        foot = hs.WORLD if k == 1 else f"b{k - 1}.end"
        facts += [
            *(hs.Rod(name, "length", 5.0) for name in (f"a{k}", f"b{k}")),
            hs.Revolute(f"a{k}", foot, f"a{k}", axis="-y"),
            hs.Revolute(f"b{k}", f"a{k}.mid", f"b{k}.mid", axis="-y"),
        ]
        if k > 1:
            pins.append(hs.Revolute(f"knee{k}", f"a{k - 1}.end", f"b{k}", axis="-y"))
        start |= {f"a{k}": angle if k == 1 else back, f"b{k}": -back}
    return hs.Model(
        *facts,
        *_rest(n),
        *pins,
        hs.Revolute("head", f"a{n}.end", "top roller", axis="-y"),
        parameters={"length": 1.0},
        poses={"start": {**start, "platform": angle - math.pi, "roller": reach, "top roller": reach}},
        independent=["a1"],
    )


def _rest(n: int) -> list[hs.Body | hs.Joint]:
    """The platform and the two rollers."""
    box = hs.Box(("length", 0.6, 0.04), at=("length / 2", 0, 0.02))
    across = "40 * length^2 / 12"
    return [
        hs.Body("platform", 40.0, ("length / 2", 0, 0), (1.2, across, f"{across} + 1.2"), shapes=(box,)),
        *(hs.Body(name, 1.0, shapes=(hs.Sphere(0.03),)) for name in ("roller", "top roller")),
        hs.Revolute("platform", f"b{n}.end", "platform", axis="-y"),
        hs.Prismatic("roller", hs.WORLD, "roller", axis="x"),
        hs.Prismatic("top roller", "platform", "top roller", axis="x"),
    ]
