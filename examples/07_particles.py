"""A deformable cube falls on a floor: particles, connectors, and steps that follow the energy."""

import hapsis as hs

cube = hs.particles.solid("cube", hs.shapes.box(0.1, 0.1, 0.1), mass=0.5, stiffness=2000, damping=5)
scene = hs.particles.Scene(cube.at(0, 0, 0.3), hs.particles.Floor(stiffness=2000, friction=0.4))
result = hs.simulate(scene, until=3.0)  # energy-adaptive step

print(result)
print(f"height {result['cube.z'][-1]:.5f} m, steps {result.report['steps']}, drift {result.energy_drift:.1e}")
result.plot("kinetic", "potential", "dissipated", title="A cube falls").save("cube.html")
