"""The energy account of runs: what is lost, given and stored explains every change of energy."""

import random

import forces
import numpy as np
import pytest
import trees
from samples import sample
from shared_models import four_bar

import hapsis as hs

pytestmark = pytest.mark.filterwarnings("ignore::hapsis.errors.Notice")
JUMP = 0.31
CLOSE = 1e-6  # of the energy that the motion exchanges


def ends(result, ending):
    return {name: result[name] for name in result.names if name.endswith(ending)}


def total(result, ending):
    return sum(ends(result, ending).values(), np.zeros(len(result.t)))


def exchanged(result):
    """The energy that the motion turns over."""
    works = [np.abs(np.diff(x)).sum() for x in (*ends(result, ".work").values(), result["potential"])]
    return result["kinetic"].max() + sum(works) + total(result, ".loss").max() + 1e-12


def check(result, close=CLOSE):
    """kinetic + potential + stored + lost - given is constant, and nothing that is lost comes back."""
    assert result.success, result.message
    lost, given, stored = (total(result, ending) for ending in (".loss", ".work", ".stored"))
    scale = exchanged(result)
    assert np.ptp(result["energy"] + stored + lost - given) <= close * scale
    # the column `work` of every run is the sum of all of them
    work = result["work"] - result["work"][0]
    assert np.abs(given - lost - (stored - stored[0]) - work).max() <= 1e-9 * scale
    for name, energy in ends(result, ".loss").items():
        assert np.diff(energy).min() >= -close * scale, name
        assert energy[0] == 0.0
    for name, energy in ends(result, ".stored").items():
        assert energy.min() >= -close * scale, name
    assert {result.unit(n) for e in (".loss", ".work", ".stored") for n in ends(result, e)} <= {"J"}


def moving(model, draw):
    """A start by name: random coordinates and speeds, quaternions left as they are."""
    q, v, _ = trees.states(model, draw, 1)
    return hs.State(model.coordinates, model.speeds, q[0], v[0])


@pytest.mark.parametrize("seed", sample(range(12), range(300)))
def test_random_trees_with_all_kinds_of_forces(seed):
    """Springs, bushings, stops, tendons, frictions, contacts, user's laws, controllers, wrenches."""
    draw = random.Random(seed)
    model = forces.added(trees.model(draw, most=3, massless=False), draw, 6)
    if not model.speeds:
        return
    efforts = {model.speeds[0].removesuffix(".v"): lambda t: 2.0 * hs.cos(3.0 * t)}
    result = hs.simulate(model, 0.4, moving(model, draw), every=0.01, inputs=efforts, losses=True)
    if result.status == "energy":  # of a force that the run cannot resolve
        return
    check(result)
    facts = {*model.forces, *model.contacts, *(joint.name for joint in model.moving), *efforts}
    owners = {name.rpartition(".")[0] for e in (".loss", ".work") for name in ends(result, e)}
    assert owners <= facts
    outside = {n for n, f in model.forces.items() if isinstance(f, hs.Wrench | hs.Controller)}
    assert {f"{n}.loss" for n in outside}.isdisjoint(result.names)


