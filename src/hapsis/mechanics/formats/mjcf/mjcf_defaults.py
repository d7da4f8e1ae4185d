"""The default classes of an MJCF file: attributes that elements inherit.

A class has a table of attributes for each kind of element, which overrides that of the enclosing class.
The outermost class is called "main". The class of an element is the one it names, else the childclass of
the nearest enclosing body or frame, else "main".
"""

from hapsis.errors import near
from hapsis.mechanics.formats.file_text import checked_name
from hapsis.mechanics.formats.xml_tree import Element

MAIN = "main"
KINDS = ("joint", "geom", "site", "equality", "mesh", "material")
TURNS = ("quat", "axisangle", "euler", "xyaxes", "zaxis")  # attributes that give an orientation
Tables = dict[str, dict[str, str]]


class Defaults:
    """The default classes by name."""

    def __init__(self, root: Element) -> None:
        self.classes: dict[str, Tables] = {MAIN: {}}
        for element in root.all("default"):
            name = element.attributes.get("class", MAIN)
            if name != MAIN:
                raise element.wrong(f'the outermost default class is "{name[:60]}"', expected=MAIN)
            self._read(element, self.classes[MAIN], MAIN)

    def _read(self, element: Element, around: Tables, name: str) -> None:
        """Adds the class of an element and the classes nested in it."""
        tables = {kind: dict(table) for kind, table in around.items()}
        self.classes[name] = tables
        for child in element.children:
            if child.tag in KINDS:
                tables[child.tag] = over(tables.get(child.tag, {}), child.attributes)
        for child in element.all("default"):
            inner = child.attributes.get("class")
            if inner is None:
                raise child.wrong("a <default> inside another needs class")
            checked_name(inner, "default class", child.where)
            if inner in self.classes:
                raise _twice(child, inner)
            self._read(child, tables, inner)

    def known(self, name: str | None, element: Element) -> str | None:
        """The name of a class, checked to exist; None is allowed."""
        if name is not None and name not in self.classes:
            hint = near(name, self.classes)
            raise element.wrong(f'there is no default class "{name[:60]}"{hint}')
        return name

    def whole(self, element: Element, around: str | None, kind: str | None = None) -> Element:
        """The element, with the attributes of its class where it does not give them itself."""
        name = self.known(element.attributes.get("class"), element) or around or MAIN
        table = self.classes[name].get(kind or element.tag)
        if not table:
            return element
        attributes = over(table, element.attributes)
        return Element(element.tag, attributes, element.file, element.line, element.column)


def over(table: dict[str, str], attributes: dict[str, str]) -> dict[str, str]:
    """A table with attributes that override its own; one form of orientation replaces another."""
    inherited = table
    if any(name in attributes for name in TURNS):
        inherited = {name: text for name, text in table.items() if name not in TURNS}
    return {**inherited, **attributes}


def _twice(element: Element, name: str) -> Exception:
    return element.wrong(f'a second default class "{name[:60]}"', expected="each class once")
