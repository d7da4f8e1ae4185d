"""A finger that presses: its force, its way and its work, in Node, against the mechanics of one mass."""

import numpy as np
import pytest
from page_worker import needs_node, node

import hapsis as hs

RUN = """
const s = await Simulation.create(content);
const rows = [];
const keep = () => rows.push([s.time, ...s.signals(), ...(s.held?.force ?? [0, 0, 0])]);
const run = (count) => { for (let k = 0; k < count; k++) { s.tick(); keep(); } };
keep();
PROGRAM
show({ rows, trouble: s.trouble, p: [...s.p], names: content.signals.map((x) => x.name) });
"""


def lever(angle=0.0):
    """A bar on a pin that is balanced, pressed at its end: m r² q̈ = F r cos(q) without gravity."""
    return hs.Model(
        hs.Body("key", mass=0.1, inertia=(1e-3, 1e-3, 2e-3), frames={"finger": (-0.2, 0.0, 0.0)}),
        hs.Revolute("key", hs.WORLD, "key", axis="z"),
        gravity=(0, 0, 0),
        poses={"start": {"key": angle}},
    )


def ran(tmp_path, program, model=None, rate=1000, **press):
    model = lever() if model is None else model
    page = hs.share(model, rate=rate, press=hs.Press("key.finger", **{"along": "-y", **press}), title="Key")
    done = node(tmp_path, page.content, RUN.replace("PROGRAM", program))
    assert done["trouble"] == ""
    names = ["t", *done["names"], "hand.x", "hand.y", "hand.z"]
    return dict(zip(names, np.array(done["rows"]).T, strict=True)), done, page


def work(rows):
    """Of finger and hand: their moment about the pin is held in a tick, with the arm at its beginning."""
    q = rows["key"]
    moment = 0.2 * np.cos(q[:-1]) * rows["finger.force"][1:] + 0.2 * np.sin(q[:-1]) * rows["hand.x"][1:]
    return float(np.sum(moment * np.diff(q)))


@needs_node
@pytest.mark.parametrize("seed", range(4))
def test_the_work_of_the_finger_is_the_energy_of_the_key(seed, tmp_path):
    rng = np.random.default_rng(seed)
    force = float(rng.uniform(0.5, 3.0))
    angle = float(rng.uniform(-0.5, 0.5))
    program = f"s.finger.ask({force}); run(60); s.finger.ask(0); run(60);"
    rows, _, _ = ran(tmp_path, program, lever(angle), force=force)
    F, x = rows["finger.force"], rows["finger.position"]
    assert F.max() == pytest.approx(force, rel=1e-12) and F[-1] == 0.0
    np.testing.assert_allclose(x, 0.2 * (np.sin(rows["key"]) - np.sin(angle)), atol=1e-12)  # down is along
    assert rows["energy"][-1] == pytest.approx(work(rows), rel=1e-6)
    assert np.ptp(rows["energy"][-50:]) < 1e-12  # nothing acts when it has let go


@needs_node
def test_the_force_rises_within_eight_milliseconds_and_stays_below_the_largest(tmp_path):
    rows, done, page = ran(
        tmp_path, "s.finger.ask(1e6); run(20); s.finger.ask(NaN); run(20);", force=2.0, most=3.0
    )
    F = rows["finger.force"]
    assert F[9] == 3.0 and np.all(np.diff(F[:9]) > 0) and F[30] == 0.0
    places = page.content["handles"][0]["places"]
    assert all(done["p"][k] == 0.0 for k in places if k >= 0)


@needs_node
def test_finger_and_hand_add_up(tmp_path):
    program = """
    s.grab(0, [-0.2, 0, 0]); s.move([-0.2, -0.05, 0]); run(30);
    s.finger.ask(1); run(30); s.release(); run(30);
    """
    rows, _, _ = ran(tmp_path, program, force=1.0)
    assert np.abs(rows["hand.y"]).max() > 0.1
    assert rows["energy"][-1] == pytest.approx(work(rows), rel=1e-6)
    assert rows["finger.force"][-1] == 1.0


@needs_node
def test_a_reset_lifts_the_finger(tmp_path):
    program = "s.finger.ask(2); run(40); s.reset(); rows.length = 0; run(5);"
    rows, _, _ = ran(tmp_path, program)
    assert not rows["finger.force"].any() and not rows["key"].any()


