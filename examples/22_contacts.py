"""Sphere, box and capsule fall on a floor and on each other: laws, friction, events."""

import numpy as np

import hapsis as hs


def body(name, shape, mass, size):
    """A solid that moves freely, about as heavy to turn as a ball of that size."""
    inertia = 0.4 * mass * size**2
    solid = hs.Body(name, mass=mass, inertia=(inertia,) * 3, shapes=[shape])
    return [solid, hs.Free(name, hs.WORLD, name)]


names = ("ball", "box", "pill")
firm = hs.HuntCrossley(stiffness=1e5, restitution=0.4)
floor = hs.WORLD.plane("z")
scene = hs.Model(
    body("ball", hs.Sphere(0.1), 1.0, 0.1),
    body("box", hs.Box((0.3, 0.3, 0.2)), 3.0, 0.15),
    body("pill", hs.Capsule(0.06, 0.3), 1.0, 0.12),
    [hs.Contact(f"{n} floor", hs.Surface(n), floor, law=firm, friction=0.5) for n in names],
    [
        hs.Contact(f"{a} {b}", hs.Surface(a), hs.Surface(b), law=firm, friction=0.5)
        for a, b in (("ball", "box"), ("ball", "pill"), ("pill", "box"))
    ],
)
start = {
    "box.z": 0.12,
    "ball.x": 0.05,
    "ball.z": 0.8,
    "pill.x": 0.1,
    "pill.z": 0.5,
    "pill.qw": np.cos(0.7),
    "pill.qx": np.sin(0.7),
}
result = hs.simulate(scene, until=2.0, start=start, method="order5", tolerance=1e-7)
print(result, result.report["method"], result.report["steps"])

# when each pair first met, and its largest force
for contact in scene.contacts:
    times = [event.time for event in result.events if event.name == f"{contact}.touch"]
    met = f"at {times[0]:.4f} s, {len(times)} times" if times else "never"
    print(f"{contact:12} {met:24} {result[f'{contact}.force'].max():9.1f} N")

# it ends at rest, or rolls: the floor carries all
weight = 9.81 * 5.0
carried = sum(result[f"{name} floor.push"][-200:, 2].mean() for name in names)
print(f"the floor carries {carried:.2f} N of {weight:.2f} N")
assert result.success and result.energy_drift < 1e-4
assert abs(carried - weight) < 0.1 * weight
