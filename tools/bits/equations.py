"""Programs on the equations of trees and of loops: one for each verb that gives a Function."""

import numpy as np

import hapsis as hs
from bits import program
from bits.scenes import MODELS, double_pendulum, four_bar, many_joints, state_of


@program("equations.dynamics")
def dynamics():
    """Mass matrix, bias, inverse and forward dynamics of a tree with every joint."""
    model = many_joints()
    q, v, a = state_of(model)
    outputs = {}
    for passive in (True, False):
        tau = hs.compile(hs.inverse_dynamics(model, passive=passive))(q, v, a)
        outputs[f"tau {passive}"] = tau
        outputs[f"a {passive}"] = hs.compile(hs.forward_dynamics(model, passive=passive))(q, v, tau)
        outputs[f"c {passive}"] = hs.compile(hs.bias(model, passive=passive))(q, v)
    return outputs | {"M": hs.compile(hs.mass_matrix(model))(q)}


@program("equations.listings")
def listings():
    """Listings and counts of the equations of a robot and of a closed loop."""
    arm, loop = hs.load(MODELS / "arm.urdf"), four_bar()
    return {
        "arm mass matrix": hs.mass_matrix(arm),
        "arm inverse": hs.inverse_dynamics(arm),
        "arm forward": hs.forward_dynamics(arm),
        "arm bias": hs.bias(arm),
        "arm energy": hs.energy(arm),
        "loop constraints": hs.constraints(loop),
        "loop forward": hs.forward_dynamics(loop),
        "loop multipliers": hs.multipliers(loop),
        "arm c": hs.source(hs.forward_dynamics(arm), "c"),
    }


@program("equations.derivatives")
def derivatives():
    """Slopes of inverse and forward dynamics, and of a Function by its raw inputs."""
    model = many_joints()
    q, v, a = state_of(model, 2)
    f = hs.inverse_dynamics(model)
    tau = hs.compile(f)(q, v, a)
    return {
        "inverse": hs.compile(hs.derivatives(model))(q, v, a),
        "forward": hs.compile(hs.derivatives(model, "forward_dynamics"))(q, v, tau),
        "raw": hs.compile(f.jacobian("tau", "q"))(q, v, a),
        "by mass": hs.compile(f.jacobian("tau", "turn.mass"))(q, v, a),
    }


@program("equations.kinematics")
def kinematics():
    """Pose, velocity, acceleration, Jacobian and its rate, in both axes."""
    model = many_joints()
    q, v, a = state_of(model, 3)
    outputs = {"pose": hs.compile(hs.pose(model, "cuff.tip"))(q)}
    outputs["rates"] = hs.compile(hs.coordinate_rates(model))(q, v)
    for axes in ("world", "frame"):
        for verb, inputs in (
            (hs.velocity, (q, v)),
            (hs.acceleration, (q, v, a)),
            (hs.jacobian, (q,)),
            (hs.jacobian_rate, (q, v)),
        ):
            outputs[f"{verb.__name__} {axes}"] = hs.compile(verb(model, "screw.tip", axes=axes))(*inputs)
    return outputs


@program("equations.energy")
def energy():
    """Energies, momentum, centre of mass, measurements, reactions, regressor."""
    model = many_joints()
    q, v, a = state_of(model, 4)
    return {
        "energy": hs.compile(hs.energy(model))(q, v),
        "momentum": hs.compile(hs.momentum(model))(q, v),
        "centre": hs.compile(hs.center_of_mass(model))(q),
        "sensors": tuple(hs.compile(hs.measurements(model))(q, v, a)),
        "reaction": hs.compile(hs.reaction(model, "J screw"))(q, v, a),
        "in the world": hs.compile(hs.reaction(model, "J weld", "world"))(q, v, a),
        "reactions": tuple(hs.compile(hs.reactions(model))(q, v, a)),
        "regressor": hs.compile(hs.regressor(model))(q, v, a),
    }


@program("equations.inertial_parameters")
def inertial_parameters():
    """What the regressor multiplies, and which combinations show."""
    model = hs.load(MODELS / "arm.urdf")
    base = hs.base_parameters(model)
    return {
        "all": dict(hs.inertial_parameters(model)),
        "names": "\n".join(base.names),
        "grouping": base.grouping,
        "columns": np.array(base.columns),
    }


