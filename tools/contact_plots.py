"""Draws the picture of docs/contacts.md anew: the hand of that page lifts its box.

python tools/contact_plots.py
"""

import contextlib
import re
import sys
import tempfile
from pathlib import Path
from typing import Any

from page_pictures import Pictures

ROOT = Path(__file__).resolve().parent.parent
PICTURES = Pictures("contacts")
sys.path[:0] = [str(ROOT / "src")]


@PICTURES.add
def hand() -> Any:
    """Grip, weight on the table, slip and height, of the run that the blocks of the page make."""
    page = (ROOT / "docs" / "contacts.md").read_text(encoding="utf-8")
    names: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        for block in re.findall(r"```python\n(.*?)```", page, re.DOTALL):
            exec(compile(block, "contacts.md", "exec"), names)
            if "lifted" in names:
                break
    return names["lifted"].plot("left pad.force", "table.force", "left pad.slip", "box.z")


if __name__ == "__main__":
    PICTURES.write()
