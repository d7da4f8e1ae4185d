"""The index pages of examples and mechanisms list what exists, each with a picture of a reasonable size."""

import ast
import re
from pathlib import Path

import hapsis as hs

ROOT = Path(__file__).parents[1]

STATIC = ROOT / "docs" / "_static"
LARGEST = 24_000  # bytes of a small picture


def rows(page):
    """Of each row of a page's tables its picture and its text."""
    text = (ROOT / "docs" / page).read_text(encoding="utf-8")
    return re.findall(r"^\| !\[[^\]]*\]\((_static/[^)]+)\) \| (.*) \|$", text, flags=re.M)


def test_every_example_is_listed_with_its_first_line():
    listed = [text for _, text in rows("examples.md")]
    expected = []
    for path in sorted((ROOT / "examples").glob("*.py")):
        first = (ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or "").splitlines()[0]
        expected.append(f"[`{path.name}`](../examples/{path.name}) | {first}")
    assert listed == expected


def test_every_mechanism_of_the_library_is_listed():
    names = [re.match(r"`(\w+)\(", text)[1] for _, text in rows("library.md")]
    assert sorted(names) == sorted(hs.library.__all__)


def test_every_picture_exists_is_small_and_is_shown():
    shown = {picture for page in ("examples.md", "library.md", "tasks.md") for picture, _ in rows(page)}
    shown |= set(re.findall(r"_static/thumbnails/\w+\.png", (ROOT / "docs" / "tasks.md").read_text()))
    assert all((ROOT / "docs" / picture).exists() for picture in shown)
    small = {path.name: path.stat().st_size for path in (STATIC / "thumbnails").glob("*")}
    assert {name for name in small if f"_static/thumbnails/{name}" not in shown} == set()
    assert max(small.values()) <= LARGEST
