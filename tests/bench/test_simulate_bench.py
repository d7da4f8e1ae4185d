"""The benchmark of simulation: its cases, its arithmetic, its report. Nothing is timed here.

What needs the rivals is marked `peers`: there they must simulate the same motion.
"""

import json
import math
import xml.etree.ElementTree as Xml

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import solve_ivp
from scipy.special import ellipk

from hapsis.bench import rivals, robots
from hapsis.bench.simulate import (
    simulate_benchmark,
    simulate_cases,
    simulate_links,
    simulate_pile,
    simulate_report,
)
from hapsis.bench.simulate.simulate_ours import Ours
from hapsis.bench.simulate.simulate_ours_pile import OursPile, ScipyPile
from hapsis.bench.simulate.simulate_reference import Motion, Scipy
from hapsis.bench.work_precision import Outcome, cost_at, limit, slope
from hapsis.compiler.backends.compile import compile
from hapsis.mechanics.formalisms.dynamics.mass_matrix import mass_matrix
from hapsis.mechanics.formalisms.tree.energy import center_of_mass
from hapsis.mechanics.formats.load_save import load

ARM = """<robot name="arm"><link name="base"/><link name="upper"><inertial>
<origin xyz="0.1 0 0.2" rpy="0.3 -0.2 0.5"/><mass value="2"/>
<inertia ixx="0.02" ixy="0.001" ixz="-0.002" iyy="0.03" iyz="0.003" izz="0.04"/></inertial></link>
<link name="tool"><inertial><mass value="0.5"/>
<inertia ixx="0.01" ixy="0" ixz="0" iyy="0.02" iyz="0" izz="0.015"/></inertial></link>
<joint name="a" type="revolute"><parent link="base"/><child link="upper"/><axis xyz="0 0 1"/>
<origin xyz="0 0.1 0" rpy="1.1 0.2 -0.4"/>
<limit lower="-1" upper="1" effort="1" velocity="1"/></joint>
<joint name="f" type="fixed"><parent link="upper"/><child link="tool"/>
<origin xyz="0.3 -0.1 0.2" rpy="-0.7 0.4 1.3"/></joint></robot>"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("HAPSIS_CACHE", str(tmp_path / "cache"))
    return tmp_path


def arm(folder):
    return simulate_cases.unlimited("arm", Xml.fromstring(ARM), folder)


@given(st.floats(0.5, 9.0), st.floats(1e-3, 1e3), st.lists(st.floats(1e-5, 1e3), min_size=2, max_size=9))
def test_costs_of_a_power_law_are_exact(order, scale, costs):
    """Where the error is a power of the cost, the interpolation finds every error between."""
    costs = sorted(set(costs))
    points = [((scale / cost) ** order, cost) for cost in costs]
    for part in (0.0, 0.3, 1.0):
        wanted = math.exp((1 - part) * math.log(costs[0]) + part * math.log(costs[-1]))
        found = cost_at((scale / wanted) ** order * (1 + 1e-12), points)
        assert found == pytest.approx(wanted, rel=1e-6)
    assert cost_at(points[-1][0] * 0.5, points) is None
    assert cost_at(points[0][0] * 2, points) == costs[0]


def test_a_run_that_blew_up_is_no_end_of_an_interpolation():
    assert cost_at(1e-3, [(math.inf, 1.0), (1e-5, 2.0), (1e-7, 4.0)]) == 2.0
    assert cost_at(1e-6, [(math.inf, 1.0), (1e-5, 2.0), (1e-7, 4.0)]) == pytest.approx(8**0.5)


def test_slope_is_the_order_above_the_floor():
    points = [(h, 3 * h**4 + 1e-13) for h in (1e-1, 1e-2, 1e-3, 1e-4)]
    assert slope(points, 1e-13 * 2) == pytest.approx(4, abs=0.1)
    assert slope(points[:1], 0.0) is None


def test_limit_of_a_first_order_method_is_exact():
    end = np.array([1.0, -2.0])
    coarse, fine = (Outcome(1.0, n, end + 3 / n, 2 * end - 5 / n) for n in (100, 250))
    found = limit(coarse, fine)
    assert np.allclose(found.q, end, atol=1e-13) and np.allclose(found.v, 2 * end, atol=1e-13)


@pytest.mark.parametrize("name", simulate_cases.CHAINS)
def test_chains_weigh_and_measure_one(name, folder):
    case = simulate_cases.case(name, folder)
    assert case is not None
    rows = simulate_links.links(case.robot)
    assert [row.joint for row in rows] == list(case.robot.joints)
    assert [row.parent for row in rows] == list(range(-1, len(rows) - 1))
    assert sum(row.mass for row in rows) == pytest.approx(1)
    reach = sum(row.place[0, 3] for row in rows) + 2 * rows[-1].centre[0]
    assert reach == pytest.approx(1)
    assert all(row.axis.tolist() == [0, 1, 0] for row in rows)


def test_links_fuse_what_is_fixed(folder):
    """Mass, centre and inertia about the joint equal those of our own reading."""
    robot = arm(folder)
    (row,) = simulate_links.links(robot)
    assert robot.joints == ("a",) and row.mass == 2.5
    model = load(str(robot.path))
    about = float(np.ravel(compile(mass_matrix(model))(np.zeros(1)))[0])
    assert row.inertia[2, 2] == pytest.approx(about, rel=1e-12)
    centre = row.place[:3, :3] @ row.centre + row.place[:3, 3]
    ours = compile(center_of_mass(model))(np.zeros(1))
    assert np.allclose(np.ravel(ours)[:3], centre, atol=1e-12)
    moments = np.linalg.eigvalsh(row.central)
    assert 0 < moments[0] and moments[2] <= moments[0] + moments[1]


def test_hinges_lose_their_limits(folder):
    robot = arm(folder)
    text = robot.path.read_text()
    assert "limit" not in text and 'type="continuous"' in text and 'type="fixed"' in text


@pytest.fixture
def motion(folder):
    case = simulate_cases.case("chain 1", folder)
    assert case is not None
    return Motion(case)


def test_the_reference_is_a_pendulum(motion):
    """Energy is kept, and the period is that of the elliptic integral."""
    start, end = motion.start, motion.end
    assert motion.doubt < 1e-11
    assert motion.energy(end[:1], end[1:]) == pytest.approx(motion.energy(start[:1], start[1:]), abs=1e-11)
    row = simulate_links.links(motion.case.robot)[0]
    pull = 9.81 * row.mass * row.centre[0] / row.inertia[1, 1]
    period = 4 * ellipk(0.5) / math.sqrt(pull)  # released horizontal: modulus sin 45 degrees
    found = solve_ivp(lambda t, y: motion.rates(y), (0, period), start, "DOP853", rtol=1e-12, atol=1e-12)
    assert np.allclose(found.y[:, -1], start, atol=1e-9)


def test_scipy_tends_to_the_reference(motion):
    curve = Scipy(motion).curves()["RK45"]
    errors = [motion.error(run()) for setting, run in curve if setting in (1e-4, 1e-7, 1e-10)]
    assert errors[0] > errors[1] > errors[2] and errors[2] < 1e-8


@pytest.fixture(scope="module")
def ours(tmp_path_factory):
    """Our side of a swinging rod, and its reference."""
    case = simulate_cases.case("chain 1", tmp_path_factory.mktemp("rod"))
    assert case is not None
    return Ours(case), Motion(case)


@pytest.mark.parametrize(
    ("method", "order", "settings"),
    [
        ("rk4", 4, (5e-3, 2e-3, 1e-3)),
        ("symplectic", 2, (2e-2, 1e-2, 5e-3)),
        ("euler", 1, (2e-3, 1e-3, 5e-4)),
        ("order5", 1, (1e-6, 1e-8, 1e-10)),
        ("order8", 1, (1e-6, 1e-8, 1e-10)),
    ],
)
def test_ours_tends_to_the_reference(ours, method, order, settings):
    """Errors fall with the order of the method, or as fast as the tolerance."""
    contender, motion = ours
    ends = [go() for setting, go in contender.curves()[method] if setting in settings]
    assert [end.steps for end in ends] == sorted(end.steps for end in ends)
    errors = [motion.error(end) for end in ends]
    assert errors[0] > errors[1] > errors[2]
    near = 0.4 if method.startswith("order") else 0.2
    found = slope(list(zip(settings, errors, strict=True))[::2], 0.0)
    assert found == pytest.approx(order, abs=near)
    assert motion.energy_error(ends[-1]) < 1e-2


def test_ours_obeys_the_control(folder):
    """The law as a Controller is the law that the reference has written out."""
    robot = arm(folder)
    numbers = (np.array([x]) for x in (0.4, 30.0, 0.5, 2.0))
    case = simulate_cases.Case("arm", robot, 0.5, np.array([0.1]), simulate_cases.Control(*numbers))
    motion = Motion(case)
    (end,) = [go() for tolerance, go in Ours(case).curves()["order8"] if tolerance == 1e-11]
    assert motion.error(end) < 1e-8 and motion.energy_error(end) < 1e-8


def test_our_pile_stands():
    """With the longest step; and SciPy moves the same boxes as we do."""
    pile = OursPile()
    state = simulate_pile.rest(pile.runs()["euler", 1e-3]())
    assert simulate_pile.resting(state), state
    assert state["penetration"] == pytest.approx(4 * 9.81 / (4 * 2e4), rel=1e-2)  # four corners
    mine, scipy = pile.ran("rk4", 1e-4, 0.03), ScipyPile().ran(0.03)
    assert np.allclose(mine.centres, scipy.centres, atol=1e-4)
    assert np.abs(mine.centres - simulate_pile.start()[0]).max() > 1e-3


def landing(centres, turns=None, speeds=None):
    n = simulate_pile.COUNT
    turns = simulate_pile.start()[1] if turns is None else turns
    speeds = np.zeros((n, 3)) if speeds is None else speeds
    return simulate_pile.Landing(1.0, 100, centres, turns, speeds)


def test_rest_of_a_pile_is_measured():
    centres, turns = simulate_pile.start()
    rigid = centres.copy()
    rigid[:, 2] = simulate_pile.SIDE * (np.arange(simulate_pile.COUNT) % simulate_pile.HIGH + 0.5)
    calm = simulate_pile.rest(landing(rigid))
    assert all(abs(x) < 1e-12 for name, x in calm.items() if name != "tilt")
    assert calm["tilt"] < 1e-7 and simulate_pile.resting(calm)
    sunk = rigid.copy()
    sunk[1:4, 2] -= 2e-3
    assert simulate_pile.rest(landing(sunk))["penetration"] == pytest.approx(2e-3)
    assert simulate_pile.rest(landing(sunk))["sunk"] == pytest.approx(2e-3)
    leaning = turns.copy()
    leaning[5] = math.cos(0.05), math.sin(0.05), 0, 0
    assert simulate_pile.rest(landing(rigid, leaning))["tilt"] == pytest.approx(0.1)
    fallen = rigid.copy()
    fallen[3] += 0.1, 0.0, -0.3
    for bad in (fallen, rigid * np.nan):
        assert not simulate_pile.resting(simulate_pile.rest(landing(bad)))


class Made:
    """A contender whose runs end where they are told."""

    def __init__(self, name, motion, off, seconds):
        self.name, self.motion, self.off, self.cost = name, motion, off, seconds

    def curves(self):
        n = self.motion.size

        def go(step):
            end = self.motion.end + self.off + step**2
            return lambda: Outcome(self.cost / step, round(2 / step), end[:n], end[n:])

        return {"any": [(h, go(h)) for h in (1e-1, 1e-2, 1e-3, 1e-4, 1e-5)]}

    def close(self):
        pass


def test_a_contender_of_another_motion_takes_no_part(folder, monkeypatch):
    def three(motion, folder, notes):
        kinds = (("ours", 0.0, 1e-6), ("good", 0.0, 3e-6), ("bad", 0.1, 1e-9))
        return [Made(name, motion, off, cost) for name, off, cost in kinds]

    monkeypatch.setattr(simulate_benchmark, "contenders", three)
    row = simulate_benchmark.run(["chain 1"], pile=False)
    assert row["notes"] == ["bad any, chain 1: not the same motion, or not converged"]
    for level in simulate_report.LEVELS:
        assert row["times_faster"]["chain 1"][level] == {"good": pytest.approx(3)}
    ours = row["cases"][0]["methods"][0]
    assert ours["slope"] == pytest.approx(2, rel=1e-3)
    assert ours["cost"]["1e-06"] == pytest.approx(1e-6 / 1e-3 / 2)
    assert ours["real_time"]["1e-06"] == pytest.approx(2000)
    shown = simulate_benchmark.report(json.loads(json.dumps(row, allow_nan=False)))
    assert "not the same motion" in shown and "good 3" in shown


def test_a_missing_rival_is_a_note(folder, monkeypatch):
    monkeypatch.setattr(rivals.importlib, "import_module", _no_module)
    row = simulate_benchmark.run(["chain 1"], quick=True, pile=False)
    for name in ("mujoco", "exudyn"):
        assert sum(name in note for note in row["notes"]) == 1
    methods = row["cases"][0]["methods"]
    assert {m["contender"] for m in methods} == {"ours", "scipy"}
    assert row["times_faster"].keys() == {"chain 1"}
    assert simulate_benchmark.report(row)


def test_a_missing_rival_of_the_pile_is_a_note(folder, monkeypatch):
    monkeypatch.setattr(rivals.importlib, "import_module", _no_module)
    notes: list[str] = []
    assert [peer.name for peer in simulate_benchmark.piles(folder, notes)] == ["ours", "scipy"]
    assert len(notes) == 2 and "mujoco" in notes[0] and "exudyn" in notes[1]


def _no_module(name):
    raise ImportError(name)


def test_a_missing_robot_is_a_note(folder, monkeypatch):
    monkeypatch.setattr(robots, "installed", lambda part: None)
    row = simulate_benchmark.run(["panda"], pile=False)
    assert row["cases"] == [] and "example-robot-data" in row["notes"][0]


def contender(name, motion, folder):
    from hapsis.bench.simulate.simulate_exudyn import Exudyn
    from hapsis.bench.simulate.simulate_mujoco import Mujoco

    return Mujoco(motion.case, folder) if name == "mujoco" else Exudyn(motion.case)


@pytest.mark.peers
@pytest.mark.parametrize("name", simulate_cases.NAMES)
def test_ours_simulates_every_case(name, folder):
    """The arms come from a package that only those have who compare."""
    case = simulate_cases.case(name, folder)
    assert case is not None
    motion = Motion(case)
    (end,) = [go() for tolerance, go in Ours(case).curves()["order8"] if tolerance == 1e-10]
    assert motion.error(end) < 1e-8 and motion.energy_error(end) < 1e-8


@pytest.mark.peers
@pytest.mark.parametrize("rival", ["mujoco", "exudyn"])
@pytest.mark.parametrize("name", simulate_cases.NAMES)
def test_rivals_simulate_the_same(name, rival, folder):
    """Every method tends to the reference, in coordinates and in energy."""
    case = simulate_cases.case(name, folder)
    assert case is not None
    motion = Motion(case)
    peer = contender(rival, motion, folder)
    try:
        for method, settings in peer.curves().items():
            first_order = method in ("Euler", "implicitfast")
            fine = {"DOPRI5": 1e-6, "GeneralizedAlpha": 2e-4}.get(method, 1e-3)
            runs = [go for h, go in settings if h >= (2e-5 if first_order else fine)]
            end = limit(runs[-2](), runs[-1]()) if first_order else runs[-1]()
            bound = 2e-2 if name == "chain 30" else 2e-3
            assert motion.error(end) < bound and motion.energy_error(end) < bound, method
    finally:
        peer.close()


@pytest.mark.peers
@pytest.mark.parametrize(("rival", "method"), [("mujoco", "RK4"), ("exudyn", "RK44")])
def test_rivals_have_their_order(rival, method, folder):
    case = simulate_cases.case("panda held", folder)
    assert case is not None
    motion = Motion(case)
    peer = contender(rival, motion, folder)
    try:
        settings = peer.curves()[method]
        points = [(h, motion.error(go())) for h, go in settings if 1e-3 <= h <= 5e-3]
    finally:
        peer.close()
    assert slope(points, 0.0) == pytest.approx(4, abs=0.3)


@pytest.mark.peers
def test_piles_of_rivals_stand(folder):
    from hapsis.bench.simulate.simulate_exudyn_pile import ExudynPile

    for peer, key in (
        (simulate_pile.MujocoPile(folder), ("Euler", 2e-3)),
        (ExudynPile(), ("VelocityVerlet", 2e-4)),
    ):
        found = peer.runs()[key]()
        peer.close()
        state = simulate_pile.rest(found)
        assert simulate_pile.resting(state), (peer.name, state)
        assert state["penetration"] > 0 and state["sunk"] > 0
