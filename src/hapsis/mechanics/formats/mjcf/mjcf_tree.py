"""The tree of an MJCF file, with the files it includes inserted.

A file is included from the folder of the main file only, at most once, as MuJoCo asks. The limits on
bytes and elements are those of all files together.
"""

import os
import re
from pathlib import Path, PurePosixPath

from hapsis.errors import ModelError
from hapsis.mechanics.formats.file_text import read_text
from hapsis.mechanics.formats.mesh_paths import LONGEST_PATH, inside
from hapsis.mechanics.formats.xml_tree import DEEPEST, Budget, Element, xml_tree

ROOTS = ("mujoco", "mujocoinclude")


def mjcf_tree(text: str, file: str, folder: Path) -> Element:
    """The root of an MJCF text, its includes done."""
    budget = Budget()
    root = xml_tree(text, file, budget=budget)
    if root.tag != "mujoco":
        raise root.wrong(f"the file is a <{root.tag[:60]}>", expected="<mujoco>, which MJCF begins")
    met: set[Path] = {Path(os.path.realpath(folder / Path(file).name))}
    left = [(root, 1)]
    while left:
        element, depth = left.pop()
        if depth > DEEPEST:
            raise element.wrong(f"nested more than {DEEPEST} deep")
        _include(element, folder, met, budget)
        left += [(child, depth + 1) for child in element.children]
    return root


def _include(element: Element, folder: Path, met: set[Path], budget: Budget) -> None:
    """Puts the children of the files in the place of each <include>, also of theirs."""
    while any(child.tag == "include" for child in element.children):
        children: list[Element] = []
        for child in element.children:
            children += _included(child, folder, met, budget) if child.tag == "include" else [child]
        element.children = children


def _included(element: Element, folder: Path, met: set[Path], budget: Budget) -> list[Element]:
    path = element.attributes.get("file", "")
    shown, parts = f'<include> of "{path[:80]}"', PurePosixPath(path).parts
    if len(path) > LONGEST_PATH or not path.isprintable() or not parts:
        raise element.wrong(f"{shown} says no file", expected='file="name.xml"')
    out = f"{shown} leads out of the folder of the model"
    if re.match(r"[A-Za-z][\w+.-]*:", path) or "\\" in path or path.startswith(("/", "~")):
        raise element.wrong(out, expected="a relative path")
    file = inside(folder, parts, out, element.where)
    if file in met:
        raise element.wrong(f"{shown} is a second one of that file", expected="each file once")
    met.add(file)
    try:
        root = xml_tree(read_text(file, budget.bytes), str(folder.joinpath(*parts)), budget=budget)
    except ModelError as error:
        message = error.what if error.where == str(file) else str(error).replace(f"{folder}{os.sep}", "")
        raise element.wrong(f"{shown}: {message}") from None
    if root.tag not in ROOTS:
        raise element.wrong(f"{shown}: it is a <{root.tag[:60]}>", expected="<mujocoinclude>")
    return list(root.children)
