"""Steady motions of what rolls: the bicycle of [Meijaard] straight and in curves, discs in circles."""

import math
import warnings

import numpy as np
import pytest
from scipy.linalg import expm

import hapsis as hs
from hapsis.motion.analysis.equilibrium.sought_speeds import sought_speeds

G = 9.81
# of the reference, (lean, steer): M q̈ + v C1 q̇ + (g K0 + v² K2) q = 0
M = np.array([[80.81722, 2.3194133220870907], [2.3194133220870907, 0.2978418819968554]])
C1 = np.array([[0, 33.86641391492494], [-0.8503564145697845, 1.6854039739755957]])
K0 = np.array([[-80.95, -2.599516852498716], [-2.599516852498716, -0.8032948845861767]])
K2 = np.array([[0, 76.59734589573222], [0, 2.6543152379460397]])
WEAVE, CAPSIZE = 4.29238253634111, 6.02426201538837
STATES = ("lean", "steer", "lean.v", "steer.v")


@pytest.fixture(scope="module")
def bicycle():
    return hs.library.whipple_bicycle()


def ride(model, v, **more):
    """The linear model of a straight ride, lean and steer only."""
    at = hs.equilibrium(model, speeds={"rear.v": v / 0.3}, stability=False) if v else None
    small = hs.linearize(model, at or {"rear.v": 0.0}, inputs=("lean", "steer"), **more)
    rows = [small.states.index(name) for name in STATES]
    # nothing else acts on these four
    others = [k for k in range(len(small.states)) if k not in rows]
    assert np.abs(small.A[np.ix_(rows, others)]).max() < 1e-12
    return small.A[np.ix_(rows, rows)], small.B[rows]


def sorted_values(A):
    values = np.linalg.eigvals(A)
    return values[np.lexsort((values.imag, np.round(values.real, 7)))]


def test_eigenvalues_from_0_to_10(bicycle):
    for v in (0.0, 1.0, 2.5, 5.0, 7.0, 10.0):
        A, B = ride(bicycle, v)
        found_M = np.linalg.inv(B[2:])
        assert found_M == pytest.approx(M, abs=1e-11)
        assert -found_M @ A[2:, 2:] == pytest.approx(v * C1, abs=1e-10)
        assert -found_M @ A[2:, :2] == pytest.approx(G * K0 + v * v * K2, abs=1e-9)
        K = np.linalg.solve(M, np.hstack([-(G * K0 + v * v * K2), -v * C1]))
        expected = sorted_values(np.vstack([np.eye(4)[2:], K]))
        assert np.abs(sorted_values(A) - expected).max() < 1e-9
    A, _ = ride(bicycle, 5.0)
    known = [-14.078389692798, -0.775341882196 - 4.464867713788j, -0.775341882196 + 4.464867713788j]
    assert np.abs(sorted_values(A) - [*known, -0.322866429004]).max() < 1e-9


def zero_of(f, a, b):
    """Where a smooth function changes its sign, by regula falsi (Illinois) to rounding."""
    fa, fb = f(a), f(b)
    for _ in range(60):
        c = b - fb * (b - a) / (fb - fa)
        fc = f(c)
        if fc * fb < 0.0:
            a, fa = b, fb
        else:
            fa *= 0.5
        b, fb = c, fc
        if fb == 0.0 or abs(b - a) < 1e-14 * abs(b) or abs(fb) < 1e-13:
            break
    return b


def test_weave_and_capsize(bicycle):
    def swing(v):
        values = np.linalg.eigvals(ride(bicycle, v)[0])
        return max(x.real for x in values if abs(x.imag) > 1.0)

    def fall(v):
        return float(np.linalg.det(ride(bicycle, v)[0]))

    assert zero_of(swing, 4.2, 4.4) == pytest.approx(WEAVE, abs=1e-8)
    assert zero_of(fall, 5.9, 6.1) == pytest.approx(CAPSIZE, abs=1e-8)
    # and the verb says it
    for v, word in ((4.0, "unstable"), (5.0, "neutral"), (6.3, "unstable")):
        assert hs.equilibrium(bicycle, speeds={"rear.v": v / 0.3}).report.stability == word


