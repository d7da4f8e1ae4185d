"""Programs on states and small motions: equilibrium, linear models, modes, following a motion."""

import math
from typing import Any

import numpy as np

import hapsis as hs
from bits import program
from bits.scenes import double_pendulum, four_bar


def sprung() -> hs.Model:
    """A four-bar on a spring."""
    return four_bar(
        hs.Spring("spring", "coupler.mid", hs.WORLD.at(0.2, 0, 0.6), 120.0, 1.5, 0.25),
        poses={"start": {"A": -0.6, "B": 0.2, "D": -1.8}},
        independent=["A"],
    )


def rest_of(state: Any) -> dict[str, Any]:
    """A state with the numbers of its report."""
    numbers = state.report
    return {
        "state": state,
        "residual": numbers.residual,
        "iterations": numbers.iterations,
        "stability": numbers.stability,
        "eigenvalues": np.array(numbers.eigenvalues),
        "efforts": dict(numbers.efforts),
        "states": dict(numbers.states),
    }


@program("statics.equilibrium")
def equilibrium():
    """At rest, spinning, held, unstable, and on the ground."""
    arm = hs.Model(
        hs.Body("arm", mass=2.0, com=(0, 0, -0.5)), hs.Revolute("hinge", hs.WORLD, "arm", axis="y")
    )
    ball = hs.Model(
        hs.Body("ball", mass=0.2, inertia=(2e-4,) * 3, shapes=[hs.Sphere(0.05)]),
        hs.Prismatic("z", hs.WORLD, "ball", axis="z"),
        hs.Contact("floor", hs.Surface("ball"), hs.WORLD.plane("z"), law=hs.HuntCrossley(1e5)),
    )
    governor = hs.library.governor()
    return {
        "four-bar": rest_of(hs.equilibrium(sprung())),
        "suspension": rest_of(hs.equilibrium(hs.library.five_link_suspension())),
        "hanging": rest_of(hs.equilibrium(governor)),
        "spinning": rest_of(hs.equilibrium(governor, speeds={"shaft.v": 2 * math.pi})),
        "upright": rest_of(hs.equilibrium(arm, {"hinge": 3.0}, nearest=True)),
        "held": rest_of(hs.equilibrium(arm, {"hinge": 0.4}, held=("hinge",))),
        "ground": rest_of(hs.equilibrium(ball, {"z": 0.2})),
    }


def linear(model: hs.Model, at: Any, inputs: Any, outputs: Any, **more: Any) -> Any:
    """A linear model about a state."""
    return hs.linearize(model, at, inputs=inputs, outputs=outputs, **more)


@program("statics.linearize")
def linearize():
    """Matrices of a loop, a tree with a quaternion, laws with states, and a drive."""
    hull = hs.Model(
        hs.Body("hull", mass=4.0, inertia=(0.1, 0.2, 0.3)),
        hs.Rod("leg", length=0.4, mass=0.5),
        hs.Ball("hull", hs.WORLD, "hull"),
        hs.Revolute("hip", ("hull", (0.2, 0, -0.1)), "leg", axis="y", damping=0.1),
        hs.Friction("bearing", "hip", coulomb=0.1),
    )
    driven = four_bar(hs.Drive("motor", "A", position="input", tracking=50.0))
    cases = {
        "loop": linear(sprung(), None, ("A",), ("D", "C.reaction", "spring.force")),
        "tree": linear(hull, {"hip": 0.4, "hull.wx": 0.5}, ("hip",), ("hip.a", "energy")),
        "driven": linear(driven, {"A": 0.3}, ("motor.position",), ("D", "motor.effort")),
        "rocker": linear(sprung(), {"A": -1.5}, ("D",), ("A",), independent=("D",)),
    }
    return {
        name: {
            "A": small.A,
            "B": small.B,
            "C": small.C,
            "D": small.D,
            "at": small.at,
            "names": "\n".join((*small.states, *small.inputs, *small.outputs)),
            "eigenvalues": small.eigenvalues,
        }
        for name, small in cases.items()
    }


@program("statics.modes")
def modes():
    """Frequencies, damping and shapes; a motion along one."""
    models = {
        "double": double_pendulum(),
        "sprung": sprung(),
        "wheel": hs.library.double_wishbone(),
        "governor": hs.library.governor(),
    }
    outputs: dict[str, Any] = {}
    for name, model in models.items():
        vibrations = hs.modes(model)
        outputs[name] = {
            "eigenvalues": vibrations.eigenvalues,
            "frequencies": vibrations.frequencies,
            "damping": vibrations.damping,
            "shapes": vibrations.shapes,
            "rigid": np.array(vibrations.rigid),
        }
    motion = hs.modes(double_pendulum()).result(1, amplitude=0.3)
    return outputs | {"motion": {"t": motion.t, **{n: motion[n] for n in ("shoulder", "elbow")}}}


@program("statics.follow")
def follow():
    """A crank led by a function, a table and a recording; motors here, elsewhere and both."""
    model = four_bar()
    t = np.linspace(0, 1, 41)
    swing = 0.4 * np.sin(3 * t)
    rates = 1.2 * np.cos(3 * t), -3.6 * np.sin(3 * t)
    return {
        "turn": hs.follow(model, {"A": lambda t: 0.3 + 6.28 * t}, until=1.0, every=0.02),
        "elsewhere": hs.follow(model, {"A": lambda t: 0.4 * hs.sin(t)}, 0.5, every=0.02, actuated=("D",)),
        "both": hs.follow(model, {"A": lambda t: 0.4 * hs.sin(t)}, 0.5, every=0.02, actuated=("A", "D")),
        "table": hs.follow(model, {"A": (t, swing)}, until=1.0, every=0.05),
        "recorded": hs.follow(model, {"A": (t, swing, *rates)}, until=1.0, every=0.05),
        "tree": hs.follow(
            double_pendulum(hs.Friction("f", "elbow", coulomb=0.2)),
            {"shoulder": lambda t: hs.sin(t), "elbow": lambda t: 0.5 * hs.cos(2 * t)},
            1.0,
            every=0.05,
        ),
    }


@program("statics.stepper")
def stepper():
    """A whole time step as one Function: trees, loops, drives, laws with states; in C too."""
    crank = hs.library.slider_crank()
    models = {
        "rk4": hs.stepper(crank, dt=1e-3, inputs=["crank"], outputs=["slider", "slider.a"]),
        "euler": hs.stepper(crank, dt=1e-3, inputs=["crank"], outputs=["slider"], method="euler"),
        "driven": hs.stepper(
            four_bar(hs.Drive("m", "A", position="input", tracking=300.0)),
            1e-3,
            inputs=["m.position"],
            outputs=["m.force", "D", "energy"],
            start={"A": 0.3},
        ),
        "sticking": hs.stepper(double_pendulum(hs.Friction("f", "elbow", coulomb=0.1)), 1e-4),
    }
    outputs: dict[str, Any] = {}
    for name, f in models.items():
        step = hs.compile(f)
        state = step()
        names = [port.name for port in f.outputs]
        for _ in range(50):
            values = dict(zip(names, state, strict=True))
            inputs = {n: values[n] for n in ("q", "v", "z", "t") if n in values}
            state = step(**inputs, **({"crank": 0.2} if name in ("rk4", "euler") else {}))
        outputs[name] = {"state": tuple(state), "cost": str(f.cost())}
    return outputs | {"c": hs.source(models["driven"], "c")}
