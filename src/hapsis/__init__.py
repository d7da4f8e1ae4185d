"""Hapsis: a compiler for mechanics with a person in the loop."""

import gc
from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

# public name -> module; imported on first use, so that `hapsis doctor` runs on a broken install
_HOMES = {
    "hapsis.errors": "Error ModelError CompileError SolveError DeviceError Notice",
    "hapsis.compiler.ir.graph.expr": "Expr symbol symbols parameter same",
    "hapsis.compiler.ir.graph.elementary_functions": (
        "sqrt sin cos tan asin acos atan atan2 exp log tanh power abs sign floor ceil minimum "
        "maximum clip where hypot"
    ),
    "hapsis.compiler.ir.functions.function": "Function",
    "hapsis.compiler.ir.functions.blocks": "call map repeat",
    "hapsis.compiler.ir.functions.tables": "table interpolated",
    "hapsis.compiler.ir.text.printer": "formula",
    "hapsis.compiler.ir.text.latex": "latex",
    "hapsis.compiler.ir.text.sympy_bridge": "to_sympy",
    "hapsis.compiler.passes.explain": "explain",
    "hapsis.compiler.passes.steps": "vector_steps",
    "hapsis.compiler.backends.compile": "compile",
    "hapsis.compiler.backends.export": "source export",
    "hapsis.compiler.backends.error_bounds": "error_bound",
    "hapsis.mechanics.model.values.formula": "Formula",
    "hapsis.mechanics.model.frames": "Frame World WORLD End",
    "hapsis.mechanics.model.bodies": "Body Rod",
    "hapsis.mechanics.model.design.component": "Component",
    "hapsis.mechanics.formats.design.load_cad": "load_cad save_cad",
    "hapsis.mechanics.model.design.drawn_joints": "drawn_joints",
    "hapsis.mechanics.model.shapes.shapes": "Box Sphere Ellipsoid Cylinder Capsule Mesh Plane Segment",
    "hapsis.mechanics.model.shapes.heightfield": "Heightfield",
    "hapsis.mechanics.model.shapes.hull": "Hull",
    "hapsis.mechanics.model.shapes.outline": "Outline",
    "hapsis.mechanics.model.shapes.triangle_mesh": "TriangleMesh",
    "hapsis.mechanics.model.joints.joint": "Joint",
    "hapsis.mechanics.model.joints.revolute": "Revolute",
    "hapsis.mechanics.model.joints.prismatic": "Prismatic",
    "hapsis.mechanics.model.joints.helical": "Helical",
    "hapsis.mechanics.model.joints.cylindrical": "Cylindrical",
    "hapsis.mechanics.model.joints.universal": "Universal",
    "hapsis.mechanics.model.joints.planar": "Planar",
    "hapsis.mechanics.model.joints.chain": "Chain",
    "hapsis.mechanics.model.joints.ball": "Ball",
    "hapsis.mechanics.model.joints.free": "Free",
    "hapsis.mechanics.model.joints.weld": "Weld",
    "hapsis.mechanics.model.constraints.constraints": "Distance Constraint Gear",
    "hapsis.mechanics.model.constraints.motion_constraints": "Pinned Hinged KnifeEdge NoSpin",
    "hapsis.mechanics.model.constraints.on_surface": "OnSurface OnCurve",
    "hapsis.mechanics.model.constraints.rolling": "Rolling",
    "hapsis.mechanics.model.forces.spring": "Spring",
    "hapsis.mechanics.model.forces.link": "Link",
    "hapsis.mechanics.model.forces.joint_spring": "JointSpring",
    "hapsis.mechanics.model.forces.joint_force": "JointForce",
    "hapsis.mechanics.model.forces.friction": "Friction",
    "hapsis.mechanics.model.forces.stop": "Stop",
    "hapsis.mechanics.model.forces.bushing": "Bushing",
    "hapsis.mechanics.model.forces.wrench": "Wrench",
    "hapsis.mechanics.model.forces.tendon": "Tendon",
    "hapsis.mechanics.model.forces.controller": "Controller",
    "hapsis.mechanics.model.laws": "law LawState",
    "hapsis.mechanics.model.contacts": "Contact",
    "hapsis.mechanics.model.shapes.surfaces": "Surface",
    "hapsis.mechanics.model.contact_laws.linear": "Linear",
    "hapsis.mechanics.model.contact_laws.hunt_crossley": "HuntCrossley",
    "hapsis.mechanics.model.contact_laws.felt": "Felt",
    "hapsis.mechanics.model.contact_laws.coulomb": "Coulomb",
    "hapsis.mechanics.model.drives": "Drive",
    "hapsis.mechanics.model.page.page": "Page",
    "hapsis.mechanics.model.page.press": "Press",
    "hapsis.mechanics.model.page.sound": "Sound",
    "hapsis.mechanics.model.sensors": "Sensor",
    "hapsis.mechanics.model.generalized_speed": "Speed",
    "hapsis.mechanics.model.model": "Model",
    "hapsis.mechanics.model.state": "State",
    "hapsis.mechanics.formalisms.tree.kinematics": ("pose velocity acceleration jacobian jacobian_rate"),
    "hapsis.mechanics.formalisms.tree.coordinate_rates": "coordinate_rates",
    "hapsis.mechanics.formalisms.dynamics.inverse_dynamics": "inverse_dynamics bias",
    "hapsis.mechanics.formalisms.dynamics.mass_matrix": "mass_matrix",
    "hapsis.mechanics.formalisms.dynamics.forward_dynamics": "forward_dynamics",
    "hapsis.mechanics.formalisms.derivatives.dynamics_derivatives": "derivatives",
    "hapsis.mechanics.formalisms.constraints.constraint_rows": "constraints",
    "hapsis.mechanics.formalisms.tree.energy": "energy momentum center_of_mass",
    "hapsis.mechanics.formalisms.constraints.constrained_dynamics": "multipliers",
    "hapsis.mechanics.formalisms.dynamics.reactions": "reaction reactions",
    "hapsis.mechanics.formalisms.dynamics.measurements": "measurements",
    "hapsis.mechanics.formalisms.dynamics.regressor": (
        "regressor inertial_parameters base_parameters BaseParameters"
    ),
    "hapsis.mechanics.formalisms.kane.partial_velocities": "generalized_momentum generalized_impulse",
    "hapsis.mechanics.formalisms.kane.speed_basis": "generalized_speeds generalized_speed_names",
    "hapsis.mechanics.model.result": "Result",
    "hapsis.mechanics.model.runs.results": "Results",
    "hapsis.mechanics.model.runs.sweep_table": "Sweep",
    "hapsis.motion.analysis.inverse_kinematics.reach": "reach",
    "hapsis.motion.analysis.denavit_hartenberg.dh_rows": "DHRow DHTable",
    "hapsis.motion.analysis.denavit_hartenberg.dh_table": "dh_table",
    "hapsis.motion.analysis.denavit_hartenberg.from_dh": "from_dh",
    "hapsis.motion.analysis.assembly.assemble": "assemble",
    "hapsis.motion.analysis.assembly.assemblies": "assemblies",
    "hapsis.motion.analysis.assembly.mate": "mate",
    "hapsis.motion.analysis.workspace.workspace": "workspace",
    "hapsis.motion.analysis.workspace.clearances": "clearances",
    "hapsis.motion.analysis.assembly.recut": "recut",
    "hapsis.motion.analysis.assembly.reduce": "reduced_dynamics",
    "hapsis.motion.analysis.assembly.partition": "partition Partitioned",
    "hapsis.motion.analysis.equilibrium.equilibrium": "equilibrium Equilibrium",
    "hapsis.motion.analysis.linear.linearize": "linearize Linearization",
    "hapsis.motion.analysis.linear.modes": "modes Modes",
    "hapsis.motion.analysis.feet.complementarity": "complementarity",
    "hapsis.motion.analysis.kane.independent_speeds": "independent_speeds",
    "hapsis.motion.analysis.kane.kane_equations": "kane_equations linear_equations partial_velocities",
    "hapsis.motion.analysis.kane.constraint_reactions": "constraint_reactions",
    "hapsis.motion.simulate.follow": "follow",
    "hapsis.motion.analysis.assembly.unique_reactions": "unique_reactions UniqueReactions",
    "hapsis.motion.simulate.simulate": "simulate",
    "hapsis.motion.simulate.sweep": "sweep",
    "hapsis.motion.simulate.program.export_program": "export_program",
    "hapsis.motion.simulate.run.events": "Event",
    "hapsis.motion.cycles.find_cycle": "Cycle find_cycle",
    "hapsis.motion.cycles.continue_cycle": "Branch continue_cycle",
    "hapsis.motion.hybrid.hybrid": "Hybrid",
    "hapsis.motion.hybrid.files.hybrid_files": "load save",
    "hapsis.motion.hybrid.actions": "impact swap reset",
    "hapsis.motion.hybrid.readings": "height foot",
    "hapsis.motion.simulate.stepper": "stepper",
    "hapsis.motion.simulate.sensitivities": "sensitivities Sensitivities",
    "hapsis.motion.simulate.gradient": "gradient Gradient",
    "hapsis.motion.simulate.identify": "identify Identified",
    "hapsis.live.share": "share Share",
    "hapsis.studies.catalogue": "study",
    "hapsis.studies.study": "Study",
}
_PACKAGES = {  # sub-packages that programs meet by name
    "library": "hapsis.library",
    "particles": "hapsis.motion.particles",
    "shapes": "hapsis.mechanics.model.shapes.lower_case",
    "realtime": "hapsis.touch.realtime",
    "haptics": "hapsis.touch.haptics",
    "recording": "hapsis.touch.recording",
}
_RENAMED = {"link": "recording"}  # old names, kept for one version
_WHERE = {name: module for module, names in _HOMES.items() for name in names.split()}

