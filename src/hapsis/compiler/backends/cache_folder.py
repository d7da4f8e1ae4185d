"""The folder of the cache on disk: which one it is, whether it may be used, and its entries.

It must belong to this user and be closed to others. It is made when something is kept, not when somebody
looks. Entries are opened within the open folder, never by their path again.
"""

import contextlib
import os
import stat
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

VARIABLE = "HAPSIS_CACHE"
# without descriptors of folders (Windows) entries are opened by their path
_WITHIN = os.open in os.supports_dir_fd and os.rename in os.supports_dir_fd
_NO_LINK = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)
# of entries; a pipe in the place of one does not keep us waiting
_ENTRY = _NO_LINK | getattr(os, "O_BINARY", 0) | getattr(os, "O_NONBLOCK", 0)


class Folder:
    """An open folder: entries are opened, renamed and removed within it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY | _NO_LINK) if _WITHIN else None

    def close(self) -> None:
        """Closes the folder."""
        if self.descriptor is not None:
            os.close(self.descriptor)

    def open(self, name: str, flags: int) -> int:
        """The descriptor of an entry."""
        flags |= _ENTRY
        if self.descriptor is None:
            return os.open(self.path / name, flags, 0o600)
        return os.open(name, flags, 0o600, dir_fd=self.descriptor)

    def rename(self, name: str, new: str) -> None:
        """Gives an entry another name, replacing what is there."""
        if self.descriptor is None:
            os.replace(self.path / name, self.path / new)
        else:
            os.replace(name, new, src_dir_fd=self.descriptor, dst_dir_fd=self.descriptor)

    def remove(self, name: str) -> None:
        """Removes an entry; nothing happens where there is none."""
        with contextlib.suppress(FileNotFoundError):
            if self.descriptor is None:
                os.unlink(self.path / name)
            else:
                os.unlink(name, dir_fd=self.descriptor)

    def entries(self) -> list[tuple[float, int, str]]:
        """Time of last change, size and name of all entries, the oldest first."""
        listed = []
        with os.scandir(self.path if self.descriptor is None else self.descriptor) as scan:
            for entry in scan:
                with contextlib.suppress(FileNotFoundError):  # another process removed it
                    status = entry.stat(follow_symlinks=False)
                    listed.append((status.st_mtime, status.st_size, entry.name))
        return sorted(listed)


class Opened(NamedTuple):
    """The folder, open; or None and why: a `problem`, unless it is just not there yet, or turned off."""

    path: Path | None
    folder: Folder | None
    problem: str = ""


@contextlib.contextmanager
def opened_folder(make: bool) -> Iterator[Opened]:
    """The folder, opened and checked; where there is none yet it is made, if wished."""
    opened = _opened(chosen(), make)
    try:
        yield opened
    finally:
        if opened.folder is not None:
            opened.folder.close()


def _opened(path: Path | None, make: bool) -> Opened:
    if path is None:
        return Opened(None, None)
    try:
        if make:
            path.mkdir(parents=True, exist_ok=True, mode=0o700)
        folder = Folder(path)
        status = os.lstat(path) if folder.descriptor is None else os.fstat(folder.descriptor)
    except OSError as problem:
        if path.is_symlink():
            return Opened(path, None, f"cache folder {path} is a link and could be another's: not used")
        if isinstance(problem, FileNotFoundError) and not make:
            return Opened(path, None)
        text = f"cache folder {path} cannot be used ({problem.strerror}): compiling every time"
        return Opened(path, None, text)
    if is_private(status):
        return Opened(path, folder)
    folder.close()
    return Opened(path, None, _not_private(path, status))


def _not_private(path: Path, status: os.stat_result) -> str:
    if stat.S_ISDIR(status.st_mode) and status.st_uid == os.geteuid():
        return f"cache folder {path} is open to others: not used; close it with chmod 700 '{path}'"
    return f"cache folder {path} belongs to another user: not used; set {VARIABLE} to one of your own"


def chosen() -> Path | None:
    """The path of the folder, made or not; None where it is turned off or there is no home for it."""
    folder_text = os.environ.get(VARIABLE)
    if folder_text is not None:
        return Path(folder_text) / "objects" if folder_text else None
    try:
        home = Path.home()
    except RuntimeError:
        return None
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA") or home / "AppData" / "Local")
    elif sys.platform == "darwin":
        base = home / "Library" / "Caches"
    else:
        base = Path(os.environ.get("XDG_CACHE_HOME") or home / ".cache")
    return base / "hapsis" / "objects"


def why_none() -> str:
    """Why there is no path for the folder, and what to do."""
    if os.environ.get(VARIABLE) == "":
        return f"{VARIABLE} is empty, which turns the cache off; unset it, or set it to a folder"
    return f"there is no home folder for the cache; set {VARIABLE} to a folder"


def is_private(status: os.stat_result) -> bool:
    """Whether it is a file or folder, is ours, and nobody else can write (folders: enter) it."""
    if not (stat.S_ISDIR(status.st_mode) or stat.S_ISREG(status.st_mode)):
        return False
    if not hasattr(os, "geteuid"):
        return True
    if status.st_uid != os.geteuid():
        return False
    forbidden = 0o077 if stat.S_ISDIR(status.st_mode) else 0o022
    return not status.st_mode & forbidden
