"""`hapsis equilibrium`, `modes` and `linearize`, as a user calls them."""

import webbrowser

import numpy as np
import pytest


@pytest.fixture
def hapsis_command(command_among_models):
    return command_among_models


def test_equilibrium(hapsis_command):
    status, out, err = hapsis_command("equilibrium", "double_pendulum.yaml")
    assert (status, err) == (0, "") and "stability     stable" in out and "shoulder   1.5708" in out
    status, out, err = hapsis_command("equilibrium", "pendulum.yaml", "--input", "hinge=0.5")
    assert status == 0 and "hinge" in out
    status, out, err = hapsis_command("equilibrium", "pendulum.yaml", "--speed", "hinge.v=1")
    assert status == 2 and "no steady motion" in err and len(err.splitlines()) == 1


def test_modes(hapsis_command, tmp_path, monkeypatch):
    status, out, err = hapsis_command("modes", "double_pendulum.yaml")
    lines = out.splitlines()
    assert (status, err) == (0, "") and lines[1] == "  stable equilibrium"
    assert len(lines) == 6 and lines[-1].split()[0] == "1"
    page = tmp_path / "mode.html"
    status, out, _ = hapsis_command("modes", "double_pendulum.yaml", "--show", 1, "--save", page)
    assert status == 0 and page.exists() and "wrote" in out
    asked = []
    monkeypatch.setattr(webbrowser, "open", lambda address: asked.append(address) or True)
    assert hapsis_command("modes", "double_pendulum.yaml", "--show", 1)[0] == 0 and len(asked) == 1
    for wrong, message in (
        (("--show", "x"), "is no mode"),
        (("--show", 7), "no mode 7"),
        (("--save", "x.png"), "must be a page"),
    ):
        status, _, err = hapsis_command("modes", "double_pendulum.yaml", *wrong)
        assert status == 2 and message in err


def test_linearize(hapsis_command, tmp_path):
    options = ("--input", "hinge=0", "--output", "hinge,hinge.a")
    status, out, err = hapsis_command("linearize", "pendulum.yaml", *options)
    assert (status, err) == (0, "") and "hinge.effort" in out and "\nD\n" in out
    file = tmp_path / "small.npz"
    assert hapsis_command("linearize", "pendulum.yaml", *options, "--save", file)[0] == 0
    with np.load(file) as found:
        assert found["A"].shape == (2, 2) and list(found["outputs"]) == ["hinge", "hinge.a"]
    assert hapsis_command("linearize", "pendulum.yaml", "--save", "x.csv")[0] == 2
    status, _, err = hapsis_command("linearize", "pendulum.yaml", "--output", "hing")
    assert status == 2 and 'did you mean "hinge"' in err
