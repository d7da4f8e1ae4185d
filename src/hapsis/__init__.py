"""Hapsis: a compiler for mechanics with a person in the loop."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

# public name -> module; imported on first use, so that `hapsis doctor` runs on a broken install
_HOMES = {
    "hapsis.errors": "Error ModelError CompileError SolveError DeviceError Notice",
    "hapsis.compiler.ir.expr": "Expr symbol symbols parameter same",
    "hapsis.compiler.ir.functions": (
        "sqrt sin cos tan asin acos atan atan2 exp log tanh power abs sign floor ceil minimum "
        "maximum clip where hypot"
    ),
    "hapsis.compiler.ir.function": "Function",
    "hapsis.compiler.ir.blocks": "call map repeat",
    "hapsis.compiler.ir.tables": "table interpolated",
    "hapsis.compiler.ir.printing": "formula",
    "hapsis.compiler.ir.latex": "latex",
    "hapsis.compiler.ir.sympy_bridge": "to_sympy",
    "hapsis.compiler.passes.explain": "explain",
    "hapsis.compiler.passes.steps": "vector_steps",
    "hapsis.compiler.backends.compiling": "compile",
    "hapsis.compiler.backends.export": "source export",
    "hapsis.compiler.backends.bounds": "error_bound",
    "hapsis.mechanics.model.formula": "Formula",
    "hapsis.mechanics.model.frames": "Frame World WORLD End",
    "hapsis.mechanics.model.bodies": "Body Rod",
    "hapsis.mechanics.model.shapes": "Box Sphere Cylinder Capsule Mesh Plane Segment",
    "hapsis.mechanics.model.heightfield": "Heightfield",
    "hapsis.mechanics.model.joint": "Joint",
    "hapsis.mechanics.model.revolute": "Revolute",
    "hapsis.mechanics.model.prismatic": "Prismatic",
    "hapsis.mechanics.model.helical": "Helical",
    "hapsis.mechanics.model.cylindrical": "Cylindrical",
    "hapsis.mechanics.model.universal": "Universal",
    "hapsis.mechanics.model.planar": "Planar",
    "hapsis.mechanics.model.chain": "Chain",
    "hapsis.mechanics.model.ball": "Ball",
    "hapsis.mechanics.model.free": "Free",
    "hapsis.mechanics.model.weld": "Weld",
    "hapsis.mechanics.model.constraints": "Distance Constraint Gear Rolling",
    "hapsis.mechanics.model.on_surface": "OnSurface OnCurve",
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
    "hapsis.mechanics.model.surfaces": "Surface",
    "hapsis.mechanics.model.contact_laws.linear": "Linear",
    "hapsis.mechanics.model.contact_laws.hunt_crossley": "HuntCrossley",
    "hapsis.mechanics.model.contact_laws.felt": "Felt",
    "hapsis.mechanics.model.contact_laws.coulomb": "Coulomb",
    "hapsis.mechanics.model.drives": "Drive",
    "hapsis.mechanics.model.sensors": "Sensor",
    "hapsis.mechanics.model.model": "Model",
    "hapsis.mechanics.model.state": "State",
    "hapsis.mechanics.formalisms.kinematics": ("pose velocity acceleration jacobian jacobian_rate"),
    "hapsis.mechanics.formalisms.coordinate_rates": "coordinate_rates",
    "hapsis.mechanics.formalisms.inverse_dynamics": "inverse_dynamics bias",
    "hapsis.mechanics.formalisms.mass_matrix": "mass_matrix",
    "hapsis.mechanics.formalisms.forward_dynamics": "forward_dynamics",
    "hapsis.mechanics.formalisms.derivatives": "derivatives",
    "hapsis.mechanics.formalisms.constraints": "constraints",
    "hapsis.mechanics.formalisms.energy": "energy momentum center_of_mass",
    "hapsis.mechanics.formalisms.constrained_dynamics": "multipliers",
    "hapsis.mechanics.formalisms.reactions": "reaction reactions",
    "hapsis.mechanics.formalisms.measurements": "measurements",
    "hapsis.mechanics.formalisms.regressor": (
        "regressor inertial_parameters base_parameters BaseParameters"
    ),
    "hapsis.mechanics.formats.loading": "load save",
    "hapsis.mechanics.model.result": "Result",
    "hapsis.motion.analysis.reach": "reach",
    "hapsis.motion.analysis.assemble": "assemble",
    "hapsis.motion.analysis.assemblies": "assemblies",
    "hapsis.motion.analysis.recut": "recut",
    "hapsis.motion.analysis.reduce": "reduced_dynamics",
    "hapsis.motion.analysis.partition": "partition Partitioned",
    "hapsis.motion.analysis.equilibrium": "equilibrium Equilibrium",
    "hapsis.motion.analysis.linearize": "linearize Linearization",
    "hapsis.motion.analysis.modes": "modes Modes",
    "hapsis.motion.simulate.follow": "follow",
    "hapsis.motion.analysis.unique_reactions": "unique_reactions UniqueReactions",
    "hapsis.motion.simulate.simulate": "simulate",
    "hapsis.motion.simulate.events": "Event",
    "hapsis.motion.simulate.stepper": "stepper",
    "hapsis.motion.simulate.sensitivities": "sensitivities Sensitivities",
    "hapsis.motion.simulate.adjoint": "gradient Gradient",
    "hapsis.motion.simulate.identify": "identify Identified",
}
_PACKAGES = {  # sub-packages that programs meet by name
    "library": "hapsis.library",
    "realtime": "hapsis.touch.realtime",
    "haptics": "hapsis.touch.haptics",
    "link": "hapsis.touch.link",
}
_WHERE = {name: module for module, names in _HOMES.items() for name in names.split()}

__all__ = ["__version__", *sorted([*_WHERE, *_PACKAGES])]  # pyright: ignore[reportUnsupportedDunderAll]

if TYPE_CHECKING:
    from hapsis import library as library
    from hapsis.compiler.backends.bounds import error_bound as error_bound
    from hapsis.compiler.backends.compiling import compile as compile
    from hapsis.compiler.backends.export import export as export
    from hapsis.compiler.backends.export import source as source
    from hapsis.compiler.ir.blocks import call as call
    from hapsis.compiler.ir.blocks import map as map
    from hapsis.compiler.ir.blocks import repeat as repeat
    from hapsis.compiler.ir.expr import Expr as Expr
    from hapsis.compiler.ir.expr import parameter as parameter
    from hapsis.compiler.ir.expr import same as same
    from hapsis.compiler.ir.expr import symbol as symbol
    from hapsis.compiler.ir.expr import symbols as symbols
    from hapsis.compiler.ir.function import Function as Function
    from hapsis.compiler.ir.functions import *  # noqa: F403
    from hapsis.compiler.ir.latex import latex as latex
    from hapsis.compiler.ir.printing import formula as formula
    from hapsis.compiler.ir.sympy_bridge import to_sympy as to_sympy
    from hapsis.compiler.ir.tables import interpolated as interpolated
    from hapsis.compiler.ir.tables import table as table
    from hapsis.compiler.passes.explain import explain as explain
    from hapsis.compiler.passes.steps import vector_steps as vector_steps
    from hapsis.errors import CompileError as CompileError
    from hapsis.errors import DeviceError as DeviceError
    from hapsis.errors import Error as Error
    from hapsis.errors import ModelError as ModelError
    from hapsis.errors import Notice as Notice
    from hapsis.errors import SolveError as SolveError
    from hapsis.mechanics.formalisms.constrained_dynamics import multipliers as multipliers
    from hapsis.mechanics.formalisms.constraints import constraints as constraints
    from hapsis.mechanics.formalisms.coordinate_rates import coordinate_rates as coordinate_rates
    from hapsis.mechanics.formalisms.derivatives import derivatives as derivatives
    from hapsis.mechanics.formalisms.energy import center_of_mass as center_of_mass
    from hapsis.mechanics.formalisms.energy import energy as energy
    from hapsis.mechanics.formalisms.energy import momentum as momentum
    from hapsis.mechanics.formalisms.forward_dynamics import forward_dynamics as forward_dynamics
    from hapsis.mechanics.formalisms.inverse_dynamics import bias as bias
    from hapsis.mechanics.formalisms.inverse_dynamics import inverse_dynamics as inverse_dynamics
    from hapsis.mechanics.formalisms.kinematics import acceleration as acceleration
    from hapsis.mechanics.formalisms.kinematics import jacobian as jacobian
    from hapsis.mechanics.formalisms.kinematics import jacobian_rate as jacobian_rate
    from hapsis.mechanics.formalisms.kinematics import pose as pose
    from hapsis.mechanics.formalisms.kinematics import velocity as velocity
    from hapsis.mechanics.formalisms.mass_matrix import mass_matrix as mass_matrix
    from hapsis.mechanics.formalisms.measurements import measurements as measurements
    from hapsis.mechanics.formalisms.reactions import reaction as reaction
    from hapsis.mechanics.formalisms.reactions import reactions as reactions
    from hapsis.mechanics.formalisms.regressor import BaseParameters as BaseParameters
    from hapsis.mechanics.formalisms.regressor import base_parameters as base_parameters
    from hapsis.mechanics.formalisms.regressor import inertial_parameters as inertial_parameters
    from hapsis.mechanics.formalisms.regressor import regressor as regressor
    from hapsis.mechanics.formats.loading import load as load
    from hapsis.mechanics.formats.loading import save as save
    from hapsis.mechanics.model.ball import Ball as Ball
    from hapsis.mechanics.model.bodies import Body as Body
    from hapsis.mechanics.model.bodies import Rod as Rod
    from hapsis.mechanics.model.chain import Chain as Chain
    from hapsis.mechanics.model.constraints import Constraint as Constraint
    from hapsis.mechanics.model.constraints import Distance as Distance
    from hapsis.mechanics.model.constraints import Gear as Gear
    from hapsis.mechanics.model.constraints import Rolling as Rolling
    from hapsis.mechanics.model.contact_laws.coulomb import Coulomb as Coulomb
    from hapsis.mechanics.model.contact_laws.felt import Felt as Felt
    from hapsis.mechanics.model.contact_laws.hunt_crossley import HuntCrossley as HuntCrossley
    from hapsis.mechanics.model.contact_laws.linear import Linear as Linear
    from hapsis.mechanics.model.contacts import Contact as Contact
    from hapsis.mechanics.model.cylindrical import Cylindrical as Cylindrical
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
    from hapsis.mechanics.model.formula import Formula as Formula
    from hapsis.mechanics.model.frames import WORLD as WORLD
    from hapsis.mechanics.model.frames import End as End
    from hapsis.mechanics.model.frames import Frame as Frame
    from hapsis.mechanics.model.frames import World as World
    from hapsis.mechanics.model.free import Free as Free
    from hapsis.mechanics.model.heightfield import Heightfield as Heightfield
    from hapsis.mechanics.model.helical import Helical as Helical
    from hapsis.mechanics.model.joint import Joint as Joint
    from hapsis.mechanics.model.laws import LawState as LawState
    from hapsis.mechanics.model.laws import law as law
    from hapsis.mechanics.model.model import Model as Model
    from hapsis.mechanics.model.on_surface import OnCurve as OnCurve
    from hapsis.mechanics.model.on_surface import OnSurface as OnSurface
    from hapsis.mechanics.model.planar import Planar as Planar
    from hapsis.mechanics.model.prismatic import Prismatic as Prismatic
    from hapsis.mechanics.model.result import Result as Result
    from hapsis.mechanics.model.revolute import Revolute as Revolute
    from hapsis.mechanics.model.sensors import Sensor as Sensor
    from hapsis.mechanics.model.shapes import Box as Box
    from hapsis.mechanics.model.shapes import Capsule as Capsule
    from hapsis.mechanics.model.shapes import Cylinder as Cylinder
    from hapsis.mechanics.model.shapes import Mesh as Mesh
    from hapsis.mechanics.model.shapes import Plane as Plane
    from hapsis.mechanics.model.shapes import Segment as Segment
    from hapsis.mechanics.model.shapes import Sphere as Sphere
    from hapsis.mechanics.model.state import State as State
    from hapsis.mechanics.model.surfaces import Surface as Surface
    from hapsis.mechanics.model.universal import Universal as Universal
    from hapsis.mechanics.model.weld import Weld as Weld
    from hapsis.motion.analysis.assemble import assemble as assemble
    from hapsis.motion.analysis.assemblies import assemblies as assemblies
    from hapsis.motion.analysis.equilibrium import Equilibrium as Equilibrium
    from hapsis.motion.analysis.equilibrium import equilibrium as equilibrium
    from hapsis.motion.analysis.linearize import Linearization as Linearization
    from hapsis.motion.analysis.linearize import linearize as linearize
    from hapsis.motion.analysis.modes import Modes as Modes
    from hapsis.motion.analysis.modes import modes as modes
    from hapsis.motion.analysis.partition import Partitioned as Partitioned
    from hapsis.motion.analysis.partition import partition as partition
    from hapsis.motion.analysis.reach import reach as reach
    from hapsis.motion.analysis.recut import recut as recut
    from hapsis.motion.analysis.reduce import reduced_dynamics as reduced_dynamics
    from hapsis.motion.analysis.unique_reactions import UniqueReactions as UniqueReactions
    from hapsis.motion.analysis.unique_reactions import unique_reactions as unique_reactions
    from hapsis.motion.simulate.adjoint import Gradient as Gradient
    from hapsis.motion.simulate.adjoint import gradient as gradient
    from hapsis.motion.simulate.events import Event as Event
    from hapsis.motion.simulate.follow import follow as follow
    from hapsis.motion.simulate.identify import Identified as Identified
    from hapsis.motion.simulate.identify import identify as identify
    from hapsis.motion.simulate.sensitivities import Sensitivities as Sensitivities
    from hapsis.motion.simulate.sensitivities import sensitivities as sensitivities
    from hapsis.motion.simulate.simulate import simulate as simulate
    from hapsis.motion.simulate.stepper import stepper as stepper
    from hapsis.touch import haptics as haptics
    from hapsis.touch import link as link
    from hapsis.touch import realtime as realtime


def __getattr__(name: str) -> Any:
    if name in _PACKAGES:
        return import_module(_PACKAGES[name])
    if name not in _WHERE:
        from hapsis.errors import near

        raise AttributeError(f"module 'hapsis' has no attribute {name!r}{near(name, __all__)}")
    value = getattr(import_module(_WHERE[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
