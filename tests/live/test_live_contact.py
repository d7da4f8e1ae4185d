"""Pages whose steps solve contacts: native code as WebAssembly, in Node."""

import functools

import numpy as np
import pytest
from contact_stack import SIDE, stack
from page_worker import needs_node, node

import hapsis as hs
from hapsis.compiler.native.wasm_memory import kernels_of
from hapsis.errors import Error
from hapsis.live.live_contact import LAGGING, MOST
from hapsis.live.live_model import coupling, live_content, with_hands
from hapsis.motion.simulate.equations import kernels

DT = 1e-3
BITS = "const bits = (x) => Buffer.from(x.buffer, x.byteOffset, x.byteLength).toString('hex');"
STATE = "s.stepCall.inputs.map(bits).join('')"


@pytest.fixture(scope="module")
def content():
    model = stack()
    return live_content(model, DT, coupling(model), method="contact") | {"size": 1.0, "name": "stack"}


@pytest.fixture
def exact(monkeypatch):
    """Native Functions without fused products, as those of a page are."""
    monkeypatch.setattr(kernels, "compile", functools.partial(kernels.compile, contract=False))


@needs_node
def test_ticks_are_native_steps_bit_for_bit(exact, content, tmp_path):
    """Boxes that fall on each other and rest, then one of them drawn by a force beside its middle."""
    wrench = [8.0, 1.0, 2.0, 0.1, 0.0, -0.2]
    there = node(
        tmp_path,
        content,
        f"const s = await Simulation.create(content); {BITS}"
        "for (let k = 0; k < 500; k++) s.tick();"
        f"const before = {STATE};"
        f"s.push(2, {wrench}); for (let k = 0; k < 100; k++) s.tick();"
        f"show([before, {STATE}, s.trouble]);",
    )
    model, names = with_hands(stack())
    step = hs.stepper(model, DT, method="contact")
    scene = step.tick.run.scene
    scene.most, scene.lagging = MOST, LAGGING
    y, y_new, none = step.start.copy(), step.start.copy(), np.zeros(1)
    ends = []
    for count in (500, 100):
        for _ in range(count):
            step.kernel(y, none, none, y_new, none)
            y[:] = y_new
        ends.append(y.tobytes().hex())
        hand = dict(zip(names["box2"], wrench, strict=True))
        for kernel in kernels_of(step.tick):
            own = {name: value for name, value in hand.items() if name in kernel.function.parameters}
            kernel.set_parameters(own or None)
    assert there == [*ends, ""] and step.failures == 0
    assert abs(y[16] - 2.5 * SIDE) < 1e-3 and y[14] > 0.02  # on the others still, and drawn along


@needs_node
def test_a_box_is_lifted_thrown_and_falls(content, tmp_path):
    """The topmost box follows the hand while the others stay; let go, it ends on the floor beside them."""
    ran = node(
        tmp_path,
        content,
        """
    const s = await Simulation.create(content);
    const heights = () => { s.look(); return [0, 1, 2].map((k) => [...s.motion(k).p]); };
    for (let k = 0; k < 300; k++) s.tick();
    const rest = heights();
    s.grab(2, rest[2]);
    s.move([1.0, 0.0, 1.0]);
    for (let k = 0; k < 1000; k++) s.tick();
    const held = heights();
    s.release();
    for (let k = 0; k < 2000; k++) s.tick();
    show({ rest, held, end: heights(), trouble: s.trouble });
    """,
    )
    rest, held, end = (np.array(ran[name]) for name in ("rest", "held", "end"))
    assert ran["trouble"] == ""
    assert (
        np.abs(held[2, :2] - (1.0, 0.0)).max() < 0.05 and 0.8 < held[2, 2] < 1.05
    )  # it hangs a little lower
    assert np.abs(held[:2] - rest[:2]).max() < 0.01 and np.abs(end[:2] - rest[:2]).max() < 0.02
    assert abs(end[2, 2] - SIDE / 2) < 1e-3 and end[2, 0] > 0.5


