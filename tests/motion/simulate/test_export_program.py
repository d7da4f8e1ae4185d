"""Whole programs in C compute the motions of `simulate`, and tell what is wrong with their files."""

import shutil
import subprocess

import numpy as np
import pytest
from children import PATIENCE
from shared_models import four_bar, library

import hapsis as hs

GCC = shutil.which("gcc")
needs_gcc = pytest.mark.skipif(GCC is None, reason="gcc is not installed")
FLAGS = ["-std=c99", "-O1", "-ffp-contract=off", "-Wall", "-Wextra", "-pedantic", "-Werror"]


def pendulum():
    return hs.Model(
        hs.Body("arm", mass=1.0, com=(0, 0, -0.5), inertia=(0.083, 0.083, 0.001)),
        hs.Revolute("hinge", hs.WORLD, "arm", axis="y", damping=0.1),
    )


def top():
    return hs.Model(hs.Body("top", mass=1.0, inertia=(1, 2, 3)), hs.Free("f", hs.WORLD, "top"))


def sled():
    """A knife edge as a row of speeds, pushed round by a force along it."""
    return hs.Model(
        hs.Body("sled", mass=2.0, com=(0.1, 0, 0), inertia=(0.1, 0.1, 0.2)),
        hs.Chain("c", hs.WORLD, "sled", "Tx Ty Rz"),
        hs.Constraint(
            "edge", speeds=lambda s: s["c.Ty.v"] * hs.cos(s["c.Rz"]) - s["c.Tx.v"] * hs.sin(s["c.Rz"])
        ),
        gravity=(0, 0, 0),
    )


def kane_sled():
    """The same by generalized speeds."""
    forward = lambda s: hs.cos(s["c.Rz"]) * s["c.Tx.v"] + hs.sin(s["c.Rz"]) * s["c.Ty.v"]  # noqa: E731
    return sled() + hs.Speed("forward", forward) + hs.Speed("yaw", {"c.Rz.v": 1.0})


def bouncing():
    return hs.Model(
        hs.Body("ball", mass=1.0, inertia=(0.1, 0.1, 0.1), shapes=[hs.Sphere(0.1)]),
        hs.Prismatic("z", hs.WORLD, "ball", axis="z"),
        hs.Contact("floor", "ball", hs.WORLD.plane(normal="z"), law=hs.Linear(2000.0, 5.0)),
    )


def driven():
    return four_bar(hs.Drive("motor", "A", position=lambda t: 0.3 + 2 * t))


CASES = {
    "pendulum": (
        pendulum,
        {"start": {"hinge": 0.5}, "inputs": {"hinge": 0.3}},
        ["hinge.a", "hinge.reaction"],
    ),
    "forced": (pendulum, {"inputs": {"hinge": lambda t: hs.sin(3 * t)}}, ["hinge.effort", "work"]),
    "top": (top, {"start": {"f.wx": 0.1, "f.wy": 2.0, "f.vz": 3.0}}, ["top.position", "f.wx.a"]),
    "crank": (library.slider_crank, {"parameters": {"gravity.z": -3.0}}, ["kinetic"]),
    "sled": (sled, {"start": {"c.Tx.v": 1.0, "c.Rz.v": 0.5}}, ["c.Ty.a", "work"]),
    "kane": (kane_sled, {"start": {"c.Rz": 0.3, "forward": 1.0, "yaw": 0.5}}, ["forward", "yaw", "work"]),
    "bouncing": (bouncing, {"start": {"z": 0.3}}, ["floor.force", "floor.gap"]),
    "driven": (driven, {}, ["motor.effort", "C.reaction", "B.reaction.fx"]),
}


def built(folder, stem):
    subprocess.run([GCC, *FLAGS, f"{stem}.c", "-o", stem, "-lm"], cwd=folder, check=True, timeout=PATIENCE)


def ran(folder, stem, *more):
    return subprocess.run(
        [f"./{stem}", *more], cwd=folder, capture_output=True, text=True, timeout=PATIENCE, check=False
    )


