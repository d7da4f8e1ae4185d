"""The ready mechanisms close: gaps, ranks and degrees of freedom, before and after they move."""

import numpy as np
import pytest
from closing import Closing

import hapsis as hs
from hapsis import library

CLOSED, SOLVED = 1e-15, 1e-12  # sums of a few lengths of a metre; where least squares end

# name: coordinates, joints and constraints that close, their rows that are not identically zero,
# rank once closed, degrees of freedom, whether `start` is closed
TABLE = {
    "three_bar": (3, 1, 2, 2, 1, False),
    "redundant_four_bar": (4, 2, 4, 3, 1, False),
    "agile_eye": (33, 3, 18, 12, 3, False),
    "slider_crank": (3, 1, 2, 2, 1, True),
    "andrews": (7, 3, 6, 6, 1, True),
    "bricard": (5, 1, 5, 4, 1, True),
    "n_four_bar": (5, 2, 4, 4, 1, True),
    "stewart": (24, 6, 18, 18, 6, True),
    "five_link_suspension": (14, 4, 12, 12, 2, True),
    "double_wishbone": (7, 2, 4, 4, 2, True),
    "scissor_lift": (7, 3, 6, 6, 1, True),
}
# how far the coordinates that lead may go from `start` without leaving the reach of the mechanism
SWING = {"andrews": 0.05, "stewart": 0.03, "five_link_suspension": 0.15, "double_wishbone": 0.15}


@pytest.fixture(scope="module")
def closing():
    made = {}

    def of(name):
        return made.setdefault(name, Closing(getattr(library, name)()))

    return of


@pytest.mark.parametrize("name", TABLE)
def test_counts(name, closing):
    coordinates, loops, rows, rank, mobility, _ = TABLE[name]
    mechanism = closing(name)
    model, q = mechanism.model, mechanism.solved(mechanism.start())
    assert len(model.coordinates) == coordinates and len(mechanism.closings) == loops
    assert mechanism.kept(np.random.default_rng(1)).sum() == rows
    assert mechanism.rank(q) == rank and mechanism.mobility(q) == mobility
    assert len(model.independent) == mobility


@pytest.mark.parametrize("name", TABLE)
def test_closes(name, closing):
    mechanism = closing(name)
    q = mechanism.start()
    gap = mechanism.gap(q)
    assert gap <= CLOSED if TABLE[name][-1] else gap > 0.01
    solved = mechanism.solved(q)
    assert mechanism.gap(solved) <= SOLVED
    # what leads and what is driven stayed
    fixed = sorted(set(range(len(q))) - set(mechanism.columns(independent=False)))
    assert np.array_equal(solved[fixed], q[fixed])


@pytest.mark.parametrize("name", TABLE)
def test_stays_closed_when_it_moves(name, closing):
    mechanism, rng = closing(name), np.random.default_rng(7)
    swing, names = SWING.get(name, 0.3), mechanism.model.coordinates
    start = mechanism.start()
    for _ in range(3):
        lead = {n: start[names.index(n)] + rng.uniform(-swing, swing) for n in mechanism.model.independent}
        q = mechanism.solved(start, **lead)
        assert mechanism.gap(q) <= SOLVED
        assert mechanism.mobility(q) == TABLE[name][4]
        # those that lead do lead: they fix all others
        J = mechanism.rows(q)[1][:, mechanism.columns(independent=False)]
        assert np.linalg.matrix_rank(J, tol=1e-9) == J.shape[1]


@pytest.mark.parametrize("name", TABLE)
def test_the_jacobian_is_the_derivative_of_the_residual(name, closing):
    mechanism, rng = closing(name), np.random.default_rng(3)
    q = mechanism.start() + rng.uniform(-0.2, 0.2, len(mechanism.model.coordinates))
    d = rng.standard_normal(len(q))
    h = 1e-6
    slope = (mechanism.rows(q + h * d)[0] - mechanism.rows(q - h * d)[0]) / (2 * h)
    assert np.allclose(mechanism.rows(q)[1] @ d, slope, atol=1e-8)


