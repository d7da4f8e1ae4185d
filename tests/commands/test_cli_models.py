"""The commands on model files, as a user calls them."""

import json
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from shared_models import four_bar

import hapsis as hs
from hapsis.commands import equations as commands
from hapsis.mechanics.model.tree_text import ASCII, MOST_LINES, kind, tree_text

ROOT = Path(__file__).resolve().parents[2]
MODELS = ROOT / "examples" / "models"


@pytest.fixture
def hapsis_command(command_among_models):
    return command_among_models


def refused(answer):
    """The one line of an error."""
    status, out, err = answer
    assert (status, out) == (2, "")
    assert err.endswith("\n") and len(err.splitlines()) == 1
    return err.rstrip()


# equations


def test_equations_show_forward_dynamics(hapsis_command):
    status, out, err = hapsis_command("equations", "pendulum.yaml")
    assert (status, err) == (0, "")
    assert out.startswith(str(hs.forward_dynamics(hs.load("pendulum.yaml"))))
    assert "\nq     hinge\nv     hinge.v\n" in out and "arm.mass = 1" in out


@pytest.mark.parametrize("name", commands.WHOLE)
def test_every_quantity_of_a_model(hapsis_command, name):
    status, out, err = hapsis_command("equations", "arm.yaml", "--quantity", name)
    assert (status, err) == (0, "")
    assert out.startswith(f"{name}(q[3]")


@pytest.mark.parametrize("name", commands.ONE)
def test_every_quantity_of_a_part(hapsis_command, name):
    of = {"frame": "hand.palm", "joint": "elbow", "dynamics": "forward_dynamics"}
    chosen = of[commands.ONE[name][0]]
    status, out, err = hapsis_command("equations", "arm.yaml", "-q", name, "--of", chosen)
    assert (status, err) == (0, "")
    assert f"{name.removesuffix('s')}" in out.splitlines()[0]


def test_equations_in_python_compute(hapsis_command):
    status, out, _ = hapsis_command("equations", "arm.yaml", "-q", "mass_matrix", "-l", "python")
    scope = {}
    exec(out, scope)
    q = [0.3, -1.0, 0.2]
    M = hs.compile(hs.mass_matrix(hs.load("arm.yaml")))(q)
    assert status == 0 and np.allclose(np.reshape(scope["arm_mass_matrix"](q), (3, 3)), M)


def test_equations_write_files(hapsis_command):
    arguments = ["arm.urdf", "-q", "bias", "-q", "inverse_dynamics", "-l", "c", "-o", "build/c"]
    status, out, err = hapsis_command("equations", *arguments)
    assert (status, err) == (0, "")
    files = sorted(path.name for path in Path("build/c").iterdir())
    assert files == ["arm.c", "arm.h", "arm_test.c"]
    assert "arm_bias: bias(" in out and "arm_inverse_dynamics: inverse_dynamics(" in out and "elbow" in out
    header = Path("build/c/arm.h").read_text()
    assert "void arm_inverse_dynamics(const double *q, const double *v, const double *a, const" in header
    assert "elbow" not in re.sub(r"\barm_p_\w+", "", header + Path("build/c/arm.c").read_text())


def test_a_strange_file_name_does_not_reach_generated_code(hapsis_command):
    shutil.copy("pendulum.yaml", '12 "; drop é.yaml')
    status, out, _ = hapsis_command("equations", '12 "; drop é.yaml', "-l", "matlab", "-o", "out")
    assert status == 0 and sorted(path.name for path in Path("out").iterdir()) == [
        "model_12_drop_e_forward_dynamics.m",
        "model_12_drop_e_p.m",
    ]
    assert "model_12_drop_e_forward_dynamics: forward_dynamics(" in out


def test_warnings_stay_out_of_generated_code(hapsis_command):
    text = Path("arm.urdf").read_text().replace("</robot>", "<transmission/></robot>")
    Path("arm.urdf").write_text(text)
    status, out, _ = hapsis_command("equations", "arm.urdf", "-l", "c")
    assert status == 0 and out.startswith("/* 1 warning about the model: see hapsis check */\n")
    out = hapsis_command("equations", "arm.urdf")[1]
    assert out.startswith("warning: arm.urdf: ignored 1 x <transmission> of <robot>\n")


