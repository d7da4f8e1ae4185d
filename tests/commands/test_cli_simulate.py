"""`hapsis simulate` and `hapsis show`, as a user calls them."""

import csv
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import webbrowser
from pathlib import Path

import numpy as np
import pytest

import hapsis as hs
from hapsis.compiler.ir.functions.activity import told

ROOT = Path(__file__).resolve().parents[2]
MODELS = ROOT / "examples" / "models"


@pytest.fixture
def hapsis_command(command_among_models):
    return command_among_models


@pytest.fixture
def browser(monkeypatch):
    """The addresses that a browser was asked to open."""
    asked = []
    monkeypatch.setattr(webbrowser, "open", lambda address: asked.append(address) or True)
    return asked


def refused(answer):
    """The one line of an error that comes before any report."""
    status, out, err = answer
    assert (status, out) == (2, "")
    assert err.endswith("\n") and len(err.splitlines()) == 1 and err[:-1].isprintable()
    return err.rstrip()


def simulate(command, *arguments):
    """The rows of the report of a run that succeeded, by title, and all its lines."""
    status, out, err = command("simulate", *arguments)
    assert (status, err) == (0, ""), out + err
    return dict(re.findall(r"^  (\w[\w ]*?)  +(.+)$", out, flags=re.M)), out.splitlines()


# a run


def test_ctrl_c_while_preparing_is_one_line(hapsis_command, monkeypatch):
    def interrupted(text):
        if text.startswith("compiling motion"):
            raise KeyboardInterrupt

    with told(interrupted):
        answer = hapsis_command("simulate", "pendulum.yaml", "--until", 2)
    assert answer == (130, "", "stopped by the user while compiling motion\n")


