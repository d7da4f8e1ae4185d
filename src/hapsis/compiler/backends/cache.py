"""Object code on disk: one file per key, in a folder only its user can touch.

    folder   $HAPSIS_CACHE, or the platform's cache folder / hapsis
    file     SHA-256 of (what is computed, how, for which CPU, by which versions)
    inside   magic, SHA-256 of the rest, then the objects with their lengths

Code found here is executed, so the rules are strict: the folder and the files must belong to this
user and be closed to others, the checksum must fit, and nothing is ever unpickled. Whatever fails a
check is ignored and rebuilt, with one line saying so. No cache at all is never an error.
"""

import hashlib
import os
import stat
import sys
import tempfile
from pathlib import Path

from hapsis.errors import notice

MAGIC = b"hapsis object 1\n"
LIMIT = 512 * 2**20  # bytes kept; the oldest files go first


def folder() -> Path | None:
    """The cache folder, made on first use; None where there can be none."""
    path = _chosen()
    if path is None:
        return None
    try:
        path.mkdir(parents=True, exist_ok=True, mode=0o700)
        if not _private(path):
            notice(f"cache folder {path} belongs to or is open to others: not used")
            return None
    except OSError as problem:
        notice(f"cache folder {path} cannot be used ({problem.strerror}): compiling every time")
        return None
    return path


def _chosen() -> Path | None:
    given = os.environ.get("HAPSIS_CACHE")
    if given is not None:
        return Path(given) / "objects" if given else None
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


def _private(path: Path) -> bool:
    """Whether the path is no link, is ours, and nobody else can write (folders: enter) it."""
    if not hasattr(os, "geteuid"):
        return True
    status = path.lstat()
    if stat.S_ISLNK(status.st_mode) or status.st_uid != os.geteuid():
        return False
    forbidden = 0o077 if stat.S_ISDIR(status.st_mode) else 0o022
    return not status.st_mode & forbidden


def key(*parts: bytes) -> str:
    """The name of an entry: a hash of all parts and their lengths."""
    text = hashlib.sha256()
    for part in parts:
        text.update(len(part).to_bytes(8, "little") + part)
    return text.hexdigest()


def load(name: str) -> list[bytes] | None:
    """The objects stored under a key, or None."""
    place = folder()
    if place is None:
        return None
    path = place / name
    try:
        if not _private(path):
            notice(f"cache entry {name[:12]} belongs to or is open to others: rebuilt")
            return None
        content = path.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as problem:
        notice(f"cache entry {name[:12]} cannot be read ({problem.strerror}): rebuilt")
        return None
    objects = _unpacked(content)
    if objects is None:
        notice(f"cache entry {name[:12]} is damaged or of another version: rebuilt")
    return objects


def _unpacked(content: bytes) -> list[bytes] | None:
    head = len(MAGIC) + 32
    body = content[head:]
    if content[: len(MAGIC)] != MAGIC or content[len(MAGIC) : head] != _sum(body):
        return None
    objects: list[bytes] = []
    while body:
        length = int.from_bytes(body[:8], "little")
        if length > len(body) - 8:
            return None
        objects.append(body[8 : 8 + length])
        body = body[8 + length :]
    return objects


def _sum(body: bytes) -> bytes:
    return hashlib.sha256(body).digest()


def store(name: str, objects: list[bytes]) -> None:
    """Keeps objects under a key: written beside, then renamed, so no reader sees half a file."""
    place = folder()
    if place is None:
        return
    body = b"".join(len(part).to_bytes(8, "little") + part for part in objects)
    try:
        handle, temporary = tempfile.mkstemp(dir=place, prefix="new-")
        with os.fdopen(handle, "wb") as file:
            file.write(MAGIC + _sum(body) + body)
        os.replace(temporary, place / name)
        _pruned(place)
    except OSError as problem:
        notice(f"cache entry {name[:12]} cannot be written ({problem.strerror}): not kept")


def _pruned(place: Path) -> None:
    """Removes the oldest entries when there are too many bytes; looks only now and then."""
    if os.urandom(1)[0] % 32:
        return
    entries = sorted((e.stat().st_mtime, e.stat().st_size, e.path) for e in os.scandir(place))
    total = sum(size for _, size, _ in entries)
    for _, size, path in entries:
        if total <= LIMIT:
            break
        os.unlink(path)
        total -= size
