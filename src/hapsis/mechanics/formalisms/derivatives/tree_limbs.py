"""The limbs of a tree: links one after the other without a branching, all of single axes or none of them."""

from collections import Counter
from collections.abc import Sequence

from hapsis.mechanics.formalisms.derivatives.response_blocks import LONG, parts
from hapsis.mechanics.formalisms.tree.links import WORLD
from hapsis.mechanics.formalisms.tree.tree import Tree


def limbs(tree: Tree) -> dict[int, list[int]]:
    """The links of each limb, by its first one."""
    parents = [branch.parent for branch in tree.branches]
    single = [len(branch.v) == 1 for branch in tree.branches]
    count = Counter(parents)
    limbs: dict[int, list[int]] = {}
    first = list(range(len(parents)))
    for i, parent in enumerate(parents):
        if parent != WORLD and count[parent] == 1 and single[i] == single[parent]:
            first[i] = first[parent]
        limbs.setdefault(first[i], []).append(i)
    return limbs


def in_blocks(tree: Tree, links: Sequence[int]) -> bool:
    """Whether a limb is computed in blocks: a long one of single axes."""
    return len(links) >= LONG and all(len(tree.branches[i].v) == 1 for i in links)


def alike(tree: Tree) -> list[list[int]]:
    """Groups of links whose axes and changes are computed side by side."""
    groups: list[list[int]] = []
    for links in limbs(tree).values():
        if in_blocks(tree, links):
            groups += parts(links)
    return groups
