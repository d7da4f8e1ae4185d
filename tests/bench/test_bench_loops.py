"""The benchmark of mechanisms with loops: its cases, tables, arithmetic, report. Nothing is timed.

What needs the rivals is marked `peers`: there they must accelerate and move as we do.
"""

import json

import numpy as np
import pytest

import hapsis as hs
from hapsis.bench import rivals
from hapsis.bench.loops import loops_benchmark, loops_report
from hapsis.bench.loops.loops_cases import cases
from hapsis.bench.loops.loops_motion import SAMPLES, Motion, Path, parts
from hapsis.bench.loops.loops_ours import Ours
from hapsis.bench.loops.loops_poses import accelerations, coordinates, posed
from hapsis.bench.loops.loops_table import table

NAMES = tuple(cases())
PLANAR = ("four-bar", "slider-crank", "squeezer")
KNOWN = 15.81077119629904  # beta of the squeezer after 0.03 s, as [HairerWanner] has it


@pytest.fixture(autouse=True)
def cache(tmp_path_factory, monkeypatch):
    folder = tmp_path_factory.getbasetemp() / "loops"
    folder.mkdir(exist_ok=True, mode=0o700)
    monkeypatch.setenv("HAPSIS_CACHE", str(folder))


@pytest.fixture(scope="module")
def motions():
    """The reference motions, made when first asked for."""
    made: dict[str, Motion] = {}

    def motion(name):
        if name not in made:
            made[name] = Motion(cases()[name])
        return made[name]

    return motion


def random_state(name, seed=0):
    """The tables of a case, and coordinates and speeds by rows that need not close a loop."""
    made, draw = table(cases()[name].model), np.random.default_rng(seed)
    return made, *draw.uniform(-0.6, 0.6, (2, len(made.rows)))


@pytest.mark.parametrize("name", NAMES)
def test_tables_weigh_and_place_bodies_as_the_model_does(name):
    """Centre of mass, momentum and kinetic energy of the rows are those of our own formulas."""
    made, q, v = random_state(name)
    model, here = cases()[name].model, posed(made, q, v)
    mass, moment, momentum, kinetic = 0.0, np.zeros(3), np.zeros(3), 0.0
    for row, frame in zip(made.rows, here, strict=True):
        if row.central is not None:
            R = frame.X[:3, :3]
            speed = frame.linear + np.cross(frame.angular, R @ row.centre)
            mass, momentum = mass + row.mass, momentum + row.mass * speed
            moment = moment + row.mass * (R @ row.centre + frame.X[:3, 3])
            spin = R.T @ frame.angular
            kinetic += (row.mass * speed @ speed + spin @ row.central @ spin) / 2
    ours = q[made.order], v[made.order]
    assert np.allclose(moment / mass, hs.compile(hs.center_of_mass(model))(ours[0]), atol=1e-12)
    found = hs.compile(hs.momentum(model))(*ours)
    assert np.allclose(momentum, np.ravel(found)[3:], atol=1e-11)
    assert kinetic == pytest.approx(hs.compile(hs.energy(model))(*ours)[0], rel=1e-12)


@pytest.mark.parametrize("name", NAMES)
def test_ties_are_the_rows_of_the_model(name):
    """The distances that ties hold are what `hs.constraints` asks to be zero, row by row."""
    made, q, v = random_state(name, 1)
    here = posed(made, q, v)

    def placed(end):
        row, matrix = end
        return matrix if row < 0 else here[row].X @ matrix

    gaps = []
    for tie in made.ties:
        first, second = placed(tie.first), placed(tie.second)
        d = first[:3, :3].T @ (second[:3, 3] - first[:3, 3])
        gaps += [d[k] for k in tie.directions]
    h = hs.compile(hs.constraints(cases()[name].model))(q[made.order], v[made.order]).h
    assert np.allclose(gaps, h, atol=1e-12) and np.abs(h).max() > 1e-3