def test_no_choice_of_leading_coordinates_matters(bicycle):
    A, _ = ride(bicycle, 5.0)
    for leaders in (("lean", "steer", "front"), ("lean", "steer", "place.Tx")):
        B, _ = ride(bicycle, 5.0, independent=leaders)
        assert sorted_values(B) == pytest.approx(sorted_values(A), abs=1e-10)
    bare = bicycle.replace(independent=())
    curve = {"lean": 0.1, "steer": 0.02}
    one, other = (hs.equilibrium(m, curve, held=["lean"], speeds={"rear.v": 15.0}) for m in (bicycle, bare))
    assert np.abs(one.q - other.q).max() < 1e-12 and np.abs(one.v - other.v).max() < 1e-11


@pytest.mark.parametrize("lean", [0.05, -0.2, 0.35])
def test_a_curve(bicycle, lean):
    """A bicycle let go in its curve stays in it; it rides to the side to which it leans."""
    start = {"lean": lean, "steer": 0.3 * lean, "rear.v": 19.0}
    state = hs.equilibrium(bicycle, start, held=["lean"], speeds={"rear.v": None})
    assert abs(state.report.efforts["lean held.effort"]) < 1e-9
    assert state["lean"] == lean and state["steer"] * lean > 0 and state["place.Rz.v"] * lean < 0
    # centrifugal forces balance the weight, about: tan(lean) ≈ v Ω / g
    v, turn = math.hypot(state["place.Tx.v"], state["place.Ty.v"]), state["place.Rz.v"]
    assert -v * turn / G == pytest.approx(math.tan(lean), rel=0.1)
    result = hs.simulate(bicycle, until=2.0, start=state)
    for name in ("lean", "steer", "rear.v", "place.Rz.v"):
        assert np.abs(result[name] - state[name]).max() < 1e-8
    # it rides in a circle of the radius v / Ω
    x, y = result["place.Tx"], result["place.Ty"]
    turned = result["place.Rz"]
    centre = np.array([-state["place.Ty.v"], state["place.Tx.v"]]) / turn
    radius = np.hypot(x - centre[0], y - centre[1])
    assert np.ptp(radius) < 1e-6 and turned[-1] == pytest.approx(2.0 * turn, rel=1e-9)


def test_small_motions_in_a_curve(bicycle):
    """A little away from the curve it moves as the matrix of the curve says, by runs of the whole model."""
    start = {"lean": 0.25, "steer": 0.08, "rear.v": 19.0}
    curve = hs.equilibrium(bicycle, start, held=["lean"], speeds={"rear.v": None})
    names = ("lean", "steer", "lean.v", "rear.v", "steer.v")
    small = hs.linearize(bicycle, curve)
    rows = [small.states.index(name) for name in names]
    others = [k for k in range(len(small.states)) if k not in rows]
    assert np.abs(small.A[np.ix_(rows, others)]).max() < 1e-10  # where it is and heads does not matter
    flow, size = expm(0.4 * small.A[np.ix_(rows, rows)]), 1e-4
    for k, name in enumerate(names):
        ends = []
        for sign in (1.0, -1.0):
            moved = {n: curve[n] + (sign * size if n == name else 0.0) for n in names}
            result = hs.simulate(bicycle, until=0.4, start=moved, tolerance=1e-12)
            ends.append(np.array([result[n][-1] for n in names]))
        found = (ends[0] - ends[1]) / (2 * size)
        assert np.abs(found - flow[:, k]).max() < 1e-5 * np.abs(flow).max()


def test_modes_of_a_ride(bicycle):
    straight = hs.equilibrium(bicycle, speeds={"rear.v": 5.0 / 0.3})
    found = hs.modes(bicycle, straight)
    weave = next(x for x in found.eigenvalues if x.imag > 1.0)
    assert weave == pytest.approx(-0.775341882196 + 4.464867713788j, abs=1e-8)


def test_where_it_rides_does_not_matter(bicycle):
    """The same curve elsewhere and in another direction."""
    curve = {"lean": 0.1, "steer": 0.02}
    moved = {**curve, "place.Tx": 7.0, "place.Ty": -3.0, "place.Rz": 2.0}
    one, other = (hs.equilibrium(bicycle, s, held=["lean"], speeds={"rear.v": 15.0}) for s in (curve, moved))
    for name in ("lean", "steer", "pitch", "place.Tz", "place.Rz.v", "rear.v", "front.v"):
        assert one[name] == pytest.approx(other[name], abs=1e-12)
    values = [np.sort_complex(np.array(s.report.eigenvalues)) for s in (one, other)]
    assert np.abs(values[0] - values[1]).max() < 1e-8


