"""The same double pendulum in Hapsis."""

import hapsis as hs

model = hs.Model(
    hs.Body.box("upper", (0.4, 0.04, 0.04), mass=0.8, at=(0.2, 0, 0), frames={"end": (0.4, 0, 0)}),
    hs.Body.box("fore", (0.3, 0.04, 0.04), mass=0.5, at=(0.15, 0, 0), frames={"tip": (0.3, 0, 0)}),
    hs.Revolute("shoulder", hs.WORLD.at(0, 0, 1), "upper", axis="y", damping=0.02),
    hs.Revolute("elbow", "upper.end", "fore", axis="y", damping=0.02),
)
result = hs.simulate(model, until=1.0, start={"elbow": 0.5})
tip = hs.compile(hs.pose(model, "fore.tip"))(result.last.q).p
print(result.last, tip)
