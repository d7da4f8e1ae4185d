"""Mechanisms that several tests of analyses share, so that they are compiled once."""

from functools import cache

import numpy as np
import shared_models
from shared_models import library

import hapsis as hs
from hapsis.motion.analysis.equilibrium.equilibrium import equilibrium


@cache
def suspension():
    return library.five_link_suspension()


@cache
def stewart():
    """On six springs with dampers, one of them softer, so that nothing is symmetric."""
    legs = [
        hs.JointSpring(f"spring{k}", f"leg{k}", 2000.0 - 300.0 * (k == 2), 30.0, 0.55) for k in range(1, 7)
    ]
    return library.stewart() + legs


@cache
def governor():
    return library.governor()


@cache
def spinning():
    """The governor at one turn per second."""
    return equilibrium(governor(), speeds={"shaft.v": 2 * np.pi})


@cache
def resting(name):
    return equilibrium({"suspension": suspension, "stewart": stewart}[name]())


@cache
def four_bar():
    start = {"A": -0.6, "B": 0.2, "D": -1.8}
    return shared_models.four_bar(poses={"start": start}, independent=["A"]).replace("D", damping=0.02)


@cache
def floating():
    """A body held by a bushing that is stronger along one axis than along another."""
    return hs.Model(
        hs.Body("block", 2.0, com=(0.02, 0.0, 0.05), inertia=(0.02, 0.03, 0.04)),
        hs.Free("base", hs.WORLD, "block"),
        hs.Bushing(
            "mount",
            hs.WORLD,
            "block",
            stiffness=(20.0, 30.0, 40.0, 300.0, 400.0, 700.0),
            damping=(0.1, 0.2, 0.1, 2.0, 3.0, 1.0),
        ),
    )


def carried_on(model, at, names, change, until, **options):
    """How the states `names` have changed after a time, for a small change of them at the start.

    By differences of four simulations, so that only terms of the fifth order are left.
    """
    start = {name: at[name] for name in names}
    free = [n for n in names if n in model.coordinates]
    still = {name: at[name] for name in model.speeds if name.removesuffix(".v") in free}

    def end(h):
        moved = {n: start[n] + h * x for n, x in zip(names, change, strict=True)}
        result = hs.simulate(
            model,
            until=until,
            start=hs.assemble(model, {**still, **moved}) if model.cuts else {**still, **moved},
            **options,
        )
        return np.array([result.last[name] for name in names])

    h = 2e-4
    return (8 * (end(h) - end(-h)) - (end(2 * h) - end(-2 * h))) / (12 * h)
