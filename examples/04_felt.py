"""A hammer of felt hits a wall: a force law is a plain function, compiled with the model."""

import hapsis as hs


@hs.law
def felt(gap, rate, stiffness=4.5e9, power=2.5):
    return hs.where(gap < 0, stiffness * hs.abs(gap) ** power, 0.0)


model = hs.Model(
    hs.Body("hammer", mass=2.97e-3, inertia=(1e-9, 1e-9, 1e-9)),
    hs.Prismatic("z", hs.WORLD, "hammer", axis="z"),
    hs.Contact("tip", "hammer", hs.WORLD.plane(normal="z"), law=felt),
    gravity=(0, 0, 0),
)
result = hs.simulate(model, until=0.002, start={"z": 1e-6, "z.v": -1.0})
print(-result["z"].min(), result["tip.force"].max())  # .3884 mm, 13.381 N