def test_base_and_not_physical(hapsis_command):
    assert "q[13]" in hapsis_command("equations", "arm.urdf", "--base", "free")[1]
    text = Path("pendulum.yaml").read_text().replace("mass: 1.0", "mass: -1.0")
    Path("odd.yaml").write_text(text)
    assert "mass is -1" in refused(hapsis_command("equations", "odd.yaml"))
    status, out, err = hapsis_command("equations", "odd.yaml", "--not-physical")
    assert (status, err) == (0, "") and out.startswith("warning: odd.yaml:3:3: ")


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["arm.yaml", "-q", "massmatrix"], 'there is no quantity "massmatrix" (did you mean "mass_'),
        (["arm.yaml", "-q", "pose"], "pose is that of one frame; say which, as in --of upper"),
        (["arm.yaml", "-q", "reaction", "--of", "elbo"], 'there is no joint "elbo" (did you mean'),
        (["arm.yaml", "-q", "pose", "--of", "hand.plam"], 'there is no frame "plam" of body "hand'),
        (["arm.yaml", "--of", "hand"], '--of "hand" belongs to none of these quantities; expected'),
        (["arm.yaml", "-l", "rust"], 'there is no language "rust"; expected text, c'),
        (["arm.yaml", "-o", "out"], "--output needs a language to write; add --language c"),
        (["arm.yaml", "-l", "c", "-o", "arm.urdf"], "arm.urdf: arm cannot be written"),
        (["pendulum.yaml", "-q", "measurements"], "the model has no sensors; add one"),
        (["arm.yaml", "--base", "free"], 'arm.yaml: --base "free" is for URDF only'),
        (["arm.urdf", "--base", "fre"], 'no base "fre" (did you mean "free"?); expected "fixed" or "free"'),
    ],
)
def test_wrong_wishes_are_one_line(hapsis_command, arguments, line):
    assert refused(hapsis_command("equations", *arguments)).startswith(line)


@pytest.mark.parametrize("command", ["equations", "check", "info"])
def test_wrong_files_are_one_line(hapsis_command, command):
    missing = refused(hapsis_command(command, "amr.yaml"))
    assert "amr.yaml: there is no such file in " in missing and '(did you mean "arm.yaml"?)' in missing
    assert refused(hapsis_command(command, ".")) == ".: is a folder; expected a model file"
    Path("arm.txt").write_text("hapsis: 1")
    assert refused(hapsis_command(command, "arm.txt")).startswith('"arm.txt" has no ending')
    Path("empty.yaml").write_text("")
    assert refused(hapsis_command(command, "empty.yaml")) == "empty.yaml:1:1: the file is empty"
    assert f"hapsis {command} --help" in refused(hapsis_command(command))


@pytest.mark.parametrize("name", ["", "x" * 5000 + ".yaml", "a\0b.yaml", "arm.yaml/x.yaml", "\x1b[2J"])
def test_names_that_no_file_has(hapsis_command, name):
    for command in (["check", name], ["convert", "arm.urdf", name], ["equations", name]):
        assert refused(hapsis_command(*command)).isprintable()


# check

BAD = """\
hapsis: 1
bodies:
  a: {mass: -1}
  b: {mass: 1, inertia: [1, 1, 5]}
joints:
  j: {type: revolute, first: wrld, second: a}
"""


def test_check_says_what_was_read(hapsis_command):
    assert hapsis_command("check", "arm.urdf") == (
        0,
        "arm.urdf\n  7 bodies, 16.35 kg\n  7 joints: 1 weld, 6 revolute\n  6 coordinates, 6 speeds\nsound\n",
        "",
    )


