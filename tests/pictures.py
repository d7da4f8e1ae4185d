"""Pictures of the pages: each is what its tool in tools/ draws now."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]

NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e[-+]?\d+)?")
NEAR = 0.3  # of a pixel


def drawn_again(tool, name, folder, largest=120_000):
    """The kept picture and a new one differ by less than a pixel, and it is small."""
    drawn = tool.PICTURES.plots[name]().save(folder / f"{name}.svg").read_text(encoding="utf-8")
    kept = (tool.PICTURES.folder / f"{name}.svg").read_text(encoding="utf-8")
    remedy = f"run python tools/{tool.__name__}.py, and look"
    assert NUMBER.split(drawn) == NUMBER.split(kept), remedy
    pairs = zip(NUMBER.findall(drawn), NUMBER.findall(kept), strict=True)
    assert max(abs(float(x) - float(y)) for x, y in pairs) < NEAR, remedy
    assert len(kept) < largest


def all_shown(tool, page):
    """Every picture of a tool is on its page, and no other is in its folder."""
    text = (ROOT / "docs" / page).read_text(encoding="utf-8")
    shown = re.findall(rf"_static/{tool.PICTURES.folder.name}/(\w+)\.svg", text)
    there = [path.stem for path in tool.PICTURES.folder.glob("*")]
    assert sorted(shown) == sorted(tool.PICTURES.plots) == sorted(there)