@pytest.mark.parametrize(
    ("law", "mass"),
    [
        (hs.Felt(1e6, 2.5, 0.6, 1e-3), 0.01),
        (hs.Felt(1e8, 3.5, 0.95, 1e-5), 0.01),
        (hs.Felt(1e3, 1.0, 0.3, 1e-2), 1.0),
        (hs.HuntCrossley(1e6, restitution=0.4), 0.1),
        (hs.Linear(1e4, 10.0), 0.1),
    ],
    ids=["felt", "stiff felt", "slow felt", "hunt_crossley", "linear"],
)
@pytest.mark.parametrize("ground", ["plane", "heightfield", "box"])
def test_a_ball_that_jumps_and_slides(law, mass, ground):
    """In the air all that is gone is lost; felt may hold a little for some time."""
    grounds = {
        "plane": hs.Plane(),
        "heightfield": hs.Heightfield(lambda x, y: 0.0 * x * y),
        "box": hs.Box((1.0, 1.0, 0.2)),
    }
    low = -0.1 if ground == "box" else 0.0
    model = hs.Model(
        hs.Body("ball", mass, inertia=(1e-3 * mass,) * 3),
        hs.Free("j", hs.WORLD, "ball"),
        hs.Contact("floor", ("ball", hs.Sphere(0.02)), (hs.WORLD.at(0, 0, low), grounds[ground]), law, 0.2),
    )
    start = {"j.z": 0.05, "j.x": 0.01, "j.vx": 0.3}
    result = hs.simulate(model, 0.15, start, every=1e-3, losses=True)
    check(result)
    gone = result["energy"][0] - result["energy"][-1] - total(result, ".stored")[-1]
    assert result["floor.loss"][-1] == pytest.approx(gone, rel=1e-6)
    assert ("floor.stored" in result) == (isinstance(law, hs.Felt) or ground == "heightfield")


def test_felt_loses_what_its_memory_says():
    """By another route: the rate of loss k ε (d - h^(1/p)) ḣ, summed over a dense table."""
    k, p, part, time = 2e6, 2.5, 0.5, 2e-3
    model = hs.Model(
        hs.Body("hammer", 0.01),
        hs.Prismatic("z", hs.WORLD, "hammer", axis="z"),
        hs.Contact("string", "hammer", (hs.WORLD, hs.Plane()), hs.Felt(k, p, part, time)),
        gravity=(0, 0, 0),
    )
    result = hs.simulate(model, 4e-3, {"z": 1e-4, "z.v": -3.0}, every=1e-7, losses=True)
    check(result)
    h = np.maximum(result["string.memory"], 0.0)
    d = np.maximum(-result["z"], (part * h) ** (1.0 / p))
    rate = k * part * (d - h ** (1.0 / p)) * (np.maximum(-result["z"], 0.0) ** p - h) / time
    assert rate.min() >= -1e-9 * rate.max()
    by_hand = np.concatenate([[0.0], np.cumsum(0.5 * (rate[1:] + rate[:-1]) * np.diff(result.t))])
    assert np.abs(result["string.loss"] - by_hand).max() < 1e-6 * by_hand[-1]
    assert result["string.loss"][-1] > 0.1 * result["kinetic"][0]


@pytest.mark.parametrize(
    ("method", "step", "close"),
    [
        ("order8", None, CLOSE),
        ("order5", None, CLOSE),
        ("stiff", None, CLOSE),
        ("rk4", 1e-4, CLOSE),
        ("euler", 1e-5, 1e-3),
        ("symplectic", 1e-4, 1e-5),
    ],
)
def test_every_method_counts(method, step, close):
    """The account is that of dampers by hand, and the motion is the one without an account."""
    model = hs.Model(
        hs.Rod("rod", length=0.5, mass=1.0),
        hs.Revolute("hinge", hs.WORLD, "rod", axis="y", damping=0.2),
        hs.Rod("end", length=0.3, mass=0.5),
        hs.Revolute("knee", "rod.end", "end", axis="y"),
        hs.JointSpring("spring", "knee", 20.0, 0.1),
    )
    options = {"method": method, "step": step, "every": 1e-3, "inputs": {"hinge": 0.7}}
    start = {"hinge": 0.4, "knee.v": 2.0}
    result = hs.simulate(model, 0.5, start, losses=True, **options)
    check(result, close)
    plain = hs.simulate(model, 0.5, start, **options)
    assert np.abs(result["hinge"] - plain["hinge"]).max() < 1e-8
    for name, c, speed in (("hinge.loss", 0.2, "hinge.v"), ("spring.loss", 0.1, "knee.v")):
        power = c * result[speed] ** 2
        by_hand = np.sum(power[:-1:2] + 4.0 * power[1::2] + power[2::2]) * 1e-3 / 3.0  # Simpson's rule
        assert result[name][-1] == pytest.approx(by_hand, rel=1e-6 if close <= CLOSE else 1e-3)
    given = 0.7 * (result["hinge"] - result["hinge"][0])
    assert np.abs(result["hinge.work"] - given).max() < 1e-9 + close * np.abs(given).max()
    assert result.names[: len(plain.names)] == plain.names


