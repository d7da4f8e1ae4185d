"""Programs on derivatives of motions: sensitivities, gradients, identification."""

from typing import Any

import numpy as np

import hapsis as hs
from bits import program
from bits.scenes import double_pendulum, pendulum


def slopes(motion: Any, columns: tuple[str, ...]) -> dict[str, Any]:
    """A motion with the slopes of some columns by all names."""
    outputs = {f"d {what} d {by}": motion[what, by] for what in columns for by in motion.names}
    return {"result": motion.result} | outputs


@program("derivatives.tree")
def tree():
    """By parameters, starts and a table of efforts; order 8, order 5, RK4."""
    table = {"elbow": (np.linspace(0, 1, 6), np.linspace(0, 0.2, 6))}
    names = ["lower.mass", "gravity.z", "shoulder", "elbow.v", "elbow.effort"]
    outputs = {}
    for method, settings in (("order8", {}), ("order5", {}), ("rk4", {"step": 1e-3})):
        motion = hs.sensitivities(
            double_pendulum(),
            until=1.0,
            to=names,
            start={"shoulder": 0.3},
            inputs=table,
            every=0.05,
            method=method,
            **settings,
        )
        outputs[method] = slopes(motion, ("shoulder", "elbow.v", "energy"))
    return outputs


@program("derivatives.jumps")
def jumps():
    """Over touches of a floor: with a jump of the force, without, and with a memory."""

    def soft(gap, rate, stiffness=8e3, time=1e-3, memory=hs.LawState(0.0)):
        depth = hs.maximum(-gap, 0.0)
        return stiffness * hs.maximum(depth - 0.4 * memory, 0.0), {"memory": (depth - memory) / time}

    laws = {
        "linear": (hs.Linear(8e3, damping=6.0), "floor.damping"),
        "spring": (hs.Linear(8e3), "floor.stiffness"),
        "felt": (soft, "floor.stiffness"),
    }
    outputs = {}
    for name, (law, by) in laws.items():
        model = hs.Model(
            hs.Body("ball", mass=0.5),
            hs.Prismatic("z", hs.WORLD, "ball", axis="z"),
            hs.Contact("floor", "ball", hs.WORLD.plane("z"), law=law),
        )
        motion = hs.sensitivities(model, until=0.5, to=["ball.mass", by, "z"], start={"z": 0.3}, every=0.02)
        outputs[name] = slopes(motion, ("z", "z.v"))
    return outputs


@program("derivatives.loops")
def loops():
    """Of a driven crank and of one that swings."""
    crank = hs.library.slider_crank()
    driven = hs.Model(
        crank,
        hs.Drive("motor", "crank", position="0.5 + speed * t"),
        parameters={"r": 0.1, "l": 0.3, "speed": 3.0},
    )
    start = {"crank": 0.5}
    moved = hs.sensitivities(driven, until=1.0, to=["l", "speed"], start=start, every=0.1)
    swung = hs.sensitivities(crank, until=0.3, to=["l", "crank"], start=start, every=0.02)
    back = hs.gradient(crank, lambda s: s["slider"] ** 2, ["l", "crank"], 0.3, start)
    return {
        "driven": slopes(moved, ("slider", "crank")),
        "swung": slopes(swung, ("slider", "crank.v")),
        "value": back.value,
        "slopes": dict(back),
        "last": back.last,
    }


@program("derivatives.gradient")
def gradient():
    """Backwards, with a running loss and a table of torques; over a touch."""
    times = np.linspace(0.0, 2.0, 201)
    outputs = {}
    for method, settings in (("order8", {}), ("order5", {}), ("rk4", {"step": 1e-3})):
        answer = hs.gradient(
            pendulum(),
            lambda s: (s["hinge"] - 1.0) ** 2,
            to=["hinge.effort", "arm.mass", "hinge.v"],
            until=2.0,
            inputs={"hinge": (times, np.full(201, 0.1))},
            method=method,
            running=lambda s: 0.01 * s["hinge.effort"] ** 2,
            **settings,
        )
        outputs[method] = {"value": answer.value, "slopes": dict(answer), "last": answer.last}
    ball = hs.Model(
        hs.Body("ball", mass=0.5),
        hs.Prismatic("z", hs.WORLD, "ball", axis="z"),
        hs.Contact("floor", "ball", hs.WORLD.plane("z"), law=hs.Linear(8e3)),
    )
    answer = hs.gradient(ball, lambda s: s["z"], ["ball.mass", "floor.stiffness"], 0.5, {"z": 0.3})
    return outputs | {"ball": {"value": answer.value, "slopes": dict(answer)}}


def values(identified: Any) -> dict[str, Any]:
    """The numbers of an identification."""
    return {
        "values": dict(identified.values),
        "errors": dict(identified.errors),
        "covariance": identified.covariance,
        "noise": dict(identified.noise),
        "residual": dict(identified.residual),
        "condition": identified.condition,
        "iterations": identified.iterations,
        "unclear": bool(identified.unclear),
    }


@program("derivatives.identify")
def identify():
    """From a noisy swing, from efforts, with bounds, and where the data do not tell."""
    model = pendulum()
    swing = hs.simulate(model, until=3.0, start={"hinge": 0.5}, every=0.02)
    draw = np.random.default_rng(1)
    noise = draw.normal(scale=1e-3, size=len(swing.t))
    seen = {"t": swing.t, "hinge": swing["hinge"] + noise}
    data = {"t": swing.t, "hinge.effort": noise} | {n: swing[n] for n in ("hinge", "hinge.v", "hinge.a")}
    start = {"start": {"hinge": 0.5}}
    guess = {"arm.com.z": -0.4, "hinge.damping": 0.01}
    return {
        "motion": values(hs.identify(model, seen, guess, **start)),
        "start too": values(hs.identify(model, seen, ["hinge.damping", "hinge"], start={"hinge": 0.45})),
        "bounded": values(hs.identify(model, seen, guess, bounds={"hinge.damping": (0.005, 0.04)}, **start)),
        "known noise": values(hs.identify(model, seen, guess, noise=1e-3, **start)),
        "efforts": values(hs.identify(model, data, {"hinge.damping": 0.3})),
        "vague": values(hs.identify(model, seen, ["arm.mass", "arm.inertia.yy", "arm.com.z"], **start)),
    }
