"""Runs that pause: the same bits, whatever the calls of native code, and from a Result onwards."""

import numpy as np

import hapsis as hs
from hapsis.motion.particles.runs import simulate_scene

P = hs.particles


def scene():
    cube = P.solid("cube", hs.shapes.box(0.1, 0.1, 0.1), mass=0.5, stiffness=2000, damping=1)
    return P.Scene(cube.at(0, 0, 0.08, rpy=(0.2, 0.1, 0)), P.Floor(stiffness=3000, damping=2, friction=0.4))


def test_pauses_of_native_code_change_no_bit(monkeypatch):
    whole = hs.simulate(scene(), until=0.3)
    monkeypatch.setattr(simulate_scene, "WORK", 1.0)  # a step in each call
    paused = hs.simulate(scene(), until=0.3)
    assert paused.report["steps"] == whole.report["steps"]
    assert np.array_equal(paused.memory.x, whole.memory.x)
    assert np.array_equal(paused["cube.points"], whole["cube.points"])


def test_a_run_goes_on_from_a_result_with_the_same_bits_each_time():
    first = hs.simulate(scene(), until=0.2)
    ends = [hs.simulate(scene(), until=0.3, start=first) for _ in range(2)]
    assert np.array_equal(ends[0].memory.x, ends[1].memory.x)
    whole = hs.simulate(scene(), until=0.3)
    # another end of the last step, so other steps after it: the same motion, to the error of steps
    np.testing.assert_allclose(ends[0].memory.x, whole.memory.x, atol=1e-4)


def test_a_run_of_a_scene_is_saved_and_loaded(tmp_path):
    """Columns, and the surface that deforms, so that the player shows it again."""
    cube = P.solid("cube", hs.shapes.box(0.1, 0.1, 0.1), mass=0.5, stiffness=2000, damping=5)
    result = hs.simulate(P.Scene(cube.at(0, 0, 0.06), P.Floor(stiffness=2000)), until=0.1, every=0.01)
    result.save(tmp_path / "run.npz")
    again = hs.load(tmp_path / "run.npz")
    for name in result.names:
        assert np.array_equal(again[name], result[name])
    (before,), (after,) = (dict(run.scene())["skins"] for run in (result, again))
    assert np.array_equal(before.points, after.points)
    assert np.array_equal(np.asarray(before.triangles), np.asarray(after.triangles))
    assert len(again.player().html) > 1e5
