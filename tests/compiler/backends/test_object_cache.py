"""Object code belongs to the sources of the compiler that wrote it."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import hapsis as hs
from hapsis.compiler.backends import cache, code_version, object_cache

PROGRAM = """
from unittest import mock
from hapsis.compiler.backends.llvm import llvm_jit
count = []
for name in ("module_object", "optimised"):
    own = getattr(llvm_jit, name)
    setattr(llvm_jit, name, lambda *a, own=own, **more: count.append(1) or own(*a, **more))
import hapsis as hs
from hapsis.compiler.native import native, Array

@native
def twice(x: Array) -> float:
    return 2.0 * x[0]

import numpy as np
x = hs.symbols("x", 3)
y = hs.compile(hs.Function("f", {"x": x}, {"y": x * x + 1.0}))(np.arange(3.0))
assert list(y) == [1.0, 2.0, 5.0] and twice(np.ones(1)) == 2.0
print(len(count))
"""


def modules(place):
    """The modules that a process with the sources in this folder compiles."""
    (place / "program.py").write_text(PROGRAM)
    environment = {**os.environ, "PYTHONPATH": str(place), "HAPSIS_CACHE": str(place / "cache")}
    environment |= {"HAPSIS_BACKGROUND": "off", "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, str(place / "program.py")]
    return int(subprocess.run(command, env=environment, check=True, stdout=subprocess.PIPE, text=True).stdout)


def test_another_compiler_finds_no_code_and_other_equations_do(tmp_path):
    folder = tmp_path / "hapsis"
    shutil.copytree(Path(hs.__file__).parent, folder, ignore=shutil.ignore_patterns("__pycache__"))
    first = modules(tmp_path)
    assert first >= 2 and modules(tmp_path) == 0
    for source, again in (
        ("mechanics/model/model.py", 0),
        ("compiler/backends/llvm/llvm_text.py", first),
        ("compiler/native/module.py", first),
    ):
        with (folder / source).open("a") as file:
            file.write("# another text\n")
        assert modules(tmp_path) == again, source


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("HAPSIS_CACHE", str(tmp_path))


def test_code_of_unknown_sources_is_neither_kept_nor_found(folder, monkeypatch):
    name = object_cache.key(b"something")
    monkeypatch.setattr(code_version, "_looked", [None, False])
    object_cache.store(name, [b"code"])
    assert object_cache.load(name) == [b"code"]
    monkeypatch.setattr(object_cache, "compiler_version", lambda: b"")
    assert object_cache.load(name) is None
    unknown = object_cache.key(b"something")
    object_cache.store(unknown, [b"code"])
    assert unknown != name and cache.load(unknown) is None


def test_a_compiler_whose_files_have_changed_keeps_nothing(folder, monkeypatch):
    name = object_cache.key(b"something")
    monkeypatch.setattr(code_version, "_loaded", code_version._loaded[1:])
    monkeypatch.setattr(code_version, "_looked", [None, False])
    object_cache.store(name, [b"code"])
    assert cache.load(name) is None
