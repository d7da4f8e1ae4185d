"""A biped that walks: its model in each phase, the forces of the ground on its feet, a preview of a step."""

from hapsis.library.gait.biped import ROWS, biped
from hapsis.library.gait.ground_forces import GroundForces, foot_signals, ground_forces
from hapsis.library.gait.preview import Preview, preview
from hapsis.library.gait.step_control import step_controller, walking_biped

__all__ = [
    "ROWS",
    "GroundForces",
    "Preview",
    "biped",
    "foot_signals",
    "ground_forces",
    "preview",
    "step_controller",
    "walking_biped",
]
