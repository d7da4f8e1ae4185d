"""A model as text: its tree drawn with box lines; each line has a body, its mass and its parent joint.

    world
    └─ upper     0.6 kg    shoulder: revolute y
       └─ fore   0.48 kg   elbow: revolute y

Built without recursion and limited to MOST_LINES: a model may be a chain of thousands of bodies.
"""

from typing import Any, NamedTuple

from hapsis.errors import one_line
from hapsis.mechanics.model.joints.joint import Joint
from hapsis.mechanics.model.model import Model
from hapsis.mechanics.model.structure.topology import TreeJoint

MOST_LINES = 200
DEEPEST = 16  # levels; below it a chain is drawn without further indentation
LONGEST_NAME = 60  # characters


class Style(NamedTuple):
    """The strokes before a child, before the last child, below each of them, and before a chain's link."""

    child: str
    last: str
    below: str
    blank: str
    chain: str


LINES = Style("├─ ", "└─ ", "│  ", "   ", "↓ ")
ASCII = Style("|- ", "`- ", "|  ", "   ", "> ")


def tree_text(model: Model, style: Style = LINES) -> str:
    """The tree of a model, one line for each body, and the joints that close loops."""
    rows = [("world", "", ""), *_rows(model, style)]
    widths = [max(len(row[k]) for row in rows) for k in (0, 1)]
    lines = [f"{row[0]:<{widths[0]}}   {row[1]:<{widths[1]}}   {row[2]}".rstrip() for row in rows]
    if len(model.bodies) > MOST_LINES:
        lines.append(f"... and {len(model.bodies) - MOST_LINES} more bodies")
    for joint in model.cuts[:MOST_LINES]:
        ends = f"{_shown(joint.first)} and {_shown(joint.second)}"
        lines.append(f"loop closed by {_shown(joint.name)}: {kind(joint)} between {ends}")
    return "\n".join(lines)


def kind(joint: Joint) -> str:
    """The family of a joint and its axes: `revolute y`, `chain Tx Ty Rz`, `ball`."""
    return " ".join([joint.type_name, *(_field(getattr(joint, name)) for name in joint.shown)])


def number(x: float, unit: str = "") -> str:
    """A number with six digits at most, and its unit."""
    return f"{x:.6g} {unit}".rstrip()


def _rows(model: Model, style: Style) -> list[tuple[str, str, str]]:
    """For each body, parents first: its strokes and name, its mass, its parent joint."""
    below: dict[str, list[TreeJoint]] = {}
    for branch in model.tree:
        below.setdefault(branch.parent, []).append(branch)
    rows: list[tuple[str, str, str]] = []
    left: list[tuple[TreeJoint, str, str, int]] = []  # branch, stroke, margin of its children, depth

    def push(body: str, margin: str, depth: int) -> None:
        children = below.get(body, [])
        straight = len(children) == 1 and depth >= DEEPEST
        for branch in reversed(children):
            if straight:
                left.append((branch, margin + style.chain, margin, depth))
                continue
            last = branch is children[-1]
            stroke = margin + (style.last if last else style.child)
            left.append((branch, stroke, margin + (style.blank if last else style.below), depth + 1))

    push("world", "", 0)
    while left and len(rows) < MOST_LINES:
        branch, stroke, margin, depth = left.pop()
        rows.append((f"{stroke}{_shown(branch.child)}", _mass(model, branch), _held(branch)))
        push(branch.child, margin, depth)
    return rows


def _mass(model: Model, branch: TreeJoint) -> str:
    return number(model.value(model.bodies[branch.child].mass), "kg")


def _held(branch: TreeJoint) -> str:
    """The joint, followed by `backwards` where the tree goes from its second end to its first."""
    text = f"{_shown(branch.joint.name)}: {kind(branch.joint)}"
    return f"{text}, backwards" if branch.reversed else text


def _field(x: Any) -> str:
    """A word, a vector, or several of them."""
    if isinstance(x, str):
        return x
    if isinstance(x[0], float):
        return f"({', '.join(f'{each:.4g}' for each in x)})"
    return " ".join(map(_field, x))


def _shown(name: Any) -> str:
    """A name on one line, cut to LONGEST_NAME."""
    return one_line(str(name))[:LONGEST_NAME]
