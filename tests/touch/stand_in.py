"""Stand-ins for libraries and firmware, compiled when a test needs them."""

import ctypes
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

FOLDER = Path(__file__).resolve().parent / "stand_ins"


def compiler():
    """The C compiler of this machine; without one the test is skipped."""
    found = shutil.which("gcc") or shutil.which("cc")
    if found is None:
        pytest.skip("no C compiler")
    return found


def built(folder, name):
    """A shared library of `stand_ins/NAME.c`, in a folder of the test."""
    source, target = FOLDER / f"{name}.c", folder / f"{name}.so"
    command = [compiler(), "-shared", "-fPIC", "-O1", "-pthread", "-Wall", "-Werror"]
    subprocess.run([*command, "-o", str(target), str(source)], check=True)
    return str(target)


def whole(library, name):
    """An int of a library."""
    return ctypes.c_int.in_dll(library, name)


def three(library, name):
    """Three doubles of a library."""
    return np.array((ctypes.c_double * 3).in_dll(library, name))
