"""The benchmark of contacts: its scenes, its measures, its report. Nothing is timed here.

What needs the rivals is marked `peers`: there they must build the same scenes.
"""

import json
from dataclasses import replace

import numpy as np
import pytest
from scipy.optimize import linprog

import hapsis as hs
from hapsis.bench import contacts, rivals, robots
from hapsis.bench.contacts import contacts_benchmark, contacts_boxes, contacts_measures, contacts_ours
from hapsis.bench.contacts.contacts_measures import Recording, ended, measures, within
from hapsis.bench.contacts.contacts_motion import energy, motions, rotations
from hapsis.bench.contacts.contacts_overlap import above, overlap
from hapsis.bench.contacts.contacts_scene import Bumps

BOXES = (
    contacts_boxes.stack,
    contacts_boxes.pile,
    contacts_boxes.heap,
    contacts_boxes.dominoes,
    contacts_boxes.rover,
)


def drawn(scene, count, seed=1):
    """Random coordinates and speeds of a scene."""
    draw = np.random.default_rng(seed)
    q = draw.normal(size=(count, len(scene.q)))
    return q, draw.normal(size=(count, len(scene.v)))


def bare(scene):
    """Our model of a scene in which nothing touches."""
    return contacts_ours.model(replace(scene, parts=tuple(replace(p, solids=()) for p in scene.parts)))


@pytest.mark.parametrize("scene", [contacts_boxes.rover(), contacts_boxes.stack()], ids=lambda x: x.name)
def test_motions_and_energy_are_those_of_our_equations(scene):
    q, v = drawn(scene, 5)
    at = 0
    for part in scene.parts:
        if part.kind == "free":
            q[:, at + 3 : at + 7] /= np.linalg.norm(q[:, at + 3 : at + 7], axis=1, keepdims=True)
        at += len(part.q)
    model, known = bare(scene), motions(scene, q, v)
    for part in scene.parts:
        pose, velocity = hs.compile(hs.pose(model, part.name)), hs.compile(hs.velocity(model, part.name))
        m = known[part.name]
        for k in range(len(q)):
            p, R = pose(q[k])
            V = np.ravel(velocity(q[k], v[k]))
            assert np.allclose(p, m.p[k], atol=1e-12) and np.allclose(R, m.R[k], atol=1e-12)
            assert np.allclose(V, [*m.w[k], *m.v[k]], atol=1e-12)
    E = hs.compile(hs.energy(model))
    ours = np.array([sum(float(np.ravel(x)[0]) for x in E(a, b)) for a, b in zip(q, v, strict=True)])
    theirs = energy(scene, known, q)
    assert np.allclose(ours - ours[0], theirs - theirs[0], atol=1e-9)  # potentials differ by a constant


def test_boxes_overlap_where_they_have_a_common_point():
    """A linear program looks for the point; it knows nothing of axes that separate."""
    draw, count = np.random.default_rng(2), 60
    A, B = rotations(draw.normal(size=(count, 4))), rotations(draw.normal(size=(count, 4)))
    a, b = draw.uniform(0.2, 1.0, (2, count, 3))
    way = draw.normal(size=(count, 3))
    depth = overlap(way, A, B, a, b)
    for k in range(count):
        rows = np.vstack([A[k].T, -A[k].T, B[k].T, -B[k].T])
        there = B[k].T @ way[k]
        most = np.concatenate([a[k], a[k], b[k] + there, b[k] - there])
        common = linprog(np.zeros(3), rows, most, bounds=(None, None)).status == 0
        assert common == (depth[k] > 0)
    assert 10 < (depth > 0).sum() < count - 10


def test_overlap_of_parallel_boxes_is_the_least_of_three():
    way = np.array([[0.5, 0.1, 1.9], [0.1, 0.0, 0.1], [3.0, 0.0, 0.0]])
    same, half = np.tile(np.eye(3), (3, 1, 1)), np.ones((3, 3))
    assert np.allclose(overlap(way, same, same, half, half), [0.1, 1.9, -1.0])


def test_heights_above_a_slope_are_those_above_its_plane():
    x = 0.1 * np.arange(30)
    slope = np.array([0.3, -0.2])
    bumps = Bumps(np.add.outer(slope[0] * x, slope[1] * x), 0.0, 0.1)
    points = np.random.default_rng(3).uniform(0.2, 2.5, (20, 3))
    distance, normal = above(bumps, points)
    n = np.array([*-slope, 1.0]) / np.sqrt(1 + slope @ slope)
    assert np.allclose(normal, n) and np.allclose(distance, points @ n)


def standing(scene, times, q):
    return Recording(len(times) - 1, times, q, np.zeros((len(q), len(scene.v))), 0.0, 0.0, 0.0)


