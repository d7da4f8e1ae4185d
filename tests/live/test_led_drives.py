"""On a page a slider leads a drive that takes position and velocity."""

import numpy as np
from page_worker import needs_node, node

import hapsis as hs
from hapsis.live.led_drives import TRACKING


def knob():
    return hs.Model(
        hs.Rod("knob", length=0.1, mass=0.2),
        hs.Revolute("A", hs.WORLD, "knob", axis="y"),
        hs.Drive("hand", "A", position="input", velocity="input"),
        gravity=(0, 0, 0),
    )


@needs_node
def test_the_slider_is_followed(tmp_path):
    """The page has one slider; the knob follows it as one with tracking does in Python."""
    given = {"hand.position": (-1.0, 1.0), "hand.velocity": (-1.0, 1.0)}
    shared = hs.share(knob(), inputs=given, outputs=["hand.force"])
    assert [x["name"] for x in shared.content["inputs"]] == ["hand.position"]
    assert shared.content["inputs"][0]["low"] == -1.0
    port = shared.content["inputs"][0]["port"]
    text = f"""
    const s = await Simulation.create(content);
    s.stepCall.inputs[{port}].fill(0.5);
    const angles = [];
    for (let k = 0; k < 100; k++) {{ s.tick(); angles.push(s.stepCall.inputs[0][0]); }}
    show(angles);
    """
    angles = node(tmp_path, shared.content, text)
    model = knob().replace("hand", velocity=None, tracking=TRACKING)
    f = hs.stepper(model, 1e-3, inputs=["hand.position"], outputs=["A"])
    step, state = hs.compile(f), {port.name: port.stand_in for port in f.inputs}
    for k in range(100):
        q, v, z, t, angle = step(**state | {"hand.position": 0.5})
        state |= {"q": q, "v": v, "z": z, "t": t}
        assert abs(angle - angles[k]) < 1e-12


def test_a_step_is_shared_too():
    f = hs.stepper(knob(), 1e-3, inputs=["hand.position", "hand.velocity"], outputs=["hand.force"])
    content = hs.share(f).content
    assert [x["name"] for x in content["inputs"]] == ["hand.position"]
    assert np.isfinite(content["start"][0]).all()
