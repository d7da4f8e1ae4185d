"""A program as few sequential vector steps, as in [Robotran], for parallel hardware.

Independent operations of one kind form one vector operation. Finding the smallest number of such steps
is hard (the shortest common supersequence of all paths); list scheduling comes close: of the kinds that
have operations ready, run the one with the longest remaining path.
"""

from collections import Counter
from dataclasses import dataclass

from hapsis.compiler.ir.functions.function import Function
from hapsis.compiler.ir.functions.verbs import verb
from hapsis.compiler.ir.graph.ops import ADD, BLOCK, NAMES, OUT, SUB
from hapsis.compiler.passes.chunk import origin


@dataclass(frozen=True)
class Steps:
    """The steps in order: each is the name of an operation and the nodes it is applied to."""

    steps: tuple[tuple[str, tuple[int, ...]], ...]

    @property
    def widths(self) -> list[tuple[str, int]]:
        """Name and width of each step."""
        return [(name, len(nodes)) for name, nodes in self.steps]

    @property
    def mean_width(self) -> float:
        """Operations per step."""
        return sum(width for _, width in self.widths) / max(1, len(self.steps))

    def __len__(self) -> int:
        return len(self.steps)

    def __str__(self) -> str:
        total = sum(width for _, width in self.widths)
        lines = [f"{total} operations in {len(self)} vector steps, {self.mean_width:.1f} wide"]
        counts: Counter[str] = Counter()
        wide: Counter[str] = Counter()
        for name, width in self.widths:
            counts[name] += 1
            wide[name] += width
        for name, width in wide.most_common():
            lines.append(f"  {name:8}{counts[name]:6} steps{width / counts[name]:9.1f} wide")
        return "\n".join(lines)


@verb
def vector_steps(function: Function) -> Steps:
    """A schedule of the Function in vector steps.

    Additions and subtractions are one kind. It has at most as many steps as there are kinds on all
    levels together.
    """
    program = _Program(function)
    shortest = min(program.listed(), program.by_levels(), key=len)
    return Steps(tuple((program.kind[nodes[0]], tuple(nodes)) for nodes in shortest))


class _Program:
    """The instructions, their kinds, and which wait for which."""

    def __init__(self, function: Function) -> None:
        nodes = function.graph.nodes
        self.kind: dict[int, str] = {}
        self.needs: dict[int, set[int]] = {}
        self.users: dict[int, list[int]] = {}
        blocks: dict[int, str] = {}
        for index in function.live:
            op = nodes[index][0]
            if op == BLOCK or op > OUT:
                kind = NAMES[ADD if op == SUB else op]
                if op == BLOCK:
                    kind = blocks.setdefault(nodes[index][1], f"block{len(blocks)}")
                self.kind[index] = kind
                makers = {origin(nodes, ref) for ref in function.graph.operands(index)}
                self.needs[index] = needed = makers & self.kind.keys()
                self.users[index] = []
                for maker in needed:
                    self.users[maker].append(index)
        self.height: dict[int, int] = {}
        for index in reversed(self.kind):
            above = (self.height[user] for user in self.users[index])
            self.height[index] = 1 + max(above, default=0)

    def by_levels(self) -> list[list[int]]:
        """The steps by level: all operations of a kind at the same distance from the inputs."""
        level: dict[int, int] = {}
        steps: dict[tuple[int, str], list[int]] = {}
        for index, needed in self.needs.items():
            level[index] = 1 + max((level[maker] for maker in needed), default=0)
            steps.setdefault((level[index], self.kind[index]), []).append(index)
        return [steps[key] for key in sorted(steps)]

    def listed(self) -> list[list[int]]:
        """The steps by list scheduling: each is all ready operations of one kind.

        That is the kind with the longest remaining path, among equals the one with most operations.
        """
        waiting = {index: len(needed) for index, needed in self.needs.items()}
        ready: dict[str, list[int]] = {}
        longest: dict[str, int] = {}

        def admit(index: int) -> None:
            kind = self.kind[index]
            ready.setdefault(kind, []).append(index)
            longest[kind] = max(longest.get(kind, 0), self.height[index])

        for index, count in waiting.items():
            if not count:
                admit(index)
        steps: list[list[int]] = []
        while ready:
            kind = max(ready, key=lambda kind: (longest[kind], len(ready[kind])))
            steps.append(ready.pop(kind))
            del longest[kind]
            for user in (user for index in steps[-1] for user in self.users[index]):
                waiting[user] -= 1
                if not waiting[user]:
                    admit(user)
        return steps
