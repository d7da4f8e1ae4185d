"""Draws the picture of docs/hello_wall.md anew, from the model of its first block.

python tools/hello_wall_plots.py
"""

import re
from pathlib import Path

from page_pictures import Pictures

import hapsis as hs
from hapsis.view import Plot, curves

PICTURES = Pictures("hello_wall")
PAGE = Path(__file__).resolve().parent.parent / "docs" / "hello_wall.md"


@PICTURES.add
def force() -> Plot:
    """The force on the hand over its position, without waiting for the clock."""
    text = PAGE.read_text(encoding="utf-8")
    block = re.findall(r"^```python\n(.*?)^```", text, flags=re.S | re.M)[0]
    names: dict = {}
    exec(block[: block.index("loop = ")], names)
    loop = hs.realtime.Loop(names["step"], rate=4000, paced=False).connect(names["hand"]).run(seconds=1.0)
    report = loop.report()
    rows = slice(None, None, 20)
    depth = 1000 * report["hand.x.position"][rows]
    return curves(
        {"force": depth},
        {"force": report["hand.x.command"][rows]},
        "position of the hand, mm",
        "force on the hand, N",
    )


if __name__ == "__main__":
    PICTURES.write()