def kinked(before, after):
    return lambda t: before * hs.minimum(t, JUMP) + after * hs.maximum(t - JUMP, 0.0)


def test_drives_of_loops_with_jumps():
    """A crank whose speed jumps: its impulse does work at once, and its effort the rest."""
    model = four_bar(
        hs.Drive("motor", "A", position=kinked(4.0, 9.0)),
        hs.Friction("rub", "D", 0.3, viscous=0.02),
        hs.Stop("stop", "D", 50.0, 1.0, low=-0.5, high=0.5),
    )
    result = hs.simulate(model, 0.4, every=2e-5, losses=True)
    check(result)
    after = int(np.searchsorted(result.t, JUMP))
    power, works = result["motor.effort"] * result["A.v"], np.diff(result["motor.work"])
    by_hand = 0.5 * (power[1:] + power[:-1]) * np.diff(result.t)
    gained = np.diff(result["kinetic"])[after - 1]
    assert works[after - 1] == pytest.approx(gained, rel=0.01)
    by_hand[after - 1] = works[after - 1]
    assert np.abs(np.cumsum(works - by_hand)).max() < 1e-4 * np.abs(works).sum()


def parallelogram():
    return hs.Model(
        hs.Rod("crank", length=0.2, mass=0.2),
        hs.Rod("coupler", length=0.5, mass=0.5),
        hs.Rod("rocker", length=0.2, mass=0.4),
        hs.Revolute("A", hs.WORLD, "crank", axis="y", damping=0.01),
        hs.Revolute("B", "crank.end", "coupler", axis="y", damping=0.02),
        hs.Revolute("D", hs.WORLD.at(0.5, 0, 0), "rocker", axis="y"),
        hs.Revolute("C", "coupler.end", "rocker.end", axis="y"),
        gravity=(0, 0, 0),
    )


@pytest.mark.parametrize("angle", [-1.0, 0.0], ids=["beside", "singular start"])
def test_singular_positions_are_passed_with_the_account(angle):
    """The parallelogram turns as one wheel: both dampers lose c v² of the same speed."""
    model, speed = parallelogram(), 12.0
    numbers = {"A": 1.0, "B": -1.0, "D": 1.0}
    q = [angle * numbers[n] for n in model.coordinates]
    v = [speed * numbers[n.removesuffix(".v")] for n in model.speeds]
    result = hs.simulate(model, 1.5, hs.State(model.coordinates, model.speeds, q, v), every=0.01, losses=True)
    check(result)
    assert result["A"][-1] > 2 * np.pi
    inertia = 0.2 * 0.2**2 / 3 + 0.4 * 0.2**2 / 3 + 0.5 * 0.2**2
    lost = 0.5 * inertia * speed**2 * (1.0 - np.exp(-2.0 * 0.03 / inertia * result.t))
    assert np.abs(result["A.loss"] - lost / 3.0).max() < 1e-7 * lost[-1]
    assert np.abs(result["B.loss"] - lost / 1.5).max() < 1e-7 * lost[-1]


def test_partitions_that_change():
    """A crank that goes round while dampers of other joints lose, in a loop that changes what leads."""
    dampers = [hs.JointForce("wind", "A", lambda position, speed: 2.0 - 0.05 * speed)]
    dampers += [hs.JointSpring("rub", "D", 0.0, 0.02)]
    result = hs.simulate(four_bar(*dampers), 2.0, {"A": 0.3}, every=0.01, losses=True)
    check(result)
    assert result["A"].max() > 6.3 and result["rub.loss"][-1] > 0.01


