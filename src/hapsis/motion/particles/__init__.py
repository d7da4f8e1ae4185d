"""Objects of particles: connectors, steps that follow the energy, floors [Joukhadar]."""

from hapsis.motion.particles.filling.polygon import polygon, polyhedron, sweep
from hapsis.motion.particles.filling.refined import Refined, refined
from hapsis.motion.particles.filling.solid import solid
from hapsis.motion.particles.filling.tetrahedra import tetrahedra
from hapsis.motion.particles.objects.cells import Cells
from hapsis.motion.particles.objects.connectors import Connectors, JointSpring, LinearSpring, TorsionSpring
from hapsis.motion.particles.objects.cord import Cord, ligament
from hapsis.motion.particles.objects.joints import prismatic, revolute
from hapsis.motion.particles.objects.material import MATERIALS, Material
from hapsis.motion.particles.objects.particle_object import ParticleObject
from hapsis.motion.particles.objects.rigidity import braced, free_motions
from hapsis.motion.particles.objects.terrain import terrain
from hapsis.motion.particles.runs.rest import Rest, rest
from hapsis.motion.particles.runs.settle import Settled, settle
from hapsis.motion.particles.runs.simulate_all import simulate_all
from hapsis.motion.particles.scenes.anchor import Anchor
from hapsis.motion.particles.scenes.body_contact import BodyContact
from hapsis.motion.particles.scenes.floor import Floor
from hapsis.motion.particles.scenes.hands import Grab, Probe
from hapsis.motion.particles.scenes.scene import EnergyStep, Scene
from hapsis.motion.particles.scenes.touch import Medium, Touch
from hapsis.motion.particles.tasks.attractor import attractor
from hapsis.motion.particles.tasks.find_way import Way, find_way
from hapsis.motion.particles.tasks.passive_arm import passive_arm, tool_attractor

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
