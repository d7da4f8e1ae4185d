"""Hybrids as whole programs in C: the motions and events of `simulate`, one module for each phase."""

import re
import shutil
import subprocess

import numpy as np
import pytest
from children import PATIENCE

import hapsis as hs

GCC = shutil.which("gcc")
needs_gcc = pytest.mark.skipif(GCC is None, reason="gcc is not installed")
LARGE = 500_000  # bytes: optimising more takes most of the time of a test
FLAGS = ["-std=c99", "-O1", "-ffp-contract=off", "-Wall", "-Wextra", "-pedantic", "-Werror"]


def ball():
    return hs.Model(hs.Body("ball", mass=1.0), hs.Prismatic("z", hs.WORLD, "ball", axis="z"))


def bouncing(**more):
    then = [hs.impact("ball", restitution=0.8, **more)]
    rest = {"rest": ball().pinned("ball")} if more else {}
    event = hs.Event("bounce", when=hs.height("ball"), falling=True, during="flight", then=then)
    return hs.Hybrid({"flight": ball(), **rest}, [event])


def caught():
    """A rod that falls, is caught at its end, swings, and is stopped."""
    rod = hs.Model(hs.Rod("rod", 1.0, 2.0), hs.Chain("base", hs.WORLD, "rod", "Tx Tz Ry"))
    return hs.Hybrid(
        {"falls": rod, "swings": rod.pinned("rod.end")},
        [
            hs.Event(
                "catch", lambda s: s["rod.end.z"] + 0.5, falling=True, during="falls", to="swings",
                only=lambda s: s["base.Tx"] > -1.0, then=[hs.impact("rod.end")],
            ),
            hs.Event("let go", lambda s: s["base.Ry.v"] + 1.0, during="swings", to="falls", falling=True),
            hs.Event("stop", lambda s: s.t - 1.9, rising=True, stop=True),
        ],
    )  # fmt: skip


def at_once():
    """Two balls that bounce at one moment; one is kicked by the clock, and caught where it falls slowly."""
    names = ("a", "b")
    balls = hs.Model(
        *(hs.Body(n, mass=1.0) for n in names), *(hs.Prismatic(n, hs.WORLD, n, axis="z") for n in names)
    )

    def fast(s):
        return s["b.v"] < -3.0

    return hs.Hybrid(
        {"both": balls, "one": balls.pinned("b")},
        [
            hs.Event("b", hs.height("b"), falling=True, only=fast, then=hs.impact("b", restitution=0.5)),
            hs.Event("a", hs.height("a"), falling=True, then=hs.impact("a", restitution=0.5)),
            hs.Event("kick", lambda s: s.since - 0.6, rising=True, then=hs.reset({"b.v": 0.1})),
            hs.Event(
                "stand", hs.height("b"), falling=True, during="both", to="one",
                only=lambda s: s["b.v"] >= -3.0,
                then=hs.impact("b"),
            ),
        ],
    )  # fmt: skip


def walking():
    return hs.library.gait.walking_biped()


CASES = {
    "bouncing": (bouncing, {"z": 1.0}, 2.0),
    "caught": (caught, {"base.Tz": 0.3, "base.Ry.v": 0.5, "base.Tx.v": 0.2}, 2.0),
    "rest": (lambda: bouncing(rest="rest"), {"z": 1.0}, 4.5),
    "at_once": (at_once, {"a": 1.0, "b": 1.0}, 1.2),
    "compass": (hs.library.compass_gait, None, 2.0),
    "rimless": (lambda: hs.library.rimless_wheel(8, 0.08), None, 4.0),
    "rocking": (lambda: hs.library.rimless_wheel(8, 0.01), None, 2.0),
    "walking": (walking, None, 1.6),
}


def built(folder, stem, files):
    sources = [path.name for path in files if path.suffix == ".c"]
    large = sum(path.stat().st_size for path in files) > LARGE
    subprocess.run(
        [GCC, *FLAGS, *(["-O0"] if large else []), *sources, "-o", stem, "-lm"],
        cwd=folder,
        check=True,
        timeout=PATIENCE,
    )


def ran(folder, stem):
    return subprocess.run(
        [f"./{stem}"], cwd=folder, capture_output=True, text=True, timeout=PATIENCE, check=False
    )


@needs_gcc
@pytest.mark.parametrize("case", CASES)
def test_a_program_gives_the_motion_and_the_events(case, tmp_path):
    make, start, until = CASES[case]
    hybrid = make()
    start = hybrid.pose("start") if start is None else start
    files = hs.export_program(tmp_path / case, hybrid, until, start, tolerance=1e-9)
    modules = {path.name for path in files}
    assert {f"{case}.c", f"{case}.in"} | {f"{case}_{phase}.c" for phase in hybrid.phases} <= modules
    built(tmp_path, case, files)
    run = ran(tmp_path, case)
    assert run.returncode == 0 and run.stderr == "", run
    result = hs.simulate(hybrid, until, start, every=until / 100, tolerance=1e-10)
    happened = re.findall(r"^t = (\S+) s: (\w+)", run.stdout, flags=re.M)
    assert [name for _, name in happened] == [event.name.replace(" ", "_") for event in result.events]
    for (time, _), event in zip(happened, result.events, strict=True):
        assert abs(float(time) - event.time) < 1e-7
    path = tmp_path / f"{case}.csv"
    names = path.read_text().splitlines()[0].split(",")
    table = np.genfromtxt(path, delimiter=",", skip_header=1)
    assert names[-1] == "phase"
    rows = [np.flatnonzero(np.abs(result.t - t) < 1e-8)[-1] for t in table[:, 0]]
    for name, values in zip(names, table.T, strict=True):
        expected = result[name][rows]
        assert np.abs(values - expected).max() < 1e-6 * max(1.0, np.abs(expected).max()), name


def test_what_cannot_be_a_program_is_refused(tmp_path):
    for call, message in (
        (lambda: hs.export_program(tmp_path / "p", bouncing(), 9.0, {"z": 1.0}), "fails"),
        (lambda: hs.export_program(tmp_path / "p", bouncing(), 2.0, {"z": 1.0}, independent=["z"]), "phases"),
        (
            lambda: hs.export_program(tmp_path / "p", bouncing(), 2.0, {"z": 1.0}, outputs=["y"]),
            "outputs name",
        ),
    ):
        with pytest.raises(hs.Error, match=message) as problem:
            call()
        assert len(str(problem.value).splitlines()) == 1
    assert not [*tmp_path.iterdir()]


@needs_gcc
def test_the_file_of_a_hybrid_changes_all_phases(tmp_path):
    files = hs.export_program(tmp_path / "p", caught(), 1.0, CASES["caught"][1])
    built(tmp_path, "p", files)
    lines = (tmp_path / "p.in").read_text().splitlines()
    assert len([line for line in lines if line.startswith("rod.mass")]) == 1
    gravity = [f"gravity.z -1.62 {line}" if line.startswith("gravity.z ") else line for line in lines]
    (tmp_path / "p.in").write_text("\n".join(gravity) + "\n")
    assert ran(tmp_path, "p").returncode == 0
    last = (tmp_path / "p.csv").read_text().splitlines()[-1].split(",")
    names = (tmp_path / "p.csv").read_text().splitlines()[0].split(",")
    result = hs.simulate(caught(), 1.0, CASES["caught"][1], parameters={"gravity.z": -1.62}, tolerance=1e-10)
    for name in ("base.Tx", "base.Tz", "base.Ry"):
        assert abs(float(last[names.index(name)]) - result[name][-1]) < 1e-6