def test_ctrl_c_in_a_process_of_its_own(tmp_path):
    """A real signal, while nothing in the cache makes the preparation short."""
    program = "import os, signal, hapsis.cli\n"
    program += "from hapsis.compiler.ir.functions.activity import told\n"
    program += "with told(lambda text: text and os.kill(os.getpid(), signal.SIGINT)):\n"
    program += "    raise SystemExit(hapsis.cli.main(['simulate', 'pendulum.yaml', '--until', '2']))\n"
    run = subprocess.run(
        [sys.executable, "-c", program],
        cwd=MODELS,
        env={**os.environ, "HAPSIS_CACHE": str(tmp_path)},
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert run.returncode == 130 and run.stdout == ""
    assert re.fullmatch(r"stopped by the user( while \w+ \w+)?\n", run.stderr)


def test_a_run_says_how_it_went(hapsis_command):
    rows, lines = simulate(hapsis_command, "pendulum.yaml", "--until", 2)
    assert lines[0] == "pendulum.yaml"
    assert list(rows) == ["status", "time", "preparation", "steps", "energy drift"]
    assert rows["status"] == "done: reached t = 2 s"
    assert re.fullmatch(r"2 s in \S+ s, \S+ times real time", rows["time"])
    assert re.fullmatch(r"\S+ s to write and compile the equations", rows["preparation"])
    assert re.match(r"\d+ by order8", rows["steps"])
    assert float(rows["energy drift"].split()[0]) < 1e-6


def test_options_are_the_arguments_of_simulate(hapsis_command):
    arguments = ["--start", "hinge=pi/3", "--start", "hinge.v=-1", "--set", "arm.mass=2*1.5"]
    arguments += ["--input", "hinge=2*sin(3*t)", "--every", "0.25", "--tolerance", "1e-7"]
    simulate(hapsis_command, "pendulum.yaml", "--until", 1, *arguments, "--save", "run.npz")
    got = hs.load("run.npz")
    wanted = hs.simulate(
        hs.load("pendulum.yaml"),
        1.0,
        start={"hinge": np.pi / 3, "hinge.v": -1.0},
        parameters={"arm.mass": 3.0},
        inputs={"hinge": lambda t: 2 * hs.sin(3 * t)},
        every=0.25,
        tolerance=1e-7,
    )
    assert got.names == wanted.names and len(got.t) == 5
    for name in got.names:
        np.testing.assert_array_equal(got[name], wanted[name])


def test_the_effort_may_be_a_number_or_a_formula_of_parameters(hapsis_command):
    base = ["arm.yaml", "--until", "0.1", "--every", "0.1", "--save", "run.npz"]
    simulate(hapsis_command, *base, "--input", "elbow=rho*2", "--input", "wrist.effort=-0.1")
    run = hs.load("run.npz")
    assert run["elbow.effort"][-1] == 3.0 and run["wrist.effort"][-1] == -0.1


def test_a_fixed_step_and_a_method(hapsis_command):
    rows, _ = simulate(hapsis_command, "pendulum.yaml", "--until", 1, "--step", "1e-2")
    assert rows["steps"] == "100 by rk4"
    method = ["--method", "symplectic", "--step", "1e-2"]
    rows, _ = simulate(hapsis_command, "pendulum.yaml", "--until", 1, *method)
    assert rows["steps"] == "100 by symplectic"


def test_a_ball_on_a_floor(hapsis_command):
    arguments = ["--until", "0.6", "--every", "0.001", "--save", "ball.npz"]
    rows, lines = simulate(hapsis_command, "bouncing_ball.yaml", *arguments)
    # √(2 h / g), h = 0.45 m
    assert re.match(r"floor.touch at 0.30289\d s; floor.leave at 0.30\d+ s", rows["events"])
    assert lines[-1] == "wrote ball.npz" and float(rows["energy drift"].split()[0]) < 1e-6
    ball = hs.load("ball.npz")
    assert ball["flight.z"].min() > 0.04 and ball["floor.force"].max() > 10
    assert ball["flight.wy"][-1] > 5  # friction makes it spin forwards


def test_events_are_counted_by_name(hapsis_command):
    rows, _ = simulate(hapsis_command, "bouncing_ball.yaml", "--until", 1, "--every", "0.1")
    assert re.match(r"floor.touch 3 times, 0.30289\d to 0.8\d+ s; floor.leave 3", rows["events"])


def test_the_double_pendulum_meets_its_stop(hapsis_command):
    start = ["--start", "elbow=2.4", "--start", "elbow.v=5", "--every", "0.005"]
    simulate(hapsis_command, "double_pendulum.yaml", "--until", "1", *start, "--save", "run.npz")
    run = hs.load("run.npz")
    assert run["bumper.effort"].min() < -1 and run["elbow"].max() < 3.1


# files


def test_every_kind_of_file(hapsis_command):
    names = ["run.csv", "run.npz", "run.html"]
    saves = [word for name in names for word in ("--save", name)]
    _, lines = simulate(hapsis_command, "pendulum.yaml", "--until", 1, "--every", "0.1", *saves)
    assert lines[-3:] == [f"wrote {name}" for name in names]
    run = hs.load("run.npz")
    assert run.title == "pendulum"
    with Path("run.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert [float(row["hinge"]) for row in rows] == run["hinge"].tolist()
    assert "<title>pendulum" in Path("run.html").read_text()


def test_a_plot_of_names(hapsis_command):
    arguments = ["pendulum.yaml", "--until", "1", "--every", "0.1"]
    _, lines = simulate(hapsis_command, *arguments, "--plot", "hinge, energy", "--plot", "hinge.v")
    assert lines[-1] == "wrote pendulum_plot.html"
    page = Path("pendulum_plot.html").read_text()
    assert all(f">{name}" in page for name in ("hinge", "energy", "hinge.v"))
    _, lines = simulate(hapsis_command, *arguments, "--plot", "hinge", "--plot-to", "h.svg")
    assert lines[-1] == "wrote h.svg" and Path("h.svg").read_text().startswith("<svg")


def test_a_file_that_cannot_be_written_does_not_lose_the_others(hapsis_command, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    arguments = ["--until", "1", "--every", "0.1", "--save", "run.parquet", "--save", "run.csv"]
    status, out, err = hapsis_command("simulate", "pendulum.yaml", *arguments)
    assert status == 2 and err.startswith("writing Parquet needs pyarrow")
    assert out.endswith("wrote run.csv\n") and not Path("run.parquet").exists()


# what goes wrong

COARSE = ["--until", "6", "--step", "0.6"]  # a third of a swing: stable, and wrong


def test_a_run_that_does_not_succeed_has_status_1_and_its_files(hapsis_command):
    arguments = [*COARSE, "--save", "run.npz", "--save", "run.html"]
    status, out, err = hapsis_command("simulate", "pendulum.yaml", *arguments)
    assert (status, err) == (1, "")
    assert "\n  status        energy: t = " in out
    assert out.count("no force") == 1  # told once, not also as a note
    run = hs.load("run.npz")
    assert run.status == "energy" and not run.success
    assert Path("run.html").exists()


def test_warnings_are_told_once(hapsis_command):
    text = Path("double_pendulum.yaml").read_text()
    Path("free.yaml").write_text(re.sub(r"forces:\n.*\n", "", text))
    start = ["--start", "shoulder=1.5", "--start", "elbow.v=20"]
    _, lines = simulate(hapsis_command, "free.yaml", "--until", 1, "--every", "0.01", *start)
    told = [line for line in lines if "leaves its limits" in line]
    assert len(told) == 1 and told[0].startswith('warning: "elbow" (-2.5 to 2.5) leaves its limits')


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["--set", "arm.mas=2"], 'there is no parameter "arm.mas" (did you mean "arm.mass"?)'),
        (["--set", "arm.mass"], '--set "arm.mass" is no pair; expected NAME=VALUE'),
        (["--set", "=2"], '--set "=2" is no pair; expected NAME=VALUE'),
        (["--set", "arm.mass=1_0"], "--set arm.mass: "),
        (["--start", "hinje=1"], 'the start names "hinje", which is no coordinate, speed or state'),
        (["--start", "hinge=nan"], '--start hinge: formula "nan" uses "nan"'),
        (["--start", "hinge=t"], '--start hinge: formula "t" uses "t", which is no parameter'),
        (["--input", "elbow=1"], 'inputs name "elbow", which is no coordinate with an effort'),
        (["--input", "hinge=w*t"], '--input hinge: formula "w*t" uses "w", which is no parameter'),
        (["--method", "rk5"], 'there is no method "rk5" (did you mean "rk4"?); expected auto'),
        (["--method", "rk4"], 'the method "rk4" has fixed steps; give --step'),
        (["--step", "0"], "step is 0 s; expected"),
        (["--step", "0x10"], '--step: "0x10" is not a number; expected digits'),
        (["--tolerance", "1"], "tolerance is 1; expected"),
        (["--every", "0"], "every is 0 s; expected"),
        (["--save", "run.txt"], '--save "run.txt" has no known ending; expected .csv, .npz'),
        (["--save", "no/run.csv"], "--save no/run.csv: there is no such folder"),
        (["--save", "a\0b.csv"], "'a\\x00b.csv' is no path of a file"),
        (["--plot", "hinge", "--plot-to", "a.pdf"], '--plot-to "a.pdf" has no known ending'),
        (["--plot-to", "a.html"], "--plot-to says where a plot goes, and there is none"),
        (["--base", "free"], 'pendulum.yaml: --base "free" is for URDF only'),
        (["--until", "1,5"], '--until: "1,5" is not a number; expected a decimal point'),
        (["--until", "-1"], "until is -1 s and the start at 0 s: it must be later"),
    ],
)
def test_wrong_wishes_are_one_line(hapsis_command, arguments, line):
    given = [] if arguments[0] == "--until" else ["--until", "1"]
    answer = hapsis_command("simulate", "pendulum.yaml", *given, *arguments)
    assert refused(answer).startswith(line)