@pytest.mark.parametrize("name", ["squeezer", "suspension", "stewart"])
def test_springs_and_efforts_store_and_do_what_the_model_says(name):
    """Differences of potential energy, and the effort of the motor, by the tables' numbers."""
    made, q, v = random_state(name, 2)
    energies = hs.compile(hs.energy(cases()[name].model))

    def stored(q):
        here = posed(made, q, v)
        found = float(made.stiffness @ (q - made.rest) ** 2) / 2
        for row, frame in zip(made.rows, here, strict=True):
            centre = frame.X[:3, :3] @ row.centre + frame.X[:3, 3]
            found -= row.mass * made.gravity @ centre
        for pull in made.pulls:
            ends = ((m if k < 0 else here[k].X @ m)[:3, 3] for k, m in (pull.first, pull.second))
            length = np.linalg.norm(np.subtract(*ends))
            found += pull.stiffness * (length - pull.length) ** 2 / 2
        return found

    _, other, _ = random_state(name, 3)
    ours = energies(q[made.order], v)[1] - energies(other[made.order], v)[1]
    assert ours == pytest.approx(stored(q) - stored(other), rel=1e-10)
    assert (made.efforts != 0).sum() == (name == "squeezer")
    assert made.efforts.max() == (0.033 if name == "squeezer" else 0.0)


@pytest.mark.parametrize("name", NAMES)
def test_coordinates_come_back_from_poses(name):
    made, q, v = random_state(name, 4)
    given = {k: frame for k, frame in enumerate(posed(made, q, v)) if made.rows[k].central is not None}
    found, rates, apart = coordinates(made, given, q + 0.02)
    assert np.allclose(found, q, atol=1e-12) and np.allclose(rates, v, atol=1e-11)
    assert apart < 1e-12
    last = max(given)
    moved = given[last].X.copy()
    moved[:3, 3] += 1e-4
    given[last] = type(given[last])(moved, given[last].angular, given[last].linear)
    apart = coordinates(made, given, q)[2]
    assert 1e-6 < apart < 1e-3


@pytest.mark.parametrize("name", NAMES)
def test_accelerations_come_back_from_those_of_bodies(name):
    """Central differences of twists along a motion, against the recursion."""
    made, q, v = random_state(name, 5)
    a, e = np.random.default_rng(6).uniform(-1, 1, len(q)), 1e-5

    def twists(t):
        here = posed(made, q + t * v + t * t / 2 * a, v + t * a)
        return {k: here[k] for k, row in enumerate(made.rows) if row.central is not None}

    ahead, behind = twists(e), twists(-e)
    given = {
        k: ((ahead[k].angular - behind[k].angular) / (2 * e), (ahead[k].linear - behind[k].linear) / (2 * e))
        for k in ahead
    }
    found = accelerations(made, posed(made, q, v), v, given)
    assert np.allclose(found, a, atol=1e-7)


@pytest.mark.parametrize(
    "fact",
    [
        hs.Spring("s", hs.WORLD, "crank", 1.0, damping=1.0),
        hs.Bushing("b", hs.WORLD, "crank", (1.0,) * 6),
        hs.Drive("d", "A", position=1.0),
        hs.Wrench("w", "coupler", moment=(0, 1, 0)),
        hs.Wrench("w", "crank", force=(0, 0, 1)),
    ],
    ids=lambda fact: type(fact).__name__,
)
def test_what_tables_cannot_hold_is_refused(fact):
    with pytest.raises(rivals.Missing):
        table(cases()["four-bar"].model + fact)


def test_samples_are_where_they_should_be():
    for steps in (250, 1000, 10_000, 49, 125):
        found = parts(steps)
        assert sum(found) == steps and min(found) > 0
        assert len(found) <= SAMPLES * 2


def test_the_reference_keeps_energy_and_loops(motions):
    motion = motions("four-bar")
    path = Path(1.0, 1, motion.q, motion.v)
    assert motion.gap(path) < 1e-11 and motion.energy_error(path) < 1e-10
    assert motion.error(path) == 0.0 and motion.doubt < 1e-10
    off = Path(1.0, 1, motion.q + 1e-3, motion.v)
    assert motion.error(off) == pytest.approx(1e-3)
    assert motion.gap(off) > 1e-5 and motion.energy_error(off) > 1e-5
    assert motion.gap(Path(1.0, 1, motion.q, motion.v, 0.5)) == 0.5


