"""Small devices for tests: a hand that moves by a polynomial of time, and notes what it feels."""

import numpy as np

import hapsis as hs
from hapsis.compiler.native import Array, native
from hapsis.touch.realtime.device import Capabilities


@native
def moved(t: Array, sample: Array, course: Array) -> None:
    """One axis: x0 + x1 t + x2 t², and its rate; a fresh sample each time."""
    sample[0] = course[0] + (course[1] + course[2] * t[0]) * t[0]
    sample[1] = course[1] + 2.0 * course[2] * t[0]
    sample[2], sample[3] = 0.0, course[4]
    sample[4] += course[3]


@native
def felt(t: Array, command: Array, notes: Array) -> None:
    """The last command, the largest, how many, and the time of the last."""
    notes[0] = command[0]
    notes[1] = max(notes[1], abs(command[0]))
    notes[2] += 1.0
    notes[3] = t[0]


class Hand:
    """course: x0, x1, x2, how much the counter grows per sample, status."""

    name, axes = "hand", ("x",)

    def __init__(self, *course, hardware=False, max_force=50.0, measures=("position", "velocity")):
        self.course = np.array([*[*course, 0.0, 0.0, 0.0][:3], 1.0, 0.0])
        self.notes = np.zeros(4)
        self.capabilities = Capabilities("impedance", measures, (max_force,), ("rad",), hardware)
        self.read = moved.bound(vary=("t", "sample"), course=self.course)
        self.write = felt.bound(vary=("t", "command"), notes=self.notes)
        self.opened = self.closed = 0

    def open(self):
        self.opened += 1

    def close(self):
        self.closed += 1


def crank_step(rate):
    """The step of a crank that a hand turns: its position, velocity and acceleration are inputs."""
    model = hs.Model(
        hs.Rod("crank", length=0.1, mass=0.2),
        hs.Revolute("A", hs.WORLD, "crank", axis="y"),
        hs.Drive("hand", "A", position="input"),
        gravity=(0, 0, 0),
    )
    inputs = ["hand.position", "hand.velocity", "hand.acceleration"]
    return hs.stepper(model, 1 / rate, inputs=inputs, outputs=["hand.force"])
