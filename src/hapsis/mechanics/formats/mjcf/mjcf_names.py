"""The names in an MJCF file, and generated names for elements without one.

Bodies, sites and joints have separate name spaces; equalities share that of the joints.
"""

from hapsis.mechanics.formats.file_text import checked_name
from hapsis.mechanics.formats.xml_tree import Element


class Names:
    """The names of a file, and new ones for what has none: body1, joint3, ..."""

    def __init__(self, root: Element) -> None:
        self.taken: dict[str, set[str]] = {"body": {"world"}, "site": set(), "joint": set()}
        self.met: set[tuple[str, str]] = set()
        self.counts = dict.fromkeys(self.taken, 0)
        self.last: dict[tuple[str, str], int] = {}  # the last number appended to a name
        left = [*root.all("worldbody"), *root.all("equality")]
        while left:
            element = left.pop()
            left += element.children
            kind = element.tag if element.tag in ("body", "site") else "joint"
            if "name" in element.attributes and element.tag != "geom":
                self.taken[kind].add(element.attributes["name"])

    def of(self, element: Element, kind: str) -> str:
        """The name of an element, or a generated one."""
        self.counts[kind] += 1
        name = element.attributes.get("name")
        if name is None:
            return self.fresh(f"{kind}{self.counts[kind]}", kind)
        checked_name(name, kind, element.where)
        if (kind, name) == ("body", "world"):
            raise element.wrong('a body is called "world"; rename it')
        if (kind, name) in self.met:
            raise element.wrong(f'a second {kind} "{name}"', expected="each name once")
        self.met.add((kind, name))
        return name

    def fresh(self, name: str, kind: str = "joint") -> str:
        """A name that is not in use: the one given, with a number after it if necessary."""
        taken, numbered = self.taken[kind], name
        k = self.last.get((kind, name), 1)
        while numbered in taken:
            k += 1
            numbered = f"{name}_{k}"
        self.last[kind, name] = k
        taken.add(numbered)
        return numbered
