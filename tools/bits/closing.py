"""Programs on closing loops: assembling, partitions, other cuts, inverse kinematics."""

import math
from typing import Any

import numpy as np

import hapsis as hs
from bits import program
from bits.scenes import MODELS, four_bar


def report(state: Any) -> dict[str, Any]:
    """A state with the numbers of its report."""
    numbers = state.report
    return {
        "state": state,
        "mobility": numbers.mobility,
        "gruebler": numbers.gruebler,
        "rank": numbers.rank,
        "rows": numbers.rows,
        "redundant": "\n".join(numbers.redundant),
        "gap": numbers.gap,
        "independent": "\n".join(numbers.independent),
        "singular": bool(numbers.singular),
    }


@program("closing.assemble")
def assemble():
    """By every method, from open starts."""
    makers = {"four_bar": four_bar, "eye": hs.library.agile_eye, "redundant": hs.library.redundant_four_bar}
    outputs: dict[str, Any] = {}
    for name, make in makers.items():
        for method in ("auto", "newton", "least squares"):
            outputs[f"{name} {method}"] = report(hs.assemble(make(), method=method))
    return outputs | {"simplex": report(hs.assemble(four_bar(), {"A": 0.4}, method="simplex"))}


@program("closing.assemblies")
def assemblies():
    """All ways to close, and the one nearest to a place."""
    model = four_bar()
    return {
        "all": list(hs.assemblies(model, {"A": 0.3})),
        "near": report(hs.assemble(model, {"A": 0.3, "A.v": 2.0}, near={"D": -2})),
    }


@program("closing.partition")
def partition():
    """Who leads, by our choice and by the user's, near and far from a dead point."""
    model = four_bar()
    outputs = {}
    for name, independent in (("chosen", None), ("rocker", ("D",)), ("coupler", ("B",))):
        division = hs.partition(model, {"A": 0.7}, independent=independent)
        outputs[name] = {
            "independent": "\n".join(division.independent),
            "dependent": "\n".join(division.dependent),
            "driven": "\n".join(division.driven),
            "rows": "\n".join(division.rows),
            "pivot": division.pivot,
            "condition": division.condition,
        }
    return outputs


@program("closing.recut")
def recut():
    """Loops cut elsewhere."""
    outputs = {}
    for name in ("bricard", "slider_crank", "scissor_lift"):
        model = hs.recut(getattr(hs.library, name)())
        outputs[name] = {
            "cuts": "\n".join(joint.name for joint in model.cuts),
            "coordinates": "\n".join(model.coordinates),
            "start": hs.assemble(model),
            "cost": str(hs.reduced_dynamics(model).cost()),
        }
    return outputs


@program("closing.unique_reactions")
def unique_reactions():
    """Which reactions the motion determines."""
    door = hs.Body("door", mass=20.0, com=(0.4, 0, 1), inertia=(6, 8, 2), frames={"top": (0, 0, 2)})
    low, high = (hs.WORLD, "door"), (hs.WORLD.at(0, 0, 2), "door.top")
    models = {
        "hinges": hs.Model(door, hs.Revolute("low", *low), hs.Revolute("high", *high)),
        "balls": hs.Model(door, hs.Ball("low", *low), hs.Ball("high", *high)),
        "bricard": hs.library.bricard(),
    }
    outputs = {}
    for name, model in models.items():
        answer = hs.unique_reactions(model)
        outputs[name] = {"tensions": answer.tensions, "joints": dict(answer.joints), "rows": answer.rows}
    return outputs


@program("closing.reach")
def reach():
    """Inverse kinematics: places, poses, a path, held joints, and out of reach."""
    arm = hs.load(MODELS / "arm.urdf")
    home = {"lift": 0.5, "elbow": 1.4, "bend": 1.0}
    states = [hs.reach(arm, "flange", (0.6, 0.07, 0.36), start=home)]
    for z in (0.33, 0.30, 0.26):
        states.append(hs.reach(arm, "flange", (0.6, 0.07, z), start=states[-1]))
    pose = hs.compile(hs.pose(arm, "flange"))(states[-1].q)
    turned = hs.reach(arm, "flange", (pose.p, pose.R), start=home)
    held = hs.reach(arm, "flange", (0.55, 0.0, 0.4), start=home, held=["pan"])
    frame = hs.Frame((0.5, 0.1, 0.4), rpy=(0, math.pi / 2, 0))
    loose = hs.reach(arm, "flange", frame, start=home, position_only=True)
    outputs: dict[str, Any] = {"path": states, "turned": turned, "held": held, "loose": loose}
    outputs["counts"] = [(s.report.iterations, s.report.tries) for s in (*states, turned, held)]
    try:
        hs.reach(arm, "flange", (3.0, 0.0, 0.0), tries=3)
    except hs.SolveError as error:
        outputs["nearest"] = error.nearest
    return outputs


@program("closing.rolling")
def rolling():
    """Wheels that roll, gears, and rods of a given length, assembled and let go."""
    disc = hs.Model(
        hs.Body("coin", mass=0.1, inertia=(1e-4, 2e-4, 1e-4)),
        hs.Free("coin", hs.WORLD, "coin"),
        hs.Rolling("roll", "coin", hs.WORLD, radius=0.063),
        poses={"start": {"coin.z": 0.063, "coin.wy": 2.0, "coin.vx": 0.126}},
    )
    q, v = np.array([0, 0, 0.063, 1, 0, 0, 0]), np.array([0.3, 2.0, 0, 0.126, 0, -0.0189])
    rack = hs.Model(
        hs.Body("pinion", mass=0.3, inertia=(1e-4, 1e-4, 1e-4)),
        hs.Body("rack", mass=1.5, inertia=(0.01, 0.01, 0.01)),
        hs.Revolute("wheel", hs.WORLD, "pinion"),
        hs.Prismatic("slide", hs.WORLD, "rack", axis="y"),
        hs.Gear("mesh", "wheel", "slide", ratio=0.008),
        hs.JointSpring("spring", "slide", stiffness=100.0, rest=0.01),
    )
    return {
        "rows": hs.compile(hs.constraints(disc))(q, v),
        "disc": hs.simulate(disc, until=0.5, every=0.02),
        "rack": hs.simulate(rack, until=0.5, every=0.02),
    }