def test_the_four_bar_loses_a_rank_by_closing(closing):
    bars = closing("redundant_four_bar")
    q = bars.solved(bars.start())
    assert bars.rank(bars.start()) == 4 and bars.rank(q) == 3
    q1 = q[0]
    assert np.allclose(q, [q1, np.pi / 2 - q1, q1, q1], atol=1e-12)


def test_the_eye_turns_about_its_centre(closing):
    eye, rng = closing("agile_eye"), np.random.default_rng(11)
    centre = [0.5, np.sqrt(3) / 6, np.sqrt(3) / 3]  # where the axes of the motors meet
    turns = []
    for _ in range(5):
        motors = {n: -0.68471920311242 + rng.uniform(-0.4, 0.4) for n in ("q9", "q18", "q27")}
        q = eye.solved(eye.start(), **motors)
        assert eye.gap(q) <= SOLVED and np.allclose(q[:3], centre, atol=1e-12)
        turns.append(q[3:6])
    assert np.ptp(turns, axis=0).min() > 0.05


def test_equal_motors_turn_the_eye_about_the_vertical(closing):
    eye = closing("agile_eye")
    q = eye.solved(eye.start(), q9=-0.5, q18=-0.5, q27=-0.5)
    assert np.allclose(q[3:5], 0.0, atol=1e-12) and abs(q[5]) > 0.05


@pytest.mark.parametrize("n", [1, 3, 8])
@pytest.mark.parametrize("make", [library.n_four_bar, library.scissor_lift])
def test_any_number_of_stages_moves_with_one_degree(make, n):
    mechanism = Closing(make(n))
    q = mechanism.start()
    assert mechanism.gap(q) < 1e-14 and mechanism.mobility(q) == 1


def test_flat_four_bars_may_fold_another_way():
    mechanism = Closing(library.n_four_bar(2))
    assert mechanism.mobility(np.zeros(5)) == 3  # all uprights along x: two ways more


@pytest.mark.parametrize("name", ["slider_crank", "bricard", "n_four_bar", "stewart"])
def test_other_sizes_close_as_well(name):
    rng = np.random.default_rng(5)
    model = getattr(library, name)()
    if name == "slider_crank":
        sizes = {"r": 0.2, "l": 0.7}
    else:
        sizes = {n: x * rng.uniform(0.7, 1.4) for n, x in model.parameters.items()}
    mechanism = Closing(model.replace(parameters=sizes))
    assert mechanism.gap(mechanism.start()) < 1e-14


@pytest.mark.parametrize("name", ["five_link_suspension", "double_wishbone"])
def test_other_hard_points_close_as_well(name):
    rng = np.random.default_rng(6)
    model = getattr(library, name)()
    points = {n: x + rng.uniform(-0.02, 0.02) for n, x in model.parameters.items()}
    mechanism = Closing(model.replace(parameters=points))
    q = mechanism.start()
    assert mechanism.gap(q) < 1e-14 and mechanism.mobility(q) == 2


def test_bricard_keeps_its_redundant_row_along_the_motion(closing):
    bricard = closing("bricard")
    q = bricard.start()
    for angle in np.linspace(0.0, 0.6, 7):
        q = bricard.solved(q, hinge1=angle)
        assert bricard.gap(q) <= SOLVED and bricard.rank(q) == 4


def test_a_steered_wheel_turns():
    model = library.double_wishbone()
    steered = Closing(model.replace("steering", position=0.02))
    q = steered.solved(steered.start())
    assert steered.gap(q) <= SOLVED
    where = dict(zip(model.coordinates, q, strict=True))
    assert where["rack"] == 0.02 and 0.05 < abs(where["carrier.Rz"]) < 0.5


def test_a_track_rod_is_a_constraint():
    assert isinstance(library.double_wishbone().constraints["track rod"], hs.Distance)
