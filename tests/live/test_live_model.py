"""The motion of a page, run by Node from the file that the page's worker runs."""

import json
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest
from children import PATIENCE
from shared_models import library

import hapsis as hs
from hapsis.compiler.backends import interpreter as python
from hapsis.compiler.passes.parts import hoisted
from hapsis.compiler.passes.pipeline import prepared
from hapsis.live.live_model import Coupling, coupling, live_content
from hapsis.touch.realtime.guard import Guard

NODE = shutil.which("node")
needs_node = pytest.mark.skipif(NODE is None, reason="Node is not installed")
WORKER = Path(hs.__file__).parent / "view" / "client" / "worker.js"
HEAD = """
const { readFileSync } = require("node:fs");
eval(readFileSync(process.argv[2], "utf8"));
const content = JSON.parse(readFileSync(process.argv[3], "utf8"));
const { Simulation, Host } = globalThis.hapsis;
const show = (value) => console.log(JSON.stringify(value));
"""


def node(folder, content, text):
    """What a program says that gets `content`, `Simulation` and `Host`, and shows one value."""
    (folder / "content.json").write_text(json.dumps(content))
    (folder / "program.cjs").write_text(HEAD + "(async () => {" + text + "})();")
    done = subprocess.run(
        [NODE, "program.cjs", str(WORKER), "content.json"],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def pendulum():
    return hs.Model(
        hs.Rod("arm", length=0.5, mass=1.0),
        hs.Revolute("hinge", hs.WORLD, "arm", axis="y", damping=0.02),
        poses={"start": {"hinge": 0.4}},
    )


def free_box():
    return hs.Model(
        hs.Body.box("box", (0.2, 0.1, 0.3), mass=2.0), hs.Free("free", hs.WORLD, "box"), gravity=(0, 0, 0)
    )


DRAG = """
const s = await Simulation.create(content);
const log = [];
s.grab(0, [0.1, 0.05, 0.15]);
s.move([0.3, 0.2, 0.1]);
for (let k = 0; k < 400; k++) {
  s.tick();
  log.push({ at: [...s.held.at], target: [...s.held.target], force: [...s.held.force],
             q: [...s.stepCall.inputs[0]], v: [...s.stepCall.inputs[1]] });
}
s.release();
const free = [];
for (let k = 0; k < 400; k++) { s.tick(); free.push([...s.stepCall.inputs[1]]); }
show({ log, free, trouble: s.trouble });
"""


@needs_node
def test_a_held_body_feels_the_force_of_the_coupling_behind_the_guard(tmp_path):
    """A free box: force by force against the law and the guard in Python, and against its momentum."""
    model, dt = free_box(), 1e-3
    hand = Coupling(stiffness=150.0, damping=4.0, limit=25.0)
    ran = node(tmp_path, live_content(model, dt, hand), DRAG)
    log = ran["log"]
    sensors = [hs.Sensor("pose", "pose", "box"), hs.Sensor("speed", "velocity", "box")]
    motion = hs.compile(hs.measurements(model + sensors))
    guard = Guard(
        hand.limit, dt, axes=("x", "y", "z"), units=("m", "m", "m"), jump=1e9, slew=100 * hand.limit
    )
    arm = np.array([0.1, 0.05, 0.15])
    target, goal = arm.copy(), np.array([0.3, 0.2, 0.1])
    zero, momentum = np.zeros(6), np.zeros(3)
    for k, row in enumerate(log):
        q, v = (log[k - 1]["q"], log[k - 1]["v"]) if k else (model.zero, zero)
        p, R, V = motion(np.asarray(q), np.asarray(v), zero)
        speed = (goal - target) * (dt / 0.015) / dt
        target = target + (goal - target) * (dt / 0.015)
        x = p + R @ arm
        wanted = hand.stiffness * (target - x) + hand.damping * (speed - V[3:] - np.cross(V[:3], R @ arm))
        force = -guard(-wanted, target, speed)
        assert np.abs(np.array(row["force"]) - force).max() < 1e-9, k
        assert np.abs(np.array(row["at"]) - x).max() < 1e-12
        momentum += force * dt
        _, _, after = motion(np.asarray(row["q"]), np.asarray(row["v"]), zero)
        assert np.abs(2.0 * after[3:] - momentum).max() < 1e-9
    assert max(np.linalg.norm(row["force"]) for row in log) == pytest.approx(
        25.0
    )  # the guard's limit was met
    energies = [hs.compile(hs.energy(model))(model.zero, np.asarray(v))[0] for v in ran["free"]]
    assert ran["trouble"] == "" and np.ptp(energies) < 1e-9 * max(energies)


@needs_node
def test_a_motion_that_is_no_number_stands_still_and_can_begin_again(tmp_path):
    model = pendulum()
    content = live_content(model, 1e-3, coupling(model))
    place = next(x["place"] for x in content["parameters"] if x["name"] == "arm.mass")
    text = f"""
    const s = await Simulation.create(content);
    for (let k = 0; k < 10; k++) s.tick();
    const before = [...s.stepCall.inputs[0]];
    s.set({place}, NaN);
    for (let k = 0; k < 10; k++) s.tick();
    const after = [...s.stepCall.inputs[0]], {{ trouble, ticks }} = s;
    s.reset(true);
    for (let k = 0; k < 10; k++) s.tick();
    show({{ before, after, trouble, ticks, again: [...s.stepCall.inputs[0]] }});
    """
    ran = node(tmp_path, content, text)
    assert ran["after"] == ran["before"] == ran["again"] and ran["ticks"] == 10
    assert ran["trouble"] == "after 0.01000 s the motion is no number any more"


@needs_node
def test_the_pace_of_the_clock_is_kept(tmp_path):
    """A clock of its own: ticks are those of the time that passed; a pause is not made up for."""
    content = live_content(pendulum(), 1e-3, coupling(pendulum()))
    text = """
    let now = 0;
    const frames = [];
    const host = new Host((message) => { if (message.kind === "frame") frames.push(message); }, () => now);
    await host.take({ kind: "open", content });
    for (let k = 0; k <= 1000; k++) { now = 0.004 * k; host.run(); }
    const one = frames.at(-1).ticks;
    await host.take({ kind: "speed", factor: 0.1 });
    for (let k = 0; k <= 500; k++) { now = 4 + 0.004 * k; host.run(); }
    const slow = frames.at(-1).ticks - one;
    now += 5; host.run(); now += 0.1; host.run();
    const late = frames.at(-1).ticks - one - slow;
    await host.take({ kind: "play", on: false });
    now += 1; host.run();
    const paused = frames.at(-1).ticks;
    await host.take({ kind: "once" });
    const once = frames.at(-1).ticks - paused;
    show({ one, slow, late, once, count: frames.length, factor: frames[200].factor });
    """
    ran = node(tmp_path, content, text)
    assert abs(ran["one"] - 4000) <= 20 and abs(ran["slow"] - 200) <= 4
    assert ran["late"] <= 25 and ran["once"] == 1 and ran["count"] > 300
    assert ran["factor"] == pytest.approx(1.0, abs=0.01)


@needs_node
@pytest.mark.parametrize("make", [pendulum, library.slider_crank], ids=["pendulum", "slider-crank"])
def test_ticks_are_steps_bit_for_bit(make, tmp_path):
    model = make()
    content = live_content(model, 1e-3, coupling(model))
    final = node(
        tmp_path,
        content,
        "const s = await Simulation.create(content); for (let k = 0; k < 50; k++) s.tick();"
        "const bits = (x) => Buffer.from(x.buffer, x.byteOffset, x.byteLength).toString('hex');"
        "show(s.stepCall.inputs.map(bits));",
    )
    before, kernel = hoisted(hs.stepper(model, 1e-3))
    numbers = np.array([*hs.stepper(model, 1e-3).parameters.values()])[:, None]
    own = python.evaluate(prepared(before), numbers) if before is not None else numbers
    state = np.concatenate([np.ravel(port.stand_in) for port in kernel.inputs])[:, None]
    for _ in range(50):
        state = python.evaluate(prepared(kernel), np.concatenate([state, own]))
    assert "".join(final) == state[:, 0].tobytes().hex()
