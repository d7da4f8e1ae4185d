"""`hapsis sweep`: the numbers of `hs.sweep`, its table, its files, its errors."""

import csv
import json

import numpy as np
import pytest

import hapsis as hs

CALL = ("sweep", "pendulum.yaml", "--until", "1")


def test_the_table_has_the_numbers_of_the_verb(command_among_models, tmp_path):
    over = ("--over", "arm.mass=0.5:2:3", "--over", "hinge=0.1,pi/4")
    measure = ("--measure", "hinge,max(hinge.v)")
    status, out, err = command_among_models(*CALL, *over, *measure, "--out", "t.csv", "--plot-to", "p.svg")
    assert status == 0 and err == "" and "6 done" in out and "wrote t.csv" in out and "wrote p.svg" in out
    values = {"arm.mass": np.linspace(0.5, 2.0, 3), "hinge": [0.1, np.pi / 4]}
    table = hs.sweep(hs.load("pendulum.yaml"), 1.0, values, ["hinge", "max(hinge.v)"])
    with open("t.csv", newline="") as file:
        head, *rows = csv.reader(file)
    assert head == [*table.names, "length", "status", "message"]
    for k, name in enumerate(table.names):
        assert [float(row[k]) for row in rows] == table[name].tolist()
    status, out, _ = command_among_models(*CALL, *over, *measure, "--json")
    printed = json.loads(out)
    assert status == 0 and printed["columns"]["max(hinge.v)"] == table["max(hinge.v)"].tolist()
    assert printed["shape"] == [3, 2] and printed["statuses"] == {"done": 6}


def test_rows_options_and_runs_that_go_wrong(command_among_models):
    rows = ("--over", "arm.mass=-1,1", "--over", "hinge=0.1,0.2", "--rows", "--measure", "hinge.v")
    status, out, _ = command_among_models(*CALL, *rows, "--method", "order5", "--tolerance", "1e-6")
    assert status == 1 and "1 not started, 1 done" in out and "nan" in out and "note: 1 of 2 runs" in out
    status, out, _ = command_among_models(*CALL, *rows, "--json")
    printed = json.loads(out)
    assert status == 1 and printed["columns"]["hinge.v"][0] is None and not printed["success"]
    assert "cannot be negative" in printed["columns"]["message"][0]


def test_a_kept_sweep_goes_on(command_among_models, tmp_path):
    call = (*CALL, "--over", "arm.mass=1:2:5", "--measure", "hinge", "--keep", "kept", "--json")
    _, first, _ = command_among_models(*call)
    parts = sorted((tmp_path / "kept").glob("part-*"))
    assert parts
    _, second, _ = command_among_models(*call)
    assert json.loads(first)["columns"] == json.loads(second)["columns"]
    assert sorted((tmp_path / "kept").glob("part-*")) == parts
    status, _, err = command_among_models(*call, "--tolerance", "1e-6")
    assert status == 2 and "tolerance differs" in err and err.count("\n") == 1


WRONG = [
    (("--measure", "hinge"), "--over says what differs"),
    (("--over", "arm.mass=1:2:3"), "--measure says what goes"),
    (("--over", "arm.mass=1:2", "--measure", "hinge"), 'over "arm.mass=1:2" has no values'),
    (("--over", "arm.mass", "--measure", "hinge"), "has no values"),
    (("--over", "arm.mass=1:2:0.5", "--measure", "hinge"), "0.5 values"),
    (("--over", "arm.mass=1:2:3", "--over", "arm.mass=3", "--measure", "hinge"), "twice"),
    (("--over", "arm.mass=one", "--measure", "hinge"), "one"),
    (("--over", "arm.mas=1:2:3", "--measure", "hinge"), 'did you mean "arm.mass"'),
    (("--over", "arm.mass=1:2:3", "--measure", "hing"), 'did you mean "hinge"'),
    (("--over", "arm.mass=1:2:3", "--measure", "hinge", "--out", "t.txt"), "no known ending"),
    (("--over", "arm.mass=1:2:3", "--measure", "hinge", "--out", "no/t.csv"), "no such folder"),
]


@pytest.mark.parametrize(("options", "text"), WRONG)
def test_what_is_wrong_is_one_line(command_among_models, options, text):
    status, _, err = command_among_models(*CALL, *options)
    assert status == 2 and text in err and err.count("\n") == 1