@program("equations.loops")
def loops():
    """Constraints, accelerations, multipliers and reactions of a closed state."""
    model = four_bar(hs.Sensor("pin", "reaction", "C"), hs.Sensor("motor", "effort", "A"))
    state = hs.assemble(model, {"A": 0.3, "A.v": 1.0})
    tau = np.array([0.1, 0.0, -0.2])
    a, lam = hs.compile(hs.forward_dynamics(model))(state.q, state.v, tau)
    reduced = hs.reduced_dynamics(model)
    return {
        "rows": hs.compile(hs.constraints(model))(state.q, state.v),
        "a": a,
        "lam": lam,
        "multipliers": hs.compile(hs.multipliers(model))(state.q, state.v, a, tau),
        "reactions": tuple(hs.compile(hs.reactions(model))(state.q, state.v, a, lam)),
        "sensors": tuple(hs.compile(hs.measurements(model))(state.q, state.v, a, lam)),
        "reduced": hs.compile(reduced)(state.q, state.v, tau),
        "cost": str(reduced.cost()),
    }


@program("equations.every_constraint")
def every_constraint():
    """Rows of every joint that closes a loop, and of every constraint."""
    box = {
        "mass": 1.0,
        "inertia": (0.1, 0.2, 0.3),
        "frames": {"tip": hs.Frame((0.3, 0.1, 0.2), (0.1, 0.2, 0.3))},
    }
    free = ([hs.Body(name, **box) for name in ("a", "b")], [hs.Free(n, hs.WORLD, n) for n in ("a", "b")])
    ends = ("a.tip", "b")
    facts = {
        "ball": hs.Ball("c", *ends),
        "revolute": hs.Revolute("c", *ends, axis="y"),
        "universal": hs.Universal("c", *ends),
        "weld": hs.Weld("c", *ends),
        "prismatic": hs.Prismatic("c", *ends, axis=(1, 1, 0)),
        "planar": hs.Planar("c", *ends),
        "cylindrical": hs.Cylindrical("c", *ends),
        "helical": hs.Helical("c", *ends, pitch=0.1),
        "distance": hs.Distance("c", *ends, length="0.4 + 0.1 * t"),
        "surface": hs.OnSurface("c", *ends, lambda x, y, z, r=0.5: x * x + y * y + z * z - r * r),
        "curve": hs.OnCurve("c", *ends, lambda x, y, z: (y - x * x, z - hs.sin(x))),
        "rolling": hs.Rolling("c", "a", hs.WORLD, radius=0.2),
        "own": hs.Constraint("c", rows=lambda s: s["a.x"] - hs.sin(s["b.y"]) + s.t),
        "skate": hs.Constraint("c", speeds=lambda s: s["a.vx"] - 2.0 * s["b.wz"]),
    }
    outputs = {}
    for name, fact in facts.items():
        model = hs.Model(*free, fact)
        q, v, _ = state_of(model, 5)
        f = hs.constraints(model)
        outputs[name] = hs.compile(f)(q, v, 0.3) if len(f.inputs) == 3 else hs.compile(f)(q, v)
    geared = double_pendulum(hs.Gear("c", "shoulder", "elbow", ratio=0.3, offset=0.1))
    return outputs | {"gear": hs.compile(hs.constraints(geared))([0.1, 0.2], [0.3, 0.4])}


@program("equations.changed_models")
def changed_models():
    """A part twice with prefixes, other numbers, formulas of parameters."""
    arm = double_pendulum().replace("lower", mass=0.5)
    shoulders = {"l": hs.Frame((0, 0.2, 0), rpy=(0, 0, 0.3)), "r": (0, -0.2, 0)}
    torso = hs.Model(
        hs.Body("torso", mass=10.0, inertia=(1, 1, 1), frames=shoulders), hs.Weld("s", hs.WORLD, "torso")
    )
    both = torso + arm.prefixed("left", on="torso.l") + arm.prefixed("right", on="torso.r")
    tube = hs.Model(
        hs.Rod("tube", length="L", mass="rho * L"),
        hs.Revolute("h", hs.WORLD, "tube", axis="y"),
        parameters={"L": 0.5, "rho": 2.0},
    )
    q, v, a = state_of(both, 6)
    weight = hs.compile(hs.bias(tube))
    return {
        "both": hs.compile(hs.inverse_dynamics(both))(q, v, a),
        "names": "\n".join(both.coordinates),
        "moon": hs.compile(hs.bias(both.replace(gravity=(0, 0, -1.62))))(q, v),
        "lengths": weight(np.zeros((9, 1)), np.zeros((9, 1)), p={"L": np.linspace(0.1, 1, 9)}),
    }
