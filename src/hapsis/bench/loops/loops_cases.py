"""What `hapsis bench loops` lets move: five mechanisms with loops, none of which loses energy.

    four-bar      three rods, crank .2, coupler .5, rocker .4 m on .45 m, released from rest
    slider-crank  that of the library, its crank at 6 rad/s
    squeezer      Andrews' seven bodies, a spring and a constant torque, 0.03 s as usual
    suspension    the library's five links without the damper, the wheel at 30 rad/s
    stewart       the library's platform on six unequal springs along its legs

Only the constant torque of the squeezer adds energy: energy minus its work is constant.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from hapsis import library
from hapsis.mechanics.model.bodies import Rod
from hapsis.mechanics.model.forces.joint_spring import JointSpring
from hapsis.mechanics.model.frames import WORLD
from hapsis.mechanics.model.joints.revolute import Revolute
from hapsis.mechanics.model.model import Model
from hapsis.mechanics.model.state import State
from hapsis.motion.analysis.assembly.assemble import assemble

LEG = 3e3  # N/m, of the softest; each next one a tenth of it stiffer


@dataclass(frozen=True)
class Case:
    """A mechanism, how long it moves, the step all are compared at, and what is looked at."""

    name: str
    model: Model
    given: Mapping[str, float]
    until: float
    step: float
    coordinate: str

    @property
    def start(self) -> State:
        """The closed pose, and speeds that keep it closed."""
        return assemble(self.model, self.given or None)

    @property
    def steps(self) -> tuple[float, ...]:
        """Steps from coarse to fine, among them the one at which all are compared."""
        return tuple(self.step * x for x in (16.0, 8.0, 4.0, 2.0, 1.0, 0.5, 0.2, 0.1))


def four_bar() -> Model:
    """A crank that can go round, a coupler and a rocker, in the vertical plane."""
    return Model(
        Rod("crank", length=0.2, mass=0.2),
        Rod("coupler", length=0.5, mass=0.5),
        Rod("rocker", length=0.4, mass=0.4),
        Revolute("A", WORLD, "crank", axis="y"),
        Revolute("B", "crank.end", "coupler", axis="y"),
        Revolute("D", WORLD.at(0.45, 0, 0), "rocker", axis="y"),
        Revolute("C", "coupler.end", "rocker.end", axis="y"),
        independent=["A"],
    )


def suspension() -> Model:
    """The suspension of the library, without its damper."""
    return library.five_link_suspension().replace("strut", damping=0.0)


def stewart() -> Model:
    """The platform of the library, on springs along its legs that are relaxed in `start`."""
    model = library.stewart()
    start = model.pose("start")
    springs = [
        JointSpring(f"spring{k}", f"leg{k}", LEG * (1 + 0.1 * k), rest=start[f"leg{k}"]) for k in range(1, 7)
    ]
    return model + springs


def cases() -> dict[str, Case]:
    """All of them by name."""
    spin = {"lower_front.Rx": 0.0, "wheel": 0.0, "wheel.v": 30.0}
    turning = {"crank": np.pi / 6, "crank.v": 6.0}
    mechanisms = (
        Case("four-bar", four_bar(), {"A": 0.3}, 1.0, 1e-3, "A"),
        Case("slider-crank", library.slider_crank(), turning, 1.0, 1e-3, "crank"),
        Case("squeezer", library.andrews(), {}, 0.03, 2e-5, "beta"),
        Case("suspension", suspension(), spin, 1.0, 1e-3, "lower_front.Rx"),
        Case("stewart", stewart(), {}, 1.0, 1e-3, "leg1"),
    )
    return {case.name: case for case in mechanisms}