def columns(path):
    names = path.read_text().splitlines()[0].split(",")
    rows = np.genfromtxt(path, delimiter=",", skip_header=1, ndmin=2)
    return dict(zip(names, rows.T, strict=True))


@needs_gcc
@pytest.mark.parametrize("case", CASES)
def test_a_program_gives_the_motion_of_simulate(case, tmp_path):
    make, options, outputs = CASES[case]
    model, until = make(), 1.5
    names = [*model.coordinates, *model.speeds, "energy", *outputs]
    hs.export_program(
        tmp_path / case, model, until, outputs=names, every=until / 50, tolerance=1e-9, **options
    )
    built(tmp_path, case)
    run = ran(tmp_path, case)
    assert run.returncode == 0 and run.stderr == "", run
    result = hs.simulate(model, until, every=until / 50, tolerance=1e-11, **options)
    table = columns(tmp_path / f"{case}.csv")
    assert len(table["t"]) == 51 and len(table) > len(names)  # t, and vectors in parts
    if case == "kane":
        assert "speeds: 3, 2 of them independent" in (tmp_path / "kane.c").read_text()
    rows = np.abs(result.t[:, None] - table["t"]).argmin(axis=0)  # touches are rows of a result too
    for name, values in table.items():
        expected = result[name][rows]
        scale = max(1.0, np.abs(expected).max())
        assert np.abs(values - expected).max() < 3e-6 * scale, name


@needs_gcc
def test_the_file_changes_parameters_start_and_times(tmp_path):
    model = pendulum()
    hs.export_program(tmp_path / "p", model, 1.0, start={"hinge": 0.5}, inputs={"hinge": 0.0})
    built(tmp_path, "p")
    lines = (tmp_path / "p.in").read_text().splitlines()
    new = {"arm.mass": "2.5", "hinge": "-0.2", "hinge.effort": "0.4", "tfinal": "2", "printint": "0.3"}
    names = [line.split()[0] if line else "" for line in lines]
    changed = [f"{n} {new[n]}" if n in new else line for n, line in zip(names, lines, strict=True)]
    (tmp_path / "other.in").write_text("\n".join(changed))
    run = ran(tmp_path, "p", "other.in", "other.csv")
    assert run.returncode == 0, run
    table = columns(tmp_path / "other.csv")
    assert np.allclose(table["t"], [0, 0.3, 0.6, 0.9, 1.2, 1.5, 1.8, 2.0])
    result = hs.simulate(model, 2.0, {"hinge": -0.2}, inputs={"hinge": 0.4}, parameters={"arm.mass": 2.5})
    assert abs(table["hinge"][-1] - result["hinge"][-1]) < 1e-6


@needs_gcc
def test_fixed_steps_have_order_four(tmp_path):
    hs.export_program(tmp_path / "p", pendulum(), 1.0, start={"hinge": 1.5}, step=0.1, every=1.0)
    built(tmp_path, "p")
    exact = hs.simulate(pendulum(), 1.0, {"hinge": 1.5}, tolerance=1e-12)["hinge"][-1]
    text, errors = (tmp_path / "p.in").read_text(), []
    for step in ("0.025", "0.0125", "0.00625"):
        (tmp_path / "p.in").write_text(text.replace("integstp  ", f"integstp {step} #"))
        assert ran(tmp_path, "p").returncode == 0
        errors.append(abs(columns(tmp_path / "p.csv")["hinge"][-1] - exact))
    assert errors[0] / errors[1] > 12 and errors[1] / errors[2] > 12


