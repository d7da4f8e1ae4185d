"""The agile eye: three motors turn a sphere about its centre, through arms that weigh nothing."""

import numpy as np

import hapsis as hs

MOTORS = ("q9", "q18", "q27")
TURNS = ("q4", "q5", "q6")  # of the eye, about x, y and z


def motors(
    s,
    stiffness=20.0,
    damping=2.0,
    torque1=0.1,
    torque2=0.1,
    torque3=0.1,
    target1=-0.7,
    target2=-0.7,
    target3=-0.7,
):
    """A sinusoidal torque on each motor, and a spring and damper to where it shall stand."""
    torques, targets = (torque1, torque2, torque3), (target1, target2, target3)
    return {
        q: torque * hs.sin(6.0 * s.t) + stiffness * (target - s[q]) - damping * s[f"{q}.v"]
        for q, torque, target in zip(MOTORS, torques, targets, strict=True)
    }


def run(**values):
    """A second of motion, with other values in the law of the motors."""
    given = {f"motors.{name}": value for name, value in values.items()}
    result = hs.simulate(model, until=1.0, start=start, every=0.01, parameters=given)
    assert result.success and result.constraint_error < 1e-12 and result.energy_drift < 1e-6
    return result


model = hs.Model(hs.library.agile_eye(), hs.Controller("motors", motors))
start = hs.assemble(model)  # from the open pose of the table
print(start.report)

# the same torque on all motors, then another one on the third: no spring, no damper
equal = run(stiffness=0.0, damping=0.0)
other = run(stiffness=0.0, damping=0.0, torque3=-0.05)
for name, result in (("equal torques", equal), ("another one", other)):
    turned = [np.ptp(result[q]) for q in TURNS]
    moved = max(np.ptp(result[q]) for q in ("q1", "q2", "q3"))
    print(f"{name:14} the eye turns by {np.round(turned, 6)} rad; its centre by {moved:.1e} m")

# spring and damper alone lead the motors to where the eye looks as it shall
aim = {"q4": 0.1, "q5": -0.15, "q6": 0.2}
wanted = hs.assemble(model, aim)
targets = {f"target{k}": wanted[q] for k, q in enumerate(MOTORS, 1)}
led = run(torque1=0.0, torque2=0.0, torque3=0.0, **targets)
missed = max(abs(led[q][-1] - x) for q, x in aim.items())
print(f"led to {aim}: within {missed:.1e} rad after {led.t[-1]:g} s")

assert np.ptp(equal["q6"]) > 0.1 and max(np.ptp(equal[q]) for q in TURNS[:2]) < 1e-9
assert min(np.ptp(other[q]) for q in TURNS) > 0.02 and missed < 1e-2
