"""Every file of examples/ runs: headless, from an empty folder, with nothing left behind."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from children import PATIENCE

ROOT = Path(__file__).resolve().parents[1]
EXAMPLES = sorted((ROOT / "examples").glob("*.py"))
LONGEST = 30.0  # seconds of processor time, with an empty cache; a quiet machine needs a third of them


def present(folder):
    """What lies in the source folders, apart from compiled Python files and what other tests make of docs."""
    places = [folder / name for name in ("src", "examples", "docs", "tests")]
    found = {p for place in places for p in place.rglob("*") if "__pycache__" not in p.parts}
    found.discard(folder / "docs" / "source_files.md")
    found -= {folder / "docs" / "api", *(folder / "docs" / "api").glob("*")}
    return found | {p for p in folder.glob("*") if p.name[0] != "."}


def test_there_are_examples_and_they_are_numbered():
    assert EXAMPLES
    assert all(path.name[:2].isdigit() and path.name[2] == "_" for path in EXAMPLES)


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_example_runs_anywhere(path, tmp_path):
    home, here = tmp_path / "home", tmp_path / "here"
    home.mkdir()
    here.mkdir()
    # nothing of the user's but where Python and its packages are
    kept = {name: os.environ[name] for name in ("PATH", "SYSTEMROOT") if name in os.environ}
    environment = kept | {
        "HOME": str(home),
        "USERPROFILE": str(home),
        "LOCALAPPDATA": str(home),
        "PYTHONPATH": str(ROOT / "src"),
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    before = present(ROOT)
    start = os.times()
    ran = subprocess.run(
        [sys.executable, "-W", "error", str(path)],
        cwd=here,
        env=environment,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    end = os.times()
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.strip() and not ran.stderr
    assert present(ROOT) - before == set()
    seconds = end.children_user + end.children_system - start.children_user - start.children_system
    assert seconds < LONGEST
