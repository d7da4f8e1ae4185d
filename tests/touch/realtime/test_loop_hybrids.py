"""A hybrid in the loop: a ball that bounces on what the hand holds."""

from hand import Hand

import hapsis as hs


def test_ticks_of_a_hybrid_are_its_steps():
    """A cart with a ball between a wall and a spring that the hand leads; the ball bounces on the wall."""
    model = hs.Model(
        hs.Body("grip", mass=0.1),
        hs.Body("ball", mass=0.3),
        hs.Prismatic("grip", hs.WORLD, "grip", axis="x"),
        hs.Prismatic("ball", hs.WORLD, "ball", axis="x"),
        hs.Drive("hand", "grip", position="input", tracking=200.0),
        hs.Spring("spring", "grip", "ball", stiffness=100.0, length=0.2, damping=0.5),
        poses={"start": {"ball": 0.2}},
    )
    wall = hs.Event(
        "wall",
        lambda s: s["ball"] - 0.25,
        rising=True,
        then=hs.reset({"ball.v": lambda s: -0.7 * s["ball.v"]}),
    )
    step = hs.stepper(
        hs.Hybrid({"all": model}, [wall]),
        1e-3,
        inputs=["hand.position"],
        outputs=["hand.force", "ball", "ball.v"],
    )
    loop = hs.realtime.Loop(step, 1000.0, paced=False).connect(Hand(0.0, 0.1))
    loop.run(1.0)
    report, native = loop.report(), hs.compile(step)
    assert report.ticks == 1000 and report["ball"].max() < 0.25 + 1e-9
    assert (report["ball.v"][1:] * report["ball.v"][:-1] < 0.0).any()  # it has come back from the wall
    names = [port.name for port in step.outputs]
    state = {port.name: port.stand_in for port in step.inputs}
    for k in range(report.ticks):
        state["hand.position"] = report["hand.position"][k]
        row = dict(zip(names, native(**state), strict=True))
        assert all(row[name] == report[name][k] for name in ("hand.force", "ball", "ball.v"))
        state |= {name: x for name, x in row.items() if name in state}
