"""The section `phases` of Hapsis YAML: the constraints of each phase of a hybrid, besides those of its model.

phases:
  flight: {}
  stance:
    constraints:
      foot: {type: pinned, first: leg.foot}

The other sections of a hybrid are read by `motion.hybrid`, which is above this package: it gives its readers,
and the function that makes the hybrid, to the reader of the file.
"""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, NamedTuple

from hapsis.mechanics.formats.all_problems import all_of
from hapsis.mechanics.formats.file_text import checked_name
from hapsis.mechanics.formats.yaml.yaml_fields import Read, fields
from hapsis.mechanics.formats.yaml.yaml_tree import Node
from hapsis.mechanics.model.fact import Fact
from hapsis.mechanics.model.model import Model

PHASES = "phases"
CONSTRAINTS = "constraints"
NEED_PHASES = ("events", "watch", "start")  # sections that only a hybrid has


class HybridSections(NamedTuple):
    """How files with phases are read.

    sections   {section: the function that reads it}
    make       a function of {phase: Model} and of all sections that returns the hybrid
    """

    sections: Mapping[str, Read]
    make: Callable[[Mapping[str, Model], Mapping[str, Any]], Any]


def hybrid_sections(tree: Node, hybrids: Callable[[], HybridSections] | None) -> HybridSections | None:
    """How the sections of a hybrid are read; None where the file has no phases."""
    if PHASES in tree.value:
        if hybrids is None:
            raise tree.value[PHASES][0].wrong("the file has phases, and only a Model is read here")
        return hybrids()
    for name in NEED_PHASES:
        if name in tree.value:
            raise tree.value[name][0].wrong(f'"{name}" needs phases', expected="phases: {stance: {...}}")
    return None


def phase_constraints(read: Read, node: Node, what: str) -> dict[str, list[Fact]]:
    """{phase: its own constraints}; `read` reads constraints."""

    def one(key: Node, phase: Node) -> tuple[str, list[Fact]]:
        name = checked_name(key.value, "phase", key.where)
        return name, fields(phase, f'phase "{name}"', {CONSTRAINTS: read}).get(CONSTRAINTS, [])

    if not (entries := node.entries(what)):
        raise node.wrong("there are no phases", expected="phases: {stance: {...}}")
    return dict(all_of(partial(one, key, item) for key, item in entries))
