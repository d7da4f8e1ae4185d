"""Reports as JSON: every command has them, with the keys that the documentation lists and all digits."""

import json
import re
import warnings
from pathlib import Path

import numpy as np
import pytest

import hapsis as hs
from hapsis import cli

PAGE = Path(__file__).resolve().parents[2] / "docs" / "command_line.md"
MODEL = """
hapsis: 1
parameters: {l: 0.7}
bodies:
  arm: {mass: 1.3, com: [0, 0, "-l/2"], inertia: [0.083, 0.083, 0.001], frames: {tip: [0, 0, -0.7]}}
  hand: {mass: 0.3, com: [0, 0, -0.1], inertia: [0.01, 0.01, 0.001]}
joints:
  hinge: {type: revolute, first: world, second: arm, axis: y, damping: 0.1, limits: [-2, 2]}
  wrist: {type: revolute, first: arm.tip, second: hand, axis: y, damping: 0.01}
sensors: {gyro: {type: imu, on: arm.tip}}
poses: {start: {hinge: 0.3}}
"""
PENDULUM = """
hapsis: 1
bodies: {arm: {mass: 1.0, com: [0, 0, -0.5], inertia: [0.083, 0.083, 0.001]}}
joints: {hinge: {type: revolute, first: world, second: arm, axis: y}}
"""
WEDGE = """
v 0 0 0
v 1 0 0
v 0 1 0
v 0 0 1
f 1 3 2
f 1 2 4
f 1 4 3
f 2 3 4
"""
COMMANDS = {
    "check": ["arm.yaml"],
    "info": ["arm.yaml"],
    "equations": ["arm.yaml", "-q", "mass_matrix", "-l", "c"],
    "program": ["arm.yaml", "--out", "arm"],
    "convert": ["arm.yaml", "arm.urdf"],
    "simulate": ["arm.yaml", "--until", "0.5", "--save", "run.npz", "--plot", "hinge"],
    "sweep": [
        "arm.yaml",
        "--until",
        "0.3",
        "--over",
        "arm.mass=1:2:3",
        "--measure",
        "hinge",
        "--out",
        "t.csv",
    ],
    "equilibrium": ["arm.yaml"],
    "dh": ["arm.yaml"],
    "cad": ["wedge.obj", "--unit", "mm"],
    "modes": ["arm.yaml"],
    "linearize": ["arm.yaml", "--input", "hinge=0", "--output", "hinge,hinge.v"],
    "show": ["arm.yaml", "--out", "arm.html", "--no-open"],
    "share": ["arm.yaml", "--out", "shared.html", "--no-open"],
    "study": [],
    "cache": [],
    "prepare": [],
    "doctor": [],
}


@pytest.fixture
def report(capfd, tmp_path, monkeypatch):
    """Runs a command in a folder with a model: (status, object on standard output)."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "arm.yaml").write_text(MODEL)
    (tmp_path / "wedge.obj").write_text(WEDGE)

    def call(*arguments):
        usual = warnings.showwarning
        try:
            status = cli.main([*arguments, "--json"])
        finally:
            warnings.showwarning = usual
        out, err = capfd.readouterr()
        return status, json.loads(out, parse_constant=pytest.fail), err

    return call


def documented():
    """{command: (keys that are always there, all keys)} of the table in the documentation."""
    section = PAGE.read_text().split("## Reports as JSON")[1].split("\n## ")[0]
    keys = {}
    for names, text in re.findall(r"^\| (`.*?`) \| (.*) \|$", section, re.M):
        plain = re.sub(r"\(.*?\)", "", text)
        always = re.split(r"; |, `text` or", plain)[0]
        for name in re.findall(r"`(\w+)`", names):
            keys[name] = set(re.findall(r"`(\w+)`", always)), set(re.findall(r"`(\w+)`", plain))
    return keys


def test_every_command_but_the_demonstration_has_json():
    names = {command.name or command.callback.__name__ for command in cli.app.registered_commands}
    names = {name.replace("_", "-") for name in names} - {"demo"}
    assert names == documented().keys()
    assert names == COMMANDS.keys() | {"rtcheck", "bench"}


@pytest.mark.parametrize("command", COMMANDS)
def test_a_report_has_the_keys_that_are_documented(report, command):
    status, printed, err = report(command, *COMMANDS[command])
    always, every = documented()[command]
    assert status == 0 and always <= printed.keys() <= every | {"notices"}
    assert "note:" not in err


@pytest.mark.parametrize("command", ["simulate", "sweep", "equilibrium", "modes", "linearize"])
def test_a_command_says_a_warning_of_the_model_once(report, capfd, tmp_path, command):
    text = MODEL.replace("limits: [-2, 2]", "limits: [-90, 90]")
    (tmp_path / "arm.yaml").write_text(text)
    (warning,) = hs.load(tmp_path / "arm.yaml").warnings
    warning = warning.partition(": ")[2]
    _, printed, err = report(command, *COMMANDS[command])
    assert json.dumps(printed).count(json.dumps(warning)[1:-1]) == 1 and warning not in err
    usual = warnings.showwarning
    try:
        assert cli.main([command, *COMMANDS[command]]) == 0
    finally:
        warnings.showwarning = usual
    out, err = capfd.readouterr()
    assert out.count(warning) == 1 and warning not in err


def test_numbers_have_all_their_digits(report, tmp_path):
    model = hs.load(tmp_path / "arm.yaml")
    _, simulated, _ = report("simulate", *COMMANDS["simulate"])
    result = hs.load("run.npz")
    assert simulated["last"]["hinge"] == result["hinge"][-1] and simulated["files"][0] == "run.npz"
    assert simulated["energy_drift"] == result.energy_drift and simulated["units"]["hinge.v"] == "rad/s"
    state = hs.equilibrium(model)
    _, rest, _ = report("equilibrium", "arm.yaml")
    assert rest["pose"] == {name: state[name] for name in model.coordinates}
    assert [complex(*x) for x in rest["eigenvalues"]] == list(state.report.eigenvalues)
    _, small, _ = report("linearize", *COMMANDS["linearize"])
    assert np.array_equal(small["A"], hs.linearize(model, state, inputs={"hinge": 0.0}).A)
    _, swings, _ = report("modes", "arm.yaml")
    assert [m["frequency"] for m in swings["modes"]] == list(hs.modes(model, state).frequencies)
    _, facts, _ = report("info", "arm.yaml")
    assert facts["mass"] == 1.6 and facts["joints"]["hinge"]["limits"] == {"hinge": [-2.0, 2.0]}
    assert facts["operations"]["mass_matrix"]["mul"] == hs.mass_matrix(model).cost().mul


def test_runs_that_fail_and_files_that_are_wrong_keep_their_status(report, tmp_path):
    (tmp_path / "pendulum.yaml").write_text(PENDULUM)
    coarse = ("--until", "2", "--start", "hinge=pi/3", "--step", "0.6")
    status, printed, _ = report("simulate", "pendulum.yaml", *coarse)
    assert status == 1 and printed["success"] is False and printed["status"] != "done"
    (tmp_path / "wrong.yaml").write_text(MODEL.replace("second: hand", "second: hnad"))
    status, printed, err = report("check", "wrong.yaml")
    assert (
        status == 2
        and printed["sound"] is False
        and any("hnad" in problem for problem in printed["problems"])
        and err.count("\n") == 1
    )
    status, printed, _ = report("convert", "arm.yaml", "other.urdf")
    assert status == 0 and "sensors" in printed["notices"][0]