def test_the_squeezer_ends_where_others_end(motions):
    """Energy less the motor's work is kept, and beta is that of the books."""
    motion = motions("squeezer")
    assert motion.q[-1, motion.place] == pytest.approx(KNOWN, abs=1e-7)
    assert motion.energy_error(Path(1.0, 1, motion.q, motion.v)) < 1e-10


@pytest.mark.parametrize("name", ["four-bar", "squeezer"])
def test_ours_tends_to_the_reference(name, motions):
    motion = motions(name)
    runs = Ours(motion).runs([])
    ends = [dict(runs["rk4"])[k * motion.case.step]() for k in (2.0, 0.5)]
    errors = [motion.error(end) for end in ends]
    assert errors[0] > 30 * errors[1] and errors[1] < 1e-8
    assert all(motion.gap(end) <= 1e-12 for end in ends)
    assert motion.energy_error(ends[1]) <= 1e-7 and ends[1].steps == 4 * ends[0].steps
    tight = dict(runs["order8"])[1e-10]()
    assert motion.error(tight) < 1e-8 and len(tight.q) == SAMPLES + 1


class Made:
    """A contender whose runs end where they are told."""

    def __init__(self, name, motion, method, off, seconds, order=4):
        self.name, self.motion, self.method = name, motion, method
        self.off, self.cost, self.order = off, seconds, order

    def accelerations(self, probes):
        return self.motion.accelerations() * (1 + self.off)

    def runs(self, notes):
        motion = self.motion

        def go(step):
            q = motion.q + self.off + (step / motion.case.step * 1e-2) ** self.order
            steps = round(motion.case.until / step)
            return lambda: Path(self.cost * steps, steps, q, motion.v)

        return {self.method: [(h, go(h)) for h in motion.case.steps]}

    def close(self):
        pass


def test_costs_are_compared_per_step_and_at_equal_error(motions, monkeypatch):
    def three(motion, folder, notes):
        kinds = (("ours", "rk4", 0.0, 1e-6), ("good", "RK4", 0.0, 3e-6), ("bad", "RK4", 0.1, 1e-9))
        return [Made(name, motion, method, off, cost) for name, method, off, cost in kinds]

    monkeypatch.setattr(loops_benchmark, "Motion", lambda case: motions(case.name))
    monkeypatch.setattr(loops_benchmark, "contenders", three)
    row = loops_benchmark.run(["four-bar"])
    off = "bad, four-bar: accelerations are off by 1e-01"
    other = "bad RK4, four-bar: not the same motion, or not converged"
    assert row["notes"] == [off, other]
    ratios = row["times_faster"]["four-bar"]
    assert ratios["per step"] == {"good": pytest.approx(3)}
    assert ratios["1e-06"] == {"good": pytest.approx(3)}
    ours = row["cases"][0]["methods"][0]
    assert ours["step_s"] == pytest.approx(1e-6) and ours["at"]["error"] == pytest.approx(1e-8)
    assert ours["cost"]["1e-09"] == pytest.approx(1e-3 / (1e-9 ** (1 / 4) / 1e-2))
    assert row["goal"]["step_s"] == {"asked": 4e-6, "found": pytest.approx(1e-6), "met": True}
    assert not row["goal"]["gap"]["met"]
    shown = loops_benchmark.report(json.loads(json.dumps(row, allow_nan=False)))
    assert "not the same motion" in shown and "good 3" in shown and "asked" in shown


