"""Reports as JSON: one way for all commands.

Standard output then has one object and nothing else. Numbers have all their digits; what is not finite is
null. A complex number is [real, imaginary], a matrix a list of its rows. The key `notices` is there where
something was noticed on the way, which a report as text prints as lines `note: ...`.
"""

import json
import math
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from hapsis.errors import Notice, one_line

Report = dict[str, Any]


@contextmanager
def json_report(wanted: bool) -> Iterator[Report | None]:
    """A report to fill, printed as JSON at the end of the context; None where it is not wanted."""
    if not wanted:
        yield None
        return
    report: Report = {}
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        yield report
    listed = [one_line(text) for text in report.get("warnings", ())]
    notices = [one_line(str(w.message)) for w in caught if issubclass(w.category, Notice)]
    notices = [text for text in notices if text not in listed]
    if notices:
        report["notices"] = notices
    print_json(report)


def print_json(report: Mapping[str, Any]) -> None:
    """Prints an object as JSON."""
    print(json.dumps(plain(report), indent=2, allow_nan=False))


def plain(x: Any) -> Any:
    """The same in the types of JSON."""
    if isinstance(x, Mapping):
        return {str(name): plain(value) for name, value in x.items()}
    if hasattr(x, "tolist"):  # arrays and numbers of NumPy, which is not imported for this
        x = x.tolist()
    if isinstance(x, list | tuple | set | frozenset):
        return [plain(value) for value in x]
    if isinstance(x, complex):
        return [plain(x.real), plain(x.imag)]
    if isinstance(x, float) and not math.isfinite(x):
        return None
    return x if x is None or isinstance(x, str | int | float | bool) else str(x)
