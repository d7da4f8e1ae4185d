"""A small action for tests of pages: a key that throws a hammer against a string, and its damper."""

import hapsis as hs


def key_and_hammer():
    """The finger presses at (-0.22, 0); the hammer is let go before the string, which it meets by itself."""

    def ball(body, x, y, r):
        return (hs.End(body, hs.Frame((x, y, 0))), hs.Sphere(r))

    def floor(y, normal="y"):
        return (hs.WORLD.at(0, y, 0), hs.Plane(normal))

    key = [
        hs.Outline(
            [(-0.24, -0.012, 0.004), (0.21, -0.012), (0.21, 0.009), (-0.24, 0.009, 0.006)],
            0.022,
            material="spruce",
        ),
        hs.Cylinder(0.006, 0.0225, at=(-0.12, -0.002, 0), material="lead"),
        hs.Outline(
            [(0.093, 0.009), (0.107, 0.009), (0.104, 0.022, 0.003), (0.096, 0.022, 0.003)],
            0.01,
            material="brass",
        ),
    ]
    hammer = [
        hs.Outline(
            [(-0.006, -0.004, 0.004), (0.137, -0.004), (0.137, 0.004), (-0.006, 0.004, 0.004)],
            0.006,
            material="maple",
        ),
        hs.Cylinder(0.005, 0.01, at=(0.02, -0.024, 0), material="leather"),
        hs.Outline([(0.016, -0.022), (0.024, -0.022), (0.024, 0.0), (0.016, 0.0)], 0.006, material="maple"),
        hs.Outline(
            [(0.118, 0.0), (0.142, 0.0), (0.144, 0.03, 0.012), (0.13, 0.046, 0.01), (0.116, 0.03, 0.012)],
            0.012,
            material="felt",
        ),
    ]
    world = [
        hs.Outline([(0.0, 0.124), (0.26, 0.124), (0.26, 0.1255), (0.0, 0.1255)], 0.0015, material="steel"),
        hs.Outline(
            [(-0.015, -0.04), (0.015, -0.04), (0.006, -0.012, 0.002), (-0.006, -0.012, 0.002)],
            0.03,
            at=(0, 0, -0.002),
            material="wood",
        ),
        hs.Outline(
            [(-0.235, -0.03), (-0.205, -0.03), (-0.205, -0.021, 0.003), (-0.235, -0.021, 0.003)],
            0.03,
            material="green felt",
        ),
    ]
    damper = [
        hs.Outline(
            [(-0.01, 0.0), (0.01, 0.0), (0.01, 0.01, 0.003), (-0.01, 0.01, 0.003)], 0.012, material="red felt"
        ),
        hs.Outline(
            [(-0.01, 0.01), (0.01, 0.01), (0.01, 0.03, 0.005), (-0.01, 0.03, 0.005)], 0.012, material="black"
        ),
    ]
    stiff = hs.HuntCrossley(3e5, 1.5, 1.0)
    return hs.Model(
        hs.Body("world", shapes=world),
        hs.Body("key", mass=0.1, inertia=(1e-4, 2e-3, 2e-3), frames={"finger": (-0.22, 0, 0)}, shapes=key),
        hs.Body("hammer", mass=0.011, com=(0.1, 0.01, 0), inertia=(1e-6, 2.2e-5, 2.2e-5), shapes=hammer),
        hs.Body("damper", mass=0.03, inertia=(1e-5, 1e-5, 1e-5), shapes=damper),
        hs.Revolute("key", hs.WORLD, "key", axis="z", damping=2e-3),
        hs.Revolute("hammer", hs.WORLD.at(0.08, 0.05, 0), "hammer", axis="z"),
        hs.Prismatic("damper", hs.WORLD.at(0.2, 0.1255, 0), "damper", axis="y", damping=0.3),
        hs.Contact("pilot", ball("key", 0.1, 0.015, 0.006), ball("hammer", 0.02, -0.024, 0.005), law=stiff),
        hs.Contact("bed", ball("key", -0.22, 0.0, 0.009), floor(-0.0178), law=stiff),
        hs.Contact("rail", ball("key", 0.2, 0.0, 0.009), floor(-0.009), law=stiff),
        hs.Contact("string", ball("hammer", 0.13, 0.041, 0.005), floor(0.124, "-y"), law=stiff),
        hs.Contact("lift", ball("key", 0.2, 0.0, 0.002), ball("damper", 0.0, -0.12, 0.002), law=stiff),
        hs.Contact("damper_string", ball("damper", 0.0, 0.005, 0.005), floor(0.1255), law=stiff),
        gravity=(0, -9.81, 0),
    )  # fmt: skip
