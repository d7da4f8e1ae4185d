"""The page of a grasp: the pointer leads the hand, the mechanism follows by the tick; wrenches are told."""

import numpy as np
import pytest
from grasp_laws.mechanisms import ALL, LOOSE, two_links
from page_worker import needs_node, node

import hapsis as hs
from hapsis.live.live_grasp import LiveGrasp, felt_mass
from hapsis.live.live_model import with_hands

LEAD = """
const s = await Simulation.create(content);
const hand = content.handles.findIndex((each) => each.body === content.hand);
s.look();
const at = [...s.motion(hand).p];
s.grab(hand, at);
const rows = [];
for (let k = 0; k < content.ticks; k++) {
  s.move(at.map((x, i) => x + content.way[i] * Math.min(1, k / 300)));
  s.tick();
  rows.push({ q: [...s.stepCall.inputs[0]], force: [...s.held.force], signals: s.signals() });
}
const poses = [...s.poses()];
show({ rows, trouble: s.trouble, time: s.time, poses, hand });
"""


def tick_of(name, **options):
    held = (ALL | LOOSE)[name]()
    return hs.haptics.grasp(*held[:2], 1e-3, kind=held.kind, **options)


def led(tmp_path, tick, way, body="hand", ticks=1000):
    """What a page does whose hand is led that way."""
    content = hs.share(tick).content
    return content, node(tmp_path, content | {"way": way, "hand": body, "ticks": ticks}, LEAD)


@needs_node
def test_the_mechanism_follows_the_pointer_and_tells_the_wrenches(tmp_path):
    tick = tick_of("slider_crank", reactions=["pin"], stiffness=500.0)
    content, out = led(tmp_path, tick, [-0.05, 0.0, 0.05])
    names = [signal["name"] for signal in content["signals"]]
    assert [names[k] for k in content["shown"]][:3] == ["wrench.force", "pin.reaction.force", "wrench.fx"]
    assert [content["signals"][k]["unit"] for k in content["shown"]][:2] == ["N", "N"]
    assert out["trouble"] == "" and out["time"] == pytest.approx(1.0)
    q, first = np.array(out["rows"][-1]["q"]), tick.inputs[0].stand_in
    assert abs(q[0] - first[0]) > 0.3  # the crank has turned
    closed = hs.compile(hs.constraints(hs.library.slider_crank()))(q[:3], np.zeros(3)).h
    assert np.abs(closed).max() < 1e-9
    signals = dict(zip(names, out["rows"][-1]["signals"], strict=True))
    force = [signals[f"pin.reaction.f{x}"] for x in "xyz"]
    assert (
        signals["pin.reaction.force"] == pytest.approx(np.linalg.norm(force)) and np.linalg.norm(force) > 0.1
    )
    # led slowly, the pointer does to the ball what the ball does to the mechanism
    pull = np.array(out["rows"][-1]["force"])
    felt = np.array([signals[f"wrench.f{x}"] for x in "xyz"])
    np.testing.assert_allclose(pull, felt, rtol=0, atol=0.3)
    assert {"wrench.mx": "N m", "violation.x": "m", "violation.rx": "rad"}.items() <= {
        signal["name"]: signal["unit"] for signal in content["signals"]
    }.items()


@needs_node
@pytest.mark.parametrize("name", ["flopping", "stopped", "four_bar", "six_joints"])
def test_every_kind_of_grasp_can_be_led(tmp_path, name):
    """Rigid and by a spring, point and full, with limits and friction."""
    _, out = led(tmp_path, tick_of(name), [0.02, 0.0, 0.03], ticks=600)
    assert out["trouble"] == ""
    moved = np.abs(np.array(out["rows"][-1]["q"]) - np.array(out["rows"][0]["q"]))
    assert moved.max() > 0.01 and np.isfinite(moved).all()


@needs_node
def test_the_arm_of_a_device_is_what_the_pointer_moves(tmp_path):
    arm, handle = two_links()
    held = ALL["slider_crank"]()
    tick = hs.haptics.grasp(*held[:2], 1e-3, kind="point", arm=arm, arm_frame=handle)
    content, out = led(tmp_path, tick, [-0.02, 0.0, 0.03], body="fore")
    assert {"upper", "fore"} <= {handle["body"] for handle in content["handles"]}
    assert out["trouble"] == "" and abs(out["rows"][-1]["q"][0] - out["rows"][0]["q"][0]) > 0.05


@needs_node
def test_two_hands_in_a_page(tmp_path):
    bar = hs.Model(
        hs.Rod("one", length=0.2, mass=0.3),
        hs.Rod("two", length=0.2, mass=0.3),
        hs.Chain("base", hs.WORLD, "one", "Tx Tz Ry"),
        hs.Revolute("hinge", "one.end", "two", axis="y"),
        poses={"start": {"base.Ry": 0.3, "hinge": -0.9}},
    )
    tick = hs.haptics.grasp(bar, {"left": "one", "right": "two.end"}, 1e-3, kind="point")
    content, out = led(tmp_path, tick, [0.03, 0.0, 0.03], body="right", ticks=400)
    shown = [content["signals"][k]["name"] for k in content["shown"]]
    assert shown[:2] == ["left.wrench.force", "right.wrench.force"] and out["trouble"] == ""


def test_the_ball_feels_what_the_device_of_a_loop_would():
    """The page's step against calls of the tick, with the ball's motion integrated here."""
    tick = tick_of("slider_crank", stiffness=500.0)
    live = LiveGrasp(tick)
    step, call = live.step(with_hands(live.model)[0]), hs.compile(tick)
    run, state, own = hs.compile(step), {}, {}
    mass = live.model.value(live.model.bodies["hand"].mass)
    assert mass == pytest.approx(2.0 * felt_mass(live.parts.hands[0][0]))
    ports = {port.name: port.stand_in for port in tick.inputs}
    x = np.array([ports[f"hand.T{axis}.position"] for axis in "xyz"], float)
    out = tick.outputs_by_name(call())
    effort, v = np.array([out[f"hand.T{axis}.effort"] for axis in "xyz"]), np.zeros(3)
    for _ in range(200):
        page = step.outputs_by_name(run(**state))
        state = {name: page[name] for name in ("q", "v", "z", "t")}
        v = v + 1e-3 * (effort - 3.0 * mass * v) / mass
        x = x + 1e-3 * v
        out = tick.outputs_by_name(call(**own, **{f"hand.T{a}.position": x[k] for k, a in enumerate("xyz")}))
        own = {name: out[name] for name in ("q", "z", "t")}
        effort = np.array([out[f"hand.T{axis}.effort"] for axis in "xyz"])
    np.testing.assert_allclose(page["q"], [*out["q"], *x], rtol=1e-9, atol=1e-12)
    assert np.abs(v).max() > 1e-3


def test_what_a_grasp_has_by_itself_is_refused():
    tick = tick_of("crank")
    for given in ({"rate": 500.0}, {"outputs": ["turn"]}, {"method": "euler"}, {"press": hs.Press("crank")}):
        with pytest.raises(hs.Error):
            hs.share(tick, **given)
    assert hs.share(tick, parameters=["crank.mass"]).content["parameters"][0]["name"] == "crank.mass"
    with pytest.raises(hs.ModelError, match="no parameter of this motion"):
        hs.share(tick, parameters=["coupling.mass"])