def test_constraints_that_move_with_time_do_work():
    """A rod whose length changes lifts a weight."""
    model = hs.Model(
        hs.Body("weight", 2.0, inertia=(0.1,) * 3),
        hs.Prismatic("z", hs.WORLD, "weight", axis="z"),
        hs.Prismatic("x", "weight", "slider", axis="x", damping=3.0),
        hs.Body("slider", 1.0, inertia=(0.1,) * 3),
        hs.Distance("rope", "slider", hs.WORLD.at(0.2, 0, 1.0), "0.8 - 0.1 * t"),
    )
    result = hs.simulate(model, 1.0, every=0.01, losses=True)
    check(result)
    assert "rope.work" in result


def test_an_account_is_counted_from_the_start_of_its_run():
    model = hs.Model(hs.Body("cart", mass=1.0), hs.Prismatic("x", hs.WORLD, "cart", axis="x", damping=1.0))
    first = hs.simulate(model, 1.0, {"x.v": 1.0}, losses=True)
    second = hs.simulate(model, 2.0, first, losses=True)
    assert second["x.loss"][0] == 0.0
    lost = first["x.loss"][-1] + second["x.loss"][-1]
    assert lost == pytest.approx(0.5 * (1.0 - np.exp(-4.0)), rel=1e-9)
    with pytest.raises(hs.Error, match="one run, not in many"):
        hs.simulate(model, 1.0, {"x.v": [1.0, 2.0]}, losses=True)


def test_columns_that_would_have_one_name_are_refused():
    def law(position, speed, loss=hs.LawState(0.0)):
        return -speed, {"loss": speed}

    model = hs.Model(
        hs.Body("cart", mass=1.0), hs.Prismatic("x", hs.WORLD, "cart", axis="x"), hs.JointForce("f", "x", law)
    )
    result = hs.simulate(model, 0.1, {"x.v": 1.0}, losses=True)
    assert result.unit("f.loss") == "" and "f.work" in result


@pytest.mark.parametrize("law", [hs.Felt(1e4, 1.5, 0.5, 1e-2), hs.Linear(1e3, 2.0)], ids=["felt", "linear"])
def test_many_contacts_of_one_kind_count_each_for_itself(law):
    """Balls on a floor and on each other, mapped or written out: every contact has the same columns."""
    runs = []
    for mapped in (True, False):
        facts, names = [], [f"b{k}" for k in range(8)]
        for k, name in enumerate(names):
            ball = (name, hs.Sphere(0.05))
            facts += [hs.Body(name, 0.1, inertia=(1e-4,) * 3), hs.Free(f"j{k}", hs.WORLD, name)]
            facts += [hs.Contact(f"c{k}", ball, hs.WORLD.plane("z"), law, 0.2, mapped=mapped)]
            if k:
                facts += [hs.Contact(f"d{k}", ball, (f"b{k - 1}", hs.Sphere(0.05)), law, mapped=mapped)]
        start = {f"j{k}.z": 0.06 + 0.02 * k for k in range(8)} | {f"j{k}.x": 0.09 * k for k in range(8)}
        runs.append(hs.simulate(hs.Model(*facts), 0.25, start | {"j0.vx": 0.5}, every=0.01, losses=True))
        check(runs[-1])
    contacts = [f"c{k}" for k in range(8)] + [f"d{k}" for k in range(1, 8)]
    endings = ("gap", "force", "loss", *(["stored"] if isinstance(law, hs.Felt) else []))
    for name in (f"{contact}.{ending}" for contact in contacts for ending in endings):
        scale = 1e-9 + np.abs(runs[1][name]).max()
        assert np.abs(runs[0][name] - runs[1][name]).max() < 1e-5 * scale, name
    assert min(runs[0][f"c{k}.loss"][-1] for k in range(5)) > 0.0
