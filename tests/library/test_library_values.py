"""The numbers of the ready mechanisms are those of their sources."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import hapsis as hs
from hapsis import library


def tree(model):
    """The model with its loops cut open and its drives taken off."""
    opened = {*(j.name for j in model.cuts), *model.constraints}
    kept = [fact for fact in model.facts if not isinstance(fact, hs.Drive)]
    facts = [fact for fact in kept if fact.name not in opened or isinstance(fact, hs.Body)]
    return hs.Model(*facts, gravity=model.gravity, parameters=model.parameters)


def place(model, frame, q):
    return hs.compile(hs.pose(tree(model), frame))(np.asarray(q, dtype=float))[0]


@pytest.mark.parametrize("name", library.MODELS)
def test_every_mechanism_is_sound_and_has_a_start(name):
    model = getattr(library, name)()
    assert model.warnings == () and set(model.coordinates) <= set(model.pose("start"))
    assert model == getattr(library, name)()
    assert hs.compile(hs.mass_matrix(tree(model)))(model.zero).shape == (len(model.speeds),) * 2


@pytest.mark.parametrize("name", library.MODELS)
def test_every_mechanism_is_data(name, tmp_path):
    model = getattr(library, name)()
    hs.save(model, tmp_path / "model.yaml")
    assert hs.load(tmp_path / "model.yaml") == model


@pytest.mark.parametrize("name", library.MODELS)
def test_every_mechanism_can_be_a_part(name):
    model = getattr(library, name)()
    part = model.prefixed("left")
    assert part.coordinates == tuple(f"left.{n}" for n in model.coordinates)
    assert list(part.pose("start").values()) == list(model.pose("start").values())


def test_agile_eye_table():
    """The table of the source: values of all 33 coordinates, and which are forced."""
    quarter, beta, rest = 0.7853981633974483, 1.318116071652818, 0.25268025514207865
    branch = [-quarter, -0.68471920311242, -beta, 0.2, rest, 2.25, quarter]
    table = [0.4, 0.28, 0.55, 0.0, 0.0, 0.0]
    table += [0.5235987755982989, *branch, 0.0]
    table += [2.6179938779914944, *branch, -2.0943951023931957]
    table += [-1.5707963267948966, *branch, 2.0943951023931957]
    model = library.agile_eye()
    assert model.coordinates == tuple(f"q{k}" for k in range(1, 34))
    start = model.pose("start")
    assert np.allclose([start[n] for n in model.coordinates], table, rtol=0, atol=1e-15)
    forced = [7, 8, 10, 12, 14, 15, 16, 17, 19, 21, 23, 24, 25, 26, 28, 30, 32, 33]
    held = {d.joint: model.value(d.position) for d in model.drives.values()}
    assert set(held) == {f"q{k}" for k in forced} and model.independent == ("q9", "q18", "q27")
    assert all(held[n] == start[n] for n in held)
    anchors = {
        "first arm 1.end": (0.6123724356957945, 0.0, -0.7905694150420949),
        "second arm 2.end": (0.9185586535436918, -0.39528470752104744, 0.0),
        "eye arm 3.end": (0.0, 0.408248290463863, 0.0),
    }
    for frame, at in anchors.items():
        assert np.allclose([model.value(x) for x in model.frame(frame)[1].at], at, atol=1e-15)
    masses = {n: b.mass for n, b in model.bodies.items() if b.mass}
    assert masses == {"eye": 4.0} and model.bodies["eye"].inertia[:3] == (0.064,) * 3


def test_slider_crank_positions():
    for degrees, x in ((30, 0.3824065295), (60, 0.3372281323), (90, 0.2828427125), (120, 0.2372281323)):
        model = library.slider_crank(angle=np.radians(degrees).item())
        assert abs(model.pose("start")["slider"] - x) < 1e-10
    for r, length in ((0.3, 0.3), (0.0, 0.3), (float("nan"), 0.3)):
        with pytest.raises(hs.ModelError, match="0 < r < l"):
            library.slider_crank(r, length)


def test_andrews_mass_centres_and_points():
    """Against the formulas of the source, at any angles, closed or not."""
    model = library.andrews()
    p = dict(model.parameters)
    A, B = np.array([-0.06934, -0.00227]), np.array([-0.03635, 0.03273])
    beta, theta, gamma, phi, delta, omega, epsilon = q = np.random.default_rng(2).uniform(-2, 2, 7)

    def cs(x):
        return np.array([np.cos(x), np.sin(x)])

    def sc(x):
        return np.array([np.sin(x), -np.cos(x)])

    def turned(x, a, b):
        return a * cs(x) + b * np.array([-np.sin(x), np.cos(x)])

    pivot5, pivot7 = A + p["zt"] * cs(delta), A + p["u"] * sc(epsilon)
    centres = {
        "K1": p["ra"] * cs(beta),
        "K2": p["rr"] * cs(beta) - p["da"] * cs(beta + theta),
        "K3": B + turned(gamma, p["sb"], -p["sa"]),
        "K4": pivot5 + (p["e"] - p["ea"]) * sc(phi + delta),
        "K5": A + turned(delta, p["ta"], p["tb"]),
        "K6": pivot7 + (p["zf"] - p["fa"]) * cs(omega + epsilon),
        "K7": A + turned(epsilon, -p["ub"], -p["ua"]),
    }
    points = {
        "K2.E": p["rr"] * cs(beta) - p["d"] * cs(beta + theta),
        "K3.E": B + p["ss"] * sc(gamma),
        "K4.E": pivot5 + p["e"] * sc(phi + delta),
        "K6.E": pivot7 + p["zf"] * cs(omega + epsilon),
        "K3.D": B + turned(gamma, p["sd"], -p["sc"]),
    }
    for body, centre in centres.items():
        com = tuple(model.value(x) for x in model.bodies[body].com)
        marked = model.replace(body, frames={**model.bodies[body].frames, "centre": com})
        assert np.allclose(place(marked, f"{body}.centre", q), [*centre, 0.0], atol=1e-15)
    for frame, at in points.items():
        assert np.allclose(place(model, frame, q), [*at, 0.0], atol=1e-15)
    assert model.gravity == (0, 0, 0) and model.coordinates[3:5] == ("phi", "delta")


def test_andrews_forces():
    """At rest in `start` the torque acts on beta, and the spring on gamma with its lever arm."""
    model = library.andrews()
    q = np.array([model.pose("start")[n] for n in model.coordinates])
    bias = hs.compile(hs.bias(tree(model)))(q, np.zeros(7))
    D = place(model, "K3.D", q)
    C, B = np.array([0.014, 0.072, 0]), np.array([-0.03635, 0.03273, 0])
    pull = 4530.0 * (np.linalg.norm(C - D) - 0.07785) * (C - D) / np.linalg.norm(C - D)
    expected = -np.array([0.033, 0, np.cross(D - B, pull)[2], 0, 0, 0, 0])
    assert np.allclose(bias, expected, atol=1e-15)


def test_bricard_points_and_masses():
    model = library.bricard()
    corners = [(0, 0, 0), (1, 0, 0), (1, -1, 0), (1, -1, 1), (0, -1, 1), (0, 0, 1)]
    for k in range(1, 6):
        assert np.allclose(place(model, f"bar{k}", np.zeros(5)), corners[k - 1], atol=1e-15)
        assert np.allclose(place(model, f"bar{k}.end", np.zeros(5)), corners[k], atol=1e-15)
        body = model.bodies[f"bar{k}"]
        moments = sorted(model.value(x) for x in body.inertia[:3])
        assert np.allclose(moments, [1 / 600, 1.01 / 12, 1.01 / 12]) and model.value(body.mass) == 1
    assert "".join(j.axis for j in model.joints.values()) == "yzxyzx"


def test_n_four_bar_starts_with_one_metre_per_second():
    model = library.n_four_bar(3)
    start = model.pose("start")
    q = np.array([start[n] for n in model.coordinates])
    v = np.array([start[n] for n in model.speeds])
    assert sum(model.value(b.mass) for b in model.bodies.values()) == 7
    for k in range(4):
        V = hs.compile(hs.velocity(tree(model), f"upright{k}.end"))(q, v)
        assert np.allclose(V[3:], (1, 0, 0), atol=1e-15)
        assert np.allclose(place(model, f"upright{k}.end", q), (k, 1, 0), atol=1e-15)
    assert np.allclose(hs.compile(hs.velocity(tree(model), "coupler2"))(q, v)[:3], 0.0)


def test_n_four_bar_after_ten_seconds():
    """IFToMM A02, tolerance 1e-6, on the parallelogram branch: all uprights turn alike."""
    model = library.n_four_bar(2)
    mass, bias = (hs.compile(verb(tree(model))) for verb in (hs.mass_matrix, hs.bias))
    alike = np.array([1.0, -1.0, 1.0, -1.0, 1.0])  # q = alike * the angle of an upright

    def rate(t, y):
        q, v = alike * y[0], alike * y[1]
        return [y[1], -(alike @ bias(q, v)) / (alike @ mass(q) @ alike)]

    start = model.pose("start")
    assert np.array_equal([start[n] for n in model.coordinates], alike * np.pi / 2)
    y = solve_ivp(rate, (0, 10), (np.pi / 2, -1.0), method="DOP853", rtol=1e-11, atol=1e-12).y
    angle, speed = y[:, -1]
    x, height = np.cos(angle), np.sin(angle)
    found = (x, height, -height * speed, x * speed)
    expected = (0.3284581115, 0.9445185382, 1.4230514702, -0.4948688455)
    assert np.allclose(found, expected, rtol=0, atol=1e-6)


def test_slider_crank_feels_the_slider():
    """With a massless coupler the inertia at the crank is I + m x'²."""
    model = library.slider_crank(coupler_mass=0.0)
    r, l, m = 0.1, 0.3, 0.5
    for angle in (0.3, 1.2, 2.5):
        start = library.slider_crank(angle=angle).pose("start")
        root = np.sqrt(l**2 - (r * np.sin(angle)) ** 2)
        along = -r * np.sin(angle) - r**2 * np.sin(angle) * np.cos(angle) / root
        lead = np.array([1.0, -1.0 - r * np.cos(angle) / root, along])
        M = hs.compile(hs.mass_matrix(tree(model)))([start[n] for n in model.coordinates])
        assert np.isclose(lead @ M @ lead, 0.2 * r**2 / 3 + m * along**2, rtol=1e-12)