__all__ = ["__version__", *sorted([*_WHERE, *_PACKAGES])]  # pyright: ignore[reportUnsupportedDunderAll]

if TYPE_CHECKING:
    from hapsis import library as library
    from hapsis.compiler.backends.compile import compile as compile
    from hapsis.compiler.backends.error_bounds import error_bound as error_bound
    from hapsis.compiler.backends.export import export as export
    from hapsis.compiler.backends.export import source as source
    from hapsis.compiler.ir.functions.blocks import call as call
    from hapsis.compiler.ir.functions.blocks import map as map
    from hapsis.compiler.ir.functions.blocks import repeat as repeat
    from hapsis.compiler.ir.functions.function import Function as Function
    from hapsis.compiler.ir.functions.tables import interpolated as interpolated
    from hapsis.compiler.ir.functions.tables import table as table
    from hapsis.compiler.ir.graph.elementary_functions import abs as abs
    from hapsis.compiler.ir.graph.elementary_functions import acos as acos
    from hapsis.compiler.ir.graph.elementary_functions import asin as asin
    from hapsis.compiler.ir.graph.elementary_functions import atan as atan
    from hapsis.compiler.ir.graph.elementary_functions import atan2 as atan2
    from hapsis.compiler.ir.graph.elementary_functions import ceil as ceil
    from hapsis.compiler.ir.graph.elementary_functions import clip as clip
    from hapsis.compiler.ir.graph.elementary_functions import cos as cos
    from hapsis.compiler.ir.graph.elementary_functions import exp as exp
    from hapsis.compiler.ir.graph.elementary_functions import floor as floor
    from hapsis.compiler.ir.graph.elementary_functions import hypot as hypot
    from hapsis.compiler.ir.graph.elementary_functions import log as log
    from hapsis.compiler.ir.graph.elementary_functions import maximum as maximum
    from hapsis.compiler.ir.graph.elementary_functions import minimum as minimum
    from hapsis.compiler.ir.graph.elementary_functions import power as power
    from hapsis.compiler.ir.graph.elementary_functions import sign as sign
    from hapsis.compiler.ir.graph.elementary_functions import sin as sin
    from hapsis.compiler.ir.graph.elementary_functions import sqrt as sqrt
    from hapsis.compiler.ir.graph.elementary_functions import tan as tan
    from hapsis.compiler.ir.graph.elementary_functions import tanh as tanh
    from hapsis.compiler.ir.graph.elementary_functions import where as where
    from hapsis.compiler.ir.graph.expr import Expr as Expr
    from hapsis.compiler.ir.graph.expr import parameter as parameter
    from hapsis.compiler.ir.graph.expr import same as same
    from hapsis.compiler.ir.graph.expr import symbol as symbol
    from hapsis.compiler.ir.graph.expr import symbols as symbols
    from hapsis.compiler.ir.text.latex import latex as latex
    from hapsis.compiler.ir.text.printer import formula as formula
    from hapsis.compiler.ir.text.sympy_bridge import to_sympy as to_sympy
    from hapsis.compiler.passes.explain import explain as explain
    from hapsis.compiler.passes.steps import vector_steps as vector_steps
    from hapsis.errors import CompileError as CompileError
    from hapsis.errors import DeviceError as DeviceError
    from hapsis.errors import Error as Error
    from hapsis.errors import ModelError as ModelError
    from hapsis.errors import Notice as Notice
    from hapsis.errors import SolveError as SolveError
    from hapsis.live.share import Share as Share
    from hapsis.live.share import share as share
    from hapsis.mechanics.formalisms.constraints.constrained_dynamics import multipliers as multipliers
    from hapsis.mechanics.formalisms.constraints.constraint_rows import constraints as constraints
    from hapsis.mechanics.formalisms.derivatives.dynamics_derivatives import derivatives as derivatives
    from hapsis.mechanics.formalisms.dynamics.forward_dynamics import forward_dynamics as forward_dynamics
    from hapsis.mechanics.formalisms.dynamics.inverse_dynamics import bias as bias
    from hapsis.mechanics.formalisms.dynamics.inverse_dynamics import inverse_dynamics as inverse_dynamics
    from hapsis.mechanics.formalisms.dynamics.mass_matrix import mass_matrix as mass_matrix
    from hapsis.mechanics.formalisms.dynamics.measurements import measurements as measurements
    from hapsis.mechanics.formalisms.dynamics.reactions import reaction as reaction
    from hapsis.mechanics.formalisms.dynamics.reactions import reactions as reactions
    from hapsis.mechanics.formalisms.dynamics.regressor import BaseParameters as BaseParameters
    from hapsis.mechanics.formalisms.dynamics.regressor import base_parameters as base_parameters
    from hapsis.mechanics.formalisms.dynamics.regressor import inertial_parameters as inertial_parameters
    from hapsis.mechanics.formalisms.dynamics.regressor import regressor as regressor
    from hapsis.mechanics.formalisms.kane.partial_velocities import generalized_impulse as generalized_impulse
    from hapsis.mechanics.formalisms.kane.partial_velocities import (
        generalized_momentum as generalized_momentum,
    )
    from hapsis.mechanics.formalisms.kane.speed_basis import (
        generalized_speed_names as generalized_speed_names,
    )
    from hapsis.mechanics.formalisms.kane.speed_basis import generalized_speeds as generalized_speeds
    from hapsis.mechanics.formalisms.tree.coordinate_rates import coordinate_rates as coordinate_rates
    from hapsis.mechanics.formalisms.tree.energy import center_of_mass as center_of_mass
    from hapsis.mechanics.formalisms.tree.energy import energy as energy
    from hapsis.mechanics.formalisms.tree.energy import momentum as momentum
    from hapsis.mechanics.formalisms.tree.kinematics import acceleration as acceleration
    from hapsis.mechanics.formalisms.tree.kinematics import jacobian as jacobian
    from hapsis.mechanics.formalisms.tree.kinematics import jacobian_rate as jacobian_rate
    from hapsis.mechanics.formalisms.tree.kinematics import pose as pose
    from hapsis.mechanics.formalisms.tree.kinematics import velocity as velocity
    from hapsis.mechanics.formats.design.load_cad import load_cad as load_cad
    from hapsis.mechanics.formats.design.load_cad import save_cad as save_cad
    from hapsis.mechanics.model.bodies import Body as Body
    from hapsis.mechanics.model.bodies import Rod as Rod
    from hapsis.mechanics.model.constraints.constraints import Constraint as Constraint
    from hapsis.mechanics.model.constraints.constraints import Distance as Distance
    from hapsis.mechanics.model.constraints.constraints import Gear as Gear
    from hapsis.mechanics.model.constraints.motion_constraints import Hinged as Hinged
    from hapsis.mechanics.model.constraints.motion_constraints import KnifeEdge as KnifeEdge
    from hapsis.mechanics.model.constraints.motion_constraints import NoSpin as NoSpin
    from hapsis.mechanics.model.constraints.motion_constraints import Pinned as Pinned
    from hapsis.mechanics.model.constraints.on_surface import OnCurve as OnCurve
    from hapsis.mechanics.model.constraints.on_surface import OnSurface as OnSurface
    from hapsis.mechanics.model.constraints.rolling import Rolling as Rolling
    from hapsis.mechanics.model.contact_laws.coulomb import Coulomb as Coulomb
    from hapsis.mechanics.model.contact_laws.felt import Felt as Felt
    from hapsis.mechanics.model.contact_laws.hunt_crossley import HuntCrossley as HuntCrossley
    from hapsis.mechanics.model.contact_laws.linear import Linear as Linear
    from hapsis.mechanics.model.contacts import Contact as Contact
    from hapsis.mechanics.model.design.component import Component as Component
    from hapsis.mechanics.model.design.drawn_joints import drawn_joints as drawn_joints
    from hapsis.mechanics.model.drives import Drive as Drive
    from hapsis.mechanics.model.forces.bushing import Bushing as Bushing
    from hapsis.mechanics.model.forces.controller import Controller as Controller
    from hapsis.mechanics.model.forces.friction import Friction as Friction
    from hapsis.mechanics.model.forces.joint_force import JointForce as JointForce
    from hapsis.mechanics.model.forces.joint_spring import JointSpring as JointSpring
    from hapsis.mechanics.model.forces.link import Link as Link
    from hapsis.mechanics.model.forces.spring import Spring as Spring
    from hapsis.mechanics.model.forces.stop import Stop as Stop
    from hapsis.mechanics.model.forces.tendon import Tendon as Tendon
    from hapsis.mechanics.model.forces.wrench import Wrench as Wrench
    from hapsis.mechanics.model.frames import WORLD as WORLD
    from hapsis.mechanics.model.frames import End as End
    from hapsis.mechanics.model.frames import Frame as Frame
    from hapsis.mechanics.model.frames import World as World
    from hapsis.mechanics.model.generalized_speed import Speed as Speed
    from hapsis.mechanics.model.joints.ball import Ball as Ball
    from hapsis.mechanics.model.joints.chain import Chain as Chain
    from hapsis.mechanics.model.joints.cylindrical import Cylindrical as Cylindrical
    from hapsis.mechanics.model.joints.free import Free as Free
    from hapsis.mechanics.model.joints.helical import Helical as Helical
    from hapsis.mechanics.model.joints.joint import Joint as Joint
    from hapsis.mechanics.model.joints.planar import Planar as Planar
    from hapsis.mechanics.model.joints.prismatic import Prismatic as Prismatic
    from hapsis.mechanics.model.joints.revolute import Revolute as Revolute
    from hapsis.mechanics.model.joints.universal import Universal as Universal
    from hapsis.mechanics.model.joints.weld import Weld as Weld
    from hapsis.mechanics.model.laws import LawState as LawState
    from hapsis.mechanics.model.laws import law as law
    from hapsis.mechanics.model.model import Model as Model
    from hapsis.mechanics.model.page.page import Page as Page
    from hapsis.mechanics.model.page.press import Press as Press
    from hapsis.mechanics.model.page.sound import Sound as Sound
    from hapsis.mechanics.model.result import Result as Result
    from hapsis.mechanics.model.runs.results import Results as Results
    from hapsis.mechanics.model.runs.sweep_table import Sweep as Sweep
    from hapsis.mechanics.model.sensors import Sensor as Sensor
    from hapsis.mechanics.model.shapes import lower_case as shapes  # noqa: F401
    from hapsis.mechanics.model.shapes.heightfield import Heightfield as Heightfield
    from hapsis.mechanics.model.shapes.hull import Hull as Hull
    from hapsis.mechanics.model.shapes.outline import Outline as Outline
    from hapsis.mechanics.model.shapes.shapes import Box as Box
    from hapsis.mechanics.model.shapes.shapes import Capsule as Capsule
    from hapsis.mechanics.model.shapes.shapes import Cylinder as Cylinder
    from hapsis.mechanics.model.shapes.shapes import Ellipsoid as Ellipsoid
    from hapsis.mechanics.model.shapes.shapes import Mesh as Mesh
    from hapsis.mechanics.model.shapes.shapes import Plane as Plane
    from hapsis.mechanics.model.shapes.shapes import Segment as Segment
    from hapsis.mechanics.model.shapes.shapes import Sphere as Sphere
    from hapsis.mechanics.model.shapes.surfaces import Surface as Surface
    from hapsis.mechanics.model.shapes.triangle_mesh import TriangleMesh as TriangleMesh
    from hapsis.mechanics.model.state import State as State
    from hapsis.mechanics.model.values.formula import Formula as Formula
    from hapsis.motion import particles as particles
    from hapsis.motion.analysis.assembly.assemble import assemble as assemble
    from hapsis.motion.analysis.assembly.assemblies import assemblies as assemblies
    from hapsis.motion.analysis.assembly.mate import mate as mate
    from hapsis.motion.analysis.assembly.partition import Partitioned as Partitioned
    from hapsis.motion.analysis.assembly.partition import partition as partition
    from hapsis.motion.analysis.assembly.recut import recut as recut
    from hapsis.motion.analysis.assembly.reduce import reduced_dynamics as reduced_dynamics
    from hapsis.motion.analysis.assembly.unique_reactions import UniqueReactions as UniqueReactions
    from hapsis.motion.analysis.assembly.unique_reactions import unique_reactions as unique_reactions
    from hapsis.motion.analysis.denavit_hartenberg.dh_rows import DHRow as DHRow
    from hapsis.motion.analysis.denavit_hartenberg.dh_rows import DHTable as DHTable
    from hapsis.motion.analysis.denavit_hartenberg.dh_table import dh_table as dh_table
    from hapsis.motion.analysis.denavit_hartenberg.from_dh import from_dh as from_dh
    from hapsis.motion.analysis.equilibrium.equilibrium import Equilibrium as Equilibrium
    from hapsis.motion.analysis.equilibrium.equilibrium import equilibrium as equilibrium
    from hapsis.motion.analysis.feet.complementarity import complementarity as complementarity
    from hapsis.motion.analysis.inverse_kinematics.reach import reach as reach
    from hapsis.motion.analysis.kane.constraint_reactions import constraint_reactions as constraint_reactions
    from hapsis.motion.analysis.kane.independent_speeds import independent_speeds as independent_speeds
    from hapsis.motion.analysis.kane.kane_equations import kane_equations as kane_equations
    from hapsis.motion.analysis.kane.kane_equations import linear_equations as linear_equations
    from hapsis.motion.analysis.kane.kane_equations import partial_velocities as partial_velocities
    from hapsis.motion.analysis.linear.linearize import Linearization as Linearization
    from hapsis.motion.analysis.linear.linearize import linearize as linearize
    from hapsis.motion.analysis.linear.modes import Modes as Modes
    from hapsis.motion.analysis.linear.modes import modes as modes
    from hapsis.motion.analysis.workspace.clearances import clearances as clearances
    from hapsis.motion.analysis.workspace.workspace import workspace as workspace
    from hapsis.motion.cycles.continue_cycle import Branch as Branch
    from hapsis.motion.cycles.continue_cycle import continue_cycle as continue_cycle
    from hapsis.motion.cycles.find_cycle import Cycle as Cycle
    from hapsis.motion.cycles.find_cycle import find_cycle as find_cycle
    from hapsis.motion.hybrid.actions import impact as impact
    from hapsis.motion.hybrid.actions import reset as reset
    from hapsis.motion.hybrid.actions import swap as swap
    from hapsis.motion.hybrid.files.hybrid_files import load as load
    from hapsis.motion.hybrid.files.hybrid_files import save as save
    from hapsis.motion.hybrid.hybrid import Hybrid as Hybrid
    from hapsis.motion.hybrid.readings import foot as foot
    from hapsis.motion.hybrid.readings import height as height
    from hapsis.motion.simulate.follow import follow as follow
    from hapsis.motion.simulate.gradient import Gradient as Gradient
    from hapsis.motion.simulate.gradient import gradient as gradient
    from hapsis.motion.simulate.identify import Identified as Identified
    from hapsis.motion.simulate.identify import identify as identify
    from hapsis.motion.simulate.program.export_program import export_program as export_program
    from hapsis.motion.simulate.run.events import Event as Event
    from hapsis.motion.simulate.sensitivities import Sensitivities as Sensitivities
    from hapsis.motion.simulate.sensitivities import sensitivities as sensitivities
    from hapsis.motion.simulate.simulate import simulate as simulate
    from hapsis.motion.simulate.stepper import stepper as stepper
    from hapsis.motion.simulate.sweep import sweep as sweep
    from hapsis.studies.catalogue import study as study
    from hapsis.studies.study import Study as Study
    from hapsis.touch import haptics as haptics
    from hapsis.touch import realtime as realtime
    from hapsis.touch import recording as recording


def __getattr__(name: str) -> Any:
    if name in _RENAMED:
        from hapsis.errors import notice

        notice(f"hs.{name} is now hs.{_RENAMED[name]}; the old name goes with the next version")
        name = _RENAMED[name]
    if name in _PACKAGES:
        return _imported(_PACKAGES[name])
    if name not in _WHERE:
        from hapsis.errors import near
        from hapsis.synonyms import NAMES, synonym

        hint = synonym(name, __all__, NAMES) or near(name, __all__)
        raise AttributeError(f"module 'hapsis' has no attribute {name!r}{hint}")
    value = getattr(_imported(_WHERE[name]), name)
    globals()[name] = value
    return value


def _imported(name: str) -> Any:
    """A module. The collector pauses meanwhile: it would look at every new object several times."""
    collects = gc.isenabled()
    gc.disable()
    try:
        return import_module(name)
    finally:
        if collects:
            gc.enable()


def __dir__() -> list[str]:
    return __all__
