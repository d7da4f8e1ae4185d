"""The file of a recording on its disk: a new one, which nothing else writes to.

A file that exists is kept under another name, never overwritten. Two recorders cannot have one path:
the file is locked while it is open (where the system has such locks, and for recorders only).
"""

import contextlib
import os
import stat
from pathlib import Path
from typing import Any

from hapsis.errors import DeviceError, notice

try:
    import fcntl
except ImportError:  # on Windows a file that is open cannot be renamed, which is enough
    fcntl = None

BINARY = getattr(os, "O_BINARY", 0)
WRITE = os.O_WRONLY | os.O_APPEND | BINARY  # at its end: a file that is cut never gets a hole
TRIES = 100
MOST_KEPT = 100_000  # names that are tried for a file that is kept


class RecordingFile:
    """An open file; `place` is its absolute path, `descriptor` the number that the system gave."""

    def __init__(self, path: Any) -> None:
        self.place = Path(path).absolute()
        try:
            self.descriptor = _created(self.place)
        except OSError as problem:
            raise DeviceError(f"cannot be written: {problem.strerror}", where=str(path)) from None
        self._regular = stat.S_ISREG(os.fstat(self.descriptor).st_mode)

    def damage(self, size: int) -> str:
        """What other programs did to a file of this size: deleted or cut it; empty if nothing."""
        if not self._regular:
            return ""
        now = os.fstat(self.descriptor)
        if now.st_nlink == 0:
            return "the file was deleted"
        if now.st_size < size:
            return f"the file was cut to {now.st_size} of {size} bytes by another program"
        return "another program wrote to the file" if now.st_size > size else ""

    @property
    def moved(self) -> bool:
        """Whether the path is no longer this file."""
        if not self._regular:
            return False
        try:
            there = os.stat(self.place)
        except OSError:
            return True
        return not os.path.samestat(there, os.fstat(self.descriptor))

    @property
    def size(self) -> int:
        """Bytes that are in it."""
        return os.fstat(self.descriptor).st_size

    def close(self) -> None:
        """Closes it; a process that was forked meanwhile holds no lock either."""
        if fcntl is not None:
            with contextlib.suppress(OSError):
                fcntl.flock(self.descriptor, fcntl.LOCK_UN)
        os.close(self.descriptor)


def _created(path: Path) -> int:
    """A new, empty file at the path, open and locked; a file that was there is kept elsewhere."""
    for _ in range(TRIES):
        try:
            return _locked(os.open(path, WRITE | os.O_CREAT | os.O_EXCL, 0o666), path)
        except FileExistsError:
            there = os.stat(path)
        if not stat.S_ISREG(there.st_mode):
            return os.open(path, WRITE)  # a pipe or a device
        file = _locked(os.open(path, WRITE), path)
        if os.fstat(file).st_size == 0:
            return file
        try:
            _keep(path)
        finally:
            os.close(file)
    raise DeviceError("other programs make this file again and again", where=str(path))


def _locked(file: int, path: Path) -> int:
    """The file, locked; an error if a recorder has it."""
    if fcntl is not None:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(file)
            raise DeviceError(
                "another recorder writes to it", where=str(path), remedy="give another path"
            ) from None
        except OSError:  # a file system without locks
            pass
    return file


def _keep(path: Path) -> None:
    """Renames a file to the first free one of NAME.1, NAME.2, ..., and says so."""
    for number in range(1, MOST_KEPT):
        other = path.with_name(f"{path.stem}.{number}{path.suffix}")
        try:
            os.close(os.open(other, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o666))  # the name is ours
        except FileExistsError:
            continue
        os.replace(path, other)
        notice(f"{path} exists: it is kept as {other.name}")
        return
    raise DeviceError(f"{MOST_KEPT} earlier files are kept already", where=str(path))