def test_a_run_has_an_end(hapsis_command):
    assert "Missing option '--until'" in refused(hapsis_command("simulate", "pendulum.yaml"))


def test_a_step_that_is_too_long_is_told_in_options(hapsis_command):
    options = ["--until", 1, "--step", "0.5", "--method", "rk4"]
    line = refused(hapsis_command("simulate", "bouncing_ball.yaml", *options))
    assert "largest safe step" in line and "--method stiff" in line and "method=" not in line


def test_urdf_and_impossible_numbers(hapsis_command):
    base = ["--until", "0.05", "--every", "0.05", "--save", "run.npz"]
    simulate(hapsis_command, "arm.urdf", "--base", "free", *base)
    assert "base.z" in hs.load("run.npz")
    text = Path("pendulum.yaml").read_text().replace("0.001]", "1.001]")
    Path("odd.yaml").write_text(text)
    assert "--not-physical" in refused(hapsis_command("simulate", "odd.yaml", *base))
    _, lines = simulate(hapsis_command, "odd.yaml", "--not-physical", *base)
    assert lines[0].startswith("warning: odd.yaml:3:3: ")


def test_a_run_as_a_program_of_its_own(tmp_path):
    command = [sys.executable, "-m", "hapsis", "simulate", str(MODELS / "pendulum.yaml")]
    ran = subprocess.run(
        [*command, "--until", "1", "--save", "run.npz"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT / "src")},
    )
    assert (ran.returncode, ran.stderr) == (0, "")
    assert ran.stdout.endswith("wrote run.npz\n") and (tmp_path / "run.npz").exists()


# show


def scene(path):
    """The table of the scene in a page."""
    found = re.search(r'id="scene">(.*?)</script>', Path(path).read_text(), flags=re.S)
    return json.loads(found[1])


def test_show_a_saved_result(hapsis_command, browser):
    base = ["--until", "1", "--every", "0.1", "--save", "run.npz", "--save", "run.html"]
    simulate(hapsis_command, "pendulum.yaml", *base)
    answer = hapsis_command("show", "run.npz", "--out", "page.html", "--no-open")
    assert answer == (0, "wrote page.html\n", "") and browser == []
    assert Path("page.html").read_bytes() == Path("run.html").read_bytes()
    assert hapsis_command("show", "run.npz", "-o", "page.html")[0] == 0
    assert browser == [Path("page.html").resolve().as_uri()]