def test_check_lists_every_problem(hapsis_command):
    Path("bad.yaml").write_text(BAD)
    status, out, err = hapsis_command("check", "bad.yaml")
    assert status == 2 and len(err.splitlines()) == 1
    assert err.startswith("bad.yaml:6:3: ") and err.endswith("(and 3 more)\n")
    lines = out.splitlines()
    assert len(lines) == 4 and all(line.startswith("problem: bad.yaml:") for line in lines)
    assert "wrld" in out and "not connected" in out and "mass is -1" in out
    assert "or use --not-physical" in out and "physical=False" not in out


def test_check_as_json(hapsis_command):
    status, out, err = hapsis_command("check", "arm.urdf", "--json")
    report, model = json.loads(out), hs.load("arm.urdf")
    assert (status, err) == (0, "") and report["sound"] and report["accelerations"]
    assert report["coordinates"] == list(model.coordinates) and report["problems"] == []
    Path("bad.yaml").write_text(BAD)
    status, out, err = hapsis_command("check", "bad.yaml", "--json")
    assert status == 2 and len(err.splitlines()) == 1 and len(json.loads(out)["problems"]) == 4


def test_check_finds_what_has_no_inertia(hapsis_command):
    model = "hapsis: 1\nbodies: {a: {mass: 1}, b: {}}\njoints:\n"
    model += "  j: {type: prismatic, first: world, second: a}\n"
    model += "  k: {type: revolute, first: a, second: b}\n"
    Path("light.yaml").write_text(model)
    status, out, _ = hapsis_command("check", "light.yaml")
    assert status == 0 and out.endswith("sound for kinematics: accelerations cannot be computed\n")
    assert out.count("without moving any mass") == 1


def test_check_finds_a_singular_mass_matrix(hapsis_command):
    model = "hapsis: 1\nbodies: {a: {}, b: {mass: 1}}\njoints:\n"
    model += "  j: {type: prismatic, first: world, second: a}\n"
    model += "  k: {type: prismatic, first: a, second: b}\n"
    Path("twice.yaml").write_text(model)
    assert "the mass matrix is singular at a random pose" in hapsis_command("check", "twice.yaml")[1]


def test_check_counts_forces_and_contacts(hapsis_command):
    text = Path("bouncing_ball.yaml").read_text()
    text += "forces:\n  s: {type: spring, first: world, second: ball, stiffness: 10}\n"
    Path("spring.yaml").write_text(text)
    status, out, err = hapsis_command("check", "spring.yaml")
    assert (status, err) == (0, "")
    assert "  1 force, 1 contact\n" in out and "warning" not in out


def test_results_are_no_models(hapsis_command):
    for command in (["check"], ["info"], ["equations"], ["convert"], ["simulate", "--until", "1"]):
        more = ["new.yaml"] if command == ["convert"] else []
        line = refused(hapsis_command(*command, "run.npz", *more))
        assert line == "run.npz: is a result, not a model; see it with hapsis show run.npz"


# info


def test_info_draws_and_counts(hapsis_command):
    status, out, err = hapsis_command("info", "arm.yaml")
    assert (status, err) == (0, "")
    for line in (
        "mass          1.38 kg",
        "mobility      3",
        "coordinates   shoulder, elbow, wrist",
        "parameters    L = 0.4, ratio = 0.8, rho = 1.5, r = 0.02",
        "joints       range             speed     effort   armature   damping   friction",
        "  elbow      -2.5 to 0.1 rad             20 N m   0.002      0.05",
        "  wrist      -1.5 to 1.5 rad   6 rad/s                       0.02      0.05",
        "  head_imu       imu on hand.end",
        "  start   shoulder = 0.3, elbow = -1.0472, wrist = 0.2",
    ):
        assert line in out.splitlines()
    cost = hs.inverse_dynamics(hs.load("arm.yaml")).cost()
    assert f"  inverse_dynamics   {cost}; " in out


def test_info_of_a_free_base_and_of_welded_mass(hapsis_command):
    assert "mass          16.35 kg, of which 4 kg fixed to the world" in hapsis_command("info", "arm.urdf")[1]
    out = hapsis_command("info", "arm.urdf", "--base", "free")[1]
    assert "mobility      12" in out and "base.qw" in out and "base.vz, pan.v, lift.v" in out


