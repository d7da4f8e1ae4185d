"""The cache on disk of object code and derivations: one file per key, in a folder only its user can write.

    folder   $HAPSIS_CACHE, or the platform's cache folder / hapsis
    file     SHA-256 of (what is computed, how, for which CPU, by which versions)
    inside   magic, SHA-256 of the file's name and the rest, then the objects with their lengths

Code from here is executed, so the rules are strict: the folder and the files must belong to this
user and be closed to others, the checksum must fit, and nothing is ever unpickled. What is checked
is what was opened: entries are opened within the open folder, never by their path again, so that
nobody can exchange a folder or a file between the check and its use. An entry under another's name
does not fit its checksum. Whatever fails a check is ignored and rebuilt, with one line saying so.
No cache at all is never an error.
"""

import contextlib
import hashlib
import os
import stat
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from hapsis.errors import notice

MAGIC = b"hapsis object 2\n"
LIMIT = 512 * 2**20  # bytes kept; the files that nobody has used for the longest time go first
USED = 24 * 3600.0  # s: an entry that is used gets a new time after so long
ABANDONED = 3600.0  # s: a file half written by a process that has ended
TEMPORARY = "new-"
# without descriptors of folders (Windows) entries are opened by their path
_WITHIN = os.open in os.supports_dir_fd and os.rename in os.supports_dir_fd
_NO_LINK = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)
# of entries; a pipe in the place of one does not keep us waiting
_ENTRY = _NO_LINK | getattr(os, "O_BINARY", 0) | getattr(os, "O_NONBLOCK", 0)


def folder() -> Path | None:
    """The cache folder, made on first use; None where there can be none."""
    with _opened_folder() as place:
        return None if place is None else place.path


class _Folder:
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


@contextlib.contextmanager
def _opened_folder() -> Iterator[_Folder | None]:
    """The folder, opened and checked; None where there can be none."""
    path, place = _chosen(), None
    try:
        if path is not None:
            path.mkdir(parents=True, exist_ok=True, mode=0o700)
            place = _Folder(path)
            if not _private(os.lstat(path) if place.descriptor is None else os.fstat(place.descriptor)):
                _say_once(f"cache folder {path} belongs to or is open to others: not used (chmod 700)")
                place.close()
                place = None
    except OSError as problem:
        if path is not None and path.is_symlink():
            _say_once(f"cache folder {path} is a link and could be another's: not used")
        else:
            _say_once(f"cache folder {path} cannot be used ({problem.strerror}): compiling every time")
    try:
        yield place
    finally:
        if place is not None:
            place.close()


_said: set[str] = set()


def _say_once(text: str) -> None:
    """A notice about the folder, which every entry would repeat: the first time in this process."""
    if text not in _said:
        _said.add(text)
        notice(text)


def _chosen() -> Path | None:
    folder_text = os.environ.get("HAPSIS_CACHE")
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


def _private(status: os.stat_result) -> bool:
    """Whether it is a file or folder, is ours, and nobody else can write (folders: enter) it."""
    if not (stat.S_ISDIR(status.st_mode) or stat.S_ISREG(status.st_mode)):
        return False
    if not hasattr(os, "geteuid"):
        return True
    if status.st_uid != os.geteuid():
        return False
    forbidden = 0o077 if stat.S_ISDIR(status.st_mode) else 0o022
    return not status.st_mode & forbidden


def key(*parts: bytes) -> str:
    """The name of an entry: a hash of all parts and their lengths."""
    text = hashlib.sha256(MAGIC)
    for part in parts:
        text.update(len(part).to_bytes(8, "little") + part)
    return text.hexdigest()


def load(name: str) -> list[bytes] | None:
    """The objects stored under a key, or None."""
    with _opened_folder() as place:
        if place is None:
            return None
        try:
            with os.fdopen(place.open(name, os.O_RDONLY), "rb") as file:
                if not _private(os.fstat(file.fileno())):
                    notice(f"cache entry {name[:12]} belongs to or is open to others: rebuilt")
                    return None
                content = file.read()
                _mark_used(file.fileno())
        except FileNotFoundError:
            return None
        except OSError as problem:
            notice(f"cache entry {name[:12]} cannot be read ({problem.strerror}): rebuilt")
            return None
    objects = _unpacked(name, content)
    if objects is None:
        notice(f"cache entry {name[:12]} is damaged, another's or of another version: rebuilt")
    return objects


def _mark_used(descriptor: int) -> None:
    """Gives an entry a new time, now and then, so that what is used stays."""
    if time.time() - os.fstat(descriptor).st_mtime > USED and os.utime in os.supports_fd:
        with contextlib.suppress(OSError):
            os.utime(descriptor)


def contents() -> tuple[Path | None, int, int]:
    """The folder, None where there can be none; how many entries it has, and their bytes."""
    with _opened_folder() as place:
        if place is None:
            return None, 0, 0
        sizes = [size for _, size, _ in place.entries()]
        return place.path, len(sizes), sum(sizes)


def clear() -> tuple[Path | None, int, int]:
    """Removes all entries; the folder, and how many entries and bytes were removed."""
    with _opened_folder() as place:
        if place is None:
            return None, 0, 0
        count = total = 0
        for _, size, name in place.entries():
            try:
                place.remove(name)
            except OSError as problem:
                notice(f"cache entry {name[:12]} cannot be removed ({problem.strerror})")
                continue
            count, total = count + 1, total + size
        return place.path, count, total


def _packed(name: str, objects: list[bytes]) -> bytes:
    body = b"".join(len(part).to_bytes(8, "little") + part for part in objects)
    return MAGIC + _sum(name, body) + body


def _unpacked(name: str, content: bytes) -> list[bytes] | None:
    head = len(MAGIC) + 32
    body = content[head:]
    if content[: len(MAGIC)] != MAGIC or content[len(MAGIC) : head] != _sum(name, body):
        return None
    objects: list[bytes] = []
    while body:
        length = int.from_bytes(body[:8], "little")
        if length > len(body) - 8:
            return None
        objects.append(body[8 : 8 + length])
        body = body[8 + length :]
    return objects


def _sum(name: str, body: bytes) -> bytes:
    return hashlib.sha256(name.encode() + b"\0" + body).digest()


def store(name: str, objects: list[bytes]) -> None:
    """Keeps objects under a key: written beside, then renamed, so no reader sees half a file."""
    with _opened_folder() as place:
        if place is None:
            return
        temporary = f"{TEMPORARY}{os.urandom(8).hex()}"
        try:
            with os.fdopen(place.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL), "wb") as file:
                file.write(_packed(name, objects))
            place.rename(temporary, name)
            _pruned(place)
        except OSError as problem:
            with contextlib.suppress(OSError):
                place.remove(temporary)
            _say_once(f"entries cannot be written into the cache ({problem.strerror}): not kept")


def _pruned(place: _Folder) -> None:
    """Removes the oldest entries when there are too many bytes; looks only now and then."""
    if os.urandom(1)[0] % 32:
        return
    entries, now = place.entries(), time.time()
    total = sum(size for _, size, _ in entries)
    for changed, size, name in entries:
        if total > LIMIT or (name.startswith(TEMPORARY) and now - changed > ABANDONED):
            place.remove(name)
            total -= size
