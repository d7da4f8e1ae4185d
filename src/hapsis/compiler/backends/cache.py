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
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from hapsis.compiler.backends.cache_folder import Folder, is_private, opened_folder, why_none
from hapsis.errors import notice

MAGIC = b"hapsis object 2\n"
LIMIT = 512 * 2**20  # bytes kept; the files that nobody has used for the longest time go first
USED = 24 * 3600.0  # s: an entry that is used gets a new time after so long
LOOKS = 128  # at the size of the folder while as much as LIMIT is written
ABANDONED = 3600.0  # s: a file half written by a process that has ended
TEMPORARY = "new-"


def folder() -> Path | None:
    """The cache folder, made on first use; None where there can be none."""
    with _opened_folder() as place:
        return None if place is None else place.path


@contextlib.contextmanager
def _opened_folder() -> Iterator[Folder | None]:
    """The folder, opened and checked, made if it was not there; None where there can be none."""
    with opened_folder(make=True) as opened:
        if opened.problem:
            _say_once(opened.problem)
        yield opened.folder


_said: set[str] = set()


def _say_once(text: str) -> None:
    """A notice about the folder, which every entry would repeat: the first time in this process."""
    if text not in _said:
        _said.add(text)
        notice(text)


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
                if not is_private(os.fstat(file.fileno())):
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


class Contents(NamedTuple):
    """What is in the cache, or was; a `problem` says why nothing is, in a sentence with what to do."""

    folder: Path | None
    count: int = 0
    bytes: int = 0
    problem: str = ""


def contents() -> Contents:
    """The entries of the cache; looking makes no folder."""
    with opened_folder(make=False) as opened:
        if opened.folder is None:
            return Contents(opened.path, problem=opened.problem if opened.path else why_none())
        sizes = [size for _, size, _ in opened.folder.entries()]
        return Contents(opened.path, len(sizes), sum(sizes))


def clear() -> Contents:
    """Removes all entries, and returns what was removed."""
    with opened_folder(make=False) as opened:
        if opened.folder is None:
            return Contents(opened.path, problem=opened.problem if opened.path else why_none())
        count = total = 0
        for _, size, name in opened.folder.entries():
            try:
                opened.folder.remove(name)
            except OSError as problem:
                notice(f"cache entry {name[:12]} cannot be removed ({problem.strerror})")
                continue
            count, total = count + 1, total + size
        return Contents(opened.path, count, total)


def _packed(name: str, objects: list[bytes]) -> bytes:
    body = b"".join(len(part).to_bytes(8, "little") + part for part in objects)
    return MAGIC + _sum(name, body) + body


def _unpacked(name: str, content: bytes) -> list[bytes] | None:
    at = len(MAGIC) + 32
    if content[: len(MAGIC)] != MAGIC or content[len(MAGIC) : at] != _sum(name, memoryview(content)[at:]):
        return None
    objects: list[bytes] = []
    while at < len(content):
        length = int.from_bytes(content[at : at + 8], "little")
        at += 8 + length
        if at > len(content):
            return None
        objects.append(content[at - length : at])
    return objects


def _sum(name: str, body: "bytes | memoryview[int]") -> bytes:
    digest = hashlib.sha256(name.encode() + b"\0")
    digest.update(body)
    return digest.digest()


def store(name: str, objects: list[bytes]) -> None:
    """Keeps objects under a key: written beside, then renamed, so no reader sees half a file."""
    with _opened_folder() as place:
        if place is None:
            return
        temporary = f"{TEMPORARY}{os.urandom(8).hex()}"
        try:
            with os.fdopen(place.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL), "wb") as file:
                size = file.write(_packed(name, objects))
            place.rename(temporary, name)
            _pruned(place, size)
        except OSError as problem:
            with contextlib.suppress(OSError):
                place.remove(temporary)
            _say_once(f"entries cannot be written into the cache ({problem.strerror}): not kept")


def _pruned(place: Folder, written: int) -> None:
    """Removes the oldest entries when there are too many bytes.

    It looks by chance, on average `LOOKS` times while LIMIT bytes are written: a look at a full folder
    takes as long as writing hundreds of entries.
    """
    if int.from_bytes(os.urandom(4), "little") * LIMIT > 2**32 * LOOKS * written:
        return
    entries, now = place.entries(), time.time()
    total = sum(size for _, size, _ in entries)
    for changed, size, name in entries:
        if total > LIMIT or (name.startswith(TEMPORARY) and now - changed > ABANDONED):
            place.remove(name)
            total -= size
