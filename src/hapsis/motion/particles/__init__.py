"""Objects of particles: connectors, steps that follow the energy, floors [Joukhadar]."""

from hapsis.motion.particles.anchor import Anchor
from hapsis.motion.particles.attractor import attractor
from hapsis.motion.particles.body_contact import BodyContact
from hapsis.motion.particles.cells import Cells
from hapsis.motion.particles.connectors import Connectors, JointSpring, LinearSpring, TorsionSpring
from hapsis.motion.particles.cord import Cord, ligament
from hapsis.motion.particles.find_way import Way, find_way
from hapsis.motion.particles.floor import Floor
from hapsis.motion.particles.hands import Grab, Probe
from hapsis.motion.particles.joints import prismatic, revolute
from hapsis.motion.particles.material import MATERIALS, Material
from hapsis.motion.particles.particle_object import ParticleObject
from hapsis.motion.particles.passive_arm import passive_arm, tool_attractor
from hapsis.motion.particles.polygon import polygon, polyhedron, sweep
from hapsis.motion.particles.refined import Refined, refined
from hapsis.motion.particles.rest import Rest, rest
from hapsis.motion.particles.rigidity import braced, free_motions
from hapsis.motion.particles.scene import EnergyStep, Scene
from hapsis.motion.particles.settle import Settled, settle
from hapsis.motion.particles.simulate_all import simulate_all
from hapsis.motion.particles.solid import solid
from hapsis.motion.particles.terrain import terrain
from hapsis.motion.particles.tetrahedra import tetrahedra
from hapsis.motion.particles.touch import Medium, Touch

__all__ = [
    "MATERIALS",
    "Anchor",
    "BodyContact",
    "Cells",
    "Connectors",
    "Cord",
    "EnergyStep",
    "Floor",
    "Grab",
    "JointSpring",
    "LinearSpring",
    "Material",
    "Medium",
    "ParticleObject",
    "Probe",
    "Refined",
    "Rest",
    "Scene",
    "Settled",
    "TorsionSpring",
    "Touch",
    "Way",
    "attractor",
    "braced",
    "find_way",
    "free_motions",
    "ligament",
    "passive_arm",
    "polygon",
    "polyhedron",
    "prismatic",
    "refined",
    "rest",
    "revolute",
    "settle",
    "simulate_all",
    "solid",
    "sweep",
    "terrain",
    "tetrahedra",
    "tool_attractor",
]
