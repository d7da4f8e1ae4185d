"""The part of a YAML file that can be read, where other entries cannot: its problems are told at once too."""

from collections.abc import Mapping

from hapsis.errors import ModelError
from hapsis.mechanics.formats.yaml.yaml_fields import Read
from hapsis.mechanics.formats.yaml.yaml_tree import Node

MOST = 2000  # entries of a file that are read one by one


def readable_part(tree: Node, sections: Mapping[str, Read]) -> tuple[Node, set[str]]:
    """The file without the entries that cannot be read, and the names of these entries."""
    parts: dict[str, tuple[Node, Node]] = {}
    names: set[str] = set()
    for name, (key, node) in tree.value.items():
        if not isinstance(node.value, dict):
            if name in sections and _can_read(sections[name], node, name):
                parts[name] = key, node
            continue
        entries = {
            entry: pair
            for entry, pair in node.value.items()
            if name in sections and _can_read(sections[name], _with(node, {entry: pair}), name)
        }
        names |= node.value.keys() - entries.keys()
        if entries:
            parts[name] = key, _with(node, entries)
    return _with(tree, parts), names


def entry_count(tree: Node) -> int:
    """How many entries the sections of a file have."""
    return sum(len(node.value) for _, node in tree.value.values() if isinstance(node.value, dict))


def independent_problems(problems: tuple[str, ...], names: set[str]) -> list[str]:
    """The problems that do not follow from entries with these names being left out."""
    words = [f'"{name}{end}' for name in names for end in ('"', ".")]
    return [
        line
        for line in problems
        if "is not connected to the world" not in line and not any(word in line for word in words)
    ]


def _with(node: Node, entries: dict[str, tuple[Node, Node]]) -> Node:
    return Node(entries, node.file, node.line, node.column)


def _can_read(read: Read, node: Node, what: str) -> bool:
    try:
        read(node, what)
    except ModelError:
        return False
    return True
