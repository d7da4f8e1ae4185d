"""The environment variables of Hapsis: which there are, and what they may be.

A value that is not allowed is an error, and a name that nobody reads a notice: a typing error is told.
"""

import os
from functools import cache

from hapsis.errors import Error, near, notice

PREFIX = "HAPSIS_"
# the values that are allowed, the default first; none: any text
VARIABLES: dict[str, tuple[str, ...]] = {
    "HAPSIS_BACKGROUND": ("on", "off"),
    "HAPSIS_CACHE": (),
    "HAPSIS_CAMPAIGN": (),  # of our tests
    "HAPSIS_NATIVE": ("plain", "checked"),
}


def choice(name: str) -> str:
    """The value of a variable with a list of values; the default where it is not set, or empty."""
    _check_names()
    allowed, given = VARIABLES[name], os.environ.get(name, "")
    value = given.strip().lower() or allowed[0]
    if value not in allowed:
        raise Error(
            f"the environment variable {name} is {given!r:.40}{near(value, allowed)}",
            expected=" or ".join(allowed),
        )
    return value


@cache
def _check_names() -> None:
    for name in os.environ:
        if name.startswith(PREFIX) and name not in VARIABLES:
            notice(f"nobody reads the environment variable {name[:60]}{near(name, VARIABLES)}")
