"""The benchmark of steps in WebAssembly: the same numbers in every way, and what is said without Node."""

import json
import shutil

import pytest

from hapsis.bench import robots, wasm
from hapsis.bench.wasm import wasm_benchmark


@pytest.fixture
def chain(tmp_path):
    return robots.robot("aligned 7", tmp_path)


@pytest.mark.skipif(shutil.which("node") is None, reason="Node is not installed")
def test_a_step_of_a_chain(chain, tmp_path):
    notes = []
    row = wasm_benchmark.measured(chain, tmp_path, 0.01, notes)
    assert json.loads(json.dumps(row, allow_nan=False)) == row
    assert row["same_bits"] and row["native_s"] > 0.0 and row["wasm_s"] > 0.0
    assert row.get("difference", 0.0) < 1e-6  # MuJoCo's file has six digits
    assert ("mujoco_s" in row) or any("mujoco is not installed" in note for note in notes)
    text = wasm.report({"cases": [row], "notes": notes})
    assert text.startswith("aligned 7: native") and "same bits as the interpreter" in text


def test_without_node_the_rest_is_measured(chain, tmp_path, monkeypatch):
    monkeypatch.setattr(shutil, "which", lambda _: None)
    notes = []
    row = wasm_benchmark.measured(chain, tmp_path, 0.01, notes)
    assert "wasm_s" not in row and row["native_s"] > 0.0
    assert "Node is not installed: WebAssembly is left out" in notes
