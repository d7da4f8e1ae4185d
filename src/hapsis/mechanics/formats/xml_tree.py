"""The tree of an XML text: elements with their attributes and their positions in the file.

Document types are refused, so there are no custom entities and no external files; depth and size are
limited. The tree is built without recursion. Text inside elements is kept on request: URDF has none,
Robotran writes every number as text.
"""

from collections.abc import Iterator
from xml.parsers import expat

from hapsis.errors import ModelError

MOST_BYTES = 64_000_000
DEEPEST = 256
MOST_ELEMENTS = 500_000  # what 20 000 links and their joints need, 25 each
LONGEST_TEXT = 2000  # characters of an element; of a longer text little more than this is stored
_ENCODINGS = ("utf-8", "utf8", "us-ascii", "ascii")


class Budget:
    """What is left of the bytes and elements that a file and the files it includes may have."""

    def __init__(self) -> None:
        self.bytes, self.elements = MOST_BYTES, MOST_ELEMENTS


class Element:
    """An element: its tag, its attributes, its children in order and the text between them."""

    __slots__ = ("attributes", "children", "column", "file", "line", "tag", "text")

    def __init__(self, tag: str, attributes: dict[str, str], file: str, line: int, column: int):
        self.tag, self.attributes = tag, attributes
        self.file, self.line, self.column = file, line, column
        self.children: list[Element] | tuple[()] = ()
        self.text = ""  # without leading blanks

    @property
    def where(self) -> str:
        """`file:line:column`, both from 1."""
        return f"{self.file}:{self.line}:{self.column + 1}"

    def wrong(self, what: str, **parts: str) -> ModelError:
        """A ModelError about this element."""
        return ModelError(what, where=self.where, **parts)

    def all(self, tag: str) -> Iterator["Element"]:
        """The children of that tag."""
        return (child for child in self.children if child.tag == tag)

    def one(self, tag: str, what: str) -> "Element | None":
        """The child of that tag, or None; several are an error, in which `what` names the element."""
        children = list(self.all(tag))
        if len(children) > 1:
            raise children[1].wrong(f"{what} has a second <{tag}>", expected="one")
        return children[0] if children else None


def xml_tree(text: str, file: str, texts: bool = False, budget: Budget | None = None) -> Element:
    """The root of an XML text; `file` is its name in errors. `texts` keeps what elements say.

    `budget` is shared by the files of one model.
    """
    budget = budget or Budget()
    budget.bytes -= len(text)
    if text.count("<") > 3 * budget.elements:  # tags that open, tags that close, comments
        raise _too_many(file)
    builder = _Builder(file, text.isascii(), budget)
    if texts:
        builder.parser.CharacterDataHandler = builder.said
    try:
        builder.parser.Parse(text.encode("utf-8"), True)
    except expat.ExpatError as error:
        what = f"not XML: {expat.ErrorString(error.code)}"
        raise ModelError(what, where=f"{file}:{error.lineno}:{error.offset + 1}") from None
    if builder.root is None:
        raise ModelError("the file has no element", where=f"{file}:1:1")
    return builder.root


def _too_many(where: str) -> ModelError:
    allowed = f"at most {MOST_ELEMENTS} with those of included files"
    return ModelError("the file has too many elements", where=where, expected=allowed)


class _Builder:
    """Builds the tree from the parser's events; `open` are the elements around the present position."""

    def __init__(self, file: str, ascii_only: bool, budget: Budget) -> None:
        self.file, self.ascii_only, self.budget = file, ascii_only, budget
        self.root: Element | None = None
        self.open: list[Element] = []
        self.parser = parser = expat.ParserCreate("utf-8")
        parser.buffer_text = True
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.StartDoctypeDeclHandler = self._doctype
        parser.XmlDeclHandler = self._declaration

    @property
    def where(self) -> str:
        return f"{self.file}:{self.parser.CurrentLineNumber}:{self.parser.CurrentColumnNumber + 1}"

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        parser = self.parser
        line, column = parser.CurrentLineNumber, parser.CurrentColumnNumber
        element = Element(tag, attributes, self.file, line, column)
        self.budget.elements -= 1
        if self.budget.elements < 0:
            raise _too_many(element.where)
        if len(self.open) == DEEPEST:
            raise element.wrong(f"nested more than {DEEPEST} deep")
        if self.open:
            around = self.open[-1]
            if around.children:
                around.children.append(element)
            else:
                around.children = [element]
        else:
            self.root = element
        self.open.append(element)

    def _end(self, tag: str) -> None:
        self.open.pop()

    def said(self, data: str) -> None:
        """Adds to the text of the innermost element."""
        element = self.open[-1]
        if len(element.text) <= LONGEST_TEXT:  # a longer one would be copied again and again
            element.text = (element.text + data).lstrip()[: LONGEST_TEXT + 1]

    def _doctype(self, *_: object) -> None:
        raise ModelError("a document type (DOCTYPE) is not allowed", where=self.where, expected="plain XML")

    def _declaration(self, version: str, encoding: str | None, standalone: int) -> None:
        if encoding and encoding.lower() not in _ENCODINGS and not self.ascii_only:
            raise ModelError(
                f'the file says it is "{encoding[:40]}"', where=f"{self.file}:1:1", expected="UTF-8"
            )