WRONG = {
    'p.in:6: "arm.maas" is no quantity of this program': ("tfinal", "arm.maas 1"),
    'p.in:6: "tinitial" is given twice': ("tfinal", "tinitial 1"),
    'p.in:6: "tfinal" has no value: expected a number after it': ("tfinal", "tfinal"),
    'p.in:6: "0x10" is no number': ("tfinal", "tfinal 0x10"),
    'p.in:6: "1,5" is no number': ("tfinal", "tfinal 1,5"),
    'p.in:6: "inf" is no number': ("tfinal", "tfinal inf"),
    'p.in:6: "1e999" is no finite number': ("tfinal", "tfinal 1e999"),
    'p.in:6: "1e" is no finite number': ("tfinal", "tfinal 1e"),
    'p.in: "tfinal" is missing': ("tfinal", "# tfinal 1"),
    'p.in:6: "tfinal" must be later than tinitial': ("tfinal", "tfinal 0"),
    'p.in:7: "integstp" must be more than 0': ("integstp", "integstp 0"),
    'p.in:8: "printint" is too small': ("printint", "printint -1"),
    'p.in:15: "arm.mass" is too small': ("arm.mass", "arm.mass -1 kg"),
    "p.in:6: the line is longer than 1022 characters": ("tfinal", "tfinal 1 " + "x" * 1100),
}


@needs_gcc
def test_wrong_files_are_told_in_one_line(tmp_path):
    hs.export_program(tmp_path / "p", pendulum(), 1.0)
    built(tmp_path, "p")
    lines = (tmp_path / "p.in").read_text().splitlines()
    for message, (name, line) in WRONG.items():
        place = next(k for k, text in enumerate(lines) if text.startswith(f"{name} "))
        (tmp_path / "p.in").write_text("\n".join([*lines[:place], line, *lines[place + 1 :]]) + "\n")
        run = ran(tmp_path, "p")
        assert (run.returncode, run.stderr, run.stdout) == (2, message + "\n", "")
    run = ran(tmp_path, "p", "nowhere.in")
    assert (run.returncode, run.stderr) == (2, "nowhere.in: cannot be read\n")


@needs_gcc
def test_a_dead_point_ends_the_program_with_a_message(tmp_path):
    model = four_bar(crank=0.2)
    hs.export_program(tmp_path / "p", model, 5.0, start={"A": 0.3, "A.v": 9.0}, independent=["D"])
    built(tmp_path, "p")
    run = ran(tmp_path, "p")
    assert run.returncode == 1 and run.stderr.startswith("the motion ends at t = ")
    assert len(run.stderr.splitlines()) == 1 and len(columns(tmp_path / "p.csv")["t"]) > 1


@needs_gcc
def test_rows_that_the_partition_leaves_out_are_watched(tmp_path):
    """A stretched arm, its tip pinned: at the start one row is redundant, and soon after it is not."""
    half = dict(mass=1.0, com=(0.5, 0, 0), inertia=(0.1, 0.1, 0.1), frames={"end": (1.0, 0, 0)})
    model = hs.Model(
        hs.Body("a", **half), hs.Body("b", **half),
        hs.Chain("j0", hs.WORLD, "a", "Ry Rz"), hs.Ball("j1", "a.end", "b"),
    ).pinned("b.end")  # fmt: skip
    assert hs.assemble(model).report.redundant == ("b.end.pin.x",)
    assert hs.simulate(model, until=1.0).status == "torn"
    hs.export_program(tmp_path / "arm", model, until=1.0)
    built(tmp_path, "arm")
    end = ran(tmp_path, "arm")
    assert end.returncode == 1 and "constraints that contradict each other" in end.stderr
    assert columns(tmp_path / "arm.csv")["t"][-1] < 0.1
    # where rows stay redundant they do no harm
    bar = hs.library.redundant_four_bar()
    hs.export_program(tmp_path / "bar", bar, until=0.2)
    built(tmp_path, "bar")
    assert ran(tmp_path, "bar").returncode == 0
    assert columns(tmp_path / "bar.csv")["t"][-1] == 0.2


