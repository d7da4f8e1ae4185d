"""Pages of particles: the native step as WebAssembly in Node, the hand on a patch, and what is refused."""

import numpy as np
import pytest
from page_worker import needs_node, node

import hapsis as hs
from hapsis.live.live_particles import particle_content
from hapsis.live.share import Share
from hapsis.view.skins import creased

BITS = "const bits = (x) => Buffer.from(x.buffer, x.byteOffset, x.byteLength).toString('hex');"
STATE = "s.stepCall.inputs.map(bits).join('')"


@pytest.fixture(scope="module")
def content():
    return particle_content(hs.library.jelly_cube(rows=4, stuck=False), 1000.0) | {"name": "jelly"}


@needs_node
def test_ticks_are_native_steps_bit_for_bit(content, tmp_path):
    """A cube that falls; then a patch of it is pushed, and gravity is weaker."""
    there = node(
        tmp_path,
        content,
        f"const s = await Simulation.create(content); {BITS}"
        "for (let k = 0; k < 200; k++) s.tick();"
        f"const before = {STATE};"
        "s.patches.choose(0, [0.05, 0.05, 0.1]); s.push(0, [1, 2, 3, 0, 0, 0]); s.set(3 * 64 + 2, -5);"
        f"const push = [...s.p.slice(0, 192)]; for (let k = 0; k < 50; k++) s.tick();"
        f"show([before, {STATE}, s.trouble, push]);",
    )
    push = np.array(there.pop())
    np.testing.assert_allclose(push.reshape(-1, 3).sum(0), [1, 2, 3])
    assert 0 < np.count_nonzero(push.reshape(-1, 3)[:, 0]) < 20
    step = hs.stepper(hs.library.jelly_cube(rows=4, stuck=False), 1e-3, outputs=["energy"])
    y, y_new, none = step.start.copy(), step.start.copy(), np.zeros(1)
    ends = []
    for count in (200, 50):
        for _ in range(count):
            step.kernel(y, none, none, y_new, none)
            y[:] = y_new
        ends.append(y.tobytes().hex())
        step.memory.push[:], step.memory.gravity[2] = push, -5.0
    assert there == [*ends, ""]


@needs_node
def test_a_patch_follows_the_hand_and_comes_back(tmp_path):
    content = particle_content(hs.library.jelly_cube(rows=4), 1000.0) | {"name": "jelly"}
    rest, held, after, trouble = node(
        tmp_path,
        content,
        """
    const s = await Simulation.create(content);
    const top = () => Math.max(...[...s.stepCall.inputs[0]].filter((_, k) => k % 3 === 2));
    for (let k = 0; k < 1500; k++) s.tick();
    const rest = top();
    s.grab(0, [0, 0, 0.1]);
    s.move([0, 0, 0.16]);
    for (let k = 0; k < 600; k++) s.tick();
    const held = top();
    s.release();
    for (let k = 0; k < 2000; k++) s.tick();
    show([rest, held, top(), s.trouble]);
    """,
    )
    assert held > 1.15 * rest and after == pytest.approx(rest, rel=0.02) and trouble == ""


def test_creases_keep_the_edges_of_a_cube_and_smooth_a_ball():
    cube = hs.particles.solid("cube", hs.shapes.box(1, 1, 1), mass=1, stiffness=1)
    vertices, triangles = creased(cube.points, cube.facets)
    assert len(vertices) == 24 and (vertices[triangles] == cube.facets).all()


def test_errors(tmp_path):
    jelly = hs.library.jelly_cube(rows=2)
    with pytest.raises(hs.Error, match='no slider for "stifness" \\(did you mean "stiffness"'):
        hs.share(jelly, parameters=["stifness"])
    with pytest.raises(hs.Error, match="has no method"):
        hs.share(jelly, method="rk4")
    points = hs.particles.ParticleObject("dust", np.eye(3), np.ones(3))
    with pytest.raises(hs.Error, match='"dust" has no facets'):
        hs.share(hs.particles.Scene(points))
    with pytest.raises(hs.Error, match="from 2 to 12"):
        hs.library.jelly_cube(rows=1)


def test_a_page_counts_its_objects():
    assert repr(Share("one", {"particles": {}, "handles": [{}]})) == "Share('one', 1 object)"
    assert repr(Share("two", {"particles": {}, "handles": [{}, {}]})) == "Share('two', 2 objects)"
    assert repr(Share("two", {"handles": [{}, {}]})) == "Share('two', 2 bodies)"


def test_objects_of_a_material_have_no_slider_that_does_nothing():
    solid = hs.particles.solid("cube", hs.shapes.box(0.1, 0.1, 0.1), material="gelatine")
    soft = hs.particles.Scene(solid)
    content = particle_content(soft, 1000.0)
    assert [slider["name"] for slider in content["parameters"]] == ["gravity.z"]
    assert " 0 connectors" not in content["facts"]
    with pytest.raises(hs.Error, match=r"stiffness slider scales springs.*have none"):
        particle_content(soft, 1000.0, ["stiffness"])
