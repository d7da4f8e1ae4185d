"""The hand of a page: its law behind the guard, what it feels, and that nothing shakes, whatever is held."""

import warnings

import numpy as np
import pytest
from page_worker import needs_node, node
from samples import sample
from shared_models import library

import hapsis as hs
from hapsis.live.live_model import Coupling, coupling, hand_guard, live_content
from hapsis.mechanics.drawing.drawing import drawing

DT = 1e-3
DRAG = """
const s = await Simulation.create(content);
const log = [];
s.grab(0, [0.1, 0.05, 0.15]);
s.move([0.3, 0.2, 0.1]);
for (let k = 0; k < 400; k++) {
  s.tick();
  const { at, target, force, gains } = s.held;
  log.push({ at: [...at], target: [...target], force: [...force],
             K: [...gains.stiffness], D: [...gains.damping],
             q: [...s.stepCall.inputs[0]], v: [...s.stepCall.inputs[1]] });
}
s.release();
const free = [];
for (let k = 0; k < 400; k++) { s.tick(); free.push([...s.stepCall.inputs[1]]); }
show({ log, free, trouble: s.trouble });
"""
# every body held at its centre of mass and beside it, drawn away for two seconds
SHAKE = """
const s = await Simulation.create(content);
const rows = [];
for (let body = 0; body < content.handles.length; body++) for (const inside of content.points[body]) {
  s.reset(true);
  s.look();
  const { p, R } = s.motion(body);
  const arm = (i) => R[3 * i] * inside[0] + R[3 * i + 1] * inside[1] + R[3 * i + 2] * inside[2];
  const at = [0, 1, 2].map((i) => p[i] + arm(i));
  s.grab(body, at);
  s.move(at.map((x, i) => x + content.size * [0.1, 0.15, 0.2][i]));
  let turns = 0, sum = 0, before = [0, 0, 0], first = [0, 0, 0], most = 0;
  for (let k = 0; k < 2000 && !s.trouble; k++) {
    s.tick();
    if (!s.held) break;
    const now = [...s.held.force];
    most = Math.max(most, Math.hypot(...now));
    if (k > 1000) for (let i = 0; i < 3; i++) {
      turns += Math.abs(now[i] - 2 * before[i] + first[i]);
      sum += Math.abs(now[i]);
    }
    first = before;
    before = now;
  }
  rows.push({ body: content.handles[body].body, shaken: turns / (sum || 1), trouble: s.trouble, most });
}
show(rows);
"""


def free_box():
    return hs.Model(
        hs.Body.box("box", (0.2, 0.1, 0.3), mass=2.0), hs.Free("free", hs.WORLD, "box"), gravity=(0, 0, 0)
    )


@needs_node
def test_a_held_body_feels_the_force_of_the_coupling_behind_the_guard(tmp_path):
    """A free box: force by force against the law and the guard in Python, and against its momentum."""
    model = free_box()
    hand = Coupling(stiffness=150.0, mass=2.0, limit=25.0)
    ran = node(tmp_path, live_content(model, DT, hand), DRAG)
    log = ran["log"]
    sensors = [hs.Sensor("pose", "pose", "box"), hs.Sensor("speed", "velocity", "box")]
    motion = hs.compile(hs.measurements(model + sensors))
    guard = hand_guard(hand, DT)
    arm = np.array([0.1, 0.05, 0.15])
    target, goal = arm.copy(), np.array([0.3, 0.2, 0.1])
    zero, momentum = np.zeros(6), np.zeros(3)
    for k, row in enumerate(log):
        q, v = (log[k - 1]["q"], log[k - 1]["v"]) if k else (model.zero, zero)
        p, R, V = motion(np.asarray(q), np.asarray(v), zero)
        speed = (goal - target) * (DT / 0.015) / DT
        target = target + (goal - target) * (DT / 0.015)
        x = p + R @ arm
        K, D = (np.reshape(row[name], (3, 3)) for name in "KD")
        wanted = K @ (target - x) + D @ (speed - V[3:] - np.cross(V[:3], R @ arm))
        force = -guard(-wanted, target, speed)
        assert np.abs(np.array(row["force"]) - force).max() < 1e-9, k
        assert np.abs(np.array(row["at"]) - x).max() < 1e-12
        momentum += force * DT
        _, _, after = motion(np.asarray(row["q"]), np.asarray(row["v"]), zero)
        assert np.abs(2.0 * after[3:] - momentum).max() < 1e-9
    strongest = max(np.linalg.norm(row["force"]) for row in log)
    assert strongest == pytest.approx(25.0)  # the guard's limit was met
    energies = [hs.compile(hs.energy(model))(model.zero, np.asarray(v))[0] for v in ran["free"]]
    assert ran["trouble"] == "" and np.ptp(energies) < 1e-9 * max(energies)


