"""Words of other programs for our names, for the hints of errors only.

    hs.simulate(model, 5.0, dt=0.01)    there is no argument "dt" (did you mean "step"?)

A word stands for the first of its names that is known where it was written, so one table serves all
verbs and facts: `dt` is `step` for `simulate`, and `step` is `dt` for `stepper`. Nothing is accepted
because it is here. Left out on purpose: words that are near to our names already.
"""

from collections.abc import Collection

# our names: what others call them
ARGUMENTS = {
    "step": "dt timestep time_step step_size stepsize delta_t h fixed_step",
    "dt": "step timestep time_step step_size stepsize delta_t h period",
    "tolerance": "tol rtol atol reltol abstol eps epsilon accuracy precision",
    "until": "t_end tend tf t_final t_max tmax tspan t_span duration stop_time end seconds T",
    "every": "t_eval saveat sample_time sampling output_step dt_out period interval",
    "start": "x0 q0 y0 state0 initial initial_state initial_conditions ics init qpos state at",
    "at": "start state q x0 position pos origin xyz translation",
    "near": "guess initial_guess x0 q0 seed_pose",
    "given": "start values x0 q0 constraints",
    "method": "solver integrator scheme algorithm ode",
    "longest_step": "max_step hmax dtmax max_dt max_step_size",
    "most_steps": "max_steps nsteps n_steps mxstep maxiters",
    "iterations": "max_iter maxiter max_iterations n_iter niter max_nfev",
    "inputs": "u controls control ctrl torque torques tau forces actuation efforts",
    "parameters": "params p theta args constants",
    "progress": "verbose show_progress bar",
    "threads": "workers n_jobs nthreads num_threads cores parallel",
    "title": "label caption heading",
    "seed": "random_state rng",
    "tries": "restarts n_restarts attempts",
    "held": "fixed locked hold",
    "path": "file filename fname filepath",
    "language": "lang target",
    "backend": "target engine",
    "frame": "body link site name",
    "axes": "reference_frame expressed_in",
    "independent": "minimal free_coordinates",
    "law": "model force function func callback",
    "rate": "frequency hz sampling_rate update_rate",
    "name": "id label",
    "first": "parent body1 body_a bodyA base from_ a predecessor",
    "second": "child body2 body_b bodyB follower to b successor",
    "joint": "coordinate dof",
    "axis": "direction dir normal",
    "mass": "m weight",
    "com": "cog cg center_of_mass centre_of_mass center centre mass_center ipos",
    "inertia": "I J moment_of_inertia inertia_tensor diaginertia fullinertia",
    "rpy": "rotation orientation euler euler_angles quat",
    "frames": "sites markers points",
    "shapes": "geometry geoms visual collision",
    "stiffness": "k ke spring_constant",
    "damping": "c d kd b viscosity",
    "length": "l l0 L L0 rest_length free_length height",
    "rest": "offset springref x0 q0 neutral",
    "size": "dimensions extents",
    "radius": "r",
    "limits": "range bounds limit joint_limits",
    "armature": "rotor_inertia motor_inertia",
    "friction": "mu coulomb frictionloss",
    "coulomb": "friction mu",
    "mu": "friction coefficient",
    "restitution": "e cor",
    "max_effort": "effort_limit forcerange",
    "max_speed": "velocity_limit",
    "gravity": "g",
}

# our names: what others call them; only what hs.NAME would be written with
NAMES = {
    "simulate": "integrate run solve odeint solve_ivp rollout forward step",
    "forward_dynamics": "aba mj_forward fd accelerations",
    "inverse_dynamics": "rnea mj_inverse id computed_torque",
    "mass_matrix": "crba inertia_matrix M",
    "bias": "nle nonlinear_effects coriolis gravity_terms",
    "pose": "fk forward_kinematics transform frame_placement",
    "velocity": "twist frame_velocity",
    "reach": "ik inverse_kinematics",
    "regressor": "joint_torque_regressor",
    "identify": "fit estimate calibrate",
    "equilibrium": "trim static_equilibrium statics steady_state",
    "modes": "eigen eig eigenmodes frequencies modal",
    "load": "read open from_file load_model from_urdf from_xml_path loadModel buildModelFromUrdf",
    "save": "write dump",
    "compile": "jit lambdify build njit",
    "export": "codegen generate ccode",
    "constraints": "constraint_jacobian",
    "Model": "System Multibody MultibodyPlant MjModel Robot Mechanism World",
    "Result": "Solution Trajectory",
    "Revolute": "Hinge Pin PinJoint RevoluteJoint HingeJoint Rotary",
    "Prismatic": "Slider Slide PrismaticJoint Translational",
    "Helical": "Screw ScrewJoint",
    "Ball": "Spherical SphericalJoint BallJoint Socket",
    "Free": "Floating FreeFlyer FreeJoint SixDof",
    "Weld": "Fixed FixedJoint Rigid Lock",
    "Universal": "Cardan Hooke UniversalJoint",
    "Body": "RigidBody Link Part",
    "Rod": "Bar Beam",
    "Drive": "Motor Actuator Servo",
    "JointForce": "Torque Motor JointTorque Effort",
    "Spring": "SpringDamper Damper TSDA",
    "JointSpring": "TorsionSpring RotationalSpring RSDA",
    "Stop": "Limit Bumper EndStop",
    "Wrench": "Force Torque ExternalForce",
    "Controller": "Control PID",
    "Tendon": "Cable Rope",
    "Distance": "RigidLink DistanceConstraint",
    "WORLD": "ground GROUND world inertial origin",
    "Box": "Cuboid Block",
    "where": "if_else piecewise Piecewise select ifelse",
    "minimum": "min fmin",
    "maximum": "max fmax",
    "power": "pow",
    "asin": "arcsin",
    "acos": "arccos",
    "atan": "arctan",
    "atan2": "arctan2",
}


def synonym(word: str, known: Collection[str], table: dict[str, str]) -> str:
    """The end of an error message, ` (did you mean "x"?)`, or nothing where the table has no known name."""
    for name, words in table.items():
        if name in known and word in words.split():
            return f' (did you mean "{name}"?)'
    return ""
