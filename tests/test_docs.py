"""The documentation builds without a warning, and the programs printed in it run."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PROGRAMS = [
    path for path in (ROOT / "README.md", ROOT / "docs" / "from_scratch.md") if path.exists()
]


def test_the_documentation_builds(tmp_path):
    pytest.importorskip("sphinx")
    pytest.importorskip("myst_parser")
    pytest.importorskip("furo")
    command = [sys.executable, "-m", "sphinx", "-W", "--keep-going", "-q", "-E", "-b", "html"]
    command += ["-d", str(tmp_path / "trees"), str(ROOT / "docs"), str(tmp_path / "html")]
    built = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert built.returncode == 0, built.stdout + built.stderr
    assert (tmp_path / "html" / "index.html").exists()


def python_blocks(text):
    """The program of one page: its blocks marked python, in order, each on its own lines."""
    lines = [""] * len(text.splitlines())
    for block in re.finditer(r"^```python\n(.*?)^```", text, flags=re.S | re.M):
        first = text[: block.start(1)].count("\n")
        for k, line in enumerate(block[1].splitlines()):
            lines[first + k] = line
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)
def test_printed_programs_run(path, tmp_path):
    source = python_blocks(path.read_text(encoding="utf-8"))
    if not source.strip():
        pytest.skip(f"{path.name} has no python block")
    program = tmp_path / f"{path.stem}.py"
    program.write_text(source, encoding="utf-8")
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    ran = subprocess.run(
        [sys.executable, str(program)],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
    )
    assert ran.returncode == 0, ran.stderr


def test_block_lines_keep_their_numbers():
    assert python_blocks("# A\n\n```python\nx = 1\n```\ntext\n") == "\n\n\nx = 1\n\n\n"