def test_info_of_loops_says_how_to_know_the_mobility(hapsis_command):
    out = " ".join(hapsis_command("info", "three_bar.mbs")[1].split())
    program = re.search(r"what is left is in (hs\.assemble\(hs\.load\('three_bar\.mbs'\)\)\.report)", out)[1]
    assert eval(program, {"hs": hs}).mobility == 1


def test_info_shortens_long_lists_of_speeds(hapsis_command):
    arm = hs.load("arm.urdf", base="free")
    hs.save(arm + hs.load("arm.yaml").prefixed("x", on="flange"), "long.yaml")
    out = hapsis_command("info", "long.yaml")[1]
    assert "base.vy, base.vz, NAME.v for every other coordinate" in " ".join(out.split())


def test_info_of_many_bodies_is_quick_and_short(hapsis_command):
    n = 2000
    bodies = "".join(f"  b{k}: {{mass: 1, inertia: [1, 1, 1]}}\n" for k in range(n))
    ends = ["world", *(f"b{k}" for k in range(n))]
    joints = "".join(f"  j{k}: {{type: revolute, first: {ends[k]}, second: b{k}}}\n" for k in range(n))
    Path("long.yaml").write_text(f"hapsis: 1\nbodies:\n{bodies}joints:\n{joints}")
    start = time.process_time()
    status, out, _ = hapsis_command("info", "long.yaml")
    assert status == 0 and f"... and {n - MOST_LINES} more bodies" in out
    assert "not counted" in out and time.process_time() - start < 20


def test_a_terminal_without_box_lines(tmp_path):
    asked = subprocess.run(
        [sys.executable, "-m", "hapsis", "info", str(MODELS / "arm.yaml")],
        env={"PYTHONPATH": str(ROOT / "src"), "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"},
        capture_output=True,
        text=True,
    )
    assert (asked.returncode, asked.stderr) == (0, "")
    assert "`- upper" in asked.stdout and "m/s\\xb2" in asked.stdout


STILL = "hapsis: 1\nbodies: {a: {mass: 1}}\njoints: {w: {type: weld, first: world, second: a}}\n"


@pytest.mark.parametrize("text", ["hapsis: 1\n", STILL])
def test_models_that_cannot_move(hapsis_command, text):
    Path("still.yaml").write_text(text)
    assert hapsis_command("check", "still.yaml")[1].endswith("0 coordinates, 0 speeds\nsound\n")
    status, out, err = hapsis_command("info", "still.yaml")
    assert (status, err) == (0, "") and "mobility      0\n" in out and "operations" not in out
    status, out, err = hapsis_command("equations", "still.yaml")
    assert (status, err) == (0, "") and out.startswith("forward_dynamics(q[0], v[0], tau[0]) -> a[0]")


# convert


def test_convert_there_and_back(hapsis_command):
    status, out, err = hapsis_command("convert", "arm.urdf", "new.yaml")
    assert (status, err) == (0, "")
    assert out == "wrote new.yaml: Model(7 bodies, 7 joints, 6 coordinates)\n"
    assert hs.load("new.yaml") == hs.load("arm.urdf")
    assert hapsis_command("convert", "new.yaml", "new.urdf")[0] == 0
    assert hs.load("new.urdf") == hs.load("arm.urdf")


def test_convert_replaces_only_when_told(hapsis_command):
    before = Path("arm.yaml").read_bytes()
    line = refused(hapsis_command("convert", "arm.urdf", "arm.yaml"))
    assert line == "arm.yaml: is there already; add --force to replace it"
    assert Path("arm.yaml").read_bytes() == before
    assert hapsis_command("convert", "arm.urdf", "arm.yaml", "--force")[0] == 0
    assert hs.load("arm.yaml") == hs.load("arm.urdf")


