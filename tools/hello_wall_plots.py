"""Draws the picture of docs/hello_wall.md anew, from its first two blocks.

python tools/hello_wall_plots.py
"""

import re
from pathlib import Path

from page_pictures import Pictures

from hapsis.view import Plot

PICTURES = Pictures("hello_wall")
PAGE = Path(__file__).resolve().parent.parent / "docs" / "hello_wall.md"


@PICTURES.add
def force() -> Plot:
    """The plot that the first two blocks of the page make, without waiting for the clock."""
    text = PAGE.read_text(encoding="utf-8")
    first, second = re.findall(r"^```python\n(.*?)^```", text, flags=re.S | re.M)[:2]
    names: dict = {}
    exec(first.replace("rate=4000)", "rate=4000, paced=False)"), names)
    exec(second.replace("report.plot(", "plot = report.plot(").replace('.save("wall.html")', ""), names)
    return names["plot"]


if __name__ == "__main__":
    PICTURES.write()
