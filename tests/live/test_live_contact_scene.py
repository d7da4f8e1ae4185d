"""All that a step with contacts may have, on one page: loops, efforts, stops, dry friction, hulls, ground."""

import functools

import numpy as np
from page_worker import needs_node, node
from shared_models import library

import hapsis as hs
from hapsis.live.live_contact import LAGGING, MOST
from hapsis.live.live_model import coupling, live_content, with_hands
from hapsis.motion.simulate.contact import scene_solids
from hapsis.motion.simulate.equations import kernels

DT = 1e-3
EFFORT = 0.2  # N m
START = {"crank": 0.4, "hinge": 0.2, "hinge.v": 2.0, "stone_free.x": 2.0, "stone_free.z": 0.5}
START |= {"egg_free.x": 2.05, "egg_free.z": 0.2, "egg_free.wx": 3.0}


def scene():
    """A slider-crank; a door that meets its stop; a stone that falls on an egg, and both on uneven ground."""
    points = [tuple(x) for x in 0.1 * np.random.default_rng(0).normal(size=(12, 3))]
    axes = (0.1, 0.07, 0.05)
    ground = (hs.WORLD, hs.Heightfield(lambda x, y: 0.02 * hs.sin(7.0 * x) * hs.cos(5.0 * y)))
    stone, egg = ("stone", hs.Hull(points)), ("egg", hs.Ellipsoid(axes))
    law = {"law": hs.HuntCrossley(1e5, 1.0, 1.0), "friction": 0.4}
    facts = [
        hs.Body.box("door", (0.8, 0.04, 2.0), mass=5.0, at=(0.4, 0, 0)),
        hs.Revolute("hinge", hs.WORLD.at(0, 3, 1), "door", axis="z", friction=0.5),
        hs.Stop("stop", "hinge", low=-1.0, high=0.5, stiffness=1e4, damping=10.0),
        hs.Body.hull("stone", points, mass=1.0),
        hs.Free("stone_free", hs.WORLD, "stone"),
        hs.Body.ellipsoid("egg", axes, mass=0.5),
        hs.Free("egg_free", hs.WORLD, "egg"),
        hs.Contact("stone_ground", stone, ground, **law),
        hs.Contact("egg_ground", egg, ground, **law),
        hs.Contact("stone_egg", stone, egg, **law),
    ]
    return library.slider_crank() + facts


@needs_node
def test_every_kind_of_contact_and_row_has_the_bits_of_native_steps(monkeypatch, tmp_path):
    for module in (kernels, scene_solids):  # without fused products
        monkeypatch.setattr(module, "compile", functools.partial(module.compile, contract=False))
    model = scene()
    options = {"method": "contact", "inputs": ["crank"], "start": START}
    content = live_content(model, DT, coupling(model), **options) | {"size": 3.0}
    there = node(
        tmp_path,
        content,
        f"""
    const s = await Simulation.create(content);
    s.give(content.inputs[0].port, {EFFORT});
    for (let k = 0; k < 400; k++) s.tick();
    const bits = (x) => Buffer.from(x.buffer, x.byteOffset, x.byteLength).toString("hex");
    const state = s.stepCall.inputs.slice(0, content.states).map(bits).join("");
    const gap = s.check();
    show({{ state, gap, trouble: s.trouble }});
    """,
    )
    step = hs.stepper(with_hands(model)[0], DT, **options)
    scene_memory = step.tick.run.scene
    scene_memory.most, scene_memory.lagging = MOST, LAGGING
    y, y_new, none, deepest, touching = step.start.copy(), step.start.copy(), np.zeros(1), 0.0, 0
    hinge = model.coordinates.index("hinge")
    for _ in range(400):
        step.kernel(y, np.array([EFFORT]), none, y_new, none)
        y[:] = y_new
        deepest, touching = max(deepest, y[hinge]), max(touching, scene_memory.touch_count)
    assert y.tobytes().hex() == there["state"] and there["trouble"] == "" and there["gap"] < 1e-9
    assert 0.51 < deepest < 0.52  # the door has met its stop: ω √(I/k) = 0.018 beyond it
    assert touching >= 2 and y[model.coordinates.index("stone_free.z")] < 0.3
