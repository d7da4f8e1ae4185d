"""A row of parallelograms that pass through singular positions."""

import hapsis as hs
from hapsis.compiler.ir.functions.verbs import verb


@verb
def n_four_bar(n: int = 2) -> hs.Model:
    """n four-bars side by side: n + 1 uprights and n couplers, n loops, one degree of freedom.

    In x and y, gravity along -y. `upright0` stands at the origin, counted from x; `coupler1`
    leads from its top to that of `upright1`, and so on. In `start` all uprights are vertical and
    move along x with 1 m/s at their tops. When they lie flat the mechanism could fold another
    way: there the rank of the Jacobian drops.

        length   of each rod, m
        mass     of each rod, kg

    Reference: IFToMM library of computational benchmark problems, A02.
    """
    if not isinstance(n, int) or not 1 <= n <= 5000:  # pyright: ignore[reportUnnecessaryIsInstance]
        raise hs.ModelError(f"a row of {n!r} four-bars", expected="a whole number from 1")
    facts = [hs.Rod("upright0", "length", "mass"), hs.Revolute("upright0", hs.WORLD, "upright0")]
    start: dict[str, float | str] = {"upright0": "pi / 2", "upright0.v": "-1 / length"}
    pins: list[hs.Joint] = []
    for k in range(1, n + 1):
        upright, coupler = f"upright{k}", f"coupler{k}"
        foot = hs.WORLD.at("length" if k == 1 else f"{k} * length", 0, 0)
        facts += [
            hs.Rod(coupler, "length", "mass"),
            hs.Rod(upright, "length", "mass"),
            hs.Revolute(coupler, f"upright{k - 1}.end", coupler),
            hs.Revolute(upright, foot, upright),
        ]
        pins.append(hs.Revolute(f"pin{k}", f"{coupler}.end", f"{upright}.end"))
        start |= {coupler: "-pi / 2", f"{coupler}.v": "1 / length"}
        start |= {upright: "pi / 2", f"{upright}.v": "-1 / length"}
    return hs.Model(
        *facts,
        *pins,
        gravity=(0, -9.81, 0),
        parameters={"length": 1.0, "mass": 1.0},
        poses={"start": start},
        independent=["upright0"],
    )
