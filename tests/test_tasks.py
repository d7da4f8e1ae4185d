"""The tasks of examples/tasks: short, run as they stand, their numbers found again by other routes."""

import contextlib
import ctypes
import io
import runpy
import shutil
import subprocess
import warnings

import numpy as np
import oracle
import pytest
import task_lines
from scipy.integrate import solve_ivp
from scipy.linalg import solve_continuous_are
from scipy.optimize import fsolve, least_squares
from scipy.special import ellipk

import hapsis as hs

LONGEST = 25  # lines of code of a task
G = 9.81


def run(path, folder):
    """The variables that a program leaves, run as a user does, in a folder of its own."""
    with (
        contextlib.chdir(folder),
        warnings.catch_warnings(),
        contextlib.redirect_stdout(io.StringIO()) as out,
    ):
        warnings.simplefilter("error")
        names = runpy.run_path(str(path))
    assert out.getvalue().strip()
    return names


@pytest.fixture
def task(request, tmp_path):
    return run(task_lines.tasks()[request.param], tmp_path)


def of(name):
    return pytest.mark.parametrize("task", [name], indirect=True)


def test_there_are_eleven_short_tasks_each_with_a_rival_or_the_reason_why_not():
    written = {path.stem for path in task_lines.TASKS.glob("*.py")}
    assert len(task_lines.ORDER) == 11 and written == set(task_lines.ORDER)
    for name, path in task_lines.tasks().items():
        assert 0 < task_lines.lines_of_code(path) <= LONGEST, name
        assert bool(task_lines.rivals(name)) != (name in task_lines.MISSING), name
    listed = {path for name in written for path in task_lines.rivals(name).values()}
    assert listed == set((task_lines.TASKS / "rivals").glob("*.py"))


def test_the_table_of_the_page_is_counted_now():
    text = task_lines.PAGE.read_text(encoding="utf-8")
    assert task_lines.page_with(task_lines.table()) == text
    for name in task_lines.ORDER:
        assert f"../examples/tasks/{name}.py" in text


def test_lines_of_code_are_those_with_code(tmp_path):
    path = tmp_path / "program.py"
    text = '"""Text.\n\nMore."""\n\n# a comment\nx = """\nfirst\n\nsecond\n"""\n'
    path.write_text(text + '\n\ndef f():\n    "Text."\n    return (1,\n\n            2)\n')
    assert task_lines.lines_of_code(path) == 4 + 3


def cart_pole_rates(y, force):
    """The cart and the pole by Lagrange's equations, written by hand."""
    _, q, u, w = y
    mass, pole, arm = 1.0, 0.2, 0.3
    inertia = pole * (0.02**2 / 4 + 0.6**2 / 12)
    M = [[mass + pole, pole * arm * np.cos(q)], [pole * arm * np.cos(q), inertia + pole * arm**2]]
    rhs = [force + pole * arm * np.sin(q) * w**2, pole * G * arm * np.sin(q)]
    return np.concatenate([[u, w], np.linalg.solve(M, rhs)])


@of("cart_pole")
def test_cart_pole(task):
    h = 1e-6
    A = np.stack(
        [(cart_pole_rates(h * e, 0.0) - cart_pole_rates(-h * e, 0.0)) / (2 * h) for e in np.eye(4)], 1
    )
    B = cart_pole_rates(np.zeros(4), 1.0)[:, None]
    gains = (B.T @ solve_continuous_are(A, B, np.diag([1.0, 10.0, 0.1, 0.1]), [[0.1]]) / 0.1)[0]
    assert np.allclose(task["gains"], gains, rtol=1e-6)
    result = task["result"]
    control = solve_ivp(
        lambda t, y: cart_pole_rates(y, -gains @ y),
        (0, 8),
        [0, 0.3, 0, 0],
        t_eval=[1.0, 3.0, 8.0],
        rtol=1e-10,
        atol=1e-12,
    )
    for name, y in zip(("slide", "hinge"), control.y[:2], strict=True):
        assert np.allclose(np.interp(control.t, result.t, result[name]), y, atol=1e-6)


def slider(angle, r=0.05, l=0.14):
    """Where the piston is."""
    return r * np.cos(angle) + np.sqrt(l**2 - (r * np.sin(angle)) ** 2)


