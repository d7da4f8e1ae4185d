"""Many scenes on all cores: the bits of each run alone, statuses, errors with the number of the scene."""

import threading

import numpy as np
import pytest

import hapsis as hs
from hapsis.motion.particles.runs import simulate_scene

P = hs.particles
CUBE = P.solid("cube", hs.shapes.box(0.1, 0.1, 0.1), mass=0.5, stiffness=2000, damping=5)
FLOOR = P.Floor(stiffness=2000, friction=0.4)


def falls(count):
    """Cubes that fall in other ways, and not all of the same size."""
    bar = P.solid("cube", hs.shapes.box(0.2, 0.1, 0.1), mass=1.0, stiffness=1000, cells=(2, 1, 1))
    things = [bar if k % 3 == 2 else CUBE for k in range(count)]
    return [P.Scene(t.at(0, 0, 0.1, rpy=(0.2 * k, 0.1, 0)), FLOOR) for k, t in enumerate(things)]


@pytest.mark.parametrize("threads", [1, 3])
def test_runs_have_the_bits_that_they_have_alone(threads):
    scenes = falls(7)
    together = P.simulate_all(scenes, 0.05, every=0.01, threads=threads)
    for scene, one in zip(scenes, together, strict=True):
        alone = hs.simulate(scene, 0.05, every=0.01)
        assert one.names == alone.names and len(one.t) == 6
        assert all(np.array_equal(one[name], alone[name]) for name in alone.names)
    on = P.simulate_all(scenes, 0.08, together, every=0.01, threads=threads)
    assert on[3].t[0] == 0.05 and np.array_equal(on[3]["cube.z"][:1], together[3]["cube.z"][-1:])


def test_runs_are_made_by_as_many_threads_as_there_are(monkeypatch):
    meet = threading.Barrier(2)
    own = simulate_scene.SceneRun.go
    first = []

    def go(run, bar):
        if first:
            meet.wait(timeout=60)  # two runs are in here at a time, or the test ends with an error
        first.append(run)
        own(run, bar)

    monkeypatch.setattr(simulate_scene.SceneRun, "go", go)
    assert len(P.simulate_all(falls(5), 0.01, threads=2)) == 5


def test_what_goes_wrong_in_one_does_not_end_the_others():
    scenes = falls(3)
    fast = P.Scene(CUBE.at(0, 0, 0.06).moving((0, 0, -3)), P.Floor(1e9))
    with pytest.warns(hs.Notice, match=r"1 of 3 runs did not succeed; scenes\[1\]: energy drift"):
        results = P.simulate_all([scenes[0], fast, scenes[2]], 0.02, step=1e-4)
    assert [result.success for result in results] == [True, False, True]


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda s: P.simulate_all([s, "scene"], 1.0), r"scenes\[1\]: simulate_all takes scenes"),
        (lambda s: P.simulate_all([s], 1.0, [None, None]), "2 starts for 1 scenes"),
        (lambda s: P.simulate_all([s, s], -1.0), "until is -1 s"),
        (lambda s: P.simulate_all([s], 1.0, threads=0), "threads is 0"),
        (
            lambda s: P.simulate_all([s, s + P.Medium(viscosity=1)], 1.0, method="order5"),
            r"scenes\[1\].*Medium",
        ),
    ],
)
def test_errors(call, words):
    with pytest.raises(hs.Error, match=words) as caught:
        call(P.Scene(CUBE))
    assert "\n" not in str(caught.value)
