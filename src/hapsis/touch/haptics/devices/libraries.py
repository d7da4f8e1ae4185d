"""Libraries of vendors, loaded if they are there, and the addresses of their functions."""

import ctypes
import ctypes.util
import os
from collections.abc import Sequence
from typing import Any

from hapsis.errors import DeviceError


class Library:
    """A shared library; a function is called by name from Python, by address from native code."""

    def __init__(self, names: Sequence[str], what: str, remedy: str, path: str | None = None) -> None:
        self.what, self._library, self.path = what, None, ""
        for name in [path] if path else names:
            try:
                self._library = ctypes.CDLL(os.fspath(name))
            except (OSError, ValueError):  # no library, or no path
                continue
            self.path = str(name)
            break
        if self._library is None:
            tried = path or ", ".join(names)
            raise DeviceError(f"the library of {what} is not here ({tried})", remedy=remedy)

    def __call__(self, name: str, *arguments: Any, result: Any = ctypes.c_int) -> Any:
        """Calls a function: ints as C ints, floats as doubles, strings and pointers as they are."""
        function = self._function(name)
        function.restype = result
        function.argtypes = None
        return function(*(ctypes.c_double(x) if isinstance(x, float) else x for x in arguments))

    def text(self, name: str) -> str:
        """The text that a function returns, such as the reason of the last error."""
        text = self(name, result=ctypes.c_char_p)
        return text.decode(errors="replace") if text else "no reason is given"

    def has(self, name: str) -> bool:
        """Whether there is such a function."""
        return hasattr(self._library, name)

    def address(self, name: str) -> int:
        """Where a function lies."""
        return ctypes.cast(self._function(name), ctypes.c_void_p).value or 0

    def _function(self, name: str) -> Any:
        try:
            return getattr(self._library, name)
        except AttributeError:
            raise DeviceError(
                f"the library of {self.what} has no {name}: it is too old or another", where=self.path
            ) from None
