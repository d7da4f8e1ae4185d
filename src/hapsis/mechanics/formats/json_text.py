"""JSON of files that anyone may have written."""

import json
import re
from typing import Any

_HALF = re.compile(r"\\u[dD][89a-fA-F]")  # an escape that may be half of a pair (RFC 8259, 8.2)


def json_value(text: str | bytes) -> Any:
    """The value of a JSON text, in UTF-8 where it is bytes.

    ValueError where it is none, is nested too deep, or has half of a surrogate pair: such a text could
    be read and never be written again.
    """
    characters = text if isinstance(text, str) else text.decode("utf-8")
    try:
        value = json.loads(characters)
        if _HALF.search(characters):
            json.dumps(value, ensure_ascii=False).encode("utf-8")
    except RecursionError:
        raise ValueError("nested too deep") from None
    return value
