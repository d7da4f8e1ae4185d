"""The pictures of a page of the documentation: plots by name, and the folder they are written to."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

STATIC = Path(__file__).resolve().parent.parent / "docs" / "_static"


class Pictures:
    """The functions that draw the pictures of one page, by name; `folder` holds the pictures."""

    def __init__(self, folder: str) -> None:
        self.folder = STATIC / folder
        self.plots: dict[str, Callable[[], Any]] = {}

    def add(self, make: Callable[[], Any]) -> Callable[[], Any]:
        """The function itself, which returns a Plot; its name becomes that of the picture."""
        self.plots[make.__name__] = make
        return make

    def write(self) -> None:
        """Draws and writes every picture, and prints its name."""
        self.folder.mkdir(parents=True, exist_ok=True)
        for name, make in self.plots.items():
            print(make().save(self.folder / f"{name}.svg").name)
