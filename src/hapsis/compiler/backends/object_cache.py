"""Object code in the cache on disk, by what it computes and by the sources of the compiler that wrote it.

Code of another compiler is never found: no number must be counted up by hand when the compiler changes.
Where the compiler's sources cannot be read, or are others than those that run, nothing is kept.
"""

from hapsis.compiler.backends import cache as disk
from hapsis.compiler.backends.code_version import compiler_version, is_current


def key(*parts: bytes) -> str:
    """The name of an entry of object code."""
    return disk.key(b"object code", compiler_version(), *parts)


def load(name: str) -> list[bytes] | None:
    """The objects stored under a key, or None."""
    return disk.load(name) if compiler_version() else None


def store(name: str, objects: list[bytes]) -> None:
    """Keeps objects under a key."""
    if compiler_version() and is_current():
        disk.store(name, objects)
