"""What `hapsis doctor` reports: one line per part, and what to do about each absent one.

Imports only the standard library and our errors at the top, so it can speak when a core part is missing.
"""

import importlib
import importlib.metadata
import json
import os
import platform
import shutil
import struct
import subprocess
import sys
from collections.abc import Iterator
from typing import NamedTuple

from hapsis.errors import install_command

OK, MISSING, OPTIONAL = "ok", "missing", "optional"
OLDEST = (3, 11)

CORE = {"numpy": "numpy", "scipy": "scipy", "llvmlite": "llvmlite.binding", "pyyaml": "yaml"}
CORE |= {"typer": "typer", "rich": "rich"}
EXTRA = {
    "sympy": "exchanges formulas with SymPy",
    "matplotlib": "saves plots as .png",
    "pyarrow": "saves tables as .parquet",
    "pandas": "makes data frames",
    "xarray": "makes xarray datasets",
    "distributed": "sweeps on a cluster",
    "mido": "sends notes to MIDI ports",
    "python-rtmidi": "opens MIDI ports for mido",
    "build123d": "reads STEP files of designs",
}
MODULES = {"python-rtmidi": "rtmidi"}  # of packages with another name

# vector width in bits by CPU feature, widest first
WIDTHS = {"avx512f": 512, "avx2": 256, "avx": 256, "sse2": 128, "neon": 128}


class Line(NamedTuple):
    """One finding: its state, the part, and what was found or what to do."""

    state: str
    part: str
    text: str


def main(as_json: bool = False) -> int:
    """Print the report; the exit status is 1 when a core part is missing, else 0."""
    lines = list(findings())
    missing = [line.part for line in lines if line.state == MISSING]
    if as_json:
        print(json.dumps({"parts": [line._asdict() for line in lines], "missing": missing}, indent=2))
        return 1 if missing else 0
    for state, part, text in lines:
        print(f"{state:<8}  {part:<12}  {text}")
    print("all core parts are here" if not missing else f"missing: {', '.join(missing)}")
    return 1 if missing else 0


def findings() -> Iterator[Line]:
    """Every finding in the order of the report."""
    yield _python()
    yield Line(OK, "platform", platform.platform())
    yield _processor()
    for package, module in CORE.items():
        yield _package(package, module, MISSING, install_command(package))
    yield _cache()
    for package, use in EXTRA.items():
        yield _package(package, MODULES.get(package, package), OPTIONAL, f"{use}; {install_command(package)}")
    yield _program("gcc", "compiles exported C in the tests; sudo apt-get install gcc")
    yield _program("octave", "runs exported MATLAB code in the tests; sudo apt-get install octave")
    yield _program("node", "tests the player's scripts; sudo apt-get install nodejs")
    yield _program("chromium", "looks at the player's pages in the tests; sudo apt-get install chromium")


def _python() -> Line:
    found = f"{platform.python_version()} {platform.python_implementation()}"
    text = f"{found}, {8 * struct.calcsize('P')} bit, {sys.executable}"
    if sys.version_info[:2] < OLDEST:
        return Line(MISSING, "python", f"{text}; Hapsis needs Python 3.11 or newer")
    return Line(OK, "python", text)


def _processor() -> Line:
    """The name LLVM compiles for, and the widest vectors it may use."""
    try:
        from llvmlite import binding

        name, features = binding.get_host_cpu_name(), binding.get_host_cpu_features()
    except Exception as error:  # a missing or a broken llvmlite; its own line gives the remedy
        return Line(OPTIONAL, "processor", f"unknown without llvmlite ({error})")
    bits = next((width for feature, width in WIDTHS.items() if features.get(feature)), 64)
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return Line(OK, "processor", f"{name}, vectors of {bits} bits, {cores} cores")


def _package(package: str, module: str, otherwise: str, remedy: str) -> Line:
    """Whether a package really imports; a broken install counts as absent."""
    try:
        importlib.import_module(module)
        return Line(OK, package, importlib.metadata.version(package))
    except ModuleNotFoundError:
        return Line(otherwise, package, remedy)
    except Exception as error:  # whatever a broken binary raises on import
        return Line(otherwise, package, f"does not import ({error}); {remedy}")


def _program(name: str, remedy: str) -> Line:
    path = shutil.which(name)
    if path is None:
        return Line(OPTIONAL, name, remedy)
    try:
        asked = subprocess.run([path, "--version"], capture_output=True, text=True, timeout=20)
        version = (asked.stdout.strip().splitlines() or ["version unknown"])[0]
    except (OSError, subprocess.SubprocessError, UnicodeError) as error:
        version = f"does not answer ({error})"
    return Line(OK, name, f"{version}, {path}")


def _cache() -> Line:
    """Where compiled code is kept, or why none is."""
    try:
        here = importlib.import_module("hapsis.compiler.backends.cache").contents()
    except Exception as error:
        return Line(OPTIONAL, "cache", f"no cache ({error}); every run compiles afresh")
    if here.problem:
        return Line(OPTIONAL, "cache", here.problem)
    if not here.folder.exists():
        return Line(OK, "cache", f"{here.folder}, not made yet")
    if not os.access(here.folder, os.R_OK | os.W_OK | os.X_OK):
        return Line(OPTIONAL, "cache", f"{here.folder} cannot be used; make it yours or remove it")
    return Line(OK, "cache", f"{here.folder}, {here.count} files, {here.bytes / 1e6:.1f} MB")