def test_governor_after_a_second():
    """IFToMM A05, tolerance 1e-7."""
    model = library.governor()
    assert np.isclose(model.value(model.bodies["slider"].mass), 3.0)
    assert np.isclose(model.value(model.bodies["left"].mass), 0.3)
    result = hs.simulate(model, until=1.0, tolerance=1e-11)
    assert abs(result["slider"][-1] - 0.501420922) < 1e-7
    assert abs(result["shaft.v"][-1] - 6.271125743) < 1e-7
    assert np.allclose(result["left"], result["right"], atol=1e-9)


def test_five_link_suspension_points():
    model = library.five_link_suspension()
    q = np.zeros(14)
    outer = {
        "lower_front": (0.04, 0.766, 0.15),
        "lower_rear": (-0.01, 0.766, 0.15),
        "upper_front": (-0.02, 0.6872, 0.45),
        "upper_rear": (-0.06, 0.6872, 0.45),
        "track_rod": (0.142083, 0.789, 0.185),
    }
    for name, at in outer.items():
        assert np.allclose(place(model, f"{name}.end", q), at, atol=1e-15)
        assert np.allclose(place(model, f"carrier.{name}", q), at, atol=1e-15)
    assert np.allclose(place(model, "wheel", q), (0, 0.7875, 0.33), atol=1e-15)
    offset = [model.value(x) for x in model.bodies["carrier"].com]
    assert np.allclose(place(model, "carrier", q) + offset, (0, 0.73, 0.33), atol=1e-15)
    masses = [model.value(b.mass) for b in model.bodies.values()]
    assert np.isclose(sum(masses), 2 * 2.903 + 2 * 2.639 + 2 * 5.278 + 15.0)


def test_links_are_slender_rods():
    """The inertia of a link about its line is zero, and m l²/12 across."""
    model = library.five_link_suspension()
    body = model.bodies["upper_front"]
    xx, yy, zz, xy, xz, yz = (model.value(x) for x in body.inertia)
    moments = np.linalg.eigvalsh([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    length = np.linalg.norm([model.value(x) for x in model.frame("upper_front.end")[1].at])
    across = 2.639 * length**2 / 12
    assert np.allclose(moments, [0.0, across, across], atol=1e-15)


@pytest.mark.parametrize("n", [0, -1, 1.5, "2"])
def test_stages_are_counted(n):
    for make in (library.n_four_bar, library.scissor_lift):
        with pytest.raises(hs.ModelError, match="whole number"):
            make(n)


def test_a_lift_lies_between_flat_and_upright():
    with pytest.raises(hs.ModelError, match="above the ground"):
        library.scissor_lift(2, angle=2.0)
    lift = library.scissor_lift(3, angle=0.5)
    start = lift.pose("start")
    q = [start[n] for n in lift.coordinates]
    assert np.allclose(place(lift, "platform", q), (0, 0, 3 * np.sin(0.5)), atol=1e-15)