@needs_gcc
def test_names_are_reduced_and_nothing_else_reaches_the_code(tmp_path):
    nasty = 'arm */ "; system("x'
    model = hs.Model(
        hs.Body(nasty, mass=1.0, com=(0, 0, -0.5), inertia=(0.1, 0.1, 0.1)),
        hs.Revolute("θ", hs.WORLD, nasty, axis="y"),
    )
    hs.export_program(tmp_path / "p", model, 1.0, start={"θ": 0.1})
    built(tmp_path, "p")
    assert ran(tmp_path, "p").returncode == 0
    assert [*columns(tmp_path / "p.csv")] == ["t", "theta", "theta_v", "energy"]
    assert (tmp_path / "p.c").read_text().isascii()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"outputs": ["hinge.vv"]}, "did you mean"),
        ({"outputs": ["hinge.reaction.q"]}, "mx, my, mz, fx, fy, fz"),
        ({"outputs": "hinge"}, "must be names"),
        ({"outputs": ["hinge", "hinge"]}, "twice"),
        ({"inputs": {"hinge": ([0, 1], [0, 1])}}, "table"),
        ({"until": 0.0}, "later"),
        ({"step": 0.0}, "more than 0"),
        ({"tolerance": -1.0}, "more than 0"),
        ({"path": "9 p"}, "file name"),
        ({"model": "pendulum"}, "made of a Model or a Hybrid"),
    ],
    ids=lambda value: "-".join(value) if isinstance(value, dict) else "",
)
def test_what_cannot_be_a_program_is_refused(options, message, tmp_path):
    given = {"path": "p", "model": pendulum(), **options}
    path = tmp_path / given.pop("path")
    with pytest.raises(hs.Error, match=message) as problem:
        hs.export_program(path, given.pop("model"), **given)
    assert len(str(problem.value).splitlines()) == 1
    assert not [*tmp_path.iterdir()]


def test_independent_coordinates_lead_or_are_refused(tmp_path):
    start = {"c.Rz": 0.3, "c.Tx.v": np.cos(0.3), "c.Ty.v": np.sin(0.3)}
    for names, expected in ((["c.Ty", "c.Rz"], "c.Ty.v, c.Rz.v"), (["forward", "yaw"], "c.Tx.v, c.Rz.v")):
        (path, _) = hs.export_program(tmp_path / "p", kane_sled(), 1.0, start, independent=names)
        assert f"independent: {expected}." in path.read_text()
    for names, message in ((["c.Tx", "c.Ty"], "cannot be independent"), (["c.Tz"], "no coordinate")):
        with pytest.raises(hs.Error, match=message):
            hs.export_program(tmp_path / "p", kane_sled(), 1.0, start, independent=names)
    with pytest.raises(hs.ModelError, match="without constraints"):
        hs.export_program(tmp_path / "p", pendulum(), 1.0, independent=["hinge"])


def test_a_sampled_controller_is_refused(tmp_path):
    model = hs.Model(
        hs.Body("arm", mass=1.0, com=(0, 0, -0.5), inertia=(0.083, 0.083, 0.001)),
        hs.Revolute("hinge", hs.WORLD, "arm", axis="y"),
        hs.Controller("servo", lambda s: {"hinge": -s["hinge"]}, rate=100, efforts=("hinge",)),
    )
    with pytest.raises(hs.ModelError, match="sampled controller"):
        hs.export_program(tmp_path / "p", model)


@needs_gcc
@pytest.mark.parametrize("tolerance", [1e-6, 1e-8, 1e-10])
def test_a_stop_that_acts_at_once_shortens_the_steps_and_does_not_end_them(tolerance, tmp_path):
    """The power of its damper jumps where the work is zero: the work does not decide on the steps."""
    arm = hs.Model(hs.Rod("arm", 1, 1), hs.Revolute("q", hs.WORLD, "arm", axis="y", limits=(-0.5, 1.0)))
    model = arm.with_stops()
    hs.export_program(tmp_path / "p", model, 2.0, tolerance=tolerance)
    built(tmp_path, "p")
    run = ran(tmp_path, "p")
    assert run.returncode == 0, run.stderr
    table, result = columns(tmp_path / "p.csv"), hs.simulate(model, 2.0, every=0.02, tolerance=1e-11)
    assert np.abs(table["q"] - result["q"]).max() < 100.0 * tolerance
