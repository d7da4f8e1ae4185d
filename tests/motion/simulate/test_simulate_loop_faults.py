"""What cannot be closed, driven or accelerated: names, and the last good state."""

import numpy as np
import pytest
from shared_models import four_bar, library

import hapsis as hs

quietly = pytest.mark.filterwarnings("ignore::hapsis.errors.Notice")


def crank(position):
    return four_bar(hs.Drive("motor", "A", position=position))


def refused(model, *words, kind=hs.Error, **more):
    with pytest.raises(kind) as caught:
        hs.simulate(model, until=1.0, **more)
    told = str(caught.value)
    assert len(told.splitlines()) == 1 and all(word in told for word in words), told


def stopped(model, status, *words, **more):
    """The result of a run that ends early, with its last good state."""
    result = hs.simulate(model, until=8.0, **more)
    assert result.status == status and not result.success
    assert all(word in result.message for word in words), result.message
    assert np.isfinite(result.last.q).all() and np.isfinite(result.last.v).all()
    for name in model.coordinates:
        assert np.isfinite(result[name]).all() and result[name][-1] == result.last[name]
    return result


# starts ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("way", ["array", "State"])
def test_a_gap_of_a_centimetre_at_the_start(way):
    model = four_bar()
    good = hs.assemble(model, {"A": 0.3})
    q = np.array(good.q)
    q[1] += 0.02  # the coupler is half a metre long
    start = q if way == "array" else hs.State(model.coordinates, model.speeds, q, np.zeros(3))
    refused(model, 'loop "C"', "open by 0.01", kind=hs.SolveError, start=start)
    assert hs.simulate(model, until=0.1, start=np.array(good.q)).success


def test_a_start_that_cannot_be_closed():
    model = hs.Model(
        hs.Rod("a", 0.2, 1.0),
        hs.Rod("b", 0.2, 1.0),
        hs.Revolute("A", hs.WORLD, "a", axis="y"),
        hs.Revolute("B", hs.WORLD.at(1, 0, 0), "b", axis="y"),
        hs.Revolute("C", "a.end", "b.end", axis="y"),
    )
    refused(model, '"C" stays open by 0.', "nearest", kind=hs.SolveError)


def test_a_start_against_a_drive():
    model = crank(lambda t: 0.3 + t)
    refused(model, '"A"', 'drive "motor"', "0.5", "0.3", start={"A": 0.5})
    refused(model, '"A.v"', 'drive "motor"', start={"A.v": 0.5})
    other = hs.assemble(four_bar(), {"A": 0.5})
    refused(model, '"A"', 'drive "motor"', "0.5", "0.3", start=other)
    refused(model, '"A"', 'drive "motor"', start=np.array(other.q))


def test_contradictory_constraints():
    model = four_bar(
        hs.Distance("d1", hs.WORLD, "rocker.end", 0.5), hs.Distance("d2", hs.WORLD, "rocker.end", 0.6)
    )
    refused(model, '"d1"', '"d2"', "stays open", kind=hs.SolveError)


def test_drives_that_contradict_each_other_at_once():
    good = hs.assemble(four_bar(), {"A": 0.3})
    at = float(good["D"])
    model = four_bar(
        hs.Drive("motor", "A", position=lambda t: 0.3 + t), hs.Drive("second", "D", position=lambda t: at - t)
    )
    refused(model, '"C"', '"motor"', '"second"', kind=hs.SolveError)
    model = four_bar(
        hs.Drive("motor", "A", position=lambda t: 0.3 + t), hs.Drive("second", "D", position=lambda t: 0.5)
    )
    refused(model, '"C"', '"motor"', kind=hs.SolveError)


# on the way ---------------------------------------------------------------------------------------


@quietly
@pytest.mark.parametrize("how", [{}, {"method": "stiff"}, {"step": 1e-3}, {"method": "order5"}])
def test_a_pose_that_cannot_be_reached(how):
    """The rocker of a four-bar swings only so far: the crank and the coupler are in line there."""
    model = four_bar(hs.Drive("motor", "D", position=lambda t: -2.0 + t))
    result = stopped(model, "singular", 'loop "C"', 'drive "motor"', **how)
    # the pin is (.2 + .5) m from the world's origin then, .4 m from its own
    pin = np.array([0.45 + 0.4 * np.cos(result["D"][-1]), -0.4 * np.sin(result["D"][-1])])
    assert np.hypot(*pin) == pytest.approx(0.7, abs=1e-3)
    assert result.t[-1] < 1.0 and result.constraint_error <= 1e-12
    assert result["motor.effort"].shape == result.t.shape


