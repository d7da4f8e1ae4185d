"""Models that tests share: those of `hs.library`, each made once, and a four-bar with any further facts."""

from functools import cache
from types import SimpleNamespace

import hapsis as hs

MAKERS = {name: getattr(hs.library, name) for name in hs.library.MODELS}
library = SimpleNamespace(**{name: cache(make) for name, make in MAKERS.items()})


def four_bar(*facts, crank=0.2, **more):
    """A crank that can go round, a coupler, a rocker, in x and z."""
    return hs.Model(
        hs.Rod("crank", length=crank, mass=0.2),
        hs.Rod("coupler", length=0.5, mass=0.5),
        hs.Rod("rocker", length=0.4, mass=0.4),
        hs.Revolute("A", hs.WORLD, "crank", axis="y"),
        hs.Revolute("B", "crank.end", "coupler", axis="y"),
        hs.Revolute("D", hs.WORLD.at(0.45, 0, 0), "rocker", axis="y"),
        hs.Revolute("C", "coupler.end", "rocker.end", axis="y"),
        *facts,
        **more,
    )