def test_show_opens_a_page_of_its_own(hapsis_command, browser):
    status, out, err = hapsis_command("show", "pendulum.yaml")
    assert (status, err) == (0, "") and len(browser) == 1
    path = Path(out.removeprefix("shown: ").rstrip())
    assert path.as_uri() == browser[0] and "<title>" in path.read_text()
    shutil.rmtree(path.parent)


@pytest.mark.parametrize("name", [path.name for path in sorted(MODELS.iterdir())])
def test_show_a_model_in_its_start_pose(hapsis_command, name):
    assert hapsis_command("show", name, "--out", "page.html", "--no-open")[0] == 0
    table, model = scene("page.html"), hs.load(name)
    model = model.model if isinstance(model, hs.Hybrid) else model
    assert [body["name"] for body in table["bodies"]] == list(model.bodies)
    assert [body["name"] for body in table["drawing"]["bodies"]] == list(model.bodies)
    assert table["times"]["count"] == 1 and table["title"] == Path(name).stem


def test_the_start_pose_is_that_of_a_run(hapsis_command):
    """The first frame of a motion and the model at rest are the same."""
    from hapsis.commands.show import still

    model = hs.load("arm.yaml")
    first = hs.simulate(model, until=0.01, every=0.01).scene()["poses"][0]
    np.testing.assert_allclose(still(model, "arm").scene.poses[0], first, atol=1e-12)


def test_show_a_run_that_failed_says_so(hapsis_command):
    hapsis_command("simulate", "pendulum.yaml", *COARSE, "--save", "run.npz")
    status, out, _ = hapsis_command("show", "run.npz", "--out", "page.html", "--no-open")
    assert status == 0 and out.startswith("energy: t = ")


def test_show_refuses_in_one_line(hapsis_command, monkeypatch):
    line = refused(hapsis_command("show", "arm.yaml", "--no-open"))
    assert line == "--no-open without --out leaves nothing to do; add --out page.html"
    line = refused(hapsis_command("show", "arm.yaml", "--no-open", "--out", "arm.pdf"))
    assert "arm.pdf" in line
    assert "run.npz: there is no such file in " in refused(hapsis_command("show", "run.npz"))
    Path("run.npz").write_bytes(b"PK")
    assert "is no saved result" in refused(hapsis_command("show", "run.npz"))
    assert "neither --base nor" in refused(hapsis_command("show", "run.npz", "--not-physical"))


@pytest.mark.parametrize("answer", [False, webbrowser.Error("no display"), OSError()], ids=str)
def test_show_without_a_display_says_where_the_page_is(hapsis_command, monkeypatch, answer):
    def browser(address):
        if isinstance(answer, Exception):
            raise answer
        return answer

    monkeypatch.setattr(webbrowser, "open", browser)
    status, out, err = hapsis_command("show", "arm.yaml", "--out", "page.html")
    assert (status, err) == (0, "") and out.startswith("wrote page.html\n")
    assert "no browser could be opened: the page is page.html" in out
    status, out, err = hapsis_command("show", "arm.yaml")
    path = Path(out.splitlines()[-1].removeprefix("shown: "))
    assert (status, err) == (0, "") and path.exists() and f"the page is {path}" in out
    shutil.rmtree(path.parent)


def test_a_name_to_plot_is_checked_before_the_run(hapsis_command):
    asked = ["--until", "1", "--save", "run.csv", "--plot", "hinge,hinj"]
    line = refused(hapsis_command("simulate", "pendulum.yaml", *asked))
    assert line.startswith('--plot: the result has no "hinj" (did you mean "hinge"?)')
    assert not Path("run.csv").exists()


def test_a_wrong_option_names_the_help_of_its_command(hapsis_command):
    assert "See hapsis simulate --help." in refused(hapsis_command("simulate", "arm.yaml", "--untl", "1"))


def test_limits_act_with_steps_that_solve_contacts(hapsis_command, tmp_path):
    """Without them an elbow falls past its limit; the report says what steps lost."""
    run = ("arm.yaml", "--until", "2", "--step", "0.002", "--method", "contact", "--every", "0.002")
    limits = [joint for joint in hs.load(MODELS / "arm.yaml").moving if joint.limits is not None]
    for more in ((), ("--limits", "stops")):
        path = tmp_path / "run.csv"
        hapsis_command("simulate", *run, *more, "--save", str(path))
        with path.open() as file:
            rows = list(csv.DictReader(line for line in file if not line.startswith("#")))
        past = 0.0
        for joint in limits:
            low, high = joint.limits
            values = [float(row[joint.name]) for row in rows]
            past = max(past, low - min(values), max(values) - high)
        assert past < 5e-3 if more else past > 0.1
    rows, _ = simulate(hapsis_command, *run, "--limits", "stops")
    assert rows["steps"] == "1000 by contact" and rows["steps lost"].endswith(" J")
    assert "--method contact and --step" in refused(hapsis_command("simulate", *run[:3], "--limits", "stops"))