@needs_node
def test_trials_leave_no_trace_and_a_reset_begins_anew(content, tmp_path):
    """The hand tries forces from the present state: bristles and all else go on as if it had not."""
    ran = node(
        tmp_path,
        content,
        f"""
    const s = await Simulation.create(content); {BITS}
    const run = (trial) => {{
      for (let k = 0; k < 120; k++) {{
        if (trial && k % 7 === 0) {{
          const memory = s.memory();
          s.push(1, [40, 10, 30, 1, 0, 1]); s.compute(); s.recall(memory); s.push(1, [0, 0, 0, 0, 0, 0]);
        }}
        s.tick();
      }}
      return {STATE};
    }};
    const plain = run(false);
    s.reset();
    const tried = run(true);
    s.reset(true);
    show({{ plain, tried, again: run(false), trouble: s.trouble }});
    """,
    )
    assert ran["trouble"] == "" and ran["plain"] == ran["tried"] == ran["again"]


@needs_node
def test_the_step_itself_can_be_shared_and_feels_a_slider(tmp_path):
    """Three times the mass of a box: at rest three times the weight on the floor."""
    outputs = ["box0_floor.force"]
    step = hs.stepper(stack(1), 1 / 500, method="contact", outputs=outputs, start={"free0.z": 0.3})
    content = hs.share(step, title="A box").content
    assert content["dt"] == 1 / 500 and content["start"][0][2] == 0.3
    assert content["facts"] == "1 body, 6 degrees of freedom"
    place = next(x["place"] for x in content["parameters"] if x["name"] == "box0.mass")
    force = next(k for k, x in enumerate(content["signals"]) if x["name"] == "box0_floor.force")
    ran = node(
        tmp_path,
        content,
        f"""
    const s = await Simulation.create(content);
    const rest = () => {{ for (let k = 0; k < 1000; k++) s.tick(); return s.signals()[{force}]; }};
    const light = rest();
    s.set({place}, 3.0);
    show([light, rest()]);
    """,
    )
    assert ran == pytest.approx([9.81, 3 * 9.81], rel=1e-6)


def ball():
    """On a spring, with numbers that its contact and the rest of the model have in common."""
    body = hs.Body("ball", "m", inertia=("0.4 * m * r^2",) * 3, frames={"tip": (0.0, 0.0, -0.1)})
    return hs.Model(
        body,
        hs.Free("free", hs.WORLD, "ball"),
        hs.Contact("floor", ("ball", hs.Sphere("r")), (hs.WORLD, hs.Plane("z")), law=hs.Linear(1e4, 10.0)),
        hs.Contact("point", "ball.tip", hs.WORLD.plane("z"), law=hs.Linear(1e4, 10.0)),
        hs.Spring("spring", hs.WORLD.at(0, 0, 1), "ball.tip", stiffness=10.0, length=0.5),
        parameters={"r": 0.1, "m": 1.0},
        poses={"start": {"free.z": 0.2}},
    )


def test_what_a_page_with_contacts_does_not_have_is_refused_in_one_line():
    model = ball()
    names = [entry["name"] for entry in hs.share(model, method="contact").content["parameters"]]
    assert "m" in names and "spring.stiffness" in names and "r" not in names  # the shape of the ball has it
    led = hs.Model(
        hs.Rod("arm", length=0.5, mass=1.0),
        hs.Revolute("hinge", hs.WORLD, "arm", axis="y"),
        hs.Drive("led", "hinge", position="input", velocity="input"),
    )
    for refused, options, expected in (
        (model, {"parameters": ["r"]}, '"r" gives the shape, the place or the law of a contact'),
        (model, {"parameters": {"ball.tip.z": (-0.2, 0.0)}}, '"ball.tip.z" gives the shape'),
        (model, {"sounds": {"floor": hs.Sound("A4")}}, "touch.time"),
        (model, {"substeps": 4}, "no substeps"),
        (model, {"method": "contakt"}, "there is no stepper by"),
        (led, {}, "takes its motion from outside"),
    ):
        with pytest.raises(Error, match=expected):
            hs.share(refused, **{"method": "contact", **options})
