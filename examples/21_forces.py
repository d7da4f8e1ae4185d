"""A lift gate with a gas spring, a stop, friction and a motor: what each force did, in joules."""

import numpy as np

import hapsis as hs


def motor(position, speed, voltage=24.0, R=1.0, L=5e-3, k=0.8, current=hs.LawState(0.0)):
    """A motor with inductance behind a gear of 20: its current is a state."""
    return 20 * k * current, {"current": (voltage - R * current - 20 * k * speed) / L}


gate = hs.Model(
    hs.Rod("gate", length=2.0, mass=12.0),
    hs.Revolute("hinge", hs.WORLD.at(0, 0, 1.0), "gate", axis="-y", limits=(0.0, 1.4)),
    hs.Spring("gas", hs.WORLD.at(0.3, 0, 0.4), ("gate", (0.5, 0, 0)), stiffness=300, length=1.2),
    hs.Stop("bumper", "hinge", stiffness=4000, damping=300),
    hs.Friction("bearing", "hinge", coulomb=4.0, static=6.0),
    hs.JointForce("motor", "hinge", law=motor),
)
result = hs.simulate(gate, until=4.0, every=0.001)
print(result, result.report["method"])

# work is effort times way: of each force, from its own signal
way = result["hinge"]
for name in ("bumper.effort", "bearing.effort", "motor.effort"):
    print(f"{name:16} {np.trapezoid(result[name], way):9.3f} J")
print(f"{'gas spring':16} {np.trapezoid(-result['gas.force'], result['gas.length']):9.3f} J")
print(f"{'energy':16} {result['energy'][-1] - result['energy'][0]:9.3f} J gained")
print(f"{'work':16} {result['work'][-1]:9.3f} J by the motor, less what was lost")
assert result.success and result.energy_drift < 1e-6
assert np.isclose(result["energy"][-1] - result["energy"][0], result["work"][-1], rtol=1e-6)

# half the voltage: nothing is compiled again
weak = hs.simulate(gate, until=4.0, parameters={"motor.voltage": 12.0})
print(f"open to {way[-1]:.3f} rad; with 12 V to {weak['hinge'][-1]:.3f} rad")