@quietly
def test_drives_that_contradict_each_other_later():
    """Redundant as long as both say the same, and then no longer."""
    rods = [hs.Rod("a", 1.0, 1.0), hs.Rod("b", 1.0, 1.0)]
    joints = [hs.Revolute("A", hs.WORLD, "a", axis="y"), hs.Revolute("B", hs.WORLD, "b", axis="y")]
    gear = hs.Gear("gear", "A", "B", 1.0)
    one = hs.Drive("one", "A", position=lambda t: hs.sin(t))

    def both(motion):
        return hs.Model(*rods, *joints, gear, one, hs.Drive("two", "B", position=motion))

    assert hs.simulate(both(lambda t: hs.sin(t)), until=8.0, every=0.01).success
    later = both(lambda t: hs.where(t < 1.0, hs.sin(t), hs.sin(t) + 0.1 * (t - 1.0) ** 3))
    for every in (0.01, 4.0):
        result = stopped(later, "torn", '"gear"', 'drive "one"', 'drive "two"', every=every)
        assert result.constraint_error <= 1e-6
        assert result.t[-1] == pytest.approx(1.02, abs=0.02) if every < 1 else result.t[-1] == 0.0


@quietly
def test_a_row_of_time_against_a_drive():
    model = hs.Model(
        hs.Rod("rod", 1.0, 1.0),
        hs.Revolute("A", hs.WORLD, "rod", axis="y"),
        hs.Drive("motor", "A", position=lambda t: t),
        hs.Constraint("row", lambda s: s["A"] - s.t - 0.01 * s.t**2),
    )
    result = stopped(model, "torn", '"row"', 'drive "motor"')
    assert result.t[-1] == pytest.approx(0.01, abs=1e-3)


@quietly
def test_what_moves_without_mass():
    """A massless rod between two balls may spin about itself."""

    def rod(**inertia):
        return hs.Model(
            hs.Rod("crank", 0.2, 0.2),
            hs.Body("rod", frames={"end": (0.5, 0, 0)}, **inertia),
            hs.Body("slider", 1.0),
            hs.Revolute("A", hs.WORLD, "crank", axis="y"),
            hs.Ball("b", "crank.end", "rod"),
            hs.Prismatic("x", hs.WORLD, "slider", axis="x"),
            hs.Ball("c", "rod.end", "slider"),
        )

    result = stopped(rod(), "singular", '"b.wx" can move without moving any mass', '"rod"', start={"A": 0.3})
    assert result.t[-1] == 0.0
    assert hs.simulate(rod(inertia=(1e-3, 1e-3, 1e-3)), until=0.5, start={"A": 0.3}).success
    # at the end of a tree, also beside a drive, it is refused before the run
    lone = [hs.Body("hand"), hs.Revolute("H", hs.WORLD, "hand")]
    driven = [
        hs.Body("b", 1.0),
        hs.Prismatic("x", hs.WORLD, "b", axis="x"),
        hs.Drive("d", "x", position=lambda t: t),
    ]
    for facts in (lone, [*lone, *driven]):
        with pytest.raises(hs.ModelError, match=r'"H\.v" can move without moving any mass: give "hand"'):
            hs.simulate(hs.Model(*facts), until=1.0, inputs={"H": 1.0})


def test_massless_parts_that_masses_lead_are_fine():
    model = library.slider_crank(coupler_mass=0.0, crank_mass=0.0)
    result = hs.simulate(model, until=2.0, every=0.01)
    assert result.success and result.energy_drift < 1e-6 and result.constraint_error <= 1e-12


def test_errors_are_told_once_to_the_user():
    model = four_bar(hs.Drive("motor", "D", position=lambda t: -2.0 + t))
    with pytest.warns(hs.errors.Notice, match="did not succeed: singular"):
        hs.simulate(model, until=8.0)