def test_a_run_that_blew_up_is_a_dot(motions, monkeypatch):
    class Wild(Made):
        def runs(self, notes):
            q = np.full_like(self.motion.q, np.nan)
            steps = self.motion.case.steps
            return {"any": [(h, lambda: Path(1.0, 10, q, q)) for h in steps]}

    monkeypatch.setattr(loops_benchmark, "Motion", lambda case: motions(case.name))
    monkeypatch.setattr(loops_benchmark, "contenders", lambda m, folder, notes: [Wild("a", m, "", 0.0, 1.0)])
    row = loops_benchmark.run(["four-bar"], quick=True)
    (found,) = row["cases"][0]["methods"]
    assert found["at"]["error"] is found["at"]["gap"] is found["cost"]["1e-03"] is None
    assert not found["agrees"] and row["times_faster"] == {} == row["goal"]
    json.dumps(row, allow_nan=False)
    assert "·" in loops_report.text(row)


def test_missing_rivals_are_notes(motions, monkeypatch):
    load = rivals.importlib.import_module

    def no_rival(name, package=None):
        if name.partition(".")[0] in ("mujoco", "exudyn", "pinocchio"):
            raise ImportError(name)
        return load(name, package)

    monkeypatch.setattr(rivals.importlib, "import_module", no_rival)
    monkeypatch.setattr(loops_benchmark, "Motion", lambda case: motions(case.name))
    row = loops_benchmark.run(["four-bar"], quick=True)
    for name in ("mujoco", "exudyn", "pinocchio"):
        assert sum(name in note for note in row["notes"]) == 1
    assert {m["contender"] for m in row["cases"][0]["methods"]} == {"ours"}
    assert row["goal"]["gap"]["met"] and row["goal"]["energy_error"]["met"]
    assert loops_benchmark.report(row)


def contender(name, motion, folder):
    from hapsis.bench.loops.loops_exudyn import Exudyn
    from hapsis.bench.loops.loops_mujoco import Mujoco
    from hapsis.bench.loops.loops_pinocchio import Pinocchio

    return {"mujoco": Mujoco, "exudyn": Exudyn, "pinocchio": Pinocchio}[name](motion, folder)


@pytest.mark.peers
@pytest.mark.parametrize("rival", ["mujoco", "exudyn", "pinocchio"])
@pytest.mark.parametrize("name", NAMES)
def test_rivals_accelerate_as_we_do(name, rival, motions, tmp_path):
    """At the start to 1e-8; half-way Exudyn, which differentiates by differences, to 1e-6."""
    found = loops_benchmark.deviation(motions(name), contender(rival, motions(name), tmp_path))
    assert found[0] <= 1e-8
    assert found[1] <= (1e-6 if rival == "exudyn" else 1e-10)


@pytest.mark.peers
@pytest.mark.parametrize("name", NAMES)
def test_exudyn_moves_as_we_do(name, motions, tmp_path):
    motion = motions(name)
    peer = contender("exudyn", motion, tmp_path)
    assert peer.system.flat == (name in PLANAR)
    for settings in peer.runs([]).values():
        paths = [go() for _, go in settings[3:5]]
        assert loops_benchmark.agrees(paths, motion)
        assert motion.gap(paths[-1]) < 1e-5


@pytest.mark.peers
@pytest.mark.parametrize("name", ["four-bar", "stewart"])
def test_pinocchio_in_python_moves_as_we_do(name, motions, tmp_path, monkeypatch):
    """Another's equations come to the same end: the reference is right."""

    def none(file):
        raise rivals.Missing("there is no g++ on this machine")

    monkeypatch.setattr("hapsis.bench.loops.loops_pinocchio.driver", none)
    motion, notes = motions(name), []
    peer = contender("pinocchio", motion, tmp_path)
    path = dict(peer.runs(notes)["RK4"])[motion.case.step]()
    assert "Python" in notes[0]
    assert motion.error(path) < 1e-8 and motion.gap(path) < 1e-8


@pytest.mark.peers
def test_mujoco_moves_as_we_do(motions, tmp_path):
    motion = motions("suspension")
    peer = contender("mujoco", motion, tmp_path)
    try:
        path = dict(peer.runs([])["RK4"])[motion.case.step]()
        assert motion.error(path) < 1e-5 and motion.gap(path) < 1e-5
    finally:
        peer.close()
