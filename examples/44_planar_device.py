"""A device of two links holds a four-bar linkage by its middle link: inertia, weight, guidance are felt."""

import numpy as np

import hapsis as hs

linkage = hs.Model(
    hs.Rod("crank", length=0.2, mass=0.2),
    hs.Rod("coupler", length=0.5, mass=0.5),
    hs.Rod("rocker", length=0.4, mass=0.4),
    hs.Revolute("j1", hs.WORLD, "crank", axis="y"),
    hs.Revolute("j2", "crank.end", "coupler", axis="y"),
    hs.Revolute("j4", hs.WORLD.at(0.45, 0, 0), "rocker", axis="y"),
    hs.Revolute("j3", "coupler.end", "rocker.end", axis="y"),  # the cut
    poses={"start": {"j1": 0.3, "j2": 0.4, "j4": 1.25}},
)
device = hs.Model(
    hs.Rod("upper", length=0.35, mass=0.4),
    hs.Rod("fore", length=0.35, mass=0.3),
    hs.Revolute("shoulder", hs.WORLD.at(0.3, 0.0, 0.3), "upper", axis="y"),
    hs.Revolute("elbow", "upper.end", "fore", axis="y"),
    poses={"start": {"shoulder": 1.2, "elbow": 0.8}},
)
print(hs.haptics.grasp_report(linkage, "coupler.mid", "point"))

rate = 4000
tick = hs.haptics.grasp(
    linkage, "coupler.mid", 1 / rate, kind="point", arm=device, arm_frame="fore.end", reactions=["j3"]
)
print(tick.notes[0])

# the hand leads the handle along the path of the middle link and back, up to 3 mm beside it
middle = hs.compile(hs.pose(linkage, "coupler.mid"))
place, slopes = hs.compile(hs.pose(device, "fore.end")), hs.compile(hs.jacobian(device, "fore.end"))
t = np.linspace(0.0, 1.0, 31)
pose = hs.assemble(linkage, {"j1": 0.3})
q = np.array([port.stand_in for port in tick.inputs if port.name.endswith("position")], float)
angles = []
for way in 0.5 * (1 - np.cos(2 * np.pi * t)):
    pose = hs.assemble(
        linkage, {"j1": 0.3 + 0.6 * way}, near=dict(zip(linkage.coordinates, pose.q, strict=True))
    )
    goal = middle(pose.q).p + 0.003 * way * np.array([0.0, 0.0, 1.0])
    for _ in range(4):  # the angles of the device, by Newton's steps
        q = q + np.linalg.solve(slopes(q)[[3, 5]], (goal - place(q).p)[[0, 2]])
    angles.append(q)

hand = hs.haptics.SimulatedHand(motion=(t, np.array(angles)), axes=["shoulder", "elbow"], unit="rad")
loop = hs.realtime.Loop(tick, rate, paced=False, guard={"passive": False}).connect(hand)
report = loop.run(1.0).report()
moved = np.ptp(report["j1"])
print(f"the crank turns by {moved:.3f} rad; the motors give up to", end=" ")
print(", ".join(f"{abs(report[f'{name}.effort']).max():.2f} N m" for name in ("shoulder", "elbow")))
cut = np.hypot(report["j3.reaction.fx"], report["j3.reaction.fz"])
print(f"the pin of j3 carries {cut.min():.2f} to {cut.max():.2f} N")
apart = np.hypot(report["violation.x"], report["violation.z"])
print(
    f"hand and middle link are up to {1e3 * apart.max():.1f} mm apart, which the constraint wrench pulls back"
)
