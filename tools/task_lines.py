"""Lines of code of examples/tasks and of the same tasks in other packages, as the table of docs/tasks.md.

    python tools/task_lines.py            # prints the table
    python tools/task_lines.py --write    # writes it into the page

A line counts if it holds code or text of a model; blank lines, comments and docstrings do not.
"""

import ast
import io
import sys
import tokenize
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TASKS = ROOT / "examples" / "tasks"
PAGE = ROOT / "docs" / "tasks.md"
BEGIN, END = "<!-- table begins -->\n", "<!-- table ends -->\n"
ORDER = (
    "cart_pole engine urdf_batch boxes camber_curve haptic_wall identification c_export sweep own_law "
    "broken_models"
).split()
RIVALS = {"mujoco": "MuJoCo", "pinocchio": "Pinocchio"}
SILENT = (tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT)
# what a rival needs that is not in the wheels which the tests install, or does not have
MISSING = {
    "haptic_wall": "neither has a loop with a device",
    "c_export": "Pinocchio does it together with CasADi, but not in its wheel",
}


def lines_of_code(path: Path) -> int:
    """How many lines of a program count."""
    text = path.read_text(encoding="utf-8")
    lines: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type not in SILENT and token.type != tokenize.ENDMARKER:
            lines |= set(range(token.start[0], token.end[0] + 1))
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Module | ast.FunctionDef | ast.ClassDef) and ast.get_docstring(node):
            lines -= set(range(node.body[0].lineno, (node.body[0].end_lineno or 0) + 1))
    written = text.splitlines()
    return sum(bool(written[number - 1].strip()) for number in lines)


def tasks() -> dict[str, Path]:
    """The programs of the tasks by name."""
    return {name: TASKS / f"{name}.py" for name in ORDER}


def rivals(task: str) -> dict[str, Path]:
    """The same task in other packages: the program by the package's name."""
    found = {name: TASKS / "rivals" / f"{task}_{word}.py" for word, name in RIVALS.items()}
    return {name: path for name, path in found.items() if path.exists()}


def subject(path: Path) -> tuple[str, str]:
    """The title of a task and what it does, from the first line of its program."""
    title, _, rest = (ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or "").partition(": ")
    return title, rest.rstrip(".")


def table() -> str:
    """The table of all tasks, in Markdown."""
    rows = ["| task | what it does | lines | the same in | lines |\n", "|---|---|---|---|---|\n"]
    for name, path in tasks().items():
        title, rest = subject(path)
        link = f"[{title}](#{title.lower().replace(' ', '-')})"
        others = rivals(name)
        where = ", ".join(others) if others else MISSING[name]
        counts = ", ".join(str(lines_of_code(other)) for other in others.values())
        rows.append(f"| {link} | {rest} | {lines_of_code(path)} | {where} | {counts} |\n")
    return "".join(rows)


def page_with(table: str) -> str:
    """The text of the page with this table in it."""
    text = PAGE.read_text(encoding="utf-8")
    head, _, rest = text.partition(BEGIN)
    return f"{head}{BEGIN}\n{table}\n{END}{rest.partition(END)[2]}"


if __name__ == "__main__":
    if "--write" in sys.argv:
        PAGE.write_text(page_with(table()), encoding="utf-8")
    else:
        print(table(), end="")