def button(mass, stiffness, damping):
    """A mass on a spring that is pressed down."""
    return hs.Model(
        hs.Body("key", mass=mass, inertia=(1e-4, 1e-4, 1e-4), frames={"finger": (0.0, 0.01, 0.0)}),
        hs.Prismatic("key", hs.WORLD, "key", axis="-y"),
        hs.JointSpring("spring", "key", stiffness=stiffness, damping=damping),
        gravity=(0, 0, 0),
    )


@needs_node
@pytest.mark.parametrize("seed", range(6))
def test_a_finger_that_moves_goes_to_its_depth_and_feels_the_spring(seed, tmp_path):
    """At rest F = c x and x = depth - F / k, where k gives way by 4 % of the depth under the largest force.

    It never pulls."""
    rng = np.random.default_rng(seed)
    mass, depth = 10.0 ** rng.uniform(-2, 0), 10.0 ** rng.uniform(-2.5, -1.5)
    speed, most = float(rng.uniform(0.05, 0.5)), 40.0
    stiffness = float(rng.uniform(0.1, 0.8)) * most / depth
    ticks = round(2 * depth / speed * 5000) + 3000
    model = button(mass, stiffness, 1.4 * np.sqrt(stiffness * mass))
    program = (
        f"s.finger.ask({speed}); run({ticks}); const down = rows.length - 1; s.finger.ask(0); run(3000);"
    )
    program += "rows.push(rows[down]);"
    rows, _, page = ran(tmp_path, program, model, depth=depth, speed=speed, most=most, rate=5000)
    dt = page.content["dt"]
    F, x = rows["finger.force"], rows["finger.position"]
    assert F.min() >= 0.0 and F.max() <= most
    np.testing.assert_allclose(x, rows["key"], atol=1e-12)
    k = min(most / (0.04 * depth), 0.1 * mass / dt**2)
    assert F[-1] == pytest.approx(stiffness * x[-1], rel=1e-3)
    assert x[-1] == pytest.approx(depth - F[-1] / k, rel=1e-3)
    assert F[-2] == 0.0 and abs(x[-2]) < 1e-3 * depth  # it has let go, and the spring brings the key back


@needs_node
def test_a_finger_that_moves_does_work_as_one_with_a_force(tmp_path):
    rows, _, _ = ran(tmp_path, "s.finger.ask(0.1); run(40); s.finger.ask(0); run(60);", depth=0.01, speed=0.1)
    assert rows["energy"][-1] == pytest.approx(work(rows), rel=1e-6)
    assert rows["energy"][-1] > 0 and rows["finger.force"][-1] == 0.0


@needs_node
@pytest.mark.parametrize("speed", [0.05, 0.2])
def test_a_free_key_leaves_the_finger_with_its_speed(speed, tmp_path):
    """A heavy key without a spring: when the finger stops, the key goes on with the speed asked for."""
    model = button(0.5, 1e-6, 0.0)
    ticks = round(2 * 0.01 / speed * 5000) + 200
    rows, _, _ = ran(
        tmp_path, f"s.finger.ask({speed}); run({ticks});", model, depth=0.01, speed=speed, rate=5000
    )
    assert rows["key.v"][-1] == pytest.approx(speed, rel=0.02)
    assert rows["finger.force"][-1] == 0.0


WRONG = {
    "press must be an hs.Press": lambda: hs.share(lever(), press="key.finger"),
    "does not move": lambda: hs.share(lever(), press=hs.Press(hs.WORLD)),
    "0 < force": lambda: hs.Press("key.finger", force=-1.0),
    "most 2 N": lambda: hs.Press("key.finger", force=3.0, most=2.0),
    "press: depth is -0.01": lambda: hs.Press("key.finger", depth=-0.01),
    "press: speed is 0": lambda: hs.Press("key.finger", speed=0.0),
    "press: speed must be a number": lambda: hs.Press("key.finger", depth=0.01, speed=None),
    "press: along": lambda: hs.Press("key.finger", along="down"),
    "finge": lambda: hs.share(lever(), press=hs.Press("key.finge")),
}


@pytest.mark.parametrize("text", sorted(WRONG))
def test_what_is_wrong_is_one_line(text):
    with pytest.raises(hs.Error, match=text) as caught:
        WRONG[text]()
    assert "\n" not in str(caught.value)
