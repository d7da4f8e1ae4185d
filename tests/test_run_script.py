"""The two set-up scripts parse in every shell here, and refuse misuse in one line."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from hapsis.errors import install_command

ROOT = Path(__file__).resolve().parents[1]
SCRIPTS = [ROOT / "run", ROOT / ".ci" / "run"]
SHELLS = [shell for shell in ("sh", "dash", "bash") if shutil.which(shell)]
pytestmark = pytest.mark.skipif(os.name == "nt", reason="the script is for POSIX systems")


@pytest.mark.parametrize("script", SCRIPTS, ids=["run", "ci"])
@pytest.mark.parametrize("shell", SHELLS)
def test_syntax(script, shell):
    subprocess.run([shell, "-n", script], check=True)


@pytest.mark.parametrize("script", SCRIPTS, ids=["run", "ci"])
def test_executable(script):
    assert os.access(script, os.X_OK)
    assert script.read_text().startswith("#!/bin/sh\n")


def run(*arguments, **options):
    return subprocess.run([ROOT / "run", *arguments], capture_output=True, text=True, **options)


@pytest.mark.parametrize("arguments", [[], ["--help"], ["-h"], ["help"]])
def test_help_from_any_folder(arguments, tmp_path):
    asked = run(*arguments, cwd=tmp_path)
    assert (asked.returncode, asked.stderr) == (0, "")
    for job in ("demo", "test", "check", "doctor", "add", "hapsis"):
        assert job in asked.stdout


def test_unknown_job_is_one_line():
    asked = run("tset")
    assert (asked.returncode, asked.stdout) == (2, "")
    assert asked.stderr == 'run: unknown job "tset"; expected demo, test, check, doctor, add or hapsis\n'


def test_add_needs_a_name():
    asked = run("add")
    assert (asked.returncode, asked.stdout, asked.stderr) == (2, "", "run: add what? ./run add pyarrow\n")


def test_errors_name_the_command_of_the_environment(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "prefix", str(tmp_path))
    assert install_command("pyarrow") == "pip install pyarrow"
    (tmp_path / "made-for").touch()
    assert install_command("distributed", "pyarrow") == "./run add distributed pyarrow"


def test_without_python_or_uv_it_says_the_one_line(tmp_path):
    """A folder with a space in its name, no uv, no Python, no HOME."""
    place = tmp_path / "a b"
    place.mkdir()
    shutil.copy(ROOT / "run", place)
    shutil.copytree(ROOT / "requirements", place / "requirements")
    tools = tmp_path / "bin"
    tools.mkdir()
    for tool in ("sh", "cat", "cksum", "dirname", "rm"):
        found = shutil.which(tool)
        assert found, tool
        (tools / tool).symlink_to(found)
    asked = subprocess.run(
        [place / "run", "doctor"], capture_output=True, text=True, env={"PATH": str(tools)}
    )
    assert asked.returncode == 1
    assert asked.stderr.splitlines()[-1].endswith("sudo apt-get install python3-venv")
