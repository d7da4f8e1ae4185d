"""Rivals in C and C++: built once, kept in the user's cache, asked over a pipe.

A driver is a program that reads a model and states from files, then answers commands: `time` and
`write`, or `run` (the head of each source in `drivers/` says how). Contenders take turns by asking
one driver after the other.
"""

import functools
import importlib
import os
import re
import shutil
import stat
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from hapsis.compiler.backends import cache

COMPILE_LIMIT = 120.0  # seconds for generated code
DRIVERS = Path(__file__).parent / "drivers"


class Missing(Exception):
    """A rival cannot take part; the text says why."""


class Stopped(Missing):
    """Somebody stopped the compiler: it may work next time."""


def rival(name: str) -> Any:
    """The rival's Python package; only benchmarks ask for one."""
    try:
        return importlib.import_module(name)
    except ImportError:
        raise Missing(f"{name} is not installed: its columns are left out") from None


def driver_source(name: str) -> bytes:
    """The text of a driver in C or C++, its own header written into it.

    Wheels do not hold the drivers: where there are none, Missing says so.
    """
    try:
        text = (DRIVERS / name).read_text()
    except OSError:
        raise Missing("the rivals' drivers in C and C++ come with the repository only") from None
    header = re.compile(r'^#include "(\w+\.h)"$', re.MULTILINE)
    return header.sub(lambda match: (DRIVERS / match[1]).read_text(), text).encode()


def built(
    name: str, command: list[str], source: Callable[[], bytes], facts: list[bytes], limit: float
) -> Path:
    """The path of a program or library made by `command + [source file, -o, result]`.

    Kept under the hash of command, compiler, processor and the facts that decide the source, in a
    folder closed to others; the source is only asked for when it has to be compiled.
    """
    tool = shutil.which(command[0])
    if tool is None:
        raise Missing(f"there is no {command[0]} on this machine")
    head = subprocess.run([tool, "--version"], capture_output=True, check=False).stdout
    place = _folder()
    key = cache.key("\0".join(command).encode(), head, _processor(), *facts)
    result = place / f"{name}-{key[:40]}"
    if result.exists() and _ours(result):
        return result
    failed = result.with_suffix(".failed")
    if failed.exists() and _ours(failed):
        raise Missing(failed.read_text())
    try:
        _compile(tool, command[1:], source(), result, limit)
    except Stopped:
        raise
    except Missing as problem:
        failed.touch(0o600)
        failed.write_text(f"{name}: {problem}")
        raise
    return result


def _compile(tool: str, options: list[str], source: bytes, result: Path, limit: float) -> None:
    """Compiles beside the result, then renames, so nobody runs half a file."""
    libraries = [x for x in options if x.startswith(("-l", "-Wl,"))]  # must follow the source
    flags = [x for x in options if x not in libraries]
    suffix = ".cpp" if tool.endswith("g++") else ".c"
    with tempfile.TemporaryDirectory(dir=result.parent) as work:
        text, program = Path(work, f"source{suffix}"), Path(work, "made")
        text.write_bytes(source)
        command = [tool, *flags, str(text), "-o", str(program), *libraries]
        compiler = subprocess.run(
            ["sh", "-c", f'ulimit -t {limit:.0f}; exec "$@"', "sh", *command],
            capture_output=True,
            check=False,
            text=True,
        )
        if compiler.returncode:
            if "Terminated" in compiler.stderr or "Interrupt" in compiler.stderr:
                raise Stopped("its compilation was stopped")
            if "signal" in compiler.stderr:
                raise Missing(f"compiling takes more than {limit:.0f} s of processor time")
            line = next((x for x in compiler.stderr.splitlines() if "error" in x), "")
            raise Missing(f"it does not compile: {line[:200]}")
        program.chmod(0o700)
        os.replace(program, result)


def _folder() -> Path:
    """A folder beside our object cache, under the same rules; one for this run if there is none."""
    objects = cache.folder()
    place = Path(_scratch().name) if objects is None else objects.parent / "rivals"
    place.mkdir(exist_ok=True, mode=0o700)
    if not _ours(place):
        raise Missing(f"folder {place} belongs to or is open to others")
    return place


@functools.cache
def _scratch() -> Any:
    return tempfile.TemporaryDirectory()  # removed when Python ends


def _ours(path: Path) -> bool:
    if not hasattr(os, "geteuid"):
        return True
    status = path.lstat()
    closed = not status.st_mode & 0o077 and not stat.S_ISLNK(status.st_mode)
    return closed and status.st_uid == os.geteuid()


def _processor() -> bytes:
    """What -march=native depends on."""
    try:
        text = Path("/proc/cpuinfo").read_text()
    except OSError:
        return b""
    lines = (x for x in text.splitlines() if x.startswith(("flags", "model name", "Features")))
    return "\n".join(sorted(set(lines))).encode()


class Driver:
    """A running driver; `close` ends it."""

    def __init__(self, program: Path, model: Path, states: Any, folder: Path):
        file = folder / f"{program.name[:20]}-{model.stem}.states"
        np.ascontiguousarray(states, np.float64).tofile(file)
        self.folder, self.count, self.stem = folder, len(states), model.stem
        self.process = subprocess.Popen(
            [str(program), str(model), str(file)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        if self._answer() != self.count:
            raise Missing(f"{program.name} did not read its states")

    def _answer(self) -> float:
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        if not line:
            raise Missing(f"the driver ended with status {self.process.wait()}")
        return float(line)

    def _ask(self, *words: str) -> float:
        assert self.process.stdin is not None
        self.process.stdin.write(" ".join(words) + "\n")
        self.process.stdin.flush()
        return self._answer()

    def seconds(self, name: str, budget: float) -> float:
        """The shortest time per call among passes over all states."""
        return 1e-9 * self._ask("time", name, repr(budget))

    def results(self, name: str) -> Any:
        """The results for all states, one row each."""
        path = self.folder / f"{name}.result"
        self._ask("write", name, str(path))
        return np.fromfile(path).reshape(self.count, -1)

    def run(self, what: str) -> tuple[float, Any]:
        """Seconds of a run from the one state, and the numbers of the states it kept, flat."""
        path = self.folder / f"{self.stem}.kept"
        return self._ask("run", what, str(path)), np.fromfile(path)

    def close(self) -> None:
        """Ends the program."""
        assert self.process.stdin is not None and self.process.stdout is not None
        self.process.stdin.close()
        self.process.stdout.close()
        self.process.wait(5)
