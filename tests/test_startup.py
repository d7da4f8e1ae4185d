"""What is imported by what: packages that take long to load are loaded where they are needed."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

MODELS = Path(__file__).parents[1] / "examples" / "models"
HEAVY = ("scipy", "llvmlite", "typer", "rich", "yaml", "numpy.ma", "numpy.random", "urllib.request")
HEAVY += (
    "pydantic",
    "hapsis.motion.simulate",
    "hapsis.view.scene",
    "hapsis.mechanics.formats.urdf",
    "concurrent.futures",
    "hapsis.mechanics.formalisms.tree.links",  # written equations begin there
    "hapsis.compiler.passes.pipeline",
)
WRITING = {"llvmlite", "hapsis.mechanics.formalisms.tree.links", "hapsis.compiler.passes.pipeline"}


def loaded_by(program, *arguments):
    """The heavy packages that a program has loaded at its end, in a process of its own."""
    text = f"{program}\nimport sys, json\nprint(json.dumps([n for n in {HEAVY!r} if n in sys.modules]))"
    done = subprocess.run(
        [sys.executable, "-c", text, *map(str, arguments)], capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stderr
    return set(json.loads(done.stdout.splitlines()[-1]))


COMMAND = "import sys\nfrom hapsis.cli import main\nmain(sys.argv[1:])"
SIMULATE = "import sys, hapsis as hs\nhs.simulate(hs.load(sys.argv[1]), 0.1)"
LOOP = """import hapsis as hs
model = hs.library.slider_crank()
hs.simulate(model, 0.1, start=hs.assemble(model))"""


@pytest.mark.parametrize(
    ("program", "arguments", "allowed"),
    [
        ("import hapsis", (), set()),
        (COMMAND, ("--help",), {"typer", "rich"}),
        (COMMAND, ("info", MODELS / "pendulum.yaml"), {"typer", "yaml"}),
        (COMMAND, ("check", MODELS / "pendulum.yaml"), {"typer", "yaml", "numpy.random"}),
        ("import sys, hapsis as hs\nhs.load(sys.argv[1])", (MODELS / "arm.yaml",), {"yaml"}),
        (COMMAND, ("simulate", MODELS / "pendulum.yaml", "--until", "0.1"), {"typer", "yaml"}),
        (SIMULATE, (MODELS / "pendulum.yaml",), {"yaml"}),
        (LOOP, (), {"numpy.random", "concurrent.futures"}),
    ],
    ids=["import", "help", "info", "check", "load", "simulate from the shell", "simulate", "loop"],
)
def test_only_what_is_needed_is_loaded(program, arguments, allowed):
    moves = "simulate" in arguments or "simulate" in program
    needed = {"hapsis.motion.simulate"} if moves else set()
    writing = WRITING if moves else WRITING - {"llvmlite"}
    assert loaded_by(program, *arguments) - allowed - writing == needed


@pytest.mark.parametrize(
    ("program", "arguments", "allowed"),
    [
        (COMMAND, ("simulate", MODELS / "pendulum.yaml", "--until", "0.1"), {"typer", "yaml"}),
        (SIMULATE, (MODELS / "pendulum.yaml",), {"yaml"}),
        (LOOP, (), {"concurrent.futures"}),
    ],
    ids=["simulate from the shell", "simulate", "loop"],
)
def test_nothing_is_written_or_compiled_twice(program, arguments, allowed, tmp_path, monkeypatch):
    monkeypatch.setenv("HAPSIS_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("HAPSIS_BACKGROUND", "off")  # good code at once
    assert loaded_by(program, *arguments) >= WRITING
    assert loaded_by(program, *arguments) - allowed == {"hapsis.motion.simulate"}