def test_measures_of_a_stack():
    scene, times = contacts_boxes.stack(), np.linspace(0.0, 2.0, 21)
    q = np.tile(scene.q, (21, 1))
    q[:, 2::7] = 0.05, 0.15, 0.25
    calm = measures(scene, standing(scene, times, q))
    assert calm["penetration"] < 1e-12 and calm["creep"] == 0 and calm["energy_growth"] < 1e-12
    assert calm["ended"] and within(scene, calm)
    deep = q.copy()
    deep[5, 9] -= 4e-3
    figures = measures(scene, standing(scene, times, deep))
    assert figures["penetration"] == pytest.approx(4e-3) and not within(scene, figures)
    moving = q.copy()
    moving[:, 7] += 0.01 * times  # the middle box, 10 mm/s
    figures = measures(scene, standing(scene, times, moving))
    assert figures["creep"] == pytest.approx(0.01) and not within(scene, figures)
    rising = q.copy()
    rising[-1, 16] += 0.02
    assert measures(scene, standing(scene, times, rising))["energy_growth"] == pytest.approx(0.02 * 9.81)
    fallen = q.copy()
    fallen[10:, 14] += 0.2
    assert not measures(scene, standing(scene, times, fallen))["ended"]
    blown = measures(scene, standing(scene, times, q * np.nan))
    assert blown["penetration"] == np.inf and not within(scene, blown)


def test_dominoes_that_stand_have_not_toppled():
    scene = contacts_boxes.dominoes(count=2)
    q = np.tile(scene.q, (2, 1))
    assert not ended(scene, motions(scene, q, np.zeros((2, 12))))
    q[1, 3:7] = q[1, 10:14] = np.cos(0.7), 0.0, np.sin(0.7), 0.0
    assert ended(scene, motions(scene, q, np.zeros((2, 12))))


def test_a_ball_that_rolls_does_not_slip():
    scene = replace(contacts_boxes.rover(), ground=Bumps(np.zeros((161, 161)), -4.0, 0.1))
    times = np.linspace(0.0, 2.0, 41)
    q, v = np.tile(scene.q, (41, 1)), np.zeros((41, len(scene.v)))
    q[:, 0], q[:, 2], q[:, 7:] = times, 0.15, times[:, None] / contacts_boxes.WHEEL
    v[:, 3], v[:, 6:] = 1.0, 1.0 / contacts_boxes.WHEEL
    assert contacts_measures.creep(scene, motions(scene, q, v), times) == pytest.approx(0, abs=1e-12)
    v[:, 6] *= 1.5
    assert contacts_measures.creep(scene, motions(scene, q, v), times) == pytest.approx(0.5)


@pytest.mark.parametrize("make", BOXES[:2] + BOXES[3:])
def test_our_models_have_the_coordinates_of_their_scenes(make):
    """What starts in the air falls freely at first."""
    scene = make().shorter(0.01)
    ours = contacts_ours.Ours(scene)
    assert len(ours.model.coordinates) == len(scene.q) and len(ours.model.speeds) == len(scene.v)
    assert set(ours.inputs) == {f"{p.name}.joint" for p in scene.parts if p.effort}
    assert list(ours.start.values()) == [*scene.q, *scene.v]
    if scene.name != "stack 3":
        return
    recording = ours.recorded("contact", 1e-4)
    fall = 0.5 * 9.81 * recording.times**2
    assert np.allclose(recording.q[:, 2] - scene.q[2], -fall, atol=1e-5)
    assert recording.first > 0 and recording.times[-1] == pytest.approx(0.01)


class Made:
    """A contender whose boxes stay where they are told, for so many seconds of work per step."""

    settings = ("any",)
    stops = None

    def __init__(self, name, scene, deep, cost):
        self.name, self.scene, self.deep, self.cost = name, scene, deep, cost

    def recorded(self, setting, step):
        if step == self.stops:
            raise rivals.Missing(f"{self.name} stopped")
        times = np.arange(0.0, self.scene.until + step / 2, step)
        q = np.tile(self.scene.q, (len(times), 1))
        q[:, 2::7] = np.array([0.05, 0.15, 0.25]) - self.deep * step * np.array([1, 2, 3])
        return standing(self.scene, times, q)

    def seconds(self, setting, step):
        return self.cost * round(self.scene.until / step)

    def close(self):
        pass


def test_ratios_are_those_of_runs_within_the_bounds(monkeypatch):
    def three(scene, folder, notes):
        kinds = (("ours", 0.1, 1e-5), ("soft", 1.0, 2e-5), ("never", 1e3, 1e-6))
        return [Made(name, scene, deep, cost) for name, deep, cost in kinds]

    monkeypatch.setattr(contacts_benchmark, "contenders", three)
    row = json.loads(json.dumps(contacts.run(["stack 3"]), allow_nan=False))
    best = row["scenes"][0]["best"]
    assert best["ours"]["step"] == 1e-2 and best["soft"]["step"] == 2e-3 and best["never"] is None
    ratios = row["times_faster"]["stack 3"]
    assert ratios["in bounds"] == {"soft": pytest.approx(2 * 5)}
    assert ratios["as good"] == {"soft": pytest.approx(2 * 10)}  # at 1 ms
    assert ratios["2 ms"] == {"soft": pytest.approx(2), "never": pytest.approx(0.1)}
    shown = contacts.report(row)
    assert "never never in bounds" in shown and "soft 10" in shown and "creep mm/s" in shown