@pytest.mark.parametrize("scale", [1e-3, 1e3])
def test_bicycles_of_all_sizes(scale):
    """Lengths by s, masses by s³: what happens is the same, slower by √s (Froude)."""
    powers = {"w": 1, "c": 1, "x": 1, "z": 1, "r": 1, "m": 3, "I": 5, "l": 0}
    base = hs.library.whipple_bicycle()
    values = {name: x * scale ** powers[name[0]] for name, x in base.parameters.items()}
    model, v = hs.library.whipple_bicycle(5.0 * math.sqrt(scale), **values), 5.0 * math.sqrt(scale)
    small = hs.linearize(model, hs.equilibrium(model, speeds={"rear.v": v / values["rR"]}))
    rows = [small.states.index(name) for name in STATES]
    A, _ = ride(base, 5.0)
    found = np.linalg.eigvals(small.A[np.ix_(rows, rows)]) * math.sqrt(scale)
    assert np.sort_complex(found) == pytest.approx(np.sort_complex(np.linalg.eigvals(A)), abs=1e-8)


def disc(r, axial, across):
    mass = 74.0 * r**3
    return hs.Model(
        hs.Body("heading"),
        hs.Body("leaning"),
        hs.Body("disc", mass=mass, inertia=tuple(mass * r * r * np.array([across, axial, across]))),
        hs.Chain("place", hs.WORLD, "heading", "Tx Ty Tz Rz"),
        hs.Revolute("lean", "heading", "leaning", axis="x"),
        hs.Revolute("spin", "leaning", "disc", axis="y"),
        hs.Rolling("roll", "disc", hs.WORLD, r),
        poses={"start": {"place.Tz": r}},
    )


@pytest.mark.parametrize("r", [3e-3, 0.3, 3000.0])
@pytest.mark.parametrize(("axial", "across", "part"), [(0.5, 0.25, 3), (1.0, 0.5, 4)], ids=["disc", "hoop"])
def test_an_upright_wheel_is_stable_from_a_speed_on(r, axial, across, part):
    """ω² > g / 3r of a disc, g / 4r of a hoop."""
    model, limit = disc(r, axial, across), math.sqrt(G / (part * r))

    def pull(w):
        """Of lean: λ² = -pull, with the heading as it goes along."""
        state = hs.equilibrium(model, speeds={"spin.v": w}, stability=False)
        small = hs.linearize(model, state)
        values = np.linalg.eigvals(small.A)
        return -float((values[np.argmax(np.abs(values))] ** 2).real) / limit**2

    assert zero_of(pull, 0.8 * limit, 1.3 * limit) == pytest.approx(limit, rel=1e-6)
    for w, word in ((0.99, "unstable"), (1.01, "neutral")):
        assert hs.equilibrium(model, speeds={"spin.v": w * limit}).report.stability == word


@pytest.mark.parametrize(("lean", "turn"), [(0.3, 2.0), (-0.7, 5.0), (1.2, -3.0)])
def test_a_disc_in_steady_circles(lean, turn):
    """(3/2) r w Ω cos θ - (r/4) Ω² sin θ cos θ + g sin θ = 0 of a thin disc: w about its own axis."""
    r = 0.3
    model = disc(r, 0.5, 0.25)
    s, c = math.sin(lean), math.cos(lean)
    spin = (r / 4 * turn**2 * s * c - G * s) / (1.5 * r * turn * c) - turn * s  # relative to what leans
    start, given = {"lean": lean + 0.05}, {"spin.v": spin, "place.Rz.v": turn}
    state = hs.equilibrium(model, start, speeds=given, nearest=True)
    assert state["lean"] == pytest.approx(lean, abs=1e-9)
    # held at its lean it finds the spin itself
    start = {"lean": lean, "spin.v": 1.2 * spin, "place.Rz.v": turn}
    found = hs.equilibrium(model, start, held=["lean"], speeds={"spin.v": None, "place.Rz.v": turn})
    assert found["spin.v"] == pytest.approx(spin, rel=1e-9)
    swings = [np.sort(np.abs(s.report.eigenvalues)) for s in (found, state)]
    assert swings[0] == pytest.approx(swings[1], abs=1e-6)


COMBINED = [
    hs.Speed("about", lambda s: s["spin.v"] + hs.sin(s["lean"]) * s["place.Rz.v"]),
    hs.Speed("yaw", {"place.Rz.v": 2.0}),
]