@of("engine")
def test_engine(task):
    run, w, step = task["run"], task["SPEED"], 1e-30
    angle = run["crank"]
    smooth = np.abs(angle / np.pi - np.round(angle / np.pi)) > 1e-3  # the gas force jumps between strokes

    def energy(angle):
        """Of rod and piston at constant speed."""
        s, c, dx = np.sin(angle), np.cos(angle), (slider(angle + 1e-6) - slider(angle - 1e-6)) / 2e-6 * w
        tilt = 0.05 * c * w / np.sqrt(0.14**2 - (0.05 * s) ** 2)
        vx, vz = (dx - 0.05 * s * w) / 2, -0.05 * c * w / 2  # of the rod's middle
        kinetic = 0.2 * (vx**2 + vz**2) + 0.5 * 0.4 * 0.14**2 / 12 * tilt**2 + 0.25 * dx**2
        return kinetic - G * (1.0 * 0.025 * s + 0.4 * 0.05 * s / 2)

    slope = (slider(angle + 1j * step).imag) / step
    turned = (energy(angle + 1e-5) - energy(angle - 1e-5)) / 2e-5
    effort = turned - run["gas.piston"] * slope
    assert np.allclose(run["shaft.effort"][smooth], effort[smooth], atol=1e-4 * np.abs(effort).max())
    full, dead = 5.5e-4, 5e-5  # the work of the gas in closed form
    work = 3e5 * full**1.3 * (dead**-0.3 - full**-0.3) / 0.3
    assert np.isclose(task["power"], work * 25, rtol=1e-4)
    turn, force = angle + run["big end"], run["pin.reaction"][:, 3:]
    along = np.cos(turn) * force[:, 0] + np.sin(turn) * force[:, 2]
    pushed = (0.5 * run["piston.a"] - run["gas.piston"])[smooth]
    assert np.allclose(along[smooth], pushed, atol=1e-6 * np.abs(pushed).max())


@of("urdf_batch")
def test_urdf_batch(task):
    motion = oracle.Motion(task["arm"], task["q"][:50], task["v"][:50], task["a"][:50])
    assert np.allclose(task["torques"][:50], motion.efforts(passive=False), atol=1e-12)


@of("boxes")
def test_boxes(task):
    result, weight = task["result"], 200 * 0.4 * 0.3 * 0.2 * G
    carried = [result[f"{name}.force"][-1] for name in ("floor", "first", "second")]
    assert np.allclose(carried, np.array([3, 2, 1]) * weight, rtol=1e-6)
    depth = 3 * weight / (4 * 1e6)  # four corners on springs
    assert np.isclose(result["low.z"][-1], 0.1 - depth, atol=1e-7)
    heights = [result[f"{name}.z"][-1] for name in task["names"]]
    assert np.allclose(np.diff(heights), 0.2, atol=5e-5) and result.energy_drift < 1e-4


def camber_by_distances(angle):
    """The carrier between its wishbones from the distances of its points, without any joint."""
    inner, outer = np.array([0.0, 0.35, 0.20]), np.array([0.01, 0.74, 0.18])
    upper_inner, upper_outer = np.array([-0.01, 0.45, 0.47]), np.array([-0.02, 0.70, 0.46])
    rod_inner, rod_outer, hub = (
        np.array([0.13, 0.37, 0.24]),
        np.array([0.14, 0.73, 0.23]),
        np.array([0, 0.7875, 0.33]),
    )

    def about_x(p, turn):
        return np.array(
            [p[0], np.cos(turn) * p[1] - np.sin(turn) * p[2], np.sin(turn) * p[1] + np.cos(turn) * p[2]]
        )

    low = inner + about_x(outer - inner, angle)
    far = np.linalg.norm

    def rows(x):
        up, rod = upper_inner + about_x(upper_outer - upper_inner, x[0]), x[1:]
        return [
            far(up - low) - far(upper_outer - outer),
            far(rod - low) - far(rod_outer - outer),
            far(rod - up) - far(rod_outer - upper_outer),
            far(rod - rod_inner) - far(rod_outer - rod_inner),
        ]

    x = fsolve(rows, np.concatenate([[angle], rod_outer + low - outer]), xtol=1e-13)
    up, rod = upper_inner + about_x(upper_outer - upper_inner, x[0]), x[1:]

    def axes(low, up, rod):
        first, second = up - low, rod - low
        return np.stack([first, second, np.cross(first, second)], axis=1)

    R = axes(low, up, rod) @ np.linalg.inv(axes(outer, upper_outer, rod_outer))
    return (low + R @ (hub - outer))[2] - 0.33, -np.degrees(np.arcsin(R[2, 1]))


@of("camber_curve")
def test_camber_curve(task):
    expected = np.array([camber_by_distances(0.2 * t - 0.2) for t in task["travel"].t])
    assert np.allclose(task["bump"], expected[:, 0], atol=1e-9)
    assert np.allclose(task["camber"], expected[:, 1], atol=1e-7)
    library = hs.library.double_wishbone()
    state = hs.assemble(library, {"lower": 0.2, "wheel": 0.0})
    R = hs.compile(hs.pose(library, "carrier"))(state.q).R
    assert np.isclose(-np.degrees(np.arcsin(R[2, 1])), task["camber"][-1], atol=1e-7)


@of("haptic_wall")
def test_haptic_wall(task):
    report = task["report"]
    assert report.ticks == 4000
    assert np.isclose(report["hand.force"][-1], -2000 * 0.005, rtol=1e-9)
    assert np.isclose(report["hand.x.command"][-1], -10.0, rtol=1e-9)
    even = (report["x"] > 0.004) & (report["x"] < 0.009)  # free, at a constant speed
    assert even.sum() > 100 and np.abs(report["hand.force"][even]).max() < 1e-6


