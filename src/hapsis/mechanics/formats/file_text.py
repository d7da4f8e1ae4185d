"""The text of a model file, checked before it is parsed; and the check of names in files.

Model files are untrusted: a file must be a regular file of limited size, in UTF-8, without control
characters. A UTF-8 byte order mark is skipped.
"""

import codecs
import os
import re
import stat
from pathlib import Path
from typing import Any

from hapsis.errors import LONGEST_NAME, ModelError, near

_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
_MARKS = (
    (codecs.BOM_UTF32_LE, "UTF-32"),  # before UTF-16: it begins with the same two bytes
    (codecs.BOM_UTF32_BE, "UTF-32"),
    (codecs.BOM_UTF16_LE, "UTF-16"),
    (codecs.BOM_UTF16_BE, "UTF-16"),
)
MOST_LISTED = 10_000  # files of a folder that are compared with a name not found in it


def path_of(path: Any) -> Path:
    """The Path of a text or a path object; an error for anything else."""
    try:
        name = os.fspath(path)
        if not isinstance(name, str) or "\0" in name or not name:
            raise TypeError
    except TypeError:
        raise ModelError(f"{str(path)[:60]!r} is no path of a file") from None
    return Path(name)


def read_text(path: Path, most_bytes: int) -> str:
    """The text of a file of at most `most_bytes` bytes, with all line ends as newlines."""
    return decoded(read_bytes(path, most_bytes), str(path))


def read_bytes(path: Path, most_bytes: int) -> bytes:
    """The content of a regular file of at most `most_bytes` bytes."""
    try:
        # O_NONBLOCK: do not wait for a writer if the path is a pipe
        handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | _BINARY)
        with open(handle, "rb") as file:
            status = os.fstat(handle)
            if not stat.S_ISREG(status.st_mode):
                raise ModelError("is no regular file", where=str(path))
            data = file.read(min(status.st_size, most_bytes) + 1)
    except FileNotFoundError:
        raise _missing(path) from None
    except OSError as error:
        reason = "is a folder" if os.path.isdir(path) else f"cannot be read: {error.strerror}"
        raise ModelError(reason, where=str(path), expected="a model file") from None
    if len(data) > most_bytes:
        allowed = f"at most {most_bytes // 1_000_000} MB"
        raise ModelError("the file is too large", where=str(path), expected=allowed)
    return data


_BINARY = getattr(os, "O_BINARY", 0)


def decoded(data: bytes, file: str) -> str:
    """The bytes of a file as text; `file` is its name in errors."""
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            raise ModelError(f"is {encoding}", where=f"{file}:1:1", expected="text in UTF-8")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        place = place_of(data[: error.start].decode("utf-8"), error.start)
        what = f"byte 0x{data[error.start]:02x} is not UTF-8"
        raise ModelError(what, where=f"{file}:{place}", expected="text in UTF-8") from None
    text = text.removeprefix("\ufeff")
    if control := _CONTROL.search(text):
        raise ModelError(
            f"control character 0x{ord(control[0]):02x}",
            where=f"{file}:{place_of(text, control.start())}",
            expected="text",
        )
    if not text.strip():
        raise ModelError("the file is empty", where=f"{file}:1:1")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def place_of(text: str, index: int) -> str:
    """`line:column` of an index, both from 1."""
    before = text[:index]
    return f"{before.count(chr(10)) + 1}:{len(before) - before.rfind(chr(10))}"


def _missing(path: Path) -> ModelError:
    """The error for a file that does not exist."""
    folder = path.parent
    try:
        with os.scandir(folder) as entries:
            names = [entry.name for _, entry in zip(range(MOST_LISTED), entries, strict=False)]
    except OSError:
        return ModelError(f'there is no folder "{folder}"', where=str(path))
    hint = near(path.name, names)
    return ModelError(f'there is no such file in "{folder.absolute()}"{hint}', where=str(path))


def checked_name(name: str, what: str, where: str) -> str:
    """A name from a file, checked: printable, not too long, without blanks at its ends."""
    if not name:
        raise ModelError(f"the name of a {what} is empty", where=where)
    if len(name) > LONGEST_NAME:
        wrong = f'the name "{name[:20]}..." of a {what} has {len(name)} characters'
        raise ModelError(wrong, where=where, expected=f"at most {LONGEST_NAME}")
    if not name.isprintable() or name != name.strip():
        shown = name.encode("unicode_escape").decode()
        raise ModelError(
            f'the name "{shown[:80]}" of a {what} has characters that cannot be seen',
            where=where,
            expected="printable ones, no blanks at its ends",
        )
    return name
