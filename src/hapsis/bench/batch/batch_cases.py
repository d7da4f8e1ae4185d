"""The mechanisms of `hapsis bench batch`: chains of hinged links, for us and as text for MuJoCo."""

from dataclasses import dataclass
from typing import Any

import numpy as np

import hapsis as hs

LENGTH, MASS, INERTIA = 0.3, 1.0, (0.02, 0.02, 0.004)  # of each link: m, kg, kg m²


@dataclass(frozen=True)
class Case:
    """A chain of links that swings from many starts.

    axes    of the hinges, one letter each
    starts  of the coordinates, a row for each run
    until   s
    """

    name: str
    axes: str
    starts: Any
    until: float

    @property
    def coordinates(self) -> list[str]:
        """The names of the joints."""
        return [f"joint{k}" for k in range(len(self.axes))]

    def chosen(self, count: int) -> Any:
        """The numbers of so many runs, spread evenly over all."""
        return np.linspace(0, len(self.starts) - 1, count).round().astype(int)

    def model(self) -> hs.Model:
        """The chain for us."""
        facts: list[Any] = []
        end: Any = hs.WORLD
        for k, axis in enumerate(self.axes):
            tip = {"tip": hs.Frame(at=(0.0, 0.0, -LENGTH))}
            facts.append(hs.Body(f"link{k}", MASS, (0.0, 0.0, -LENGTH / 2), INERTIA, frames=tip))
            facts.append(hs.Revolute(f"joint{k}", end, f"link{k}", axis=axis))
            end = f"link{k}.tip"
        return hs.Model(*facts)

    def mjcf(self) -> str:
        """The same chain as MuJoCo reads it."""
        head, tail = "", ""
        for k, letter in enumerate(self.axes):
            place = 0.0 if k == 0 else -LENGTH
            axis = " ".join("1" if a == letter else "0" for a in "xyz")
            inertia = " ".join(map(str, INERTIA))
            head += f'<body pos="0 0 {place}"><joint name="joint{k}" type="hinge" axis="{axis}"/>'
            head += f'<inertial pos="0 0 {-LENGTH / 2}" mass="{MASS}" diaginertia="{inertia}"/>'
            tail += "</body>"
        flags = '<option gravity="0 0 -9.81"><flag constraint="disable"/></option>'
        return f"<mujoco>{flags}<worldbody>{head}{tail}</worldbody></mujoco>"


def case(name: str, quick: bool) -> Case:
    """The mechanism of that name; `quick` has a tenth of its runs."""
    if name == "pendulum":
        starts = np.linspace(0.1, 3.0, 100 if quick else 1000)[:, None]
        return Case(name, "y", starts, 5.0)
    starts = np.random.default_rng(0).uniform(-1.0, 1.0, (20 if quick else 200, 6))
    return Case(name, "yxyyxz", starts, 1.0)


NAMES = ("pendulum", "arm of 6 joints")
