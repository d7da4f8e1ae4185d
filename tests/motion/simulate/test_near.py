"""Guesses choose the same way to close loops in every verb that starts a motion, and in the command line."""

import random

import numpy as np
import pytest
from samples import sample

import hapsis as hs
from hapsis import cli


def four_bar(draw):
    """A four-bar linkage with random lengths that can turn; C closes it."""
    crank, coupler, rocker = draw.uniform(0.2, 0.3), draw.uniform(0.8, 1.0), draw.uniform(0.7, 0.9)
    return hs.Model(
        hs.Rod("crank", length=crank, mass=1.0),
        hs.Rod("coupler", length=coupler, mass=1.0),
        hs.Rod("rocker", length=rocker, mass=1.0),
        hs.Revolute("A", hs.WORLD, "crank", axis="y"),
        hs.Revolute("B", "crank.end", "coupler", axis="y"),
        hs.Revolute("D", hs.WORLD.at(0.9, 0, 0), "rocker", axis="y"),
        hs.Revolute("C", "coupler.end", "rocker.end", axis="y"),
    )


@pytest.mark.parametrize("seed", range(sample(2, 20)))
def test_every_verb_takes_the_branch_that_is_nearest_to_the_guesses(seed, tmp_path, capfd):
    draw = random.Random(seed)
    model, angle = four_bar(draw), draw.uniform(-1.0, 1.0)
    held, motion = {"A": angle}, {"A": lambda t: angle + 0.1 * t}
    ways = hs.assemblies(model, held)
    assert len(ways) == 2
    hs.save(model, tmp_path / "bars.yaml")
    for way in ways:
        near = {name: way[name] + draw.uniform(-0.05, 0.05) for name in ("B", "D")}
        step = hs.stepper(model, 1e-3, start=held, near=near)
        q = {port.name: port.stand_in for port in step.inputs}["q"]
        run = hs.simulate(model, 0.01, held, near=near)
        followed = hs.follow(model, motion, 0.01, near=near)
        options = [f"--near={name}={value!r}" for name, value in near.items()]
        out = str(tmp_path / "x.npz")
        arguments = [
            "simulate",
            str(tmp_path / "bars.yaml"),
            "--until=0.01",
            f"--start=A={angle!r}",
            *options,
        ]
        assert cli.main([*arguments, "--save", out]) == 0
        typed = hs.load(out)
        for k, name in enumerate(model.coordinates):
            starts = [q[k], run[name][0], followed[name][0], typed[name][0]]
            assert np.allclose(np.cos(starts), np.cos(way[name]), atol=1e-7), name
            assert np.allclose(np.sin(starts), np.sin(way[name]), atol=1e-7), name
