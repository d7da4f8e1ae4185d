"""Chaplygin's sleigh: a sled on two smooth feet and one blade."""

import hapsis as hs
from hapsis.compiler.ir.functions.verbs import verb

STILL = ("sled.Tx", "sled.Ty", "sled.Rz")


@verb
def knife_edge_sled(speed: float = -1.0, turn: float = 0.1) -> hs.Model:
    """A body on a plane with a blade that cannot slide sideways: 3 coordinates, 1 row of speeds.

    Its mass is `a` ahead of the blade. Nothing pushes it, and yet it does not go on as it starts: blade
    last, it turns round, and in the end it goes straight ahead, mass first. Its energy stays, while its
    momentum and its angular momentum do not. `start` goes backwards with `speed`, m/s,
    turning by `turn`, rad/s.

        mass, I, a   kg, kg m² about the centre of mass, m
    """
    runner = hs.Box((0.3, 0.01, 0.06), at=(0, 0, 0.03), material="steel")
    slats = [hs.Box((0.6, 0.06, 0.03), at=(0.2, y, 0.09), material="wood") for y in (-0.12, 0.12)]
    cross = [hs.Box((0.06, 0.3, 0.02), at=(x, 0, 0.07), material="wood") for x in (-0.05, 0.45)]
    load = hs.Cylinder(0.08, 0.1, at=("a", 0, 0.12), material="lead")
    return hs.Model(
        hs.Body("sled", "mass", ("a", 0, 0), ("I", "I", "I"), shapes=(runner, *slats, *cross, load)),
        hs.Planar("sled", hs.WORLD, "sled"),
        hs.KnifeEdge("blade", "sled"),
        parameters={"mass": 5.0, "I": 0.2, "a": 0.2},
        independent=("sled.Tx", "sled.Rz"),
        poses={"start": {**dict.fromkeys(STILL, 0.0), "sled.Tx.v": speed, "sled.Rz.v": turn}},
    )
