"""Random damage of YAML and XML by their structure: parts left out, doubled, moved, exchanged, renamed."""

import copy
import random
from collections.abc import Iterator
from functools import cache
from itertools import islice
from typing import Any
from xml.etree import ElementTree

import yaml

from attacks.mutation import NUMBERS, TEXTS, corpus, everything

MOST = 2000  # places of a document, or elements: some are made to be many
Place = tuple[Any, Any]  # a table or list, and a key of it


@cache
def documents() -> list[Any]:
    """The YAML files that can be parsed."""
    result = []
    for text in corpus("yaml"):
        try:
            result.append(yaml.safe_load(text))
        except (yaml.YAMLError, ValueError, RecursionError):
            continue
    return [x for x in result if isinstance(x, dict) and len(list(islice(places(x), MOST))) < MOST]


def places(value: Any) -> Iterator[Place]:
    """Every place inside tables and lists."""
    pending = [value]
    while pending:
        around = pending.pop()
        keys = list(around) if isinstance(around, dict) else range(len(around))
        for key in keys:
            yield around, key
            if isinstance(around[key], dict | list):
                pending.append(around[key])


def strange(draw: random.Random) -> Any:
    """A value that seldom fits."""
    number = draw.choice(NUMBERS)
    values = (number, draw.choice(TEXTS), None, True, [], {}, [number] * 3, {number: number}, "world")
    numbers = (0, -1, 1e308, -1e308, 1e-320, float("nan"), float("inf"), 10**30, 1e150, 0.5)
    return draw.choice((*values, *numbers, [draw.choice(numbers) for _ in range(draw.choice((2, 3, 6)))]))


def mutated_yaml(draw: random.Random) -> bytes:
    """A YAML file with one to four changes of its structure."""
    whole = documents()[0] if draw.random() < 0.5 else draw.choice(documents())
    document = copy.deepcopy(whole)
    for _ in range(draw.choice((1, 1, 2, 4))):
        spots = list(islice(places(document), MOST))
        if not spots:
            break
        around, key = draw.choice(spots)
        other, name = draw.choice(list(places(draw.choice(documents()))) or spots)
        match draw.randrange(6):
            case 0:
                del around[key]
            case 1 | 2:
                around[key] = strange(draw)
            case 3:
                around[key] = copy.deepcopy(other[name])
            case 4 if isinstance(around, dict):
                around[str(name)] = around[key]
            case 4:
                around.insert(0, around[key])
            case _:
                table = around if isinstance(around, dict) else document
                table[str(name)] = copy.deepcopy(other[name])
    try:
        return yaml.safe_dump(document, allow_unicode=True, sort_keys=False).encode("utf-8", "replace")
    except (RecursionError, ValueError, yaml.YAMLError):  # a part went into itself
        return everything("yaml").encode()


@cache
def elements(ending: str) -> list[ElementTree.Element]:
    """The XML files of a format that can be parsed."""
    result = []
    for text in corpus(ending):
        try:
            result.append(ElementTree.fromstring(text))
        except (ElementTree.ParseError, ValueError, LookupError):
            continue
    return [root for root in result if sum(1 for _ in root.iter()) < MOST]


def mutated_xml(draw: random.Random, ending: str) -> bytes:
    """An XML file with one to four changes of its elements and attributes."""
    roots = elements(ending)
    root = copy.deepcopy(roots[0] if draw.random() < 0.5 else draw.choice(roots))
    for _ in range(draw.choice((1, 1, 2, 4))):
        _change_element(root, draw.choice(list(draw.choice(roots).iter())), draw)
    return ElementTree.tostring(root, encoding="utf-8")


def _change_element(root: ElementTree.Element, other: ElementTree.Element, draw: random.Random) -> None:
    """Changes something of a random element; `other` is one of another file."""
    nodes = list(root.iter())
    node, parent = draw.choice(nodes), draw.choice(nodes)
    inner = list(node)
    match draw.randrange(9):
        case 0 if inner:
            node.remove(draw.choice(inner))
        case 1 if inner:
            node.append(copy.deepcopy(draw.choice(inner)))
        case 2 if inner:
            parent.append(copy.deepcopy(draw.choice(inner)))
        case 3:
            node.tag = draw.choice(nodes).tag
        case 4:
            node.append(copy.deepcopy(other))
        case 5:
            node.attrib.update(other.attrib)
        case 6 | 7 if node.attrib:
            name = draw.choice(sorted(node.attrib))
            words = node.attrib[name].split() or [""]
            words[draw.randrange(len(words))] = draw.choice(
                (*NUMBERS, *other.attrib.values(), *parent.attrib)
            )
            node.attrib[name] = " ".join(words)
            if draw.random() < 0.2:
                del node.attrib[name]
        case _:
            node.text = draw.choice((other.text or "", draw.choice(NUMBERS)))
