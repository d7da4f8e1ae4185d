"""The motion of a page, run by Node from the file that the page's worker runs."""

import numpy as np
import pytest
from page_worker import needs_node, node
from shared_models import library

import hapsis as hs
from hapsis.compiler.backends import interpreter as python
from hapsis.compiler.passes.parts import hoisted
from hapsis.compiler.passes.pipeline import prepared
from hapsis.live.live_model import coupling, live_content


def pendulum():
    return hs.Model(
        hs.Rod("arm", length=0.5, mass=1.0),
        hs.Revolute("hinge", hs.WORLD, "arm", axis="y", damping=0.02),
        poses={"start": {"hinge": 0.4}},
    )


@needs_node
def test_a_motion_that_is_no_number_stands_still_and_can_begin_again(tmp_path):
    model = pendulum()
    content = live_content(model, 1e-3, coupling(model))
    place = next(x["place"] for x in content["parameters"] if x["name"] == "arm.mass")
    text = f"""
    const s = await Simulation.create(content);
    for (let k = 0; k < 10; k++) s.tick();
    s.check(); // as every frame does
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


@needs_node
def test_what_is_said_before_the_page_is_ready_waits(tmp_path):
    content = live_content(pendulum(), 1e-3, coupling(pendulum()))
    text = """
    let now = 0;
    const frames = [];
    const host = new Host((message) => { if (message.kind === "frame") frames.push(message); }, () => now);
    const all = [host.take({ kind: "open", content }), host.take({ kind: "speed", factor: 0.5 })];
    host.run(); // too early: nothing happens
    all.push(host.take({ kind: "seen", on: true }));
    await Promise.all(all);
    for (let k = 0; k <= 100; k++) { now = 0.01 * k; host.run(); }
    const half = frames.at(-1).ticks;
    await host.take({ kind: "seen", on: false });
    const count = frames.length;
    for (let k = 0; k <= 100; k++) { now = 1 + 0.01 * k; host.run(); }
    const unseen = frames.length - count;
    await host.take({ kind: "seen", on: true });
    for (let k = 0; k <= 100; k++) { now = 2 + 0.01 * k; host.run(); }
    show({ half, unseen, all: frames.at(-1).ticks });
    """
    ran = node(tmp_path, content, text)
    assert abs(ran["half"] - 500) <= 10 and ran["unseen"] == 0 and abs(ran["all"] - 1000) <= 15


@needs_node
def test_a_recording_is_read_as_a_result(tmp_path):
    """With what is given and the force of the hand; and a reset under way, behind which it begins again."""
    model = library.slider_crank()
    content = live_content(model, 1e-3, coupling(model), inputs=["crank"])
    content |= {"name": 'crank "=1"', "size": 1.0}
    text = """
    let now = 0, recorded = null;
    const hear = (message) => { if (message.kind === "recording") recorded = message.recorded; };
    const host = new Host(hear, () => now);
    await host.take({ kind: "open", content });
    await host.take({ kind: "record", on: true });
    for (let k = 0; k <= 25; k++) { now = 0.004 * k; host.run(); }
    await host.take({ kind: "reset", parameters: false });
    await host.take({ kind: "input", port: content.inputs[0].port, value: 0.25 });
    await host.take({ kind: "grab", body: 0, point: [0.05, 0, 0] });
    await host.take({ kind: "move", goal: [0.05, 0, 0.3] });
    for (let k = 0; k <= 50; k++) { now = 1 + 0.004 * k; host.run(); }
    await host.take({ kind: "record", on: false });
    writeFileSync("crank.npz", npz(content, recorded));
    show([...recorded.rows]);
    """
    rows = np.reshape(node(tmp_path, content, text), (-1, 1 + len(content["signals"]) + 4))
    result = hs.load(tmp_path / "crank.npz")
    names = [signal["name"] for signal in content["signals"]]
    more = ("crank.effort", "hand.force.x", "hand.force.y", "hand.force.z")
    assert result.names == (*names, *more) and "energy" in names and result.title == 'crank "=1"'
    assert 190 <= len(result.t) <= 200 and np.allclose(np.diff(result.t), 1e-3)
    for k, name in enumerate(result.names):
        assert (result[name] == rows[:, 1 + k]).all()
    assert (result["crank.effort"] == 0.25).all() and np.abs(result["hand.force.z"][50:]).min() > 0.1
    assert result.units["hand.force.z"] == "N" and result.units["crank.effort"] == "N m"
    assert result.report["parameters"]["r"] == 0.1
    assert result.units["energy"] == "J" and result.constraint_error < 1e-9
    assert result.warnings[0].startswith("recorded in a page")


@needs_node
def test_a_loop_that_comes_apart_stops_where_it_was_closed(tmp_path):
    """A crank that is made longer than its rod can reach."""
    model = library.slider_crank()
    content = live_content(model, 1e-3, coupling(model)) | {"size": 0.5}
    place = next(x["place"] for x in content["parameters"] if x["name"] == "r")
    text = f"""
    let now = 0, last = null;
    const host = new Host((message) => {{ if (message.kind === "frame") last = message; }}, () => now);
    await host.take({{ kind: "open", content }});
    for (let k = 0; k <= 100; k++) {{ now = 0.01 * k; host.run(); }}
    const before = last.gap;
    await host.take({{ kind: "parameter", place: {place}, value: 5 }});
    for (let k = 0; k <= 100; k++) {{ now = 1 + 0.01 * k; host.run(); }}
    show({{ before, trouble: last.trouble, poses: [...last.poses] }});
    """
    ran = node(tmp_path, content, text)
    assert ran["before"] < 1e-9 and "position that " in ran["trouble"]
    assert np.abs(ran["poses"]).max() < 10.0


LENGTHS = {"slider_crank": "r", "three_bar": "upright", "n_four_bar": "length", "bricard": "length"}


@needs_node
@pytest.mark.parametrize("name", LENGTHS)
def test_a_length_can_change_at_any_moment(name, tmp_path):
    """A loop is open from the change of a length to the next tick. Changed in a pause, in slow motion, before
    a reset, or between two ticks without any frame: the motion is always that of the last way."""
    model = getattr(library, name)()
    content = live_content(model, 1e-3, coupling(model), [LENGTHS[name]]) | {"size": 0.4}
    entry = content["parameters"][0]
    text = f"""
    const place = {entry["place"]}, value = {1.15 * entry["value"]};
    const change = {{ kind: "parameter", place, value }};
    const hear = (n) => (m) => {{ if (m.kind === "frame") last[n] = m; }};
    const last = [], states = [];
    let now = 0;
    const begin = async () => {{
      const host = new Host(hear(last.length), () => now);
      await host.take({{ kind: "open", content }});
      await host.take({{ kind: "play", on: false }});
      return host;
    }};
    const frames = (host) => {{ for (let k = 0; k < 3; k++) {{ now += 0.02; host.run(); }} }};
    const ticks = async (host, n) => {{ for (let k = 0; k < n; k++) await host.take({{ kind: "once" }}); }};
    const orders = [
      async (host) => {{ await host.take(change); frames(host); }}, // in a pause
      async (host) => {{ // before a reset
        await ticks(host, 20); await host.take(change);
        await host.take({{ kind: "reset", parameters: false }}); frames(host);
      }},
      async (host) => {{ // in slow motion
        await host.take({{ kind: "speed", factor: 1e-3 }}); await host.take({{ kind: "play", on: true }});
        frames(host); await host.take(change); frames(host);
      }},
    ];
    for (const order of orders) {{
      const host = await begin();
      await order(host);
      await ticks(host, 30);
      states.push([...last.at(-1).poses]);
    }}
    const s = await Simulation.create(content);
    s.set(place, value);
    for (let k = 0; k < 30; k++) s.tick();
    s.look();
    states.push([...s.poses()]);
    show({{ states, troubles: last.map((m) => m.trouble), gaps: last.map((m) => m.gap) }});
    """
    ran = node(tmp_path, content, text)
    assert ran["troubles"] == [""] * 3 and max(ran["gaps"]) < 1e-8
    assert all(state == ran["states"][-1] for state in ran["states"])


@needs_node
def test_a_recording_of_a_motion_that_failed_says_so(tmp_path):
    content = live_content(pendulum(), 1e-3, coupling(pendulum())) | {"name": "x", "size": 1.0}
    place = next(x["place"] for x in content["parameters"] if x["name"] == "arm.mass")
    text = f"""
    let recorded = null;
    const host = new Host((m) => {{ if (m.kind === "recording") recorded = m.recorded; }}, () => 0);
    await host.take({{ kind: "open", content }});
    await host.take({{ kind: "record", on: true }});
    for (let k = 0; k < 5; k++) await host.take({{ kind: "once" }});
    await host.take({{ kind: "parameter", place: {place}, value: NaN }});
    await host.take({{ kind: "once" }});
    await host.take({{ kind: "record", on: false }});
    const write = (file, gap) => writeFileSync(file, npz(content, {{ ...recorded, gap }}));
    write("a.npz", Infinity);
    write("b.npz", NaN);
    show(recorded.rows.length);
    """
    node(tmp_path, content, text)
    for file in "ab":
        result = hs.load(tmp_path / f"{file}.npz")
        assert len(result.t) == 5 and result.constraint_error > 1e300
        assert any("no number any more: the last rows may be wrong" in told for told in result.warnings)