@pytest.mark.parametrize("r", [3e-3, 0.3, 3000.0])
@pytest.mark.parametrize(("lean", "turn"), [(0.3, 2.0), (-0.7, 5.0)])
def test_steady_motions_by_generalized_speeds(lean, turn, r):
    """The spin of a coin about its axis depends on the lean that is looked for, as in the circles above."""
    model, s, c = disc(r, 0.5, 0.25) + COMBINED, math.sin(lean), math.cos(lean)
    turn *= math.sqrt(0.3 / r)
    w = (r / 4 * turn**2 * s * c - G * s) / (1.5 * r * turn * c)
    given = {"about": w, "yaw": 2.0 * turn}
    state = hs.equilibrium(model, {"lean": lean + 0.05}, speeds=given, nearest=True)
    assert state["lean"] == pytest.approx(lean, abs=1e-9)
    assert state["spin.v"] + s * state["place.Rz.v"] == pytest.approx(w, rel=1e-9)
    assert state["place.Rz.v"] == pytest.approx(turn, rel=1e-12)
    own = {"spin.v": w - turn * s, "place.Rz.v": turn}
    plain = hs.equilibrium(disc(r, 0.5, 0.25), {"lean": lean + 0.05}, speeds=own, nearest=True)
    swings = [np.sort(np.abs(x.report.eigenvalues)) for x in (state, plain)]
    assert swings[0] == pytest.approx(swings[1], abs=1e-6 * abs(turn))
    mixed = hs.equilibrium(model, {"lean": lean}, speeds={"about": w, "place.Rz.v": turn}, nearest=True)
    assert mixed["lean"] == pytest.approx(lean, abs=1e-9)


def test_generalized_speeds_that_a_steady_motion_cannot_have(bicycle):
    ahead = hs.Speed(
        "ahead", lambda s: hs.cos(s["place.Rz"]) * s["place.Tx.v"] + hs.sin(s["place.Rz"]) * s["place.Ty.v"]
    )
    model = bicycle + ahead
    ride = hs.equilibrium(model, speeds={"ahead": 5.0})
    assert ride["rear.v"] == pytest.approx(5.0 / 0.3, rel=1e-12) and ride.report.stability == "neutral"
    assert not hs.equilibrium(model, {"rear.v": 0.0}, speeds={"ahead": 0.0}, nearest=True).report.moving
    with pytest.raises(hs.SolveError, match='no steady motion can be given "ahead"'):
        hs.equilibrium(model, speeds={"ahead": 5.0, "rear.v": 3.0})
    with pytest.raises(hs.SolveError, match='no steady motion can be given "ahead"'):
        hs.equilibrium(model, speeds={"ahead": 5.0, "rear.v": 0.0})
    with pytest.raises(hs.ModelError, match='"ahead" is a combination, and one that is found'):
        hs.equilibrium(model, held=["lean"], speeds={"ahead": None})


def test_errors(bicycle):
    with pytest.raises(hs.ModelError, match="1 speeds are to be found and 0 coordinates are held"):
        hs.equilibrium(bicycle, {"rear.v": 10.0}, speeds={"rear.v": None})
    with pytest.raises(hs.ModelError, match=r'"rear\.v" is to be found, and starts at zero'):
        hs.equilibrium(bicycle, {"rear.v": 0.0}, held=["lean"], speeds={"rear.v": None})
    driven = bicycle + hs.Drive("hand", "steer", position=0.1)
    with pytest.raises(hs.ModelError, match='"steer" has a drive, so that no speed can be found'):
        hs.equilibrium(driven, {"rear.v": 18.0}, held=["steer"], speeds={"rear.v": None})
    with pytest.raises(hs.SolveError, match="no steady motion"):
        speeds = {"place.Tx.v": 1.0, "place.Rz.v": 2.0}  # x goes round: it is not steady
        hs.equilibrium(disc(0.3, 0.5, 0.25), {"lean": 0.1}, speeds=speeds)
    with pytest.raises(hs.SolveError, match="no steady motion: at no speed"):
        sought_speeds(lambda v: 1.0 + v * v, np.array([0.7]), ["rear.v"])


