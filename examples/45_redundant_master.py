"""A master arm of seven joints holds a slider-crank, then a pendulum that flops; its elbow moves freely."""

import numpy as np

import hapsis as hs


def master():
    """Shoulder, elbow and wrist with seven joints."""
    facts, before = [], hs.WORLD.at(0.0, 0.1, 0.2)
    for k, (axis, length) in enumerate(zip("zyxyxyx", (0.1, 0.1, 0.15, 0.15, 0.12, 0.05, 0.05), strict=True)):
        body = hs.Rod(f"m{k}", length=length, mass=1.2 - 0.15 * k)
        facts += [body, hs.Revolute(f"w{k}", before, f"m{k}", axis=axis)]
        before = f"m{k}.end"
    return hs.Model(*facts, poses={"start": {"w1": -0.4, "w3": 0.9, "w5": -0.5}})


arm, rate = master(), 2000
crank = hs.library.slider_crank(angle=0.9)
pendulum = hs.Model(
    hs.Rod("upper link", length=0.3, mass=0.5),
    hs.Rod("lower link", length=0.2, mass=0.3),
    hs.Revolute("shoulder", hs.WORLD, "upper link", axis="y"),
    hs.Revolute("elbow", "upper link.end", "lower link", axis="y", limits=(-2.0, 2.0), friction=0.002),
    poses={"start": {"elbow": 1.4}},
)
place, slopes = hs.compile(hs.pose(arm, "m6.end")), hs.compile(hs.jacobian(arm, "m6.end"))
weight = hs.compile(hs.bias(arm))

for model, frame in ((crank, "crank.end"), (pendulum, "upper link.end")):
    tick = hs.haptics.grasp(
        model, frame, 1 / rate, kind="point", arm=arm, arm_frame="m6.end", stiffness=600.0
    )
    print(f"{frame}: {tick.notes[0].split(';')[0]}; {tick.notes[1]}")
    ports = {port.name: port.stand_in for port in tick.inputs}
    q = np.array([ports[f"{name}.position"] for name in arm.coordinates], float)
    goal, path = place(q).p, [q]
    # for half a second the elbow of the arm moves and its handle stays; then the handle goes along z
    for k in range(1, 201):
        free = np.linalg.svd(slopes(q)[3:])[2][
            3:
        ].T  # motions of the joints that leave the handle where it is
        q = q + 0.003 * (k <= 100) * free @ (free.T @ np.array([1.0, 0, 1.0, 0, 0, 0, 0]))
        off = goal + np.array([0, 0, 0.015 * (1 - np.cos(0.0314 * max(0, k - 100)))]) - place(q).p
        q = q + np.linalg.pinv(slopes(q)[3:]) @ off
        path.append(q)
    t = np.linspace(0.0, 1.0, len(path))
    hand = hs.haptics.SimulatedHand(motion=(t, np.array(path)), axes=list(arm.coordinates), unit="rad")
    loop = hs.realtime.Loop(tick, rate, paced=False, guard={"passive": False}).connect(hand)
    report = loop.run(0.99).report()
    angles = np.stack([report[f"hand.{name}.position"] for name in arm.coordinates], axis=1)
    efforts = np.stack([report[f"{name}.effort"] for name in arm.coordinates], axis=1)
    last = efforts[-1] - weight(angles[-1], np.zeros(7))  # without what holds the arm's own weight
    wrench = [report[f"wrench.f{x}"][-1] for x in "xyz"]
    print(f"  joints of the arm move by {np.ptp(angles, axis=0).max():.2f} rad")
    print(f"  -Jᵀ w is given to {abs(last + slopes(angles[-1])[3:].T @ wrench).max():.0e} N m")
    for name in model.coordinates:
        print(
            f"  {name} moves by {np.ptp(report[name][: rate // 2]):.3f}, then by {np.ptp(report[name]):.3f}"
        )
