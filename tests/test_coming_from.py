"""The programs of the page for users of other packages run, and both of a pair find the same numbers."""

import re
from pathlib import Path

import numpy as np
import pytest
from test_tasks import run

ROOT = Path(__file__).parents[1]

FOLDER = ROOT / "examples" / "coming_from"
PEERS = pytest.mark.peers
PAIRS = [
    pytest.param("mujoco", ("tip",), 1e-8, marks=PEERS),
    pytest.param("contacts", ("way",), 1e-2, marks=PEERS),
    pytest.param("pinocchio", ("torques", "mass"), 1e-13, marks=PEERS),
    pytest.param("sympy", ("accelerations",), 1e-12),
]


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*_ours.py")), ids=lambda path: path.stem)
def test_our_program_runs(path, tmp_path):
    run(path, tmp_path)


@pytest.mark.parametrize(("name", "keys", "bound"), PAIRS)
def test_both_find_the_same(name, keys, bound, tmp_path):
    theirs, ours = (run(FOLDER / f"{name}_{whose}.py", tmp_path) for whose in ("theirs", "ours"))
    for key in keys:
        a, b = np.asarray(ours[key], float), np.asarray(theirs[key], float)
        assert np.abs(a - b).max() <= bound * np.abs(b).max()
    if "jacobian" in theirs:  # they have the linear part first, we the angular one
        assert np.allclose(ours["jacobian"], np.roll(theirs["jacobian"], 3, axis=0), atol=1e-12)


def test_the_page_shows_every_program():
    page = (ROOT / "docs" / "coming_from.md").read_text(encoding="utf-8")
    shown = set(re.findall(r"examples/coming_from/(\w+\.py)", page))
    assert shown == {path.name for path in FOLDER.glob("*.py")}