@needs_node
@pytest.mark.parametrize("stiffness", [150.0, 1e9])
def test_springs_and_dampers_suit_the_mass_that_is_felt(stiffness, tmp_path):
    """At the first tick, against W = J M^-1 J^T: the spring asked for, critically damped, or as stiff as a
    force held for a tick can be; no mass counts as more than that of the hand."""
    model, arm, most = free_box(), np.array([0.1, 0.05, 0.15]), 0.9
    ran = node(tmp_path, live_content(model, DT, Coupling(stiffness, most, 25.0)), DRAG)
    K, D = (np.reshape(ran["log"][0][name], (3, 3)) for name in "KD")
    a, b, c = 0.2**2, 0.1**2, 0.3**2
    inertia = np.diag([b + c, a + c, a + b]) * 2.0 / 12.0
    skew = np.array([[0, -arm[2], arm[1]], [arm[2], 0, -arm[0]], [-arm[1], arm[0], 0]])
    W = np.eye(3) / 2.0 - skew @ np.linalg.inv(inertia) @ skew
    values, axes = np.linalg.eigh(W)
    masses = np.minimum(1.0 / values, most)
    k = np.minimum(stiffness, 0.1 * masses / DT**2)
    d = np.minimum(2.0 * np.sqrt(k * masses), 0.5 * masses / DT)
    for gains, own in ((K, k), (D, d)):
        assert np.allclose(gains, axes @ np.diag(own) @ axes.T, rtol=1e-3, atol=1e-3 * own.max())


@needs_node
@pytest.mark.parametrize(("size", "mass"), [(1e-6, 1e-12), (1e-3, 1e-6), (1.0, 2.0), (1e3, 1e6), (1e4, 1e10)])
def test_momentum_is_the_impulse_of_the_hand_from_micrometres_to_kilometres(size, mass, tmp_path):
    """A body whose centre of mass is beside its place, held beside both; never above ten times its weight.
    The point is meanwhile drawn to what is no place, which changes nothing."""
    com, moments = np.array([0.3, -0.2, 0.1]) * size, np.array([0.2, 0.3, 0.4]) * mass * size**2
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # nothing is as dense as that
        body = hs.Body("body", mass=mass, com=tuple(com), inertia=tuple(moments))
        model = hs.Model(body, hs.Free("free", hs.WORLD, "body"), gravity=(0, 0, 0))
        content = live_content(model, DT, coupling(model)) | {"unit": size}
    text = """
    const s = await Simulation.create(content), L = content.unit, log = [];
    s.grab(0, [0.5 * L, 0.4 * L, -0.3 * L]);
    s.move([1.5 * L, L, 0.5 * L]);
    for (let k = 0; k < 300; k++) {
      if (k === 20) for (const x of [NaN, Infinity]) s.move([x, 0, 0]);
      s.tick();
      log.push([...s.held.force, ...s.held.at, ...s.stepCall.inputs[0], ...s.stepCall.inputs[1]]);
    }
    show(log);
    """
    rows = np.array(node(tmp_path, content, text))
    force, at = rows[:, :3], rows[:, 3:6]
    sensors = [hs.Sensor("pose", "pose", "body"), hs.Sensor("speed", "velocity", "body")]
    p, R, V = hs.compile(hs.measurements(model + sensors))(rows[-1, 6:13], rows[-1, 13:], np.zeros(6))
    w, arm = V[:3], R @ com
    momentum = mass * (V[3:] + np.cross(w, arm))
    turning = np.cross(p + arm, momentum) + R @ (moments * (R.T @ w))
    impulse, turn = DT * force.sum(axis=0), DT * np.cross(at, force).sum(axis=0)
    assert np.abs(momentum - impulse).max() < 1e-6 * np.abs(impulse).max()
    assert np.abs(turning - turn).max() < 0.01 * np.abs(turn).max()  # the arm is that before the tick
    largest = np.linalg.norm(force, axis=1).max()
    assert 0.0 < largest <= min(98.1 * mass, 1e9) * (1 + 1e-9)


@pytest.mark.slow
@needs_node
@pytest.mark.parametrize("name", sample(["slider_crank", "scissor_lift"], hs.library.MODELS))
def test_nothing_shakes_whatever_is_held(name, tmp_path):
    """The force has settled after a second, or the page has said why it stands still; light parts of heavy
    machines included."""
    model = getattr(library, name)()
    hand = coupling(model)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        content = live_content(model, DT, hand, substeps=4 if name in ("governor", "andrews") else 1)
    content["size"] = size = drawing(model, content["start"][0])["size"]
    centres = [[float(model.value(x)) for x in model.bodies[h["body"]].com] for h in content["handles"]]
    content["points"] = [
        [c, [x + 0.3 * size * d for x, d in zip(c, (0.6, 0.2, -0.5), strict=True)]] for c in centres
    ]
    for row in node(tmp_path, content, SHAKE):
        assert row["most"] <= hand.limit * (1 + 1e-9)
        assert row["trouble"] or row["shaken"] < 0.05 or name == "andrews", row  # which turns 2000 rad/s