def test_convert_says_what_is_lost(hapsis_command):
    line = refused(hapsis_command("convert", "arm.yaml", "new.urdf"))
    assert "URDF cannot hold its armature" in line and not Path("new.urdf").exists()
    text = Path("arm.yaml").read_text().replace(" armature: 0.002,", "")
    Path("light.yaml").write_text(text)
    status, out, err = hapsis_command("convert", "light.yaml", "new.urdf")
    assert (status, err) == (0, "")
    assert out.startswith("note: URDF cannot hold everything; left out: 3 sensors, 2 poses")
    assert hs.load("new.urdf").coordinates == hs.load("light.yaml").coordinates


def test_convert_refuses_what_it_cannot_write(hapsis_command):
    assert "has no ending" in refused(hapsis_command("convert", "arm.urdf", "arm.sdf"))
    assert "cannot be written" in refused(hapsis_command("convert", "arm.urdf", "no/arm.yaml"))
    assert "Missing argument" in refused(hapsis_command("convert", "arm.urdf"))


# help


@pytest.mark.parametrize("command", ["equations", "check", "info", "convert", "simulate", "show", "bench"])
def test_help_has_examples_that_name_the_command(hapsis_command, command):
    status, out, err = hapsis_command(command, "--help")
    assert (status, err) == (0, "")
    assert f"  hapsis {command}" in out[out.index("Examples:") :]


def test_help_lists_every_quantity(hapsis_command):
    out = hapsis_command("equations", "--help")[1]
    assert [name for name in (*commands.WHOLE, *commands.ONE) if name not in out] == []


# drawing


def test_drawing_of_branches_and_a_loop():
    assert tree_text(four_bar()).splitlines() == [
        "world",
        "├─ crank        0.2 kg   A: revolute y",
        "│  └─ coupler   0.5 kg   B: revolute y",
        "└─ rocker       0.4 kg   D: revolute y",
        "loop closed by C: revolute y between coupler.end and rocker.end",
    ]
    assert tree_text(four_bar(), ASCII).isascii()


def test_drawing_of_a_joint_met_backwards():
    model = hs.Model(hs.Body("a", mass=1), hs.Free("f", hs.WORLD, "a"), hs.Body("b"), hs.Ball("s", "b", "a"))
    assert tree_text(model).splitlines()[2].endswith("0 kg   s: ball, backwards")


def test_drawing_of_odd_names():
    model = hs.Model(hs.Body("a\n\x1b[2J"), hs.Weld("w" * 500, hs.WORLD, "a\n\x1b[2J"))
    lines = tree_text(model).splitlines()
    assert len(lines) == 2 and lines[1].isprintable() and len(lines[1]) < 160


@pytest.mark.parametrize(
    ("joint", "text"),
    [
        (hs.Revolute("j", "a", "b", axis="-y"), "revolute -y"),
        (hs.Prismatic("j", "a", "b", axis=(0, 3, 4)), "prismatic (0, 3, 4)"),
        (hs.Universal("j", "a", "b"), "universal x y"),
        (hs.Planar("j", "a", "b", normal="y"), "planar y"),
        (hs.Chain("j", "a", "b", "Tx Ty Rz"), "chain Tx Ty Rz"),
        (hs.Free("j", "a", "b"), "free"),
    ],
)
def test_kinds_of_joints(joint, text):
    assert kind(joint) == text


def test_limits_of_joints_with_several_coordinates(hapsis_command):
    model = hs.Model(
        hs.Body("a", mass=1, inertia=(1, 1, 1)),
        hs.Planar("p", hs.WORLD, "a", limits={"Tx": (None, 2), "Rz": (-1, 1)}),
    )
    hs.save(model, "planar.yaml")
    out = hapsis_command("info", "planar.yaml")[1]
    assert "joints   range\n  p      Tx open to 2 m, Rz -1 to 1 rad\n" in out
    hs.save(model.replace("p", limits=None), "free.yaml")
    assert "range" not in hapsis_command("info", "free.yaml")[1]


def test_bench_lists_the_dynamics():
    listed = subprocess.run(
        [sys.executable, "-m", "hapsis", "bench", "--json"],
        env={"PYTHONPATH": str(ROOT / "src")},
        capture_output=True,
        text=True,
    )
    assert "dynamics" in json.loads(listed.stdout)
