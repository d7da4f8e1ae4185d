"""Own law: a piano hammer whose felt follows a power law hits a wall."""

import hapsis as hs


@hs.law
def felt(gap, rate, stiffness=4.5e9, power=2.5):
    return hs.where(gap < 0, stiffness * hs.abs(gap) ** power, 0.0)


model = hs.Model(
    hs.Body("hammer", mass=2.97e-3, inertia=(1e-9, 1e-9, 1e-9)),
    hs.Prismatic("z", hs.WORLD, "hammer", axis="z"),
    hs.Contact("tip", "hammer", hs.WORLD.plane("z"), law=felt),
    gravity=(0, 0, 0),
)
result = hs.simulate(model, until=2e-3, start={"z": 1e-6, "z.v": -1.0}, every=1e-7)
print(-result["z"].min(), result["tip.force"].max(), result["z.v"][-1])
