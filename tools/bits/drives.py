"""Programs on drives: positions, velocities, accelerations, inputs from outside, in loops."""

from typing import Any

import numpy as np

import hapsis as hs
from bits import program
from bits.scenes import double_pendulum, four_bar


def run(model: hs.Model, until: float = 0.5, **more: Any) -> hs.Result:
    """A short motion from the usual start."""
    return hs.simulate(model, until=until, **{"start": {"A": 0.3}, "every": until / 25, **more})


@program("drives.four_bar")
def turning():
    """A crank that a motor turns over its dead points, by functions of time and formulas."""
    formula = hs.Drive("motor", "A", position="0.3 + w * t")
    return {
        "position": run(four_bar(hs.Drive("motor", "A", position=lambda t: 0.3 + 6.28 * t)), until=1.0),
        "formula": run(four_bar(formula, parameters={"w": 6.28})),
        "velocity": run(four_bar(hs.Drive("motor", "A", velocity=lambda t: 6.28 * hs.cos(t)))),
        "acceleration": run(four_bar(hs.Drive("motor", "A", acceleration=2.0)), start={"A": 0.3, "A.v": 1.0}),
        "locked": run(double_pendulum(hs.Drive("lock", "elbow", position=0.4)), start=None),
        "rk4": run(four_bar(hs.Drive("motor", "A", position=lambda t: 0.3 + 6.28 * t)), step=1e-3),
        "stiff": run(
            four_bar(hs.Drive("motor", "A", position=lambda t: 0.3 + 6.28 * t)), until=0.2, method="stiff"
        ),
    }


@program("drives.inputs")
def inputs():
    """Positions from outside: a tracked table, a function, a recording with its rates."""
    tracked = four_bar(hs.Drive("motor", "A", position="input", tracking=50.0))
    exact = four_bar(hs.Drive("motor", "A", position="input"))
    t = np.linspace(0.0, 0.5, 51)
    recording = {
        "motor.position": (t, 0.3 + 0.2 * t**2),
        "motor.velocity": (t, 0.4 * t),
        "motor.acceleration": (t, np.full(51, 0.4)),
    }
    table = ([0.0, 0.2, 0.5], [0.3, 1.0, 0.6])
    return {
        "table": run(tracked, inputs={"motor.position": table}),
        "held": run(tracked, inputs={"motor.position": 0.5}),
        "function": run(exact, inputs={"motor.position": lambda t: 0.3 + hs.sin(t)}),
        "recording": run(exact, inputs=recording),
    }


@program("drives.partition_switch")
def partition_switch():
    """A crank and slider without a motor, led by its slider at first: others must lead on the way."""
    crank = hs.library.slider_crank()
    start = hs.assemble(crank, {"crank": 0.2, "crank.v": 12.0})
    outputs = {"turning": hs.simulate(crank, until=1.2, start=start, every=0.02)}
    led = crank.replace(independent=["slider"])
    outputs["led by the slider"] = hs.simulate(led, until=1.2, start=start, every=0.02)
    outputs["order5"] = hs.simulate(led, until=0.6, start=start, every=0.02, method="order5")
    return outputs


@program("drives.singular")
def singular():
    """A parallelogram that lies flat on its way, and a loop that cannot go on."""
    model = hs.library.n_four_bar(1)
    outputs: dict[str, Any] = {"flat": hs.simulate(model, until=1.5, every=0.02)}
    first = hs.assemble(four_bar(), {"A": 0.3})["D"]
    beyond = four_bar(hs.Drive("motor", "D", position=f"{first!r} + 2 * t"))
    outputs["ends"] = hs.simulate(beyond, until=3.0, start=None, every=0.02)
    return outputs


@program("drives.eye")
def eye():
    """The agile eye with controlled motors: redundant rows, arms without mass."""
    motors = ("q9", "q18", "q27")

    def law(s, stiffness=20.0, damping=2.0):
        return {
            q: 0.1 * hs.sin(6.0 * s.t) + stiffness * (-0.7 - s[q]) - damping * s[f"{q}.v"] for q in motors
        }

    model = hs.Model(hs.library.agile_eye(), hs.Controller("motors", law))
    return {"result": hs.simulate(model, until=0.2, start=hs.assemble(model), every=0.01)}


@program("drives.steered_car")
def steered_car():
    """A car on its tyres, for a moment: 52 coordinates, 13 loops, contacts with friction."""
    car = hs.library.car(tyres=True)
    result = hs.simulate(car, until=0.005, step=2.5e-4, every=1e-3)
    return {"t": result.t, "q": [result[name] for name in car.coordinates], "last": result.last}
