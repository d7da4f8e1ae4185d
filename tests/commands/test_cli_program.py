"""The command `hapsis program`."""

import json

import pytest

from hapsis.cli import main

PENDULUM = """
hapsis: 1
bodies: {arm: {mass: 1.0, com: [0, 0, -0.5], inertia: [0.083, 0.083, 0.001]}}
joints: {hinge: {type: revolute, first: world, second: arm, axis: y}}
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "my pendulum.yaml").write_text(PENDULUM)
    return tmp_path


def test_a_program_is_named_after_the_model(folder, capsys):
    given = ["--until", "5", "--start", "hinge=pi/6", "--output", "hinge,hinge.a", "--step", "0.01"]
    assert main(["program", "my pendulum.yaml", *given]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "wrote my_pendulum.c, my_pendulum.in",
        "build: cc -std=c99 -O2 -ffp-contract=off my_pendulum.c -o my_pendulum -lm",
    ]
    lines = (folder / "my_pendulum.in").read_text().splitlines()
    values = {line.split()[0]: line.split()[1] for line in lines if line and line[0] != "#"}
    assert (values["tfinal"], values["integstp"], values["relerr"]) == ("5.0", "0.01", "0.0")
    assert abs(float(values["hinge"]) - 0.5235987755982988) < 1e-15


def test_the_report_as_json(folder, capsys):
    assert main(["program", "my pendulum.yaml", "-o", "build/p", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["files"] == ["build/p.c", "build/p.in"]


def test_what_is_wrong_is_one_line(folder, capsys):
    for wrong in (["--output", "hinge.q"], ["--until", "soon"], ["-o", "9/9"]):
        assert main(["program", "my pendulum.yaml", *wrong]) == 2
        assert len(capsys.readouterr().err.splitlines()) == 1


def test_its_help_has_examples_and_nothing_odd(capsys):
    main(["program", "--help"])
    shown = capsys.readouterr().out
    assert "hapsis program arm.urdf" in shown and "\\b" not in shown
