"""Ready mechanisms as data: a Model or a Hybrid with a pose `start`, or a scene of particles."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from hapsis.library import gait as gait
from hapsis.library import piano as piano
from hapsis.library.agile_eye import agile_eye
from hapsis.library.andrews import andrews
from hapsis.library.bricard import bricard
from hapsis.library.car import car, five_link_car
from hapsis.library.double_wishbone import double_wishbone
from hapsis.library.five_link_suspension import five_link_suspension
from hapsis.library.gait.biped import biped
from hapsis.library.governor import governor
from hapsis.library.n_four_bar import n_four_bar
from hapsis.library.piano.action import grand_action
from hapsis.library.pile import pile
from hapsis.library.redundant_four_bar import redundant_four_bar
from hapsis.library.rolling.knife_edge_sled import knife_edge_sled
from hapsis.library.rolling.rattleback import rattleback
from hapsis.library.rolling.roller_racer import roller_racer
from hapsis.library.rolling.rolling_disc import rolling_disc
from hapsis.library.rolling.tippe_top import tippe_top
from hapsis.library.rolling.whipple_bicycle import whipple_bicycle
from hapsis.library.scissor_lift import scissor_lift
from hapsis.library.slider_crank import slider_crank
from hapsis.library.stewart import stewart
from hapsis.library.three_bar import three_bar
from hapsis.library.walkers.bouncing_ball import bouncing_ball
from hapsis.library.walkers.compass_gait import compass_gait
from hapsis.library.walkers.hopper import hopper
from hapsis.library.walkers.rimless_wheel import rimless_wheel
from hapsis.library.walkers.simplest_walker import simplest_walker

if TYPE_CHECKING:
    from hapsis.library import particles as particles
    from hapsis.library.particles.jelly_cube import jelly_cube

__all__ = [
    "agile_eye",
    "andrews",
    "biped",
    "bouncing_ball",
    "bricard",
    "car",
    "compass_gait",
    "double_wishbone",
    "five_link_car",
    "five_link_suspension",
    "governor",
    "grand_action",
    "hopper",
    "jelly_cube",
    "knife_edge_sled",
    "n_four_bar",
    "pile",
    "rattleback",
    "redundant_four_bar",
    "rimless_wheel",
    "roller_racer",
    "rolling_disc",
    "scissor_lift",
    "simplest_walker",
    "slider_crank",
    "stewart",
    "three_bar",
    "tippe_top",
    "whipple_bicycle",
]

HYBRIDS = ["bouncing_ball", "compass_gait", "hopper", "rimless_wheel", "simplest_walker"]
SCENES = ["pile"]  # many contacts, for steps that solve them
PARTICLES = ["jelly_cube"]  # scenes of particles
MODELS = [name for name in __all__ if name not in (*HYBRIDS, *SCENES, *PARTICLES)]


def __dir__() -> list[str]:
    return __all__


def __getattr__(name: str) -> Any:
    # scenes of particles are imported on first use: mechanisms need nothing of what they need
    if name in ("particles", "jelly_cube"):
        scenes = import_module("hapsis.library.particles")
        return scenes if name == "particles" else scenes.jelly_cube
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