def test_what_ends_far_away_is_said(bicycle):
    given = {"held": ["steer"], "speeds": {"rear.v": 5.0 / 0.3}}
    with pytest.warns(hs.errors.Notice, match=r'far from the start: "lean" moved by -3\.\d+; nearest=True'):
        state = hs.equilibrium(bicycle, {"lean": 0.1, "steer": 0.1}, **given)
    assert state.report.far == {"lean": pytest.approx(state["lean"] - 0.1)}
    assert '"lean" moved by' in str(state.report)
    near = hs.equilibrium(bicycle, {"lean": 0.1, "steer": 0.1}, **given, nearest=True)
    assert not near.report.far and "moved" not in str(near.report)


def test_a_speed_may_change_its_sign():
    """From the wrong way round the circle is found, too."""
    model, at = hs.library.rolling_disc(), {"lean": 0.3, "spin.v": 5.0}
    turns = [
        hs.equilibrium(
            model, {**at, "place.Rz.v": x}, held=["lean"], speeds={"spin.v": 5.0, "place.Rz.v": None}
        )
        for x in (1.0, -1.0)
    ]
    assert (
        turns[0]["place.Rz.v"] == pytest.approx(turns[1]["place.Rz.v"], rel=1e-9)
        and turns[0]["place.Rz.v"] < 0
    )


def test_speeds_of_numpy_and_impossible_bicycles():
    assert hs.library.whipple_bicycle(np.float64(5.0)).poses["start"]["place.Tx.v"] == 5.0
    with pytest.raises(hs.ModelError, match='"w" of a bicycle must be a number, not None'):
        hs.library.whipple_bicycle(w=None)


@pytest.mark.parametrize("rate", [1e-12, 1.0, 1e6])
def test_a_pendulum_turns_steadily_at_no_speed(rate):
    arm = hs.Model(hs.Body("arm", 2.0, (0, 0, -0.5)), hs.Revolute("hinge", hs.WORLD, "arm", axis="y"))
    with pytest.raises(hs.SolveError, match=r'forces depend on the position of "hinge\.v"'):
        hs.equilibrium(arm, speeds={"hinge.v": rate})


@pytest.mark.parametrize("rate", [3.0, 5.0, 30.0])
def test_a_bead_on_a_hoop_that_turns(rate):
    """It rests where cos θ = g / (R ω²), lowest or highest, not where what leads turns back."""
    hoop = hs.Model(
        hs.Body("plate", inertia=(1, 1, 1)),
        hs.Body("bead", mass=1.0),
        hs.Revolute("spin", hs.WORLD, "plate", axis="z"),
        hs.Chain("at", "plate", "bead", "Tx Tz"),
        hs.Distance("wire", "bead", "plate", length=1.0),
    )
    for angle in (0.5, 3.0):
        start = {"at.Tx": math.sin(angle), "at.Tz": -math.cos(angle)}
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", hs.Notice)  # some end far from the start
            state = hs.equilibrium(hoop, start, speeds={"spin.v": rate})
        x, z = state["at.Tx"], state["at.Tz"]
        assert x * (rate**2 * -z - G) == pytest.approx(0.0, abs=1e-7 * rate**2)  # along the wire
        a = hs.compile(hs.forward_dynamics(hoop))(state.q, state.v, np.zeros(3)).a
        assert a == pytest.approx(np.zeros(3), abs=1e-7 * rate**2)


def test_a_loop_that_cannot_be_closed_is_told_though_other_poses_have_no_rows():
    """What to leave out is tried; where the spot is at the centre of the bowl there is no normal."""
    bowl = hs.Model(
        *(hs.Body(name) for name in ("arm", "mark", "head")),
        hs.Body("disc", mass=1.0, inertia=(1e-3, 2e-3, 1e-3)),
        hs.Revolute("az", hs.WORLD, "arm", axis="z"),
        hs.Chain("spot", "arm", "mark", "Tx Ty Tz"),
        hs.Chain("place", "arm", "head", "Tx Ty Tz Rz"),
        hs.Chain("lean", "head", "disc", "Rx Ry"),
        hs.Rolling(
            "roll",
            "disc",
            "arm",
            0.05,
            surface=lambda x, y, z: 0.5 - 0.5 * (x * x + y * y + z * z),
            spot="spot",
        ),
    )
    given = {"place.Tx": 0.6, "place.Rz": 1.57, "spot.Tx": 0.6, "spot.Tz": -0.8, "place.Tz": -0.75}
    with pytest.raises(hs.SolveError, match=r"the loops cannot be closed.*leave out"):
        hs.assemble(bowl, {**given, "lean.Rx": 0.5})