@of("identification")
def test_identification(task):
    record = task["record"]

    def swing(numbers):
        com, damping = numbers

        def rates(t, y):
            return [y[1], (G * com * np.sin(y[0]) - damping * y[1]) / (0.083 + com**2)]

        return solve_ivp(rates, (0, 5), [0.5, 0], t_eval=record["t"], rtol=1e-10, atol=1e-12).y[0]

    fit = least_squares(lambda x: swing(x) - record["hinge"], (-0.45, 0.03), x_scale=(0.1, 0.01))
    variance = 2 * fit.cost / (len(record["t"]) - 2)
    errors = np.sqrt(np.diag(np.linalg.inv(fit.jac.T @ fit.jac)) * variance)
    found = task["fit"]
    for name, value, error in zip(("arm.com.z", "hinge.damping"), fit.x, errors, strict=True):
        assert np.isclose(found[name], value, atol=0.02 * error)
        assert np.isclose(found.errors[name], error, rtol=0.02)


@pytest.mark.skipif(not shutil.which("gcc"), reason="gcc is not installed")
@of("c_export")
def test_c_export(task, tmp_path):
    assert (
        "passed"
        in subprocess.run(["./arm_test"], cwd=tmp_path / "build", capture_output=True, text=True).stdout
    )
    library = tmp_path / "arm.so"
    build = [
        "gcc",
        "-std=c99",
        "-O2",
        "-shared",
        "-fPIC",
        str(tmp_path / "build" / "arm.c"),
        "-o",
        str(library),
        "-lm",
    ]
    subprocess.run(build, check=True)
    code, arm = ctypes.CDLL(str(library)), task["arm"]
    q, v, a = np.random.default_rng(5).uniform(-1, 1, (3, 6))
    tau, pointer = np.zeros(6), ctypes.POINTER(ctypes.c_double)
    stored = ctypes.addressof(ctypes.c_double.in_dll(code, "arm_p_stored"))
    arguments = [x.ctypes.data_as(pointer) for x in (q, v, a)]
    code.arm_inverse_dynamics(*arguments, ctypes.cast(stored, pointer), tau.ctypes.data_as(pointer))
    assert np.allclose(tau, oracle.Motion(arm, q[None], v[None], a[None]).efforts()[0], atol=1e-12)


@of("sweep")
def test_sweep(task):
    inertia = 0.5**2 + 0.4 * 0.02**2
    period = 4 * np.sqrt(inertia / (G * 0.5)) * ellipk(np.sin(task["angles"] / 2) ** 2)
    assert np.allclose(task["table"]["period"], period, rtol=1e-6)


@of("own_law")
def test_own_law(task):
    result = task["result"]
    depth = (0.5 * 2.97e-3 * 3.5 / 4.5e9) ** (1 / 3.5)
    assert np.isclose(-result["z"].min(), depth, rtol=1e-6)
    assert np.isclose(result["tip.force"].max(), 4.5e9 * depth**2.5, rtol=1e-6)
    assert np.isclose(result["z.v"][-1], 1.0, rtol=1e-7)


@of("broken_models")
def test_broken_models(task):
    problems = task["problems"]
    expected = [
        'did you mean "upper"',
        'frame "end"',
        "cannot be negative",
        "lower one must come first",
        "1, 1, 5",
    ]
    assert len(problems) == len(expected)
    assert all(any(text in problem for problem in problems) for text in expected)


# what ours and the rival leave under these names agrees so far, relative to the largest value
AGREEMENT = {
    "cart_pole": ("gains", 1e-2),
    "engine": ("power", 1e-3),
    "urdf_batch": ("torques", 1e-14),
    "boxes": ("heights", 1e-3),
    "camber_curve": ("camber", 3e-3),
    "identification": ("x", 1e-4),
    "sweep": ("period", 1e-7),
    "own_law": ("depth", 1e-6),
    "broken_models": (None, 0.0),
}
OURS = {
    "boxes": lambda names: [names["result"][f"{name}.z"][-1] for name in names["names"]],
    "identification": lambda names: list(names["fit"].values.values()),
    "own_law": lambda names: -names["result"]["z"].min(),
    "sweep": lambda names: names["table"]["period"],
}


@pytest.mark.peers
@pytest.mark.slow
@pytest.mark.parametrize("name", AGREEMENT)
def test_the_rivals_find_the_same(name, tmp_path):
    ours = run(task_lines.tasks()[name], tmp_path)
    key, bound = AGREEMENT[name]
    for path in task_lines.rivals(name).values():
        theirs = run(path, tmp_path)
        if key is None:
            assert theirs["problems"]
            continue
        a = np.asarray(OURS.get(name, lambda names, key=key: names[key])(ours))
        b = np.asarray(theirs["fit"].x if key == "x" else theirs[key])
        assert np.abs(a - b).max() <= bound * np.abs(b).max()


def test_every_rival_is_compared():
    assert set(AGREEMENT) == {name for name in task_lines.ORDER if task_lines.rivals(name)}
