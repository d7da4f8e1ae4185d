"""The version of this code: a hash of its own source files, so that nothing written by other code is used.

    code_version()      of all files: for what is derived from models
    compiler_version()  of the compiler's alone: for object code

Reading all files takes some milliseconds. Their names, sizes, inodes and times of change are enough to
know that they are those whose hash is in the cache; files changed within the last seconds are read, since
two changes could have the same time.

The version is that of the files as they were when this module was loaded. Once they are others (an editor,
an update), a process that runs the old code, or some of both, keeps nothing more.
"""

import hashlib
import os
import sys
import time
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from hapsis.compiler.backends import cache as disk

ROOT = Path(__file__).resolve().parents[2]
COMPILER = "compiler"
ROOMS = (COMPILER, "mechanics", "motion", "touch")  # that write or run what is kept
AGAIN = 1.0  # s until the files are looked at again
SETTLED = 10.0  # s after its last change, until which a file is read again

Listed = tuple[str, int, int, int, int]  # path, size, inode, times of the last changes in ns


def code_version() -> bytes:
    """SHA-256 of the source files and of the version of Python; empty where there are no files."""
    return _versions()[0]


def compiler_version() -> bytes:
    """The same of the files that decide which object code belongs to a Function or a native function."""
    return _versions()[1]


@cache
def _versions() -> tuple[bytes, bytes]:
    files = _loaded
    if not files:
        return b"", b""
    name = disk.key(b"sources", repr((str(ROOT), files, sys.version)).encode())
    settled = max(max(file[3:]) for file in files) < (time.time() - SETTLED) * 1e9
    parts = disk.load(name) if settled else None
    if parts is not None and [len(part) for part in parts] == [32, 32]:
        return parts[0], parts[1]
    try:
        versions = _read(files), _read([file for file in files if _is_compiler(file[0])])
    except OSError:
        return b"", b""
    if _listed() != files:
        return b"", b""
    if settled:
        disk.store(name, [*versions])
    return versions


def _is_compiler(path: str) -> bool:
    return path.startswith(os.path.join(ROOT, COMPILER, ""))


def is_current() -> bool:
    """Whether the source files are those of the versions; looked at once in a second."""
    now = time.monotonic()
    if _looked[0] is None or now - _looked[0] > AGAIN:
        _looked[:] = [now, _listed() == _loaded]
    return bool(_looked[1])


def _listed() -> list[Listed]:
    """All source files, with what tells that they have not changed; none where there are no folders."""
    try:
        return sorted(_scanned())
    except OSError:  # as of a package in a zip file
        return []


def _scanned() -> Iterator[Listed]:
    folders = [str(ROOT / room) for room in ROOMS]
    while folders:
        with os.scandir(folders.pop()) as entries:
            for entry in entries:
                if entry.name.endswith(".py"):
                    status = entry.stat()
                    times = status.st_mtime_ns, status.st_ctime_ns
                    yield entry.path, status.st_size, status.st_ino, *times
                elif "." not in entry.name and entry.name != "__pycache__" and entry.is_dir():
                    folders.append(entry.path)


def _read(files: list[Listed]) -> bytes:
    version = hashlib.sha256(sys.version.encode())
    for path, *_ in files:
        content = Path(path).read_bytes()
        version.update(f"{os.path.relpath(path, ROOT)}\0{len(content)}\0".encode() + content)
    return version.digest()


_loaded = _listed()
_looked: list[Any] = [None, False]  # when the files were looked at, and whether they were those
