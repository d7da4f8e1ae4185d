"""Sphinx settings. Build: python -m sphinx -W -b html docs docs/_build (no network needed)."""

import sys
from pathlib import Path

import hapsis

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "tools"))
import source_files  # noqa: E402

# the list of all source files is made from their own first lines
(HERE / "source_files.md").write_text(source_files.page(), encoding="utf-8")

project = "Hapsis"
author = "The Hapsis authors"
version = release = hapsis.__version__

extensions = ["myst_parser", "sphinx.ext.autodoc"]
exclude_patterns = ["_build", "decisions/template.md"]
source_suffix = {".md": "markdown"}
myst_enable_extensions = ["dollarmath", "deflist"]
myst_heading_anchors = 3

html_theme = "furo"
html_title = f"Hapsis {release}"
html_static_path = ["_static"]
html_copy_source = False

autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_class_signature = "separated"


def plain_text(app, what, name, obj, options, lines):
    """Show docstrings as they are written: `x` is code; indented blocks and prompts stay as is."""
    shown, literal, prompt = [], False, False
    for line in lines:
        prompt = bool(line) and (prompt or line.startswith(">>>"))
        kept = prompt or line.startswith((" ", "\t"))
        if kept and not literal:
            shown += ["", ".. code-block:: none", ""]
        elif line and literal and not kept:
            shown += [""]
        literal = kept or (literal and not line)
        shown.append(f"    {line}".rstrip() if literal else _escaped(line))
    lines[:] = [*shown, ""]


def _escaped(line):
    """One line of prose: the odd pieces between backticks are code, the rest is literal text."""
    pieces = line.replace("``", "`").split("`")
    if len(pieces) % 2 == 0:
        pieces = ["".join(pieces)]
    for k, piece in enumerate(pieces):
        if k % 2:
            pieces[k] = f"\\ ``{piece.strip()}``\\ " if piece.strip() else ""
        else:
            pieces[k] = "".join(f"\\{c}" if c in "\\*_|<>:`[]" else c for c in piece)
    text = "".join(pieces)
    # a leading mark would start a list, a title, a comment or a directive
    return f"\\{text}" if text and text[0] in "-+=~#.^\"'" else text


def setup(app):
    app.connect("autodoc-process-docstring", plain_text)