def test_a_run_that_stops_is_a_note_and_has_no_time(monkeypatch):
    def two(scene, folder, notes):
        ours, other = (Made(name, scene, 0.1, 1e-5) for name in ("ours", "other"))
        ours.stops = 1e-2
        return [ours, other]

    monkeypatch.setattr(contacts_benchmark, "contenders", two)
    row = contacts.run(["stack 3"])
    steps = [x["step"] for x in row["scenes"][0]["runs"] if x["contender"] == "ours"]
    assert row["notes"] == ["ours stopped"] and steps == [5e-3, 2e-3, 1e-3, 5e-4]
    assert "10 ms" not in row["times_faster"]["stack 3"] and "5 ms" in row["times_faster"]["stack 3"]
    assert row["scenes"][0]["best"]["ours"]["step"] == 5e-3


def _no_module(name):
    raise ImportError(name)


def test_missing_rivals_and_robots_are_notes(monkeypatch, tmp_path):
    monkeypatch.setattr(rivals.importlib, "import_module", _no_module)
    notes: list[str] = []
    scene = contacts_boxes.stack()
    assert [x.name for x in contacts_benchmark.contenders(scene, tmp_path, notes)] == ["ours"]
    assert len(notes) == 2 and "mujoco" in notes[0] and "drake" in notes[1]
    monkeypatch.setattr(robots, "installed", lambda part: None)
    row = contacts.run(["panda", "talos"])
    assert row["scenes"] == [] and all("example-robot-data" in x for x in row["notes"])
    assert contacts.report(row)


@pytest.mark.peers
@pytest.mark.parametrize("name", contacts.names())
def test_mujoco_has_the_same_scene(name, tmp_path):
    """The poses of all bodies, and the mass, inertia and gravity of all speeds, by ways of their own."""
    from hapsis.bench.contacts.contacts_mujoco import Mujoco

    scene = contacts_benchmark.SCENES[name](tmp_path)
    assert scene is not None
    peer = Mujoco(scene, tmp_path)
    try:
        recording = peer.recorded("default", 1e-2 if name == "pile 100" else 2e-3)
        model, mujoco = peer.model, peer.mujoco
        data, known = mujoco.MjData(model), motions(scene, recording.q, recording.v)
        model.opt.enableflags |= mujoco.mjtEnableBit.mjENBL_ENERGY
        E = energy(scene, known, recording.q)
        mine = []
        for k in (0, 3):
            state = peer._start() if k == 0 else _state(peer, recording, k)
            data.qpos[:], data.qvel[:] = state[: model.nq], state[model.nq : model.nq + model.nv]
            mujoco.mj_forward(model, data)
            mine.append(float(data.energy.sum()))
            for part in scene.parts:
                assert np.allclose(data.body(part.name).xpos, known[part.name].p[k], atol=1e-9)
                assert np.allclose(data.body(part.name).xmat.reshape(3, 3), known[part.name].R[k], atol=1e-9)
        assert mine[1] - mine[0] == pytest.approx(E[3] - E[0], abs=1e-8)
    finally:
        peer.close()


def _state(peer, recording, k):
    at, parts, i, j = recording, [], 0, 0
    for part in peer.scene.parts:
        nq, nv = len(part.q), len(part.v)
        parts.append(replace(part, q=tuple(at.q[k, i : i + nq]), v=tuple(at.v[k, j : j + nv])))
        i, j = i + nq, j + nv
    whole, peer.scene = peer.scene, replace(peer.scene, parts=tuple(parts))
    try:
        return peer._start()
    finally:
        peer.scene = whole


@pytest.mark.peers
@pytest.mark.parametrize(
    ("name", "setting", "step"), [("stack 3", "firm", 2e-3), ("rover", "elliptic", 2e-3)]
)
def test_mujoco_keeps_the_bounds(name, setting, step, tmp_path):
    from hapsis.bench.contacts.contacts_mujoco import Mujoco

    scene = contacts_benchmark.SCENES[name](tmp_path)
    assert scene is not None
    peer = Mujoco(scene, tmp_path)
    try:
        recording = peer.recorded(setting, step)
    finally:
        peer.close()
    figures = measures(scene, recording)
    assert within(scene, figures), figures
    assert recording.iterations is not None and recording.iterations > 0


@pytest.mark.peers
@pytest.mark.parametrize("name", ["stack 3", "panda"])
def test_drake_keeps_the_bounds(name, tmp_path):
    """It is no part of what the tests install."""
    pytest.importorskip("pydrake")
    from hapsis.bench.contacts.contacts_drake import Drake

    scene = contacts_benchmark.SCENES[name](tmp_path)
    assert scene is not None
    figures = measures(scene, Drake(scene, tmp_path).recorded("lagged", 5e-3))
    assert within(scene, figures), figures
