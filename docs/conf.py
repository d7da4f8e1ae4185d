"""Sphinx settings. Build: python -m sphinx -W -b html docs docs/_build (no network needed)."""

import sys
from pathlib import Path

import hapsis

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "tools"))
import api_pages  # noqa: E402
import api_text  # noqa: E402
import gallery  # noqa: E402
import mathml  # noqa: E402
import source_files  # noqa: E402

# the list of all source files is made from their own first lines, the API from the public names
api_pages.write()
(HERE / "source_files.md").write_text(source_files.page(), encoding="utf-8")

project = "Hapsis"
author = "The Hapsis authors"
project_copyright = author
version = release = hapsis.__version__

extensions = ["myst_parser", "sphinx.ext.autodoc"]
exclude_patterns = ["_build", "decisions/template.md"]
source_suffix = {".md": "markdown"}
myst_enable_extensions = ["dollarmath", "deflist"]
myst_heading_anchors = 3

smartquotes = False  # quotation marks are often code

html_theme = "furo"
html_title = f"Hapsis {release}"
html_static_path = ["_static"]
html_css_files = ["pages.css"]
html_copy_source = False
html_show_sphinx = False
html_math_renderer = "mathml"  # formulas are written into the page when it is built: no script, no network

autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_class_signature = "mixed"
add_module_names = False
python_use_unqualified_type_names = True


def setup(app):
    app.connect("autodoc-process-docstring", api_text.docstring)
    app.connect("autodoc-process-signature", api_text.signature)
    app.connect("html-page-context", gallery.script)
    app.connect("build-finished", gallery.finished)
    app.add_html_math_renderer(
        "mathml", inline_renderers=(mathml.inline, None), block_renderers=(mathml.block, None)
    )
