"""The tree of a YAML text: texts, lists and maps, each with its position in the file.

Only what data needs: no directives, tags, anchors, aliases, merge keys, several documents or
repeated keys.
Every scalar stays the text it is, so `1e3` is no string, `no` no truth value and `1:30` no
number of minutes; what a text means is up to its reader. The events of the parser are turned
into the tree without recursion, so that no depth of nesting can overflow a stack.
"""

import re
from collections.abc import Collection
from typing import Any

import yaml

from hapsis.errors import ModelError

MOST_BYTES = 16_000_000
DEEPEST = 64
MOST_ENTRIES = 1_000_000  # several times what 20 000 bodies and their joints need

# the parser compares each %TAG line with all before, and tells of none until they are over
_DIRECTIVE = re.compile(r"^%", re.MULTILINE)
# libyaml where the wheel carries it: the same events, forty times faster
_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class Node:
    """A part of a file. `value` is a str, a list of Nodes, or {text: (key, value)}."""

    __slots__ = ("column", "file", "line", "plain", "value")

    def __init__(self, value: Any, file: str, line: int, column: int, plain: bool = False) -> None:
        self.value, self.file, self.plain = value, file, plain
        self.line, self.column = line, column

    @property
    def where(self) -> str:
        """`file:line:column`, both from 1."""
        return f"{self.file}:{self.line + 1}:{self.column + 1}"

    @property
    def shown(self) -> str:
        """How an error shows the value."""
        if isinstance(self.value, str):
            return f'"{self.value[:60]}"' if self.value or not self.plain else "nothing"
        return f"a list of {len(self.value)}" if isinstance(self.value, list) else "a map"

    def wrong(self, what: str, **parts: str) -> ModelError:
        """A ModelError about this part of the file."""
        return ModelError(what, where=self.where, **parts)

    def entries(self, what: str) -> Collection[tuple["Node", "Node"]]:
        """The keys and values of a map; anything else is an error that begins with `what`."""
        if not isinstance(self.value, dict):
            raise self.wrong(f"{what} must be a map, not {self.shown}", expected="{key: value}")
        return self.value.values()

    def items(self, what: str) -> list["Node"]:
        """The items of a list; anything else is an error that begins with `what`."""
        if not isinstance(self.value, list):
            raise self.wrong(f"{what} must be a list, not {self.shown}")
        return self.value

    def text(self, what: str, kind: str = "a text") -> str:
        """The text of a scalar; anything else is an error that begins with `what`."""
        if not isinstance(self.value, str) or (self.plain and not self.value):
            raise self.wrong(f"{what} must be {kind}, not {self.shown}")
        return self.value


def yaml_tree(text: str, file: str) -> Node:
    """The one document of a YAML text; `file` is its name in errors."""
    if text.count(",") + text.count(":") + text.count("\n") > MOST_ENTRIES:
        raise ModelError("the file has too many entries", where=file, expected=f"at most {MOST_ENTRIES}")
    if directive := _DIRECTIVE.search(text):
        line = text.count("\n", 0, directive.start())
        raise Node("", file, line, 0).wrong("a directive (%) is not allowed", expected="plain YAML")
    try:
        return _Builder(file).built(text)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        what = f"not YAML: {error.problem or error.context}"
        place = f"{file}:{mark.line + 1}:{mark.column + 1}" if mark else file
        raise ModelError(what, where=place) from None
    except yaml.YAMLError as error:
        what = getattr(error, "reason", None) or str(error)
        raise ModelError(f"not YAML: {what}", where=file) from None


class _Builder:
    """Builds nodes from events; `open` are the collections around the present position."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.open: list[Node] = []
        self.keys: list[Node | None] = []  # per open map: the key whose value is read next
        self.root: Node | None = None

    def built(self, text: str) -> Node:
        """The root of the tree."""
        documents = 0
        for event in yaml.parse(text, Loader=_LOADER):
            kind = event.__class__
            if kind is yaml.ScalarEvent:
                self._refuse_marked(event)
                mark = event.start_mark
                plain = not event.style
                self._add(Node(event.value, self.file, mark.line, mark.column, plain))
            elif kind is yaml.MappingStartEvent or kind is yaml.SequenceStartEvent:
                self._refuse_marked(event)
                self._enter({} if kind is yaml.MappingStartEvent else [], event.start_mark)
            elif kind is yaml.MappingEndEvent or kind is yaml.SequenceEndEvent:
                self.open.pop()
                self.keys.pop()
            elif kind is yaml.AliasEvent:
                raise self._error(event, f'alias "*{event.anchor[:60]}" is not allowed')
            elif kind is yaml.DocumentStartEvent:
                documents += 1
                if documents > 1:
                    raise self._error(event, "a second document begins here", "one per file")
        if self.root is None:
            raise ModelError("the file is empty", where=f"{self.file}:1:1")
        return self.root

    def _refuse_marked(self, event: Any) -> None:
        if event.anchor is not None:
            raise self._error(event, f'anchor "&{event.anchor[:60]}" is not allowed')
        if event.tag is not None:
            raise self._error(event, f'tag "{event.tag[:60]}" is not allowed')

    def _error(self, event: Any, what: str, expected: str = "plain YAML") -> ModelError:
        mark = event.start_mark
        return Node("", self.file, mark.line, mark.column).wrong(what, expected=expected)

    def _enter(self, value: Any, mark: Any) -> None:
        node = Node(value, self.file, mark.line, mark.column)
        self._add(node)
        if len(self.open) == DEEPEST:
            raise node.wrong(f"nested more than {DEEPEST} deep")
        self.open.append(node)
        self.keys.append(None)

    def _add(self, node: Node) -> None:
        if not self.open:
            self.root = node
            return
        around = self.open[-1].value
        if around.__class__ is list:
            around.append(node)
            return
        key = self.keys[-1]
        if key is not None:
            around[key.value] = (key, node)
            self.keys[-1] = None
            return
        if not isinstance(node.value, str):
            raise node.wrong(f"a key must be a text, not {node.shown}")
        if node.value == "<<" and node.plain:
            raise node.wrong('merge key "<<" is not allowed', expected="plain YAML")
        if node.value in around:
            first = around[node.value][0].where
            raise node.wrong(f"key {node.shown} stands here a second time; the first is at {first}")
        self.keys[-1] = node
