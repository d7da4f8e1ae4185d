"""Piles of all shapes in a bin: every step is solved, energy never grows, nothing gets out."""

import itertools

import numpy as np
import pytest

import hapsis as hs

G = 9.81
LAW = {"law": hs.HuntCrossley(1e6, restitution=0.4), "friction": 0.5}


def thing(kind, name, draw):
    size = draw.uniform(0.03, 0.06, 3)
    if kind == "box":
        return hs.Body.box(name, tuple(2 * size), density=700.0)
    if kind == "ball":
        return hs.Body.sphere(name, size[0], density=700.0)
    if kind == "cylinder":
        return hs.Body.cylinder(name, size[0], 2 * size[1], density=700.0)
    if kind == "capsule":
        return hs.Body.capsule(name, 0.6 * size[0], size[1], density=700.0)
    return hs.Body.ellipsoid(name, tuple(size), density=700.0)


def pile(seed, count=10):
    """Things above a floor between four walls, in columns with gaps, turned at random."""
    draw = np.random.default_rng(seed)
    kinds = ("box", "ball", "cylinder", "capsule", "ellipsoid")
    names = [f"{kinds[k % 5]}{k}" for k in range(count)]
    bodies = [thing(name.rstrip("0123456789"), name, draw) for name in names]
    walls = {"floor": ("z", (0, 0, 0))}
    walls |= {"left": ("x", (-0.15, 0, 0)), "right": ("-x", (0.15, 0, 0))}
    walls |= {"front": ("y", (0, -0.15, 0)), "back": ("-y", (0, 0.15, 0))}
    contacts = [
        hs.Contact(f"{name}.{wall}", hs.Surface(name), hs.WORLD.plane(normal, at=at), **LAW)
        for name in names
        for wall, (normal, at) in walls.items()
    ]
    pairs = itertools.combinations(names, 2)
    contacts += [hs.Contact(f"{a}.{b}", hs.Surface(a), hs.Surface(b), **LAW) for a, b in pairs]
    start = {}
    for k, name in enumerate(names):
        turn = draw.normal(size=4)
        turn /= np.linalg.norm(turn)
        at = draw.uniform(-0.03, 0.03, 2)
        start |= {f"{name}.x": at[0], f"{name}.y": at[1], f"{name}.z": 0.12 + 0.22 * k}
        start |= dict(zip((f"{name}.{c}" for c in ("qw", "qx", "qy", "qz")), turn, strict=True))
    joints = [hs.Free(name, hs.WORLD, name) for name in names]
    return hs.Model(bodies, joints, contacts, poses={"start": start})


@pytest.mark.parametrize(("seed", "step"), [(1, 5e-3), (2, 2e-3), (3, 5e-3)])
def test_a_pile_of_all_shapes_is_solved_in_every_step(seed, step):
    model = pile(seed)
    result = hs.simulate(model, until=1.5, method="contact", step=step, every=0.05)
    assert result.success and result.report["loose_steps"] == 0
    energy = result["energy"]
    assert energy.max() - energy[0] <= 1e-9 * np.ptp(energy)
    steps = result.report["steps"]
    assert result.report["lagged_steps"] <= 0.03 * steps and result.report["iterations"] < 40 * steps
    for name in model.bodies:
        assert abs(result[f"{name}.x"][-1]) < 0.16 and -1e-3 < result[f"{name}.z"][-1] < 2.5
